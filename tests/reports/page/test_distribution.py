from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.reports.page.samples import distribution_html

NUMBERS = st.floats(-1e6, 1e6).map(lambda number: round(number, 4))


def test_each_value_has_its_bars_and_its_numbers():
    shown = distribution_html(0, "BUR", "Lacking", {"a": [0.0, 0.01, 0.8], "b<": [0.2]}, {"a": "v1", "b<": "v2"})
    assert shown.count("<svg") == 1
    assert all(words in shown for words in ("<h3>BUR</h3>", "b&lt;</text>", "n = 3, median 0.010"))
    assert {"f-accent", "f-v2"} <= set(re.findall(r"f-[a-z]+\d?", shown))  # v1 is the color of accents
    cells = re.findall(r'<t[dh][^>]*class="fs-number"[^>]*>([^<]*)</t', shown)[4:]
    assert cells == ["0.0000", "0.0250", "2", "0", "0.2000", "0.2250", "0", "1", "0.7750", "0.8000", "1", "0"]


@given(st.dictionaries(st.text("ab", max_size=2), st.lists(NUMBERS, min_size=1, max_size=8), min_size=1, max_size=3))
def test_every_number_is_counted_once(values: dict[str, list[float]]):
    shown = distribution_html(0, "t", "axis", values, {})
    rows = re.findall(r"<tr>((?:<td[^>]*>[^<]*</td>)+)</tr>", shown.split("<tbody>")[1])
    counts = [[int(n) for n in re.findall(r">(\d+)</td>", row)][-len(values) :] for row in rows]
    assert [sum(column) for column in zip(*counts, strict=True)] == [len(numbers) for numbers in values.values()]
