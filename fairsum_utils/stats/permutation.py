"""Assignments of labels to items: counted, listed or random, and their permutation tests.

An assignment is a column that lists items in a new order: the first `counts[0]` items get label 0, the next `counts[1]`
label 1, and so on. Order within a label has no meaning. A table has one assignment per column, so a sum over one label
is a sum of rows.

Tables depend only on the sizes of the labels, so data sets of the same shape share one. They use the smallest unsigned
integers for the number of items, and only small tables are cached.

The test of the news measures: the paper makes several inputs from an original and assigns groups (labels) to its
persons anew in each. If a summarizer does not see groups, it would have included the same persons under any other of
these assignments. So the test reassigns them, and measures how far the shares of the groups differ by chance:

- If the samples of an original have the same persons (the i-th is the same one in each), its samples exchange whole
  assignments. Each person keeps its other properties: how salient it is, and with whom it was included.
- If an original has one sample, or its samples differ in their number of persons, the persons of each sample exchange
  labels. This assumes that the persons of a sample are equally likely to be included.

Permuting single labels freely over samples and originals would change what the design keeps fixed (how many of each
group a text names, and who is salient in it), and would report significant differences that are not.

Source: E. J. G. Pitman, "Significance tests which may be applied to samples from any populations", 1937;
Steen and Markert 2024, section 5.1 (the design).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import copy
from functools import lru_cache
from itertools import chain, combinations
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairsum_utils.stats.arrays import Bools, Codes, Floats, Integers

Table = npt.NDArray[np.unsignedinteger[Any]]

# Caches are bounded: at most 2**26 entries per kind of table, one byte each for up to 255 items.
_ORDERS_BLOCK = 1 << 20
"""Entries in the largest cached table of random orders, and in one block; 64 tables are cached."""
_PERMUTED_BLOCK = 1 << 17
"""Entries in one block of permuted labels."""
_LISTED = 1 << 18
"""Entries in the largest cached table of all assignments; 256 are cached, because 20 items split in many ways."""


@lru_cache(maxsize=1024)
def n_label_assignments(counts: tuple[int, ...]) -> int:
    """Count the distinct assignments of label k to counts[k] items (multinomial coefficient).

    Args:
        counts: items per label, each at least 0.

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
    """All distinct assignments of label k to counts[k] items.

    The table omits the items of the last label, which are the remaining ones. Put the most frequent label last to keep
    the table small.

    Args:
        counts: items per label, each at least 1; at least two labels.

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
        # Remaining items, in order; each continuation picks by position from them.
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
    """List all subsets of `count` of n items, shape (comb(n, count), count)."""
    ways = math.comb(n, count)
    members = chain.from_iterable(combinations(range(n), count))
    return np.fromiter(members, dtype=np.min_scalar_type(n), count=ways * count).reshape(ways, count)


def random_orders(n: int, n_draws: int, *, seed: int | None = 0) -> Iterator[Table]:
    """Random orders of n items, in blocks of bounded size.

    Args:
        n: number of items, at least 1.
        n_draws: number of orders.
        seed: seed of the generator; the same seed, n and n_draws give the same orders. None for a fresh one.

    Yields:
        Shape (n, b), read-only: one order per column; the b add up to n_draws.

    Example:
        >>> [block.shape for block in random_orders(8, 5_000)]
        [(8, 5000)]
    """
    small = seed is not None and n * n_draws <= _ORDERS_BLOCK
    yield from (_cached_orders if small else _draw_orders)(n, n_draws, seed)


def _draw_orders(n: int, n_draws: int, seed: int | None) -> Iterator[Table]:
    generator = np.random.default_rng(seed)
    things = np.arange(n, dtype=np.min_scalar_type(n))
    step = max(1, _ORDERS_BLOCK // n)
    for start in range(0, n_draws, step):
        size = min(step, n_draws - start)
        block = np.ascontiguousarray(generator.permuted(np.tile(things, (size, 1)), axis=1).T)
        block.setflags(write=False)
        yield block


@lru_cache(maxsize=64)
def _cached_orders(n: int, n_draws: int, seed: int) -> tuple[Table, ...]:
    return tuple(_draw_orders(n, n_draws, seed))


TOLERANCE = 1e-12
"""Rounding tolerance when comparing a statistic with the observed one."""

_LAID_OUT = 1 << 22
"""Above this number of samples times labels, only labels present in a sample are drawn."""


def permutation_p_value(observed: float, replicates: Floats) -> float:
    """Return the share of permutations that reach the observed statistic, itself included.

    Args:
        observed: the statistic; may be infinite, and then only infinite ones reach it.
        replicates: the statistic under each permutation, shape (m,).

    Returns:
        (b + 1) / (m + 1), where b of m reach the observed one within a tolerance of 1e-12; never 0. NaN if the
        observed one is.

    Example:
        >>> permutation_p_value(0.5, np.array([0.5, 0.1, 0.2]))
        0.5
    """
    if np.isnan(observed):
        return float("nan")
    return float((np.count_nonzero(replicates >= observed - TOLERANCE) + 1) / (len(replicates) + 1))


def null_sd(replicates: Floats, n: float) -> float:
    """Estimate the standard deviation of a mean that is 0 by chance.

    Args:
        replicates: the sum under each permutation, shape (m,).
        n: number of samples in the mean.

    Example:
        >>> null_sd(np.array([-3.0, 3.0]), 2)
        1.5
    """
    return float(np.sqrt(np.mean(np.square(replicates)))) / n


def permuted_counts(
    chosen: Bools,
    labels: Codes,
    samples: Codes,
    clusters: Codes,
    *,
    n_labels: int,
    n_permutations: int = 1000,
    seed: int | None = 0,
) -> Floats:
    """Count the chosen items of each label under random assignments, shape (B, n_labels).

    The total number of items with a label is the same under each. Time grows as permutations x (samples + chosen
    items); memory is bounded by the block size, or by one permutation.

    Args:
        chosen: True if each item is chosen (a person is included), shape (n,).
        labels: label of each item, shape (n,): 0 ... n_labels-1.
        samples: sample of each item, shape (n,), not decreasing; items have the same order in all samples
            of a cluster.
        clusters: cluster (original) of each sample, one for every number up to the largest in `samples`.
        n_labels: number of labels.
        n_permutations: number of assignments, B.
        seed: seed of the generator; None for a fresh one.

    Example:
        >>> chosen, labels = np.array([True, False, True, False]), np.array([0, 1, 0, 1])
        >>> counts = permuted_counts(chosen, labels, np.array([0, 0, 1, 1]), np.array([0, 0]), n_labels=2)
        >>> np.unique(counts, axis=0).tolist()  # both inputs have the same groups, so that nothing can change
        [[2.0, 0.0]]
    """
    things = _Things(chosen, labels, samples, n_labels)
    sizes = np.bincount(samples, minlength=len(clusters))
    exchanged = _corresponding(sizes, clusters)
    generator = np.random.default_rng(seed)
    counts = _shuffled(_Table(things.where(~exchanged[samples])), n_permutations, generator)
    in_cluster = np.bincount(clusters, minlength=1)[clusters]
    for n_samples in np.unique(in_cluster[exchanged]):
        alike = np.flatnonzero(exchanged & (in_cluster == n_samples))
        members = alike[np.argsort(clusters[alike], kind="stable")].reshape(-1, n_samples)
        counts += _exchanged(things, sizes, members, n_permutations, generator)
    return counts


class _Things(NamedTuple):
    """Items: chosen or not, label and sample."""

    chosen: Bools
    labels: Codes
    samples: Codes
    n_labels: int

    def where(self, wanted: Bools) -> _Things:
        """Some of the items."""
        return _Things(self.chosen[wanted], self.labels[wanted], self.samples[wanted], self.n_labels)


class _Table:
    """Items and chosen items of each non-empty sample by label.

    Attributes:
        n_labels: number of labels in all samples.
        samples: their numbers, ascending.
        starts: position of each sample's first label in the arrays below.
        lengths: number of labels of each sample.
        labels: labels of each sample, ascending.
        things: number of items with the label.
        chosen: those of them that are chosen.
    """

    def __init__(self, things: _Things) -> None:
        self.n_labels = n_labels = things.n_labels
        codes = things.samples.astype(np.int64) * n_labels + things.labels
        cells, inverse, self.things = np.unique(codes, return_inverse=True, return_counts=True)
        self.chosen = np.bincount(inverse[things.chosen], minlength=len(cells))
        self.labels = cells % n_labels
        self.samples, self.starts, self.lengths = np.unique(cells // n_labels, return_index=True, return_counts=True)

    def sums(self, numbers: Integers) -> Integers:
        """Sum of each sample, of numbers in the order of the labels."""
        return np.add.reduceat(numbers, self.starts) if len(self.starts) else np.zeros(0, dtype=np.int64)

    def can_change(self) -> Bools:
        """Return whether exchanging labels within each sample can change the counts."""
        n_chosen, n_things = self.sums(self.chosen), self.sums(self.things)
        return np.asarray((n_chosen > 0) & (n_chosen < n_things) & (self.lengths > 1))

    def where(self, wanted: Bools) -> _Table:
        """Some of the samples."""
        found, cells = copy(self), np.repeat(wanted, self.lengths)
        found.labels, found.things, found.chosen = self.labels[cells], self.things[cells], self.chosen[cells]
        found.samples, found.lengths = self.samples[wanted], self.lengths[wanted]
        found.starts = np.cumsum(found.lengths) - found.lengths
        return found


def _corresponding(sizes: Codes, clusters: Codes) -> Bools:
    """Return whether each sample has peers in its cluster and all sizes agree."""
    n_samples = np.bincount(clusters, minlength=1)
    differs = np.zeros(len(n_samples), dtype=np.bool_)
    largest = np.zeros(len(n_samples), dtype=np.int64)
    np.maximum.at(largest, clusters, sizes)
    differs[clusters[sizes != largest[clusters]]] = True
    return np.asarray(((n_samples > 1) & ~differs)[clusters])


def _blocks(n_permutations: int, width: int) -> Iterator[slice]:
    step = max(1, _PERMUTED_BLOCK // max(1, width))
    for start in range(0, n_permutations, step):
        yield slice(start, min(start + step, n_permutations))


def _shuffled(table: _Table, n_permutations: int, generator: np.random.Generator) -> Floats:
    """Count chosen items by label after shuffling labels within each sample."""
    varies = table.can_change()
    fixed = table.where(~varies)
    chosen = np.bincount(fixed.labels, fixed.chosen, minlength=table.n_labels).astype(np.float64)
    counts = np.tile(chosen, (n_permutations, 1))
    draw = _draw_all if len(table.starts) * table.n_labels <= _LAID_OUT else _draw_sparsely
    draw(counts, table.where(varies), generator)
    return counts


def _draw_all(counts: Floats, table: _Table, generator: np.random.Generator) -> None:
    """Add the drawn items, label after label of all samples."""
    things, n_chosen = np.zeros((len(table.starts), table.n_labels), dtype=np.int64), table.sums(table.chosen)
    things[np.repeat(np.arange(len(table.starts)), table.lengths), table.labels] = table.things
    behind = things[:, ::-1].cumsum(axis=1)[:, ::-1] - things  # items of all later labels
    for block in _blocks(len(counts), len(things)):
        left = np.tile(n_chosen, (block.stop - block.start, 1))
        for label in range(things.shape[1] - 1):
            drawn = generator.hypergeometric(things[:, label], behind[:, label], left)
            counts[block, label] += drawn.sum(axis=1)
            left -= drawn
        counts[block, -1] += left.sum(axis=1)


def _draw_sparsely(counts: Floats, table: _Table, generator: np.random.Generator) -> None:
    """Draw as `_draw_all`, skipping labels that a sample lacks (other random numbers).

    For many labels; `_draw_all` stays, because other draws would change published numbers.
    """
    n_chosen = table.sums(table.chosen)
    behind = np.repeat(table.sums(table.things), table.lengths)
    total = np.cumsum(table.things)
    behind -= total - np.repeat(total[table.starts] - table.things[table.starts], table.lengths)
    for block in _blocks(len(counts), max(len(table.starts), table.n_labels)):
        size = block.stop - block.start
        left = np.tile(n_chosen, (size, 1))
        offsets = np.arange(size)[:, None] * table.n_labels
        for place in range(table.lengths.max(initial=0)):
            rows = np.flatnonzero(table.lengths > place)
            cells = table.starts[rows] + place
            drawn = generator.hypergeometric(table.things[cells], behind[cells], left[:, rows])
            left[:, rows] -= drawn
            found = np.bincount((table.labels[cells] + offsets).ravel(), drawn.ravel(), size * table.n_labels)
            counts[block] += found.reshape(size, table.n_labels)


def _exchanged(
    things: _Things, sizes: Codes, members: npt.NDArray[np.intp], n_permutations: int, generator: np.random.Generator
) -> Floats:
    """Count chosen items by label after permuting assignments between a cluster's samples."""
    chosen, labels, samples, n_labels = things
    counts = np.zeros((n_permutations, n_labels))
    members = members[np.isin(members, samples[chosen]).any(axis=1)]  # the others have nothing chosen
    n_clusters, n_samples = members.shape
    place = np.full(len(sizes), -1)
    place[members.ravel()] = np.arange(members.size)
    counted = np.flatnonzero(chosen & (place[samples] >= 0))
    first = np.cumsum(sizes) - sizes
    column, position = place[samples[counted]], counted - first[samples[counted]]
    row = column // n_samples * n_samples  # row of the sample's cluster
    starts = first[members].ravel()
    in_order = np.arange(n_samples, dtype=np.min_scalar_type(n_samples))
    for block in _blocks(n_permutations, max(members.size, len(counted))):
        size = block.stop - block.start
        donors = generator.permuted(np.tile(in_order, (size * n_clusters, 1)), axis=1).reshape(size, -1)
        cells = labels.take(starts.take(donors[:, column] + row) + position) + np.arange(size)[:, None] * n_labels
        counts[block] = np.bincount(cells.ravel(), minlength=size * n_labels).reshape(size, n_labels)
    return counts
