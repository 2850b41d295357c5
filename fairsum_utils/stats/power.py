"""Power: the chance that future samples meet a bound on a score.

A bound is met, certainly broken, or neither. Scores are treated as normal, with the standard deviation of one sample;
shares of samples are counted exactly, with the mid-P intervals of `intervals.share_interval`. A sample is the unit of
the bootstrap, such as an original with all of its summaries.

Source: J. Cohen, "Statistical Power Analysis for the Behavioral Sciences", 2nd edition, 1988, chapter 2 (normal);
H. O. Lancaster, "Significance tests in discrete distributions", JASA 56, 1961 (mid-P).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fairsum_utils.stats.arrays import Floats

_LARGEST = 10**9
"""Upper limit of the search, beyond any real number of samples."""
_EXACT = 50_000
"""Above this number of samples, shares are treated as normal."""
_NORMAL = NormalDist()


class Chances(NamedTuple):
    """Chances of meeting, certainly breaking, or neither; they sum to 1."""

    met: float
    broken: float

    @property
    def neither(self) -> float:
        """Too few samples to tell."""
        return max(0.0, 1 - self.met - self.broken)


class Bound(NamedTuple):
    """A bound on a score with a normal estimate.

    Attributes:
        distance: distance of the expected score from the bound; positive on the right side.
        deviation: standard deviation of one sample.
        other: standard error of a subtracted score of other samples, such as a baseline; 0 for none.
        reach: standard errors between the score and the bounded end of its interval; 0 to bound the score itself.
        other_reach: same for the other score, in its standard errors.
        joint_reach: same for the difference, in its standard errors, if its interval is bounded.
    """

    distance: float
    deviation: float
    other: float = 0.0
    reach: float = 0.0
    other_reach: float = 0.0
    joint_reach: float = 0.0

    def chances(self, n: float) -> Chances:
        """Compute the chance of each answer.

        Args:
            n: samples; may be infinite.

        Example:
            >>> bound = Bound(distance=0.02, deviation=0.1, reach=1.96)
            >>> [round(number, 3) for number in bound.chances(200)]
            [0.807, 0.0]
        """
        own = self.deviation / math.sqrt(n)
        spread = math.hypot(own, self.other)
        margin = self.reach * own + self.other_reach * self.other + self.joint_reach * spread
        return Chances(_below(self.distance - margin, spread), _below(-self.distance - abs(margin), spread))


class PValue(NamedTuple):
    """A bound on the p-value of a mean tested by permutations, both normal.

    A permutation test compares the mean with means by chance, whose standard deviation is different: if there is an
    effect, it varies between originals, permutations average this out, and permuting adds part of the effect to the
    noise. So the null standard deviation is a separate attribute.

    Attributes:
        effect: true mean; 0 without an effect.
        deviation: standard deviation of one sample.
        null: standard deviation of permuted means.
        bound: largest p-value allowed.
        two_sided: True if means below 0 also count.
    """

    effect: float
    deviation: float
    null: float
    bound: float
    two_sided: bool = False

    def chances(self, n: float) -> Chances:
        """Return the chances that the p-value is below the bound or above.

        Args:
            n: samples.

        Example:
            >>> [round(number, 3) for number in PValue(0.02, 0.1, null=0.1, bound=0.05).chances(155)]
            [0.801, 0.199]
        """
        if not 0 < self.bound < 1:
            return Chances(float(self.bound >= 1), float(self.bound <= 0))
        reach = _NORMAL.inv_cdf(1 - self.bound / (2 if self.two_sided else 1)) * self.null
        shift = math.sqrt(n) * self.effect
        below = _below(shift - reach, self.deviation)
        if self.two_sided:
            below += _below(-shift - reach, self.deviation)
        return Chances(below, 1 - below)


class Replicated(NamedTuple):
    """Variance components of a sample that is a mean over replicates.

    It has a part that does not depend on the number of replicates, a part that decreases in proportion to it and, for
    means over pairs of replicates, a part that decreases with its square.

    Attributes:
        variance: total variance of a sample.
        within: variance between replicates of the same inputs.
        pairs: part of `within` that decreases with the square of n; 0 for means over replicates.
        n: number of replicates.
    """

    variance: float
    within: float
    pairs: float
    n: float

    def factor(self, n: float) -> float:
        """Scale the standard deviation of a sample to another number of replicates.

        Args:
            n: replicates.

        Example:
            >>> Replicated(variance=4.0, within=3.0, pairs=0.0, n=3).factor(1)  # 1 + 9 / 1 in place of 1 + 9 / 3
            1.5811388300841898
        """
        mean = max(self.within - self.pairs, 0.0)
        still = max(self.variance - mean - self.pairs, 0.0)

        def total(number: float) -> float:
            return still + mean * self.n / number + self.pairs * (self.n / number) ** 2

        return math.sqrt(total(n) / total(self.n)) if total(self.n) else 1.0


def _below(distance: float, spread: float) -> float:
    """Return the chance that a normal deviate stays below a distance."""
    return _NORMAL.cdf(distance / spread) if spread else float(distance > 0)


def fewest(chance: Callable[[float], float], power: float) -> int | None:
    """Find the fewest samples that reach a power that grows with n.

    Args:
        chance: power for a number of samples.
        power: required chance.

    Returns:
        None if no number is enough.

    Example:
        >>> fewest(lambda n: Bound(0.02, 0.1, reach=1.96).chances(n).met, 0.8)
        197
    """
    if chance(_LARGEST) < power:
        return None
    low, high = 0, _LARGEST
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if chance(middle) >= power else (middle, high)
    return high


def share_chances(
    n: npt.ArrayLike, expected: float, bound: float, *, end: float = 0.5, strict: bool = True
) -> tuple[Floats, Floats]:
    """Return the chances that a share or its interval's end meets a bound.

    Args:
        n: samples, shape (...).
        expected: true share, in [0, 1].
        bound: upper bound, in [0, 1].
        end: the quantile of the interval's bounded end, such as 0.975; 0.5 for the share itself.
        strict: True if equality breaks the bound.

    Returns:
        Chances that the bound is met and that it is certainly broken, each of shape (...).

    Example:
        >>> met, broken = share_chances(2, 0.5, 0.6)  # 0 or 1 of 2
        >>> float(met), float(broken)
        (0.75, 0.25)
    """
    n = np.asarray(n, dtype=np.float64)
    met, unbroken = (_most(n, bound, quantile, strict=strict) for quantile in (end, 1 - end))
    return _cumulative(met, n, expected), 1 - _cumulative(np.maximum(met, unbroken), n, expected)


def _most(n: Floats, bound: float, quantile: float, *, strict: bool) -> Floats:
    """Return the largest count that meets the bound at a quantile; -1 for none."""
    if quantile == 0.5:
        return np.asarray(np.ceil(bound * n - _TIE) - 1 if strict else np.floor(bound * n + _TIE))
    if bound >= 1 and not strict:
        return n
    if bound <= 0:  # a lower end is 0 only for a count of 0
        return np.full_like(n, -1.0 if strict or quantile > 0.5 else 0.0)
    # The end for k of n is below the bound if P(X < k) + P(X = k) / 2 < 1 - quantile at the bound.
    low, high = np.full_like(n, -1.0), n + 1
    while (high - low > 1).any():
        middle = np.floor((low + high) / 2)
        tail = (_cumulative(middle - 1, n, bound) + _cumulative(middle, n, bound)) / 2
        is_below = tail < 1 - quantile
        low, high = np.where(is_below, middle, low), np.where(is_below, high, middle)
    return np.minimum(low, n)


_TIE = 1e-9
"""Products closer than this to an integer count as that integer."""


def _cumulative(k: Floats, n: Floats, share: float) -> Floats:
    from scipy import special

    inside = special.bdtr(np.clip(k, 0, n), n, share)
    return np.where(k < 0, 0.0, np.where(k >= n, 1.0, inside))


def fewest_of_share(chance: Callable[[Floats], Floats], about: int | None, power: float) -> int | None:
    """Find the fewest samples beyond which a share always reaches the power.

    Args:
        chance: power for an array of numbers of samples.
        about: number by the normal distribution; None if no number is enough.
        power: required chance.

    Returns:
        The number from which every larger number reaches the power; None if no number does.
    """
    if about is None or about > _EXACT:
        return about
    most = 4 * about + 2_000
    while True:
        ns = np.arange(1, most)
        too_few = np.flatnonzero(chance(ns.astype(np.float64)) < power)
        if not len(too_few):
            return 1
        if too_few[-1] < len(ns) - 1:
            return int(ns[too_few[-1]]) + 1
        if most > 20 * _EXACT:
            return None
        most *= 4


def largest_deviation(mean: float, low: float, high: float) -> float:
    """Return the largest standard deviation of a bounded number with this mean.

    Source: R. Bhatia and C. Davis, "A Better Bound on the Variance", American Mathematical Monthly 107, 2000.

    Example:
        >>> largest_deviation(0.5, 0.0, 1.0)
        0.5
    """
    return math.sqrt(max((high - mean) * (mean - low), 0.0))
