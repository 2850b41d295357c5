"""Scores over the means of groups, with intervals by the bootstrap."""

from __future__ import annotations

import math
from functools import cached_property
from typing import ClassVar

import numpy as np

from fairsum_utils.families.chance import ChanceLevel, level_of_draws
from fairsum_utils.families.means import SampleScore
from fairsum_utils.stats.arrays import Floats, quotient, scalar
from fairsum_utils.stats.intervals import Estimate, drawn_interval, folded


class SpreadScore(SampleScore):
    """A score over groups, such as the spread of their means.

    The formula takes the sum and the number of each group's entries.

    Attributes:
        over: names of these sums and numbers.
        is_halved: the score of two groups is half the absolute difference of their means.
        fair: mean of each group for which the score is 0.
        n_draws: random summaries of a sample, for the chance level.
    """

    shares_draws = False
    over: ClassVar[tuple[str, str]]
    is_halved: ClassVar[bool] = False
    fair: ClassVar[float] = 0.0
    n_draws: ClassVar[int] = 0

    def by_group(self, prefix: str = "") -> tuple[Floats, Floats]:
        """Return the sum and the number of each group's entries, shape (groups,)."""
        totals, counts = (
            np.array([self.sums.total(f"{prefix}{part}", group) for group in self.groups]) for part in self.over
        )
        return totals, counts

    @cached_property
    def observed(self) -> tuple[Floats, Floats]:
        """Sums and numbers of the data, see `by_group`."""
        return self.by_group()

    @cached_property
    def groups(self) -> list[str]:
        """Groups of the formula."""
        return self.sums.of(self.over[1])

    def score(self, prefix: str = "") -> float:
        """Apply the formula to the groups with entries."""
        if self.withheld or not self.sums.n_samples:
            return math.nan
        totals, counts = self.by_group(prefix) if prefix else self.observed
        return scalar(self.formula(totals[counts > 0], counts[counts > 0]))

    @cached_property
    def shown(self) -> Estimate:
        """Estimate with the interval of the result."""
        return self.estimate if self.level is None or self.estimate.withheld else self.with_replicates()

    def with_replicates(self) -> Estimate:
        """Return the estimate with replicates, and with what its interval takes."""
        estimate, (totals, counts) = self.estimate, self.observed
        if not len(drawn := self.drawn):
            return estimate
        there = counts > 0
        totals, counts = totals[there], counts[there]
        drawn_totals, drawn_counts = (part[:, there] for part in np.split(drawn, 2, axis=1))
        estimate = estimate._replace(replicates=self._formula(drawn_totals, drawn_counts))
        if len(counts) != 2 or not self.is_halved:
            moved = drawn_totals + (self.fair - totals / counts) * drawn_counts
            return estimate._replace(centered=self._formula(moved, drawn_counts))
        half, halves, most = _halved(totals, counts), _halved(drawn_totals, drawn_counts), estimate.limits[1]
        return estimate._replace(
            method="folded",
            absolute=lambda level: folded(drawn_interval(float(half), halves, level, estimate.n, (-most, most))),
        )

    @cached_property
    def drawn(self) -> Floats:
        """Sums and counts of each group in replicates, shape (B, 2 groups)."""
        keys = [(part, group) for part in self.over for group in self.groups]
        if self.sums.n_samples < 2:
            return np.empty((0, len(keys)))
        return self.sums.replicates(keys, n_resamples=self.settings.n_resamples, seed=self.settings.seed)

    def _formula(self, totals: Floats, counts: Floats) -> Floats:
        """Apply the formula to replicates; NaN if a group is missing."""
        return np.where((counts > 0).all(axis=1), self.formula(totals, counts), np.nan)

    def level_of_draws(self) -> ChanceLevel:
        """Compute the chance level of samples that all have random summaries."""
        scores = [scalar(self.formula(*self.random_sums(str(draw)))) for draw in range(self.n_draws)]
        if any(map(math.isnan, scores)):
            return ChanceLevel(reason=f"{self.measure.upper()} compares groups, but the data has only one")
        return level_of_draws(scores)

    def random_sums(self, draw: str) -> tuple[Floats, Floats]:
        """Return the sums and counts by group of random summaries."""
        totals = [self.sums.total(f"at_random_{self.over[0]}", group, draw) for group in self.groups]
        return np.array(totals), self.observed[1]


def _halved(totals: Floats, counts: Floats) -> Floats:
    """Compute half the signed difference of two groups' means, shape (...)."""
    means = quotient(totals, counts)
    return np.asarray((means[..., 0] - means[..., 1]) / 2)
