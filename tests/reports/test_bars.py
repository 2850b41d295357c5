"""Groups of bars by hand: each from the base to its number or filled by its parts, told apart without colours."""

from __future__ import annotations

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.reports.panels import HATCHINGS, Bars, Columns, Group, Part, distinct_parts
from tests.reports._forms import NARROW, SVG, WIDE, check, drawn, groups, texts

PARTS = [Part("positive", "v3"), Part("neutral", "grid"), Part("negative", "v4", "rising")]


def test_parts_by_hand() -> None:
    root = drawn(Bars("T", PARTS, [Group("a", [0.5, 0.25, 0.25], "n = 4")], "x", filled=True))
    parts = list(groups(root, "part"))
    assert [(part.get("data-label"), part.get("data-name"), part.get("data-number")) for part in parts] == [
        ("a", "positive", "0.5"),
        ("a", "neutral", "0.25"),
        ("a", "negative", "0.25"),
    ]
    blocks = [next(part.iter(f"{SVG}rect")) for part in parts]
    lefts, wides = ([float(block.get(name, "")) for block in blocks] for name in ("x", "width"))
    # Each ends a pixel before the next one begins.
    assert lefts[1] - lefts[0] == pytest.approx(wides[0] + 1)
    assert wides[0] + 1 == pytest.approx(2 * (wides[1] + 1), abs=0.05)
    assert texts(root).count("25%") == 2
    assert {"50%", "n = 4", "positive", "negative"} <= set(texts(root))


def test_an_empty_group_has_no_bar() -> None:
    panel = Bars("T", PARTS, [Group("a", [math.nan] * 3)], "x", filled=True)
    assert not list(groups(drawn(panel), "part"))
    assert "a: positive undefined" in panel.described()


@pytest.mark.parametrize("filled", [False, True])
def test_a_group_without_numbers_is_a_heading(filled: bool) -> None:
    made = [Group("men"), Group("a", [0.5, 0.5, 0.0]), Group("women"), Group("b", [1.0, 0, 0])]
    panel = Bars("T", PARTS, made, "x", filled)
    root = drawn(panel)
    kind = "part" if filled else "bar"
    assert {part.get("data-label") for part in groups(root, kind)} == {"a", "b"}
    assert {"men", "women"} <= set(texts(root))
    assert "men:" not in panel.described()
    check(root)


@given(st.lists(st.lists(st.integers(0, 50), min_size=3, max_size=3), max_size=8), st.sampled_from([WIDE, NARROW]))
def test_any_counts_fill_a_bar(counts: list[list[int]], wide: int) -> None:
    made = [
        Group(f"g{place}", [n / sum(of_group) if sum(of_group) else math.nan for n in of_group], "n")
        for place, of_group in enumerate(counts)
    ]
    check(drawn(Bars("T", PARTS, made, "x", filled=True), wide=wide))


SYSTEMS = [Part("Wikipedia", "v1"), Part("GPT-2", "v2", "rising")]


def test_bars_by_hand() -> None:
    panel = Bars("T", SYSTEMS, [Group("writing", [0.5, -0.25], "n = 4"), Group("art", [0.0, math.nan])], "x", even=True)
    root = drawn(panel)
    bars = list(groups(root, "bar"))
    assert [(bar.get("data-label"), bar.get("data-name"), bar.get("data-number")) for bar in bars] == [
        ("writing", "Wikipedia", "0.5"),
        ("writing", "GPT-2", "-0.25"),
        ("art", "Wikipedia", "0.0"),
        ("art", "GPT-2", "nan"),
    ]
    first, second, third = (next(bar.iter(f"{SVG}rect")) for bar in bars[:3])
    x, wide = ([float(each.get(name, "")) for each in (first, second, third)] for name in ("x", "width"))
    # To the right of the base and to the left of it, half as long; a number at the base is a thin line.
    assert wide[0] == pytest.approx(2 * wide[1], abs=0.05)
    assert x[0] == pytest.approx(x[1] + wide[1], abs=0.05) == x[2]
    assert wide[2] == 1.5
    assert list(bars[3].iter(f"{SVG}rect")) == []
    tops = [float(each.get("y", "")) for each in (first, second)]
    assert tops[1] - tops[0] == 9
    assert {"writing", "art", "n = 4", "Wikipedia", "GPT-2", "−0.6", "0.6"} <= set(texts(root))
    assert panel.described() == "T (x): writing: Wikipedia 0.500, GPT-2 −0.250; art: Wikipedia 0.000, GPT-2 undefined."


@given(
    st.lists(st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=2), max_size=6),
    st.booleans(),
    st.sampled_from([WIDE, NARROW]),
)
def test_any_numbers_have_their_bars(numbers: list[list[float]], even: bool, wide: int) -> None:
    made = [Group(f"g{place}", each, "n") for place, each in enumerate(numbers)]
    check(drawn(Bars("T", SYSTEMS, made, "x", even=even), wide=wide))


@given(
    st.sampled_from(sorted(HATCHINGS)),
    st.tuples(st.floats(0, 600), st.floats(0, 600), st.floats(0.5, 600), st.just(20.0)),
)
def test_hatchings_stay_in_their_rectangle(name: str, area: tuple[float, float, float, float]) -> None:
    x, y, wide, high = area
    way = HATCHINGS[name](*area)
    assert bool(way) or name in ("", "upright") or wide < 4
    for kind, one, other in re.findall(r"([ML])([\d.e-]+) ([\d.e-]+)", way):
        assert x - 0.1 <= float(one) <= x + wide + 0.1, kind
        assert y - 0.1 <= float(other) <= y + high + 0.1, kind


def test_many_parts_differ() -> None:
    parts = distinct_parts([str(n) for n in range(20)])
    assert len({(part.colour, part.hatching) for part in parts}) == 20


def test_names_stand_above_where_they_have_no_room() -> None:
    long = [("a name that is long", "", "n = 4")]
    wide, narrow = (Columns.over(long, pixels) for pixels in (WIDE, NARROW))
    assert wide.above == 0 < narrow.above
    assert narrow.left < wide.left
    assert 0 < wide.right < WIDE
