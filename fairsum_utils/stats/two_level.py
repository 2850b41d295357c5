"""Bootstrap of samples that come in clusters, at either level: whole clusters, or samples within each cluster.

The paper makes several inputs from an original (a cluster) by assigning groups to its persons at random. Resampling
originals tells how much a score owes to the originals, resampling within them how much it owes to the assignments.
Assignments that were made together, such as one and its inversion, even each other out; they have to be drawn as one.

Both return column sums of the drawn data sets, for every measure is a function of those. Time grows as replicates x
clusters x columns at the first level, replicates x samples x columns at the second; memory is bounded by the block
size.

Source: papers/news-summarization-bias, table 3 (its d and s); A. C. Davison and D. V. Hinkley, "Bootstrap Methods and
their Application", 1997, section 3.8; J. N. K. Rao and C. F. J. Wu, "Resampling inference with complex survey data",
1988 (one draw less than there are units).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fairsum_utils.stats.arrays import Codes, Floats
from fairsum_utils.stats.bootstrap import bootstrap_sums, weighted_sums

__all__ = ["cluster_sums", "resample_clusters", "resample_each", "resample_within"]

_BLOCK = 1 << 17
"""Entries of one block of draws: a megabyte, so that counting stays in the processor's cache."""

_GRAIN = 1 << 20
"""Fractions are rounded to multiples of 1 / _GRAIN where sums must be the same whatever is added first."""


def cluster_sums(columns: Any, clusters: Codes) -> Any:
    """Column sums of each cluster.

    Args:
        columns: shape (n, m); an array or a SciPy sparse matrix, as what is returned.
        clusters: cluster of each sample, shape (n,): 0 ... K-1, each at least once.

    Returns:
        Shape (K, m), summed in the order of the samples.

    Example:
        >>> cluster_sums(np.array([[1.0], [2.0], [4.0]]), np.array([1, 0, 1])).tolist()
        [[2.0], [5.0]]
    """
    n_clusters = int(clusters.max(initial=-1)) + 1
    if hasattr(columns, "tocsr"):
        from scipy.sparse import csr_matrix

        n = len(clusters)
        return csr_matrix((np.ones(n), (clusters, np.arange(n))), shape=(n_clusters, n)) @ columns
    sums = np.zeros((n_clusters, columns.shape[1]))
    np.add.at(sums, clusters, columns)
    return sums


def resample_clusters(columns: Floats, clusters: Codes, *, n_resamples: int = 1000, seed: int | None = 0) -> Floats:
    """Column sums of data sets whose clusters are drawn with replacement, each with all of its samples.

    Args:
        columns: shape (n, m): n samples, m columns; finite.
        clusters: cluster of each sample, shape (n,): 0 ... K-1, each at least once.
        n_resamples: number of replicates, B.
        seed: seed of the generator; the same seed and K draw the same clusters. None draws afresh.

    Returns:
        Shape (B, m). The order of samples does not matter; which number a cluster has does. What other columns there
        are changes no bit of a column's sums.

    Raises:
        ValueError: no samples.

    Source: papers/news-summarization-bias, section 5, "resampling original documents (d)".

    Example:
        >>> resample_clusters(np.ones((4, 1)), np.array([0, 0, 1, 1]), n_resamples=2).tolist()
        [[4.0], [4.0]]
    """
    return bootstrap_sums(cluster_sums(columns, clusters), n_resamples=n_resamples, seed=seed)


def resample_within(
    columns: Any,
    clusters: Codes,
    units: Codes | None = None,
    *,
    n_spared: int = 1,
    n_resamples: int = 1000,
    seed: int | None = 0,
) -> Floats:
    """Column sums of data sets that keep every cluster, with its samples drawn anew from among themselves.

    A cluster of k samples has k drawn, with replacement; a cluster of one is always itself.

    With units, those of a cluster are drawn instead, each with all of its samples. Of k units k - 1 are drawn, and each
    counts k / (k - 1) times. With k draws the sums would vary by (k - 1) / k of what new units would make them vary,
    which matters when units are few: an original of 20 inputs has 10 pairs. With `n_spared=0` k are drawn.

    Args:
        columns: shape (n, m): n samples, m columns; finite. An array, or a SciPy sparse matrix in rows, with which time
            grows as replicates x entries.
        clusters: cluster of each sample, shape (n,): 0 ... K-1, each at least once.
        units: what each sample is drawn with, shape (n,): 0 ... U-1, each at least once and in one cluster only. None
            to draw samples singly.
        n_spared: units that are not drawn of those of each cluster, 0 or 1.
        n_resamples: number of replicates, B.
        seed: seed of the generator; the same seed and cluster sizes draw the same places. None draws afresh.

    Returns:
        Shape (B, m). What other columns there are changes no bit of a column's sums. Samples are drawn by their place
        in their cluster, which is their order here, units by their number: sort samples, such as by their index, if
        they come in any order.

    Raises:
        ValueError: no samples.

    Source: papers/news-summarization-bias, section 5, "resampling among the different entity assignments (s)".

    Example:
        >>> columns = np.array([[1.0], [1.0], [3.0]])
        >>> resample_within(columns, np.array([0, 0, 1]), n_resamples=2).tolist()
        [[5.0], [5.0]]
        >>> opposites = np.array([[1.0], [5.0], [4.0], [2.0]])
        >>> resample_within(opposites, np.zeros(4, dtype=int), np.array([0, 0, 1, 1]), n_resamples=2).tolist()
        [[12.0], [12.0]]
    """
    if not columns.shape[0]:
        raise ValueError("resample_within: no samples to draw from")
    less = 0
    if units is not None:
        columns, clusters, less = cluster_sums(columns, units), _owners(clusters, units), n_spared
    ordered = columns[np.argsort(clusters, kind="stable")]
    counts = np.bincount(clusters)
    return weighted_sums(_draws_within(counts, np.maximum(counts - less, 1), n_resamples, seed), ordered, n_resamples)


