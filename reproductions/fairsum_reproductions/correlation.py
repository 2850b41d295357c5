"""Rank correlation of two measures, over systems or samples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from fairsum_utils.analysis.records import as_column
from fairsum_utils.stats.arrays import Floats
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

    Source: papers/coverage-fairness, section 5.3 (CP of each system) and appendix A.7 (EC against proportional
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
        return result | {"undefined": "a correlation needs at least two different numbers on either side"}
    product = float(ranks @ others)  # quarters of whole numbers, so sums are exact and equal ones are equal
    farther = sum(
        int(np.count_nonzero(np.abs(ranks @ others[orders]) >= abs(product)))
        for orders in random_orders(n, m, seed=seed)
    )
    result["rho"] = product / math.sqrt(float(ranks @ ranks) * float(others @ others))
    result["p_value"] = (farther + 1) / (m + 1)
    return result


def _centred_ranks(numbers: Floats) -> Floats:
    """Rank numbers, with mean ranks for equal ones, minus the mean: multiples of one half."""
    _, places, counts = np.unique(numbers.round(12), return_inverse=True, return_counts=True)
    ranks = counts.cumsum() - (counts - 1) / 2
    return np.asarray(ranks[places] - (len(numbers) + 1) / 2)
