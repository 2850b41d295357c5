"""Rows to results: Equal Coverage and Coverage Parity, their significance, intervals and figures by value."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairsum_utils.coverage.rows import CoverageRow, UnitEvidence
from fairsum_utils.coverage.settings import CoverageSettings
from fairsum_utils.coverage.table import CoverageTable, DocumentCoverage
from fairsum_utils.family import Results, System
from fairsum_utils.family.cautions import Caution
from fairsum_utils.family.table import check_same, check_sizes
from fairsum_utils.measures.coverage_parity import coverage_parity, extreme_differences, mean_extremes
from fairsum_utils.measures.equal_coverage import (
    TOLERANCE,
    PermutationTest,
    coverage_differences,
    equal_coverage,
    permutation_test,
    sample_equal_coverage,
)
from fairsum_utils.signature import render_signature
from fairsum_utils.stats.arrays import Bools, Floats, Integers, scalar
from fairsum_utils.stats.bootstrap import (
    Drawn,
    bootstrap_sums,
    paired_comparison,
    paired_p_value,
    percentile_interval,
)
from fairsum_utils.stats.means import exact_mean
from fairsum_utils.stats.sums import Whole

__all__ = [
    "aggregate",
    "cautions",
    "compare_systems",
    "draw_systems",
    "mean_coverage",
    "record_types",
    "sample_records",
]


class _Differences:
    """Coverage differences of all samples: flat entries, one a value of a sample, in sample order."""

    def __init__(self, table: CoverageTable, settings: CoverageSettings) -> None:
        self.settings = settings
        self.names = table.values()
        self.samples = list(table)
        columns = {name: column for column, name in enumerate(self.names)}
        differences = [coverage_differences(sample.coverage, sample.codes) for sample in self.samples]
        lengths = list(map(len, differences))
        self.flat = np.concatenate([*differences, np.empty(0)])
        self.rows = np.repeat(np.arange(len(self.samples)), lengths)
        self.columns = np.array([columns[name] for sample in self.samples for name in sample.values], dtype=np.int64)
        self.padded = np.full((len(lengths), max(lengths, default=0)), np.nan)
        present = np.arange(self.padded.shape[1]) < np.array(lengths, dtype=np.int64)[:, None]
        self.padded[present] = self.flat
        self.scores = sample_equal_coverage(self.padded)
        self.mean_coverage = np.array([exact_mean(sample.coverage) for sample in self.samples])
        counts = [np.bincount(sample.codes) for sample in self.samples]
        dominant = [_dominant(count, sample) for count, sample in zip(counts, self.samples, strict=True)]
        self.dominant = np.array(dominant, dtype=np.object_)  # NumPy's strings are a type of their own
        if settings.protocol == "released":  # every document of a value counts, not only extreme values
            self.weights = np.concatenate([*counts, np.empty(0)]).astype(np.float64)
        else:
            self.weights = extreme_differences(self.padded)[present].astype(np.float64)

    def __len__(self) -> int:
        return len(self.samples)

    def n_by_value(self) -> dict[str, int]:
        counts = np.bincount(self.columns, minlength=len(self.names))
        return dict(zip(self.names, counts.tolist(), strict=True))

    def mean_by_value(self, entries: Floats) -> dict[str, float]:
        """Exactly rounded mean of each value's entries."""
        by_value: dict[str, list[float]] = {name: [] for name in self.names}
        for column, entry in zip(self.columns.tolist(), entries.tolist(), strict=True):
            by_value[self.names[column]].append(entry)
        return {name: exact_mean(numbers) for name, numbers in by_value.items()}

    def dominated(self) -> dict[str, Bools]:
        """For each value, shape (n,): the samples in which it has more documents than any other."""
        return {name: self.dominant == name for name in self.names}

    def extreme_sums(self, mask: Bools | None = None) -> tuple[Floats, Floats]:
        """Exactly rounded sum, and count, of each value's set C_k over all samples or a mask; shape (values,)."""
        entries = slice(None) if mask is None else mask[self.rows]
        columns, weights = self.columns[entries], self.weights[entries]
        weighted = self.flat[entries] * weights
        width = len(self.names)
        sums = np.array([math.fsum(weighted[columns == column]) for column in range(width)])
        counts = np.bincount(columns, weights=weights, minlength=width)
        return sums, np.asarray(counts, dtype=np.float64)

    def test(self, place: int) -> PermutationTest:
        """The permutation test of a sample."""
        return permutation_test(
            self.samples[place].coverage,
            self.samples[place].codes,
            max_exact=self.settings.max_exact,
            n_permutations=self.settings.n_permutations,
            seed=self.settings.seed,
            strict=self.settings.significance == "strict",
            alpha=self.settings.alpha,
        )

    def replicate_means(self, entries: Floats) -> Floats:
        """Mean of one entry a sample in each bootstrap replicate, shape (B,); B is 0 for fewer than two samples."""
        return equal_coverage(self._sums(entries[:, None])[:, 0], len(self)) if len(self) > 1 else np.empty(0)

    def replicate_extreme_sums(self) -> tuple[Floats, Floats]:
        """Sum, and count, of each C_k in bootstrap replicates, shape (B, values); B is 0 for fewer than two samples."""
        width = len(self.names)
        if len(self) < 2:
            return np.empty((0, width)), np.empty((0, width))
        spread = np.zeros((len(self), 2 * width))
        spread[self.rows, self.columns] = self.flat * self.weights
        spread[self.rows, self.columns + width] = self.weights
        sums = self._sums(spread)
        return sums[:, :width], sums[:, width:]

    def _sums(self, columns: Floats) -> Floats:
        return bootstrap_sums(columns, n_resamples=self.settings.n_resamples, seed=self.settings.seed)


