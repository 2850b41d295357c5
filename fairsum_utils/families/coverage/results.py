"""Results of the coverage family: figures, tests, warnings and records."""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, TypedDict

import numpy as np

from fairsum_utils.families.arrow import Recorded
from fairsum_utils.families.chance import N_JUDGED
from fairsum_utils.families.coverage.rows import CoverageRow, CoverageTable
from fairsum_utils.families.coverage.sums import Differences, sums_of, tested
from fairsum_utils.families.engine import Engine
from fairsum_utils.families.means import Mean, SampleScore
from fairsum_utils.families.spreads import SpreadScore
from fairsum_utils.families.warnings import MOST_PAIRED, CountWarning, some_of
from fairsum_utils.measures._coverage import CoverageMeasure
from fairsum_utils.measures.coverage_parity import coverage_parity, mean_extremes
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.stats.arrays import Floats, scalar
from fairsum_utils.stats.bootstrap import paired_p_value
from fairsum_utils.stats.intervals import Estimate
from fairsum_utils.stats.sums import Sums


class CoverageScore(SampleScore):
    """A measure of the coverage of documents."""

    def counts(self) -> dict[str, Any]:
        """Count groups and truncated texts, and average the coverage."""
        return {
            "n_by_value": self.sums.counted("value"),
            **quality(self.sums),
            "n_truncated": self.sums.counts["truncated",],
        }

    def undrawn(self, given: Collection[str]) -> str:
        """Explain why there are no random summaries."""
        if "coverage" in given or "summary_units" in given:
            return "coverage or summary units were given, not only texts"
        if not self.settings.draws_sentences:
            return "it needs entailer='lexical' and splitter='sentence' (--set entailer=lexical)"
        return ""

    @property
    def warned(self) -> Sequence[CountWarning]:
        """Warn about summaries that no document covers."""
        alike = "{} scored summaries are not covered by any document, so their groups all score the same"
        return (CountWarning("unmatched", alike, "uncovered"),)


class EqualCoverageScore(CoverageScore):
    """A mean over samples, with their permutation tests."""

    def means(self) -> Sequence[Mean]:
        """List differences by group, what chance makes, and the share of unequal samples."""
        return (
            Mean("equal_coverage_by_value", "absolute_difference", "value", by="documents"),
            Mean("difference_by_value", "difference", "value", by="documents"),
            Mean("expected_equal_coverage", "expected"),
            Mean("r_ec", "r_ec", averages="shares", in_full=True),
        )

    def details(self) -> dict[str, Any]:
        """Return the figures of the samples that each group dominates."""
        return {
            "n_can_reach_significance": int(self.sums.total("can_reach")),
            "by_dominant_value": {
                value: {
                    "n_samples": self.sums.counts["dominant", value],
                    "equal_coverage": self.mean("dominant_equal_coverage", "dominant", value),
                    "r_ec": self.mean("dominant_r_ec", "dominant", value),
                }
                for value in self.sums.of("documents")
            },
        }

    def unused(self, method: str) -> tuple[str, ...]:
        """Return the settings without effect; the tests of samples use the seed."""
        return ("n_resamples",)


class CoverageParityScore(SpreadScore, CoverageScore):
    """A score over the mean extreme differences of groups."""

    over = ("extreme", "extreme_n")
    n_draws = N_JUDGED

    @cached_property
    def shown(self) -> Estimate:
        """Estimate with replicates, which the p-values need in any case."""
        return self.with_replicates()

    def details(self) -> dict[str, Any]:
        """Return mean extremes with p-values, also of the samples that each group dominates."""
        names = self.sums.of("documents")
        counts = {name: int(self.sums.total("extreme_n", name)) for name in names}
        self._warn_of_never([name for name, count in counts.items() if not count])
        drawn = dict(zip(self.groups, mean_extremes(*np.split(self.drawn, 2, axis=1)).T, strict=True))
        means = {name: self.mean("extreme", "extreme_n", name) for name in names}
        known = {name: mean for name, mean in means.items() if not math.isnan(mean)}
        found = {
            "coverage_parity_by_value": {name: abs(mean) for name, mean in means.items()},
            "mean_extreme_by_value": means,
            "n_extreme_by_value": counts,
            "p_value_by_value": {
                name: paired_p_value(mean, drawn[name]) if name in drawn else math.nan for name, mean in means.items()
            },
            "most_overrepresented": _only(known, max(known.values(), default=math.nan)),
            "most_underrepresented": _only(known, min(known.values(), default=math.nan)),
            "by_dominant_value": {
                value: self._dominated(value, beside) for value, beside in self._beside_dominant(names).items()
            },
        }
        is_short = self.level is None and self.sums.n_samples < 2
        reason = {"undefined": "p_value_by_value: the bootstrap needs at least two samples"} if is_short else {}
        return {**found, **reason}

    def _warn_of_never(self, never: Sequence[str]) -> None:
        if never:
            one = len(never) == 1
            warnings.warn(
                f"{self.settings.module}: coverage_parity leaves out the {'group' if one else 'groups'} "
                f"{some_of(list(map(repr, never)))}, because {'it is' if one else 'they are'} never the most over- or "
                "underrepresented group of a sample",
                stacklevel=6,
            )

    def _dominated(self, value: str, beside: Sequence[str]) -> dict[str, Any]:
        """Compute Coverage Parity of the samples that a group dominates."""
        n_samples = self.sums.counts["dominant", value]
        extremes = [self.sums.total("dominant_extreme", value, name) for name in beside]
        counts = [self.sums.counts["dominant_extreme_n", value, name] for name in beside]
        return {
            "n_samples": n_samples,
            "coverage_parity": scalar(coverage_parity(extremes, counts)) if n_samples else math.nan,
            "mean_extreme_by_value": dict(zip(beside, mean_extremes(extremes, counts).tolist(), strict=True)),
        }

    def _beside_dominant(self, names: Sequence[str]) -> Mapping[str, Sequence[str]]:
        """Choose the groups to compare with each dominant group."""
        if len(names) <= MOST_PAIRED:
            return dict.fromkeys(names, names)
        beside: dict[str, list[str]] = {name: [] for name in names}
        for key in sorted(key for key in self.sums.counts if key[0] == "dominant_extreme_n"):
            beside[key[1]].append(key[2])
        return beside

    def random_sums(self, draw: str) -> tuple[Floats, Floats]:
        """Return sums and counts of random summaries, where other groups may be extreme."""
        values = self.sums.of("documents")
        totals, counts = ([self.sums.total(f"at_random_{part}", of, draw) for of in values] for part in self.over)
        return np.array(totals), np.array(counts)


