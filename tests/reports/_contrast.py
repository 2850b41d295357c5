"""Contrast of colors, as WCAG 2.2 defines it."""

from __future__ import annotations

from collections.abc import Sequence


def parts(color: str) -> list[float]:
    """sRGB from 0 to 1."""
    return [int(color[place : place + 2], 16) / 255 for place in (1, 3, 5)]


def linear(rgb: Sequence[float]) -> list[float]:
    """Linear RGB of sRGB (IEC 61966-2-1)."""
    return [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb]


def luminance(rgb: Sequence[float]) -> float:
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear(rgb), strict=True))


def mixed(color: str, other: str, share: float) -> list[float]:
    """A share of a color over another one."""
    return [share * over + (1 - share) * below for over, below in zip(parts(color), parts(other), strict=True)]


def contrast(a: Sequence[float], b: Sequence[float]) -> float:
    dark, light = sorted(map(luminance, (a, b)))
    return (light + 0.05) / (dark + 0.05)
