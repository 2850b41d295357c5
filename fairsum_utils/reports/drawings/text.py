"""The width of texts in fonts that nobody knows, estimated so that they rather take less, and their shortening."""

from __future__ import annotations

from collections.abc import Sequence

from wcwidth import wcwidth

from fairsum_utils._util.terminal import printable

__all__ = ["clean", "dozen", "shortened", "width", "wrapped"]

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

    Args:
        said: names or figures.
        between: any two of them.

    Example:
        >>> dozen(["a", "b"]), dozen(["a"] * 14, "")
        ('a, b', 'aaaaaaaaaaaa and 2 more')
    """
    return between.join(said[:12]) + (f" and {len(said) - 12} more" if len(said) > 12 else "")


def width(text: str, size: float) -> float:
    """The width of a text in pixels, at most.

    Args:
        text: to be drawn.
        size: of the font, in pixels.

    Example:
        >>> width("ill", 10), width("\\u4e2d", 10)
        (12.6, 10.5)
    """
    units = sum(_WIDTHS.get(character) or _OTHER[max(wcwidth(character), 0)] for character in text)
    return round(units * size, 2)


def shortened(text: str, size: float, most: float) -> str:
    """The text, or as much of its beginning as fits before an ellipsis.

    Args:
        text: to be drawn.
        size: of the font, in pixels.
        most: pixels that there are.

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

    Args:
        text: to be drawn.
        size: of the font, in pixels.
        most: pixels that a line has.
        lines: that there may be.

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
