"""Places of names and persons in texts."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from fairsum_utils._util.resources import read_words
from fairsum_utils.families.entities.alignment import Aligner
from fairsum_utils.families.entities.names import census_first_names, no_names
from fairsum_utils.text.person_names import SUFFIXES, TITLES, Name, fold, is_initial, name_tokens, split_words

# Texts whose words are kept.
_KEPT = 1 << 8
# Initials and suffixes that a name may have besides its parts.
_NEARBY = 4

_BLANK = re.compile(r"[^\S\n]+")
_AFTER_INITIAL = re.compile(r"\.?[^\S\n]*")
_BEFORE_SUFFIX = re.compile(r",?[^\S\n]+")
# Before one of these, the first word of a sentence describes people and is no name: "Young voters".
_PEOPLE = frozenset((*read_words("people"), *read_words("person")))
_ENDS_SENTENCE = re.compile(r"[.!?:;…\n\"“”]")


class Place(NamedTuple):
    """Span of a text: first character and the character after the last."""

    start: int
    end: int


class NamedPlace(NamedTuple):
    """Span of a text with the position of the person it names."""

    start: int
    end: int
    entity: int


def find_mentions(text: str, mentions: Sequence[str]) -> list[Place | None]:
    """Locate the names of a text without overlaps.

    Names are looked for in their order, as whole words: first as they are written, then in any letter case, with or
    without accents and periods. If some do not follow each other in the text, the longest are placed first.

    A name that the text has nowhere, or less often, has the place None.

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
    """Locate the source's persons in a text by their names.

    Words that may be parts of names and stand side by side are looked up as a name of a summary is, the longest
    stretches first; so "Levin" is no person where the source has two. A word in lower case is no name, unless the
    text has no capitals or the name is written so; nor is the first word of a sentence that describes people ("Young
    voters"). A name that goes on with another capitalized word, as in "Sarah Levin" or "Levin Street", is not that of
    the person; before first and last name ("Coach Tom Hill") it does not matter, and titles are passed over.

    Example:
        >>> names = [Name("Melissa", "Levin"), Name("Tom", "Hill")]
        >>> text = "On the hill Mr. Hill met Melissa Levin, but not Sarah Levin."
        >>> [(text[start:end], entity) for start, end, entity in find_persons(text, names)]
        [('Hill', 1), ('Melissa Levin', 0)]
    """
    found = _Persons(text, names)
    aligner = Aligner(names, first_name_only=first_name_only)
    places: list[NamedPlace] = []
    first = 0
    while first < len(found.words):
        last = found.end_of_run(first)
        for end in range(last, first - 1, -1):
            start, stop = found.words[first].start, found.words[end].end
            entity = aligner.align(text[start:stop]).entity if found.may_be_named(first, end) else None
            if entity is not None and found.stands_alone(first, end, names[entity]):
                places.append(NamedPlace(start, stop, entity))
                first = end
                break
        first += 1
    return places


class _Word(NamedTuple):
    """Word of a text, its folded form and the gap to the next word."""

    start: int
    end: int
    key: str
    written: str
    after: str


@lru_cache(_KEPT)
def _located(text: str) -> tuple[tuple[_Word, ...], dict[str, list[int]]]:
    """Return the words of a text with an index of their folded forms (cached)."""
    (_, before), *pairs = split_words(text)
    words: list[_Word] = []
    numbers: defaultdict[str, list[int]] = defaultdict(list)
    start = len(before)
    for word, after in pairs:
        key = word.casefold() if word.isascii() else fold(word)
        numbers[key].append(len(words))
        words.append(_Word(start, start + len(word), key, word, after))
        start += len(word) + len(after)
    return tuple(words), numbers


def _as_written(text: str, mention: str) -> list[Place]:
    """Locate a name as written, at word boundaries if its script has them."""
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
    """Locate consecutive tokens of a name."""
    tokens, (words, numbers) = name_tokens(mention), _located(text)
    places: list[Place] = []
    for first in numbers.get(tokens[0], ()) if tokens else ():
        together = words[first : first + len(tokens)]
        if tuple(word.key for word in together) == tokens:
            start, end = together[0].start, together[-1].end
            if not places or places[-1].end <= start:
                places.append(Place(start, end))
    return places


class _Persons:
    """Search for the source's persons in a text."""

    def __init__(self, text: str, names: Sequence[Name]) -> None:
        self.words, _ = _located(text)
        self.no_capitals = text.islower()
        self.parts = {token for name in names for part in name for token in name_tokens(part)}
        self.longest = _NEARBY + max((sum(len(name_tokens(part)) for part in name) for name in names), default=0)
        written = [word for name in names for part in name if part for word, _ in split_words(part)]
        self.small = {fold(word) for word in written if word.islower()}

    def end_of_run(self, first: int) -> int:
        """Find the last word of a name that begins here."""
        if not self._may_be_part(self.words[first]):
            return first - 1
        last, end = first, min(len(self.words), first + self.longest) - 1
        while last < end and self._goes_on(self.words[last], self.words[last + 1]):
            last += 1
        return last

    def _may_be_part(self, word: _Word) -> bool:
        if word.key in self.parts:
            return self.no_capitals or word.key in self.small or not word.written.islower()
        return (is_initial(word.key) and word.written.isupper()) or word.key in SUFFIXES

    def _goes_on(self, word: _Word, following: _Word) -> bool:
        pattern = _AFTER_INITIAL if is_initial(word.key) else _BEFORE_SUFFIX if following.key in SUFFIXES else _BLANK
        return self._may_be_part(following) and bool(pattern.fullmatch(word.after))

    def may_be_named(self, first: int, last: int) -> bool:
        """Check whether words contain part of a name without beginning another one."""
        keys = [word.key for word in self.words[first : last + 1]]
        describes = first == last and self._opens(first) and self._is_before_people(first)
        return not self.parts.isdisjoint(keys) and not describes and not self._is_of_another(last + 1, last)

    def stands_alone(self, first: int, last: int, name: Name) -> bool:
        """Check that the word before a name does not belong to another name."""
        if first < last and name.last and self.words[first].key in name_tokens(name.first):
            return True
        return not self._is_of_another(first - 1, first)

    def _is_of_another(self, place: int, beside: int) -> bool:
        """Check whether the word next to a name makes it a different name."""
        if not 0 <= place < len(self.words) or self.no_capitals:
            return False
        word = self.words[place]
        if not _BLANK.fullmatch(self.words[min(place, beside)].after) or not word.written[:1].isupper():
            return False
        if word.key in TITLES or word.key in no_names():
            return False
        return not self._opens(place) or place > beside or word.key in census_first_names()

    def _opens(self, place: int) -> bool:
        return place == 0 or bool(_ENDS_SENTENCE.search(self.words[place - 1].after))

    def _is_before_people(self, place: int) -> bool:
        """Check whether a word describes people: "Young voters"."""
        after, following = self.words[place].after, self.words[place + 1 : place + 2]
        return bool(_BLANK.fullmatch(after)) and any(word.written in _PEOPLE for word in following)
