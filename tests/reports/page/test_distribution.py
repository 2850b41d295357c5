from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.reports.page.samples import distribution_html

NUMBERS = st.floats(-1e6, 1e6).map(lambda number: round(number, 4))


def test_each_value_has_its_bars_and_its_numbers():
    # One axis from 0 to 0.8 with ticks at each 0.2: 33 bins of 0.025, around 0, 0.025, 0.05 ... 0 and 0.01 share one.
    shown = distribution_html(0, "BUR", "Lacking", {"a": [0.0, 0.01, 0.8], "b<": [0.2]}, {"a": "v1", "b<": "v2"})
    svgs = re.findall("<svg.*?</svg>", shown)
    assert [svg.count("<rect") for svg in svgs] == [2, 1]
    assert 'aria-label="b&lt;: at most 1 sample in a bar' in svgs[1]
    assert re.findall('data-(?:low|high)="([^"]*)"', svgs[0]) == ["-0.0125", "0.8125"]
    # a pixel is left out on both sides of a bar: 640 / 33 - 2
    assert '<rect class="f-v1" x="1" y="2" width="17.3939" height="46"/>' in svgs[0]
    cells = re.findall(r'<t[dh][^>]*class="fs-number"[^>]*>([^<]*)</t', shown)[4:]
    assert cells == ["-0.0125", "0.0125", "2", "0", "0.1875", "0.2125", "0", "1", "0.7875", "0.8125", "1", "0"]


def test_ticks_are_in_the_middle_of_bins():
    shown = distribution_html(0, "t", "axis", {"a": [-0.4, 0.6]}, {})
    lines = [float(x) for x in re.findall('<line class="s-grid" x1="([^"]*)"', shown)]
    bars = [float(x) for x in re.findall('<rect [^>]*x="([^"]*)"', shown)]
    half = 640 / 31 / 2  # 5 steps of 0.2 with 6 bins each, and one more
    assert lines[0] == pytest.approx(bars[0] - 1 + half, abs=0.01)
    assert lines[-1] == pytest.approx(bars[-1] - 1 + half, abs=0.01)
    assert lines[2] == pytest.approx((0.4 / 0.2 * 6 + 0.5) * 640 / 31, abs=0.01)  # of 0


@given(st.dictionaries(st.text("ab", max_size=2), st.lists(NUMBERS, min_size=1, max_size=8), min_size=1, max_size=3))
def test_every_number_is_counted_once(values: dict[str, list[float]]):
    shown = distribution_html(0, "t", "axis", values, {})
    rows = re.findall(r"<tr>((?:<td[^>]*>[^<]*</td>)+)</tr>", shown.split("<tbody>")[1])
    counts = [[int(n) for n in re.findall(r">(\d+)</td>", row)][-len(values) :] for row in rows]
    assert [sum(column) for column in zip(*counts, strict=True)] == [len(numbers) for numbers in values.values()]
