"""Axis of a panel: the scale from numbers to pixels, the grid, ticks, and lines to compare with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from fairsum_utils.reports.drawings import svg
from fairsum_utils.reports.drawings.svg import EDGE, clean, shortened, width, wrapped
from fairsum_utils.reports.theme import HEAD, SMALL


class Line(NamedTuple):
    """A number that all rows are to be compared with."""

    number: float
    text: str


def heading(body: list[str], title: str, y: float, wide: float) -> float:
    """Write the title of a panel below `y`; returns where it ends."""
    for words in wrapped(clean(title), HEAD * svg.BOLDER, wide - 2 * EDGE, 2):
        y += HEAD + 3
        body.append(svg.text(EDGE, y, words, HEAD, bold=True))
    return y


def captions(body: list[str], scale: Scale, lines: Sequence[Line], y: float, wide: float) -> float:
    """Write what lines are above them, below each other where they would touch; returns where the panel goes on."""
    taken: list[list[tuple[float, float]]] = []
    for line in lines:
        words = shortened(clean(line.text), SMALL, wide - 2 * EDGE)
        half = width(words, SMALL) / 2
        x = min(max(scale.at(line.number), EDGE + half), wide - EDGE - half)
        span = (x - half - 6, x + half + 6)
        level = next(
            (n for n, spans in enumerate(taken) if all(span[1] <= a or b <= span[0] for a, b in spans)), len(taken)
        )
        if level == len(taken):
            taken.append([])
        taken[level].append(span)
        at = y + (level + 1) * (SMALL + 3)
        body.append(svg.text(round(x, 2), at, words, SMALL, colour="muted", anchor="middle"))
    return y + len(taken) * (SMALL + 3) + (5 if taken else 0)


def grid(body: list[str], scale: Scale, top: float, bottom: float, base: float | None = None) -> None:
    """Draw a line at each tick, and a stronger one at the base, which is on the scale."""
    for number, _ in scale.ticks():
        body.append(svg.line(scale.at(number), top, scale.at(number), bottom, "grid"))
    if base is not None and base < scale.high:
        body.append(svg.line(scale.at(base), top, scale.at(base), bottom, "muted"))


def references(body: list[str], scale: Scale, lines: Sequence[Line], top: float, bottom: float) -> None:
    """Draw the lines to compare with."""
    for line in lines:
        body.append(svg.line(scale.at(line.number), top - 3, scale.at(line.number), bottom, "ink", dashed=True))


def ticks(body: list[str], scale: Scale, bottom: float, written: Sequence[tuple[float, str]] | None = None) -> float:
    """Draw the axis with its numbers, those of the scale by default; returns where these end."""
    body.append(svg.line(scale.left, bottom, scale.right, bottom, "muted"))
    y = bottom + SMALL + 4
    for number, words in scale.ticks() if written is None else written:
        body.append(svg.text(scale.at(number), y, words, SMALL, colour="muted", anchor="middle"))
    return y


def upright(body: list[str], scale: Scale, left: float, right: float) -> None:
    """Draw an upright axis: a line across at each tick, and its number at the left end."""
    for number, words in scale.ticks():
        y = scale.at(number)
        body.append(svg.line(left, y, right, y, "muted" if number == scale.low else "grid"))
        body.append(svg.text(left - 6, y + 4, words, SMALL, colour="muted", anchor="end"))


_ROUND = (1, 2, 2.5, 5, 10)
"""Steps between ticks, times a power of ten."""
_DIGITS = 5
"""Before or after the point; what has more is written with a power of ten."""


_SMALL = 1e-12
"""Numbers that differ by no more than this share of their size are one, and have the size of this at least."""


def rounded_step(least: float) -> float:
    """The smallest round number that is not below a number above 0.

    Example:
        >>> rounded_step(0.037), rounded_step(0.21)
        (0.05, 0.25)
    """
    power = 10.0 ** math.floor(math.log10(least))
    return next(round_ * power for round_ in _ROUND if round_ * power >= least * (1 - 1e-9))


class Scale(NamedTuple):
    """A linear scale."""

    low: float  # number at its left end, a tick
    high: float  # number at its right end, a tick
    step: float
    left: float  # pixel of the left end, or of the lower one
    right: float  # pixel of the right end, or of the upper one

    @classmethod
    def over(cls, numbers: Sequence[float], left: float, right: float, apart: float = 80) -> Scale:
        """The scale with round ends that holds all these numbers.

        Example:
            >>> Scale.over([0.0, 0.37], 0, 320)
            Scale(low=0.0, high=0.4, step=0.1, left=0, right=320)
        """
        least, most = min(numbers), max(numbers)
        size = max(abs(least), abs(most), _SMALL)
        if most - least <= _SMALL * size:  # rounding, or too little for a step
            most = least + max(1.0, 1e-3 * size)
        step = rounded_step((most - least) / max(abs(right - left) // apart, 1))
        first, last = math.floor(least / step + 1e-9), math.ceil(most / step - 1e-9)
        return cls(_tick(first, step), _tick(last, step), step, left, right)

    @classmethod
    def around(cls, base: float, numbers: Sequence[float], left: float, right: float, *, even: bool) -> Scale:
        """The scale that holds the base and these numbers; if even, as far on both sides of the base."""
        held = [base, *numbers]
        if even:
            furthest = max(abs(number - base) for number in held) or 1.0
            held += [base - furthest, base + furthest]
        return cls.over(held, left, right, apart=64)

    def at(self, number: float) -> float:
        """The pixel of a number, to a hundredth."""
        share = (number - self.low) / (self.high - self.low)
        return round(self.left + share * (self.right - self.left), 2)

    def ticks(self) -> list[tuple[float, str]]:
        """The numbers that have a tick, and how they are written.

        Example:
            >>> [text for _, text in Scale(-1.0, 1.0, 0.5, 0, 100).ticks()]
            ['−1.0', '−0.5', '0.0', '0.5', '1.0']
        """
        digits = next((n for n in range(9) if math.isclose(round(self.step, n), self.step, rel_tol=1e-9)), 9)
        first, last = round(self.low / self.step), round(self.high / self.step)
        numbers = [_tick(place, self.step) for place in range(first, last + 1)]
        written = [f"{number:.{digits}f}" for number in numbers]
        if digits > _DIGITS or max(map(abs, (self.low, self.high))) >= 10**_DIGITS:
            precisions = ([f"{number:.{n}g}" for number in numbers] for n in range(1, 18))
            powers = next(words for words in precisions if [*map(float, words)] == numbers)
            written = min(written, powers, key=lambda words: max(map(len, words)))
        return [(number, words.replace("-", "−")) for number, words in zip(numbers, written, strict=True)]


def _tick(place: int, step: float) -> float:
    return float(f"{place * step:.12g}")
