"""Welch's t-test of two samples whose variances may differ.

Source: B. L. Welch, "The generalization of 'Student's' problem when several different population variances are
involved", 1947; F. E. Satterthwaite, "An approximate distribution of estimates of variance components", 1946 (degrees
of freedom).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fairsum_utils.stats.arrays import Floats, quotient
from fairsum_utils.stats.assignments import TOLERANCE

__all__ = ["Welch", "welch_test"]


class Welch(NamedTuple):
    """What the test says, each of the same shape.

    Attributes:
        t: above 0 where the first mean is the larger one; infinite where neither sample varies and means differ.
        p_value: two-sided; NaN where there is no test.
    """

    t: Floats
    p_value: Floats


def welch_test(first: Floats, second: Floats) -> Welch:
    """Test whether two samples have one mean.

    It takes all observations to be independent of each other. Numbers within 1e-12 of each other are one.

    Args:
        first: shape (..., m).
        second: shape (..., n).

    Returns:
        Of shape (...); NaN where a sample has fewer than two observations, or where neither varies and both have the
        same mean.

    Example:
        >>> t, p = welch_test(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0]))
        >>> float(t.round(6)), float(p.round(6))
        (-0.866025, 0.492096)
    """
    from scipy import special

    m, n = first.shape[-1], second.shape[-1]
    if m < 2 or n < 2:
        nothing = np.full(first.shape[:-1], np.nan)
        return Welch(nothing, nothing)
    errors = _variance(first) / m, _variance(second) / n
    squared = errors[0] + errors[1]
    difference = first.mean(-1) - second.mean(-1)
    difference = np.where(np.abs(difference) <= TOLERANCE, 0.0, difference)
    with np.errstate(divide="ignore", invalid="ignore"):
        t = difference / np.sqrt(squared)
    freedom = quotient(squared**2, errors[0] ** 2 / (m - 1) + errors[1] ** 2 / (n - 1))
    p_value = 2 * special.stdtr(freedom, -np.abs(t))
    return Welch(np.asarray(t), np.where(np.isinf(t), 0.0, p_value))


def _variance(sample: Floats) -> Floats:
    """Unbiased; 0 for numbers that differ by rounding only."""
    return np.where(np.ptp(sample, axis=-1) <= TOLERANCE, 0.0, sample.var(axis=-1, ddof=1))
