"""Confidence intervals: one method for each kind of statistic.

=========== ===================================================================================================
method      statistic
=========== ===================================================================================================
midp        share of samples: exact binomial tails that count half of the observed number (mid-P)
two-point   mean of scores: the mid-P interval of the two-point distribution with the samples' first three moments
folded      absolute difference of two groups: the absolute values of the signed difference's interval
bounds      distance of thirds from equal shares: `fairsum_utils.families.framing.results.distance_interval`
corrected   spread or maximum over groups: expanded percentiles whose lower end is corrected for the upward bias, and 0
            unless the groups differ by more than resampling equal ones makes them
expanded    other statistics: bootstrap percentiles, expanded for small numbers of samples or originals
=========== ===================================================================================================

The first two need no random draws. ``benchmarks/calibrate_intervals.py`` measures the coverage and the width of each.
From an interval, the functions at the end compute the spread of its samples and the interval of a difference.

Source: H. O. Lancaster, "Significance tests in discrete distributions", JASA 56, 1961 (mid-P); A. Agresti and A.
Gottard, "Nonconservative exact small-sample inference for discrete data", 2007 (its coverage); B. Efron and R.
Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 10 (bias of a bootstrapped statistic).
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from statistics import NormalDist
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
from scipy import special

from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.bootstrap import (
    expanded_interval,
    expanded_p_value,
    paired_p_value,
    quantile,
    student_reach,
)
from fairsum_utils.stats.sums import Sums

Method: TypeAlias = Literal["midp", "two-point", "folded", "bounds", "corrected", "expanded"]

METHODS: Mapping[str, Method] = {"shares": "midp", "scores": "two-point", "": "corrected"}
"""Averaged quantity -> method of its interval."""

FEWEST = 20
"""Fewest samples or originals behind a verdict: a rule that passes or fails, or a system that is called fairer."""

FEWEST_FOR_SPREADS = 200
"""Minimum samples or originals for the interval of a spread over groups; below, its bias is as large as its standard
error."""

_PSEUDO = 0.5
"""Weight of the unseen sample that each end of a mean's interval allows for."""
_BEYOND = 3.0
"""Distance of the unseen sample from the mean, in units of the further point's distance."""

_FEW = 5
"""Number of samples below which a mean's interval includes Student's t interval."""

_HALVINGS = 60
"""Steps of the search for the end of a mid-P interval, which leave an error of 2**-60."""

_ROUNDING = 1e-24
"""Relative variance of scores that differ by rounding only."""

Ends: TypeAlias = tuple[float, float]


class Moments(NamedTuple):
    """Moments of the scores of units (samples, clusters or buckets)."""

    n: float
    mean: float
    variance: float
    third: float

    @classmethod
    def of(cls, totals: Floats, sizes: Floats | None = None) -> Moments:
        """Compute the moments of a mean over units, linearized as a ratio.

        Args:
            totals: sum of the scores of each unit, shape (units,). Units vary independently; samples of one unit need
                not.
            sizes: samples of each unit, shape (units,); units without samples do not count. None if each has one
                sample.

        Returns:
            The moments; NaN, and n = 0, without samples.

        Example:
            >>> Moments.of(np.array([0.0, 0.0, 0.0, 1.0]))
            Moments(n=4.0, mean=0.25, variance=0.1875, third=0.09375)
            >>> Moments.of(np.array([0.0, 2.0, 0.0]), np.array([2.0, 2.0, 0.0]))
            Moments(n=2.0, mean=0.5, variance=0.25, third=0.0)
        """
        sizes = np.ones(len(totals)) if sizes is None else sizes
        n, n_samples = float(np.count_nonzero(sizes)), math.fsum(sizes)
        if not n:
            return cls(0.0, math.nan, math.nan, math.nan)
        mean = math.fsum(totals) / n_samples
        residuals = (totals - mean * sizes) * (n / n_samples)
        squares = residuals * residuals
        return cls(n, mean, math.fsum(squares) / n, math.fsum(squares * residuals) / n)

    @property
    def deviation(self) -> float:
        """Standard deviation of a unit, unbiased in the square; NaN of one."""
        return math.sqrt(self.variance * self.n / (self.n - 1)) if self.n > 1 else math.nan

    def with_sample(self, score: float, weight: float) -> Moments:
        """Return the moments with one more sample of some weight."""
        n, distance = self.n + weight, score - self.mean
        first = weight * distance / n
        second = (self.n * self.variance + weight * distance**2) / n
        third = (self.n * self.third + weight * distance**3) / n
        return Moments(n, self.mean + first, second - first**2, third - 3 * first * second + 2 * first**3)

    def mirrored(self) -> Moments:
        """Return the moments of the negated scores."""
        return self._replace(mean=-self.mean, third=-self.third)

    def two_points(self) -> tuple[float, float, float]:
        """Return the two-point distribution with these moments: low point, high point, P(high)."""
        skewness = self.third / self.variance**1.5
        share = 0.5 - skewness / (2 * math.sqrt(skewness**2 + 4))
        apart = math.sqrt(self.variance / (share * (1 - share)))
        return self.mean - share * apart, self.mean + (1 - share) * apart, share


