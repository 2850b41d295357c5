"""Where in the texts of a sample that stands which a measure counted: stretches of characters, for whom, and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """A stretch of a text.

    Attributes:
        start: its first character, in the text as it was given.
        end: the character after its last one.
        names: the values or groups that it counts for, sorted; several for what they share, none for nobody.
        kind: ``"word"``, or ``"unit"`` for a statement, ``"chunk"`` for what covers it, ``"person"``; measures of
            polarity have ``"plus"`` and ``"minus"``.
        key: stretches of a sample with the same key belong together, such as all of the word "soup"; empty for none.
        said: what there is to say of it, such as ``"counted as soup"``.
    """

    start: int
    end: int
    names: tuple[str, ...] = ()
    kind: str = "word"
    key: str = ""
    said: str = ""


class Attribution(NamedTuple):
    """What counted in a sample. Stretches are in the order of their starts, and may overlap.

    Attributes:
        prediction: of the summary, or of the generated text.
        sources: of each source text.
    """

    prediction: Sequence[Span] = ()
    sources: Sequence[Sequence[Span]] = ()


NOTHING = Attribution()
"""Of a sample in which no words decided, or of which that is not known."""
