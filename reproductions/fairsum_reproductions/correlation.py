"""Rank correlation of two measures, and Pearson's with bootstrap intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from fairsum_reproductions.records import as_column
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.bootstrap import bootstrap_sums, percentile_interval
from fairsum_utils.stats.permutation import random_orders
from fairsum_utils.validation import check_columns, check_count, check_seed


def rank_correlation(
    first: Sequence[float | None],
    second: Sequence[float | None],
    *,
    n_permutations: int = 5_000,
    seed: int | None = 0,
    module: str = "rank_correlation",
) -> dict[str, Any]:
    """Compute Spearman's rho, with mean ranks for equal numbers (to twelve decimals).

    Pairs that are not both defined are skipped. The two-sided ``p_value`` compares with random orders of `second`:
    (b + 1) / (m + 1), where b of m orders have a rho at least as far from 0.

    Source: Li et al. 2025, section 5.3 (CP of each system) and appendix A.7 (EC against proportional
    representation).

    Example:
        >>> rank_correlation([0.1, 0.2, 0.4, 0.3], [0.2, 0.3, 0.9, 0.8])["rho"]
        1.0
    """
    m = check_count(module, "n_permutations", n_permutations)
    check_seed(module, seed)
    check_columns(module, first=first, second=second)
    pairs = np.array([as_column(f"{module}: first", first), as_column(f"{module}: second", second)])
    defined = pairs[:, ~np.isnan(pairs).any(axis=0)]
    n = defined.shape[1]
    result: dict[str, Any] = {"rho": math.nan, "p_value": math.nan, "n_samples": n, "n_skipped": pairs.shape[1] - n}
    ranks, others = map(_centred_ranks, defined)
    if not ranks.any() or not others.any():
        return result | {"undefined": "a correlation needs at least two different numbers on both sides"}
    product = float(ranks @ others)  # quarters of whole numbers, so sums are exact and equal ones are equal
    farther = sum(
        int(np.count_nonzero(np.abs(ranks @ others[orders]) >= abs(product)))
        for orders in random_orders(n, m, seed=seed)
    )
    result["rho"] = product / math.sqrt(float(ranks @ ranks) * float(others @ others))
    result["p_value"] = (farther + 1) / (m + 1)
    return result


def _centred_ranks(numbers: Floats) -> Floats:
    """Rank numbers, ties by mean ranks, and subtract the mean."""
    _, places, counts = np.unique(numbers.round(12), return_inverse=True, return_counts=True)
    ranks = counts.cumsum() - (counts - 1) / 2
    return np.asarray(ranks[places] - (len(numbers) + 1) / 2)


_CONSTANT = 1e-12
"""A column whose variance is a smaller share of its mean square is constant, but for rounding."""


class Correlations(NamedTuple):
    """The correlation of any two of m columns.

    Attributes:
        r: shape (m, m), in [-1, 1]; NaN where a column is constant.
        ends: ends of the intervals, shape (m, m, 2); NaN for an undefined interval.
    """

    r: Floats
    ends: Floats


def pearson(columns: Floats, *, confidence_level: float, n_resamples: int, seed: int | None) -> Correlations:
    """Pearson's r of any two columns.

    Args:
        columns: shape (n, m); finite.
        confidence_level: level of the percentile intervals, in (0, 1).
        n_resamples: bootstrap replicates; each draws rows.
        seed: seed of the draws; None draws afresh.

    Example:
        >>> columns = np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 5.0]])
        >>> round(float(pearson(columns, confidence_level=0.95, n_resamples=10, seed=0).r[0, 1]), 6)
        0.981981
    """
    n, m = columns.shape
    none = Correlations(np.full((m, m), np.nan), np.full((m, m, 2), np.nan))
    if n < 2:
        return none
    means = columns.mean(axis=0)
    centred = columns - means
    least = _CONSTANT * np.maximum((columns**2).mean(axis=0), np.finfo(np.float64).tiny)
    pairs = np.triu_indices(m)
    sums = np.column_stack([centred, centred[:, pairs[0]] * centred[:, pairs[1]]])
    r = _from_sums(sums.sum(axis=0)[None], n, m, least)[0]
    drawn = _from_sums(bootstrap_sums(sums, n_resamples=n_resamples, seed=seed), n, m, least)
    ends = none.ends
    for row, column in zip(*pairs, strict=True):
        if not np.isnan(r[row, column]):
            ends[row, column] = ends[column, row] = percentile_interval(drawn[:, row, column], confidence_level)
    return Correlations(r, ends)


def _from_sums(sums: Floats, n: int, m: int, least: Floats) -> Floats:
    """Compute correlations from sums, shape (b, m + pairs) to (b, m, m)."""
    means, pairs = sums[:, :m] / n, np.triu_indices(m)
    covariances = np.empty((len(sums), m, m))
    covariances[:, pairs[0], pairs[1]] = sums[:, m:] / n - means[:, pairs[0]] * means[:, pairs[1]]
    covariances[:, pairs[1], pairs[0]] = covariances[:, pairs[0], pairs[1]]
    variances = np.einsum("bii->bi", covariances).copy()
    deviations = np.sqrt(np.where(variances > least, variances, np.nan))
    # Rounding may go past the ends.
    r = np.clip(covariances / (deviations[:, :, None] * deviations[:, None, :]), -1.0, 1.0)
    diagonal = np.arange(m)
    r[:, diagonal, diagonal] = np.where(np.isnan(deviations), np.nan, 1.0)
    return np.asarray(r)
