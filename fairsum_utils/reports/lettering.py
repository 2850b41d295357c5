"""Texts, colors and ends of the axes of charts."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence, Sized
from typing import TYPE_CHECKING, Any

from wcwidth import wcswidth

from fairsum_utils._util.terminal import printable
from fairsum_utils.reports.theme import LIGHT, VALUES

if TYPE_CHECKING:
    from matplotlib.axes import Axes


# Smallest number that is shown
_LITTLE = 0.0001


def shown(number: float) -> str:
    """Round a number as charts show it.

    Example:
        >>> shown(-0.25), shown(-0.00034), shown(-1e-9), shown(float("nan"))
        ('−0.250', '−0.0003', '0.000', 'undefined')
    """
    if math.isnan(number):
        return "undefined"
    if not math.isfinite(number):
        return "∞" if number > 0 else "−∞"
    if abs(number) < _LITTLE / 2:
        number = 0.0
    return f"{number:.{4 if 0 < abs(number) < 10 * _LITTLE else 3}f}".replace("-", "−")


def clean(text: str) -> str:
    """Put a text on one line, and escape invalid and direction characters.

    Example:
        >>> clean("a\\n  b\\x00")
        'a b\\\\x00'
    """
    return printable(" ".join(text.split())).replace("\ufffe", "").replace("\uffff", "")


def cut(text: str, most: int) -> str:
    """Put a text on one line, and cut it before an ellipsis.

    Example:
        >>> cut("underrepresented", 9), cut("\\u4e2d\\u6587\\u6807", 5)
        ('underrep…', '中文…')
    """
    text = clean(text)
    if wcswidth(text) <= most:
        return text
    kept = text[: most - 1]
    while wcswidth(kept) >= most:
        kept = kept[:-1]
    return f"{kept.rstrip()}…"


def wrapped(text: str, most: int, lines: int = 3) -> str:
    """Break a text into lines; the last one is cut.

    Example:
        >>> wrapped("one two three", 7)
        'one two\\nthree'
    """
    made: list[str] = []
    for word in clean(text).split(" "):
        if made and wcswidth(f"{made[-1]} {word}") <= most:
            made[-1] += f" {word}"
        else:
            made.append(word)
    if len(made) > lines:
        made[lines - 1 :] = [" ".join(made[lines - 1 :])]
    return "\n".join(cut(line, most) for line in made)


def color(name: str) -> str:
    """Return the color of a name of the palette in the style in use.

    Example:
        >>> color("plus"), color("v2")  # the second one of the style's cycle
        ('#0b6e75', '#ff7f0e')
    """
    from matplotlib import rcParams
    from matplotlib.colors import to_hex

    of_style = {"ink": "text.color", "muted": "axes.labelcolor", "grid": "grid.color", "surface": "axes.facecolor"}
    if name in of_style:
        return to_hex(rcParams[of_style[name]])
    place = {"accent": 0, **{value: place for place, value in enumerate(VALUES)}}
    return to_hex(f"C{place[name]}") if name in place else LIGHT[name]


def letters_above(axes: Axes) -> int:
    """Estimate how many letters fit above the axes."""
    from matplotlib import rcParams

    points = 72 * axes.get_window_extent().width / axes.figure.dpi
    return max(int(points / (0.6 * float(rcParams["font.size"]))), 16)


def head(axes: Axes, title: str, entries: Sequence[tuple[Any, str]] = ()) -> None:
    """Write the title, and below it a legend."""
    from matplotlib import rcParams

    letters, size = letters_above(axes), float(rcParams["font.size"])
    labels = [cut(label, letters - 8) for _, label in entries]
    columns = max(letters // (max(map(wcswidth, labels), default=0) + 8), 1)
    pad = size * (0.6 + 1.5 * math.ceil(len(labels) / columns))
    axes.set_title(wrapped(title, int(0.7 * letters), 2), pad=pad)
    if entries:
        # Without its own text a label that begins with "_" would be left out.
        legend = axes.legend(
            [artist for artist, _ in entries],
            ["label"] * len(labels),
            loc="lower left",
            bbox_to_anchor=(0, 1),
            ncols=columns,
            borderpad=0,
            borderaxespad=0.3,
        )
        for text, label in zip(legend.get_texts(), labels, strict=True):
            text.set_text(label)


def label_axis(axes: Axes, sentences: Iterable[str]) -> None:
    """Write the label of the lower axis, a line for each sentence."""
    lines = (
        wrapped(f"{sentence[:1].upper()}{sentence[1:]}", letters_above(axes)) for sentence in sentences if sentence
    )
    axes.set_xlabel("\n".join(lines))


def left_out(drawn: Sized, every: Sized, what: str) -> str:
    """Return a sentence if only the first ones are drawn.

    Example:
        >>> left_out("ab", "abc", "letters"), left_out("ab", "ab", "letters")
        ('Only the first 2 of 3 letters are drawn; the tables have all.', '')
    """
    n, of = len(drawn), len(every)
    return f"Only the first {n} of {of:,} {what} are drawn; the tables have all." if n < of else ""


def name_rows(axes: Axes, names: Sequence[str], beside: Sequence[str], heads: Sequence[bool] = ()) -> None:
    """Name rows, in two small lines if needed, with texts on the right."""
    from matplotlib import rcParams

    places, most = range(len(names)), letters_above(axes) // 3
    axes.set_yticks(places, [wrapped(name, most, 2) for name in names], linespacing=1.05)
    for label in axes.get_yticklabels():
        label.set_fontsize("small" if "\n" in label.get_text() else rcParams["ytick.labelsize"])
    for label, is_head in zip(axes.get_yticklabels(), heads, strict=False):
        label.set_fontweight("bold" if is_head else "normal")
    axes.set_ylim(max(len(names), 1) - 0.5, -0.5)
    right: dict[str, Any] = {"xycoords": axes.get_yaxis_transform(), "textcoords": "offset points", "va": "center"}
    for place, text in enumerate(beside):
        if text:
            axes.annotate(clean(text), (1, place), (4, 0), size=rcParams["ytick.labelsize"], **right)


def span_axis(axes: Axes, base: float, numbers: Iterable[float], *, even: bool = False) -> None:
    """Set the ends of the lower axis around base and numbers."""
    held = [base, *filter(math.isfinite, numbers)]
    low, high = min(held), max(held)
    if even:
        furthest = max(base - low, high - base)
        low, high = base - furthest, base + furthest
    room = 0.05 * (high - low) or 0.5
    axes.set_xlim(low - room * (low < base), high + room * (high > base or low == high))
