"""Vectorized bootstrap over samples: replicates are weighted sums of per-sample columns.

Every measure here is a function of column sums. So nothing is tokenized or matched again, and a replicate costs one
product of vectors per column. Time grows as replicates x samples x columns; memory is bounded by the block size.

Samples in clusters are resampled at one of two levels: whole clusters, or samples within each cluster. The paper makes
several inputs from an original (a cluster) by assigning groups to its persons at random. Resampling originals shows how
much a score depends on the originals; resampling within them, how much it depends on the assignments. Assignments that
were made together, such as one and its inversion, balance each other and are drawn as one. Time grows as replicates x
clusters x columns at the first level.

Source: B. Efron and R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapters 13 and 16; T. C. Hesterberg,
"What Teachers Should Know About the Bootstrap: Resampling in the Undergraduate Statistics Curriculum", The American
Statistician 69, 2015 (why percentile intervals of few units are too narrow, and by how much to expand them);
Steen and Markert 2024, table 3 (its d and s); A. C. Davison and D. V. Hinkley, "Bootstrap Methods and their
Application", 1997, section 3.8; J. N. K. Rao and C. F. J. Wu, "Resampling inference with complex survey data", 1988
(one draw less than there are units).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import islice
from statistics import NormalDist
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt
from scipy import special

from fairsum_utils.stats.arrays import Codes, Floats, by_code

if TYPE_CHECKING:
    from scipy.sparse import csc_matrix, csr_matrix


@lru_cache(maxsize=4096)
def student_reach(level: float, n: float) -> float:
    """Return the half-width of Student's interval of a mean, in standard errors.

    Args:
        level: confidence level, in (0, 1).
        n: samples; at least two.

    Example:
        >>> round(student_reach(0.95, 20), 3), round(student_reach(0.95, 10_000), 2)
        (2.093, 1.96)
    """
    place = special.betaincinv((n - 1) / 2, 0.5, 1 - level)
    return math.sqrt((n - 1) * (1 - place) / place)


_NORMAL = NormalDist()

_BLOCK = 1 << 15
"""Entries in one block of draws: half a megabyte, which fits the processor's cache."""
_FEWEST = 2
"""Fewest replicates in a block: the product of a single long one runs on threads, which waits on a busy machine."""
_TOGETHER = 32
"""Blocks per sparse matrix product, which has a fixed cost."""


