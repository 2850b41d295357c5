"""Sequential test of a stream against its baseline, window by window.

A window is compared with all samples before it, including the baseline, given the total of all these samples. So the
error of the baseline, which all windows share, counts once. Every possible start and size of a shift has a likelihood
ratio. The evidence is their weighted mean, with weights that sum to 1 over all future windows. If nothing changes, its
mean is 1, and by Ville's inequality the probability that it ever reaches 1 / alpha is at most alpha. So you may look
after each window, without end.

This is a theorem for normal scores of known spread. For shares of samples, the distribution given the total is exact
(hypergeometric), even for rare events. For other means, the bound is the distribution of two values that are as far
apart as the range of scores allows, with the variance of all samples so far. `benchmarks/calibrate_monitor.py` counts
the false alarms of both.

Source: J. Ville, "Étude critique de la notion de collectif", 1939; R. Brown, J. Durbin and J. Evans, "Techniques for
Testing the Constancy of Regression Relationships over Time", JRSS B 37, 1975 (comparison with all earlier samples); G.
Bennett, "Probability Inequalities for the Sum of Independent Random Variables", JASA 57, 1962 (the two values); V.
Vovk, A. Gammerman and G. Shafer, "Algorithmic Learning in a Random World", 2005, chapter 7 (evidence against
exchangeability); J. Shin, A. Ramdas and A. Rinaldo, "E-detectors", 2022 (mixtures over the start of a change).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from fairsum_utils.stats.arrays import Floats

EFFECTS = (1 / 16, 1 / 8, 1 / 4, 1 / 2)
"""Shifts to test for, in standard deviations of a sample; they also detect shifts in between and beyond."""

_EARLY = 50
"""Half of the prior weight is on changes that begin within this many windows."""


class Pool(NamedTuple):
    """Samples taken together.

    Attributes:
        n: number of samples.
        mean: mean of their scores.
        squares: sum of the squared distances from it.
    """

    n: int
    mean: float
    squares: float

    def plus(self, other: Pool) -> Pool:
        """Pool both.

        Args:
            other: samples; both have at least one.

        Example:
            >>> Pool(1, 0.0, 0.0).plus(Pool(1, 1.0, 0.0))
            Pool(n=2, mean=0.5, squares=0.5)
        """
        n = self.n + other.n
        distance = other.mean - self.mean
        return Pool(
            n,
            self.mean + distance * (other.n / n),
            self.squares + other.squares + distance**2 * (self.n * other.n / n),
        )

    def variance(self) -> float:
        """Variance of a sample; 0 of a single number."""
        return self.squares / max(self.n - 1, 1)


class Evidence:
    """Evidence that a stream's mean differs from its baseline.

    Args:
        baseline: its samples, at least one.
        low: the smallest score of a sample.
        high: the largest one.
        is_share: True if every score is 0 or 1.
        sides: 1 for upward shifts, -1 for downward shifts, or both.

    Attributes:
        pool: all samples so far.
        logs: the logarithm of the evidence after each window.

    Example:
        >>> evidence = Evidence(Pool(1000, 0.1, 90.0), is_share=True)
        >>> [round(evidence.add(Pool(100, mean, 0.0)), 2) for mean in (0.1, 0.2, 0.22, 0.24)]
        [-0.01, 0.39, 3.43, 8.31]
        >>> evidence.since()
        1
    """

    def __init__(
        self,
        baseline: Pool,
        *,
        low: float = 0.0,
        high: float = 1.0,
        is_share: bool = False,
        sides: Sequence[int] = (1,),
    ) -> None:
        self.baseline = self.pool = baseline
        self.logs: list[float] = []
        self._ends, self._is_share, self._sides = (low, high), is_share, tuple(sides)
        self._sizes: list[int] = []
        self._ratios = np.zeros((0, len(self._sides), len(EFFECTS)))  # for a change beginning with each window, as logs

    def add(self, window: Pool) -> float:
        """Take in the next window.

        Args:
            window: its samples, at least one.

        Returns:
            The logarithm of the evidence of all windows so far.
        """
        before, self.pool = self.pool, self.pool.plus(window)
        # Share of the comparison samples that came after the change.
        changed = np.append(np.cumsum(self._sizes[::-1])[::-1], 0)[:, None] / before.n
        self._sizes.append(window.n)
        ratio = _share_ratio if self._is_share else _mean_ratio
        gains = []
        for side in self._sides:
            rest, new, both = (self._upwards(side, pool) for pool in (before, window, self.pool))
            gains.append(ratio(rest, new, both, self._ends, changed))
        self._ratios = np.concatenate([self._ratios, np.zeros((1, *self._ratios.shape[1:]))]) + np.stack(gains, axis=1)
        later = math.log(_EARLY / (len(self._sizes) + _EARLY))  # changes that are still to come
        self.logs.append(float(np.logaddexp.reduce([*self._by_beginning(), later])))
        return self.logs[-1]

    def since(self) -> int:
        """Return the window in which a change most likely began, from 0."""
        return int(np.argmax(self._by_beginning()))

    def visible(self, log_bar: float, power: float = 0.8) -> float:
        """Estimate the smallest shift that these windows would likely have shown.

        The estimate is too small for a share near 0 or 1 or a small baseline, because higher scores have a larger
        spread.

        Args:
            log_bar: logarithm of the required evidence.
            power: probability of detecting it, in (0, 1).
        """
        n = sum(self._sizes)
        if not n:
            return math.inf
        bar = log_bar - self._weights()[0]
        spread = math.sqrt(self.pool.variance() * (1 / n + 1 / self.baseline.n))
        return (math.sqrt(2 * bar) + NormalDist().inv_cdf(power)) * spread

    def _by_beginning(self) -> Floats:
        """Return each beginning's part in the evidence, as logarithms."""
        return np.asarray(np.logaddexp.reduce(self._ratios, axis=(1, 2)) + self._weights())

    def _weights(self) -> Floats:
        """Return the log prior weights of a shift beginning in each window."""
        first = np.arange(1, len(self._sizes) + 1)
        return np.log(_EARLY / ((first + _EARLY - 1) * (first + _EARLY) * len(self._sides) * len(EFFECTS)))

    def _upwards(self, side: int, pool: Pool) -> Pool:
        """Mirror a pool for the lower side, so that its shifts point up."""
        return pool if side > 0 else pool._replace(mean=sum(self._ends) - pool.mean)


