"""Measures computed from sums over samples: scores, replicates and comparisons.

A measure is a mean over samples, or computed of the sums and counts of each value.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fairsum_utils.families.settings import MeasureSettings
from fairsum_utils.measures import get_formula, get_measure
from fairsum_utils.stats.arrays import Floats, scalar
from fairsum_utils.stats.intervals import Estimate, paired_comparison
from fairsum_utils.stats.sums import AnySums

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

    def replicates(self, drawn: OverValues) -> Floats:
        """Compute the measure of replicates, shape (B,); NaN if a group is missing."""
        there = self.counts > 0
        totals, counts = drawn.totals[:, there], drawn.counts[:, there]
        return np.where((counts > 0).all(axis=1), get_formula(self.measure)(totals, counts), np.nan)


class SampleScores(NamedTuple):
    """Scores of a family with samples as units of the bootstrap.

    Attributes:
        values: name of the sums by group.
        over_values: measure -> names of its sums and counts by group; other measures are means over samples.
    """

    values: str
    over_values: Mapping[str, tuple[str, str]]

    def sums_of(self, sums: AnySums, name: str, prefix: str = "") -> OverValues:
        """Read the sums of a measure by group, with an optional prefix."""
        names = sums.of(self.values)
        parts = [[sums.total(f"{prefix}{part}", value) for value in names] for part in self.over_values[name]]
        return OverValues(name, names, *map(np.array, parts))

    def drawn_of(self, sums: AnySums, name: str, settings: MeasureSettings) -> OverValues:
        """Draw the sums of a measure by group, shape (B, groups)."""
        names = sums.of(self.values)
        keys = [(part, value) for part in self.over_values[name] for value in names]
        drawn = np.empty((0, len(keys)))
        if sums.n_samples > 1:
            drawn = sums.replicates(keys, n_resamples=settings.n_resamples, seed=settings.seed)
        return OverValues(name, names, *np.split(drawn, 2, axis=1))

    def score(self, sums: AnySums, name: str, prefix: str = "") -> float:
        """Compute a measure; its sums may have a prefix."""
        if name in self.over_values:
            return self.sums_of(sums, name, prefix).score()
        return scalar(get_formula(name)(sums.total(f"{prefix}{name}"), sums.total(f"{prefix}n")))

    def estimate(self, sums: AnySums, name: str) -> Estimate:
        """Score a measure and prepare its interval without replicates."""
        measure = get_measure(name)
        limits = measure.low, measure.high
        return Estimate.of_sums(self.score(sums, name), sums, name, measure.averages, limits)

    def estimates(
        self, sums: AnySums, names: Sequence[str], settings: MeasureSettings, *, paired: bool = False
    ) -> dict[str, Estimate]:
        """Score measures and prepare intervals; if `paired`, replicates share their draws."""
        found = {name: self.estimate(sums, name) for name in names}
        drawn = [name for name, each in found.items() if paired or (each.is_drawn and not each.withheld)]
        replicates = self._replicates(sums, drawn, settings) if sums.n_samples > 1 else {}
        return {name: each._replace(replicates=replicates.get(name, each.replicates)) for name, each in found.items()}

    def _replicates(self, sums: AnySums, names: Sequence[str], settings: MeasureSettings) -> dict[str, Floats]:
        """Draw replicates of each measure, shape (B,), from the same draws."""
        replicates = {}
        if means := [name for name in names if name not in self.over_values]:
            keys = [("n",), *((name,) for name in means)]
            n, *totals = sums.replicates(keys, n_resamples=settings.n_resamples, seed=settings.seed).T
            replicates = {name: get_formula(name)(column, n) for name, column in zip(means, totals, strict=True)}
        for name in filter(self.over_values.__contains__, names):
            replicates[name] = self.sums_of(sums, name).replicates(self.drawn_of(sums, name, settings))
        return replicates


def compared(
    a: System,
    b: System,
    measures: Sequence[str],
    settings: MeasureSettings,
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


def numbers_of(sums: AnySums) -> dict[str, Any]:
    """Count the scored and the skipped samples for a result."""
    return {
        "n_samples": sums.n_samples,
        "n_skipped": sums.skipped.total(),
        "skipped": dict(sorted(sums.skipped.items())),
    }


def mean_of(sums: AnySums, *key: str, n: float) -> float:
    """Divide a sum by a number; NaN for 0."""
    return sums.total(*key) / n if n else math.nan
