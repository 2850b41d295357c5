"""What groups consist of: bars of one length whose parts have colours, hatchings and one order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from fairsum_utils.reports.drawings import axis, svg
from fairsum_utils.reports.drawings.scale import Scale
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.drawings.svg import EDGE, GAP, PHONE
from fairsum_utils.reports.drawings.text import clean, dozen, shortened, width
from fairsum_utils.reports.typography import BODY, SMALL

__all__ = ["HATCHINGS", "Group", "Part", "Proportions"]

_HIGH = 28
"""Pixels of a row."""
_SWATCH = 14


class Part(NamedTuple):
    """What the groups consist of.

    Attributes:
        name: in the legend.
        colour: a name of the palette.
        hatching: a key of `HATCHINGS`.
    """

    name: str
    colour: str
    hatching: str = ""


class Group(NamedTuple):
    """A bar.

    Attributes:
        name: at its left.
        shares: of the parts; they add up to 1, unless the group is empty or something of it is of no part.
        note: at its right, such as its size.
    """

    name: str
    shares: Sequence[float]
    note: str = ""


class Proportions(NamedTuple):
    """Bars below each other.

    Attributes:
        title: above them.
        parts: from left to right.
        groups: from top to bottom.
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
        y = self._legend(body, y + 6, wide) + 8
        label = max((width(clean(group.name), BODY) for group in self.groups), default=0.0)
        note = max((width(clean(group.note), SMALL) for group in self.groups), default=0.0)
        most = 0.34 * wide - EDGE
        above = BODY + 3 if label > most and wide < PHONE else 0
        label = wide - 2 * EDGE - 10 if above else min(label, most)
        left = round(EDGE + (4 if above else label + GAP), 2)
        right = round(wide - EDGE - (note + 10 if note else 14), 2)
        scale = Scale(0.0, 1.0, 0.25, left, right)
        top, high = y, _HIGH + above
        axis.grid(body, scale, top, top + high * len(self.groups))
        for group in self.groups:
            name = shortened(clean(group.name), BODY, label)
            middle = y + high - _HIGH / 2
            if above:
                body.append(svg.text(left, y + BODY, name, BODY, rim=True))
            else:
                body.append(svg.text(EDGE + label, middle + 4.5, name, BODY, anchor="end"))
            self._bar(body, group, scale, middle)
            if group.note:
                body.append(svg.text(wide - EDGE, middle + 4.5, clean(group.note), SMALL, colour="muted", anchor="end"))
            y += high
        body.append(svg.line(left, y, right, y, "muted"))
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
        ]
        return f"{self.title} ({self.axis}): {dozen(said, '; ')}."

    def _shares(self, group: Group) -> list[tuple[Part, float]]:
        return list(zip(self.parts, group.shares, strict=True))

    def _legend(self, body: list[str], y: float, wide: float) -> float:
        """Each part with its name, in as many lines as it takes."""
        x = float(EDGE)
        y += _SWATCH
        for part in self.parts:
            name = shortened(clean(part.name), SMALL, wide - 2 * EDGE - _SWATCH - 6)
            long = _SWATCH + 6 + width(name, SMALL)
            if x > EDGE and x + long > wide - EDGE:
                x, y = float(EDGE), y + _SWATCH + 6
            _block(body, part, x, y - _SWATCH + 2, _SWATCH, _SWATCH)
            body.append(svg.text(round(x + _SWATCH + 6, 2), y, name, SMALL))
            x += long + 16
        return y

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
                _block(body, part, left, y - 10, right - left, 20)
            words = _percent(share)
            room = width(words, SMALL)
            if right - left > room + 10:
                middle = round((left + right) / 2, 2)
                body.append(svg.rect(round(middle - room / 2, 2), y - 7, room, 14, "surface", round_=2))
                body.append(svg.text(middle, y + 4.5, words, SMALL, anchor="middle"))
            body.append("</g>")


def _percent(share: float) -> str:
    return "undefined" if math.isnan(share) else f"{100 * share:.1f} %" if 0 < share < 0.1 else f"{100 * share:.0f} %"


def _block(body: list[str], part: Part, x: float, y: float, wide: float, high: float) -> None:
    """A rectangle in the colour and the hatching of a part, with a gap beside it."""
    wide = round(max(wide - 1, 0.5), 2)
    body.append(svg.rect(x, y, wide, high, part.colour))
    if part.colour == "grid":
        body.append(svg.path(f"M{x + 0.5:g} {y + 0.5:g}h{wide - 1:g}v{high - 1}h{1 - wide:g}Z", "muted"))
    way = HATCHINGS[part.hatching](x, y, wide, high)
    if way:
        body.append(svg.path(way, "surface", broad=1.5))


def _slanted(x: float, y: float, wide: float, high: float, *, rising: bool, apart: float = 7.0) -> str:
    """Lines at 45 degrees within a rectangle."""
    ways = []
    offset = apart / 2
    while offset < wide + high:
        # From the left or the lower side to the upper or the right one.
        x1, y1 = (0.0, offset) if offset <= high else (offset - high, high)
        x2, y2 = (offset, 0.0) if offset <= wide else (wide, offset - wide)
        if not rising:
            y1, y2 = high - y1, high - y2
        ways.append(f"M{x + x1:.4g} {y + y1:.6g}L{x + x2:.6g} {y + y2:.6g}")
        offset += apart
    return "".join(ways)


def _level(x: float, y: float, wide: float, high: float) -> str:
    return "".join(f"M{x:.6g} {y + step:.6g}h{wide:.6g}" for step in _steps(high, 5.0))


def _upright(x: float, y: float, wide: float, high: float) -> str:
    return "".join(f"M{x + step:.6g} {y:.6g}v{high:.6g}" for step in _steps(wide, 6.0))


def _steps(most: float, apart: float) -> list[float]:
    return [apart * (place + 0.5) for place in range(int(most / apart + 0.5))]


HATCHINGS = {
    "": lambda *area: "",
    "rising": lambda *area: _slanted(*area, rising=True),
    "falling": lambda *area: _slanted(*area, rising=False),
    "level": _level,
    "upright": _upright,
    "crossed": lambda *area: _slanted(*area, rising=True) + _slanted(*area, rising=False),
}
"""Name of a hatching -> what draws it in a rectangle: x, y, width and height."""