def _share_ratio(_: Pool, window: Pool, both: Pool, ends: tuple[float, float], changed: Floats) -> Floats:
    """Compute log likelihood ratios of a count given the total, shape (beginnings, effects)."""
    hits, found = round(both.n * both.mean), round(window.n * window.mean)
    share = (hits + 0.5) / (both.n + 1)
    tilts = _tilts(share, math.sqrt(share * (1 - share)), changed)
    counts, chances = _hypergeometric(hits, both.n, window.n)
    every = tilts[..., None] * (counts - found) + chances
    most = every.max(axis=-1)
    return np.asarray(-most - np.log(np.exp(every - most[..., None]).sum(axis=-1)))


def _mean_ratio(before: Pool, window: Pool, both: Pool, ends: tuple[float, float], changed: Floats) -> Floats:
    """Bound the log likelihood ratios of a mean, given the total, from below."""
    variance, above, below = both.variance(), ends[1] - both.mean, both.mean - ends[0]
    if not variance or above <= 0 or below <= 0:
        return np.zeros((len(changed), len(EFFECTS)))
    width = above + variance / above
    tilts = _tilts(variance / (above * width), math.sqrt(variance) / width, changed) / width
    # Window minus earlier samples: a sample of the window has weight 1, an earlier one this weight, negative.
    weight = window.n / before.n
    bound = window.n * _bennett(tilts, variance, above) + before.n * _bennett(tilts * weight, variance, below)
    return np.asarray(tilts * window.n * (window.mean - before.mean) - bound)


def _tilts(share: float, deviation: float, changed: Floats) -> Floats:
    """Compute log odds ratios between a window and the partly changed windows before."""
    sizes = np.array(EFFECTS) * deviation
    most = 1 - (1 - share) / 10  # a shift cannot leave the range

    def logit(shift: Floats) -> Floats:
        shifted = np.minimum(share + shift, most)
        return np.asarray(np.log(shifted / (1 - shifted)))

    return logit(sizes) - logit(changed * sizes)


def _bennett(tilts: Floats, variance: float, reach: float) -> Floats:
    """Bound log E exp(tilt * x) for mean 0, a variance and a reach."""
    whole = variance + reach**2
    near = math.log(reach**2 / whole) - tilts * (variance / reach)
    far = math.log(variance / whole) + tilts * reach
    return np.asarray(np.logaddexp(near, far))


def _hypergeometric(hits: int, n: int, drawn: int) -> tuple[Floats, Floats]:
    """Return the likely numbers of hits and the logarithms of their chances."""
    from scipy.special import gammaln

    mean = drawn * hits / n
    far = 9 * math.sqrt(mean * (1 - hits / n)) + 40
    least, most = max(0, drawn + hits - n, math.floor(mean - far)), min(drawn, hits, math.ceil(mean + far))
    x = np.arange(least, most + 1)
    logs = -(gammaln(x + 1) + gammaln(hits - x + 1) + gammaln(drawn - x + 1) + gammaln(n - hits - drawn + x + 1))
    return x.astype(np.float64), logs - np.logaddexp.reduce(logs)
