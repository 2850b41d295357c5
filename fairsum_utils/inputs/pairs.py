"""Samples of two systems, matched by their ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from fairsum_utils.errors import InputError

__all__ = ["match_ids"]


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
            raise InputError(f"{module}: id {twice!r} occurs twice in {label}; give every sample an id of its own")
    places = {name: place for place, name in enumerate(b)}
    for label, other, mine, theirs in (("A", "B", a, places), ("B", "A", b, set(a))):
        alone = [name for name in mine if name not in theirs]
        if alone:
            raise InputError(
                f"{module}: {len(alone)} samples of {label} are not in {other}, such as id {alone[0]!r}; "
                "compare systems on the same samples"
            )
    return [places[name] for name in a]
