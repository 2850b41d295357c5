"""Lines over a continuous axis, such as a rate over a tolerance, with bands for intervals and names at their ends."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fairsum_utils.reports.drawings import axis, svg
from fairsum_utils.reports.drawings.axis import Line, Scale
from fairsum_utils.reports.drawings.sheet import Form
from fairsum_utils.reports.drawings.svg import EDGE, GAP, PHONE, clean, dozen, shortened, shown, width
from fairsum_utils.reports.theme import BODY, PATTERNS, SMALL

_HIGH, _LOW = 240, 190
"""Pixels of the upright axis on a page and on a phone."""
_APART = BODY + 3
"""Pixels between two names."""
_FEW = 16
"""Points up to which each has a dot."""


class Point(NamedTuple):
    """A point of a curve."""

    x: float
    y: float  # NaN leaves a gap
    ends: Sequence[float] | None = None  # interval of `y`; None without one


class Curve(NamedTuple):
    """A line."""

    name: str
    points: Sequence[Point]  # from left to right
    colour: str = "accent"  # a name of the palette
    steps: bool = False  # whether `y` stays the same up to the next point


class Curves(NamedTuple):
    """Lines over one axis."""

    title: str
    curves: Sequence[Curve]  # each is drawn over those that follow it
    axis: str  # what is below, and which direction is fairer
    upright: str  # what the upright axis is
    lines: Sequence[Line] = ()  # upright ones to compare with
    notes: Sequence[str] = ()
    base: float = 0.0  # always on the upright axis

    def draw(self, body: list[str], y: float, wide: float, beside: Sequence[Form]) -> float:
        """Draw it, see `fairsum_utils.reports.drawings.sheet.Form`."""
        y = axis.heading(body, self.title, y, wide)
        curves = [curve for curve in self.curves if any(map(_is_defined, curve.points))]
        if not curves:
            return svg.paragraph(body, y, "No point is defined.", wide)
        y = svg.paragraph(body, y, self.upright, wide)
        room = min(max(width(clean(curve.name), BODY) for curve in curves), 0.28 * wide)
        points = [point for curve in curves for point in curve.points if _is_defined(point)]
        numbers = [
            self.base,
            *(point.y for point in points),
            *(end for point in points for end in svg.ends_of(point.ends) or ()),
        ]
        right = round(wide - EDGE - room - GAP, 2)
        # The left end of the axis is wherever the numbers of the upright one end.
        high = _LOW if wide < PHONE else _HIGH
        written = max(width(words, SMALL) for _, words in Scale.over(numbers, high, 0, apart=40).ticks())
        left = round(EDGE + written + 8, 2)
        over = [point.x for point in points] + [line.number for line in self.lines]
        scale = Scale.over(over, left, right, apart=56)
        top = axis.captions(body, scale, self.lines, y + 8, wide) + 6
        upright = Scale.over(numbers, top + high, top, apart=40)
        axis.upright(body, upright, scale.left, scale.right)
        for x, _ in scale.ticks():
            body.append(svg.line(scale.at(x), top, scale.at(x), top + high, "grid"))
        axis.references(body, scale, self.lines, top, top + high)
        for curve in curves:
            for way in _bands(curve, scale, upright):
                body.append(svg.path(way, curve.colour, strength=0.16))
        for curve in reversed(curves):
            _line(body, curve, scale, upright)
        _names(body, curves, scale, upright, room)
        y = axis.ticks(body, scale, top + high)
        return svg.paragraphs(body, y, (self.axis, *self.notes), wide, apart=2)

    def told(self) -> str:
        """Where each line begins and ends, at most a dozen."""
        said = []
        for curve in self.curves:
            points = [point for point in curve.points if _is_defined(point)]
            ends = [f"{shown(point.y)} at {point.x:g}" for point in (*points[:1], *points[-1:])]
            said.append(f"{curve.name} from {' to '.join(ends)}" if points else f"{curve.name} undefined")
        return f"{self.title} ({self.upright} over {self.axis}): {dozen(said, '; ')}."


def _is_defined(point: Point) -> bool:
    return math.isfinite(point.x) and math.isfinite(point.y)


def _runs(points: Sequence[Point], band: bool) -> Iterator[list[Point]]:
    """Points that stand side by side without a gap; of a band those with an interval."""
    run: list[Point] = []
    for point in points:
        if _is_defined(point) and not (band and svg.ends_of(point.ends) is None):
            run.append(point)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _way(points: Sequence[tuple[float, float]], scale: Scale, upright: Scale, steps: bool) -> str:
    """A line through points."""
    parts, before = [], None
    for x, y in points:
        at = f"{scale.at(x):g} {upright.at(y):g}"
        if before is None:
            parts.append(at)
        else:
            parts += [f"{scale.at(x):g} {upright.at(before):g}", at] if steps else [at]
        before = y
    return "L".join(parts)


def _bands(curve: Curve, scale: Scale, upright: Scale) -> Iterator[str]:
    """The area between the ends of the intervals."""
    for run in _runs(curve.points, band=True):
        lows, highs = ([(point.x, point.ends[end]) for point in run if point.ends] for end in (0, 1))
        # Steps go from left to right, so that the lower side is turned as it is drawn.
        below = _way(lows, scale, upright, curve.steps).split("L")[::-1]
        yield f"M{_way(highs, scale, upright, curve.steps)}L{'L'.join(below)}Z"


def _line(body: list[str], curve: Curve, scale: Scale, upright: Scale) -> None:
    name = clean(curve.name)
    points = [point for point in curve.points if _is_defined(point)]
    xs, ys = (
        " ".join(f"{number:g}" for number in numbers) for numbers in zip(*((p.x, p.y) for p in points), strict=True)
    )
    body.append(f'<g class="curve"{svg.data(name=name, x=xs, y=ys)}>{svg.titled(name)}')
    dashes = next((stroke.dashes for stroke in PATTERNS.get(curve.colour, ()) if stroke.dashes), ())
    for run in _runs(curve.points, band=False):
        way = _way([(point.x, point.y) for point in run], scale, upright, curve.steps)
        body.append(svg.path(f"M{way}", curve.colour, broad=2, dashes=dashes))
    for point in points if len(points) <= _FEW else ():
        said = f"{name}, {point.x:g}: {svg.shown_with(point.y, svg.ends_of(point.ends))}"
        body.append(svg.dot(scale.at(point.x), upright.at(point.y), curve.colour, 4, svg.titled(said)))
    body.append("</g>")


def _names(body: list[str], curves: Sequence[Curve], scale: Scale, upright: Scale, room: float) -> None:
    """The name of each line beside its end, moved apart where two would touch."""
    wanted = sorted(
        (upright.at(last.y), scale.at(last.x), curve)
        for curve in curves
        for last in [[point for point in curve.points if _is_defined(point)][-1]]
    )
    top, bottom = upright.right, upright.left - 4  # clear of the numbers below
    apart = min(_APART, (bottom - top) / max(len(wanted) - 1, 1))
    places = [max(y, top) for y, _, _ in wanted]
    for place in range(1, len(places)):
        places[place] = max(places[place], places[place - 1] + apart)
    places[-1] = min(places[-1], bottom)
    for place in range(len(places) - 2, -1, -1):
        places[place] = min(places[place], places[place + 1] - apart)
    for (y, x, curve), at in zip(wanted, places, strict=True):
        body.append(svg.line(x + 5, y, scale.right + 9, at, curve.colour))
        words = shortened(clean(curve.name), BODY, room)
        body.append(svg.text(scale.right + GAP, round(at + 4.5, 2), words, BODY))
