"""Marks of a text: pieces that do not overlap, with classes and titles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from fairsum_utils.families.marks import Span
from fairsum_utils.reports.escaping import escaped
from fairsum_utils.reports.page.templates import with_signs
from fairsum_utils.reports.worst import shortened

# Characters of the name of a value in the title of a mark
_NAME = 60
# Kinds of stretches that follow each other, and so show where they begin
_LONG = ("unit", "chunk")


def piece_html(piece: Piece, numbers: dict[str, int]) -> str:
    """Write a piece of a text; marks that belong together share numbers."""
    text = with_signs(piece.text)
    if not piece.classes:
        return text
    title = f' title="{escaped(piece.title)}"' if piece.title else ""
    keys = " ".join(str(numbers.setdefault(key, len(numbers))) for key in piece.keys)
    related = f' data-keys="{keys}"' if keys else ""
    return f'<mark class="{piece.classes}"{title}{related}>{text}</mark>'


def class_of(colors: Iterable[str], pairs: bool = True) -> str:
    """Return the class of marks with these colors.

    Example:
        >>> class_of(["v2", "v1"]), class_of(["v2", "v1"], pairs=False), class_of(["v3"])
        ('fs-v1-v2', 'fs-shared', 'fs-v3')
    """
    names = sorted(set(colors))
    return f"fs-{'-'.join(names)}" if len(names) == 1 or (pairs and len(names) <= 3) else "fs-shared"


class Piece(NamedTuple):
    """A piece of a text with one set of spans."""

    text: str
    classes: str = ""  # empty without a mark
    title: str = ""
    keys: tuple[str, ...] = ()  # keys of marks that belong together


def marks(text: str, spans: Sequence[Span], colors: Mapping[str, str]) -> Iterator[Piece]:
    """Yield the pieces of a text between the ends of spans.

    Example:
        >>> spans = [Span(6, 10, ("neg", "pos")), Span(0, 5, ("pos",), note="counted as tasti")]
        >>> for piece in marks("Tasty Soup", spans, {"neg": "v1", "pos": "v2"}):
        ...     print(*piece[:3], sep="|")
        Tasty|fs-word fs-v2|pos: counted as tasti
         ||
        Soup|fs-word fs-v1-v2|neg, pos
    """
    pairs = len(set(colors.values())) <= 4
    beginning: dict[int, list[Span]] = {}
    for span in spans:
        if max(span.start, 0) < min(span.end, len(text)):
            beginning.setdefault(max(span.start, 0), []).append(span)
    ends = {min(span.end, len(text)) for found in beginning.values() for span in found}
    active: list[Span] = []
    for start, end in pairwise(sorted({0, len(text), *beginning, *ends})):
        first = beginning.get(start, [])
        active = [span for span in active if span.end > start] + first
        yield _marked(text[start:end], active, first, colors, pairs) if active else Piece(text[start:end])


def _marked(text: str, spans: Sequence[Span], first: Sequence[Span], colors: Mapping[str, str], pairs: bool) -> Piece:
    kinds = sorted({f"fs-{span.kind}" for span in spans})
    names = sorted({name for span in spans for name in span.names})
    if names:
        kinds.append(class_of({colors.get(name, "accent") for name in names}, pairs))
    # A long stretch is many pieces, of which the first one shows where it begins.
    if any(span.kind in _LONG for span in first):
        kinds.append("fs-first")
    remarks = "; ".join(dict.fromkeys(span.note for span in spans if span.note))
    title = shortened(": ".join(filter(None, (", ".join(shortened(name, _NAME) for name in names), remarks))))
    return Piece(text, " ".join(kinds), title, tuple(dict.fromkeys(span.key for span in spans if span.key)))