def bootstrap_draws(n: int, n_resamples: int, seed: int | None, size: int | None = None) -> Iterator[Floats]:
    """Draw units with replacement, many times.

    Args:
        n: number of units, at least one.
        n_resamples: number of replicates, B.
        seed: seed of the generator; the same seed, n and size draw the same units. None for a fresh one.
        size: number of units drawn in each replicate; None for n.

    Yields:
        Blocks of shape (b, n): number of times each unit was drawn in each replicate; the b add up to B.
    """
    generator = np.random.default_rng(seed)
    length = n if size is None else size
    step = max(_FEWEST, _BLOCK // max(n, length))
    for start in range(0, n_resamples, step):
        times = min(step, n_resamples - start)
        drawn = generator.integers(n, size=(times, length))
        drawn += np.arange(times)[:, None] * n
        yield np.bincount(drawn.ravel(), minlength=times * n).reshape(times, n).astype(np.float64)


def bootstrap_sums(columns: Floats, *, n_resamples: int = 1000, seed: int | None = 0) -> Floats:
    """Sum columns over data sets of rows drawn with replacement.

    Args:
        columns: shape (n, m): n samples, m columns; finite.
        n_resamples: number of replicates, B.
        seed: seed of the generator; the same seed and n draw the same samples. None for a fresh one.

    Returns:
        Shape (B, m). A column's sums do not depend on the other columns, to the bit.

    Raises:
        ValueError: no rows.

    Example:
        >>> bootstrap_sums(np.ones((4, 1)), n_resamples=2).tolist()
        [[4.0], [4.0]]
    """
    n = len(columns)
    if n == 0:
        raise ValueError("bootstrap_sums: no samples to draw from")
    return weighted_sums(bootstrap_draws(n, n_resamples, seed), columns, n_resamples)


def weighted_sums(blocks: Iterable[Floats], columns: Floats | csr_matrix | csc_matrix, n_resamples: int) -> Floats:
    """Column sums under many weightings of the rows.

    Args:
        blocks: weights, each block of shape (b, n); the b add up to `n_resamples`.
        columns: shape (n, m); an array, or a SciPy sparse matrix, for which time grows with the entries.
        n_resamples: number of weightings, B.

    Returns:
        Shape (B, m). A column's sums do not depend on the other columns, to the bit: each is a separate product.

    Example:
        >>> blocks = np.array([[2.0, 0.0]]), np.array([[1.0, 1.0]])
        >>> weighted_sums(blocks, np.array([[1.0, 3.0], [4.0, 5.0]]), n_resamples=2).tolist()
        [[2.0, 6.0], [5.0, 8.0]]
    """
    sums = np.empty((n_resamples, columns.shape[1]))
    start = 0
    if hasattr(columns, "tocsr"):
        matrix, waiting = columns.T.tocsr(), iter(blocks)
        while some := list(islice(waiting, _TOGETHER)):
            weights = np.concatenate(some)
            sums[start : start + len(weights)] = (matrix @ weights.T).T
            start += len(weights)
        return sums
    vectors = np.ascontiguousarray(columns.T)[..., None]
    for weights in blocks:
        sums[start : start + len(weights)] = np.matmul(weights, vectors)[..., 0].T
        start += len(weights)
    return sums


def percentile_interval(replicates: Floats, confidence_level: float) -> tuple[float, float]:
    """Compute the percentile interval of the defined replicates.

    Args:
        replicates: shape (B,), may be infinite; NaN if a replicate is undefined, for example because it lost a group.
        confidence_level: level in (0, 1).

    Returns:
        Lower and upper end; (nan, nan) if no replicate is defined.

    Source: Efron and Tibshirani 1993, section 13.3.

    Example:
        >>> percentile_interval(np.arange(101.0), 0.5)
        (25.0, 75.0)
    """
    return _between_tails(replicates, (1 - confidence_level) / 2)


def quantile(numbers: Floats, share: float, beyond: Literal["lower", "higher"] = "higher") -> float:
    """Compute a quantile of numbers that may be infinite.

    Args:
        numbers: shape (B,), none of them NaN.
        share: share of the numbers below the quantile.
        beyond: the number to take if the quantile is between two and any is infinite.

    Example:
        >>> quantile(np.array([1.0, 2.0]), 0.5), quantile(np.array([1.0, math.inf]), 0.5)
        (1.5, inf)
    """
    return float(np.quantile(numbers, share, method="linear" if np.isfinite(numbers).all() else beyond))


def _between_tails(replicates: Floats, tail: float) -> tuple[float, float]:
    """Return the quantiles that cut off these tails of the defined replicates."""
    defined = replicates[~np.isnan(replicates)]
    if not len(defined):
        return math.nan, math.nan
    return quantile(defined, tail, "lower"), quantile(defined, 1 - tail)


def expanded_interval(replicates: Floats, confidence_level: float, n: float) -> tuple[float, float]:
    """Compute the percentile interval, expanded for a small number of units.

    The mean of n units drawn from n varies by (n - 1) / n of the variance with new units, and percentiles ignore that
    this spread is itself estimated. So the quantiles are moved outwards: for normal replicates they give Student's t
    interval. Skewed replicates keep their skewness, and no end leaves the range of a score. For small numbers of very
    skewed scores, such as log-normal ones, the interval is still too narrow.

    Args:
        replicates: shape (B,); NaN if a replicate is undefined.
        confidence_level: level in (0, 1).
        n: units behind the score.

    Returns:
        Lower and upper end; (nan, nan) if no replicate is defined, or for fewer than two units.

    Source: Hesterberg 2015, the expanded percentile interval.

    Example:
        >>> replicates = np.linspace(0, 1, 1001)
        >>> [[round(end, 3) for end in expanded_interval(replicates, 0.95, n)] for n in (1, 6, 20, 1_000)]
        [[nan, nan], [0.002, 0.998], [0.016, 0.984], [0.025, 0.975]]
    """
    if not n > 1:
        return math.nan, math.nan
    return _between_tails(replicates, _NORMAL.cdf(-math.sqrt(n / (n - 1)) * student_reach(confidence_level, n)))


def paired_p_value(difference: float, replicates: Floats) -> float:
    """Compute a two-sided p-value of a difference from replicates shifted to mean zero.

    Args:
        difference: observed difference of two systems.
        replicates: shape (B,): the difference in each replicate; NaN if undefined.

    Returns:
        (b + 1) / (m + 1), where b of m defined replicates lie at least as far from zero; never 0. NaN if the
        difference or every replicate is undefined.

    Source: Efron and Tibshirani 1993, section 16.4.

    Example:
        >>> paired_p_value(0.0, np.zeros(99))
        1.0
    """
    defined = replicates[~np.isnan(replicates)]
    if np.isnan(difference) or not len(defined):
        return float("nan")
    extreme = np.abs(defined - defined.mean()) >= abs(difference) - 1e-12
    return float((extreme.sum() + 1) / (len(defined) + 1))


def expanded_p_value(p: float, n: float) -> float:
    """Compute a two-sided bootstrap p-value, expanded as `expanded_interval` expands intervals.

    Args:
        p: the share of replicates as far from zero, in (0, 1].
        n: units that the replicates were drawn from.

    Returns:
        1 - the level of the expanded interval that ends where the percentile interval of level 1 - p does; NaN for
        fewer than two units.

    Example:
        >>> round(expanded_p_value(0.05, 20), 3), round(expanded_p_value(0.05, 100_000), 3), expanded_p_value(1.0, 5)
        (0.071, 0.05, 1.0)
    """
    if not n > 1 or math.isnan(p):
        return math.nan
    return float(2 * special.stdtr(n - 1, math.sqrt((n - 1) / n) * _NORMAL.inv_cdf(p / 2)))


_CLUSTERS_BLOCK = 1 << 17
"""Entries in one block of draws: a megabyte, which fits the processor's cache."""

_GRAIN = 1 << 20
"""Fractions are rounded to multiples of 1 / _GRAIN if sums must not depend on the order of addition."""


def cluster_sums(columns: Any, clusters: Codes) -> Any:
    """Column sums of each cluster.

    Args:
        columns: shape (n, m); an array or a SciPy sparse matrix, like the result.
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


def resample_within(
    columns: Any,
    clusters: Codes,
    units: Codes | None = None,
    *,
    n_omitted: int = 1,
    n_resamples: int = 1000,
    seed: int | None = 0,
) -> Floats:
    """Sum columns over data sets that keep each cluster and redraw its samples.

    From a cluster of k samples, k are drawn with replacement; a cluster of one sample never changes. With units, a
    cluster's units are drawn instead, each with all of its samples: k - 1 of k units, each with weight k / (k - 1).
    With k draws the sums would vary by (k - 1) / k of the variance with new units, which matters for few units: an
    original of 20 inputs has 10 pairs. With `n_omitted=0`, k are drawn.

    Args:
        columns: shape (n, m): n samples, m columns; finite. An array, or a SciPy sparse matrix in rows, for which time
            grows as replicates x entries.
        clusters: cluster of each sample, shape (n,): 0 ... K-1, each at least once.
        units: unit of each sample, shape (n,): 0 ... U-1, each at least once and in one cluster only. Units are drawn
            whole. None to draw samples singly.
        n_omitted: 0 or 1; 1 draws one unit less than the cluster has.
        n_resamples: number of replicates, B.
        seed: seed of the generator; the same seed and cluster sizes draw the same places. None for a fresh one.

    Returns:
        Shape (B, m). A column's sums do not depend on the other columns, to the bit. Samples are drawn by their
        position in their cluster, units by their number. If the order of samples may vary, sort them, for example by
        index.

    Raises:
        ValueError: no samples.

    Source: Steen and Markert 2024, section 5, "resampling among the different entity assignments (s)".

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
        columns, clusters, less = cluster_sums(columns, units), _owners(clusters, units), n_omitted
    ordered = columns[np.argsort(clusters, kind="stable")]
    counts = np.bincount(clusters)
    return weighted_sums(_draws_within(counts, np.maximum(counts - less, 1), n_resamples, seed), ordered, n_resamples)


def _owners(clusters: Codes, units: Codes) -> Codes:
    """Return the cluster of each unit."""
    owners = np.zeros(int(units.max(initial=-1)) + 1, dtype=np.int64)
    owners[units] = clusters
    return owners


def resample_each(
    columns: Floats, clusters: Codes, digests: Sequence[int], *, n_resamples: int = 1000, seed: int = 0
) -> Floats:
    """Redraw the samples of each cluster by a generator of its own.

    From k samples, k - 1 are drawn, each with weight k / (k - 1); see `resample_within`.

    Args:
        columns: shape (n, m): n samples, m columns; whole numbers.
        clusters: cluster of each sample, shape (n,): 0 ... K-1, each at least once.
        digests: digests of the K cluster names.
        n_resamples: number of replicates, B.
        seed: seed that, with the digest of a cluster, seeds its generator.

    Returns:
        Shape (B, m). A cluster's sums do not depend on other columns or clusters, to the bit.

    Example:
        >>> sums = resample_each(np.array([[1.0], [2.0], [5.0]]), np.array([0, 0, 1]), [7, 8], n_resamples=50)
        >>> np.unique(sums).tolist()
        [7.0, 9.0]
    """
    sums = np.tile(columns.sum(axis=0), (n_resamples, 1))
    for cluster, places in by_code(clusters):
        own = columns[places]
        varies = (own != own[:1]).any(axis=0)
        if varies.any():
            sums[:, varies] += _deviations(own[:, varies], n_resamples, [seed, digests[cluster]])
    return sums


def _deviations(own: Floats, n_resamples: int, seed: Sequence[int]) -> Floats:
    """Return how one cluster's sums deviate from the data in each replicate."""
    n, n_draws = len(own), len(own) - 1
    generator = np.random.default_rng(seed)
    sums = np.empty((n_resamples, own.shape[1]))
    step = max(1, _CLUSTERS_BLOCK // n)
    for start in range(0, n_resamples, step):
        size = min(step, n_resamples - start)
        drawn = _below(np.uint64(n), (size, n_draws), generator)
        drawn += np.arange(size)[:, None] * n
        counts = np.bincount(drawn.ravel(), minlength=size * n).reshape(size, n)
        sums[start : start + size] = counts.astype(np.float64) @ own
    return np.asarray((n * sums - n_draws * own.sum(axis=0)) * (round(_GRAIN / n_draws) / _GRAIN))


def _below(
    sizes: npt.NDArray[np.uint64] | np.uint64, shape: tuple[int, int], generator: np.random.Generator
) -> npt.NDArray[np.int64]:
    """Draw random integers below `sizes`, each nearly equally likely (up to k / 2**32)."""
    drawn = generator.integers(1 << 32, size=shape, dtype=np.uint32).astype(np.uint64)
    return (drawn * sizes >> np.uint64(32)).view(np.int64)


def _draws_within(counts: Codes, n_draws: Codes, n_resamples: int, seed: int | None) -> Iterator[Floats]:
    """Yield blocks of shape (b, n): each item's weight in each replicate.

    From the `counts[k]` items of a cluster, `n_draws[k]` are drawn and represent all of them.
    """
    n = int(counts.sum())
    sizes = np.repeat(counts, n_draws).astype(np.uint64)
    weights = np.repeat(counts / n_draws, counts)
    generator = np.random.default_rng(seed)
    step = max(1, _CLUSTERS_BLOCK // n)
    starts = np.repeat(np.cumsum(counts) - counts, n_draws) + np.arange(step)[:, None] * n
    for start in range(0, n_resamples, step):
        shape = min(step, n_resamples - start), len(sizes)
        drawn = _below(sizes, shape, generator)
        drawn += starts[: shape[0]]
        yield np.bincount(drawn.ravel(), minlength=shape[0] * n).reshape(-1, n) * weights
