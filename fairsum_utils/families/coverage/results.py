"""Results of the coverage family: scores, tests, intervals and comparisons."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.families import Results, Scorer, System
from fairsum_utils.families.chance import beside_scores, beside_systems
from fairsum_utils.families.coverage.chance import at_random, put_at_random
from fairsum_utils.families.coverage.differences import Differences, put_coverage_parity, put_equal_coverage
from fairsum_utils.families.coverage.rows import CoverageTable
from fairsum_utils.families.effective import signed
from fairsum_utils.families.estimates import SampleScores, compared, mean_of, numbers_of
from fairsum_utils.families.warnings import MOST_PAIRED, WarningRecord, some_of
from fairsum_utils.measures import get_measure
from fairsum_utils.measures._coverage import CoverageMeasure
from fairsum_utils.measures.coverage_parity import coverage_parity, mean_extremes
from fairsum_utils.stats.arrays import scalar
from fairsum_utils.stats.bootstrap import paired_p_value
from fairsum_utils.stats.intervals import METHODS, Estimate, Method
from fairsum_utils.stats.sums import Sums, check_same_samples


def sums_of(table: CoverageTable, measures: Sequence[str], settings: CoverageMeasure, scorer: Any = None) -> Sums:
    """Sum up a table for `results_of`; the units are the samples.

    Returns:
        Columns ``n`` (1 for each sample), by value ``documents``, and those of the measures: ``equal_coverage`` and
        ``r_ec`` (1 where a sample is unequal, by permutation tests that wait until it is asked for), and by value
        ``extreme`` and ``extreme_n``, the sum and number of what a sample adds to the set C_k; totals of what is not
        drawn; counts.

    Example:
        >>> table = CoverageTable([CoverageRow(0, ("a", "b"), (1.0, 0.5), 2)])
        >>> sums_of(table, ["coverage_parity"], CoverageMeasure()).total("extreme", "b")
        -0.25
    """
    differences = Differences(table, settings)
    sums = Sums(len(differences), skipped=table.skipped)
    sums.put(("n",), np.ones(sums.n_units))
    sums.put_total(("mean_coverage",), differences.mean_coverage)
    for value, entries in differences.entries():
        sums.put(("documents", value), differences.documents[entries], differences.rows[entries])
        sums.counts["value", value] = len(entries)
    for value, samples in differences.dominated():
        sums.counts["dominant", value] = len(samples)
    sums.counts["truncated",] = table.n_truncated
    sums.counts["uncovered",] = sum(not sample.coverage.any() for sample in differences.samples)
    for name in measures:
        _PARTS[name].put(sums, differences)
    if settings.at_random:
        put_at_random(sums, table, measures, differences)
    return sums


SCORES = SampleScores("documents", {"coverage_parity": ("extreme", "extreme_n")})


def results_of(
    sums: Sums, measures: Sequence[str], settings: CoverageMeasure, scorer: Scorer, given: Collection[str]
) -> Results:
    """Compute measures from the sums of a data set.

    Returns:
        For each measure a dict of plain Python numbers: the score under its name, figures by value, ``n_samples``,
        ``n_skipped``, ``skipped``, ``n_truncated``, ``mean_coverage`` (the mean of p(d, s)), ``signature``; with a
        confidence level also ``<name>_ci`` and ``<name>_ci_lost``, the share of replicates that lost a value;
        ``undefined`` gives the reason when the score, an interval or a p-value is NaN for want of samples. The cards in
        ``metrics/`` list every key.
    """
    judged = scorer.signature(measures[0], given)
    results: Results = {}
    for name in measures:
        result = _PARTS[name].figures(sums, settings)
        result |= {
            "n_by_value": sums.counted("value"),
            **quality(sums),
            **numbers_of(sums),
            "n_truncated": sums.counts[("truncated",)],
            **_signed(name, settings, judged, METHODS[get_measure(name).averages]),
        }
        if not sums.n_samples:
            result["undefined"] = "no sample was scored"
        results[name] = result
    return beside_scores(results, at_random(sums, measures, settings, given))


def _equal_coverage(sums: Sums, settings: CoverageMeasure) -> dict[str, Any]:
    n, n_by_value = sums.n_samples, sums.counted("value")
    means = {
        key: {value: mean_of(sums, part, value, n=of) for value, of in n_by_value.items()}
        for key, part in (
            ("equal_coverage_by_value", "absolute_difference"),
            ("difference_by_value", "difference"),
        )
    }
    n_dominated = {value: sums.counts["dominant", value] for value in n_by_value}
    result: dict[str, Any] = {
        "equal_coverage": SCORES.score(sums, "equal_coverage"),
        **means,
        "expected_equal_coverage": mean_of(sums, "expected", n=n),
        "r_ec": mean_of(sums, "r_ec", n=n),
        "n_can_reach_significance": int(sums.total("can_reach")),
        "by_dominant_value": {
            value: {
                "n_samples": of,
                "equal_coverage": mean_of(sums, "dominant_equal_coverage", value, n=of),
                "r_ec": mean_of(sums, "dominant_r_ec", value, n=of),
            }
            for value, of in n_dominated.items()
        },
    }
    if settings.confidence_level is not None:
        unequal = Estimate.of_sums(result["r_ec"], sums, "r_ec", "shares", (0.0, 1.0))
        result |= unequal.keys("r_ec", settings.confidence_level)
        [estimate] = SCORES.estimates(sums, ["equal_coverage"], settings).values()
        result |= estimate.keys("equal_coverage", settings.confidence_level)
    return result


def _coverage_parity(sums: Sums, settings: CoverageMeasure) -> dict[str, Any]:
    extremes, drawn = SCORES.sums_of(sums, "coverage_parity"), SCORES.drawn_of(sums, "coverage_parity", settings)
    names, counts = extremes.names, extremes.counts
    means = mean_extremes(extremes.totals, counts)
    if never := [repr(name) for name, count in zip(names, counts, strict=True) if not count]:
        one = len(never) == 1
        warnings.warn(
            f"{settings.module}: coverage_parity leaves out the {'group' if one else 'groups'} {some_of(never)}, "
            f"because {'it is' if one else 'they are'} never the most over- or underrepresented group of a sample",
            stacklevel=4,
        )
    drawn_means = mean_extremes(drawn.totals, drawn.counts)
    by_value = dict(zip(names, means.tolist(), strict=True))
    known = {name: mean for name, mean in by_value.items() if not math.isnan(mean)}
    result: dict[str, Any] = {
        "coverage_parity": extremes.score(),
        "coverage_parity_by_value": dict(zip(names, np.abs(means).tolist(), strict=True)),
        "mean_extreme_by_value": by_value,
        "n_extreme_by_value": dict(zip(names, counts.astype(int).tolist(), strict=True)),
        "p_value_by_value": {
            name: paired_p_value(mean, drawn_means[:, column]) for column, (name, mean) in enumerate(by_value.items())
        },
        "most_overrepresented": _only(known, max(known.values(), default=math.nan)),
        "most_underrepresented": _only(known, min(known.values(), default=math.nan)),
        "by_dominant_value": {
            value: _dominated(sums, value, beside) for value, beside in _beside_dominant(sums, names).items()
        },
    }
    if settings.confidence_level is not None:
        estimate = SCORES.estimate(sums, "coverage_parity")._replace(replicates=extremes.replicates(drawn))
        result |= estimate.keys("coverage_parity", settings.confidence_level)
    elif sums.n_samples < 2:
        result["undefined"] = "p_value_by_value: the bootstrap needs at least two samples"
    return result


def _dominated(sums: Sums, value: str, beside: Sequence[str]) -> dict[str, Any]:
    """Compute Coverage Parity of the samples that each group dominates."""
    n_samples = sums.counts["dominant", value]
    if not n_samples:
        means = dict.fromkeys(beside, math.nan)
        return {"n_samples": n_samples, "coverage_parity": math.nan, "mean_extreme_by_value": means}
    extremes = [sums.total("dominant_extreme", value, name) for name in beside]
    counts = [sums.counts["dominant_extreme_n", value, name] for name in beside]
    return {
        "n_samples": n_samples,
        "coverage_parity": scalar(coverage_parity(extremes, counts)),
        "mean_extreme_by_value": dict(zip(beside, mean_extremes(extremes, counts).tolist(), strict=True)),
    }


def _beside_dominant(sums: Sums, names: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Choose the groups to compare with each dominant group."""
    if len(names) <= MOST_PAIRED:
        return dict.fromkeys(names, names)
    beside: dict[str, list[str]] = {name: [] for name in names}
    for key in sorted(key for key in sums.counts if key[0] == "dominant_extreme_n"):
        beside[key[1]].append(key[2])
    return beside


