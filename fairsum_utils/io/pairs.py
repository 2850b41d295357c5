"""Ids of samples: unique in a data set, and matched between systems."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NoReturn

from fairsum_utils.errors import InputError
from fairsum_utils.validation import count

__all__ = ["check_unique", "match_ids", "refuse_alone"]


def match_ids(module: str, a: Sequence[str], b: Sequence[str]) -> list[int]:
    """Where the samples of system A are in system B.

    Args:
        module: name used in messages.
        a: ids of system A, without repeats.
        b: ids of system B, without repeats, in any order.

    Raises:
        InputError: an id occurs in one system only.

    Example:
        >>> match_ids("compare", ["x", "y"], ["y", "x"])
        [1, 0]
    """
    places = {name: place for place, name in enumerate(b)}
    for label, other, mine, theirs in (("A", "B", a, places), ("B", "A", b, set(a))):
        alone = [name for name in mine if name not in theirs]
        if alone:
            refuse_alone(module, alone, label, other)
    return [places[name] for name in a]


def check_unique(
    ids: Iterable[str],
    where: Callable[[int], str],
    *,
    start: int = 0,
    seen: set[str] | None = None,
    option: str = "--id-column",
    several: bool = False,
) -> None:
    """Refuse repeated ids.

    Args:
        ids: ids of samples.
        where: index of a sample -> file and row, for the message.
        start: index of the first sample.
        seen: ids of earlier samples, to which these are added.
        option: setting that names the column of ids.
        several: whether the samples come from several files.

    Raises:
        InputError: an id is repeated; the message names the first one and the number of such samples.

    Example:
        >>> check_unique(["a", "b", "a", "a"], "row {}".format)
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: row 2: id 'a' has been used before; 2 samples repeat an id. Give every sample
        its own, or name another column with --id-column ('none': row numbers)
    """
    seen = set() if seen is None else seen
    first, n = ("", ""), 0
    for index, name in enumerate(ids, start):
        if name in seen:
            first = first if n else (where(index), name)
            n += 1
        seen.add(name)
    if n:
        samples = f"{count(n, 'sample')} {'repeats' if n == 1 else 'repeat'}"
        hint = "; to compare systems on the same samples: fairsum compare FILE FILE ..." if several else ""
        raise InputError(
            f"{first[0]}: id {first[1]!r} has been used before; {samples} an id. Give every sample its own, or name "
            f"another column with {option} ('none': row numbers){hint}"
        )


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
