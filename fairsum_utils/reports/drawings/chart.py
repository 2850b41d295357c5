"""What drawings consist of: panels of rows along an axis; and their layout as SVG."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

from fairsum_utils.reports.drawings.scale import Scale
from fairsum_utils.reports.drawings.text import clean, shortened, width, wrapped
from fairsum_utils.reports.palette import LIGHT, STYLE
from fairsum_utils.reports.typography import BODY as _BODY
from fairsum_utils.reports.typography import FONT
from fairsum_utils.reports.typography import HEAD as _HEAD
from fairsum_utils.reports.typography import SMALL as _SMALL
from fairsum_utils.reports.typography import TITLE as _TITLE

__all__ = ["Line", "Mark", "Panel", "Row", "as_svg"]

_BOLDER = 1.1
"""Width of bold letters over that of others."""
_EDGE, _GAP = 16, 12
_PHONE = 480
"""Pixels of a page that is not narrow."""
_MANY = 24
"""Rows from which on they stand closer."""


class Mark(NamedTuple):
    """A number in a row.

    Attributes:
        number: NaN where it is undefined.
        ends: of its interval; None without one.
        colour: a name of the palette.
        shape: ``"dot"``, ``"bar"`` from the panel's base, or ``"tick"``, for what is to be compared with.
        text: what the tick is.
    """

    number: float
    ends: Sequence[float] | None = None
    colour: str = "accent"
    shape: str = "dot"
    text: str = ""


class Row(NamedTuple):
    """A line of a panel; one without marks is the heading of those that follow.

    Attributes:
        label: at its left.
        marks: the number that is written at its right, and what it is to be compared with.
        note: what is written behind the number.
    """

    label: str
    marks: Sequence[Mark] = ()
    note: str = ""


class Line(NamedTuple):
    """A number that all rows are to be compared with.

    Attributes:
        number: where it is.
        text: what it is.
    """

    number: float
    text: str


class Panel(NamedTuple):
    """Rows along an axis.

    Attributes:
        title: above it.
        rows: from top to bottom.
        axis: what the numbers are, in which unit, and which direction is fairer.
        base: where bars begin; always on the axis.
        lines: to compare with.
        even: whether both sides of the base are of one length.
        notes: sentences below it.
    """

    title: str
    rows: Sequence[Row]
    axis: str
    base: float = 0.0
    lines: Sequence[Line] = ()
    even: bool = False
    notes: Sequence[str] = ()


def as_svg(title: str, said: Sequence[str], panels: Sequence[Panel], notes: Sequence[str], wide: float) -> str:
    """Panels one below the other, as one SVG.

    Args:
        title: above them.
        said: sentences below the title.
        panels: to draw.
        notes: sentences at the end.
        wide: pixels.
    """
    body: list[str] = []
    y = _EDGE + 4.0
    for line in wrapped(clean(title), _TITLE * _BOLDER, wide - 2 * _EDGE, 3):
        y += _TITLE
        body.append(_text(_EDGE, y, line, _TITLE, bold=True))
        y += 4
    for sentence in said:
        y = _paragraph(body, y, sentence, wide)
    columns = [_columns(panel) for panel in panels]
    for panel in panels:
        y = _Layout(panel, wide, *map(max, zip(*columns, strict=True))).draw(body, y + 2 * _GAP)
    y += _GAP if notes else 0
    for sentence in notes:
        y = _paragraph(body, y, sentence, wide)
    high = math.ceil(y + _EDGE)
    named = escape(clean(title))
    described = escape(" ".join(clean(sentence) for sentence in (*said, *_told(panels), *notes)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="fairsum-drawing" role="img" viewBox="0 0 {wide:g} {high}" '
        f'width="{wide:g}" height="{high}" style="max-width:100%;height:auto" font-family="{escape(FONT)}">'
        f"<title>{named}</title><desc>{described}</desc><style>{STYLE}</style>"
        f'<rect class="f-surface" width="{wide:g}" height="{high}" rx="6" fill="{LIGHT["surface"]}"/>'
        f"{''.join(body)}</svg>"
    )


def _told(panels: Sequence[Panel]) -> Iterator[str]:
    """What a person hears who sees nothing: the figures, at most a dozen a panel."""
    for panel in panels:
        rows = [f"{row.label} {_shown(row.marks[0].number)}" for row in panel.rows if row.marks]
        more = f" and {len(rows) - 12} more" if len(rows) > 12 else ""
        yield f"{panel.title} ({panel.axis}): {', '.join(rows[:12])}{more}."


def _paragraph(body: list[str], y: float, sentence: str, wide: float) -> float:
    for line in wrapped(clean(sentence), _SMALL, wide - 2 * _EDGE):
        y += _SMALL + 4
        body.append(_text(_EDGE, y, line, _SMALL, colour="muted"))
    return y


def _columns(panel: Panel) -> tuple[float, float, float]:
    """The room that labels, numbers and notes take; panels share it, so that their axes stand below each other."""
    rows = [row for row in panel.rows if row.marks]
    label = max((width(clean(row.label), _BODY) * (1 if row.marks else _BOLDER) for row in panel.rows), default=0.0)
    figure = max((width(_shown(row.marks[0].number), _BODY) for row in rows), default=0.0)
    note = max((width(clean(row.note), _SMALL) for row in rows), default=0.0)
    return label, figure, note + 8 if note else 0.0


class _Layout:
    """A panel that finds its place."""

    def __init__(self, panel: Panel, wide: float, label: float, figure: float, note: float) -> None:
        self.panel, self.wide = panel, wide
        self.high = 19 if len(panel.rows) > _MANY else 24
        most = 0.34 * wide - _EDGE
        # On a narrow page long labels stand above their marks.
        self.above = _BODY + 4 if label > most and wide < _PHONE else 0
        self.label, self.figure, self.note = (wide - 2 * _EDGE - 10 if self.above else min(label, most)), figure, note
        numbers = [panel.base, *(line.number for line in panel.lines)]
        for mark in (mark for row in panel.rows for mark in row.marks):
            numbers += [number for number in (mark.number, *(mark.ends or ())) if math.isfinite(number)]
        if panel.even:
            furthest = max(abs(number - panel.base) for number in numbers) or 1.0
            numbers += [panel.base - furthest, panel.base + furthest]
        left = _EDGE + (4 if self.above else self.label + _GAP)
        right = wide - _EDGE - self.figure - self.note - _GAP
        self.scale = Scale.over(numbers, round(left, 2), round(right, 2), apart=64)

    def draw(self, body: list[str], y: float) -> float:
        """Draw the panel below `y`; returns where it ends."""
        panel, scale = self.panel, self.scale
        body.append('<g class="panel">')
        for words in wrapped(clean(panel.title), _HEAD * _BOLDER, self.wide - 2 * _EDGE, 2):
            y += _HEAD + 3
            body.append(_text(_EDGE, y, words, _HEAD, bold=True))
        y = top = self._captions(body, y + 8)
        bottom = top + sum(map(self._height, panel.rows))
        for number, _ in scale.ticks():
            body.append(_line(scale.at(number), top, scale.at(number), bottom, "grid"))
        if scale.low < panel.base < scale.high or panel.base == scale.low:
            body.append(_line(scale.at(panel.base), top, scale.at(panel.base), bottom, "muted"))
        for row in panel.rows:
            self._row(body, row, y)
            y += self._height(row)
        for line in panel.lines:
            body.append(_line(scale.at(line.number), top - 3, scale.at(line.number), bottom, "ink", dashed=True))
        body.append(_line(scale.left, bottom, scale.right, bottom, "muted"))
        y += _SMALL + 4
        for number, text in scale.ticks():
            body.append(_text(scale.at(number), y, text, _SMALL, colour="muted", anchor="middle"))
        y = _paragraph(body, y + 2, panel.axis, self.wide)
        for sentence in panel.notes:
            y = _paragraph(body, y, sentence, self.wide)
        body.append("</g>")
        return y

    def _height(self, row: Row) -> float:
        return self.high + (self.above if row.marks else 0)

    def _captions(self, body: list[str], y: float) -> float:
        """What the lines are, above them, below each other where they would touch."""
        taken: list[list[tuple[float, float]]] = []
        placed = []
        room = self.wide - 2 * _EDGE
        for line in self.panel.lines:
            text = shortened(clean(line.text), _SMALL, room)
            half = width(text, _SMALL) / 2
            x = min(max(self.scale.at(line.number), _EDGE + half), self.wide - _EDGE - half)
            span = (x - half - 6, x + half + 6)
            level = next(
                (n for n, spans in enumerate(taken) if all(span[1] <= a or b <= span[0] for a, b in spans)), len(taken)
            )
            if level == len(taken):
                taken.append([])
            taken[level].append(span)
            placed.append((x, level, text))
        for x, level, text in placed:
            body.append(
                _text(round(x, 2), y + (level + 1) * (_SMALL + 3), text, _SMALL, colour="muted", anchor="middle")
            )
        return y + len(taken) * (_SMALL + 3) + (5 if taken else 0)

    def _row(self, body: list[str], row: Row, y: float) -> None:
        middle = y + self._height(row) - self.high / 2
        written = middle + 4.5
        label = clean(row.label)
        if not row.marks:
            body.append(_text(_EDGE, written, shortened(label, _BODY * _BOLDER, self.label), _BODY, bold=True))
            return
        mark = row.marks[0]
        data = f' data-label="{escape(label)}" data-number="{mark.number!r}"'
        ends = None if mark.ends is None or not all(map(math.isfinite, mark.ends)) else tuple(mark.ends)
        data += "" if ends is None else f' data-low="{ends[0]!r}" data-high="{ends[1]!r}"'
        said = f"{label}: {_shown(mark.number)}" + ("" if ends is None else f" [{_shown(ends[0])}, {_shown(ends[1])}]")
        body.append(f'<g class="row"{data}><title>{escape(" ".join(filter(None, (said, clean(row.note)))))}</title>')
        area = f'x="0" y="{y:g}" width="{self.wide:g}" height="{self._height(row)}"'
        body.append(f'<rect {area} fill="none" pointer-events="all"/>')
        shown = shortened(label, _BODY, self.label)
        if self.above:
            body.append(_text(self.scale.left + 6, y + _BODY + 1, shown, _BODY, rim=True))
        else:
            body.append(_text(_EDGE + self.label, written, shown, _BODY, anchor="end"))
        for each in row.marks if mark.shape == "bar" else reversed(row.marks):
            self._mark(body, each, middle)
        right = self.wide - _EDGE - self.note
        body.append(_text(right, written, _shown(mark.number), _BODY, anchor="end"))
        if row.note:
            body.append(_text(self.wide - _EDGE, written, clean(row.note), _SMALL, colour="muted", anchor="end"))
        body.append("</g>")

    def _mark(self, body: list[str], mark: Mark, y: float) -> None:
        if not math.isfinite(mark.number):
            return
        x, half = self.scale.at(mark.number), self.high / 2 - (3 if self.high < 20 else 5)
        colour, thick = mark.colour, 2 * half
        if mark.shape == "tick":
            body.append(f"<g><title>{escape(clean(mark.text))}: {_shown(mark.number)}</title>")
            body.append(_line(x, y - half - 1, x, y + half + 1, "surface", broad=5))
            body.append(_line(x, y - half - 1, x, y + half + 1, "ink", broad=2))
            body.append("</g>")
            return
        if mark.shape == "bar":
            base = self.scale.at(self.panel.base)
            left, long = min(x, base), max(abs(x - base), 1)
            body.append(
                f'<rect class="f-{colour}" x="{left:g}" y="{y - half:g}" width="{long:g}" height="{thick:g}" rx="1.5" '
                f'fill="{LIGHT[colour]}"/>'
            )
        if mark.ends is not None and all(map(math.isfinite, mark.ends)):
            low, high = map(self.scale.at, mark.ends)
            strokes = [(low, y, high, y), *((end, y - 4, end, y + 4) for end in (low, high))]
            if mark.shape == "bar":  # a rim, so that it is seen on the bar
                body += [_line(*stroke, "surface", broad=4) for stroke in strokes]
            body += [_line(*stroke, "ink" if mark.shape == "bar" else colour, broad=1.5) for stroke in strokes]
        if mark.shape == "dot":
            body.append(
                f'<circle class="f-{colour} s-surface" cx="{x:g}" cy="{y:g}" r="5" fill="{LIGHT[colour]}" '
                f'stroke="{LIGHT["surface"]}" stroke-width="1.5"/>'
            )


def _shown(number: float) -> str:
    """A number of a drawing; the tables have more digits."""
    if math.isnan(number):
        return "undefined"
    return f"{number:.3f}".replace("-", "−") if math.isfinite(number) else "∞"


def _text(
    x: float,
    y: float,
    text: str,
    size: int,
    *,
    colour: str = "ink",
    bold: bool = False,
    anchor: str = "start",
    rim: bool = False,
) -> str:
    """A text; a rim lets it be read across lines."""
    more = ' font-weight="600"' if bold else ""
    more += "" if anchor == "start" else f' text-anchor="{anchor}"'
    more += f' stroke="{LIGHT["surface"]}" stroke-width="4" paint-order="stroke"' if rim else ""
    named = f"f-{colour} s-surface" if rim else f"f-{colour}"
    place = f'x="{x:g}" y="{y:g}" font-size="{size}"'
    return f'<text class="{named}" {place} fill="{LIGHT[colour]}"{more}>{escape(text)}</text>'


def _line(x1: float, y1: float, x2: float, y2: float, colour: str, *, broad: float = 1.0, dashed: bool = False) -> str:
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    return (
        f'<line class="s-{colour}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{LIGHT[colour]}" '
        f'stroke-width="{broad:g}"{dashes}/>'
    )