def _dominant(counts: Integers, sample: DocumentCoverage) -> str | None:
    most = np.flatnonzero(counts == counts.max())
    return sample.values[most[0]] if len(most) == 1 else None


def _mean_score(scores: Floats) -> float:
    return scalar(equal_coverage(math.fsum(scores), len(scores)))


def _replicate_parity(counts: Floats, replicates: tuple[Floats, Floats]) -> Floats:
    """Coverage Parity of replicates; NaN where one lost a value that the data holds."""
    drawn_sums, drawn_counts = (part[:, counts > 0] for part in replicates)
    return np.where((drawn_counts > 0).all(axis=1), coverage_parity(drawn_sums, drawn_counts), np.nan)


def aggregate(
    table: CoverageTable,
    measures: Sequence[str],
    settings: CoverageSettings,
    judged: Mapping[str, object],
) -> Results:
    """Compute measures from a table.

    Args:
        table: the rows of a data set.
        measures: names of measures of the family.
        settings: of the measures; seeded.
        judged: what changes the coverage, for the signature; see `CoverageScorer.signature`.

    Returns:
        For each measure a dict of plain Python numbers: the score under its name, figures by value, ``n_samples``,
        ``n_skipped``, ``skipped``, ``n_truncated``, ``mean_coverage`` (the mean of p(d, s)), ``signature``; with a
        confidence level also ``<name>_ci`` and ``<name>_ci_lost``, the share of replicates that lost a value;
        ``undefined`` gives the reason when the score, an interval or a p-value is NaN for want of samples. The cards in
        ``metrics/`` list every key.
    """
    differences = _Differences(table, settings)
    compute = {"equal_coverage": _equal_coverage, "coverage_parity": _coverage_parity}
    results: Results = {}
    for name in measures:
        result = compute[name](differences)
        result |= {
            "n_by_value": differences.n_by_value(),
            "mean_coverage": exact_mean(differences.mean_coverage),
            "n_samples": len(table),
            "n_skipped": table.skipped.total(),
            "skipped": dict(sorted(table.skipped.items())),
            "n_truncated": table.n_truncated,
            "signature": _signature(name, settings, judged),
        }
        if not len(table):
            result["undefined"] = "no sample left to score"
        elif settings.confidence_level is not None and len(table) < 2:
            result["undefined"] = f"{name}_ci: an interval needs at least two samples"
        elif name == "coverage_parity" and len(table) < 2:
            result["undefined"] = "p_value_by_value: a bootstrap needs at least two samples"
        results[name] = result
    return results