def share_interval(successes: float, n: float, confidence_level: float = 0.95) -> Ends:
    """Mid-P interval of a share.

    It covers at least 93% from n = 20 on with a level of 95%, and is never of width zero.

    Args:
        successes: counted samples, 0 to `n`.
        n: number of samples, or effective number of dependent ones.
        confidence_level: level in (0, 1).

    Returns:
        Lower and upper end, in [0, 1]; (nan, nan) if n is 0.

    Source: Lancaster 1961.

    Example:
        >>> [round(end, 4) for end in share_interval(0, 30)], [round(end, 4) for end in share_interval(2, 10)]
        ([0.0, 0.095], [0.035, 0.5195])
    """
    if not n > 0:
        return math.nan, math.nan
    return _share_ends(float(successes), float(n), (1 - confidence_level) / 2)


@lru_cache(maxsize=4096)
def _share_ends(successes: float, n: float, tail: float) -> Ends:
    return 1 - _largest_share(n - successes, n, tail), _largest_share(successes, n, tail)


def _largest_share(successes: float, n: float, tail: float) -> float:
    """Return the largest share whose mid-P lower tail reaches `tail`."""
    if successes >= n:
        return 1.0
    low, high = successes / n, 1.0
    for _ in range(_HALVINGS):
        share = (low + high) / 2
        fewer = special.betainc(n - successes + 1, successes, 1 - share) if successes > 0 else 0.0
        reached = (fewer + special.betainc(n - successes, successes + 1, 1 - share)) / 2 >= tail
        low, high = (share, high) if reached else (low, share)
    return (low + high) / 2


def n_for_half_width(n: int, score: float, limits: Ends, method: str, confidence_level: float = 0.95) -> int:
    """Estimate how many units give an interval of half the width.

    The width falls with the square root of the number. A share's number is that of its mid-P interval. If all scores
    are at a limit, the width of a two-point interval falls with the number itself.

    Args:
        n: present number of samples or originals, at least 1.
        score: present score, taken as the true one.
        limits: smallest and largest possible score.
        method: method of the interval, as in signatures: ``"midp"``, ``"two-point"`` or another.
        confidence_level: level in (0, 1).

    Example:
        >>> n_for_half_width(30, 0.0, (0.0, 1.0), "midp"), n_for_half_width(30, 0.2, (0.0, 1.0), "expanded")
        (62, 120)
    """
    if method != "midp":
        return (2 if method == "two-point" and score in limits else 4) * n

    def width(size: int) -> float:
        low, high = share_interval(score * size, size, confidence_level)
        return high - low

    most = width(n) / 2
    sizes = range(n, 5 * n + 20)
    return sizes[bisect_left(sizes, True, key=lambda size: width(size) <= most)]


def mean_interval(moments: Moments, confidence_level: float, limits: Ends) -> Ends:
    """Compute the interval of a mean of bounded scores: mid-P, two-point distribution.

    The distribution has the mean, variance and skewness of the scores; scores of 0 or 1 are such a distribution. Each
    end allows for half an unseen sample, three times as far from the mean as the further of the two points, within the
    limit. Tails are as small as those of Student's t interval. For fewer than five samples, which do not show the
    distance of the points, the interval also includes Student's t interval.

    Args:
        moments: moments of the scores, of at least two samples.
        confidence_level: level in (0, 1).
        limits: smallest and largest score that a sample can have; infinite if there is none.

    Returns:
        Lower and upper end, within `limits`; (nan, nan) for fewer than two samples, undefined moments, and equal
        scores without limits.

    Example:
        >>> few = Moments.of(np.array([0.0] * 24 + [0.1] * 4 + [0.3] * 2))
        >>> [round(end, 4) for end in mean_interval(few, 0.95, (0.0, 1.0))]
        [0.0126, 0.1161]
        >>> [round(end, 4) for end in mean_interval(Moments.of(np.zeros(30)), 0.95, (0.0, 0.5))]
        [0.0, 0.0662]
    """
    varies = moments.variance > _ROUNDING * max(1.0, abs(moments.mean)) ** 2
    if not moments.n > 1 or math.isnan(moments.mean) or not (varies or all(map(math.isfinite, limits))):
        return math.nan, math.nan
    if not varies:
        moments = moments._replace(variance=0.0, third=0.0)
    reach = student_reach(confidence_level, moments.n)
    tail = NormalDist().cdf(-reach)
    low, high = limits
    ends = [-_upper_end(moments.mirrored(), tail, -low), _upper_end(moments, tail, high)]
    if moments.n < _FEW:
        apart = reach * moments.deviation / math.sqrt(moments.n)
        ends = [min(ends[0], moments.mean - apart), max(ends[1], moments.mean + apart)]
    return max(float(low), ends[0]), min(float(high), ends[1])


