"""Where persons are named in texts: those whom a summary was found to name, and those of the sources."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from fairsum_utils.families.entities.alignment import Aligner
from fairsum_utils.families.entities.names import census_first_names, no_names
from fairsum_utils.text.tokens import SUFFIXES, TITLES, Name, fold, is_initial, name_tokens, split_words

__all__ = ["NamedPlace", "Place", "find_mentions", "find_persons"]

_KEPT = 1 << 8
"""Texts whose words are kept."""

_BESIDES = 4
"""Initials and suffixes that a name may have besides its parts."""

_BLANK = re.compile(r"[^\S\n]+")
_AFTER_INITIAL = re.compile(r"\.?[^\S\n]*")
_BEFORE_SUFFIX = re.compile(r",?[^\S\n]+")
_ENDS_SENTENCE = re.compile(r"[.!?:;…\n\"“”]")


class Place(NamedTuple):
    """A stretch of a text: its first character, and the character after its last one."""

    start: int
    end: int


class NamedPlace(NamedTuple):
    """A stretch of a text, and the position of the entity that it names."""

    start: int
    end: int
    entity: int


def find_mentions(text: str, mentions: Sequence[str]) -> list[Place | None]:
    """Where the names that a text was found to have stand in it, each in another place.

    Names are looked for in their order, as whole words: first as they are written, then in any letter case, with or
    without accents and periods. If some do not follow each other in the text, the longest are placed first.

    Args:
        text: a summary.
        mentions: names, with repeats.

    Returns:
        For each name its place, or None where the text has it nowhere, or less often.

    Example:
        >>> find_mentions("Ann Lee met Mr. Lee's son in Leeds.", ["Ann Lee", "Lee", "Lee"])
        [Place(start=0, end=7), Place(start=16, end=19), None]
    """
    exact = {mention: _as_written(text, mention) for mention in dict.fromkeys(mentions)}
    others = {mention: _as_tokens(text, mention) for mention, found in exact.items() if not found}
    places: list[Place | None] = []
    end = 0
    for mention in mentions:
        of_mention = exact[mention] or others[mention]
        following = bisect_left(of_mention, (end,))
        places.append(of_mention[following] if following < len(of_mention) else None)
        end = of_mention[following].end if following < len(of_mention) else end
    if all(place or not (exact[mention] or others[mention]) for mention, place in zip(mentions, places, strict=True)):
        return places
    taken = bytearray(len(text))
    waiting = {mention: iter((*exact[mention], *_as_tokens(text, mention))) for mention in exact}
    for number in sorted(range(len(mentions)), key=lambda number: -len(mentions[number])):
        free = (place for place in waiting[mentions[number]] if taken.find(1, *place) < 0)
        places[number] = place = next(free, None)
        if place is not None:
            taken[place.start : place.end] = b"\1" * (place.end - place.start)
    return places


def find_persons(text: str, names: Sequence[Name], *, first_name_only: bool = False) -> list[NamedPlace]:
    """Where a text names the source's persons, as far as names alone tell who is meant.

    Words that may be parts of names and stand side by side are looked up as a name of a summary is, the longest
    stretches first; so "Levin" is nobody where the source has two of them. A word in lower case is no name, unless the
    text has no capitals or the name is written so. A name that goes on with another capitalized word, as in "Sarah
    Levin" or "Levin Street", is not that of the person; before first and last name ("Coach Tom Hill") it does not
    matter, and titles are passed over.

    Args:
        text: a source text; time grows as its length.
        names: of the source's persons.
        first_name_only: as of `fairsum_utils.families.entities.alignment.align`.

    Returns:
        In the order of the text.

    Example:
        >>> names = [Name("Melissa", "Levin"), Name("Tom", "Hill")]
        >>> text = "On the hill Mr. Hill met Melissa Levin, but not Sarah Levin."
        >>> [(text[start:end], entity) for start, end, entity in find_persons(text, names)]
        [('Hill', 1), ('Melissa Levin', 0)]
    """
    return list(_Persons(text, names, first_name_only).find())


class _Word(NamedTuple):
    """A word of a text with its folded form, and what stands between it and the next one."""

    start: int
    end: int
    key: str
    after: str


@lru_cache(_KEPT)
def _located(text: str) -> tuple[_Word, ...]:
    """The words of a text; those of sources are asked for by every system that was given them."""
    (_, before), *pairs = split_words(text)
    words, start = [], len(before)
    for word, after in pairs:
        words.append(_Word(start, start + len(word), word.casefold() if word.isascii() else fold(word), after))
        start += len(word) + len(after)
    return tuple(words)


@lru_cache(_KEPT)
def _numbers(text: str) -> dict[str, list[int]]:
    """Folded form -> the numbers of the words that have it."""
    numbers: dict[str, list[int]] = {}
    for number, word in enumerate(_located(text)):
        numbers.setdefault(word.key, []).append(number)
    return numbers


def _as_written(text: str, mention: str) -> list[Place]:
    """Where a name stands as it is written: as whole words, unless its script has none."""
    mention = mention.strip()
    opens, closes = (end.isdecimal() or end.upper() != end.lower() for end in (mention[:1], mention[-1:]))
    places: list[Place] = []
    start = text.find(mention)
    while start >= 0:
        end = start + len(mention)
        whole = not (opens and text[start - 1 : start].isalnum()) and not (closes and text[end : end + 1].isalnum())
        if whole:
            places.append(Place(start, end))
        start = text.find(mention, end if whole else start + 1)
    return places


def _as_tokens(text: str, mention: str) -> list[Place]:
    """Where the tokens of a name stand side by side."""
    tokens, words = name_tokens(mention), _located(text)
    places: list[Place] = []
    for first in _numbers(text).get(tokens[0], ()) if tokens else ():
        together = words[first : first + len(tokens)]
        if tuple(word.key for word in together) == tokens:
            start, end = together[0].start, together[-1].end
            if not places or places[-1].end <= start:
                places.append(Place(start, end))
    return places


class _Persons:
    """A text in which the source's persons are looked for."""

    def __init__(self, text: str, names: Sequence[Name], first_name_only: bool) -> None:
        self.text = text
        self.words = _located(text)
        self.names = names
        self.aligner = Aligner(names, first_name_only=first_name_only)
        written = [word for name in names for part in name if part for word, _ in split_words(part) if word]
        self.parts = {token for name in names for part in name for token in name_tokens(part)}
        self.longest = _BESIDES + max((sum(len(name_tokens(part)) for part in name) for name in names), default=0)
        self.small = {fold(word) for word in written if word.islower()}
        self.no_capitals = text.islower()

    def find(self) -> Iterator[NamedPlace]:
        first = 0
        while first < len(self.words):
            if not self._may_be_part(first):
                first += 1
                continue
            last = first
            while last + 1 < min(len(self.words), first + self.longest) and self._goes_on(last):
                last += 1
            for end in range(last, first - 1, -1):
                entity = self._entity(first, end)
                if entity is not None:
                    yield NamedPlace(self.words[first].start, self.words[end].end, entity)
                    first = end
                    break
            first += 1

    def _entity(self, first: int, last: int) -> int | None:
        """The person whom the words from one to another name."""
        keys = [word.key for word in self.words[first : last + 1]]
        if self.parts.isdisjoint(keys) or self._is_of_another(last + 1, last):
            return None
        entity = self.aligner.align(self.text[self.words[first].start : self.words[last].end]).entity
        if entity is None or not self._is_of_another(first - 1, first):
            return entity
        name = self.names[entity]
        return entity if first < last and keys[0] in name_tokens(name.first) and name.last else None

    def _may_be_part(self, place: int) -> bool:
        """Whether a word can be a part of a person's name."""
        key = self.words[place].key
        if key in self.parts:
            return self.no_capitals or key in self.small or not self._written(place).islower()
        return (is_initial(key) and self._written(place).isupper()) or key in SUFFIXES

    def _goes_on(self, place: int) -> bool:
        """Whether the name of a word can go on with the next one."""
        after, following = self.words[place].after, self.words[place + 1].key
        if not self._may_be_part(place + 1):
            return False
        pattern = _BEFORE_SUFFIX if following in SUFFIXES else _BLANK
        return bool((_AFTER_INITIAL if is_initial(self.words[place].key) else pattern).fullmatch(after))

    def _is_of_another(self, place: int, beside: int) -> bool:
        """Whether a word beside a name makes it another one."""
        if not 0 <= place < len(self.words) or self.no_capitals:
            return False
        key, left = self.words[place].key, min(place, beside)
        if not _BLANK.fullmatch(self.words[left].after) or not self._written(place)[:1].isupper():
            return False
        if key in TITLES or key in no_names():
            return False
        opens = place == 0 or bool(_ENDS_SENTENCE.search(self.words[place - 1].after))
        return not opens or place > beside or key in census_first_names()

    def _written(self, place: int) -> str:
        word = self.words[place]
        return self.text[word.start : word.end]
