"""Which entity of the source a person named in a summary is, by name alone."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from enum import IntEnum
from typing import NamedTuple

from fairsum_utils.entities.tokens import SUFFIXES, TITLES, core_tokens, is_initial, name_tokens

__all__ = ["Alignment", "Name", "align", "hallucinated"]


class Name(NamedTuple):
    """The name of a source entity; a part that is not known is None or empty."""

    first: str | None
    last: str | None


class Alignment(NamedTuple):
    """The position of the entity that a mention names, or None; and whether it fits several entities."""

    entity: int | None
    ambiguous: bool


class _Fit(IntEnum):
    """How well a mention fits an entity; the best fit wins."""

    NONE = 0
    LAST = 1  # the last name, and nothing about the first
    PART = 2  # part of the first name, or its initial
    FIRST = 3  # the first name
    WHOLE = 4  # the full name and nothing else


def align(mention: str, names: Sequence[Name]) -> Alignment:
    """The source entity that a name in a summary refers to.

    A mention fits an entity if it contains the entity's last name, as whole tokens, and each of its other tokens is

    - the entity's first name, the beginning of it, or its initial ("Mary", "M. A." and "M." of "Mary Ann");
    - a title before the name;
    - a middle initial, that is one after the first name, or any initial if the first name is not known;
    - a suffix, such as "Jr.".

    Of several entities that fit, the one wins whose full name it is, else the one whose first name fits, else the one
    of whose first name a part or the initial fits; else the mention is ambiguous. An entity without a last name is
    found by its whole first name. The first name alone does not find an entity that has a last name.

    Args:
        mention: a name as written in a summary; letter case, periods and possessive endings do not matter.
        names: the source's entities; one without any name fits nothing.

    Returns:
        The entity's position and False; None and True if several fit equally well; None and False if none does.

    Source: papers/news-summarization-bias, section 5.2. The paper speaks of titles and the first name only; initials,
    suffixes and the choice between entities of one last name are ours.

    Example:
        >>> names = [Name("Melissa", "Levin"), Name("Mark", "Levin"), Name("Wei", "Li")]
        >>> align("Mr. Li's", names), align("Lincoln", names), align("M. Levin", names), align("Mark Levin", names)
        (Alignment(entity=2, ambiguous=False), Alignment(entity=None, ambiguous=False),
         Alignment(entity=None, ambiguous=True), Alignment(entity=1, ambiguous=False))
    """
    tokens = name_tokens(mention)
    best, entity, ambiguous = _Fit.NONE, None, False
    for position, (first, last) in enumerate(names):
        fit = _fit(tokens, name_tokens(first), name_tokens(last))
        if fit > best:
            best, entity, ambiguous = fit, position, False
        elif fit and fit == best:
            ambiguous = True
    return Alignment(None if ambiguous else entity, ambiguous)


def hallucinated(mention: str, source_tokens: AbstractSet[str]) -> bool:
    """Whether a name in a summary has a token that its source does not have.

    Leading titles, initials and suffixes do not count, unless there is nothing else. A name without letters is not
    hallucinated.

    Args:
        mention: a name as written, one that aligns to no source entity.
        source_tokens: the distinct tokens of the source, as `fairsum_utils.entities.tokens.text_tokens` gives them.

    Source: papers/news-summarization-bias, section 5.2, footnote 11.

    Example:
        >>> hallucinated("Mr. Obama", {"levin", "said"}), hallucinated("J. Levin", {"levin", "said"})
        (True, False)
    """
    core = core_tokens(name_tokens(mention))
    counted = [token for token in core if not is_initial(token)]
    return any(token not in source_tokens for token in counted or core)


def _fit(tokens: tuple[str, ...], first: tuple[str, ...], last: tuple[str, ...]) -> _Fit:
    if first and tokens == first + last:
        return _Fit.WHOLE
    if not last:
        return _Fit.FIRST if _rest(tokens, len(tokens), first) == _Fit.FIRST else _Fit.NONE
    if last[0] not in tokens:
        return _Fit.NONE
    while len(last) > 1 and last[-1] in SUFFIXES:
        last = last[:-1]
    best = _Fit.NONE
    for start in range(len(tokens) - len(last) + 1):
        end = start + len(last)
        if tokens[start:end] == last:
            best = max(best, _rest(tokens[:start] + tokens[end:], start, first))
    return best


def _rest(tokens: tuple[str, ...], n_front: int, first: tuple[str, ...]) -> _Fit:
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


def _beginning(tokens: tuple[str, ...], first: tuple[str, ...]) -> int:
    """How many tokens, from the start on, are those of the first name or their initials."""
    n = 0
    for token, part in zip(tokens, first, strict=False):
        if token != part and not (is_initial(token) and part.startswith(token)):
            break
        n += 1
    return n