def _upper_end(moments: Moments, tail: float, limit: float) -> float:
    further = limit
    if moments.variance:
        low, high, _ = moments.two_points()
        further = min(limit, moments.mean + _BEYOND * max(high - moments.mean, moments.mean - low))
    if further - moments.mean <= math.sqrt(_ROUNDING) * max(1.0, abs(further)):
        return limit
    seen = moments.with_sample(further, _PSEUDO)
    unbiased = seen.n / (seen.n - 1)
    low, high, share = seen._replace(variance=seen.variance * unbiased, third=seen.third * unbiased**1.5).two_points()
    return low + (high - low) * _largest_share(share * seen.n, seen.n, tail)


def drawn_interval(
    score: float, replicates: Floats, confidence_level: float, n: float, limits: Ends, *, is_spread: bool = False
) -> Ends:
    """Expanded percentile interval of a statistic of samples or originals.

    A spread of means is biased upwards. Its replicates add the same bias again and understate a large bias, so their
    lower quantile misses a small spread. The lower end is therefore moved down by three times the bias of the
    replicates. The upper end stays, because large spreads have little bias. If all replicates are equal, the interval
    is that of `n` equal scores, see `mean_interval`.

    Args:
        score: statistic of the data.
        replicates: bootstrap replicates, shape (B,); NaN if one is undefined.
        confidence_level: level in (0, 1).
        n: samples or originals behind the statistic.
        limits: smallest and largest value of the statistic; infinite if there is none.
        is_spread: True for a spread or the largest of several differences.

    Returns:
        Lower and upper end; (nan, nan) if no replicate is defined, or if all are the same and there is no limit.

    Example:
        >>> replicates = np.linspace(0.01, 0.05, 101)
        >>> [round(end, 3) for end in drawn_interval(0.025, replicates, 0.9, 500, (0.0, 1.0), is_spread=True)]
        [0.0, 0.048]
        >>> [round(end, 3) for end in drawn_interval(0.0, np.zeros(99), 0.95, 20, (0.0, 1.0))]
        [0.0, 0.198]
    """
    low, high = expanded_interval(replicates, confidence_level, n)
    if math.isnan(low):
        return low, high
    if math.isfinite(high) and high - low <= math.sqrt(_ROUNDING) * max(1.0, abs(high)):
        return mean_interval(Moments(n, score, 0.0, 0.0), confidence_level, limits)
    bias = float(np.mean(replicates, where=np.isfinite(replicates))) - score if is_spread else 0.0
    return max(limits[0], low - 3 * max(0.0, bias)), high


def folded(ends: Ends) -> Ends:
    """Return the interval of an absolute value, given that of the signed value.

    The percentiles of the absolute value itself would almost never hold 0: every replicate is positive.

    Args:
        ends: lower and upper end of the signed value's interval.

    Returns:
        Lower and upper end, both at least 0; the lower is 0 if and only if the signed interval holds 0.

    Example:
        >>> folded((-0.1, 0.3)), folded((-0.3, -0.1))
        ((0.0, 0.3), (0.1, 0.3))
    """
    low, high = ends
    largest, smallest = max(abs(low), abs(high)), min(abs(low), abs(high))
    return (0.0 if low <= 0 <= high else smallest), largest


def is_by_chance(score: float, centered: Floats, confidence_level: float) -> bool:
    """Check whether a spread is one that resampling equal groups makes, too.

    Args:
        score: spread over groups, or largest difference.
        centered: its bootstrap replicates after each group's figure was moved to the fair one, shape (B,); NaN if
            undefined.
        confidence_level: level in (0, 1).

    Example:
        >>> replicates = np.linspace(0.0, 0.05, 101)
        >>> is_by_chance(0.02, replicates, 0.95), is_by_chance(0.05, replicates, 0.95)
        (True, False)
    """
    known = centered[~np.isnan(centered)]
    return bool(len(known)) and score <= quantile(known, confidence_level)


