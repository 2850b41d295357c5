"""The words that swaps are made with, what a swap takes and gives, and why a text cannot be swapped."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import NamedTuple

from fairsum_utils._util.resources import read_lines, read_words
from fairsum_utils.counterfactual.documents import Document
from fairsum_utils.counterfactual.edits import Edit

#: Popular first names that a sentence may begin with as words.
ALSO_WORDS = frozenset(read_words("also_word"))


@cache
def listed(kind: str) -> tuple[tuple[str, ...], ...]:
    """The entries of a kind: ``"gendered"``, ``"untold"``, ``"occupation"``, ``"age"``, ``"age_told"``, ``"place"`` or
    ``"neutral"``.

    Example:
        >>> listed("gendered")[0], listed("occupation")[0]
        (('daughter', 'son', 'child'), ('2', 'carpenter', 'carpenters'))
    """
    entries = (line.split("\t") for line in read_lines("swaps.txt.gz"))
    return tuple(tuple(words) for name, *words in entries if name == kind)


def any_of(words: Iterable[str], flags: int = re.IGNORECASE) -> re.Pattern[str]:
    """A pattern of any of these words where it stands by itself, not within a compound; the longest first.

    Example:
        >>> any_of(["son", "son-in-law"]).findall("A son, a son-in-law, a person and a son-like boy.")
        ['son', 'son-in-law']
    """
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<![\w’'-])(?:{'|'.join(map(re.escape, ordered))})(?![\w-])", flags)


#: Variant -> its edits, of the same places in all variants.
Variants = Mapping[str, tuple[Edit, ...]]


class Original(NamedTuple):
    """A text of which variants are to be made."""

    document: Document
    guessed: bool = False


class Unswappable(Exception):
    """A text of which no counterfactual inputs can be made without leaving something behind.

    Args:
        reason: a word by which such texts are counted, such as ``"no_person"``.
        detail: what stands in the way.

    Example:
        >>> Unswappable("minor", "age 12").reason
        'minor'
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail
