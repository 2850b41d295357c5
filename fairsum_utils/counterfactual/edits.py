"""Edits of texts, word lists for swaps, and reasons to refuse a swap."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from fairsum_utils._util.resources import read_lines, read_words
from fairsum_utils.counterfactual.documents import Document
from fairsum_utils.errors import InputError
from fairsum_utils.text.pronouns import capitalize_like

_WORD = re.compile(r"[^\W_]+(?:['’.-][^\W_]+)*")
_ARTICLE = re.compile(r"(?<![\w'’-])(an?)(\s+[\"'“‘(]?)\Z", re.IGNORECASE)
_LONGEST_ARTICLE = 8
_SILENT = re.compile(r"heir|hono|honest|hour")
_CONSONANTAL = re.compile(r"eu|ewe|one|once|ouija|u(?:ni(?![mn])|[bfkrst][aeiou])")
_EIGHT = re.compile(r"8|1[18](?!\d)")

#: Days and months, without the months that are also names or words.
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
MONTHS = ("January", "February", "April", "June", "July", "September", "October", "November", "December")


class Edit(NamedTuple):
    """A stretch of a text and its replacement."""

    start: int
    end: int
    after: str
    kind: str


class Change(NamedTuple):
    """An edit with its position in the new text."""

    start: int
    end: int
    before: str
    after: str
    kind: str


def apply_edits(text: str, edits: Iterable[Edit]) -> tuple[str, tuple[Change, ...]]:
    """Apply edits and return the text and the edits' new positions.

    "a" or "an" before an edit follows its new words where these begin with another sound than the old ones.

    Example:
        >>> edits = [Edit(9, 14, "engineer", "occupation"), Edit(0, 3, "He", "pronoun")]
        >>> made, changes = apply_edits("She is a nurse.", edits)
        >>> made, [change.before for change in changes], changes[1]
        ('He is an engineer.', ['She', 'a', 'nurse'],
         Change(start=6, end=8, before='a', after='an', kind='article'))
    """
    pieces: list[str] = []
    changes: list[Change] = []
    length = last = 0
    for edit in sorted(edits):
        if edit.start < last:
            raise InputError(f"two edits overlap at character {edit.start}: {text[edit.start : last]!r}; keep one")
        before = text[edit.start : edit.end]
        article = _ARTICLE.search(text, max(last, edit.start - _LONGEST_ARTICLE), edit.start)
        start = edit.start
        if article and article_for(before) != article_for(edit.after):
            start = article.start()
        pieces.append(text[last:start])
        length += len(pieces[-1])
        if start < edit.start and article is not None:
            new = capitalize_like(article_for(edit.after), article[1] if len(article[1]) > 1 else article[1][0])
            changes.append(Change(length, length + len(new), article[1], new, "article"))
            pieces.append(new + article[2])
            length += len(pieces[-1])
        changes.append(Change(length, length + len(edit.after), before, edit.after, edit.kind))
        pieces.append(edit.after)
        length += len(edit.after)
        last = edit.end
    pieces.append(text[last:])
    return "".join(pieces), tuple(changes)


def article_for(words: str) -> str:
    """Return the indefinite article for some words, by their first sound.

    Example:
        >>> [article_for(word) for word in ("editor", "user", "hour", "82-year-old", "unhappy", "UNICEF worker")]
        ['an', 'a', 'an', 'an', 'an', 'a']
    """
    word = words.lstrip("\"'“‘(").lower()
    if word[:1].isdigit():
        return "an" if _EIGHT.match(word) else "a"
    sounds = bool(_SILENT.match(word)) or (word[:1] in "aeiouáéíóúàèìòùäöü" and not _CONSONANTAL.match(word))
    return "an" if sounds and word else "a"


def n_words(text: str) -> int:
    """Count the words of a text.

    Example:
        >>> n_words("Ann O'Neil's 34-year-old son.")
        4
    """
    return len(_WORD.findall(text))


def overlaps(start: int, end: int, edits: Sequence[Edit]) -> bool:
    """Return whether a stretch shares a character with an edit."""
    return any(start < edit.end and edit.start < end for edit in edits)


#: Popular first names that a sentence may begin with as words.
ALSO_WORDS = frozenset(read_words("also_word"))


@cache
def listed(kind: str) -> tuple[tuple[str, ...], ...]:
    """Return the lexicon's entries of one kind.

    Kinds: ``"gendered"``, ``"couple"``, ``"untold"``, ``"office"``, ``"place"``, ``"neutral"`` and the attributes of
    `swapping.groups`.

    Example:
        >>> listed("gendered")[0], listed("neutral")[0]
        (('daughter', 'son', 'child'), ('big', 'large'))
    """
    entries = (line.split("\t") for line in read_lines("swaps.txt.gz"))
    return tuple(tuple(words) for name, *words in entries if name == kind)


def any_of(words: Iterable[str], flags: int = re.IGNORECASE) -> re.Pattern[str]:
    """Compile a pattern of these words outside compounds, longest first.

    Example:
        >>> any_of(["son", "son-in-law"]).findall("A son, a son-in-law, a person and a son-like boy.")
        ['son', 'son-in-law']
    """
    ordered = sorted(words, key=lambda word: (-len(word), word))
    return re.compile(rf"(?<![\w’'-])(?:{'|'.join(map(re.escape, ordered))})(?![\w-])", flags)


#: Variant -> its edits, of the same places in all variants.
Variants = Mapping[str, tuple[Edit, ...]]


class Original(NamedTuple):
    """A text to make variants of."""

    document: Document
    guessed: bool = False


class Unswappable(Exception):
    """A text that cannot be swapped without leaving traces.

    Example:
        >>> Unswappable("no_person").reason
        'no_person'
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