class Estimate(NamedTuple):
    """A score with the data for its interval and paired differences.

    Attributes:
        score: score of all samples.
        method: method of its interval.
        n: samples, or originals, behind the score.
        replicates: bootstrap replicates, shape (B,), NaN if undefined; empty if nothing can be drawn.
        totals: sum of the scores of each unit, shape (units,), for shares and means; else None.
        sizes: samples of each unit, shape (units,); None if each is one.
        limits: smallest and largest score that a sample can have.
        absolute: interval by confidence level, for the methods ``"folded"``, see `folded`, and ``"bounds"``.
        centered: replicates with equal groups, for the method ``"corrected"``; see `is_by_chance`.
        fewest: minimum samples; below, the interval is withheld.
        unit: name of what `n` counts, in the plural.
    """

    score: float
    method: Method
    n: float
    replicates: Floats = np.empty(0)
    totals: Floats | None = None
    sizes: Floats | None = None
    limits: Ends = (0.0, 1.0)
    absolute: Callable[[float], Ends] | None = None
    centered: Floats = np.empty(0)
    fewest: int = 2
    unit: str = "samples"

    @classmethod
    def of_sums(cls, score: float, sums: Sums, name: str, averages: str, limits: Ends) -> Estimate:
        """Estimate a measure's score over samples, without replicates.

        Args:
            score: score of all samples.
            sums: sums with the column ``n`` and, if the measure is a mean, one of its name.
            name: name of the measure.
            averages: kind of mean: ``"shares"``, ``"scores"``, or empty for spreads over groups.
            limits: smallest and largest score.
        """
        method = METHODS[averages]
        if method == "corrected":
            return cls(score, method, sums.n_samples, limits=limits, fewest=FEWEST_FOR_SPREADS)
        totals, sizes = sums.by_unit((name,)), sums.by_unit(("n",))
        return cls(score, method, sums.n_samples, totals=totals, sizes=sizes, limits=limits)

    @property
    def withheld(self) -> str:
        """Reason for leaving out the interval of a defined score, else empty."""
        if self.n < 2:
            return f"an interval needs at least two {self.unit}"
        if math.isinf(self.score) and self.method != "folded":
            return "the score is infinite"
        if self.n < self.fewest:
            return (
                f"it takes at least {self.fewest} {self.unit}, and {self.n:g} were scored; with fewer, groups differ "
                "by chance alone"
            )
        return ""

    def undefined(self, confidence_level: float) -> str:
        """Reason that a defined score has no interval, else empty."""
        is_constant = self.is_drawn and math.isnan(self.interval(confidence_level)[0])
        if self.withheld or not is_constant or math.isnan(self.score) or np.isnan(self.replicates).all():
            return self.withheld
        return "the score is the same in every bootstrap replicate, which does not tell how far it spreads"

    @property
    def is_drawn(self) -> bool:
        """True if the interval is made of bootstrap replicates."""
        return self.totals is None

    @property
    def deviation(self) -> float:
        """Standard deviation of a sample, of shares and means; NaN of others."""
        if self.totals is None or self.withheld:
            return math.nan
        moments = Moments.of(self.totals, self.sizes)
        return moments.deviation * math.sqrt(self.n / moments.n)  # per sample, not per bucket

    @property
    def lost(self) -> float:
        """Share of undefined replicates; 0 if none are needed, NaN without an interval."""
        if not self.is_drawn:
            return math.nan if self.withheld else 0.0
        return float(np.isnan(self.replicates).mean()) if len(self.replicates) else math.nan

    def interval(self, confidence_level: float) -> Ends:
        """Return the confidence interval; (nan, nan) if it is withheld or undefined."""
        if self.withheld or math.isnan(self.score):
            return math.nan, math.nan
        match self.method:
            case "midp":
                return share_interval(self.score * self.n, self.n, confidence_level)
            case "two-point":
                assert self.totals is not None
                return mean_interval(Moments.of(self.totals, self.sizes), confidence_level, self.limits)
            case "folded" | "bounds":
                assert self.absolute is not None
                return self.absolute(confidence_level)
            case "corrected" | "expanded":
                is_spread = self.method == "corrected"
                low, high = drawn_interval(
                    self.score, self.replicates, confidence_level, self.n, self.limits, is_spread=is_spread
                )
                return (self.above_chance(low, confidence_level) if is_spread else low), high

    def above_chance(self, low: float, confidence_level: float) -> float:
        """Return the lower end, or the limit if equal groups spread as far."""
        return self.limits[0] if is_by_chance(self.score, self.centered, confidence_level) else low

    def _added(self) -> tuple[Floats, Floats]:
        """Return each unit's contribution to the mean and its number of samples."""
        assert self.totals is not None
        sizes = np.ones(len(self.totals)) if self.sizes is None else self.sizes
        return (self.totals - self.score * sizes) / sizes.sum(), sizes

    def minus(self, other: Estimate) -> Estimate:
        """Subtract a score of the same samples, with replicates from the same draws.

        Infinite replicates count as undefined.
        """
        with np.errstate(invalid="ignore"):
            replicates = self.replicates - other.replicates
        difference = self._replace(
            score=self.score - other.score,
            n=min(self.n, other.n),
            replicates=np.where(np.isfinite(replicates), replicates, np.nan),
            limits=(self.limits[0] - other.limits[1], self.limits[1] - other.limits[0]),
        )
        if self.totals is not None and other.totals is not None:
            (added, here), (taken, there) = self._added(), other._added()
            if np.array_equal(here, there):
                return difference._replace(method="two-point", totals=self.totals - other.totals)
            # Some units have scores of one system only, so differences use each unit's contribution to the two means.
            moved = (added - taken)[here + there > 0]
            totals = difference.score + len(moved) * moved
            return difference._replace(method="two-point", totals=totals, sizes=None)
        return difference._replace(method="expanded")

    def keys(self, name: str, confidence_level: float) -> dict[str, Any]:
        """Return the entries of a result.

        ``<name>_ci``, ``<name>_ci_lost`` (share of undefined replicates), of means ``<name>_sd`` (standard deviation of
        a sample), and the reason under ``undefined`` if the interval is withheld.
        """
        found: dict[str, Any] = {f"{name}_ci": list(self.interval(confidence_level)), f"{name}_ci_lost": self.lost}
        if self.method == "two-point":
            found[f"{name}_sd"] = self.deviation
        if reason := self.undefined(confidence_level):
            found["undefined"] = f"{name}_ci: {reason}"
        return found


