"""Alignment of names with the persons of the sources, and the places of names in texts."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import IntEnum
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

from fairsum_utils.families.entities.names import census_first_names, no_names
from fairsum_utils.text.tokens import SUFFIXES, TITLES, Name, core_tokens, fold, is_initial, name_tokens, split_words

_Tokens: TypeAlias = tuple[str, ...]

_FEW = 8
"""So many entities of one last name are looked at one by one."""

_TITLE = "mr"
"""Stands for any titles before a name."""


class Alignment(NamedTuple):
    """The position of the entity that a mention names, or None; and whether it fits several entities."""

    entity: int | None
    ambiguous: bool


class _Fit(IntEnum):
    """Fit of a mention with an entity whose full name it is not; the best wins."""

    NONE = 0
    LAST = 1  # the last name, and nothing about the first
    PART = 2  # part of the first name, or its initial
    FIRST = 3  # the first name


def align(mention: str, names: Sequence[Name], *, first_name_only: bool = False) -> Alignment:
    """The source entity that a name in a summary refers to.

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
        mention: a name as written in a summary; letter case, accents, periods and possessive endings do not matter.
        names: the source's entities; one without any name fits nothing.
        first_name_only: whether a mention that is the whole first name of an entity and nothing else fits it as well,
            if it fits no entity otherwise; ambiguous if several entities have that first name.

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
    """The entities of a source, to look up the names of a summary: `align` without a pass over all of them each time.

    Args:
        names: the source's entities; one without any name fits nothing.
        first_name_only: option of the function `align`.

    Example:
        >>> Aligner([Name("Melissa", "Levin"), Name("Wei", "Li")]).align("Mr. Li")
        Alignment(entity=1, ambiguous=False)
    """

    def __init__(self, names: Sequence[Name], *, first_name_only: bool = False) -> None:
        self._known: dict[_Tokens, Alignment] = {}
        self._names: list[tuple[_Tokens, _Tokens]] = []  # first and last, without a suffix
        self._whole: dict[_Tokens, list[int]] = {}
        self._alone: dict[_Tokens, list[int]] = {}  # by the first name, where that is enough
        self._by_last: dict[_Tokens, list[int]] = {}
        self._namesakes: dict[_Tokens, _Namesakes] = {}
        for entity, name in enumerate(names):
            first, whole_last = name_tokens(name.first), name_tokens(name.last)
            last = _without_suffix(whole_last)
            self._names.append((first, last))
            self._by_last.setdefault(last, []).append(entity)
            if first:
                self._whole.setdefault(first + whole_last, []).append(entity)
                if last and first_name_only:
                    self._alone.setdefault(first, []).append(entity)
        self._lengths = sorted({len(last) for last in self._by_last})
        self._of_names = frozenset(chain.from_iterable(first + last for first, last in self._names))

    def align(self, mention: str) -> Alignment:
        """Find the entity that a mention refers to, see the function `align`."""
        tokens = self._with_one_title(name_tokens(mention))
        if tokens not in self._known:
            self._known[tokens] = self._align(tokens)
        return self._known[tokens]

    def _with_one_title(self, tokens: _Tokens) -> _Tokens:
        """Replace the titles before a mention by one, unless a person has them as a name."""
        start = 0
        while start < len(tokens) - 1 and tokens[start] in TITLES and tokens[start] not in self._of_names:
            start += 1
        return (_TITLE, *tokens[start:]) if start and _TITLE not in self._of_names else tokens

    def _align(self, tokens: _Tokens) -> Alignment:
        entities = self._whole.get(tokens) or self._best(tokens) or self._alone.get(tokens, [])
        return Alignment(entities[0] if len(entities) == 1 else None, len(entities) > 1)

    def _best(self, tokens: _Tokens) -> list[int]:
        """Find the entities that a mention fits best; at most two that fit alike."""
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
        """Rate entities of one last name; of many at least the best, and two alike."""
        entities: Collection[int] = self._by_last[last]
        are_many = len(entities) > _FEW
        if are_many:
            if last not in self._namesakes:
                self._namesakes[last] = _Namesakes((entity, self._names[entity][0]) for entity in entities)
            namesakes = self._namesakes[last]
            for entity in namesakes.named_whole(rest):
                yield entity, _rest(rest, n_front, self._names[entity][0])
            entities = namesakes.candidates(rest)
        n_parts = 0
        for entity in entities:
            fit = _rest(rest, n_front, self._names[entity][0])
            yield entity, fit
            n_parts += fit == _Fit.PART
            if are_many and n_parts == 2:  # those that fit better were among the first
                return


