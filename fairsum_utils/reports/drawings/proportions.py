"""What groups consist of: bars of one length whose parts have colours, hatchings and one order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from fairsum_utils.reports.drawings import axis, svg
from fairsum_utils.reports.drawings.axis import Scale
from fairsum_utils.reports.drawings.legend import Group, Names, Part, block, legend
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.drawings.svg import clean, dozen, width
from fairsum_utils.reports.theme import SMALL

_HIGH = 28
"""Pixels of a row."""


class Proportions(NamedTuple):
    """Bars below each other.

    Attributes:
        title: above them.
        parts: from left to right.
        groups: from top to bottom; their numbers add up to 1, unless the group is empty or something of it is of no
            part.
        axis: what the bars are of.
        notes: sentences below.
    """

    title: str
    parts: Sequence[Part]
    groups: Sequence[Group]
    axis: str
    notes: Sequence[str] = ()

    def draw(self, body: list[str], y: float, wide: float, beside: Sequence[Form]) -> float:
        """Draw it, see `fairsum_utils.reports.drawings.sheet.Form`."""
        y = axis.heading(body, self.title, y, wide)
        y = legend(body, self.parts, y, wide)
        names = Names.of(self.groups, wide)
        scale = Scale(0.0, 1.0, 0.25, names.left, names.right)
        edges = [*accumulate((_HIGH + (names.above if group.numbers else 0) for group in self.groups), initial=y)]
        axis.grid(body, scale, y, edges[-1])
        for group, (start, end) in zip(self.groups, pairwise(edges), strict=True):
            names.write(body, group, start, end - _HIGH / 2)
            self._bar(body, group, scale, end - _HIGH / 2)
        y = edges[-1]
        body.append(svg.line(names.left, y, names.right, y, "muted"))
        y += SMALL + 4
        for number, words in ((0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %")):
            body.append(svg.text(scale.at(number), y, words, SMALL, colour="muted", anchor="middle"))
        for sentence in (self.axis, *self.notes):
            y = svg.paragraph(body, y + 2, sentence, wide)
        return y

    def told(self) -> str:
        """The parts of each group, at most a dozen."""
        said = [
            f"{group.name}: {', '.join(f'{part.name} {_percent(share)}' for part, share in self._shares(group))}"
            for group in self.groups
            if group.numbers
        ]
        return f"{self.title} ({self.axis}): {dozen(said, '; ')}."

    def _shares(self, group: Group) -> list[tuple[Part, float]]:
        return list(zip(self.parts, group.numbers, strict=True)) if group.numbers else []

    def _bar(self, body: list[str], group: Group, scale: Scale, y: float) -> None:
        start = 0.0
        name = clean(group.name)
        for part, share in self._shares(group):
            if not math.isfinite(share):
                continue
            left, right = scale.at(start), scale.at(min(start + share, 1.0))
            start += share
            data = svg.data(label=name, name=clean(part.name), number=share)
            said = f"{name}, {clean(part.name)}: {_percent(share)}"
            body.append(f'<g class="part"{data}>{svg.titled(said)}')
            if right > left:
                block(body, part, left, y - 10, right - left, 20)
            words = _percent(share)
            room = width(words, SMALL)
            if right - left > room + 10:
                middle = round((left + right) / 2, 2)
                body.append(svg.rect(round(middle - room / 2, 2), y - 7, room, 14, "surface", round_=2))
                body.append(svg.text(middle, y + 4.5, words, SMALL, anchor="middle"))
            body.append("</g>")


def _percent(share: float) -> str:
    return "undefined" if math.isnan(share) else f"{100 * share:.1f} %" if 0 < share < 0.1 else f"{100 * share:.0f} %"
