"""Ways to hand labels to things: all of them, counted or listed, or random ones.

An assignment is a column that lists things in a new order: the first `counts[0]` of them get label 0, the next
`counts[1]` label 1, and so on. Order within a label means nothing. A table holds one assignment a column, so that a
sum over one label is a sum of rows.

Tables depend on the sizes of the labels only, not on any data, so data sets of the same shape share one. They take the
smallest unsigned integers that can number the things, and only small tables are kept.

Source: E. J. G. Pitman, "Significance tests which may be applied to samples from any populations", 1937.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain, combinations
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["label_assignments", "n_label_assignments", "random_orders"]

Table = npt.NDArray[np.unsignedinteger[Any]]

# What is kept is bounded: tables of each kind hold 2**26 entries at most, of one byte for up to 255 things.
_BLOCK = 1 << 20
"""Entries of the largest table of random orders that is kept, and of one block of them; 64 are kept."""
_LISTED = 1 << 18
"""Entries of the largest table of all assignments that is kept; 256 are, for there are many ways to split 20 things."""


@lru_cache(maxsize=1024)
def n_label_assignments(counts: tuple[int, ...]) -> int:
    """Number of distinct ways to give each label k to counts[k] things: the multinomial coefficient.

    Args:
        counts: things a label, each at least 0.

    Returns:
        An exact integer of any size.

    Example:
        >>> n_label_assignments((4, 4)), n_label_assignments((2, 3, 3))
        (70, 560)
    """
    left = sum(counts)
    ways = 1
    for count in counts:
        ways *= math.comb(left, count)
        left -= count
    return ways


def label_assignments(counts: tuple[int, ...]) -> Table:
    """All distinct ways to give each label k to counts[k] things.

    The things of the last label are left out of the table: they are the remaining ones. Put the most frequent label
    last to keep the table small.

    Args:
        counts: things a label, each at least 1; at least two labels.

    Returns:
        Shape (sum(counts[:-1]), n_label_assignments(counts)), read-only; memory and time grow as its entries.

    Example:
        >>> label_assignments((1, 2))
        array([[0, 1, 2]], dtype=uint8)
        >>> label_assignments((1, 1, 1))
        array([[0, 0, 1, 1, 2, 2],
               [1, 2, 0, 2, 0, 1]], dtype=uint8)
    """
    small = n_label_assignments(counts) * sum(counts[:-1]) <= _LISTED
    return _cached_assignments(counts) if small else _enumerate(counts)


def _enumerate(counts: tuple[int, ...]) -> Table:
    *others, last = counts[1:]
    n = sum(counts)
    chosen = _choices(n, counts[0])
    if others:
        # Whoever is left, in order; each of the ways to go on picks by position from them.
        left = np.ones((len(chosen), n), dtype=np.bool_)
        np.put_along_axis(left, chosen.astype(np.intp), False, axis=1)
        rest = np.nonzero(left)[1].astype(chosen.dtype).reshape(len(chosen), -1)
        onwards = _enumerate((*others, last))
        picked = rest[:, onwards].swapaxes(0, 1).reshape(len(onwards), -1)
        table = np.concatenate([chosen.T.repeat(onwards.shape[1], axis=1), picked])
    else:
        table = np.ascontiguousarray(chosen.T)
    table.setflags(write=False)
    return table


_cached_assignments = lru_cache(maxsize=256)(_enumerate)


def _choices(n: int, count: int) -> Table:
    """All subsets of n things with count members, shape (comb(n, count), count), members in order."""
    ways = math.comb(n, count)
    members = chain.from_iterable(combinations(range(n), count))
    return np.fromiter(members, dtype=np.min_scalar_type(n), count=ways * count).reshape(ways, count)


def random_orders(n: int, n_draws: int, *, seed: int | None = 0) -> Iterator[Table]:
    """Random orders of n things, in blocks of bounded size.

    Args:
        n: number of things, at least 1.
        n_draws: number of orders.
        seed: seed of the generator; the same seed, n and n_draws give the same orders. None draws afresh.

    Yields:
        Shape (n, b), read-only: one order a column; the b add up to n_draws.

    Example:
        >>> [block.shape for block in random_orders(8, 5_000)]
        [(8, 5000)]
    """
    small = seed is not None and n * n_draws <= _BLOCK
    yield from (_cached_orders if small else _draw_orders)(n, n_draws, seed)


def _draw_orders(n: int, n_draws: int, seed: int | None) -> Iterator[Table]:
    generator = np.random.default_rng(seed)
    things = np.arange(n, dtype=np.min_scalar_type(n))
    step = max(1, _BLOCK // n)
    for start in range(0, n_draws, step):
        size = min(step, n_draws - start)
        block = np.ascontiguousarray(generator.permuted(np.tile(things, (size, 1)), axis=1).T)
        block.setflags(write=False)
        yield block


@lru_cache(maxsize=64)
def _cached_orders(n: int, n_draws: int, seed: int) -> tuple[Table, ...]:
    return tuple(_draw_orders(n, n_draws, seed))
