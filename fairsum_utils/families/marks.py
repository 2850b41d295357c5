"""Places in the texts of a sample that counted, and outcomes of persons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """Span of a text.

    Attributes:
        start: position of the first character in the original text.
        end: position after the last character.
        names: groups it counts for, sorted; may be empty.
        kind: ``"word"``, ``"unit"`` (a statement), ``"chunk"`` (covers a unit) or ``"person"``; for polarity ``"plus"``
            and ``"minus"``.
        key: key shared by related spans of a sample, such as all of the word "soup"; empty for none.
        note: remark, such as ``"counted as soup"``.
    """

    start: int
    end: int
    names: tuple[str, ...] = ()
    kind: str = "word"
    key: str = ""
    note: str = ""


class Attribution(NamedTuple):
    """Spans of a sample that counted, ordered by start; they may overlap.

    Attributes:
        prediction: spans of the summary or generated text.
        sources: spans of each source text.
    """

    prediction: Sequence[Span] = ()
    sources: Sequence[Sequence[Span]] = ()


NOTHING = Attribution()
"""Attribution of samples without known words that decided."""


class PersonOutcome(NamedTuple):
    """Outcome of a person: named, left out or made up.

    Attributes:
        name: name in the sources, or in the summary.
        group: group of the person or, if made up, of the name; None if unknown.
        outcome: ``"named"`` or ``"left out"`` for persons of the sources; ``"made up"``, ``"ambiguous"`` or
            ``"no match"`` for other persons in the summary; empty if unknown.
        is_counted: the person counts for the group.
    """

    name: str
    group: str | None
    outcome: str
    is_counted: bool = True
