"""CP, Coverage Parity: over- or underrepresentation of groups that does not even out."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._coverage import CoverageMeasure
from fairsum_utils.measures.equal_coverage import TOLERANCE, mean_absolute
from fairsum_utils.stats.arrays import Bools, Floats, quotient

__all__ = ["ABOUT", "CoverageParity", "coverage_parity", "extreme_differences", "mean_extremes"]


class CoverageParity(CoverageMeasure):
    """Over- or underrepresentation of groups that does not even out."""

    name = "coverage_parity"
    title = "Coverage Parity"
    place = 2
    figures = (
        Figures(
            columns=(
                ("extremes", "n_extreme_by_value"),
                ("mean extreme", "mean_extreme_by_value"),
                ("p", "p_value_by_value"),
            ),
            title="Samples in which each group is furthest from the others",
            axis="Coverage of its sources minus coverage of all, mean of the samples in which it is the group "
            "furthest from 0; left of 0: covered less",
            fair="as all sources",
            drawn="mean_extreme_by_value",
            counts=(("extremes", "n_extreme_by_value"), ("samples", "n_by_value")),
            table="",
            first="smallest",
        ),
    )


def extreme_differences(differences: Floats) -> Bools:
    """Mask the largest and smallest c_k of each sample, which form the sets C_k.

    Args:
        differences: c_k, shape (n, K), positive if overrepresented; NaN for absent groups.

    Returns:
        Shape (n, K). All tied groups count (within 1e-12), each once, even if both largest and smallest; none in a
        sample with fewer than two groups.

    Source: Li et al. 2025, section 4.2. The paper prints c_k with the opposite sign, see
    `coverage_differences`; the extreme groups and CP do not depend on the sign.

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
    """Compute mean(C_k) for each group k over samples in which it is extreme.

    Args:
        sums: sum of each C_k, shape (..., groups).
        counts: number of entries of each C_k, a shape that broadcasts with `sums`.

    Returns:
        Shape (..., groups), in [-1, 1], positive for mostly overrepresented groups; NaN for an empty C_k.

    Source: Li et al. 2025, section 4.2, equation 6.

    Example:
        >>> mean_extremes(np.array([0.5, 0.0]), np.array([2, 0])).tolist()
        [0.25, nan]
    """
    return quotient(sums, counts)


def coverage_parity(sums: npt.ArrayLike, counts: npt.ArrayLike) -> Floats:
    """Compute CP, the mean over groups of |mean(C_k)|.

    Args:
        sums: sum of each C_k, shape (..., groups); C_k collects c_k from the samples in which group k is the most over-
            or underrepresented, see `extreme_differences`.
        counts: number of entries of each C_k, a shape that broadcasts with `sums`.

    Returns:
        Shape (...), in [0, 1], over the groups with a non-empty C_k; NaN if all are empty.

    Source: Li et al. 2025, section 4.2, equation 6.

    Example:
        >>> float(coverage_parity(np.array([0.5, -0.125, 0.0]), np.array([2, 1, 0])))
        0.1875
    """
    return mean_absolute(mean_extremes(sums, counts))


def _example() -> list[str]:
    """Show three samples with differences that partly even out."""
    differences = np.array([[0.2, -0.2], [0.1, -0.1], [-0.15, 0.15]])
    extreme = extreme_differences(differences)
    sums, counts = np.where(extreme, differences, 0.0).sum(axis=0), extreme.sum(axis=0)
    means = mean_extremes(sums, counts)
    return [
        "Coverage of positive documents minus coverage of all documents in three samples: +0.20, +0.10, -0.15; for "
        "negative documents: -0.20, -0.10, +0.15.",
        "With two groups, each is the most over- or underrepresented one in every sample, so all three samples count.",
        f"Means: positive {means[0]:+.2f}, negative {means[1]:+.2f}.",
        f"Coverage Parity is the mean of their absolute values: {float(coverage_parity(sums, counts)):.4f}.",
    ]


ABOUT = About(
    formula="CP = (1/K) * sum over the K groups of |mean of C_k|; C_k: coverage of the group's documents - coverage "
    "of all documents, from the samples in which this difference is the largest or the smallest",
    example=_example,
    instead="Use equal_coverage to see how unequal single summaries are. CP misses differences that cancel out across "
    "samples.",
)
