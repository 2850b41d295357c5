"""Bins by hand, on one axis for all groups, whatever the numbers are."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.reports.panels import Bin, Distribution, Histogram, Line, bins
from tests.reports._forms import NARROW, WIDE, check, drawn, groups, texts


def counts(panel: Histogram) -> dict[str, list[Bin]]:
    """Group -> its bins, as a script reads them."""
    found: dict[str, list[Bin]] = {}
    for group in groups(drawn(panel), "bin"):
        ends = (float(group.get(f"data-{end}", "")) for end in ("low", "high"))
        found.setdefault(group.get("data-name", ""), []).append(Bin(*ends, int(group.get("data-count", ""))))
    return found


def test_bins_by_hand() -> None:
    # A step of 1/32, rounded up to 0.05: twenty bins from 0 to 1.
    numbers = [0.0, 0.01, 0.05, 0.3, 0.95, 0.999, 1.0, math.nan, math.inf]
    found = counts(Histogram("T", [Distribution("a", numbers), Distribution("b", [0.5])], "x"))
    held = {one.low: one.n for one in found["a"] if one.n}
    # 0.3 is an edge (6 x 0.05, which is 0.30000000000000004); 1 is the end of the last bin.
    assert held == {0.0: 2, 0.05: 1, 0.3: 1, 0.95: 3}
    assert [(one.low, one.high) for one in found["a"]] == [(one.low, one.high) for one in found["b"]]
    assert len(found["a"]) == 20
    assert found["a"][-1].high == 1.0


def test_few_whole_numbers_have_a_bin_each() -> None:
    found = counts(Histogram("T", [Distribution("a", [0, 0, 3])], "x"))
    assert found == {"a": [Bin(0.0, 1.0, 2), Bin(1.0, 2.0, 0), Bin(2.0, 3.0, 0), Bin(3.0, 4.0, 1)]}


def test_scores_of_0_and_1_end_at_1() -> None:
    # A step of 1/32, rounded up to 0.05: not a bin from 0 to 1 and one from 1 to 2.
    found = counts(Histogram("T", [Distribution("a", [0.0, 0.0]), Distribution("b", [1.0])], "x"))
    assert (found["a"][0], found["b"][-1]) == (Bin(0.0, 0.05, 2), Bin(0.95, 1.0, 1))


def test_what_lies_above_the_end_stands_in_the_last_bin() -> None:
    panel = Histogram("T", [Distribution("a", [0.5, 2.0, 7.25])], "x", most=3.0)
    assert [one.n for one in counts(panel)["a"] if one.n] == [1, 1, 1]
    assert counts(panel)["a"][-1].high == 3.0
    assert "x; the last bin also holds what is above 3" in texts(drawn(panel))
    assert "x" in texts(drawn(panel._replace(most=8.0)))


@pytest.mark.parametrize("numbers", [[], [math.nan], [0.0], [0.3] * 5, [-2.5], [1e-9, 2e-9], [1e6, -1e6]])
def test_nothing_one_number_and_far_ones(numbers: list[float]) -> None:
    panel = Histogram("T", [Distribution("a", numbers), Distribution("b", [])], "x", [Line(0.0, "zero")])
    for wide in (WIDE, NARROW):
        check(drawn(panel, wide=wide))
    n = sum(map(math.isfinite, numbers))
    assert sum(one.n for one in counts(panel).get("a", [])) == n
    if not n:
        assert "No sample has a number." in texts(drawn(panel))


def test_each_group_is_named_with_its_number_and_median() -> None:
    panel = Histogram("T", [Distribution("neg", [0.1, 0.2, 0.4]), Distribution("pos", [])], "x")
    written = texts(drawn(panel))
    assert {"neg", "n = 3, median 0.200", "pos", "n = 0"} <= set(written)
    assert panel.described() == "T (x): neg n = 3, median 0.200; pos n = 0."


@given(st.lists(st.lists(st.floats(-1e6, 1e6), max_size=12), max_size=12), st.sampled_from([WIDE, NARROW]))
def test_any_numbers_are_counted_once(numbers: list[list[float]], wide: int) -> None:
    panel = Histogram("T", [Distribution(f"g{n}", each) for n, each in enumerate(numbers)], "x")
    check(drawn(panel, wide=wide))
    found = counts(panel)
    assert {name: sum(one.n for one in of_group) for name, of_group in found.items()} == (
        {f"g{n}": len(each) for n, each in enumerate(numbers)} if any(numbers) else {}
    )


@given(st.lists(st.floats(0, 1), min_size=1))
def test_a_number_lies_in_its_bin(numbers: list[float]) -> None:
    made = bins(numbers, 0.0, 0.05, 20)
    for one in made:
        inside = [number for number in numbers if one.low - 1e-9 <= number < one.high + 1e-9]
        assert one.n <= len(inside)
    assert sum(one.n for one in made) == len(numbers)
