"""Five kinds of panel: `Points`, `Bars`, `Curves`, `Histogram` and `Heat`.

Each is a `fairsum_utils.reports.svg.Panel`: it draws itself on a `Sheet` and describes itself for screen readers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple, TypeAlias

from fairsum_utils.reports.svg import (
    EDGE,
    GAP,
    PHONE,
    Panel,
    Sheet,
    clean,
    dozen,
    ends_of,
    shown,
    shown_with,
    width,
    wrapped,
)
from fairsum_utils.reports.theme import BODY, PATTERNS, SMALL, VALUES

# Steps between ticks, times a power of ten
_ROUND = (1, 2, 2.5, 5, 10)
# Most digits of a tick; longer numbers are written with a power of ten
_DIGITS = 5
# Numbers that differ by no more than this share of their size are equal
_SMALL = 1e-12


def rounded_step(least: float) -> float:
    """Return the smallest round number not below a positive number.

    Example:
        >>> rounded_step(0.037), rounded_step(0.21)
        (0.05, 0.25)
    """
    power = 10.0 ** math.floor(math.log10(least))
    return next(factor * power for factor in _ROUND if factor * power >= least * (1 - 1e-9))


def _tick(place: int, step: float) -> float:
    return float(f"{place * step:.12g}")


class Scale(NamedTuple):
    """A linear scale from numbers to pixels."""

    low: float  # number at the left or lower end, a tick
    high: float  # number at the right or upper end, a tick
    step: float
    left: float  # pixel of the left or lower end
    right: float  # pixel of the right or upper end

    @classmethod
    def over(cls, numbers: Iterable[float], left: float, right: float, apart: float = 80) -> Scale:
        """Return the scale with round ends around all finite numbers.

        Example:
            >>> Scale.over([0.0, 0.37], 0, 320)
            Scale(low=0.0, high=0.4, step=0.1, left=0, right=320)
        """
        finite = [*filter(math.isfinite, numbers)]
        least, most = min(finite), max(finite)
        size = max(abs(least), abs(most), _SMALL)
        if most - least <= _SMALL * size:  # rounding, or too little for a step
            most = least + max(1.0, 1e-3 * size)
        step = rounded_step((most - least) / max(abs(right - left) // apart, 1))
        first, last = math.floor(least / step + 1e-9), math.ceil(most / step - 1e-9)
        return cls(_tick(first, step), _tick(last, step), step, left, right)

    @classmethod
    def around(cls, base: float, numbers: Iterable[float], left: float, right: float, *, even: bool) -> Scale:
        """Return the scale around base and numbers, symmetric if `even`."""
        held = [base, *filter(math.isfinite, numbers)]
        if even:
            furthest = max(abs(number - base) for number in held) or 1.0
            held += [base - furthest, base + furthest]
        return cls.over(held, left, right, apart=64)

    def at(self, number: float) -> float:
        """Return the pixel of a number, to a hundredth."""
        share = (number - self.low) / (self.high - self.low)
        return round(self.left + share * (self.right - self.left), 2)

    def ticks(self) -> list[tuple[float, str]]:
        """Return the numbers with a tick, and their labels.

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

    def draw_ticks(self, sheet: Sheet, bottom: float, written: Sequence[tuple[float, str]] | None = None) -> float:
        """Draw the axis with its numbers; returns where these end."""
        sheet.line(self.left, bottom, self.right, bottom, "muted")
        y = bottom + SMALL + 4
        for number, words in self.ticks() if written is None else written:
            sheet.text(self.at(number), y, words, colour="muted", anchor="middle")
        return y

    def draw_upright(self, sheet: Sheet, left: float, right: float) -> None:
        """Draw an upright axis with lines across."""
        for number, words in self.ticks():
            y = self.at(number)
            sheet.line(left, y, right, y, "muted" if number == self.low else "grid")
            sheet.text(left - 6, y + 4, words, colour="muted", anchor="end")

    def draw_grid(self, sheet: Sheet, top: float, bottom: float, base: float | None = None) -> None:
        """Draw a line at each tick, stronger at the base."""
        for number, _ in self.ticks():
            sheet.line(self.at(number), top, self.at(number), bottom, "grid")
        if base is not None and base < self.high:
            sheet.line(self.at(base), top, self.at(base), bottom, "muted")

    def draw_captions(self, sheet: Sheet, lines: Sequence[Line], y: float) -> float:
        """Write captions of reference lines without overlaps; return the lower end."""
        rows: list[list[tuple[float, float]]] = []
        for line in lines:
            half = min(width(clean(line.text), SMALL), sheet.wide - 2 * EDGE) / 2
            x = min(max(self.at(line.number), EDGE + half), sheet.wide - EDGE - half)
            left, right = x - half - 6, x + half + 6
            free = (n for n, spans in enumerate(rows) if all(right <= start or end <= left for start, end in spans))
            level = next(free, len(rows))
            if level == len(rows):
                rows.append([])
            rows[level].append((left, right))
            at = y + (level + 1) * (SMALL + 3)
            sheet.text(x, at, line.text, colour="muted", anchor="middle", most=sheet.wide - 2 * EDGE)
        return y + len(rows) * (SMALL + 3) + (5 if rows else 0)

    def draw_lines(self, sheet: Sheet, lines: Sequence[Line], top: float, bottom: float) -> None:
        """Draw reference lines."""
        for line in lines:
            sheet.line(self.at(line.number), top - 3, self.at(line.number), bottom, "ink", dashed=True)


