"""Five kinds of charts, drawn with matplotlib: `Points`, `Bars`, `Curves`, `Histogram` and `Heat`.

Each has a `title`, a `height` in inches, and `draw`, which draws it on matplotlib's axes.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from wcwidth import wcswidth

from fairsum_utils.reports.lettering import (
    clean,
    color,
    cut,
    head,
    label_axis,
    left_out,
    letters_above,
    name_rows,
    shown,
    span_axis,
    wrapped,
)
from fairsum_utils.reports.theme import VALUES

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes

# Rows that are drawn of a chart; tables have all
MOST = 200
# Inches of a row
_ROW = 0.23


class Panel(Protocol):
    """One chart of a figure."""

    @property
    def title(self) -> str:
        """Title above the chart."""

    @property
    def height(self) -> float:
        """Height of the axes in inches."""

    def draw(self, axes: Axes) -> None:
        """Draw the chart on axes."""


class Drawing(NamedTuple):
    """Title, charts and sentences of a figure."""

    title: str
    panels: Sequence[Panel]
    below: Sequence[str] = ()  # sentences
    main: Panel | None = None  # the chart for axes of a user

    @property
    def alone(self) -> Panel | None:
        """Chart for axes of a user; None without one."""
        return self.panels[0] if self.main is None and len(self.panels) == 1 else self.main


class Line(NamedTuple):
    """A reference number of a chart."""

    number: float
    text: str

    def draw(self, axes: Axes, place: int) -> tuple[Artist, str]:
        """Draw a broken line; returns its entry in the legend."""
        style = ("--", ":", "-.")[place % 3]
        return axes.axvline(self.number, color=color("ink"), linewidth=1, linestyle=style), self.text


class Mark(NamedTuple):
    """A number in a row of points."""

    number: float  # NaN where undefined
    ends: Sequence[float] | None = None  # None without an interval
    color: str = "accent"  # a name of the palette
    shape: str = "dot"  # `"dot"`, `"bar"` from the chart's base, or `"tick"` for a reference
    text: str = ""


class Row(NamedTuple):
    """A row of points or a bar; without marks, a heading."""

    label: str
    marks: Sequence[Mark] = ()  # the mark whose number is written, and its references
    note: str = ""


class Points(NamedTuple):
    """Points or bars with intervals along an axis."""

    title: str
    rows: Sequence[Row]
    axis: str  # meaning and unit of the numbers, and the fairer direction
    base: float = 0.0  # where bars begin; always on the axis
    lines: Sequence[Line] = ()
    even: bool = False  # True if both sides of the base have the same length
    notes: Sequence[str] = ()

    @property
    def height(self) -> float:
        """Height of the axes in inches."""
        return _ROW * (min(len(self.rows), MOST) + 0.5)

    def draw(self, axes: Axes) -> None:
        """Draw a row for each number."""
        rows = self.rows[:MOST]
        marks = [(place, mark) for place, row in enumerate(rows) for mark in row.marks if math.isfinite(mark.number)]
        bars, dots = ([(place, mark) for place, mark in marks if mark.shape == shape] for shape in ("bar", "dot"))
        if bars:
            colors = [color(mark.color) for _, mark in bars]
            lengths = [mark.number - self.base for _, mark in bars]
            axes.barh([place for place, _ in bars], lengths, 0.7, self.base, color=colors)
        if dots:
            numbers = [mark.number for _, mark in dots]
            axes.plot(numbers, [place for place, _ in dots], "o", color=color(dots[0][1].color))
        ends = [end for place, mark in marks for end in _intervals(axes, place, mark)]
        entries = [line.draw(axes, place) for place, line in enumerate(self.lines)] + _ticks(axes, marks)
        numbers = [*(mark.number for _, mark in marks), *ends, *(line.number for line in self.lines)]
        span_axis(axes, self.base, numbers, even=self.even)
        beside = [", ".join(filter(None, [*(shown(mark.number) for mark in row.marks[:1]), row.note])) for row in rows]
        name_rows(axes, [row.label for row in rows], beside, [not row.marks for row in rows])
        head(axes, self.title, entries)
        label_axis(axes, [self.axis, *self.notes, left_out(rows, self.rows, "rows")])


def _intervals(axes: Axes, place: int, mark: Mark) -> Sequence[float]:
    """Draw the interval of a mark, if it has one; returns its ends."""
    if mark.ends is None or not all(map(math.isfinite, mark.ends)):
        return ()
    low, high = mark.ends
    line = color("ink" if mark.shape == "bar" else mark.color)
    axes.errorbar((low + high) / 2, place, xerr=(high - low) / 2, fmt="none", ecolor=line, elinewidth=1.2, capsize=3)
    return low, high


def _ticks(axes: Axes, marks: Sequence[tuple[int, Mark]]) -> list[tuple[Artist, str]]:
    """Draw upright marks, those of one text alike; returns their entries in the legend."""
    entries: list[tuple[Artist, str]] = []
    found = [(place, mark) for place, mark in marks if mark.shape == "tick"]
    for text in dict.fromkeys(mark.text for _, mark in found):
        numbers, places = zip(*((mark.number, place) for place, mark in found if mark.text == text), strict=True)
        drawn = axes.plot(numbers, places, "|", color=color("ink"), markersize=11, markeredgewidth=2)
        entries.append((drawn[0], text))
    return entries


class Part(NamedTuple):
    """A part of each group of bars."""

    name: str
    color: str  # a name of the palette
    hatching: str = ""  # pattern of matplotlib, for print and for readers who do not see colors


class Bars(NamedTuple):
    """Bars of parts of a whole."""

    title: str
    parts: Sequence[Part]
    rows: Sequence[Row]  # a mark for each part; their numbers add up to 1, or to less
    axis: str
    notes: Sequence[str] = ()

    @property
    def height(self) -> float:
        """Height of the axes in inches."""
        return _ROW * sum(1.2 if row.marks else 1 for row in self.rows[:MOST]) + 0.1

    def draw(self, axes: Axes) -> None:
        """Draw the parts of each row."""
        rows = self.rows[:MOST]
        starts, entries = [0.0] * len(rows), list[tuple[Any, str]]()
        box = {"facecolor": color("surface"), "edgecolor": "none", "pad": 1}
        for place, part in enumerate(self.parts):
            numbers = [row.marks[place].number if row.marks else math.nan for row in rows]
            edge = color("muted" if part.color == "grid" else "surface")
            style: dict[str, Any] = {"color": color(part.color), "hatch": part.hatching, "edgecolor": edge}
            bars = axes.barh(range(len(rows)), numbers, 0.75, starts, **style)
            texts = [_percent(number) if number >= 0.08 else "" for number in numbers]
            axes.bar_label(bars, texts, label_type="center", fontsize="small", bbox=box)
            starts = [start + (0 if math.isnan(n) else n) for start, n in zip(starts, numbers, strict=True)]
            entries.append((bars, part.name))
        axes.set_xlim(0, 1)
        axes.set_xticks([0, 0.5, 1], ["0%", "50%", "100%"])
        name_rows(axes, [row.label for row in rows], [row.note for row in rows], [not row.marks for row in rows])
        head(axes, self.title, entries)
        label_axis(axes, [self.axis, *self.notes, left_out(rows, self.rows, "bars")])


def _percent(share: float) -> str:
    return f"{100 * share:.1f}%" if 0 < share < 0.1 else f"{100 * share:.0f}%"


class Point(NamedTuple):
    """A point of a curve."""

    x: float
    y: float  # NaN leaves a gap
    ends: Sequence[float] | None = None  # interval of `y`; None without one


class Curve(NamedTuple):
    """A line."""

    name: str
    points: Sequence[Point]  # from left to right
    color: str = "accent"  # a name of the palette


class Curves(NamedTuple):
    """Lines over a continuous axis, with bands for intervals."""

    title: str
    curves: Sequence[Curve]  # each is drawn over those that follow it
    axis: str  # label of the lower axis, and the fairer direction
    upright: str  # label of the upright axis
    lines: Sequence[Line] = ()  # upright reference lines
    notes: Sequence[str] = ()

    @property
    def height(self) -> float:
        """Height of the axes in inches."""
        return 2.4

    def draw(self, axes: Axes) -> None:
        """Draw the lines, and a legend with their names."""
        entries: list[tuple[Artist, str]] = []
        curves = self.curves[: len(VALUES) + 1]
        for place, curve in enumerate(curves):
            way: dict[str, Any] = {"color": color(curve.color), "zorder": 3 - place / 100}
            xs, ys = [point.x for point in curve.points], [point.y for point in curve.points]
            marker, dashes = "o" if len(xs) < 20 else "", ("-", "--", ":", "-.")[place % 4]
            [line] = axes.plot(xs, ys, linestyle=dashes, marker=marker, markersize=4, **way)
            entries.append((line, curve.name))
            ends = [point.ends or (math.nan, math.nan) for point in curve.points]
            if any(math.isfinite(low) for low, _ in ends):
                lows, highs = zip(*ends, strict=True)
                axes.fill_between(xs, lows, highs, alpha=0.16, lw=0, **way)
        axes.axhline(0, color=color("muted"), linewidth=0.8)
        axes.grid(axis="both")
        entries += [line.draw(axes, place) for place, line in enumerate(self.lines)]
        axes.set_ylabel(wrapped(self.upright, 36))
        head(axes, self.title, entries)
        label_axis(axes, [self.axis, *self.notes, left_out(curves, self.curves, "curves")])


# Bins between the smallest and the largest number
_BINS = 32


class Distribution(NamedTuple):
    """The numbers of a group."""

    name: str
    numbers: Sequence[float]  # one a sample; those that are not finite are left out
    color: str = "accent"  # a name of the palette


class Histogram(NamedTuple):
    """Distributions of groups on a common axis, one above the other."""

    title: str
    groups: Sequence[Distribution]
    axis: str  # meaning of the numbers, and the fairer direction
    lines: Sequence[Line] = ()
    notes: Sequence[str] = ()
    most: float = math.inf  # larger numbers stand in the last bin

    @property
    def height(self) -> float:
        """Height of the axes in inches."""
        return max(min(len(self.groups), MOST), 1) * (
            0.7 if len(self.groups) <= 4 else 0.5 if len(self.groups) <= 8 else 0.3
        )

    def finite(self) -> list[list[float]]:
        """Return the numbers of each group that are drawn."""
        groups = self.groups[:MOST]
        return [[min(number, self.most) for number in group.numbers if math.isfinite(number)] for group in groups]

    def draw(self, axes: Axes) -> None:
        """Draw the distribution of each group, with a mark at its median."""
        finite = self.finite()
        edges = bin_edges([number for numbers in finite for number in numbers])
        shares = [[n / max(len(numbers), 1) for n in counted(numbers, edges)] for numbers in finite]
        highest = max((share for of_group in shares for share in of_group), default=0.0) or 1.0
        for place, (group, of_group) in enumerate(zip(self.groups, shares, strict=False)):
            # The axis points down, from the first group to the last one.
            tops = [place + 0.4 - 0.8 * share / highest for share in of_group]
            axes.stairs(tops, edges, baseline=place + 0.4, fill=True, color=color(group.color))
        found = ((place, numbers) for place, numbers in enumerate(finite) if numbers)
        middles = [(place, Mark(median(numbers), shape="tick", text="median")) for place, numbers in found]
        entries = [line.draw(axes, place) for place, line in enumerate(self.lines)] + _ticks(axes, middles)
        beside = [f"n = {len(each):,}" + (f", median {shown(median(each))}" if each else "") for each in finite]
        name_rows(axes, [group.name for group in self.groups[:MOST]], beside)
        head(axes, self.title, entries)
        is_cut = any(self.most < number < math.inf for group in self.groups for number in group.numbers)
        last = f"; the last bin also holds what is above {self.most:g}" if is_cut else ""
        upright = f"Height: fraction of a group's samples; the highest bar is {_percent(highest)}"
        label_axis(axes, [f"{self.axis}{last}", upright, *self.notes, left_out(finite, self.groups, "groups")])


def bin_edges(numbers: Sequence[float]) -> list[float]:
    """Return round edges of at most 33 bins of one width around numbers.

    Example:
        >>> bin_edges([0.0, 3.0]), bin_edges([])
        ([0.0, 1.0, 2.0, 3.0, 4.0], [0.0, 1.0])
    """
    if not numbers:
        return [0.0, 1.0]
    least, most = min(numbers), max(numbers)
    # Scores that are all 0 or 1 are no counts: two bins as wide as the whole range would show nothing.
    if all(number == int(number) for number in numbers) and most - least != 1 and most - least < _BINS:
        step, first, last = 1.0, int(least), int(most) + 1
    else:
        if least == most:
            least, most = min(least, 0.0), max(most, 0.0)
        power = 10.0 ** math.floor(math.log10((most - least) / _BINS))
        step = next(factor * power for factor in (1, 2, 2.5, 5, 10) if factor * power * _BINS >= (most - least) * 0.999)
        first, last = math.floor(least / step + 1e-9), math.ceil(most / step - 1e-9)
    return [float(f"{place * step:.12g}") for place in range(first, max(last, first + 1) + 1)]


def counted(numbers: Iterable[float], edges: Sequence[float]) -> list[int]:
    """Count numbers in bins of one width; the last bin holds its end.

    Example:
        >>> counted([0.0, 0.1, 0.3, 0.5], [0.0, 0.25, 0.5])
        [2, 2]
    """
    n, step = len(edges) - 1, edges[1] - edges[0]
    # A number that is an edge but for rounding belongs to the bin that begins there.
    counts = Counter(min(math.floor((number - edges[0]) / step + 1e-9), n - 1) for number in numbers)
    return [counts[place] for place in range(n)]


# Strength of the color of the largest number of a heat map; any number is readable on it
STRENGTH = 0.45


class Heat(NamedTuple):
    """A table of numbers, with dark cells for large ones."""

    title: str
    rows: Sequence[str]  # names, from top to bottom
    columns: Sequence[str]  # names, from left to right
    numbers: Sequence[Sequence[float | None]]  # NaN: undefined; None: an empty cell
    axis: str  # meaning of the numbers, and the fairer direction
    notes: Sequence[str] = ()
    most: float | None = None  # size of the darkest number; None for the largest one
    texts: Sequence[Sequence[str]] = ()  # texts of the cells; empty for the numbers
    signed: bool = False  # two colors by sign, also if no number is below zero

    @property
    def height(self) -> float:
        """Height of the axes in inches."""
        return _ROW * 1.2 * min(len(self.rows), MOST) + 0.4

    def draw(self, axes: Axes) -> None:
        """Draw a cell for each number."""
        from matplotlib import rcParams

        rows, n_columns = self.numbers[:MOST], min(len(self.columns), MOST)
        known = [number for row in rows for number in row if number is not None and math.isfinite(number)]
        if rows and n_columns:
            shades = [[self._shade(number, known) for number in row[:MOST]] for row in rows]
            axes.pcolormesh(range(n_columns + 1), range(len(rows) + 1), shades)
        letters = letters_above(axes)
        size = float(rcParams["font.size"]) * min(0.9, 0.2 * letters / max(n_columns, 1))
        for row, place in itertools.product(range(len(rows)), range(n_columns)):
            axes.text(place + 0.5, row + 0.5, self._words(row, place), ha="center", va="center", fontsize=size)
        is_long = any(wcswidth(clean(name)) * n_columns >= letters for name in self.columns)
        heads = [cut(name, 24 if is_long else letters) for name in self.columns[:MOST]]
        axes.set_xticks([place + 0.5 for place in range(n_columns)], heads, rotation=90 if is_long else 0)
        names = [cut(name, letters // 3) for name in self.rows[:MOST]]
        axes.set_yticks([row + 0.5 for row in range(len(rows))], names)
        axes.tick_params(axis="x", length=0)
        axes.grid(visible=False)
        axes.set_ylim(max(len(rows), 1), 0)
        head(axes, self.title)
        unknown = any(number is not None and not math.isfinite(number) for row in rows for number in row)
        nothing = [] if rows and n_columns else ["There is nothing to compare."]
        more = (left_out(rows, self.rows, "rows"), left_out(heads, self.columns, "columns"))
        label_axis(axes, [self.axis, *nothing, *["?: undefined"] * unknown, *self.notes, *more])

    def _shade(self, number: float | None, known: Sequence[float]) -> tuple[float, ...]:
        """Return color and strength of a cell."""
        from matplotlib.colors import to_rgba

        if number is None:
            return to_rgba(color("surface"), 0.0)
        if not math.isfinite(number):
            return to_rgba(color("grid"), 0.5)
        most = self.most or max(map(abs, known)) or 1.0
        is_signed = self.signed or min(known) < 0
        name = "accent" if not is_signed else "plus" if number >= 0 else "minus"
        return to_rgba(color(name), min(abs(number) / most, 1) * STRENGTH)

    def _words(self, row: int, column: int) -> str:
        number = self.numbers[row][column]
        if number is None:
            return ""
        if not math.isfinite(number):
            return "?"
        if self.texts:
            return clean(self.texts[row][column])
        words = f"{number:.2f}"
        return words.replace("-", "−") if set(words) & set("123456789") else words.lstrip("-")  # no sign before 0.00
