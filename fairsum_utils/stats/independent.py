"""What intervals of estimates tell: the spread of the samples behind them, and the interval of a difference."""

from __future__ import annotations

import math
from statistics import NormalDist

__all__ = ["deviation_of", "difference_interval", "expanded_reach", "reach_of"]


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
        >>> from fairsum_utils.stats.proportions import wilson_interval
        >>> ends = difference_interval(56 / 70, wilson_interval(56, 70), 48 / 80, wilson_interval(48, 80))
        >>> [round(end, 4) for end in ends]
        [0.0524, 0.3339]
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


def expanded_reach(level: float, n: float) -> float:
    """How many standard errors of a mean its expanded percentile interval reaches to each side: as Student's does.

    Args:
        level: of confidence, in (0, 1).
        n: units that the mean is over; at least two. The standard error is their standard deviation, of which n - 1
            deviate freely, over the square root of n.

    Source: T. C. Hesterberg, "What Teachers Should Know About the Bootstrap", The American Statistician 69, 2015.

    Example:
        >>> round(expanded_reach(0.95, 20), 3), round(expanded_reach(0.95, 10_000), 2)
        (2.093, 1.96)
    """
    from scipy import special

    return float(special.stdtrit(n - 1, (1 + level) / 2))


def deviation_of(n: float, interval: tuple[float, float], level: float, *, expanded: bool = False) -> float:
    """The standard deviation of a sample for which the normal interval of the mean of so many is as wide as this one.

    Args:
        n: samples.
        interval: of their mean.
        level: of confidence, in (0, 1).
        expanded: whether it is expanded for how few they are, see `expanded_reach`; of one sample NaN.

    Example:
        >>> round(deviation_of(100, (0.06, 0.14), 0.95), 4)
        0.2041
        >>> round(deviation_of(100, (0.06, 0.14), 0.95, expanded=True), 4)
        0.2016
    """
    if expanded and not n > 1:
        return math.nan
    reach = expanded_reach(level, n) if expanded else reach_of(level)
    return math.sqrt(n) * (interval[1] - interval[0]) / (2 * reach)


def _distance(high: float, low: float) -> float:
    """How far a number is above another; 0 where it is not, NaN where one is."""
    return high - low if not high <= low else 0.0
