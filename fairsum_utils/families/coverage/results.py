"""Rows to results: Equal Coverage and Coverage Parity, their significance, intervals and figures by value."""

from __future__ import annotations

import math
import warnings
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from fairsum_utils.families import Results, Scorer, System
from fairsum_utils.families.chance import beside_scores, beside_systems
from fairsum_utils.families.coverage.chance import at_random, put_at_random
from fairsum_utils.families.coverage.differences import Differences, put_coverage_parity, put_equal_coverage
from fairsum_utils.families.coverage.rows import CoverageRow, CoverageTable, UnitEvidence
from fairsum_utils.families.coverage.settings import CoverageSettings
from fairsum_utils.families.warnings import MOST_PAIRED, WarningRecord, some_of
from fairsum_utils.measures import get_measure
from fairsum_utils.measures.coverage_parity import coverage_parity, mean_extremes
from fairsum_utils.measures.equal_coverage import (
    TOLERANCE,
    equal_coverage,
)
from fairsum_utils.signature import signed
from fairsum_utils.stats.arrays import Floats, scalar
from fairsum_utils.stats.bootstrap import paired_p_value
from fairsum_utils.stats.intervals import Estimate, paired_comparison
from fairsum_utils.stats.sums import AnySums, Sums, check_same_samples


def sums_of(table: CoverageTable, measures: Sequence[str], settings: CoverageSettings, scorer: Any = None) -> Sums:
    """Sum up a table for `results_of`; the units are the samples.

    Returns:
        Columns ``n`` (1 for each sample), by value ``documents``, and those of the measures: ``equal_coverage`` and
        ``r_ec`` (1 where a sample is unequal, by permutation tests that wait until it is asked for), and by value
        ``extreme`` and ``extreme_n``, the sum and number of what a sample adds to the set C_k; totals of what is not
        drawn; counts.

    Example:
        >>> table = CoverageTable([CoverageRow(0, ("a", "b"), (1.0, 0.5), 2)])
        >>> sums_of(table, ["coverage_parity"], CoverageSettings()).total("extreme", "b")
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
    put = {"equal_coverage": put_equal_coverage, "coverage_parity": put_coverage_parity}
    for name in measures:
        put[name](sums, differences)
    if settings.at_random:
        put_at_random(sums, table, measures, settings)
    return sums


def _mean(sums: AnySums, *key: str, n: float) -> float:
    return sums.total(*key) / n if n else math.nan


class _Extremes:
    """Sum and number of each set C_k, and in bootstrap replicates, shape (B, values)."""

    def __init__(self, sums: AnySums, settings: CoverageSettings) -> None:
        self.names = sums.of("documents")
        self.sums = np.array([sums.total("extreme", name) for name in self.names])
        self.counts = np.array([sums.total("extreme_n", name) for name in self.names])
        keys = [(part, name) for part in ("extreme", "extreme_n") for name in self.names]
        if sums.n_samples < 2:
            drawn = np.empty((0, len(keys)))
        else:
            drawn = sums.replicates(keys, n_resamples=settings.n_resamples, seed=settings.seed)
        self.drawn_sums, self.drawn_counts = np.split(drawn, 2, axis=1)

    @property
    def parity(self) -> float:
        return scalar(coverage_parity(self.sums, self.counts))

    def replicates(self) -> Floats:
        """Coverage Parity of replicates; NaN where one lost a value that the data holds."""
        drawn_sums, drawn_counts = (part[:, self.counts > 0] for part in (self.drawn_sums, self.drawn_counts))
        return np.where((drawn_counts > 0).all(axis=1), coverage_parity(drawn_sums, drawn_counts), np.nan)


def results_of(
    sums: AnySums, measures: Sequence[str], settings: CoverageSettings, scorer: Scorer, given: Collection[str]
) -> Results:
    """Compute measures from the sums of a data set.

    Returns:
        For each measure a dict of plain Python numbers: the score under its name, figures by value, ``n_samples``,
        ``n_skipped``, ``skipped``, ``n_truncated``, ``mean_coverage`` (the mean of p(d, s)), ``signature``; with a
        confidence level also ``<name>_ci`` and ``<name>_ci_lost``, the share of replicates that lost a value;
        ``undefined`` gives the reason when the score, an interval or a p-value is NaN for want of samples. The cards in
        ``metrics/`` list every key.
    """
    compute = {"equal_coverage": _equal_coverage, "coverage_parity": _coverage_parity}
    n, judged = sums.n_samples, scorer.signature(measures[0], given)
    results: Results = {}
    for name in measures:
        result = compute[name](sums, settings)
        result |= {
            "n_by_value": sums.counted("value"),
            "mean_coverage": _mean_coverage(sums),
            "n_samples": n,
            "n_skipped": sums.skipped.total(),
            "skipped": dict(sorted(sums.skipped.items())),
            "n_truncated": sums.counts[("truncated",)],
            **_signed(name, settings, judged),
        }
        if not n:
            result["undefined"] = "no sample left to score"
        elif name == "coverage_parity" and n < 2 and "undefined" not in result:
            result["undefined"] = "p_value_by_value: a bootstrap needs at least two samples"
        results[name] = result
    return beside_scores(results, at_random(sums, measures, settings, given))


def _equal_coverage(sums: AnySums, settings: CoverageSettings) -> dict[str, Any]:
    n, n_by_value = sums.n_samples, sums.counted("value")
    n_dominated = {value: sums.counts["dominant", value] for value in n_by_value}
    result: dict[str, Any] = {
        "equal_coverage": _mean_score(sums),
        "equal_coverage_by_value": {
            value: _mean(sums, "absolute_difference", value, n=of) for value, of in n_by_value.items()
        },
        "difference_by_value": {value: _mean(sums, "difference", value, n=of) for value, of in n_by_value.items()},
        "expected_equal_coverage": _mean(sums, "expected", n=n),
        "r_ec": _mean(sums, "r_ec", n=n),
        "n_can_reach_significance": int(sums.total("can_reach")),
        "by_dominant_value": {
            value: {
                "n_samples": of,
                "equal_coverage": _mean(sums, "dominant_equal_coverage", value, n=of),
                "r_ec": _mean(sums, "dominant_r_ec", value, n=of),
            }
            for value, of in n_dominated.items()
        },
    }
    if settings.confidence_level is not None:
        unequal = Estimate.of_sums(result["r_ec"], sums, "r_ec", "shares", (0.0, 1.0))
        result |= unequal.keys("r_ec", settings.confidence_level)
        result |= _estimate("equal_coverage", sums).keys("equal_coverage", settings.confidence_level)
    return result


def _coverage_parity(sums: AnySums, settings: CoverageSettings) -> dict[str, Any]:
    extremes = _Extremes(sums, settings)
    names, counts = extremes.names, extremes.counts
    means = mean_extremes(extremes.sums, counts)
    if never := [repr(name) for name, count in zip(names, counts, strict=True) if not count]:
        values = "value" if len(never) == 1 else "each of the values"
        warnings.warn(
            f"{settings.module}: {values} {some_of(never)} is never the most over- or underrepresented one, so it has "
            "no part in coverage_parity",
            stacklevel=4,
        )
    drawn_means = mean_extremes(extremes.drawn_sums, extremes.drawn_counts)
    by_value = dict(zip(names, means.tolist(), strict=True))
    known = {name: mean for name, mean in by_value.items() if not math.isnan(mean)}
    result: dict[str, Any] = {
        "coverage_parity": extremes.parity,
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
        estimate = _estimate("coverage_parity", sums, extremes.parity)._replace(replicates=extremes.replicates())
        result |= estimate.keys("coverage_parity", settings.confidence_level)
    return result


def _dominated(sums: AnySums, value: str, beside: Sequence[str]) -> dict[str, Any]:
    """Coverage Parity of the samples that a value dominates, with the values beside it."""
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


def _beside_dominant(sums: AnySums, names: Sequence[str]) -> Mapping[str, Sequence[str]]:
    """Each value -> those that are set beside it: all; of many only those that it has in its samples."""
    if len(names) <= MOST_PAIRED:
        return dict.fromkeys(names, names)
    beside: dict[str, list[str]] = {name: [] for name in names}
    for key in sorted(key for key in sums.counts if key[0] == "dominant_extreme_n"):
        beside[key[1]].append(key[2])
    return beside


def _only(means: Mapping[str, float], mean: float) -> str | None:
    """The value with this mean; None where several have it, but for rounding."""
    values = [value for value, of_value in means.items() if math.isclose(of_value, mean, abs_tol=1e-12)]
    return values[0] if len(values) == 1 < len(means) else None


def warnings_of(sums: AnySums, settings: CoverageSettings) -> list[WarningRecord]:
    """List what speaks against the scores: summaries that no document covers."""
    alike = "{} scored summaries are covered by no document at all, and so by all values alike"
    return WarningRecord.of("unmatched", sums.counts[("uncovered",)], sums.n_samples, alike)


def _signed(
    name: str, settings: CoverageSettings, judged: Mapping[str, object], *, paired: bool = False
) -> dict[str, Any]:
    resamples = name == "coverage_parity" or paired
    of_parity = "expanded" if paired else "corrected"
    interval = of_parity if name == "coverage_parity" else "two-point"
    decided = settings.keyed(name, *(() if resamples else ("n_resamples",)))
    return signed({**judged, **decided, "interval": interval if settings.confidence_level else None})


def sample_records(
    rows: Sequence[CoverageRow], measures: Sequence[str], settings: CoverageSettings
) -> list[dict[str, Any]]:
    """One record a sample, skipped ones included, in the order of `rows`.

    Returns:
        Dicts with ``index``, ``skipped``, ``values`` (of the documents), ``mean_coverage`` (p(d, s)),
        ``coverage_by_value``, ``difference_by_value`` (positive: overrepresented), ``document_differences``
        (p(d_i, S) - p(d, s) of each document), ``dominant``, ``n_units``, ``n_truncated``; for ``equal_coverage`` also
        the score, ``p_value``, ``expected_equal_coverage`` and ``smallest_p_value``; for ``coverage_parity``
        ``overrepresented`` and ``underrepresented``: the values with the largest and the smallest difference; with
        evidence ``units`` and, aligned with them, ``evidence``: the ``document`` and ``chunk`` (from 0) that cover a
        unit best, with their ``probability`` and the chunk's ``text``; and ``unit_coverage``: for each unit the
        probability that each document covers it.
    """
    differences = Differences(CoverageTable(rows), settings)
    records = []
    places = iter(range(len(differences)))
    for row in rows:
        record = dict.fromkeys(record_types(measures)) | {"index": row.index, "skipped": row.skipped}
        if row.skipped is None:
            record |= _scored_record(differences, next(places), measures)
        record |= {"n_units": row.n_units, "n_truncated": row.n_truncated}
        if row.units is not None:
            record["units"] = list(row.units)
        if row.evidence is not None:
            record["evidence"] = [unit._asdict() for unit in row.evidence]
        if row.unit_coverage is not None:
            record["unit_coverage"] = list(map(list, row.unit_coverage))
        records.append(record)
    return records


_OF_SCORED: dict[str, Any] = {
    "values": list[str],
    "mean_coverage": float,
    "coverage_by_value": dict[str, float],
    "difference_by_value": dict[str, float],
    "document_differences": list[float],
    "dominant": str,
}
"""What a record says of a sample that has a score, whatever the measure."""
_OF_MEASURE: dict[str, dict[str, Any]] = {
    "equal_coverage": dict.fromkeys(
        ("equal_coverage", "p_value", "expected_equal_coverage", "smallest_p_value"), float
    ),
    "coverage_parity": dict.fromkeys(("overrepresented", "underrepresented"), list[str]),
}
"""What it says for a measure."""


def record_types(measures: Sequence[str], settings: Any = None) -> dict[str, Any]:
    """Key of a record of `sample_records` -> its type.

    Example:
        >>> list(record_types(["coverage_parity"]))[-6:]
        ['underrepresented', 'n_units', 'n_truncated', 'units', 'evidence', 'unit_coverage']
    """
    scored = [_OF_SCORED, *(_OF_MEASURE[name] for name in measures)]
    return {
        "index": int,
        "skipped": str | None,
        **{key: kind | None for types in scored for key, kind in types.items()},
        "n_units": int,
        "n_truncated": int,
        "units": list[str] | None,
        "evidence": list[UnitEvidence] | None,
        "unit_coverage": list[list[float]] | None,
    }


def _scored_record(differences: Differences, place: int, measures: Sequence[str]) -> dict[str, Any]:
    sample = differences.samples[place]
    start, dominant = differences.starts[place], differences.dominant[place]
    of_values = differences.flat[start : start + len(sample.values)]
    mean = float(differences.mean_coverage[place])
    by_value = dict(zip(sample.values, of_values.tolist(), strict=True))
    record: dict[str, Any] = {
        "values": [sample.values[code] for code in sample.codes],
        "mean_coverage": mean,
        "coverage_by_value": {value: mean + difference for value, difference in by_value.items()},
        "difference_by_value": by_value,
        "document_differences": (sample.coverage - mean).tolist(),
        "dominant": None if dominant < 0 else differences.names[dominant],
    }
    if "equal_coverage" in measures:
        test = differences.test(place)
        record |= {
            "equal_coverage": float(differences.scores[place]),
            "p_value": test.p_value,
            "expected_equal_coverage": test.expected,
            "smallest_p_value": test.smallest_p,
        }
    if "coverage_parity" in measures:
        most, least = of_values >= of_values.max() - TOLERANCE, of_values <= of_values.min() + TOLERANCE
        record["overrepresented"] = [sample.values[k] for k in np.flatnonzero(most)]
        record["underrepresented"] = [sample.values[k] for k in np.flatnonzero(least)]
    return record


def draw_systems(
    systems: Sequence[AnySums], measures: Sequence[str], settings: CoverageSettings, scorer: Any = None
) -> list[System]:
    """The scores of several systems on the same samples and their bootstrap replicates, all from the same draws.

    Raises:
        InputError: the systems do not have the same samples, or none.
    """
    check_same_samples(systems, "documents")
    return [System(sums, {name: _drawn(name, sums, settings) for name in measures}) for sums in systems]


def compare_systems(
    a: System,
    b: System,
    measures: Sequence[str],
    settings: CoverageSettings,
    scorer: Scorer,
    given: Collection[str],
    n_skipped: int = 0,
) -> Results:
    """Compare two systems on the same samples by a paired bootstrap.

    Returns:
        For each measure: ``a``, ``b``, ``difference`` (A minus B; below zero A is fairer), ``difference_ci``,
        ``p_value`` (two-sided, never 0), ``lost`` (share of replicates that lost a value), ``n_samples``,
        ``n_skipped`` and ``signature``; ``undefined`` gives the reason when there is no interval.
    """
    assert settings.confidence_level is not None
    judged = scorer.signature(measures[0], given)
    results: Results = {
        name: {
            **paired_comparison(a.drawn[name], b.drawn[name], settings.confidence_level),
            "n_samples": a.sums.n_samples,
            "n_skipped": n_skipped,
            **_signed(name, settings, judged, paired=True),
        }
        for name in measures
    }
    levels = (at_random(system.sums, measures, settings, given) for system in (a, b))
    return beside_systems(results, *levels)


def _estimate(name: str, sums: AnySums, score: float | None = None) -> Estimate:
    """A measure with what its interval is made of, without replicates."""
    measure = get_measure(name)
    limits = measure.low, measure.high
    return Estimate.of_sums(_mean_score(sums) if score is None else score, sums, name, measure.averages, limits)


def _drawn(name: str, sums: AnySums, settings: CoverageSettings) -> Estimate:
    """A measure with bootstrap replicates, which draw the same samples for all systems; none of one sample."""
    if name == "coverage_parity":
        extremes = _Extremes(sums, settings)
        return _estimate(name, sums, extremes.parity)._replace(replicates=extremes.replicates())
    estimate = _estimate(name, sums)
    if sums.n_samples < 2:
        return estimate
    n, scores = sums.replicates([("n",), (name,)], n_resamples=settings.n_resamples, seed=settings.seed).T
    return estimate._replace(replicates=equal_coverage(scores, n))


def _mean_score(sums: AnySums) -> float:
    return scalar(equal_coverage(sums.total("equal_coverage"), sums.n_samples))


def _mean_coverage(sums: AnySums) -> float:
    """The mean over samples of how far the documents cover the summary, p(d, s)."""
    return _mean(sums, "mean_coverage", n=sums.n_samples)


def quality(sums: AnySums) -> dict[str, float]:
    """Return the mean coverage of the summaries by their documents."""
    return {"mean_coverage": _mean_coverage(sums)}


def from_file(record: dict[str, Any], measure: str) -> dict[str, Any]:
    """A record of `sample_records` from one of a file: the evidence in dicts."""
    if record.get("evidence") is not None:
        record["evidence"] = [unit._asdict() for unit in record["evidence"]]
    return record
