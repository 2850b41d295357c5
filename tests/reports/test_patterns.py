"""Patterns are told apart without any colour, and a mark is a background of CSS."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from fairsum_utils.reports.palette import LIGHT, VALUES, WASHED
from fairsum_utils.reports.patterns import HEIGHT, PATTERNS, Stroke, mark_style


def drawn(name: str, wide: int) -> list[list[bool]]:
    """The pixels of a pattern, by column."""

    def covers(stroke: Stroke, x: int, y: int) -> bool:
        if not stroke.rise <= y < stroke.rise + stroke.thick:
            return False
        place = (x - stroke.shift) % (sum(stroke.dashes) or 1)
        for index, pixels in enumerate(stroke.dashes):
            if place < pixels:
                return index % 2 == 0
            place -= pixels
        return True

    return [[any(covers(stroke, x, y) for stroke in PATTERNS[name]) for y in range(HEIGHT)] for x in range(wide)]


def test_every_colour_of_a_mark_has_a_pattern() -> None:
    assert set(PATTERNS) == set(WASHED) - {"warning"}
    assert set(PATTERNS) <= set(LIGHT)


@pytest.mark.parametrize(("a", "b"), combinations((*VALUES, "muted"), 2))
def test_values_differ_in_greyscale(a: str, b: str) -> None:
    first, second = drawn(a, 60), drawn(b, 60)
    differing = min(
        sum(p != q for x in range(60) for p, q in zip(first[x], second[(x + shift) % 60], strict=True))
        for shift in range(60)
    )
    # Of 240 pixels; dashes and dashes with dots are the closest.
    assert differing >= 16


def test_patterns_stay_within_their_height() -> None:
    for strokes in PATTERNS.values():
        assert all(stroke.rise + stroke.thick <= HEIGHT for stroke in strokes)
        assert all(len(stroke.dashes) % 2 == 0 for stroke in strokes)


def test_layers_of_dashes() -> None:
    assert mark_style(["v2"]).startswith(
        "background:linear-gradient(90deg,var(--fairsum-v2) 0px 7px,#0000 7px 11px) 0px 100%/11px 2px repeat-x,"
        "var(--fairsum-v2-wash);padding-bottom:3px;"
    )


def test_patterns_of_several_values_stand_below_each_other() -> None:
    style = mark_style(["v1", "v6", "v3"])
    feet = re.findall(r"var\(--fairsum-(v\d)\) (?:0 0|0px 2px,[^)]*)\) 0px (100%|calc\(100% - (\d+)px\))/", style)
    assert [(name, int(rise or 0)) for name, _, rise in feet] == [("v1", 10), ("v6", 5), ("v3", 0)]
    assert (
        "repeating-linear-gradient(135deg,var(--fairsum-v1-wash) 0px 5px,var(--fairsum-v6-wash) 5px 10px,"
        "var(--fairsum-v3-wash) 10px 15px)"
    ) in style
    assert "padding-bottom:13px" in style


def test_more_values_than_there_is_room_for_have_a_bar() -> None:
    style = mark_style(["v1", "v2", "v3", "v4"])
    assert "linear-gradient(var(--fairsum-ink) 0 0) 0px 100%/100% 4px" in style
    assert all(f"var(--fairsum-v{n}-wash)" in style for n in range(1, 5))
    assert "padding-bottom:3px" in style