def _equal_coverage(differences: _Differences) -> dict[str, Any]:
    settings = differences.settings
    tests = list(map(differences.test, range(len(differences))))
    unfair = np.array([test.p_value < settings.alpha for test in tests], dtype=np.float64)
    result: dict[str, Any] = {
        "equal_coverage": _mean_score(differences.scores),
        "equal_coverage_by_value": differences.mean_by_value(np.abs(differences.flat)),
        "difference_by_value": differences.mean_by_value(differences.flat),
        "expected_equal_coverage": exact_mean([test.expected for test in tests]),
        "r_ec": exact_mean(unfair),
        "n_can_reach_significance": sum(test.smallest_p < settings.alpha for test in tests),
        "by_dominant_value": {
            value: {
                "n_samples": int(mask.sum()),
                "equal_coverage": _mean_score(differences.scores[mask]),
                "r_ec": exact_mean(unfair[mask]),
            }
            for value, mask in differences.dominated().items()
        },
    }
    if settings.confidence_level is not None:
        for name, column in {"equal_coverage": differences.scores, "r_ec": unfair}.items():
            replicates = differences.replicate_means(column)
            result[f"{name}_ci"] = list(percentile_interval(replicates, settings.confidence_level))
            result[f"{name}_ci_lost"] = 0.0 if len(replicates) else math.nan
    return result


def _coverage_parity(differences: _Differences) -> dict[str, Any]:
    settings, names = differences.settings, differences.names
    sums, counts = differences.extreme_sums()
    means = mean_extremes(sums, counts)
    for name, count in zip(names, counts, strict=True):
        if not count:
            warnings.warn(
                f"{settings.module}: value {name!r} is never the most over- or underrepresented one, so it has no part "
                "in coverage_parity",
                stacklevel=4,
            )
    replicates = differences.replicate_extreme_sums()
    drawn_means = mean_extremes(*replicates)
    by_value = dict(zip(names, means.tolist(), strict=True))
    known = {name: mean for name, mean in by_value.items() if not math.isnan(mean)}
    result: dict[str, Any] = {
        "coverage_parity": scalar(coverage_parity(sums, counts)),
        "coverage_parity_by_value": dict(zip(names, np.abs(means).tolist(), strict=True)),
        "mean_extreme_by_value": by_value,
        "n_extreme_by_value": dict(zip(names, counts.astype(int).tolist(), strict=True)),
        "p_value_by_value": {
            name: paired_p_value(mean, drawn_means[:, column]) for column, (name, mean) in enumerate(by_value.items())
        },
        "most_overrepresented": _only(known, max(known.values(), default=math.nan)),
        "most_underrepresented": _only(known, min(known.values(), default=math.nan)),
        "by_dominant_value": {},
    }
    for value, mask in differences.dominated().items():
        of_mask = differences.extreme_sums(mask)
        result["by_dominant_value"][value] = {
            "n_samples": int(mask.sum()),
            "coverage_parity": scalar(coverage_parity(*of_mask)),
            "mean_extreme_by_value": dict(zip(names, mean_extremes(*of_mask).tolist(), strict=True)),
        }
    if settings.confidence_level is not None:
        parity = _replicate_parity(counts, replicates)
        result["coverage_parity_ci"] = list(percentile_interval(parity, settings.confidence_level))
        result["coverage_parity_ci_lost"] = float(np.isnan(parity).mean()) if len(parity) else math.nan
    return result


def _only(means: Mapping[str, float], mean: float) -> str | None:
    """The value with this mean; None where several have it, but for rounding."""
    values = [value for value, of_value in means.items() if math.isclose(of_value, mean, abs_tol=1e-12)]
    return values[0] if len(values) == 1 < len(means) else None


def cautions(table: CoverageTable) -> list[Caution]:
    """What the rows of a system have against its scores.

    Args:
        table: of the rows.
    """
    uncovered = sum(not sample.coverage.any() for sample in table)
    alike = "{} scored summaries are covered by no document at all, and so by all values alike"
    return Caution.of("unmatched", uncovered, len(table), alike)


def _signature(name: str, settings: CoverageSettings, judged: Mapping[str, object]) -> str:
    resamples = name == "coverage_parity" or settings.confidence_level is not None
    return render_signature({**judged, **settings.keyed(name, *(() if resamples else ("n_resamples",)))})


