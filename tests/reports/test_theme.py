"""Colors are seen by everybody, on light and on dark."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from xml.etree import ElementTree

import pytest

from fairsum_utils.reports.html import as_html
from fairsum_utils.reports.tables import Shade, Table
from fairsum_utils.reports.theme import (
    DARK,
    HEIGHT,
    LIGHT,
    PATTERNS,
    STYLE,
    VALUES,
    WASHED,
    Stroke,
    colors_of,
    favicon,
    logo,
    mark_style,
    sheet,
    themes,
    variables,
    wash,
)
from tests.reports._contrast import contrast, linear, luminance, mixed, parts

VISIONS = {
    "all cones": [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    # Machado, Oliveira and Fernandes 2009, "A Physiologically-based Model for Simulation of Color Vision Deficiency",
    # severity 1, for linear RGB
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
}
both = pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])


def contrast_of(a: str, b: str) -> float:
    return contrast(parts(a), parts(b))


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


@both
def test_text_and_marks_are_seen(theme: Mapping[str, str]) -> None:
    for name in ("ink", "muted", "accent", "warning"):
        assert contrast_of(theme[name], theme["surface"]) >= 4.5
        assert contrast_of(theme[name], theme["raised"]) >= 4.5
    assert contrast_of(theme["on-accent"], theme["accent"]) >= 4.5
    for name in ("plus", "minus", *VALUES):
        assert contrast_of(theme[name], theme["surface"]) >= 3, name


@both
def test_what_is_marked_can_be_read_and_is_seen(theme: Mapping[str, str]) -> None:
    for name in WASHED:
        behind = wash(theme, name)
        assert contrast_of(theme["ink"], behind) >= 7, name
        assert math.dist(lab(linear(parts(behind))), lab(linear(parts(theme["surface"])))) > 4, name
    assert contrast_of(theme["warning"], wash(theme, "warning")) >= 4.5


@both
@pytest.mark.parametrize("vision", VISIONS)
def test_values_differ_in_every_color_vision(theme: Mapping[str, str], vision: str) -> None:
    seen = {
        name: lab(
            [
                min(max(sum(w * p for w, p in zip(row, linear(parts(theme[name])), strict=True)), 0), 1)
                for row in VISIONS[vision]
            ]
        )
        for name in (*VALUES, "plus", "minus")
    }
    for a, b in combinations(VALUES, 2):
        assert math.dist(seen[a], seen[b]) > 15, (a, b)
    assert math.dist(seen["plus"], seen["minus"]) > 30


def test_both_themes_name_the_same_colors() -> None:
    assert list(LIGHT) == list(DARK)
    for theme in (LIGHT, DARK):
        for name in ("surface", "ink", "muted", "grid", "accent", "plus", "minus", *VALUES):
            assert f"--fairsum-{name}:{theme[name]};" in STYLE
            assert f".f-{name}{{fill:var(--fairsum-{name})}}" in STYLE


def test_a_page_tells_its_drawings_the_theme() -> None:
    styles = themes("[a=b]", ".dark")
    assert styles == (
        f"[a=b],[a=b] .fairsum-drawing{{{variables(LIGHT)}}}.dark,.dark .fairsum-drawing{{{variables(DARK)}}}"
    )
    assert "--fairsum-v8:#9c7f97;" in styles
    assert f"--fairsum-v8-wash:{wash(DARK, 'v8')};" in styles


def test_too_many_values_share_one() -> None:
    assert set(colors_of(map(str, range(8))).values()) == set(VALUES)
    assert set(colors_of(map(str, range(9))).values()) == {"accent"}


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


def test_every_color_of_a_mark_has_a_pattern() -> None:
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


SHADES = [0.0, *(float(percent) for percent in re.findall(r"--fs-shade:([0-9.]+)%", sheet("tables.css")))]


@both
def test_ink_is_read_on_every_shade(theme: Mapping[str, str]) -> None:
    assert len(SHADES) == 11
    assert sorted(SHADES) == SHADES
    shades = [mixed(theme["accent"], theme["surface"], percent / 100) for percent in SHADES]
    assert all(contrast(parts(theme["ink"]), shade) >= 4.5 for shade in shades)
    strengths = list(map(luminance, shades))
    assert strengths in (sorted(strengths), sorted(strengths, reverse=True))


@pytest.mark.parametrize(("share", "level"), [(0.0, 0), (0.04, 0), (0.06, 1), (0.83, 8), (0.97, 10), (1.0, 10)])
def test_every_share_has_a_shade(share: float, level: int) -> None:
    assert Shade(share).level == level


def test_tables_have_styles_and_touch_nothing_else() -> None:
    shown = as_html([Table(["value", "n", "s"], [["a", 0.5, Shade(0.5)]])], sortable=True)
    classes = {name for names in re.findall(r'class="([^"]+)"', shown) for name in names.split()}
    assert classes >= {"fs-table", "fs-number", "fs-shade-5"}
    assert not [name for name in classes if f".{name}" not in sheet("tables.css")]
    selectors = [one for line in sheet("tables.css").split("}") for one in line.split("{")[0].split(",")]
    assert all(one.strip().startswith((".fs-", ".fairsum-results")) for one in selectors if one.strip())
    assert f"var(--fairsum-accent,{LIGHT['accent']})" in sheet("tables.css")


def test_one_color_and_nothing_to_fetch() -> None:
    for svg, colors in ((logo(), {"currentColor"}), (favicon(), {LIGHT["accent"], DARK["accent"]})):
        ElementTree.fromstring(svg)
        assert set(re.findall(r'fill[=:]"?([^"};]+)', svg)) == colors
        assert set(re.findall(r"[a-z]+://[^\"']+", svg)) == {"http://www.w3.org/2000/svg"}
