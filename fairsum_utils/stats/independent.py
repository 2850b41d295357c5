"""What intervals of estimates tell: the spread of the samples behind them, and the interval of a difference."""

from __future__ import annotations

import math
from statistics import NormalDist

from fairsum_utils.stats.tails import student_reach

__all__ = ["deviation_of", "difference_interval", "reach_of"]


def difference_interval(
    a: float, interval_a: tuple[float, float], b: float, interval_b: tuple[float, float]
) -> tuple[float, float]:
    """The interval of A minus B, by squaring and adding the distances from estimates to the ends of their intervals.

    It is right for estimates from samples that were drawn apart. Where both are of the same samples and go up and down
    together it is too wide, never too narrow; a paired comparison is narrower then.

    Args:
        a: the estimate A.
        interval_a: its interval. An end on the other side of the estimate counts as the estimate.
        b: the estimate B.
        interval_b: its interval, of the same level.

    Returns:
        The lower and the upper end, at that level; NaN where anything is.

    Source: G. Y. Zou and A. Donner, "Construction of confidence limits about effect measures: A general approach",
    Statistics in Medicine 27, 2008, equation 4 (MOVER); for proportions R. G. Newcombe, "Interval estimation for the
    difference between independent proportions", Statistics in Medicine 17, 1998, method 10.

    Example:
        >>> ends = difference_interval(0.8, (0.69, 0.88), 0.6, (0.49, 0.7))
        >>> [round(end, 4) for end in ends]
        [0.0513, 0.336]
    """
    difference = a - b
    below = math.hypot(_distance(a, interval_a[0]), _distance(interval_b[1], b))
    above = math.hypot(_distance(interval_a[1], a), _distance(b, interval_b[0]))
    return difference - below, difference + above


def reach_of(level: float) -> float:
    """How many standard errors a normal interval reaches to each side.

    Args:
        level: of confidence, in (0, 1).

    Example:
        >>> round(reach_of(0.95), 2)
        1.96
    """
    return NormalDist().inv_cdf((1 + level) / 2)


def deviation_of(n: float, interval: tuple[float, float], level: float, *, expanded: bool = False) -> float:
    """The standard deviation of a sample for which the normal interval of the mean of so many is as wide as this one.

    Args:
        n: samples.
        interval: of their mean.
        level: of confidence, in (0, 1).
        expanded: whether it is expanded for how few they are, see `expanded_interval`; of one sample NaN.

    Example:
        >>> round(deviation_of(100, (0.06, 0.14), 0.95), 4)
        0.2041
        >>> round(deviation_of(100, (0.06, 0.14), 0.95, expanded=True), 4)
        0.2016
    """
    if expanded and not n > 1:
        return math.nan
    reach = student_reach(level, n) if expanded else reach_of(level)
    return math.sqrt(n) * (interval[1] - interval[0]) / (2 * reach)


def _distance(high: float, low: float) -> float:
    """How far a number is above another; 0 where it is not, NaN where one is."""
    return high - low if not high <= low else 0.0
