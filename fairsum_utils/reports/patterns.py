"""Lines below a marked word, a pattern for each colour of the palette, so that greyscale tells them apart as well.

They are backgrounds of CSS, which need no picture and no script, and stand at the same place at every zoom.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

__all__ = ["HEIGHT", "PATTERNS", "Stroke", "mark_style"]

HEIGHT = 4
"""Pixels that a pattern takes below a word."""
_MOST = 3
"""Patterns that there is room for below a line of text; a word of more values has a bar for all of them."""


class Stroke(NamedTuple):
    """A line of a pattern.

    Attributes:
        dashes: pixels that are drawn and left out in turn; none for all of the line.
        thick: pixels.
        rise: pixels above the foot of the pattern.
        shift: pixels that the dashes are moved by.
    """

    dashes: tuple[int, ...] = ()
    thick: int = 2
    rise: int = 0
    shift: int = 0


PATTERNS: Mapping[str, Sequence[Stroke]] = {
    "v1": [Stroke()],
    "v2": [Stroke((7, 4))],
    "v3": [Stroke((2, 3))],
    "v4": [Stroke(thick=1), Stroke(thick=1, rise=3)],
    "v5": [Stroke((9, 3, 2, 3))],
    "v6": [Stroke(thick=4)],
    "v7": [Stroke(thick=1), Stroke((2, 4), thick=3, rise=1)],
    "v8": [Stroke((5, 5)), Stroke((5, 5), rise=2, shift=5)],
    "plus": [Stroke(thick=1, rise=1), Stroke((1, 5), thick=3)],
    "minus": [Stroke((12, 5), thick=1, rise=1)],
    "accent": [Stroke()],
    "muted": [Stroke((1, 3), thick=1)],
}
"""Name of a colour -> what is drawn below a word that is marked with it."""


def mark_style(names: Sequence[str]) -> str:
    """The declarations of a mark: a wash of its colours behind the word, striped if several, and a pattern each below.

    Lines of text need a height of 2 for three patterns.

    Args:
        names: of the palette's colours, at least one, in the order from the word downwards.

    Example:
        >>> mark_style(["v1"]).split(";")[0]
        'background:linear-gradient(var(--fairsum-v1) 0 0) 0px 100%/100% 2px no-repeat,var(--fairsum-v1-wash)'
    """
    shown = [(name, PATTERNS[name]) for name in names] if len(names) <= _MOST else [("ink", PATTERNS["v6"])]
    layers = [
        _layer(name, stroke, stroke.rise + (HEIGHT + 1) * (len(shown) - 1 - place))
        for place, (name, strokes) in enumerate(shown)
        for stroke in strokes
    ]
    background = ",".join([*layers, _behind(names)])
    return (
        f"background:{background};padding-bottom:{(HEIGHT + 1) * len(shown) - 2}px;color:inherit;"
        "box-decoration-break:clone;-webkit-box-decoration-break:clone;"
        "print-color-adjust:exact;-webkit-print-color-adjust:exact;forced-color-adjust:none"
    )


def _layer(name: str, stroke: Stroke, rise: int) -> str:
    """A stroke as a layer of a background."""
    colour = f"var(--fairsum-{name})"
    foot = f"calc(100% - {rise}px)" if rise else "100%"
    if not stroke.dashes:
        return f"linear-gradient({colour} 0 0) 0px {foot}/100% {stroke.thick}px no-repeat"
    stops, end = [], 0
    for place, pixels in enumerate(stroke.dashes):
        stops.append(f"{'#0000' if place % 2 else colour} {end}px {end + pixels}px")
        end += pixels
    return f"linear-gradient(90deg,{','.join(stops)}) {stroke.shift}px {foot}/{end}px {stroke.thick}px repeat-x"


def _behind(names: Sequence[str]) -> str:
    """The wash of one colour, or stripes of several."""
    washes = [f"var(--fairsum-{name}-wash)" for name in names]
    if len(washes) == 1:
        return washes[0]
    stripes = (f"{wash} {5 * place}px {5 * place + 5}px" for place, wash in enumerate(washes))
    return f"repeating-linear-gradient(135deg,{','.join(stripes)})"
