"""Groups with a bar for each of several things, such as systems, beside each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from fairsum_utils.reports.drawings import axis, svg
from fairsum_utils.reports.drawings.axis import Scale
from fairsum_utils.reports.drawings.legend import Group, Names, Part, block, legend
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.drawings.svg import clean, dozen, shown

_HIGH = 9
"""Pixels of a bar."""
_BETWEEN = 10
"""Pixels between two groups, and the least height of their names."""


class Grouped(NamedTuple):
    """Groups below each other, the bars of each together.

    Attributes:
        title: above them.
        parts: what the bars of each group are, from top to bottom.
        groups: from top to bottom, with a number for each part.
        axis: what the numbers are.
        base: where bars begin; always on the axis.
        even: whether both sides of the base are of one length.
        notes: sentences below.
    """

    title: str
    parts: Sequence[Part]
    groups: Sequence[Group]
    axis: str
    base: float = 0.0
    even: bool = False
    notes: Sequence[str] = ()

    def draw(self, body: list[str], y: float, wide: float, beside: Sequence[Form]) -> float:
        """Draw it, see `fairsum_utils.reports.drawings.sheet.Form`."""
        y = axis.heading(body, self.title, y, wide)
        y = legend(body, self.parts, y, wide)
        names = Names.of(self.groups, wide)
        scale = self._scale(names)
        highs = [max(_HIGH * len(group.numbers), _BETWEEN) + _BETWEEN for group in self.groups]
        above = [names.above if group.numbers else 0 for group in self.groups]
        edges = [*accumulate(map(sum, zip(highs, above, strict=True)), initial=y)]
        axis.grid(body, scale, y, edges[-1], self.base)
        for group, high, (start, end) in zip(self.groups, highs, pairwise(edges), strict=True):
            names.write(body, group, start, end - high / 2)
            self._bars(body, group, scale, end - high / 2 - _HIGH * len(group.numbers) / 2)
        y = axis.ticks(body, scale, edges[-1])
        for sentence in (self.axis, *self.notes):
            y = svg.paragraph(body, y + 2, sentence, wide)
        return y

    def told(self) -> str:
        """The numbers of each group, at most a dozen."""
        said = [
            f"{group.name}: "
            + ", ".join(f"{part.name} {shown(number)}" for part, number in zip(self.parts, group.numbers, strict=True))
            for group in self.groups
            if group.numbers
        ]
        return f"{self.title} ({self.axis}): {dozen(said, '; ')}."

    def _scale(self, names: Names) -> Scale:
        numbers = [number for group in self.groups for number in group.numbers if math.isfinite(number)]
        numbers.append(self.base)
        if self.even:
            furthest = max(abs(number - self.base) for number in numbers) or 1.0
            numbers += [self.base - furthest, self.base + furthest]
        return Scale.over(numbers, names.left, names.right, apart=64)

    def _bars(self, body: list[str], group: Group, scale: Scale, y: float) -> None:
        base, name = scale.at(self.base), clean(group.name)
        for place, (part, number) in enumerate(zip(self.parts, group.numbers, strict=False)):
            data = svg.data(label=name, name=clean(part.name), number=number)
            body.append(f'<g class="bar"{data}>{svg.titled(f"{name}, {clean(part.name)}: {shown(number)}")}')
            if math.isfinite(number):
                x = scale.at(number)
                # A number that is the base is a thin line, unlike one that is undefined.
                block(body, part, min(x, base), y + place * _HIGH, max(abs(x - base), 1.5) + 1, _HIGH - 1)
            body.append("</g>")
