"""Shapes of drawings as SVG, with a light colour and a class for themes; and the estimated width of texts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape

from wcwidth import wcwidth

from fairsum_utils._util.terminal import printable
from fairsum_utils.reports.theme import LIGHT, SMALL

BOLDER = 1.1
"""Width of bold letters over that of others."""
EDGE, GAP = 16, 12
"""Pixels beside everything, and between parts."""
PHONE = 480
"""Pixels of a page that is not narrow."""
_LITTLE = 0.0001
"""The smallest number that is shown."""


def shown(number: float) -> str:
    """A number of a drawing; the tables have more digits.

    Example:
        >>> shown(-0.25), shown(-0.00034), shown(-1e-9), shown(float("nan"))
        ('−0.250', '−0.0003', '0.000', 'undefined')
    """
    if math.isnan(number):
        return "undefined"
    if not math.isfinite(number):
        return "∞"
    if abs(number) < _LITTLE / 2:
        number = 0.0
    return f"{number:.{4 if 0 < abs(number) < 10 * _LITTLE else 3}f}".replace("-", "−")


def ends_of(interval: Sequence[float] | None) -> tuple[float, float] | None:
    """The two ends of an interval; None without one, and if it is not finite."""
    if interval is None or not all(map(math.isfinite, interval)):
        return None
    low, high = interval
    return low, high


def shown_with(number: float, ends: tuple[float, float] | None) -> str:
    """A number with its interval."""
    return shown(number) + ("" if ends is None else f" [{shown(ends[0])}, {shown(ends[1])}]")


def data(**fields: object) -> str:
    """Attributes that a script reads.

    Example:
        >>> data(label='a "b"', low=0.5)
        ' data-label="a &quot;b&quot;" data-low="0.5"'
    """
    return "".join(
        f' data-{name}="{escape(field) if isinstance(field, str) else repr(field)}"' for name, field in fields.items()
    )


def titled(said: str) -> str:
    """What is said of the shape that it stands in."""
    return f"<title>{escape(said)}</title>"


def text(
    x: float,
    y: float,
    words: str,
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
    return f'<text class="{named}" {place} fill="{LIGHT[colour]}"{more}>{escape(words)}</text>'


def line(x1: float, y1: float, x2: float, y2: float, colour: str, *, broad: float = 1.0, dashed: bool = False) -> str:
    """A straight line."""
    dashes = ' stroke-dasharray="4 3"' if dashed else ""
    return (
        f'<line class="s-{colour}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}" stroke="{LIGHT[colour]}" '
        f'stroke-width="{broad:g}"{dashes}/>'
    )


def rect(x: float, y: float, wide: float, high: float, colour: str, *, round_: float = 0, strength: float = 1) -> str:
    """A rectangle, as strong as said."""
    corner = f' rx="{round_:g}"' if round_ else ""
    thin = f' fill-opacity="{strength:g}"' if strength < 1 else ""
    place = f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"'
    return f'<rect class="f-{colour}" {place}{corner} fill="{LIGHT[colour]}"{thin}/>'


def path(way: str, colour: str, *, broad: float = 1.0, dashes: Sequence[float] = (), strength: float = 0) -> str:
    """A line of several parts; or, with a strength, the area within."""
    if strength:
        return f'<path class="f-{colour}" d="{way}" fill="{LIGHT[colour]}" fill-opacity="{strength:g}"/>'
    more = f' stroke-dasharray="{" ".join(f"{each:g}" for each in dashes)}"' if dashes else ""
    return (
        f'<path class="s-{colour}" d="{way}" fill="none" stroke="{LIGHT[colour]}" stroke-width="{broad:g}" '
        f'stroke-linejoin="round"{more}/>'
    )


def paragraph(body: list[str], y: float, sentence: str, wide: float) -> float:
    """Write a sentence below `y`, in as many lines as it takes; returns where it ends."""
    for words in wrapped(clean(sentence), SMALL, wide - 2 * EDGE):
        y += SMALL + 4
        body.append(text(EDGE, y, words, SMALL, colour="muted"))
    return y


def paragraphs(body: list[str], y: float, sentences: Iterable[str], wide: float, apart: float = 0) -> float:
    """Write sentences below `y`, some pixels apart; returns where they end."""
    for sentence in sentences:
        y = paragraph(body, y + apart, sentence, wide)
    return y


def dot(x: float, y: float, colour: str, radius: int, inner: str = "") -> str:
    """A dot with a rim."""
    end = f">{inner}</circle>" if inner else "/>"
    return (
        f'<circle class="f-{colour} s-surface" cx="{x:g}" cy="{y:g}" r="{radius}" fill="{LIGHT[colour]}" '
        f'stroke="{LIGHT["surface"]}" stroke-width="1.5"{end}'
    )


def area(x: float, y: float, wide: float, high: float) -> str:
    """A rectangle that is not seen, so that a pointer finds all of it."""
    place = f'x="{x:g}" y="{y:g}" width="{wide:g}" height="{high:g}"'
    return f'<rect {place} fill="none" pointer-events="all"/>'


_WIDTHS = {
    **dict.fromkeys("ijlI|!.,:;' ()[]/\\-", 0.42),
    **dict.fromkeys('ftrJ"', 0.48),
    **dict.fromkeys("mMwW@%", 1.0),
    **dict.fromkeys("GOQDHNU+=<>~#&^", 0.86),
    **dict.fromkeys("ABCEFKLPRSTVXYZ", 0.74),
}
"""Character -> its width in a wide sans serif such as Verdana, in units of the font's size, rounded up."""
_OTHER = {0: 0.0, 1: 0.68, 2: 1.05}
"""Columns in a terminal -> width of any other character."""


def clean(text: str) -> str:
    """A text on one line, with what XML cannot hold and what turns the direction of writing written out.

    Example:
        >>> clean("a\\n  b\\x00")
        'a b\\\\x00'
    """
    return printable(" ".join(text.split())).replace("\ufffe", "").replace("\uffff", "")


def dozen(said: Sequence[str], between: str = ", ") -> str:
    """The first twelve, and how many more there are.

    Example:
        >>> dozen(["a", "b"]), dozen(["a"] * 14, "")
        ('a, b', 'aaaaaaaaaaaa and 2 more')
    """
    return between.join(said[:12]) + (f" and {len(said) - 12} more" if len(said) > 12 else "")


def width(text: str, size: float) -> float:
    """The width of a text in pixels, at most.

    Example:
        >>> width("ill", 10), width("\\u4e2d", 10)
        (12.6, 10.5)
    """
    units = sum(_WIDTHS.get(character) or _OTHER[max(wcwidth(character), 0)] for character in text)
    return round(units * size, 2)


def shortened(text: str, size: float, most: float) -> str:
    """The text, or as much of its beginning as fits before an ellipsis.

    Example:
        >>> shortened("underrepresented", 10, 60)
        'underrep…'
    """
    if width(text, size) <= most:
        return text
    kept, room = "", most - width("…", size)
    for character in text:
        room -= width(character, size)
        if room < 0:
            break
        kept += character
    return f"{kept.rstrip()}…"


def wrapped(text: str, size: float, most: float, lines: int = 3) -> list[str]:
    """The text in lines that fit; what is left over is cut from the last one.

    Example:
        >>> wrapped("one two three", 10, 50)
        ['one two', 'three']
    """
    made: list[str] = []
    for word in text.split():
        if made and width(f"{made[-1]} {word}", size) <= most:
            made[-1] += f" {word}"
        else:
            made.append(word)
    if len(made) > lines:
        made[lines - 1 :] = [" ".join(made[lines - 1 :])]
    return [shortened(line, size, most) for line in made]
