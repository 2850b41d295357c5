"""Measures computed from sums over samples: scores, replicates and comparisons.

A measure is a mean over samples, or computed of the sums and counts of each value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fairsum_utils.measures import Measure, get_formula, get_measure
from fairsum_utils.stats.arrays import Floats, quotient, scalar
from fairsum_utils.stats.intervals import Estimate, drawn_interval, folded, paired_comparison
from fairsum_utils.stats.sums import Sums

if TYPE_CHECKING:
    from fairsum_utils.families.contract import Results, System


class OverValues(NamedTuple):
    """Sums and counts by group of one measure.

    Attributes:
        measure: name of the measure.
        names: groups of the data.
        totals: sum of each group, shape (..., groups).
        counts: number of entries of each group, same shape.
    """

    measure: str
    names: list[str]
    totals: Floats
    counts: Floats

    def score(self) -> float:
        """Compute the measure over the groups that have entries."""
        there = self.counts > 0
        return scalar(get_formula(self.measure)(self.totals[there], self.counts[there]))

    @property
    def n_groups(self) -> int:
        """Number of groups with entries."""
        return int((self.counts > 0).sum())

    def replicates(self, drawn: OverValues) -> Floats:
        """Compute the measure of replicates, shape (B,); NaN if a group is missing."""
        there = self.counts > 0
        return self._of(drawn.totals[:, there], drawn.counts[:, there])

    def centered(self, drawn: OverValues, fair: float) -> Floats:
        """Compute the measure of replicates with groups moved to the fair mean."""
        there = self.counts > 0
        counts, means = drawn.counts[:, there], self.totals[there] / self.counts[there]
        return self._of(drawn.totals[:, there] + (fair - means) * counts, counts)

    def halved(self, drawn: OverValues) -> Floats:
        """Compute half the signed difference of two groups' means in replicates."""
        there = self.counts > 0
        first, second = quotient(drawn.totals[:, there], drawn.counts[:, there]).T
        return np.asarray((first - second) / 2)

    def _of(self, totals: Floats, counts: Floats) -> Floats:
        return np.where((counts > 0).all(axis=1), get_formula(self.measure)(totals, counts), np.nan)


class SampleScores(NamedTuple):
    """Scores of a family with samples as units of the bootstrap.

    Attributes:
        values: name of the sums by group.
        over_values: measure -> names of its sums and counts by group; other measures are means over samples.
        halved: measures that for two groups are half the absolute difference between their means.
        fair: mean of each group for which the measures of `over_values` are 0.
    """

    values: str
    over_values: Mapping[str, tuple[str, str]]
    halved: Collection[str] = ()
    fair: float = 0.0

    def sums_of(self, sums: Sums, name: str, prefix: str = "") -> OverValues:
        """Read the sums of a measure by group, with an optional prefix."""
        names = sums.of(self.values)
        parts = [[sums.total(f"{prefix}{part}", value) for value in names] for part in self.over_values[name]]
        return OverValues(name, names, *map(np.array, parts))

    def drawn_of(self, sums: Sums, name: str, settings: Measure) -> OverValues:
        """Draw the sums of a measure by group, shape (B, groups)."""
        names = sums.of(self.values)
        keys = [(part, value) for part in self.over_values[name] for value in names]
        drawn = np.empty((0, len(keys)))
        if sums.n_samples > 1:
            drawn = sums.replicates(keys, n_resamples=settings.n_resamples, seed=settings.seed)
        return OverValues(name, names, *np.split(drawn, 2, axis=1))

    def score(self, sums: Sums, name: str, prefix: str = "") -> float:
        """Compute a measure; its sums may have a prefix."""
        if name in self.over_values:
            return self.sums_of(sums, name, prefix).score()
        return scalar(get_formula(name)(sums.total(f"{prefix}{name}"), sums.total(f"{prefix}n")))

    def estimate(self, sums: Sums, name: str) -> Estimate:
        """Score a measure and prepare its interval without replicates."""
        measure = get_measure(name)
        limits = measure.low, measure.high
        return Estimate.of_sums(self.score(sums, name), sums, name, measure.averages, limits)

    def estimates(
        self, sums: Sums, names: Sequence[str], settings: Measure, *, paired: bool = False
    ) -> dict[str, Estimate]:
        """Score measures and prepare intervals; if `paired`, replicates share their draws."""
        found = {name: self.estimate(sums, name) for name in names}
        drawn = [name for name, each in found.items() if paired or (each.is_drawn and not each.withheld)]
        if sums.n_samples > 1:
            means = [name for name in drawn if name not in self.over_values]
            for name, replicates in self._replicates(sums, means, settings).items():
                found[name] = found[name]._replace(replicates=replicates)
            for name in filter(self.over_values.__contains__, drawn):
                found[name] = self._over_groups(found[name], sums, name, settings)
        return found

    def _replicates(self, sums: Sums, means: Sequence[str], settings: Measure) -> dict[str, Floats]:
        """Draw replicates of each mean, shape (B,), from the same draws."""
        if not means:
            return {}
        keys = [("n",), *((name,) for name in means)]
        n, *totals = sums.replicates(keys, n_resamples=settings.n_resamples, seed=settings.seed).T
        return {name: get_formula(name)(column, n) for name, column in zip(means, totals, strict=True)}

    def _over_groups(self, estimate: Estimate, sums: Sums, name: str, settings: Measure) -> Estimate:
        """Draw the replicates of a measure over groups, for its interval."""
        observed, drawn = self.sums_of(sums, name), self.drawn_of(sums, name, settings)
        estimate = estimate._replace(replicates=observed.replicates(drawn))
        if observed.n_groups != 2 or name not in self.halved:
            return estimate._replace(centered=observed.centered(drawn, self.fair))
        itself = observed._replace(totals=observed.totals[None], counts=observed.counts[None])
        half, halves, most = float(observed.halved(itself)[0]), observed.halved(drawn), estimate.limits[1]
        return estimate._replace(
            method="folded",
            absolute=lambda level: folded(drawn_interval(half, halves, level, estimate.n, (-most, most))),
        )


def compared(
    a: System,
    b: System,
    measures: Sequence[str],
    settings: Measure,
    n_skipped: int,
    signed_of: Callable[[str], Mapping[str, Any]],
) -> Results:
    """Compare two systems on the same samples by a paired bootstrap.

    Args:
        a: system A, of one draw with system B.
        b: system B.
        measures: names of the measures.
        settings: their settings, with a confidence level.
        n_skipped: samples that are left out.
        signed_of: measure -> its effective settings and signature.

    Returns:
        For each measure: the keys of `paired_comparison`, ``n_samples``, ``n_skipped``, ``settings`` and ``signature``.
    """
    assert settings.confidence_level is not None
    return {
        name: {
            **paired_comparison(a.drawn[name], b.drawn[name], settings.confidence_level),
            "n_samples": a.sums.n_samples,
            "n_skipped": n_skipped,
            **signed_of(name),
        }
        for name in measures
    }


def numbers_of(sums: Sums) -> dict[str, Any]:
    """Count the scored and the skipped samples for a result."""
    return {
        "n_samples": sums.n_samples,
        "n_skipped": sums.skipped.total(),
        "skipped": dict(sorted(sums.skipped.items())),
    }


def mean_of(sums: Sums, *key: str, n: float) -> float:
    """Divide a sum by a number; NaN for 0."""
    return sums.total(*key) / n if n else math.nan
