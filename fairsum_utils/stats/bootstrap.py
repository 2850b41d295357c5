"""Bootstrap over samples, vectorized: replicates are sums of per-sample columns, weighted by how often each was drawn.

Every measure here is a function of column sums, so nothing is tokenized or matched again, and a replicate costs one
product of vectors a column. Time grows as replicates x samples x columns; memory is bounded by the block size.

Source: B. Efron and R. Tibshirani, "An Introduction to the Bootstrap", 1993, chapters 13 and 16; T. C. Hesterberg,
"What Teachers Should Know About the Bootstrap: Resampling in the Undergraduate Statistics Curriculum", The American
Statistician 69, 2015 (why percentile intervals of few units are too narrow, and by how much to expand them).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from itertools import islice
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.tails import student_cdf, student_reach

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = [
    "bootstrap_draws",
    "bootstrap_sums",
    "expanded_interval",
    "expanded_p_value",
    "paired_p_value",
    "percentile_interval",
    "weighted_sums",
]


_NORMAL = NormalDist()

_BLOCK = 1 << 15
"""Entries of one block of draws: half a megabyte, so that counting stays in the processor's cache."""
_TOGETHER = 32
"""Blocks that a sparse matrix is multiplied with at a time, for its product has a fixed cost."""


def bootstrap_draws(n: int, n_resamples: int, seed: int | None, size: int | None = None) -> Iterator[Floats]:
    """Draw units with replacement, many times.

    Args:
        n: how many units there are; at least one.
        n_resamples: number of replicates, B.
        seed: of the generator; the same seed, n and size draw the same units. None draws afresh.
        size: how many are drawn in each; None for n.

    Yields:
        Blocks of shape (b, n): how often each unit was drawn in each replicate; the b add up to B.
    """
    generator = np.random.default_rng(seed)
    length = n if size is None else size
    step = max(1, _BLOCK // max(n, length))
    for start in range(0, n_resamples, step):
        times = min(step, n_resamples - start)
        drawn = generator.integers(n, size=(times, length))
        drawn += np.arange(times)[:, None] * n
        yield np.bincount(drawn.ravel(), minlength=times * n).reshape(times, n).astype(np.float64)


def bootstrap_sums(columns: Floats, *, n_resamples: int = 1000, seed: int | None = 0) -> Floats:
    """Column sums of data sets drawn with replacement from the rows.

    Args:
        columns: shape (n, m): n samples, m columns; finite.
        n_resamples: number of replicates, B.
        seed: seed of the generator; the same seed and n draw the same samples. None draws afresh.

    Returns:
        Shape (B, m). What other columns there are changes no bit of a column's sums.

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


def weighted_sums(blocks: Iterable[Floats], columns: Floats | csr_matrix, n_resamples: int) -> Floats:
    """Column sums under many weightings of the rows.

    Args:
        blocks: weights, each block of shape (b, n); the b add up to `n_resamples`.
        columns: shape (n, m); an array, or a SciPy sparse matrix, with which time grows as the entries.
        n_resamples: number of weightings, B.

    Returns:
        Shape (B, m). What other columns there are changes no bit of a column's sums: each is a product by itself.

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
    """The percentile interval of the replicates that are defined.

    Args:
        replicates: shape (B,); NaN where a replicate is undefined, for example because it lost a group.
        confidence_level: in (0, 1).

    Returns:
        Lower and upper end; (nan, nan) when no replicate is defined.

    Source: Efron and Tibshirani 1993, section 13.3.

    Example:
        >>> percentile_interval(np.arange(101.0), 0.5)
        (25.0, 75.0)
    """
    return _between_tails(replicates, (1 - confidence_level) / 2)


def _between_tails(replicates: Floats, tail: float) -> tuple[float, float]:
    """The quantiles of the defined replicates that leave so much beyond them on each side."""
    defined = replicates[~np.isnan(replicates)]
    if not len(defined):
        return math.nan, math.nan
    low, high = np.quantile(defined, [tail, 1 - tail])
    return float(low), float(high)


def expanded_interval(replicates: Floats, confidence_level: float, n: float) -> tuple[float, float]:
    """The percentile interval of the replicates, expanded for how few units they were drawn from.

    The mean of n units drawn from n units varies by (n - 1) / n of what that of new units would, and percentiles do
    not heed that this spread is itself estimated. So quantiles further out are taken: those that, of normal replicates,
    make the interval of Student's t. Skewed replicates keep their skewness, and no end leaves the range of a score. Of
    numbers as skewed as log-normal ones it is still too narrow where they are few.

    Args:
        replicates: shape (B,); NaN where a replicate is undefined.
        confidence_level: in (0, 1).
        n: units that the score is made from.

    Returns:
        Lower and upper end; (nan, nan) when no replicate is defined, or of fewer than two units.

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
    """Two-sided p-value of an observed difference, from replicates shifted to a mean of zero.

    Args:
        difference: observed, A minus B.
        replicates: shape (B,): the difference in each replicate; NaN where undefined.

    Returns:
        (b + 1) / (m + 1), where b of m defined replicates lie at least as far from zero; never 0. NaN when the
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
    """A two-sided p-value of the bootstrap, made larger as `expanded_interval` makes intervals wider.

    Args:
        p: the share of replicates as far from zero, in (0, 1].
        n: units that the replicates were drawn from.

    Returns:
        1 - the level of the expanded interval that ends where the percentile interval of level 1 - p does; NaN of fewer
        than two units.

    Example:
        >>> round(expanded_p_value(0.05, 20), 3), round(expanded_p_value(0.05, 100_000), 3), expanded_p_value(1.0, 5)
        (0.071, 0.05, 1.0)
    """
    if not n > 1 or math.isnan(p):
        return math.nan
    return 2 * student_cdf(math.sqrt((n - 1) / n) * _NORMAL.inv_cdf(p / 2), n - 1)
