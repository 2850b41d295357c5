"""Numbers on shaded cells can be read, on light and on dark."""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise

import pytest

from fairsum_utils.reports.palette import DARK, LIGHT
from fairsum_utils.reports.shades import SHADES, STRONGEST
from fairsum_utils.reports.styles import TABLES
from fairsum_utils.reports.tables import Shade


def luminance(rgb: list[float]) -> float:
    """Of WCAG 2.2, from sRGB in [0, 1]."""
    parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), parts, strict=True))


def mixed(colour: str, other: str, percent: float) -> list[float]:
    """What CSS makes of color-mix(in srgb, colour percent, other)."""
    pairs = ((int(colour[place : place + 2], 16), int(other[place : place + 2], 16)) for place in (1, 3, 5))
    return [(a * percent + b * (100 - percent)) / 25500 for a, b in pairs]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_ink_is_read_on_every_shade(theme: Mapping[str, str]) -> None:
    ink = luminance(mixed(theme["ink"], theme["ink"], 100))
    shades = [luminance(mixed(theme["accent"], theme["surface"], STRONGEST * level / 10)) for level in range(11)]
    for shade in shades:
        low, high = sorted((ink, shade))
        assert (high + 0.05) / (low + 0.05) >= 4.5
    steps = [abs(b - a) for a, b in pairwise(shades)]
    assert min(steps) > 0  # each is told from the next
    assert shades in (sorted(shades), sorted(shades, reverse=True))


@pytest.mark.parametrize(("share", "level"), [(0.0, 0), (0.04, 0), (0.06, 1), (0.83, 8), (0.97, 10), (1.0, 10)])
def test_every_share_has_a_shade(share: float, level: int) -> None:
    assert Shade(share).level == level
    assert f".fs-shade-{level}{{" in SHADES


def test_tables_have_them_wherever_they_are_shown() -> None:
    assert SHADES in TABLES


def test_strengths() -> None:
    assert [float(percent) for percent in re.findall(r"\) ([0-9.]+)%", SHADES)] == [
        STRONGEST * level / 10 for level in range(11)
    ]
