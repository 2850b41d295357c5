"""The form of most panels: rows of dots, bars and ticks along an axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

from fairsum_utils.reports.drawings import axis, svg
from fairsum_utils.reports.drawings.axis import Line, Scale
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.drawings.svg import BOLDER, EDGE, GAP, PHONE, clean, dozen, shortened, shown, width
from fairsum_utils.reports.theme import BODY, SMALL

_MANY = 24
"""Rows from which on they stand closer."""


class Mark(NamedTuple):
    """A number in a row."""

    number: float  # NaN where it is undefined
    ends: Sequence[float] | None = None  # None without an interval
    colour: str = "accent"  # a name of the palette
    shape: str = "dot"  # `"dot"`, `"bar"` from the panel's base, or `"tick"`, for what is to be compared with
    text: str = ""


class Row(NamedTuple):
    """A line of a panel; one without marks is the heading of those that follow."""

    label: str
    marks: Sequence[Mark] = ()  # the number that is written at its right, and what it is to be compared with
    note: str = ""  # what is written behind the number


class Panel(NamedTuple):
    """Rows along an axis."""

    title: str
    rows: Sequence[Row]
    axis: str  # what the numbers are, in which unit, and which direction is fairer
    base: float = 0.0  # where bars begin; always on the axis
    lines: Sequence[Line] = ()
    even: bool = False  # whether both sides of the base are of one length
    notes: Sequence[str] = ()

    def draw(self, body: list[str], y: float, wide: float, beside: Sequence[Form]) -> float:
        """Draw it, see `fairsum_utils.reports.drawings.sheet.Form`; the axes of such panels stand below each other."""
        columns = [_columns(panel) for panel in beside if isinstance(panel, Panel)]
        return _Layout(self, wide, *map(max, zip(*columns, strict=True))).draw(body, y)

    def told(self) -> str:
        """The figures, at most a dozen."""
        rows = [f"{row.label} {shown(row.marks[0].number)}" for row in self.rows if row.marks]
        return f"{self.title} ({self.axis}): {dozen(rows)}."


def _columns(panel: Panel) -> tuple[float, float, float]:
    """The room that labels, numbers and notes take; panels share it."""
    rows = [row for row in panel.rows if row.marks]
    label = max((width(clean(row.label), BODY) for row in rows), default=0.0)
    figure = max((width(shown(row.marks[0].number), BODY) for row in rows), default=0.0)
    note = max((width(clean(row.note), SMALL) for row in rows), default=0.0)
    return label, figure, note + 8 if note else 0.0


class _Layout:
    """A panel that finds its place."""

    def __init__(self, panel: Panel, wide: float, label: float, figure: float, note: float) -> None:
        self.panel, self.wide = panel, wide
        self.names: list[str] = []  # those that stand above their marks, and above the lines to compare with
        self.high = 19 if len(panel.rows) > _MANY else 24
        most = 0.34 * wide - EDGE
        # On a narrow page long labels stand above their marks.
        self.above = BODY + 4 if label > most and wide < PHONE else 0
        self.label, self.figure, self.note = (wide - 2 * EDGE - 10 if self.above else min(label, most)), figure, note
        numbers = [line.number for line in panel.lines]
        for mark in (mark for row in panel.rows for mark in row.marks):
            numbers += [number for number in (mark.number, *(mark.ends or ())) if math.isfinite(number)]
        left = EDGE + (4 if self.above else self.label + GAP)
        right = wide - EDGE - self.figure - self.note - GAP
        self.scale = Scale.around(panel.base, numbers, round(left, 2), round(right, 2), even=panel.even)

    def draw(self, body: list[str], y: float) -> float:
        """Draw the panel below `y`; returns where it ends."""
        panel, scale = self.panel, self.scale
        y = axis.heading(body, panel.title, y, self.wide)
        y = top = axis.captions(body, scale, panel.lines, y + 8, self.wide)
        bottom = top + sum(map(self._height, panel.rows))
        axis.grid(body, scale, top, bottom, panel.base)
        for row in panel.rows:
            self._row(body, row, y)
            y += self._height(row)
        axis.references(body, scale, panel.lines, top, bottom)
        body += self.names
        y = axis.ticks(body, scale, bottom)
        return svg.paragraphs(body, y + 2, (panel.axis, *panel.notes), self.wide)

    def _height(self, row: Row) -> float:
        return self.high + (self.above if row.marks else 0)

    def _row(self, body: list[str], row: Row, y: float) -> None:
        middle = y + self._height(row) - self.high / 2
        written = middle + 4.5
        label = clean(row.label)
        if not row.marks:
            words = shortened(label, BODY * BOLDER, self.wide - 2 * EDGE)
            body.append(svg.text(EDGE, written, words, BODY, bold=True, rim=True))
            return
        mark = row.marks[0]
        ends = svg.ends_of(mark.ends)
        data = svg.data(label=label, number=mark.number)
        data += "" if ends is None else svg.data(low=ends[0], high=ends[1])
        said = f"{label}: {svg.shown_with(mark.number, ends)}"
        body.append(f'<g class="row"{data}>{svg.titled(" ".join(filter(None, (said, clean(row.note)))))}')
        body.append(svg.area(0, y, self.wide, self._height(row)))
        words = shortened(label, BODY, self.label)
        if self.above:
            self.names.append(svg.text(self.scale.left + 6, y + BODY + 1, words, BODY, rim=True))
        else:
            body.append(svg.text(EDGE + self.label, written, words, BODY, anchor="end"))
        for each in row.marks if mark.shape == "bar" else reversed(row.marks):
            self._mark(body, each, middle)
        right = self.wide - EDGE - self.note
        body.append(svg.text(right, written, shown(mark.number), BODY, anchor="end"))
        if row.note:
            body.append(svg.text(self.wide - EDGE, written, clean(row.note), SMALL, colour="muted", anchor="end"))
        body.append("</g>")

    def _mark(self, body: list[str], mark: Mark, y: float) -> None:
        if not math.isfinite(mark.number):
            return
        x, half = self.scale.at(mark.number), self.high / 2 - (3 if self.high < 20 else 5)
        colour, thick = mark.colour, 2 * half
        if mark.shape == "tick":
            body.append(f"<g><title>{escape(clean(mark.text))}: {shown(mark.number)}</title>")
            body.append(svg.line(x, y - half - 1, x, y + half + 1, "surface", broad=5))
            body.append(svg.line(x, y - half - 1, x, y + half + 1, "ink", broad=2))
            body.append("</g>")
            return
        if mark.shape == "bar":
            base = self.scale.at(self.panel.base)
            left, long = min(x, base), max(abs(x - base), 1)
            body.append(svg.rect(left, y - half, long, thick, colour, round_=1.5))
        if ends := svg.ends_of(mark.ends):
            low, high = map(self.scale.at, ends)
            strokes = [(low, y, high, y), *((end, y - 4, end, y + 4) for end in (low, high))]
            if mark.shape == "bar":  # a rim, so that it is seen on the bar
                body += [svg.line(*stroke, "surface", broad=4) for stroke in strokes]
            body += [svg.line(*stroke, "ink" if mark.shape == "bar" else colour, broad=1.5) for stroke in strokes]
        if mark.shape == "dot":
            body.append(svg.dot(x, y, colour, 5))