def _only(means: Mapping[str, float], mean: float) -> str | None:
    """Return the group with this mean; None if several have it."""
    values = [value for value, of_value in means.items() if math.isclose(of_value, mean, abs_tol=1e-12)]
    return values[0] if len(values) == 1 < len(means) else None


def warnings_of(sums: Sums, settings: CoverageMeasure) -> list[WarningRecord]:
    """Warn about summaries that no document covers."""
    alike = "{} scored summaries are not covered by any document, so their groups all score the same"
    return WarningRecord.of("unmatched", sums.counts[("uncovered",)], sums.n_samples, alike)


def _signed(
    name: str, settings: CoverageMeasure, judged: Mapping[str, object], method: Method, *, paired: bool = False
) -> dict[str, Any]:
    """Return the effective settings and the signature of a result."""
    unused = () if paired or name in SCORES.over_values else ("n_resamples",)
    interval = None if settings.confidence_level is None else method
    return signed({**judged, **settings.keyed(name, *unused), "interval": interval})


class _Part(NamedTuple):
    """Functions that compute one measure.

    Attributes:
        put: function that adds the sums.
        figures: function that makes this measure's part of a result.
    """

    put: Callable[[Sums, Differences], None]
    figures: Callable[[Sums, CoverageMeasure], dict[str, Any]]


