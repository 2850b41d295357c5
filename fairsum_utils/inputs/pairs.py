"""Samples of systems, matched by their ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NoReturn

from fairsum_utils.errors import InputError
from fairsum_utils.validation import count

__all__ = ["match_ids", "refuse_alone", "refuse_twice"]


def match_ids(module: str, a: Sequence[str], b: Sequence[str]) -> list[int]:
    """Where the samples of system A are in system B.

    Args:
        module: name used in messages.
        a: ids of system A.
        b: ids of system B, in any order.

    Raises:
        InputError: an id that occurs twice, or in one system only.

    Example:
        >>> match_ids("compare", ["x", "y"], ["y", "x"])
        [1, 0]
    """
    for label, ids in (("A", a), ("B", b)):
        if len(set(ids)) < len(ids):
            twice = Counter(ids).most_common(1)[0][0]
            refuse_twice(module, twice, label)
    places = {name: place for place, name in enumerate(b)}
    for label, other, mine, theirs in (("A", "B", a, places), ("B", "A", b, set(a))):
        alone = [name for name in mine if name not in theirs]
        if alone:
            refuse_alone(module, alone, label, other)
    return [places[name] for name in a]


def refuse_twice(module: str, name: str, system: str) -> NoReturn:
    """Refuse an id that two samples of a system have.

    Args:
        module: name used in messages.
        name: the id.
        system: what it is called.
    """
    raise InputError(f"{module}: id {name!r} occurs twice in {system}; give every sample an id of its own")


def refuse_alone(module: str, alone: Sequence[str], system: str, other: str) -> NoReturn:
    """Refuse samples that one system has and another has not.

    Args:
        module: name used in messages.
        alone: their ids.
        system: that has them.
        other: that has not.
    """
    raise InputError(
        f"{module}: {count(len(alone), 'sample')} of {system} {'is' if len(alone) == 1 else 'are'} not in {other}, "
        f"such as id {alone[0]!r}; compare systems on the same samples"
    )
