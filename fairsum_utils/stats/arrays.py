"""Types of arrays, exact means, seeded shuffling, and ranks with ties."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, SupportsFloat, TypeVar

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]
Integers = npt.NDArray[np.int64]
Codes = npt.NDArray[np.integer[Any]]
"""Integers of any width that encode categories, such as the group of each text."""


def by_code(codes: Codes) -> Iterator[tuple[int, Integers]]:
    """Yield each code that occurs, in rising order, and its positions.

    Args:
        codes: shape (n,).

    Example:
        >>> [(code, places.tolist()) for code, places in by_code(np.array([7, 0, 7]))]
        [(0, [1]), (7, [0, 2])]
    """
    order = np.argsort(codes, kind="stable")
    found, starts = np.unique(codes[order], return_index=True)
    if len(found):
        yield from zip(found.tolist(), np.split(order, starts[1:]), strict=True)


def padded(rows: Sequence[Sequence[float]]) -> Floats:
    """Pad rows of different lengths with NaN into one array.

    Args:
        rows: sequences of numbers.

    Returns:
        Shape (rows, longest row).

    Example:
        >>> padded([[0.5, 0.25], [1.0]]).tolist()
        [[0.5, 0.25], [1.0, nan]]
    """
    table = np.full((len(rows), max(map(len, rows), default=0)), np.nan)
    for row, numbers in zip(table, rows, strict=True):
        row[: len(numbers)] = numbers
    return table


def quotient(numerators: npt.ArrayLike, denominators: npt.ArrayLike) -> Floats:
    """Divide elementwise, with NaN if the denominator is 0.

    Args:
        numerators: any shape.
        denominators: a shape that broadcasts with it, at least 0.

    Returns:
        The broadcast shape; NaN if the denominator is 0 or NaN.

    Example:
        >>> quotient([1.0, 3.0], [0, 4]).tolist()
        [nan, 0.75]
    """
    above, below = np.broadcast_arrays(np.asarray(numerators, dtype=np.float64), denominators)
    return np.asarray(np.divide(above, below, out=np.full(above.shape, np.nan), where=below > 0))


def scalar(number: SupportsFloat) -> float:
    """Convert to a Python float; undefined is `math.nan` itself, so results compare equal.

    Example:
        >>> [scalar(np.array(0.5)), scalar(np.array(np.nan))] == [0.5, math.nan]
        True
    """
    plain = float(number)
    return math.nan if math.isnan(plain) else plain


def exact_mean(entries: Sequence[float] | Floats) -> float:
    """Compute the mean from an exactly rounded sum; NaN for no numbers.

    Example:
        >>> exact_mean([0.5, 0.25]), exact_mean([])
        (0.375, nan)
    """
    return math.fsum(entries) / len(entries) if len(entries) else math.nan


def exact_parts(numbers: Floats) -> list[float]:
    """Return a few numbers with exactly the same sum.

    Each addition keeps what rounding loses, until nothing is lost.

    Source: T. Ogita, S. Rump and S. Oishi, "Accurate sum and dot product", 2005, algorithm 3.1 (Knuth's TwoSum).

    Example:
        >>> exact_parts(np.array([1e100, 1.0, -1e100]))
        [0.0, 1.0]
    """
    parts = []
    while len(numbers):
        lost = []
        while len(numbers) > 1:
            half = len(numbers) // 2
            a, b = numbers[:half], numbers[half : 2 * half]
            total = a + b
            of_b = total - a
            errors = (a - (total - of_b)) + (b - of_b)
            lost.append(errors[errors != 0])
            numbers = np.concatenate([total, numbers[2 * half :]])
        parts.append(float(numbers[0]))
        numbers = np.concatenate([np.empty(0), *lost])
    return parts


T = TypeVar("T")


def shuffled(items: Sequence[T], generator: random.Random) -> list[T]:
    """Return the items in random order.

    It uses only ``random()``, whose sequence Python guarantees; ``random.shuffle`` may change.

    Example:
        >>> sorted(shuffled("abc", random.Random(0)))
        ['a', 'b', 'c']
    """
    keys = [generator.random() for _ in items]
    return [items[i] for i in sorted(range(len(items)), key=keys.__getitem__)]


def rank_groups(scores: Mapping[str, float], differ: Callable[[str, str], bool]) -> dict[str, int | None]:
    """Rank systems from 1, with ties for those that do not differ.

    Starting from the lowest score, a system shares the current rank unless it differs from a system of that rank; then
    it starts a new rank. Systems of different ranks need not all differ, because "does not differ" is not transitive.

    Args:
        scores: name -> score, lower is better; NaN for no score. Equal scores are ordered by
            name, so the order given does not matter.
        differ: function of two names, in either order: whether the systems differ significantly.

    Returns:
        Name -> rank, in the order given; None without a score.

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