def paired_comparison(a: Estimate, b: Estimate, confidence_level: float) -> dict[str, Any]:
    """Compare the scores of two systems on the same samples.

    Args:
        a: score of system A.
        b: score of system B, with replicates from the same draws.
        confidence_level: level of the interval, in (0, 1).

    Returns:
        ``difference`` (B minus A), ``difference_ci``, ``p_value`` (two-sided, never 0; NaN without an interval) and
        ``lost``, the share of undefined replicates; ``undefined`` gives the reason if there is no interval.

    Example:
        >>> a, b = (Estimate(score, "midp", 1, totals=np.array([score])) for score in (1.0, 0.0))
        >>> paired_comparison(a, b, 0.95)["undefined"]
        'difference_ci and p_value: an interval needs at least two samples'
    """
    difference = b.minus(a)
    ends = difference.interval(confidence_level)
    p_value = paired_p_value(difference.score, difference.replicates)
    result: dict[str, Any] = {
        "difference": difference.score,
        "difference_ci": list(ends),
        "p_value": math.nan if math.isnan(ends[0]) else expanded_p_value(p_value, difference.n),
        "lost": float(np.isnan(difference.replicates).mean()) if len(difference.replicates) else math.nan,
    }
    if reason := difference.undefined(confidence_level):
        result["undefined"] = f"difference_ci and p_value: {reason}"
    return result


def differs(n: float, p_value: float, interval: Sequence[float], alpha: float) -> bool:
    """Decide whether two systems differ.

    Args:
        n: samples or originals behind the difference.
        p_value: its p-value, corrected where several are tested.
        interval: its confidence interval.
        alpha: level of significance.

    Returns:
        True from `FEWEST` samples on, if the p-value is below alpha and 0 is outside the interval.

    Example:
        >>> [differs(n, 0.01, (low, 0.3), 0.05) for n, low in ((40, 0.1), (40, -0.1), (8, 0.1))]
        [True, False, False]
    """
    low, high = interval
    return n >= FEWEST and p_value < alpha and (low > 0 or high < 0)


def difference_interval(
    a: float, interval_a: tuple[float, float], b: float, interval_b: tuple[float, float]
) -> tuple[float, float]:
    """Compute the interval of A minus B from both intervals.

    It is correct for estimates from independent samples. If both come from the same samples and are positively
    correlated, it is too wide, never too narrow; a paired comparison is narrower.

    Args:
        a: the estimate A.
        interval_a: its interval. An end on the other side of the estimate counts as the estimate.
        b: the estimate B.
        interval_b: its interval, of the same level.

    Returns:
        The lower and the upper end, at that level; NaN if any input is.

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


def _distance(high: float, low: float) -> float:
    """Return the distance above another number: at least 0, NaN for NaN."""
    return high - low if not high <= low else 0.0
