"""What panels with an axis share: its grid, its numbers, and lines to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from fairsum_utils.reports.drawings import svg
from fairsum_utils.reports.drawings.scale import Scale
from fairsum_utils.reports.drawings.svg import EDGE
from fairsum_utils.reports.drawings.text import clean, shortened, width, wrapped
from fairsum_utils.reports.typography import HEAD, SMALL

__all__ = ["Line", "captions", "grid", "heading", "references", "ticks", "upright"]


class Line(NamedTuple):
    """A number that all rows are to be compared with.

    Attributes:
        number: where it is.
        text: what it is.
    """

    number: float
    text: str


def heading(body: list[str], title: str, y: float, wide: float) -> float:
    """Write the title of a panel below `y`; returns where it ends."""
    for words in wrapped(clean(title), HEAD * svg.BOLDER, wide - 2 * EDGE, 2):
        y += HEAD + 3
        body.append(svg.text(EDGE, y, words, HEAD, bold=True))
    return y


def captions(body: list[str], scale: Scale, lines: Sequence[Line], y: float, wide: float) -> float:
    """Write what lines are above them, below each other where they would touch; returns where the panel goes on."""
    taken: list[list[tuple[float, float]]] = []
    for line in lines:
        words = shortened(clean(line.text), SMALL, wide - 2 * EDGE)
        half = width(words, SMALL) / 2
        x = min(max(scale.at(line.number), EDGE + half), wide - EDGE - half)
        span = (x - half - 6, x + half + 6)
        level = next(
            (n for n, spans in enumerate(taken) if all(span[1] <= a or b <= span[0] for a, b in spans)), len(taken)
        )
        if level == len(taken):
            taken.append([])
        taken[level].append(span)
        at = y + (level + 1) * (SMALL + 3)
        body.append(svg.text(round(x, 2), at, words, SMALL, colour="muted", anchor="middle"))
    return y + len(taken) * (SMALL + 3) + (5 if taken else 0)


def grid(body: list[str], scale: Scale, top: float, bottom: float, base: float | None = None) -> None:
    """Draw a line at each tick, and a stronger one at the base, which is on the scale."""
    for number, _ in scale.ticks():
        body.append(svg.line(scale.at(number), top, scale.at(number), bottom, "grid"))
    if base is not None and base < scale.high:
        body.append(svg.line(scale.at(base), top, scale.at(base), bottom, "muted"))


def references(body: list[str], scale: Scale, lines: Sequence[Line], top: float, bottom: float) -> None:
    """Draw the lines to compare with."""
    for line in lines:
        body.append(svg.line(scale.at(line.number), top - 3, scale.at(line.number), bottom, "ink", dashed=True))


def ticks(body: list[str], scale: Scale, bottom: float) -> float:
    """Draw the axis with its numbers; returns where these end."""
    body.append(svg.line(scale.left, bottom, scale.right, bottom, "muted"))
    y = bottom + SMALL + 4
    for number, words in scale.ticks():
        body.append(svg.text(scale.at(number), y, words, SMALL, colour="muted", anchor="middle"))
    return y


def upright(body: list[str], scale: Scale, left: float, right: float) -> None:
    """Draw an upright axis: a line across at each tick, and its number at the left end.

    Args:
        body: to which it is added.
        scale: whose left end is the lower one.
        left: pixel where the lines begin.
        right: pixel where they end.
    """
    for number, words in scale.ticks():
        y = scale.at(number)
        body.append(svg.line(left, y, right, y, "muted" if number == scale.low else "grid"))
        body.append(svg.text(left - 6, y + 4, words, SMALL, colour="muted", anchor="end"))