class Line(NamedTuple):
    """A reference number of a panel."""

    number: float
    text: str


class Columns(NamedTuple):
    """Widths of labels, numbers and notes; narrow pages put long labels above rows."""

    wide: float
    above: int  # pixels of a label above its row; 0 if labels stand at the left
    label: float
    left: float  # where the axis begins
    right: float  # where the axis ends
    number: float  # where numbers end

    @classmethod
    def over(cls, rows: Iterable[tuple[str, str, str]], wide: float) -> Columns:
        """Measure the label, the number and the note of each row."""
        columns = [*zip(*rows, strict=True)] or [(), (), ()]
        label, number, note = (
            max((width(clean(text), size) for text in texts), default=0.0)
            for texts, size in zip(columns, (BODY, BODY, SMALL), strict=True)
        )
        most = 0.34 * wide - EDGE
        above = BODY + 4 if label > most and wide < PHONE else 0
        label = wide - 2 * EDGE - 10 if above else min(label, most)
        left = EDGE + (4 if above else label + GAP)
        end = wide - EDGE - (note + 8 if note else 0)
        return cls(wide, above, label, round(left, 2), round(end - (number + GAP if number else 14), 2), end)

    def write(self, sheet: Sheet, names: Sheet, label: str, note: str, y: float, middle: float) -> None:
        """Write a row's label and note; labels above it go to `names`."""
        if self.above:
            names.text(self.left + 6, y + BODY + 1, label, BODY, rim=True, most=self.label)
        else:
            sheet.text(EDGE + self.label, middle + 4.5, label, BODY, anchor="end", most=self.label)
        if note:
            sheet.text(self.wide - EDGE, middle + 4.5, note, colour="muted", anchor="end")

    def head(self, sheet: Sheet, label: str, middle: float) -> None:
        """Write the heading of the rows that follow."""
        sheet.text(EDGE, middle + 4.5, label, BODY, bold=True, rim=True, most=self.wide - 2 * EDGE)


class Mark(NamedTuple):
    """A number in a row of points."""

    number: float  # NaN where undefined
    ends: Sequence[float] | None = None  # None without an interval
    colour: str = "accent"  # a name of the palette
    shape: str = "dot"  # `"dot"`, `"bar"` from the panel's base, or `"tick"` for a reference
    text: str = ""


class Row(NamedTuple):
    """A row of points, or without marks the heading of later rows."""

    label: str
    marks: Sequence[Mark] = ()  # the mark whose number is written, and its references
    note: str = ""


