"""CP, Coverage Parity: whether over- and underrepresentation even out for each value over all samples."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import Measure
from fairsum_utils.measures._shares import Floats
from fairsum_utils.measures.equal_coverage import TOLERANCE, mean_absolute

__all__ = ["MEASURE", "coverage_parity", "extreme_differences"]

MEASURE = Measure("coverage_parity", "Coverage Parity", "coverage", 0.0, 1.0, lower_is_fairer=True, place=2)


def extreme_differences(differences: Floats) -> npt.NDArray[np.bool_]:
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


def coverage_parity(mean_extremes: Floats) -> Floats:
    """CP = mean over values of |mean(C_k)|.

    Args:
        mean_extremes: mean(C_k), shape (..., n_values), where C_k collects the c_k of all samples in which value k is
            the most over- or the most underrepresented; NaN where C_k is empty.

    Returns:
        Shape (...), in [0, 1]; over the values with a non-empty C_k. NaN where there is none.

    Source: papers/coverage-fairness, section 4.2, equation 6.

    Example:
        >>> float(coverage_parity(np.array([0.25, -0.125, np.nan])))
        0.1875
    """
    return mean_absolute(mean_extremes)
