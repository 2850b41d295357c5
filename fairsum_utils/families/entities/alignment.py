"""Alignment of names in summaries with persons of the sources."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import IntEnum
from itertools import product
from typing import NamedTuple, TypeAlias

from fairsum_utils.text.person_names import (
    SUFFIXES,
    TITLES,
    Name,
    core_tokens,
    is_initial,
    name_tokens,
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


class Aligner:
    """Search for the source person that a name in a summary refers to.

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
        names: names of the source's persons; an empty name never matches.
        first_name_only: accept a bare first name if nothing else fits; ambiguous if several persons have it.

    Source: Steen and Markert 2024, section 5.2. The paper speaks of titles and the first name only; initials,
    suffixes and the choice between entities of one last name are ours. `first_name_only` is the published code's rule,
    which takes all entities of that first name.

    Example:
        >>> names = [Name("Melissa", "Levin"), Name("Mark", "Levin"), Name("Wei", "Li")]
        >>> aligner = Aligner(names)
        >>> aligner.align("Mr. Li's"), aligner.align("Lincoln"), aligner.align("M. Levin"), aligner.align("Mark Levin")
        (Alignment(entity=2, ambiguous=False), Alignment(entity=None, ambiguous=False),
         Alignment(entity=None, ambiguous=True), Alignment(entity=1, ambiguous=False))
        >>> aligner.align("Wei").entity, Aligner(names, first_name_only=True).align("Wei").entity
        (None, 2)
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
        """Find the person that a mention refers to.

        Args:
            mention: name as written in a summary; letter case, accents, periods and possessive endings are ignored.

        Returns:
            The entity's position and False; None and True if several fit equally well; None and False if none does.
        """
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

    Source: Steen and Markert 2024, section 5.2, footnote 11.

    Example:
        >>> hallucinated("Mr. Obama", {"levin", "said"}), hallucinated("J. Levin", {"levin", "said"})
        (True, False)
    """
    core = core_tokens(name_tokens(mention))
    counted = [token for token in core if not is_initial(token)]
    return any(token not in source_tokens for token in counted or core)
