"""Which entity of the source a person named in a summary is, by name alone."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from enum import IntEnum
from itertools import chain, islice
from typing import NamedTuple, TypeAlias

from fairsum_utils.text.tokens import SUFFIXES, TITLES, Name, core_tokens, is_initial, name_tokens

__all__ = ["Aligner", "Alignment", "align", "hallucinated"]

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
    """How well a mention that is not the full name fits an entity; the best fit wins."""

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
        first_name_only: as of the function `align`.

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
        """The entity that a mention refers to, see the function `align`.

        Args:
            mention: a name as written in a summary.
        """
        tokens = self._with_one_title(name_tokens(mention))
        if tokens not in self._known:
            self._known[tokens] = self._align(tokens)
        return self._known[tokens]

    def _with_one_title(self, tokens: _Tokens) -> _Tokens:
        """A mention whose titles, if nobody has them as a name, are one: several say no more, and all say the same."""
        start = 0
        while start < len(tokens) - 1 and tokens[start] in TITLES and tokens[start] not in self._of_names:
            start += 1
        return (_TITLE, *tokens[start:]) if start and _TITLE not in self._of_names else tokens

    def _align(self, tokens: _Tokens) -> Alignment:
        entities = self._whole.get(tokens) or self._best(tokens) or self._alone.get(tokens, [])
        return Alignment(entities[0] if len(entities) == 1 else None, len(entities) > 1)

    def _best(self, tokens: _Tokens) -> list[int]:
        """The entities that a mention fits best, if it is nobody's full name; two at most of those that fit alike."""
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
        """How well entities of one last name fit; of many at least the best, and two if several fit alike."""
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
        """Whose whole first name the rest of a mention holds; two at most of one name."""
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
        for entities in self.by_kind:  # whoever is not named fits as well as anybody else of the kind
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

    Args:
        mention: a name as written, one that aligns to no source entity.
        source_tokens: the distinct tokens of the source, as `fairsum_utils.text.tokens.text_tokens` gives them.

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
    """How many tokens, from the start on, are those of the first name or their initials."""
    n = 0
    for token, part in zip(tokens, first, strict=False):
        if token != part and not (is_initial(token) and part.startswith(token)):
            break
        n += 1
    return n
