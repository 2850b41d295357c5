"""Distributions of groups, one below the other on a common axis, in bins that a script can find."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median
from typing import NamedTuple

from fairsum_utils.reports.drawings import axis, svg
from fairsum_utils.reports.drawings.axis import Line, Scale, rounded_step
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.drawings.svg import EDGE, clean, dozen, shortened, shown, width
from fairsum_utils.reports.theme import BODY, SMALL

_MOST = 32
"""Bins between the smallest and the largest number."""
_HEIGHTS = {4: 72, 8: 52}
"""Number of groups up to which a distribution has so many pixels."""
_LOW = 30
"""Pixels of one of more."""
_AXIS = 46
"""Pixels of the numbers of the upright axis."""


class Bin(NamedTuple):
    """A stretch of numbers, and how many there are in it: from the low end to below the high one."""

    low: float
    high: float  # belongs to the next bin, except the last one
    n: int


class Distribution(NamedTuple):
    """The numbers of a group."""

    name: str
    numbers: Sequence[float]  # one a sample; those that are not finite are left out
    colour: str = "accent"  # a name of the palette


class Histogram(NamedTuple):
    """Distributions on a common axis, each in fractions of its own numbers."""

    title: str
    groups: Sequence[Distribution]
    axis: str  # what the numbers are, and which direction is fairer
    lines: Sequence[Line] = ()
    notes: Sequence[str] = ()
    most: float | None = None  # larger numbers stand in the last bin; None for no such end

    def draw(self, body: list[str], y: float, wide: float, beside: Sequence[Form]) -> float:
        """Draw it, see `fairsum_utils.reports.drawings.sheet.Form`."""
        y = axis.heading(body, self.title, y, wide)
        finite = [self._finite(group) for group in self.groups]
        if not any(finite):
            return svg.paragraph(body, y, "No sample has a number.", wide)
        low, step, n = _edges([number for numbers in finite for number in numbers])
        counted = [bins(numbers, low, step, n) for numbers in finite]
        shares = [
            each.n / max(len(numbers), 1)
            for of_group, numbers in zip(counted, finite, strict=True)
            for each in of_group
        ]
        ends = [low, counted[0][-1].high, *(line.number for line in self.lines)]
        scale = Scale.over(ends, EDGE + _AXIS, wide - EDGE - _AXIS / 3, apart=64)
        high = next((pixels for n, pixels in _HEIGHTS.items() if len(self.groups) <= n), _LOW)
        top = y = axis.captions(body, scale, self.lines, y + 8, wide)
        most = max(shares)
        names: list[str] = []  # above the lines to compare with
        for group, numbers, of_group in zip(self.groups, finite, counted, strict=True):
            y = self._label(names, group, numbers, y, wide)
            upright = Scale.over([0.0, most], y + high, y, apart=high // 4)
            _upright(body, upright, scale)
            _bars(body, group, of_group, len(numbers), scale, upright)
            if numbers:
                x = scale.at(min(median(numbers), of_group[-1].high))
                body.append(svg.line(x, upright.left, x, upright.left - 12, "surface", broad=5))
                body.append(svg.line(x, upright.left, x, upright.left - 12, "ink", broad=2))
            y += high + 8
        y -= 8
        axis.references(body, scale, self.lines, top, y)
        body += names
        y = axis.ticks(body, scale, y)
        last = f"; the last bin also holds what is above {self.most:g}" if self._is_cut() else ""
        sides = "Upright: fraction of the group's samples. The upright mark: their median."
        return svg.paragraphs(body, y, (f"{self.axis}{last}", sides, *self.notes), wide, apart=2)

    def told(self) -> str:
        """Number and median of each group, at most a dozen."""
        said = [f"{group.name} {_said(self._finite(group))}" for group in self.groups]
        return f"{self.title} ({self.axis}): {dozen(said, '; ') or 'no numbers'}."

    @property
    def _end(self) -> float:
        return math.inf if self.most is None else self.most

    def _finite(self, group: Distribution) -> list[float]:
        return [min(number, self._end) for number in group.numbers if math.isfinite(number)]

    def _is_cut(self) -> bool:
        return any(self._end < number < math.inf for group in self.groups for number in group.numbers)

    def _label(self, body: list[str], group: Distribution, numbers: Sequence[float], y: float, wide: float) -> float:
        """The name of a group and its number of samples, above its distribution."""
        y += BODY + 2
        said = _said(numbers)
        name = shortened(clean(group.name), BODY * svg.BOLDER, wide - 2 * EDGE - width(said, SMALL) - 12)
        body.append(svg.text(EDGE, y, name, BODY, bold=True, rim=True))
        body.append(svg.text(wide - EDGE, y, said, SMALL, colour="muted", anchor="end", rim=True))
        return y + 12


def bins(numbers: Iterable[float], low: float, step: float, n: int) -> list[Bin]:
    """Count numbers in bins of one width.

    Example:
        >>> bins([0.0, 0.1, 0.5], 0.0, 0.25, 2)
        [Bin(low=0.0, high=0.25, n=2), Bin(low=0.25, high=0.5, n=1)]
    """
    # A number that is an edge but for rounding belongs to the bin that begins there.
    counts = Counter(min(math.floor((number - low) / step + 1e-9), n - 1) for number in numbers)
    edges = [float(f"{low + place * step:.12g}") for place in range(n + 1)]
    return [Bin(edges[place], edges[place + 1], counts[place]) for place in range(n)]


def _edges(numbers: Sequence[float]) -> tuple[float, float, int]:
    """The lowest end, the width and the number of bins: of round width, or one for each of few whole numbers."""
    least, most = min(numbers), max(numbers)
    # Scores that are all 0 or 1 are no counts: bins as wide as the whole range would tell nothing.
    if all(number == int(number) for number in numbers) and most - least != 1 and most - least < _MOST:
        return least, 1.0, int(most - least) + 1
    if least == most:
        least, most = min(least, 0.0), max(most, 0.0)
    step = rounded_step((most - least) / _MOST)
    first, last = math.floor(least / step + 1e-9), math.ceil(most / step - 1e-9)
    return float(f"{first * step:.12g}"), step, max(last - first, 1)


def _bars(body: list[str], group: Distribution, of_group: Sequence[Bin], n: int, scale: Scale, upright: Scale) -> None:
    name = clean(group.name)
    for low, high, n_here in of_group:
        data = svg.data(name=name, low=low, high=high, count=n_here)
        share = n_here / max(n, 1)
        said = f"{name}, {low:g} to {high:g}: {n_here:,} ({100 * share:.1f} %)"
        left, right = scale.at(low), scale.at(high)
        body.append(f'<g class="bin"{data}>{svg.titled(said)}')
        body.append(svg.area(left, upright.right, right - left, upright.left - upright.right))
        if n_here:
            top = min(upright.at(share), upright.left - 1.5)
            body.append(svg.rect(left + 0.5, top, max(right - left - 1, 1), upright.left - top, group.colour))
        body.append("</g>")


def _upright(body: list[str], upright: Scale, scale: Scale) -> None:
    """The ends of the upright axis."""
    for number, colour in ((upright.high, "grid"), (upright.low, "muted")):
        y = upright.at(number)
        body.append(svg.line(scale.left, y, scale.right, y, colour))
        words = f"{100 * number:.3g} %"
        body.append(svg.text(scale.left - 6, y + 4, words, SMALL, colour="muted", anchor="end"))


def _said(numbers: Sequence[float]) -> str:
    return f"n = {len(numbers):,}, median {shown(median(numbers))}" if numbers else "n = 0"