class _Namesakes:
    """Entities of one last name, or of none, by their first names."""

    def __init__(self, first_names: Iterable[tuple[int, _Tokens]]) -> None:
        self.by_token: dict[str, list[int]] = {}  # of the first name, and its initial
        self.by_begin: dict[str, list[int]] = {}  # its first token, and the initial of that
        self.whole: dict[_Tokens, list[int]] = {}
        self.longest = 0
        self.by_kind: tuple[list[int], list[int]] = ([], [])  # without a first name, with one
        for entity, first in first_names:
            self.by_kind[bool(first)].append(entity)
            for token in {*first, first[0][0]} if first else ():
                self.by_token.setdefault(token, []).append(entity)
            for token in {first[0], first[0][0]} if first else ():
                self.by_begin.setdefault(token, []).append(entity)
            if first:
                self.whole.setdefault(first, []).append(entity)
                self.longest = max(self.longest, len(first))

    def named_whole(self, rest: _Tokens) -> Iterator[int]:
        """Find entities whose whole first name a mention holds; two at most of one name."""
        for start in range(len(rest)):
            for end in range(start + 1, min(start + self.longest, len(rest)) + 1):
                yield from self.whole.get(rest[start:end], ())[:2]

    def candidates(self, rest: _Tokens) -> Collection[int]:
        """Whom the rest of a mention may name; and if no token is surely of a first name, two each of the others."""
        telling = [token for token in rest if not (token in TITLES or token in SUFFIXES or is_initial(token))]
        if telling:
            fewest: Collection[int] = min((self.by_token.get(token, ()) for token in telling), key=len)
            if len(fewest) <= _FEW:
                return fewest
            # Before the first name there is nothing but titles and suffixes.
            begins = rest[: 1 + next(place for place, token in enumerate(rest) if token == telling[0])]
            beginning = dict.fromkeys(chain.from_iterable(self.by_begin.get(token, ()) for token in begins))
            return min(fewest, beginning, key=len)
        named = set(chain.from_iterable(self.by_token.get(token, ()) for token in rest))
        for entities in self.by_kind:  # those not named all fit alike
            named.update(islice((entity for entity in entities if entity not in named), 2))
        return named


def _without_suffix(last: _Tokens) -> _Tokens:
    while len(last) > 1 and last[-1] in SUFFIXES:
        last = last[:-1]
    return last


def hallucinated(mention: str, source_tokens: AbstractSet[str]) -> bool:
    """Whether a name in a summary has a token that its source does not have.

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


def _rest(tokens: _Tokens, n_front: int, first: _Tokens) -> _Fit:
    """Fit of what a mention has beside the last name; its first `n_front` tokens stand before the last name."""
    fit = _Fit.LAST
    position = 0
    while position < len(tokens):
        token = tokens[position]
        n_first = _beginning(tokens[position:], first) if fit == _Fit.LAST else 0
        if n_first:
            whole = tokens[position : position + n_first] == first
            fit = _Fit.FIRST if whole else _Fit.PART
            position += n_first
            continue
        title = token in TITLES and position < n_front and fit == _Fit.LAST
        middle = is_initial(token) and (fit > _Fit.LAST or not first)
        if not (title or middle or token in SUFFIXES):
            return _Fit.NONE
        position += 1
    return fit


def _beginning(tokens: _Tokens, first: _Tokens) -> int:
    """Count the leading tokens that are those of the first name, or their initials."""
    n = 0
    for token, part in zip(tokens, first, strict=False):
        if token != part and not (is_initial(token) and part.startswith(token)):
            break
        n += 1
    return n


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
    """Locate the names of a text, each in another place.

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
    """Locate the source's persons in a text, in its order, as far as names alone tell them apart.

    Words that may be parts of names and stand side by side are looked up as a name of a summary is, the longest
    stretches first; so "Levin" is no person where the source has two. A word in lower case is no name, unless the
    text has no capitals or the name is written so. A name that goes on with another capitalized word, as in "Sarah
    Levin" or "Levin Street", is not that of the person; before first and last name ("Coach Tom Hill") it does not
    matter, and titles are passed over.

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
    """Locate a name in its own spelling: as whole words, unless its script has none."""
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
    """Locate the tokens of a name side by side."""
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