def sample_records(
    rows: Sequence[CoverageRow], measures: Sequence[str], settings: CoverageSettings
) -> list[dict[str, Any]]:
    """One record a sample, skipped ones included, in the order of `rows`.

    Args:
        rows: of a data set, or some of it.
        measures: names of measures of the family.
        settings: of the measures; seeded.

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
    differences = _Differences(CoverageTable(rows), settings)
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


def record_types(measures: Sequence[str]) -> dict[str, Any]:
    """Key of a record of `sample_records` -> its type.

    Args:
        measures: names of measures of the family.

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


def _scored_record(differences: _Differences, place: int, measures: Sequence[str]) -> dict[str, Any]:
    sample = differences.samples[place]
    of_values = differences.padded[place, : len(sample.values)]
    mean = float(differences.mean_coverage[place])
    by_value = dict(zip(sample.values, of_values.tolist(), strict=True))
    record: dict[str, Any] = {
        "values": _labels(sample),
        "mean_coverage": mean,
        "coverage_by_value": {value: mean + difference for value, difference in by_value.items()},
        "difference_by_value": by_value,
        "document_differences": (sample.coverage - mean).tolist(),
        "dominant": differences.dominant[place],
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


def _same_labels(a: _Differences, b: _Differences) -> bool:
    """Whether the samples of two systems have documents of the same values, each as many."""
    pairs = zip(a.samples, b.samples, strict=True)
    return all(Counter(_labels(one)) == Counter(_labels(other)) for one, other in pairs)


def draw_systems(tables: Sequence[CoverageTable], measures: Sequence[str], settings: CoverageSettings) -> list[System]:
    """The scores of several systems on the same samples and their bootstrap replicates, all from the same draws.

    Args:
        tables: the rows of each system; row i must belong to the same sample in all.
        measures: names of measures of the family.
        settings: of the measures; seeded.

    Raises:
        InputError: the tables do not hold the same samples, or none.
    """
    check_sizes(tables)
    differences = [_Differences(table, settings) for table in tables]
    check_same(differences, _same_labels)
    return [
        System(Whole(table), {name: _drawn(name, of_table) for name in measures})
        for table, of_table in zip(tables, differences, strict=True)
    ]


def compare_systems(
    a: System,
    b: System,
    measures: Sequence[str],
    settings: CoverageSettings,
    judged: Mapping[str, object],
    *,
    n_skipped: int = 0,
) -> Results:
    """Compare two systems on the same samples by a paired bootstrap.

    Args:
        a: system A, of `draw_systems`.
        b: system B, of the same call.
        measures: names of measures of the family.
        settings: of the measures, with a confidence level; seeded.
        judged: what changes the coverage, for the signature.
        n_skipped: samples that were left out because a system left them without a score.

    Returns:
        For each measure: ``a``, ``b``, ``difference`` (A minus B; below zero A is fairer), ``difference_ci``,
        ``p_value`` (two-sided, never 0), ``lost`` (share of replicates that lost a value), ``n_samples``,
        ``n_skipped`` and ``signature``; ``undefined`` gives the reason when there is no interval.
    """
    assert settings.confidence_level is not None
    return {
        name: {
            **paired_comparison(a.drawn[name], b.drawn[name], settings.confidence_level),
            "n_samples": a.sums.n_samples,
            "n_skipped": n_skipped,
            "signature": _signature(name, settings, judged),
        }
        for name in measures
    }


def _labels(sample: DocumentCoverage) -> list[str]:
    return [sample.values[code] for code in sample.codes]


def _drawn(name: str, differences: _Differences) -> Drawn:
    """The score and its bootstrap replicates, which draw the same samples for all systems; none of one sample."""
    if name == "coverage_parity":
        sums, counts = differences.extreme_sums()
        replicates = differences.replicate_extreme_sums()
        return Drawn(scalar(coverage_parity(sums, counts)), _replicate_parity(counts, replicates))
    return Drawn(_mean_score(differences.scores), differences.replicate_means(differences.scores))


def mean_coverage(table: CoverageTable) -> float:
    """The mean over samples of how far the documents cover the summary, p(d, s).

    Args:
        table: of the rows.
    """
    return exact_mean([exact_mean(sample.coverage) for sample in table])
