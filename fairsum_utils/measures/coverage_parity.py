"""CP, Coverage Parity: whether over- and underrepresentation even out for each value over all samples."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures, Measure
from fairsum_utils.measures.equal_coverage import TOLERANCE, mean_absolute
from fairsum_utils.stats.arrays import Bools, Floats, quotient

__all__ = ["ABOUT", "MEASURE", "coverage_parity", "extreme_differences", "mean_extremes"]

MEASURE = Measure(
    "coverage_parity",
    "Coverage Parity",
    "coverage",
    0.0,
    1.0,
    lower_is_fairer=True,
    place=2,
    figures=Figures(
        columns=(
            ("extremes", "n_extreme_by_value"),
            ("mean extreme", "mean_extreme_by_value"),
            ("p", "p_value_by_value"),
        ),
        title="Where each value is furthest from the others",
        axis="Coverage of its documents minus coverage of all, mean of the samples in which it is the value furthest "
        "from 0; left of 0: covered less",
        fair="as all documents",
        drawn="mean_extreme_by_value",
        counts="n_extreme_by_value",
    ),
)


def extreme_differences(differences: Floats) -> Bools:
    """Which c_k are the largest or the smallest of their sample; they go into the sets C_k.

    Args:
        differences: c_k, shape (n, K), positive where overrepresented; NaN where a value is absent.

    Returns:
        Shape (n, K). All tied values count (within 1e-12), each once, even one that is both largest and smallest; none
        in a sample of fewer than two values, where nothing is compared.

    Source: papers/coverage-fairness, section 4.2. The paper prints c_k with the opposite sign, see
    `coverage_differences`; which values are extreme, and CP, are the same either way.

    Example:
        >>> extreme_differences(np.array([[0.25, 0.0, -0.25], [0.125, -0.125, np.nan]])).tolist()
        [[True, False, True], [True, True, False]]
    """
    present = ~np.isnan(differences)
    largest = np.max(differences, axis=-1, keepdims=True, initial=-np.inf, where=present)
    smallest = np.min(differences, axis=-1, keepdims=True, initial=np.inf, where=present)
    extreme = (differences >= largest - TOLERANCE) | (differences <= smallest + TOLERANCE)
    return np.asarray(extreme & (present.sum(axis=-1, keepdims=True) > 1))


def mean_extremes(sums: npt.ArrayLike, counts: npt.ArrayLike) -> Floats:
    """mean(C_k) for each value k, where C_k collects its c_k from the samples in which they are extreme.

    Args:
        sums: sum of each C_k, shape (..., n_values).
        counts: number of entries of each C_k, a shape that broadcasts with it.

    Returns:
        Shape (..., n_values), in [-1, 1], positive where the value is mostly overrepresented; NaN where C_k is empty.

    Source: papers/coverage-fairness, section 4.2, equation 6.

    Example:
        >>> mean_extremes(np.array([0.5, 0.0]), np.array([2, 0])).tolist()
        [0.25, nan]
    """
    return quotient(sums, counts)


def coverage_parity(sums: npt.ArrayLike, counts: npt.ArrayLike) -> Floats:
    """CP, the mean over values of |mean(C_k)|.

    Args:
        sums: sum of each C_k, shape (..., n_values), where C_k collects the c_k of all samples in which value k is the
            most over- or the most underrepresented, see `extreme_differences`.
        counts: number of entries of each C_k, a shape that broadcasts with it.

    Returns:
        Shape (...), in [0, 1]; over the values with a non-empty C_k. NaN where there is none.

    Source: papers/coverage-fairness, section 4.2, equation 6.

    Example:
        >>> float(coverage_parity(np.array([0.5, -0.125, 0.0]), np.array([2, 1, 0])))
        0.1875
    """
    return mean_absolute(mean_extremes(sums, counts))


def _example() -> list[str]:
    """Three samples of two values, whose differences even out in part."""
    differences = np.array([[0.2, -0.2], [0.1, -0.1], [-0.15, 0.15]])
    extreme = extreme_differences(differences)
    sums, counts = np.where(extreme, differences, 0.0).sum(axis=0), extreme.sum(axis=0)
    means = mean_extremes(sums, counts)
    return [
        "By how much positive documents are covered better than all in three samples: +0.20, +0.10, -0.15; "
        "negative the "
        "other way round.",
        "With two values each is the most over- or underrepresented one in every sample, so all three count for both.",
        f"Means: positive {means[0]:+.2f}, negative {means[1]:+.2f}.",
        f"Coverage Parity, the mean of their sizes: {float(coverage_parity(sums, counts)):.4f}.",
    ]


ABOUT = About(
    formula="CP = (1/K) * sum over the K values of |mean of C_k|; C_k: coverage of the documents of k - coverage "
    "of all, "
    "in the samples in which that is the largest or the smallest",
    example=_example,
    instead="equal_coverage for how far single summaries are off, which CP does not see where they alternate.",
)
