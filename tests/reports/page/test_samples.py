"""The samples of a page: worst ones, filters, and distributions."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairsum_utils.measures.equal_coverage import EqualCoverage
from fairsum_utils.reports.page import samples
from fairsum_utils.reports.page.contents import Contents
from fairsum_utils.reports.page.document import page_colors
from fairsum_utils.reports.page.sample import Lens, Sampled
from fairsum_utils.reports.page.samples import WORST, Browser, distribution_html
from tests.reports.page.conftest import outlined

pytestmark = pytest.mark.usefixtures("undrawn")
Made = Callable[..., Contents]
NUMBERS = st.floats(-1e6, 1e6).map(lambda number: round(number, 4))


def panels(contents: Contents) -> dict[str, str]:
    browser = Browser(contents, page_colors(contents))
    return {section.anchor: section.html for section in browser.sections()}


def test_the_worst_samples_are_there_without_a_script(made: Made):
    # The longer the summary speaks of the soup of "pos" alone, the less "neg" has of it: the last one is the worst.
    summaries = [" ".join([*["tasty"] * number, "stale"]) for number in range(14)]
    rows = [(f"r{place}", "", text, ["Tasty.", "Stale."], ["pos", "neg"]) for place, text in enumerate(summaries)]
    shown = panels(made(rows))["samples"]
    order = [int(part.split("<")[0]) for part in shown.split("<h3>Sample <bdi>r")[1:]]
    assert len(order) == WORST
    assert f"the worst {WORST} of 14 samples" in shown
    # BUR is 1 for all of the worst; then the mean shortfall decides. "tasty stale" is fair; "stale" lacks "pos" wholly.
    assert order == [0, 13, 12, 11, 10, 9, 8, 7, 6, 5]


def test_filters_are_offered_for_what_there_is(made: Made):
    fair = ("r1", "", "Tasty, stale.", ["Tasty.", "Stale."], ["pos", "neg"])
    shown = panels(made([fair]))["samples"]
    assert "unmatched" not in shown
    assert 'name="system"' not in shown
    others = [("r2", "", "Nothing of it.", *fair[3:]), ("r1", "C", "", *fair[3:])]
    shown = panels(made([fair, *others]))["samples"]
    assert 'value="unmatched"> unmatched <small>1</small>' in shown
    assert 'value="skipped"> skipped <small>1</small>' in shown
    assert '<option value="1">C</option>' in shown
    assert '<option value="0,1">pos</option>' in shown
    shown = panels(made([fair], {"bur": {}, "equal_coverage": {"entailer": "lexical"}}))["samples"]
    assert '<option value="1,1">pos (Equal Coverage)</option>' in shown


def test_a_sample_is_significant_by_its_own_test():
    figures = {"equal_coverage": 0.1, "expected_equal_coverage": 0.1, "values": ["a", "b"]}
    by_value = {f"{name}_by_value": {"a": 0.1, "b": -0.1} for name in ("difference", "coverage")}
    records = [{"skipped": None, "p_value": p, **figures, **by_value} for p in (0.04, 0.05, 0.2)]
    lenses = {"ec": Lens("equal_coverage", EqualCoverage(entailer="lexical", alpha=0.05), {})}
    rows = [Sampled(str(place), "", place, {}, {"ec": record}) for place, record in enumerate(records)]
    shown = panels(Contents("", {}, [], lenses, rows, outlined(lenses, rows)))["samples"]
    assert "significantly unequal <small>1</small>" in shown  # 0.05 itself is not below


@pytest.mark.parametrize("redact", [True, False])
def test_undefined_scores_have_no_distribution(made: Made, redact: bool):
    skipped = [("r1", "", "", ["Tasty."], ["pos"])]
    assert list(panels(made(skipped, redact=redact))) == ["samples"]


def test_values_of_no_result_have_colors_in_their_order(made: Made):
    rows = [
        ("r1", "A", "Fine.", ["Fine.", "Bad."], ["pos", "neg"]),
        ("r2", "A", "Fine.", ["Fine.", "So."], ["pos", "neu"]),
    ]
    contents = made(rows)
    blank = {label: lens._replace(result={**lens.result, "n_by_value": {}}) for label, lens in contents.lenses.items()}
    browser = Browser(contents._replace(lenses=blank), {})
    assert browser.colors == {"neg": "v1", "pos": "v2", "neu": "v3"}
    many = [(f"r{n}", "", "Fine.", ["Fine.", "Bad."], [f"a{n}", f"b{n}"]) for n in range(5)]
    browser = Browser(made(many), {})
    assert len(browser.colors) == 8
    assert set(browser.colors.values()) == {f"v{n}" for n in range(1, 9)}


def test_fewer_long_samples_are_there_without_a_script(made: Made, monkeypatch: pytest.MonkeyPatch):
    long = "tasty " * 200
    monkeypatch.setattr(samples, "_MOST", 4_000)
    shown = panels(made([(f"r{n}", "", long, [long, "Stale."], ["pos", "neg"]) for n in range(3)]))["samples"]
    assert "the worst 1 of 3 samples" in shown
    assert shown.count("<article><h3>") == 1


def test_values_of_most_samples_are_drawn(made: Made):
    """Authors differ in nearly every sample: neither time nor page grows as their square."""
    rows = [(f"r{n}", "", "Tasty.", ["Tasty.", "Stale."], [f"a{n}", "z"]) for n in range(120)]
    shown = panels(made(rows))
    assert "of 121 groups the 100 that most samples have" in shown["distribution"]
    assert shown["distribution"].count("Distribution(name=") == 100
    assert '<option value="0,99">z</option>' in shown["samples"]


def test_each_value_has_its_bars_and_its_numbers():
    shown = distribution_html(0, "BUR", "lacking words", {"a": [0.0, 0.01, 0.8], "b<": [0.2]}, {"a": "v1", "b<": "v2"})
    assert '<h3>BUR</h3><p class="fs-note">Lacking words</p>' in shown
    assert "Distribution(name=&#x27;b&lt;&#x27;, numbers=[0.2], color=&#x27;v2&#x27;)" in shown
    cells = re.findall(r'<t[dh][^>]*class="fs-number"[^>]*>([^<]*)</t', shown)[4:]
    assert cells == ["0.0000", "0.0250", "2", "0", "0.2000", "0.2250", "0", "1", "0.7750", "0.8000", "1", "0"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.text("ab", max_size=2), st.lists(NUMBERS, min_size=1, max_size=8), min_size=1, max_size=3))
def test_every_number_is_counted_once(values: dict[str, list[float]]):
    shown = distribution_html(0, "t", "axis", values, {})
    rows = re.findall(r"<tr>((?:<td[^>]*>[^<]*</td>)+)</tr>", shown.split("<tbody>")[1])
    counts = [[int(n) for n in re.findall(r">(\d+)</td>", row)][-len(values) :] for row in rows]
    assert [sum(column) for column in zip(*counts, strict=True)] == [len(numbers) for numbers in values.values()]


@pytest.mark.parametrize("column", ["variants", "groups"])
def test_variants_are_opened_side_by_side(column: str):
    browser = Browser(Contents("", {}, [], samples=[Sampled("r1", "", 0, {column: "female"}, {})]), {})
    index = json.loads(zlib.decompress(base64.b64decode(browser.data()), -zlib.MAX_WBITS))
    assert index["opposed"] is (column == "variants")
    assert index["samples"][0]["group"] == "female"
