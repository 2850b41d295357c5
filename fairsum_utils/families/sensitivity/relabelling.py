"""Permutation tests within originals.

A test hands the labels of each original out anew among its inputs: variants, or orders. Where there are few ways in
all, it takes all of them.

Source: E. J. G. Pitman, "Significance tests which may be applied to samples from any populations", 1937.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

import numpy as np

from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.stats.permutation import (
    TOLERANCE,
    label_assignments,
    n_label_assignments,
    permutation_p_value,
)
from fairsum_utils.stats.sums import Key, digest_of

# Drawn numbers are multiples of one over it, so that sums do not depend on the order of the originals.
GRAIN = 1 << 32
# Most ways to hand out the labels of all originals, and of one of them, that are all taken; of more, some are drawn.
MOST_EXACT = 1 << 14
MOST_LISTED = 5_040
# Labels, or numbers of distances, to work on at a time.
TOGETHER = 1 << 22

Ways: TypeAlias = Literal["variants", "partitions", "orders"]
"""How a test hands labels out: variants to inputs; parts of inputs, whatever their names; orders, always shuffled."""


def grains(numbers: Floats) -> Floats:
    """Round numbers to multiples of 1 / `GRAIN`."""
    return np.rint(numbers * GRAIN)


@lru_cache(maxsize=64)
def label_ways(counts: tuple[int, ...]) -> Integers:
    """List all assignments of labels with these counts, shape (ways, inputs).

    Example:
        >>> label_ways((1, 2)).tolist()
        [[0, 1, 1], [1, 0, 1], [1, 1, 0]]
    """
    table = label_assignments(counts)
    labels = np.full((table.shape[1], sum(counts)), len(counts) - 1)
    labels[np.arange(len(labels))[:, None], table.T] = np.repeat(np.arange(len(counts) - 1), counts[:-1])
    return labels


@lru_cache(maxsize=1 << 10)
def partitions(counts: tuple[int, ...]) -> Integers | None:
    """List relabellings that differ beyond the names of variants; None if too many.

    Example:
        >>> len(partitions((2, 2)))
        3
    """
    n = n_label_assignments(counts)
    if n > MOST_LISTED or n * math.comb(sum(counts), 2) > TOGETHER:
        return None
    labels = label_ways(counts)
    first, second = np.triu_indices(sum(counts), 1)
    _, kept = np.unique(labels[:, first] == labels[:, second], axis=0, return_index=True)
    return np.asarray(labels[kept])


class Relabelled(NamedTuple):
    """Figures of one original under relabelling.

    Attributes:
        ways: kind of relabelling, as the measure declares it.
        seed: name that seeds its draws, so that they do not depend on other originals.
        keys: keys of the figures.
        counts: number of inputs with each label.
        figures: function of labels (ways, inputs) that returns numbers, shape (ways, keys).
    """

    ways: Ways
    seed: str
    keys: Sequence[Key]
    counts: tuple[int, ...]
    figures: Callable[[Integers], Floats]

    @property
    def n_ways(self) -> float:
        """Number of possible relabellings; infinite if they are never listed."""
        if self.ways != "partitions":
            return n_label_assignments(self.counts)
        listed = partitions(self.counts)
        return math.inf if listed is None else len(listed)

    def listed(self) -> Floats:
        """Compute the figures of all relabellings in grains, shape (ways, keys)."""
        labels = partitions(self.counts) if self.ways == "partitions" else label_ways(self.counts)
        assert labels is not None
        return grains(self.figures(labels))

    def drawn(self, n: int, generator: np.random.Generator) -> Floats:
        """Compute the figures of n random relabellings in grains, shape (n, keys)."""
        if self.ways != "orders" and self.n_ways <= MOST_LISTED:
            listed = self.listed()
            return np.asarray(listed[generator.integers(len(listed), size=n)])
        labels, parts = np.repeat(np.arange(len(self.counts)), self.counts), []
        step = TOGETHER // len(labels) + 1
        for start in range(0, n, step):
            tiled = np.tile(labels, (min(n - start, step), 1))
            parts.append(grains(self.figures(generator.permuted(tiled, axis=1))))
        return np.concatenate(parts)


def has_few_ways(originals: Sequence[Relabelled]) -> bool:
    """Check whether all relabellings of all originals can be listed."""
    n_ways: float = 1  # a whole number of any size, or infinite
    for one in originals:
        n_ways = min(n_ways * one.n_ways, 2 * MOST_EXACT)
    return n_ways <= MOST_EXACT


def all_sums(originals: Sequence[Relabelled], keys: Sequence[Key]) -> Floats:
    """Sum figures over originals under all relabellings, shape (ways, keys)."""
    total = np.zeros((1, len(keys)))
    for one in originals:
        listed = one.listed()
        own = np.zeros((len(listed), len(keys)))
        own[:, [keys.index(key) for key in one.keys]] = listed
        total = (total[:, None] + own).reshape(-1, len(keys))
    return total / GRAIN


def drawn_sums(originals: Sequence[Relabelled], keys: Sequence[Key], n: int, seed: int, salt: int) -> Floats:
    """Sum figures over originals, each relabelled randomly n times, shape (n, keys)."""
    total = np.zeros((n, len(keys)))
    for one in originals:
        generator = np.random.default_rng([seed, digest_of(one.seed), salt])
        total[:, [keys.index(key) for key in one.keys]] += one.drawn(n, generator)
    return total / GRAIN


def share_reaching(observed: float, by_chance: Floats, method: str) -> float:
    """Compute the p-value of a statistic from all or random relabellings."""
    if method == "exact":
        return float((by_chance >= observed - TOLERANCE).mean())
    return permutation_p_value(observed, by_chance)
