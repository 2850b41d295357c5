"""Colours are seen by everybody, on light and on dark."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations

import pytest

from fairsum_utils.reports.palette import (
    DARK,
    LIGHT,
    STYLE,
    VALUES,
    WASHED,
    colours_of,
    themes,
    variables,
    wash,
)

VISIONS = {
    "all cones": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    # Machado, Oliveira and Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
    # severity 1, for linear RGB
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
both = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def linear(colour: str) -> list[float]:
    """Linear RGB of sRGB (IEC 61966-2-1)."""
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]


def contrast(a: str, b: str) -> float:
    """WCAG 2.2."""
    light = sorted(sum(w * part for w, part in zip((0.2126, 0.7152, 0.0722), linear(c), strict=True)) for c in (a, b))
    return (light[1] + 0.05) / (light[0] + 0.05)


def lab(rgb: Sequence[float]) -> tuple[float, float, float]:
    """CIELAB under D65."""
    r, g, b = rgb
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_contrast_of_black_on_white_is_21() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@both
def test_text_and_marks_are_seen(theme: Mapping[str, str]) -> None:
    for name in ("ink", "muted", "accent", "warning"):
        assert contrast(theme[name], theme["surface"]) >= 4.5
        assert contrast(theme[name], theme["raised"]) >= 4.5
    assert contrast(theme["on-accent"], theme["accent"]) >= 4.5
    for name in ("plus", "minus", *VALUES):
        assert contrast(theme[name], theme["surface"]) >= 3, name


@both
def test_what_is_marked_can_be_read_and_is_seen(theme: Mapping[str, str]) -> None:
    for name in WASHED:
        behind = wash(theme, name)
        assert contrast(theme["ink"], behind) >= 7, name
        assert math.dist(lab(linear(behind)), lab(linear(theme["surface"]))) > 4, name
    assert contrast(theme["warning"], wash(theme, "warning")) >= 4.5


def test_a_wash_is_a_mean_of_two_colours() -> None:
    # 0.16 of black, and 0.84 of white: 214.2 in each channel, which is d6.
    assert wash({"surface": "#ffffff", "x": "#000000"}, "x") == "#d6d6d6"


@both
@pytest.mark.parametrize("vision", VISIONS)
def test_values_differ_in_every_colour_vision(theme: Mapping[str, str], vision: str) -> None:
    seen = {
        name: lab(
            [
                min(max(sum(w * p for w, p in zip(row, linear(theme[name]), strict=True)), 0), 1)
                for row in VISIONS[vision]
            ]
        )
        for name in (*VALUES, "plus", "minus")
    }
    for a, b in combinations(VALUES, 2):
        assert math.dist(seen[a], seen[b]) > 15, (a, b)
    assert math.dist(seen["plus"], seen["minus"]) > 30


def test_both_themes_name_the_same_colours() -> None:
    assert list(LIGHT) == list(DARK)
    for theme in (LIGHT, DARK):
        for name in ("surface", "ink", "muted", "grid", "accent", "plus", "minus", *VALUES):
            assert f"--fairsum-{name}:{theme[name]};" in STYLE
            assert f".f-{name}{{fill:var(--fairsum-{name})}}" in STYLE


def test_a_page_tells_its_drawings_the_theme() -> None:
    sheet = themes("[a=b]", ".dark")
    assert sheet == (
        f"[a=b],[a=b] .fairsum-drawing{{{variables(LIGHT)}}}.dark,.dark .fairsum-drawing{{{variables(DARK)}}}"
    )
    assert "--fairsum-v8:#9c7f97;" in sheet
    assert f"--fairsum-v8-wash:{wash(DARK, 'v8')};" in sheet


def test_the_colour_of_a_value_does_not_depend_on_their_order() -> None:
    assert colours_of(["b", "a", "c"]) == colours_of(["c", "b", "a", "a"]) == {"a": "v1", "b": "v2", "c": "v3"}


def test_too_many_values_share_one() -> None:
    assert set(colours_of(map(str, range(8))).values()) == set(VALUES)
    assert set(colours_of(map(str, range(9))).values()) == {"accent"}
