"""Groups of bars: beside each other, one for each part, or one bar that the parts fill."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import NamedTuple

from fairsum_utils.reports.drawings import axis, svg
from fairsum_utils.reports.drawings.axis import Scale
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.drawings.svg import BOLDER, EDGE, GAP, PHONE, clean, dozen, shortened, shown, width
from fairsum_utils.reports.theme import BODY, SMALL, VALUES

_SWATCH = 14
_HIGH = 9
"""Pixels of a bar beside others."""
_BETWEEN = 10
"""Pixels between two groups of bars, and the least height of their names."""
_FILLED = 28
"""Pixels of a row of one bar."""


class Part(NamedTuple):
    """What the groups consist of."""

    name: str
    colour: str  # a name of the palette
    hatching: str = ""  # a key of `HATCHINGS`


class Group(NamedTuple):
    """A bar or several; one without numbers is the heading of those that follow."""

    name: str
    numbers: Sequence[float] = ()  # one a part; NaN where undefined
    note: str = ""  # such as its size


def told_apart(names: Sequence[str]) -> list[Part]:
    """Parts that can be told apart, as many as there are.

    Example:
        >>> told_apart(["a", "b"])
        [Part(name='a', colour='v1', hatching=''), Part(name='b', colour='v2', hatching='')]
    """
    n, ways = len(VALUES), list(HATCHINGS)
    return [Part(name, VALUES[place % n], ways[place // n % len(ways)]) for place, name in enumerate(names)]


class Names(NamedTuple):
    """Where the names of groups stand, and how much room is left between them and the notes."""

    label: float  # pixels of a name
    above: float  # pixels that a name takes above its group; 0 where it stands at the left
    left: float  # where bars begin
    right: float  # where they end at the latest
    wide: float  # pixels of the drawing

    @classmethod
    def of(cls, groups: Sequence[Group], wide: float) -> Names:
        """The room that these groups need; on a narrow page long names stand above."""
        long = max((width(clean(group.name), BODY) for group in groups if group.numbers), default=0.0)
        note = max((width(clean(group.note), SMALL) for group in groups), default=0.0)
        most = 0.34 * wide - EDGE
        above = BODY + 3 if long > most and wide < PHONE else 0
        label = wide - 2 * EDGE - 10 if above else min(long, most)
        left = round(EDGE + (4 if above else label + GAP), 2)
        right = round(wide - EDGE - (note + 10 if note else 14), 2)
        return cls(label, above, left, right, wide)

    def write(self, body: list[str], group: Group, y: float, middle: float) -> None:
        """Write the name and the note of a group."""
        if not group.numbers:
            name = shortened(clean(group.name), BODY * BOLDER, self.wide - 2 * EDGE)
            body.append(svg.text(EDGE, middle + 4.5, name, BODY, bold=True, rim=True))
            return
        name = shortened(clean(group.name), BODY, self.label)
        if self.above:
            body.append(svg.text(self.left, y + BODY, name, BODY, rim=True))
        else:
            body.append(svg.text(EDGE + self.label, middle + 4.5, name, BODY, anchor="end"))
        if group.note:
            note = svg.text(self.wide - EDGE, middle + 4.5, clean(group.note), SMALL, colour="muted", anchor="end")
            body.append(note)


def legend(body: list[str], parts: Sequence[Part], y: float, wide: float) -> float:
    """Write each part with its name below `y`, in as many lines as it takes; returns where the panel goes on."""
    x = float(EDGE)
    y += 6 + _SWATCH
    for part in parts:
        name = shortened(clean(part.name), SMALL, wide - 2 * EDGE - _SWATCH - 6)
        long = _SWATCH + 6 + width(name, SMALL)
        if x > EDGE and x + long > wide - EDGE:
            x, y = float(EDGE), y + _SWATCH + 6
        block(body, part, x, y - _SWATCH + 2, _SWATCH, _SWATCH)
        body.append(svg.text(round(x + _SWATCH + 6, 2), y, name, SMALL))
        x += long + 16
    return y + 8


def block(body: list[str], part: Part, x: float, y: float, wide: float, high: float) -> None:
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


class _Places(NamedTuple):
    """Where the groups of a panel stand: their names, and pixels between any two."""

    names: Names
    edges: Sequence[float]
    highs: Sequence[float]

    @property
    def top(self) -> float:
        return self.edges[0]

    @property
    def bottom(self) -> float:
        return self.edges[-1]

    def write(self, body: list[str], groups: Sequence[Group], bars: Callable[[list[str], Group, float], None]) -> None:
        """Write the names of groups, and their bars around the middle of each."""
        for group, high, (start, end) in zip(groups, self.highs, pairwise(self.edges), strict=True):
            middle = end - high / 2
            self.names.write(body, group, start, middle)
            bars(body, group, middle)


def _places(groups: Sequence[Group], highs: Sequence[float], y: float, wide: float) -> _Places:
    names = Names.of(groups, wide)
    above = [names.above if group.numbers else 0 for group in groups]
    edges = [*accumulate(map(sum, zip(highs, above, strict=True)), initial=y)]
    return _Places(names, edges, highs)


def _told(parts: Sequence[Part], groups: Sequence[Group], written: Callable[[float], str]) -> str:
    """The numbers of each group, at most a dozen groups."""
    said = [
        f"{group.name}: "
        + ", ".join(f"{part.name} {written(number)}" for part, number in zip(parts, group.numbers, strict=True))
        for group in groups
        if group.numbers
    ]
    return dozen(said, "; ")


class Grouped(NamedTuple):
    """Groups below each other, the bars of each together."""

    title: str
    parts: Sequence[Part]
    groups: Sequence[Group]
    axis: str
    base: float = 0.0
    even: bool = False
    notes: Sequence[str] = ()

    def draw(self, body: list[str], y: float, wide: float, beside: Sequence[Form]) -> float:
        """Draw it, see `fairsum_utils.reports.drawings.sheet.Form`."""
        y = legend(body, self.parts, axis.heading(body, self.title, y, wide), wide)
        highs = [max(_HIGH * len(group.numbers), _BETWEEN) + _BETWEEN for group in self.groups]
        places = _places(self.groups, highs, y, wide)
        numbers = [number for group in self.groups for number in group.numbers if math.isfinite(number)]
        scale = Scale.around(self.base, numbers, places.names.left, places.names.right, even=self.even)
        axis.grid(body, scale, places.top, places.bottom, self.base)
        places.write(body, self.groups, lambda body, group, middle: self._bars(body, group, scale, middle))
        y = axis.ticks(body, scale, places.bottom)
        return svg.paragraphs(body, y, (self.axis, *self.notes), wide, apart=2)

    def told(self) -> str:
        """The numbers of each group."""
        return f"{self.title} ({self.axis}): {_told(self.parts, self.groups, shown)}."

    def _bars(self, body: list[str], group: Group, scale: Scale, middle: float) -> None:
        base, name = scale.at(self.base), clean(group.name)
        y = middle - _HIGH * len(group.numbers) / 2
        for place, (part, number) in enumerate(zip(self.parts, group.numbers, strict=False)):
            data = svg.data(label=name, name=clean(part.name), number=number)
            body.append(f'<g class="bar"{data}>{svg.titled(f"{name}, {clean(part.name)}: {shown(number)}")}')
            if math.isfinite(number):
                x = scale.at(number)
                # A number that is the base is a thin line, unlike one that is undefined.
                block(body, part, min(x, base), y + place * _HIGH, max(abs(x - base), 1.5) + 1, _HIGH - 1)
            body.append("</g>")


class Proportions(NamedTuple):
    """Bars of one length below each other, filled by the parts of their groups."""

    title: str
    parts: Sequence[Part]
    groups: Sequence[Group]  # numbers add up to 1, unless a group is empty or something of it is of no part
    axis: str
    notes: Sequence[str] = ()

    def draw(self, body: list[str], y: float, wide: float, beside: Sequence[Form]) -> float:
        """Draw it, see `fairsum_utils.reports.drawings.sheet.Form`."""
        y = legend(body, self.parts, axis.heading(body, self.title, y, wide), wide)
        places = _places(self.groups, [_FILLED] * len(self.groups), y, wide)
        scale = Scale(0.0, 1.0, 0.25, places.names.left, places.names.right)
        axis.grid(body, scale, places.top, places.bottom)
        places.write(body, self.groups, lambda body, group, middle: self._bar(body, group, scale, middle))
        shares = [(0.0, "0 %"), (0.5, "50 %"), (1.0, "100 %")]
        y = axis.ticks(body, scale, places.bottom, shares)
        return svg.paragraphs(body, y, (self.axis, *self.notes), wide, apart=2)

    def told(self) -> str:
        """The parts of each group."""
        return f"{self.title} ({self.axis}): {_told(self.parts, self.groups, _percent)}."

    def _bar(self, body: list[str], group: Group, scale: Scale, y: float) -> None:
        start = 0.0
        name = clean(group.name)
        for part, share in zip(self.parts, group.numbers, strict=bool(group.numbers)):
            if not math.isfinite(share):
                continue
            left, right = scale.at(start), scale.at(min(start + share, 1.0))
            start += share
            data = svg.data(label=name, name=clean(part.name), number=share)
            words = _percent(share)
            body.append(f'<g class="part"{data}>{svg.titled(f"{name}, {clean(part.name)}: {words}")}')
            if right > left:
                block(body, part, left, y - 10, right - left, 20)
            room = width(words, SMALL)
            if right - left > room + 10:
                middle = round((left + right) / 2, 2)
                body.append(svg.rect(round(middle - room / 2, 2), y - 7, room, 14, "surface", round_=2))
                body.append(svg.text(middle, y + 4.5, words, SMALL, anchor="middle"))
            body.append("</g>")


def _percent(share: float) -> str:
    return "undefined" if math.isnan(share) else f"{100 * share:.1f} %" if 0 < share < 0.1 else f"{100 * share:.0f} %"
