"""Ranks of systems that share one where no difference between them is significant."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

__all__ = ["rank_groups"]


def rank_groups(scores: Mapping[str, float], differ: Callable[[str, str], bool]) -> dict[str, int | None]:
    """Ranks from 1, with ties: no two systems of a rank differ.

    From the lowest score on, a system shares the rank of those before it until it differs from one of them; then a new
    rank begins with it. Systems of different ranks need not all differ, for "does not differ" carries no further: a
    third system may lie between two that do.

    Args:
        scores: name -> score, the lower the better; NaN where there is none. Equal scores stand in the order of the
            names, so that the order given does not matter.
        differ: whether two systems differ significantly; it takes their names in either order.

    Returns:
        Name -> rank, in the order given; None where there is no score.

    Source: the ranks of the WMT metrics shared tasks, such as Freitag et al., "Results of WMT23 Metrics Shared Task",
    2023.

    Example:
        >>> rank_groups({"a": 0.3, "b": 0.1, "c": 0.2}, lambda one, other: {one, other} == {"a", "b"})
        {'a': 2, 'b': 1, 'c': 1}
    """
    ranks: dict[str, int | None] = dict.fromkeys(scores)
    rank, tied = 1, list[str]()
    for name in sorted(
        (name for name in scores if not math.isnan(scores[name])), key=lambda name: (scores[name], name)
    ):
        if any(differ(name, other) for other in tied):
            rank, tied = rank + 1, []
        tied.append(name)
        ranks[name] = rank
    return ranks