class Points(NamedTuple):
    """Points or bars with intervals along an axis."""

    title: str
    rows: Sequence[Row]
    axis: str  # what the numbers are, in which unit, and which direction is fairer
    base: float = 0.0  # where bars begin; always on the axis
    lines: Sequence[Line] = ()
    even: bool = False  # whether both sides of the base have the same length
    notes: Sequence[str] = ()

    def draw(self, sheet: Sheet, y: float, beside: Sequence[Panel]) -> float:
        """Draw the panel, see `svg.Panel`."""
        rows = [row for panel in beside if isinstance(panel, Points) for row in panel.rows if row.marks]
        columns = Columns.over(((row.label, shown(row.marks[0].number), row.note) for row in rows), sheet.wide)
        marks = [mark for row in self.rows for mark in row.marks]
        numbers = [number for mark in marks for number in (mark.number, *(mark.ends or ()))]
        numbers += [line.number for line in self.lines]
        scale = Scale.around(self.base, numbers, columns.left, columns.right, even=self.even)
        y = sheet.heading(self.title, y)
        y = top = scale.draw_captions(sheet, self.lines, y + 8)
        high = 19 if len(self.rows) > 24 else 24
        heights = [high + (columns.above if row.marks else 0) for row in self.rows]
        bottom = top + sum(heights)
        scale.draw_grid(sheet, top, bottom, self.base)
        names = Sheet(sheet.wide)
        for row, height in zip(self.rows, heights, strict=True):
            middle = y + height - high / 2
            if row.marks:
                self._row(sheet, names, row, columns, scale, y, height, middle)
            else:
                columns.head(sheet, row.label, middle)
            y += height
        scale.draw_lines(sheet, self.lines, top, bottom)
        sheet.shapes += names.shapes
        return sheet.paragraphs(scale.draw_ticks(sheet, bottom) + 2, (self.axis, *self.notes), 0)

    def described(self) -> str:
        """Describe the figures, at most a dozen."""
        rows = [f"{row.label} {shown(row.marks[0].number)}" for row in self.rows if row.marks]
        return f"{self.title} ({self.axis}): {dozen(rows)}."

    def _row(
        self, sheet: Sheet, names: Sheet, row: Row, columns: Columns, scale: Scale, y: float, high: float, middle: float
    ) -> None:
        mark, label = row.marks[0], clean(row.label)
        low, top = ends_of(mark.ends) or (None, None)
        title = f"{label}: {shown_with(mark.number, mark.ends)} {clean(row.note)}".rstrip()
        half = (high - columns.above) / 2 - (3 if len(self.rows) > 24 else 5)
        with sheet.group("row", title, label=label, number=mark.number, low=low, high=top):
            sheet.hit_area(0, y, sheet.wide, high)
            columns.write(sheet, names, row.label, row.note, y, middle)
            for each in row.marks if mark.shape == "bar" else reversed(row.marks):
                if math.isfinite(each.number):
                    self._mark(sheet, each, scale, middle, half)
            sheet.text(columns.number, middle + 4.5, shown(mark.number), BODY, anchor="end")

    def _mark(self, sheet: Sheet, mark: Mark, scale: Scale, y: float, half: float) -> None:
        x = scale.at(mark.number)
        if mark.shape == "tick":
            with sheet.group("tick", f"{clean(mark.text)}: {shown(mark.number)}"):
                sheet.line(x, y - half - 1, x, y + half + 1, "surface", broad=5)
                sheet.line(x, y - half - 1, x, y + half + 1, "ink", broad=2)
            return
        if mark.shape == "bar":
            base = scale.at(self.base)
            sheet.rect(min(x, base), y - half, max(abs(x - base), 1), 2 * half, mark.colour, corner=1.5)
        if ends := ends_of(mark.ends):
            low, high = map(scale.at, ends)
            strokes = [(low, y, high, y), *((end, y - 4, end, y + 4) for end in (low, high))]
            if mark.shape == "bar":  # a rim, so that the interval is visible on the bar
                for stroke in strokes:
                    sheet.line(*stroke, "surface", broad=4)
            for stroke in strokes:
                sheet.line(*stroke, "ink" if mark.shape == "bar" else mark.colour, broad=1.5)
        if mark.shape == "dot":
            sheet.dot(x, y, mark.colour, 5)


class Part(NamedTuple):
    """A part of each group of bars."""

    name: str
    colour: str  # a name of the palette
    hatching: str = ""  # a key of `HATCHINGS`


class Group(NamedTuple):
    """One or more bars, or without numbers the heading of later groups."""

    name: str
    numbers: Sequence[float] = ()  # one a part; NaN where undefined
    note: str = ""


_SWATCH = 14
# Pixels of a bar beside others, and of a row with one bar that its parts fill
_THIN, _FILLED = 9, 28