def _owners(clusters: Codes, units: Codes) -> Codes:
    """The cluster of each unit."""
    owners = np.zeros(int(units.max(initial=-1)) + 1, dtype=np.int64)
    owners[units] = clusters
    return owners


def resample_each(
    columns: Any,
    clusters: Codes,
    units: Codes,
    digests: Sequence[int],
    *,
    n_spared: Codes,
    n_resamples: int = 1000,
    seed: int = 0,
) -> Floats:
    """Column sums as of `resample_within`, whose clusters draw each by itself, with a seed of its own.

    So the sums of parts of the data add up to those of the whole, to the bit, if no part parts a cluster.

    Args:
        columns: shape (n, m): n samples, m columns; whole numbers, in an array or a SciPy sparse matrix in rows.
        clusters: cluster of each sample, shape (n,): 0 ... K-1, each at least once.
        units: what each sample is drawn with, shape (n,): 0 ... U-1, each at least once and in one cluster only.
        digests: of the names of the clusters, K of them.
        n_spared: of the k units of each cluster so many less are drawn, 0 or 1, and each counts k / (k - 1) times,
            shape (K,).
        n_resamples: number of replicates, B.
        seed: with its digest the seed of a cluster.

    Returns:
        Shape (B, m). What other columns and clusters there are changes no bit of what a cluster adds.

    Example:
        >>> columns, units = np.array([[1.0], [2.0], [5.0]]), np.arange(3)
        >>> sums = resample_each(columns, np.array([0, 0, 1]), units, [7, 8], n_spared=np.zeros(2, int), n_resamples=50)
        >>> np.unique(sums).tolist()
        [7.0, 8.0, 9.0]
    """
    of_unit, owners = cluster_sums(columns, units), _owners(clusters, units)
    of_unit = of_unit[np.argsort(owners, kind="stable")]
    sums = np.tile(np.asarray(columns.sum(axis=0)).ravel(), (n_resamples, 1))
    counts = np.bincount(owners, minlength=len(digests))
    starts = np.cumsum(counts) - counts
    for cluster in np.flatnonzero(counts > 1).tolist():
        own = of_unit[starts[cluster] : starts[cluster] + counts[cluster]]
        if hasattr(own, "tocsr"):
            known = np.unique(own.indices)
            own = own[:, known].toarray()
        else:
            known = np.arange(own.shape[1])
        is_varied = (own != own[:1]).any(axis=0)
        own, varies = own[:, is_varied], known[is_varied]
        if len(varies):
            drawn = _deviations(own, int(n_spared[cluster]), n_resamples, [seed, digests[cluster]])
            sums[:, varies] += drawn
    return sums


def _deviations(own: Floats, less: int, n_resamples: int, seed: Sequence[int]) -> Floats:
    """By how much the sums of one cluster's units differ from what they are in the data, in each replicate."""
    n, n_draws = len(own), max(len(own) - less, 1)
    total: Floats = own.sum(axis=0)
    generator = np.random.default_rng(seed)
    sums = np.empty((n_resamples, own.shape[1]))
    step = max(1, _BLOCK // n)
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        drawn = _below(np.uint64(n), (size, n_draws), generator)
        drawn += np.arange(size)[:, None] * n
        counts = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
        sums[start : start + size] = counts.astype(np.float64) @ own
    if n_draws == n:
        sums -= total
    else:
        sums = (n * sums - n_draws * total) * (round(_GRAIN / n_draws) / _GRAIN)
    return sums


def _below(
    sizes: npt.NDArray[np.uint64] | np.uint64, shape: tuple[int, int], generator: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Random numbers below sizes: the upper bits of 32 random bits times k, each of 0 ... k-1 up to k / 2**32."""
    drawn = generator.integers(1 << 32, size=shape, dtype=np.uint32).astype(np.uint64)
    return (drawn * sizes >> np.uint64(32)).view(np.int64)


def _draws_within(counts: Codes, n_draws: Codes, n_resamples: int, seed: int | None) -> Iterator[Floats]:
    """Blocks of shape (b, n): how much each of n things, which stand by cluster, counts in each replicate.

    Of the `counts[k]` things of a cluster `n_draws[k]` are drawn, and count for all of them.
    """
    n = int(counts.sum())
    sizes = np.repeat(counts, n_draws).astype(np.uint64)
    weights = np.repeat(counts / n_draws, counts)
    generator = np.random.default_rng(seed)
    step = max(1, _BLOCK // n)
    starts = np.repeat(np.cumsum(counts) - counts, n_draws) + np.arange(step)[:, None] * n
    for start in range(0, n_resamples, step):
        shape = min(step, n_resamples - start), len(sizes)
        drawn = _below(sizes, shape, generator)
        drawn += starts[: shape[0]]
        yield np.bincount(drawn.ravel(), minlength=shape[0] * n).reshape(-1, n) * weights
