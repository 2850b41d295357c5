"""Tails of the binomial and of Student's distribution, in plain Python: SciPy takes longer to import than a score."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

__all__ = ["beta_cdf", "root", "student_cdf", "student_reach"]


def beta_cdf(a: float, b: float, x: float) -> float:
    """The regularized incomplete beta function I(x; a, b), by its continued fraction.

    P(Binomial(n, p) <= k) is I(1 - p; n - k, k + 1).

    Source: NIST Digital Library of Mathematical Functions, 8.17.22; W. J. Lentz, "Generating Bessel functions in Mie
    scattering calculations using continued fractions", Applied Optics 15, 1976 (the evaluation).

    Example:
        >>> round(beta_cdf(3, 1, 0.5), 12)
        0.125
    """
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - beta_cdf(b, a, 1 - x)
    beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    front = math.exp(a * math.log(x) + b * math.log1p(-x) - beta) / a
    c, d = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    fraction, m, factor = d, 0, 0.0
    while abs(factor - 1) > 1e-15 and m < 100_000:
        m += 1
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        factor = 1.0
        for numerator in (even, odd):
            d = 1 / (1 + numerator * d)
            c = 1 + numerator / c
            factor *= c * d
        fraction *= factor
    return front * fraction


def student_cdf(t: float, freedom: float) -> float:
    """P(T <= t) for Student's distribution.

    Example:
        >>> round(student_cdf(2.0, 1), 4)
        0.8524
    """
    outside = beta_cdf(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2
    return 1 - outside if t > 0 else outside


@lru_cache(maxsize=4096)
def student_reach(level: float, n: float) -> float:
    """Standard errors that Student's interval of a mean of `n` samples reaches to each side.

    Args:
        level: Confidence level, in (0, 1).
        n: Samples; at least two.

    Example:
        >>> round(student_reach(0.95, 20), 3), round(student_reach(0.95, 10_000), 2)
        (2.093, 1.96)
    """
    freedom = n - 1
    place = root(lambda x: beta_cdf(freedom / 2, 0.5, x) - (1 - level), 0.0, 1.0)
    return math.sqrt(freedom * (1 - place) / place)


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """The zero of a monotone function between two places, by false position with the Illinois weights.

    Example:
        >>> round(root(lambda x: x * x - 2, 1.0, 2.0), 12)
        1.414213562373
    """
    at_low, at_high = function(low), function(high)
    for _ in range(200):
        if at_low == at_high or high - low <= 1e-15 * high:
            break
        middle = high - at_high * (high - low) / (at_high - at_low)
        if not low < middle < high:
            middle = (low + high) / 2
        at_middle = function(middle)
        if at_middle == 0:
            return middle
        if (at_middle > 0) == (at_high > 0):
            high, at_high, at_low = middle, at_middle, at_low / 2
        else:
            low, at_low, at_high = middle, at_middle, at_high / 2
    return (low + high) / 2
