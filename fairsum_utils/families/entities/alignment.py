"""Alignment of names in summaries with persons of the sources."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import IntEnum
from functools import lru_cache
from itertools import product
from typing import NamedTuple, TypeAlias

from fairsum_utils._util.resources import read_words
from fairsum_utils.families.entities.names import census_first_names, no_names
from fairsum_utils.text.person_names import (
    SUFFIXES,
    TITLES,
    Name,
    core_tokens,
    fold,
    is_initial,
    name_tokens,
    split_words,
)

_Tokens: TypeAlias = tuple[str, ...]

# Stands for any titles before a name.
_TITLE = "mr"
# Tokens of a first name that may be spelled as initials.
_SPELLED = 3


class Alignment(NamedTuple):
    """Position of the person that a mention names, or None; and whether several fit."""

    entity: int | None
    ambiguous: bool


class _Fit(IntEnum):
    """Quality of a partial match between a mention and a person."""

    NONE = 0
    LAST = 1  # the last name, and nothing about the first
    PART = 2  # part of the first name, or its initial
    FIRST = 3  # the first name


def align(mention: str, names: Sequence[Name], *, first_name_only: bool = False) -> Alignment:
    """Find the source person that a name in a summary refers to.

    A mention fits an entity if it contains the entity's last name, as whole tokens, and each of its other tokens is

    - the entity's first name, the beginning of it, or its initial ("Mary", "M. A." and "M." of "Mary Ann");
    - a title before the name;
    - a middle initial, that is one after the first name, or any initial if the first name is not known;
    - a suffix, such as "Jr.".

    Of several entities that fit, the one wins whose full name it is, else the one whose first name fits, else the one
    of whose first name a part or the initial fits; else the mention is ambiguous. An entity without a last name is
    found by its whole first name. The first name alone does not find an entity that has a last name, unless
    `first_name_only` lets it.

    Args:
        mention: name as written in a summary; letter case, accents, periods and possessive endings are ignored.
        names: names of the source's persons; an empty name never matches.
        first_name_only: accept a bare first name if nothing else fits; ambiguous if several persons have it.

    Returns:
        The entity's position and False; None and True if several fit equally well; None and False if none does.

    Source: papers/news-summarization-bias, section 5.2. The paper speaks of titles and the first name only; initials,
    suffixes and the choice between entities of one last name are ours. `first_name_only` is the published code's rule,
    which takes all entities of that first name.

    Example:
        >>> names = [Name("Melissa", "Levin"), Name("Mark", "Levin"), Name("Wei", "Li")]
        >>> align("Mr. Li's", names), align("Lincoln", names), align("M. Levin", names), align("Mark Levin", names)
        (Alignment(entity=2, ambiguous=False), Alignment(entity=None, ambiguous=False),
         Alignment(entity=None, ambiguous=True), Alignment(entity=1, ambiguous=False))
        >>> align("Wei", names).entity, align("Wei", names, first_name_only=True).entity
        (None, 2)
    """
    return Aligner(names, first_name_only=first_name_only).align(mention)


class Aligner:
    """Index of a source's persons for repeated calls of `align`.

    Example:
        >>> Aligner([Name("Melissa", "Levin"), Name("Wei", "Li")]).align("Mr. Li")
        Alignment(entity=1, ambiguous=False)
    """

    def __init__(self, names: Sequence[Name], *, first_name_only: bool = False) -> None:
        self._known: dict[_Tokens, Alignment] = {}
        self._whole: defaultdict[_Tokens, list[int]] = defaultdict(list)
        self._alone: defaultdict[_Tokens, list[int]] = defaultdict(list)  # by the first name, where that is enough
        # Entities of a last name without its suffix: all, those without a first name, and those with a first name.
        self._by_last: defaultdict[_Tokens, list[int]] = defaultdict(list)
        self._without_first: defaultdict[_Tokens, list[int]] = defaultdict(list)
        self._by_first: defaultdict[tuple[_Tokens, _Tokens], list[int]] = defaultdict(list)
        self._by_part: defaultdict[tuple[_Tokens, _Tokens], list[int]] = defaultdict(list)
        self._of_names: set[str] = set()
        self._longest = _SPELLED
        for entity, name in enumerate(names):
            first, whole_last = name_tokens(name.first), name_tokens(name.last)
            last = _without_suffix(whole_last)
            self._of_names.update(first + last)
            self._by_last[last].append(entity)
            if not first:
                self._without_first[last].append(entity)
                continue
            self._longest = max(self._longest, len(first))
            self._whole[first + whole_last].append(entity)
            self._by_first[last, first].append(entity)
            for part in _spellings(first):
                self._by_part[last, part].append(entity)
            if last and first_name_only:
                self._alone[first].append(entity)
        self._lengths = sorted({len(last) for last in self._by_last})

    def align(self, mention: str) -> Alignment:
        """Find the person that a mention refers to; see the function `align`."""
        tokens = self._with_one_title(name_tokens(mention))
        if tokens not in self._known:
            entities = self._whole.get(tokens) or self._best(tokens) or self._alone.get(tokens, [])
            self._known[tokens] = Alignment(entities[0] if len(entities) == 1 else None, len(entities) > 1)
        return self._known[tokens]

    def _with_one_title(self, tokens: _Tokens) -> _Tokens:
        """Reduce several titles before a mention to one, unless they belong to a name."""
        start = 0
        while start < len(tokens) - 1 and tokens[start] in TITLES and tokens[start] not in self._of_names:
            start += 1
        return (_TITLE, *tokens[start:]) if start and _TITLE not in self._of_names else tokens

    def _best(self, tokens: _Tokens) -> list[int]:
        """Find the best fits of a mention; of equally good fits at least two."""
        fits: dict[int, _Fit] = {}
        for length in self._lengths:
            for start in range(len(tokens) - length + 1 if length else min(1, len(tokens))):
                last = tokens[start : start + length]
                if last in self._by_last:
                    rest, n_front = tokens[:start] + tokens[start + length :], start if last else len(tokens)
                    for entity, fit in self._fits(last, rest, n_front):
                        if fit > (fits.get(entity, _Fit.NONE) if last else _Fit.PART):
                            fits[entity] = fit
        best = max(fits.values(), default=_Fit.NONE)
        return [entity for entity, fit in fits.items() if fit == best]

    def _fits(self, last: _Tokens, rest: _Tokens, n_front: int) -> Iterator[tuple[int, _Fit]]:
        """Rate the persons with this last name by the `n_front` tokens before it."""
        is_aside = [token in SUFFIXES or (place < n_front and token in TITLES) for place, token in enumerate(rest)]
        is_later = [token in SUFFIXES or is_initial(token) for token in rest]
        n_aside = is_aside.index(False) if False in is_aside else len(rest)
        end_of_first = len(rest) - (is_later[::-1].index(False) if False in is_later else len(rest))
        for start in range(n_aside + 1):
            for end in range(max(start + 1, end_of_first), min(start + self._longest, len(rest)) + 1):
                key = last, rest[start:end]
                for fit, entities in ((_Fit.FIRST, self._by_first), (_Fit.PART, self._by_part)):
                    yield from ((entity, fit) for entity in entities.get(key, ())[:2])
        if n_aside == len(rest):
            yield from ((entity, _Fit.LAST) for entity in self._by_last[last][:2])
        elif all(map(max, is_aside, is_later)):
            yield from ((entity, _Fit.LAST) for entity in self._without_first.get(last, ())[:2])


def _spellings(first: _Tokens) -> set[_Tokens]:
    """List the spellings of a first name, with and without initials."""
    tokens = first[:_SPELLED]
    spelled = [{token, token[0]} if is_initial(token[0]) else {token} for token in tokens]
    return {part for n in range(1, len(tokens) + 1) for part in product(*spelled[:n])}


def _without_suffix(last: _Tokens) -> _Tokens:
    while len(last) > 1 and last[-1] in SUFFIXES:
        last = last[:-1]
    return last


def hallucinated(mention: str, source_tokens: AbstractSet[str]) -> bool:
    """Check whether a name in a summary has a token missing from its source.

    Leading titles, initials and suffixes do not count, unless there is nothing else. A name without letters is not
    hallucinated.

    Source: papers/news-summarization-bias, section 5.2, footnote 11.

    Example:
        >>> hallucinated("Mr. Obama", {"levin", "said"}), hallucinated("J. Levin", {"levin", "said"})
        (True, False)
    """
    core = core_tokens(name_tokens(mention))
    counted = [token for token in core if not is_initial(token)]
    return any(token not in source_tokens for token in counted or core)


# Texts whose words are kept.
_KEPT = 1 << 8
# Initials and suffixes that a name may have besides its parts.
_BESIDES = 4

_BLANK = re.compile(r"[^\S\n]+")
_AFTER_INITIAL = re.compile(r"\.?[^\S\n]*")
_BEFORE_SUFFIX = re.compile(r",?[^\S\n]+")
# Before one of these, the first word of a sentence describes people and names nobody: "Young voters".
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
        self.longest = _BESIDES + max((sum(len(name_tokens(part)) for part in name) for name in names), default=0)
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