_PARTS = {
    "equal_coverage": _Part(put_equal_coverage, _equal_coverage),
    "coverage_parity": _Part(put_coverage_parity, _coverage_parity),
}


def draw_systems(
    systems: Sequence[Sums], measures: Sequence[str], settings: CoverageMeasure, scorer: Any = None
) -> list[System]:
    """Score several systems on the same samples with the same bootstrap draws."""
    check_same_samples(systems, "documents")
    return [System(sums, SCORES.estimates(sums, measures, settings, paired=True)) for sums in systems]


def compare_systems(
    a: System,
    b: System,
    measures: Sequence[str],
    settings: CoverageMeasure,
    scorer: Scorer,
    given: Collection[str],
    n_skipped: int = 0,
) -> Results:
    """Compare two systems on the same samples by a paired bootstrap.

    Returns:
        For each measure: ``a``, ``b``, ``difference`` (B minus A; below 0 B is fairer), ``difference_ci``,
        ``p_value`` (two-sided, never 0), ``lost`` (share of replicates that lost a value), ``n_samples``,
        ``n_skipped`` and ``signature``; ``undefined`` gives the reason when there is no interval.
    """
    judged = scorer.signature(measures[0], given)

    def signed_of(name: str) -> dict[str, Any]:
        return _signed(name, settings, judged, a.drawn[name].minus(b.drawn[name]).method, paired=True)

    results = compared(a, b, measures, settings, n_skipped, signed_of)
    levels = (at_random(system.sums, measures, settings, given) for system in (a, b))
    return beside_systems(results, *levels)


def quality(sums: Sums) -> dict[str, float]:
    """Return p(d, s), the coverage of summaries by their documents, averaged over samples."""
    return {"mean_coverage": mean_of(sums, "mean_coverage", n=sums.n_samples)}