def _only(means: Mapping[str, float], mean: float) -> str | None:
    """Return the group with this mean; None if several have it."""
    values = [value for value, of_value in means.items() if math.isclose(of_value, mean, abs_tol=1e-12)]
    return values[0] if len(values) == 1 < len(means) else None


def quality(sums: Sums) -> dict[str, float]:
    """Return p(d, s), the coverage of summaries by their documents, averaged over samples."""
    return {"mean_coverage": sums.total("mean_coverage") / sums.n_samples if sums.n_samples else math.nan}


class Covered(TypedDict):
    """Coverage of the documents of a sample; None for a skipped sample.

    Attributes:
        values: group of each document.
        mean_coverage: p(d, s), the mean coverage of the documents.
        coverage_by_value: mean coverage of each group's documents.
        difference_by_value: difference of each group from the mean; positive: overrepresented.
        document_differences: p(d_i, S) - p(d, s) of each document.
        dominant: group with the most documents; None if there are several.
    """

    values: list[str] | None
    mean_coverage: float | None
    coverage_by_value: dict[str, float] | None
    difference_by_value: dict[str, float] | None
    document_differences: list[float] | None
    dominant: str | None


class Tested(TypedDict):
    """Equal Coverage of a sample with its permutation test; None for a skipped sample.

    Attributes:
        equal_coverage: score of the sample.
        p_value: p-value of the test.
        expected_equal_coverage: expected score if the groups are covered alike.
        smallest_p_value: smallest p-value that a sample with such groups can have.
    """

    equal_coverage: float | None
    p_value: float | None
    expected_equal_coverage: float | None
    smallest_p_value: float | None


class Extremes(TypedDict):
    """Groups with the largest and the smallest difference; None for a skipped sample.

    Attributes:
        overrepresented: groups with the largest difference.
        underrepresented: groups with the smallest difference.
    """

    overrepresented: list[str] | None
    underrepresented: list[str] | None


def recorded(measures: Sequence[str], settings: CoverageMeasure) -> Recorded:
    """Return the keys of a record: coverage, those of the measures, and evidence."""
    computed = [Covered, *(_OF_MEASURES[name][0] for name in measures)]
    fields = ("index", "skipped", "n_units", "n_truncated", "units", "evidence", "unit_coverage")
    return Recorded(fields, computed, partial(_computed, measures, settings))


def _computed(
    measures: Sequence[str], settings: CoverageMeasure, rows: Sequence[CoverageRow]
) -> Iterator[Mapping[str, Any]]:
    differences = Differences(CoverageTable(rows), settings)
    places = iter(range(len(differences)))
    for row in rows:
        computed: dict[str, Any] = {}
        if row.skipped is None:
            place = next(places)
            computed |= _covered(differences, place)
            for name in measures:
                _, compute = _OF_MEASURES[name]
                computed |= compute(differences, place)
        yield computed


def _covered(differences: Differences, place: int) -> Covered:
    sample = differences.samples[place]
    dominant, mean = differences.dominant.codes[place], float(differences.mean_coverage[place])
    by_value = dict(zip(sample.values, differences.of_sample(place).tolist(), strict=True))
    return {
        "values": [sample.values[code] for code in sample.codes],
        "mean_coverage": mean,
        "coverage_by_value": {value: mean + difference for value, difference in by_value.items()},
        "difference_by_value": by_value,
        "document_differences": (sample.coverage - mean).tolist(),
        "dominant": None if dominant < 0 else differences.dominant.names[dominant],
    }


def _tested(differences: Differences, place: int) -> Tested:
    test = tested(differences.samples[place], differences.settings)
    return {
        "equal_coverage": float(differences.scores[place]),
        "p_value": test.p_value,
        "expected_equal_coverage": test.expected,
        "smallest_p_value": test.smallest_p,
    }


def _extremes(differences: Differences, place: int) -> Extremes:
    values, of_values = differences.samples[place].values, differences.of_sample(place)
    most, least = of_values >= of_values.max() - TOLERANCE, of_values <= of_values.min() + TOLERANCE
    return {
        "overrepresented": [values[k] for k in np.flatnonzero(most)],
        "underrepresented": [values[k] for k in np.flatnonzero(least)],
    }


_OF_MEASURES: Mapping[str, tuple[type, Any]] = {
    "equal_coverage": (Tested, _tested),
    "coverage_parity": (Extremes, _extremes),
}
"""Measure -> keys of its part of a record, and the function that computes it."""


ENGINE = Engine(sums_of, {"equal_coverage": EqualCoverageScore, "coverage_parity": CoverageParityScore})