def distinct_parts(names: Sequence[str]) -> list[Part]:
    """Return parts of different colours or hatchings.

    Example:
        >>> distinct_parts(["a", "b"])
        [Part(name='a', colour='v1', hatching=''), Part(name='b', colour='v2', hatching='')]
    """
    n, ways = len(VALUES), list(HATCHINGS)
    return [Part(name, VALUES[place % n], ways[place // n % len(ways)]) for place, name in enumerate(names)]


class Bars(NamedTuple):
    """Groups of bars, side by side or stacked to a whole."""

    title: str
    parts: Sequence[Part]
    groups: Sequence[Group]  # filled: numbers add up to 1, or to less
    axis: str
    filled: bool = False
    base: float = 0.0
    even: bool = False
    notes: Sequence[str] = ()

    def draw(self, sheet: Sheet, y: float, beside: Sequence[Panel]) -> float:
        """Draw the panel, see `svg.Panel`."""
        columns = Columns.over(((group.name, "", group.note) for group in self.groups if group.numbers), sheet.wide)
        y = top = self._legend(sheet, sheet.heading(self.title, y))
        if self.filled:
            scale = Scale(0.0, 1.0, 0.25, columns.left, columns.right)
        else:
            numbers = [number for group in self.groups for number in group.numbers]
            scale = Scale.around(self.base, numbers, columns.left, columns.right, even=self.even)
        highs = [_FILLED if self.filled else max(_THIN * len(group.numbers), 10) + 10 for group in self.groups]
        above = [columns.above if group.numbers else 0 for group in self.groups]
        bottom = top + sum(highs) + sum(above)
        scale.draw_grid(sheet, top, bottom, None if self.filled else self.base)
        names = Sheet(sheet.wide)
        for group, high, more in zip(self.groups, highs, above, strict=True):
            middle = y + more + high / 2
            if group.numbers:
                columns.write(sheet, names, group.name, group.note, y, middle)
                (self._one if self.filled else self._several)(sheet, group, scale, middle)
            else:
                columns.head(sheet, group.name, middle)
            y += high + more
        sheet.shapes += names.shapes
        shares = [(0.0, "0%"), (0.5, "50%"), (1.0, "100%")] if self.filled else None
        return sheet.paragraphs(scale.draw_ticks(sheet, bottom, shares), (self.axis, *self.notes))

    def described(self) -> str:
        """Describe the numbers of each group, at most a dozen groups."""
        rows = []
        for group in self.groups:
            numbers = [_percent(number) if self.filled else shown(number) for number in group.numbers]
            pairs = zip(self.parts, numbers, strict=bool(numbers))
            if numbers:
                rows.append(f"{group.name}: {', '.join(f'{part.name} {words}' for part, words in pairs)}")
        return f"{self.title} ({self.axis}): {dozen(rows, '; ')}."

    def _legend(self, sheet: Sheet, y: float) -> float:
        """Write the names of the parts below `y`; return the lower end."""
        x = float(EDGE)
        y += 6 + _SWATCH
        for part in self.parts:
            most = sheet.wide - 2 * EDGE - _SWATCH - 6
            long = _SWATCH + 6 + min(width(clean(part.name), SMALL), most)
            if x > EDGE and x + long > sheet.wide - EDGE:
                x, y = float(EDGE), y + _SWATCH + 6
            _block(sheet, part, x, y - _SWATCH + 2, _SWATCH, _SWATCH)
            sheet.text(x + _SWATCH + 6, y, part.name, most=most)
            x += long + 16
        return y + 8

    def _several(self, sheet: Sheet, group: Group, scale: Scale, middle: float) -> None:
        base, name = scale.at(self.base), clean(group.name)
        y = middle - _THIN * len(group.numbers) / 2
        for place, (part, number) in enumerate(zip(self.parts, group.numbers, strict=True)):
            title = f"{name}, {clean(part.name)}: {shown(number)}"
            with sheet.group("bar", title, label=name, name=clean(part.name), number=number):
                if math.isfinite(number):
                    x = scale.at(number)
                    # A number equal to the base is a thin line, unlike an undefined one.
                    long = max(abs(x - base), 1.5) + 1
                    _block(sheet, part, min(x, base), y + place * _THIN, long, _THIN - 1)

    def _one(self, sheet: Sheet, group: Group, scale: Scale, y: float) -> None:
        start, name = 0.0, clean(group.name)
        for part, share in zip(self.parts, group.numbers, strict=True):
            if not math.isfinite(share):
                continue
            left, right = scale.at(start), scale.at(min(start + share, 1.0))
            start += share
            words = _percent(share)
            title = f"{name}, {clean(part.name)}: {words}"
            with sheet.group("part", title, label=name, name=clean(part.name), number=share):
                if right > left:
                    _block(sheet, part, left, y - 10, right - left, 20)
                room = width(words, SMALL)
                if right - left > room + 10:
                    middle = round((left + right) / 2, 2)
                    sheet.rect(round(middle - room / 2, 2), y - 7, room, 14, "surface", corner=2)
                    sheet.text(middle, y + 4.5, words, anchor="middle")


def _percent(share: float) -> str:
    return "undefined" if math.isnan(share) else f"{100 * share:.1f}%" if 0 < share < 0.1 else f"{100 * share:.0f}%"


def _block(sheet: Sheet, part: Part, x: float, y: float, wide: float, high: float) -> None:
    """Draw a rectangle in the colour and hatching of a part."""
    wide = round(max(wide - 1, 0.5), 2)
    sheet.rect(x, y, wide, high, part.colour)
    if part.colour == "grid":
        sheet.path(f"M{x + 0.5:g} {y + 0.5:g}h{wide - 1:g}v{high - 1}h{1 - wide:g}Z", "muted")
    if way := HATCHINGS[part.hatching](x, y, wide, high):
        sheet.path(way, "surface", broad=1.5)


def _slanted(x: float, y: float, wide: float, high: float, *, rising: bool) -> str:
    """Return lines at 45 degrees within a rectangle."""
    ways = []
    offset = 3.5
    while offset < wide + high:
        # From the left or the lower side to the upper or the right one.
        x1, y1 = (0.0, offset) if offset <= high else (offset - high, high)
        x2, y2 = (offset, 0.0) if offset <= wide else (wide, offset - wide)
        if not rising:
            y1, y2 = high - y1, high - y2
        ways.append(f"M{x + x1:.6g} {y + y1:.6g}L{x + x2:.6g} {y + y2:.6g}")
        offset += 7.0
    return "".join(ways)


def _level(x: float, y: float, wide: float, high: float) -> str:
    return "".join(f"M{x:.6g} {y + 5 * (n + 0.5):.6g}h{wide:.6g}" for n in range(int(high / 5 + 0.5)))


def _upright(x: float, y: float, wide: float, high: float) -> str:
    return "".join(f"M{x + 6 * (n + 0.5):.6g} {y:.6g}v{high:.6g}" for n in range(int(wide / 6 + 0.5)))


# Name of a hatching -> function of x, y, width and height that returns its path
HATCHINGS: dict[str, Callable[[float, float, float, float], str]] = {
    "": lambda *area: "",
    "rising": lambda *area: _slanted(*area, rising=True),
    "falling": lambda *area: _slanted(*area, rising=False),
    "level": _level,
    "upright": _upright,
}


class Point(NamedTuple):
    """A point of a curve."""

    x: float
    y: float  # NaN leaves a gap
    ends: Sequence[float] | None = None  # interval of `y`; None without one

    @property
    def is_defined(self) -> bool:
        """True if the point can be drawn."""
        return math.isfinite(self.x) and math.isfinite(self.y)


class Curve(NamedTuple):
    """A line."""

    name: str
    points: Sequence[Point]  # from left to right
    colour: str = "accent"  # a name of the palette
    steps: bool = False  # whether `y` stays the same up to the next point

    @property
    def defined(self) -> list[Point]:
        """Points that can be drawn."""
        return [point for point in self.points if point.is_defined]

    def runs(self, *, band: bool = False) -> Iterator[list[Point]]:
        """Yield runs of points without gaps; for bands only those with intervals."""
        run: list[Point] = []
        for point in self.points:
            if point.is_defined and not (band and ends_of(point.ends) is None):
                run.append(point)
            elif run:
                yield run
                run = []
        if run:
            yield run


class Curves(NamedTuple):
    """Lines over a continuous axis, with bands for intervals."""

    title: str
    curves: Sequence[Curve]  # each is drawn over those that follow it
    axis: str  # what is below, and which direction is fairer
    upright: str  # what the upright axis is
    lines: Sequence[Line] = ()  # upright reference lines
    notes: Sequence[str] = ()
    base: float = 0.0  # always on the upright axis

    def draw(self, sheet: Sheet, y: float, beside: Sequence[Panel]) -> float:
        """Draw the panel, see `svg.Panel`."""
        y = sheet.heading(self.title, y)
        curves = [curve for curve in self.curves if curve.defined]
        if not curves:
            return sheet.paragraphs(y, ["No point is defined."], 0)
        y = sheet.paragraphs(y, [self.upright], 0)
        room = min(max(width(clean(curve.name), BODY) for curve in curves), 0.28 * sheet.wide)
        points = [point for curve in curves for point in curve.defined]
        numbers = [self.base, *(point.y for point in points)]
        numbers += [end for point in points for end in ends_of(point.ends) or ()]
        right = round(sheet.wide - EDGE - room - GAP, 2)
        # The left end of the axis is wherever the numbers of the upright one end.
        high = 190 if sheet.wide < PHONE else 240
        written = max(width(words, SMALL) for _, words in Scale.over(numbers, high, 0, apart=40).ticks())
        over = [point.x for point in points] + [line.number for line in self.lines]
        scale = Scale.over(over, round(EDGE + written + 8, 2), right, apart=56)
        top = scale.draw_captions(sheet, self.lines, y + 8) + 6
        upright = Scale.over(numbers, top + high, top, apart=40)
        upright.draw_upright(sheet, scale.left, scale.right)
        scale.draw_grid(sheet, top, top + high)
        scale.draw_lines(sheet, self.lines, top, top + high)
        for curve in curves:
            for run in curve.runs(band=True):
                highs, lows = ([(point.x, point.ends[end]) for point in run if point.ends] for end in (1, 0))
                way = [*_places(highs, scale, upright, curve.steps), *_places(lows, scale, upright, curve.steps)[::-1]]
                sheet.band(f"M{'L'.join(way)}Z", curve.colour)
        for curve in reversed(curves):
            _draw_curve(sheet, curve, scale, upright)
        _draw_names(sheet, curves, scale, upright, room)
        return sheet.paragraphs(scale.draw_ticks(sheet, top + high), (self.axis, *self.notes))

    def described(self) -> str:
        """Describe where each line begins and ends, at most a dozen."""
        lines = []
        for curve in self.curves:
            points = curve.defined
            ends = [f"{shown(point.y)} at {point.x:g}" for point in (*points[:1], *points[-1:])]
            lines.append(f"{curve.name} from {' to '.join(ends)}" if points else f"{curve.name} undefined")
        return f"{self.title} ({self.upright} over {self.axis}): {dozen(lines, '; ')}."


def _places(points: Sequence[tuple[float, float]], scale: Scale, upright: Scale, steps: bool) -> list[str]:
    """Return the pixels of a line through points."""
    places: list[str] = []
    for (_, before), (x, y) in pairwise([points[0], *points]):
        if steps and places:
            places.append(f"{scale.at(x):g} {upright.at(before):g}")
        places.append(f"{scale.at(x):g} {upright.at(y):g}")
    return places


def _draw_curve(sheet: Sheet, curve: Curve, scale: Scale, upright: Scale) -> None:
    name, points = clean(curve.name), curve.defined
    xs, ys = (" ".join(f"{point[axis]:g}" for point in points) for axis in (0, 1))
    dashes = next((stroke.dashes for stroke in PATTERNS.get(curve.colour, ()) if stroke.dashes), ())
    with sheet.group("curve", name, name=name, x=xs, y=ys):
        for run in curve.runs():
            way = "L".join(_places([(point.x, point.y) for point in run], scale, upright, curve.steps))
            sheet.path(f"M{way}", curve.colour, broad=2, dashes=dashes)
        for point in points if len(points) <= 16 else ():
            title = f"{name}, {point.x:g}: {shown_with(point.y, point.ends)}"
            sheet.dot(scale.at(point.x), upright.at(point.y), curve.colour, 4, title)


def _draw_names(sheet: Sheet, curves: Sequence[Curve], scale: Scale, upright: Scale, room: float) -> None:
    """Write the name of each line at its end, without overlaps."""
    lasts = ((curve.defined[-1], curve) for curve in curves)
    wanted = sorted((upright.at(last.y), scale.at(last.x), curve) for last, curve in lasts)
    top, bottom = upright.right, upright.left - 4  # clear of the numbers below
    apart = min(BODY + 3, (bottom - top) / max(len(wanted) - 1, 1))
    places: list[float] = []
    for y, _, _ in wanted:
        places.append(max(y, places[-1] + apart if places else top))
    lowest = bottom
    for place in reversed(range(len(places))):
        places[place] = min(places[place], lowest)
        lowest = places[place] - apart
    for (y, x, curve), at in zip(wanted, places, strict=True):
        sheet.line(x + 5, y, scale.right + 9, at, curve.colour)
        sheet.text(scale.right + GAP, at + 4.5, curve.name, BODY, most=room)


class Bin(NamedTuple):
    """A half-open range of numbers, and its count."""

    low: float
    high: float  # belongs to the next bin, except in the last one
    n: int


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


# Bins between the smallest and the largest number
_BINS = 32
# Pixels of the numbers of an upright axis
_AXIS = 46


def _edges(numbers: Sequence[float]) -> tuple[float, float, int]:
    """Return the lowest end, the width and the number of bins."""
    least, most = min(numbers), max(numbers)
    # Scores that are all 0 or 1 are no counts: two bins as wide as the whole range would show nothing.
    if all(number == int(number) for number in numbers) and most - least != 1 and most - least < _BINS:
        return least, 1.0, int(most - least) + 1
    if least == most:
        least, most = min(least, 0.0), max(most, 0.0)
    step = rounded_step((most - least) / _BINS)
    first, last = math.floor(least / step + 1e-9), math.ceil(most / step - 1e-9)
    return float(f"{first * step:.12g}"), step, max(last - first, 1)


class Distribution(NamedTuple):
    """The numbers of a group."""

    name: str
    numbers: Sequence[float]  # one a sample; those that are not finite are left out
    colour: str = "accent"  # a name of the palette


class Histogram(NamedTuple):
    """Distributions of groups on a common axis, as fractions."""

    title: str
    groups: Sequence[Distribution]
    axis: str  # what the numbers are, and which direction is fairer
    lines: Sequence[Line] = ()
    notes: Sequence[str] = ()
    most: float | None = None  # larger numbers stand in the last bin; None without an end

    def draw(self, sheet: Sheet, y: float, beside: Sequence[Panel]) -> float:
        """Draw the panel, see `svg.Panel`."""
        y = sheet.heading(self.title, y)
        finite = [self._finite(group) for group in self.groups]
        if not any(finite):
            return sheet.paragraphs(y, ["No sample has a number."], 0)
        low, step, n = _edges([number for numbers in finite for number in numbers])
        counted = [bins(numbers, low, step, n) for numbers in finite]
        most = max(each.n / max(len(held), 1) for found, held in zip(counted, finite, strict=True) for each in found)
        ends = [low, counted[0][-1].high, *(line.number for line in self.lines)]
        scale = Scale.over(ends, EDGE + _AXIS, sheet.wide - EDGE - _AXIS / 3, apart=64)
        high = 72 if len(self.groups) <= 4 else 52 if len(self.groups) <= 8 else 30
        top = y = scale.draw_captions(sheet, self.lines, y + 8)
        names = Sheet(sheet.wide)  # above the reference lines
        for group, numbers, found in zip(self.groups, finite, counted, strict=True):
            y = self._name(names, group.name, _counted(numbers), y)
            upright = Scale.over([0.0, most], y + high, y, apart=high // 4)
            self._bars(sheet, group, found, len(numbers), scale, upright)
            if numbers:
                x = scale.at(min(median(numbers), found[-1].high))
                for colour, broad in (("surface", 5), ("ink", 2)):
                    sheet.line(x, upright.left, x, upright.left - 12, colour, broad=broad)
            y += high + 8
        y -= 8
        scale.draw_lines(sheet, self.lines, top, y)
        sheet.shapes += names.shapes
        is_cut = any(self._end < number < math.inf for group in self.groups for number in group.numbers)
        last = f"; the last bin also holds what is above {self.most:g}" if is_cut else ""
        upright_axis = "Upright: fraction of the group's samples. The upright mark: their median."
        return sheet.paragraphs(scale.draw_ticks(sheet, y), (f"{self.axis}{last}", upright_axis, *self.notes))

    def described(self) -> str:
        """Describe the size and the median of each group, at most twelve."""
        groups = [f"{group.name} {_counted(self._finite(group))}" for group in self.groups]
        return f"{self.title} ({self.axis}): {dozen(groups, '; ') or 'no numbers'}."

    @property
    def _end(self) -> float:
        return math.inf if self.most is None else self.most

    def _finite(self, group: Distribution) -> list[float]:
        return [min(number, self._end) for number in group.numbers if math.isfinite(number)]

    def _name(self, sheet: Sheet, name: str, counts: str, y: float) -> float:
        y += BODY + 2
        most = sheet.wide - 2 * EDGE - width(counts, SMALL) - 12
        sheet.text(EDGE, y, name, BODY, bold=True, rim=True, most=most)
        sheet.text(sheet.wide - EDGE, y, counts, colour="muted", anchor="end", rim=True)
        return y + 12

    def _bars(
        self, sheet: Sheet, group: Distribution, found: Sequence[Bin], n: int, scale: Scale, upright: Scale
    ) -> None:
        for number, colour in ((upright.high, "grid"), (upright.low, "muted")):
            sheet.line(scale.left, upright.at(number), scale.right, upright.at(number), colour)
            words = f"{100 * number:.3g}%"
            sheet.text(scale.left - 6, upright.at(number) + 4, words, colour="muted", anchor="end")
        name = clean(group.name)
        for low, high, n_here in found:
            share = n_here / max(n, 1)
            left, right = scale.at(low), scale.at(high)
            title = f"{name}, {low:g} to {high:g}: {n_here:,} ({100 * share:.1f}%)"
            with sheet.group("bin", title, name=name, low=low, high=high, count=n_here):
                sheet.hit_area(left, upright.right, right - left, upright.left - upright.right)
                if n_here:
                    top = min(upright.at(share), upright.left - 1.5)
                    sheet.rect(left + 0.5, top, max(right - left - 1, 1), upright.left - top, group.colour)


def _counted(numbers: Sequence[float]) -> str:
    return f"n = {len(numbers):,}, median {shown(median(numbers))}" if numbers else "n = 0"


# Colour and strength of a cell
_Shade: TypeAlias = tuple[str, float]
# Strength of the colour of the largest number of a heat map; any number is readable on it
STRENGTH = 0.45
# Pixels of a row of a heat map
_HIGH = 24


class Heat(NamedTuple):
    """A table of numbers, with dark cells for large ones."""

    title: str
    rows: Sequence[str]  # names, from top to bottom
    columns: Sequence[str]  # names, from left to right
    numbers: Sequence[Sequence[float | None]]  # NaN: undefined; None: an empty cell
    axis: str  # what the numbers are, and which direction is fairer
    written: Callable[[float], str] = "{:.2f}".format
    framed: Sequence[Sequence[bool]] = ()  # whether each cell has a frame; empty for none
    notes: Sequence[str] = ()
    most: float | None = None  # size of the darkest number; None for the largest one
    texts: Sequence[Sequence[str]] = ()  # texts of the cells; empty for the numbers
    signed: bool = False  # two colours by sign, also if no number is below zero
    named: bool = False  # names above the columns, also if they are those of the rows

    def draw(self, sheet: Sheet, y: float, beside: Sequence[Panel]) -> float:
        """Draw the panel, see `svg.Panel`; columns that do not fit follow below."""
        y = sheet.heading(self.title, y)
        if not (self.rows and self.columns):
            return sheet.paragraphs(y, ["There is nothing to compare."], 0)
        wide = sheet.wide
        label = max(width(name, BODY) for name in self._row_names())
        widest = (0.34 if wide >= PHONE else 0.3) * wide - EDGE
        above = BODY + 3 if label > widest and wide < PHONE else 0
        label = wide - 2 * EDGE if above else min(label, widest)
        left = EDGE + (0.0 if above else round(label + GAP, 2))
        places = [(row, column) for row in range(len(self.rows)) for column in range(len(self.columns))]
        cell = max(width(self._words(*place), SMALL) for place in places) + 6
        at_once = max(int((wide - EDGE - left) // cell), 1)
        at_once = math.ceil(len(self.columns) / math.ceil(len(self.columns) / at_once))
        cell = min((wide - EDGE - left) / at_once, 96)
        heads, shading = self._heads(cell), self._shading()
        for first in range(0, len(self.columns), at_once):
            columns = range(first, min(first + at_once, len(self.columns)))
            y = self._block(sheet, y + 4, columns, heads, shading, left, cell, label, above)
        unknown = any(number is not None and not math.isfinite(number) for row in self.numbers for number in row)
        is_numbered = not self._is_square and heads[-1] == [str(len(self.columns))]
        legend = [", ".join(f"{place}: {name}" for place, name in enumerate(self.columns, start=1))] * is_numbered
        return sheet.paragraphs(y, (self.axis, *legend, *["?: undefined"] * unknown, *self.notes))

    def described(self) -> str:
        """Describe the largest number of each row, at most a dozen rows."""
        rows = []
        for name, numbers in zip(self.rows, self.numbers, strict=True):
            pairs = zip(numbers, self.columns, strict=True)
            known = [(number, column) for number, column in pairs if number is not None and math.isfinite(number)]
            largest = max(known, key=lambda pair: abs(pair[0]), default=None)
            rows.append(f"{name} {self.written(largest[0])} ({largest[1]})" if largest else f"{name} none")
        return f"{self.title} ({self.axis}), the largest of each row: {dozen(rows)}."

    @property
    def _is_square(self) -> bool:
        """True if rows and columns are the same."""
        return not self.named and list(self.rows) == list(self.columns)

    def _row_names(self) -> list[str]:
        names = [clean(name) for name in self.rows]
        return [f"{place} {name}" for place, name in enumerate(names, start=1)] if self._is_square else names

    def _heads(self, cell: float) -> list[list[str]]:
        """Return column names in lines that fit, or else numbers."""
        names = [clean(name).replace("_", " ") for name in self.columns]
        lines = [wrapped(name, SMALL, cell - 4, 2) for name in names]
        if not self._is_square and all(" ".join(line) == name for line, name in zip(lines, names, strict=True)):
            return lines
        return [[str(place)] for place in range(1, len(self.columns) + 1)]

    def _words(self, row: int, column: int) -> str:
        number = self.numbers[row][column]
        if number is None:
            return ""
        if not math.isfinite(number):
            return "?"
        if self.texts:
            return clean(self.texts[row][column])
        words = self.written(number)
        return words.replace("-", "−") if set(words) & set("123456789") else words.lstrip("-")  # no sign before 0.00

    def _shading(self) -> Callable[[float], _Shade]:
        """Return the function of a number that gives its colour and strength."""
        known = [number for row in self.numbers for number in row if number is not None and math.isfinite(number)]
        most = self.most or max(map(abs, known), default=1.0) or 1.0
        signed = self.signed or any(number < 0 for number in known)

        def shade(number: float) -> tuple[str, float]:
            if not math.isfinite(number):
                return "grid", 0.5
            colour = "accent" if not signed else "plus" if number >= 0 else "minus"
            return colour, round(min(abs(number) / most, 1) * STRENGTH, 3)

        return shade

    def _block(
        self,
        sheet: Sheet,
        y: float,
        columns: range,
        heads: Sequence[Sequence[str]],
        shading: Callable[[float], _Shade],
        left: float,
        cell: float,
        label: float,
        above: int,
    ) -> float:
        high = max(len(heads[column]) for column in columns)
        for place, column in enumerate(columns):
            lines = heads[column]
            for level, words in enumerate(lines, start=high - len(lines) + 1):
                x = left + (place + 0.5) * cell
                sheet.text(x, y + level * (SMALL + 3), words, colour="muted", anchor="middle")
        y += high * (SMALL + 3) + 6
        for row, name in enumerate(self._row_names()):
            if above:
                sheet.text(EDGE, y + BODY, name, BODY, most=label)
            else:
                sheet.text(EDGE + label, y + _HIGH / 2 + 4.5, name, BODY, anchor="end", most=label)
            y += above
            for place, column in enumerate(columns):
                number = self.numbers[row][column]
                if number is not None:
                    self._cell(sheet, row, column, number, round(left + place * cell, 2), y, cell, shading(number))
            y += _HIGH
        return y

    def _cell(
        self, sheet: Sheet, row: int, column: int, number: float, x: float, y: float, wide: float, shade: _Shade
    ) -> None:
        words, names = self._words(row, column), (clean(self.rows[row]), clean(self.columns[column]))
        title = f"{names[0]}, {names[1]}: {words if math.isfinite(number) else 'undefined'}"
        with sheet.group("cell", title, row=names[0], column=names[1], number=number):
            sheet.rect(x + 1, y + 1, wide - 2, _HIGH - 2, shade[0], corner=2, strength=shade[1])
            if self.framed and self.framed[row][column]:
                sheet.path(f"M{x + 2:g} {y + 2}h{wide - 4:g}v{_HIGH - 4}h{4 - wide:g}Z", "ink", broad=1.5)
            sheet.text(x + wide / 2, y + _HIGH / 2 + 4.5, words, anchor="middle", most=wide - 4)
