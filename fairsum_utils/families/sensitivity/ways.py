"""Ways to hand the variants of an original out anew among its inputs, and the gaps that they give; and those of orders.

However variants are handed out, as many pairs of inputs share one. So a way is told by which pairs do, and ways that
only swap the names of variants are one.

Source: E. J. G. Pitman, "Significance tests which may be applied to samples from any populations", 1937.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations

import numpy as np

from fairsum_utils.measures.counterfactual_gap import input_pairs
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.stats.permutation import label_assignments, n_label_assignments

__all__ = ["MOST_EXACT", "MOST_LISTED", "all_orders", "all_ways", "drawn_gaps", "gaps_of", "random_orders"]

MOST_EXACT = 1 << 14
"""Of no more ways than this to hand out the variants, or the orders, of all originals, all are taken."""

MOST_LISTED = 5_040
"""Of more ways than this to hand out variants in one original some are drawn, not all listed."""
_TOGETHER = 1 << 22
"""Labels that are worked on at a time."""


@lru_cache(maxsize=1 << 10)
def all_ways(counts: tuple[int, ...]) -> Bools | None:
    """Which pairs of inputs share a variant, in each way to hand variants out.

    Args:
        counts: inputs of each variant, at least two variants.

    Returns:
        Shape (ways, pairs of inputs), equally likely; None where there are more than `MOST_LISTED`,
        or than fit in memory.

    Example:
        >>> all_ways((1, 2)).astype(int).tolist()
        [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    """
    n = n_label_assignments(counts)
    if n > MOST_LISTED or n * math.comb(sum(counts), 2) > _TOGETHER:
        return None
    table = label_assignments(counts)
    labels = np.full((table.shape[1], sum(counts)), len(counts) - 1)
    labels[np.arange(table.shape[1])[:, None], table.T] = np.repeat(np.arange(len(counts) - 1), counts[:-1])
    return np.unique(_shared(labels), axis=0)


def drawn_gaps(pairs: Floats, counts: Sequence[int], n: int, generator: np.random.Generator) -> Floats:
    """The gaps of an original under random ways to hand variants out.

    Time grows as n times the pairs of inputs, memory as n times the inputs.

    Args:
        pairs: mean distances of its pairs of inputs, shape (pairs,).
        counts: inputs of each variant.
        n: how many ways.
        generator: that draws.

    Returns:
        Shape (n,).

    Example:
        >>> drawn_gaps(np.array([0.5, 0.5, 0.5]), (1, 2), 2, np.random.default_rng(0)).tolist()
        [0.0, 0.0]
    """
    k = sum(counts)
    table = np.zeros((k, k))
    first, second = input_pairs(k)
    table[first, second] = table[second, first] = pairs
    same = []
    for start in range(0, n, _TOGETHER // k + 1):
        rows = min(n - start, _TOGETHER // k + 1)
        labels = generator.permuted(np.tile(np.repeat(np.arange(len(counts)), counts), (rows, 1)), axis=1)
        chosen = ((labels == variant).astype(np.float64) for variant in range(len(counts)))
        same.append(sum(((has @ table) * has).sum(-1) for has in chosen) / 2)
    n_same = sum(math.comb(each, 2) for each in counts)
    of_same = np.concatenate(same)
    return np.asarray((pairs.sum() - of_same) / (math.comb(k, 2) - n_same) - of_same / n_same)


def _shared(labels: np.typing.NDArray[np.integer]) -> Bools:
    first, second = input_pairs(labels.shape[1])
    return np.asarray(labels[:, first] == labels[:, second])


@lru_cache(maxsize=16)
def all_orders(k: int) -> Integers:
    """All ways to hand the summaries of a set to its k orders, shape (k!, k), the observed one first.

    Args:
        k: orders; k! is at most `MOST_EXACT`.

    Example:
        >>> all_orders(3)[:2].tolist()
        [[0, 1, 2], [0, 2, 1]]
    """
    return np.array(list(permutations(range(k))))


def random_orders(k: int, n: int, generator: np.random.Generator) -> Integers:
    """Random ways to hand the summaries of a set to its k orders, shape (n, k).

    Args:
        k: orders.
        n: how many ways.
        generator: that draws.
    """
    return np.asarray(generator.permuted(np.tile(np.arange(k), (n, 1)), axis=1))


def gaps_of(pairs: Floats, shared: Bools) -> Floats:
    """The gaps of an original under ways to hand variants out.

    Args:
        pairs: mean distances of its pairs of inputs, shape (..., pairs).
        shared: which pairs share a variant, shape (ways, pairs); as many in each way, at least one, and not all.

    Returns:
        Shape (..., ways).

    Example:
        >>> gaps_of(np.array([0.1, 0.5, 0.7]), np.array([[True, False, False]])).round(9).tolist()
        [0.5]
    """
    n_same = int(shared[0].sum())
    n_other = shared.shape[1] - n_same
    same = pairs @ shared.T.astype(np.float64)
    return np.asarray((pairs.sum(-1)[..., None] - same) / n_other - same / n_same)
