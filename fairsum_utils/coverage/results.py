"""Rows to results: Equal Coverage and Coverage Parity, their significance, intervals and figures by value."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fairsum_utils.coverage.scorer import CoverageRow
from fairsum_utils.coverage.table import CoverageTable, DocumentCoverage
from fairsum_utils.errors import InputError
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
from fairsum_utils.stats.arrays import Floats, scalar
from fairsum_utils.stats.bootstrap import bootstrap_sums, paired_comparison, paired_p_value, percentile_interval
from fairsum_utils.stats.means import exact_mean
from fairsum_utils.stats.options import ResamplingOptions
from fairsum_utils.validation import check_choice, check_count, check_fraction

__all__ = ["METRICS", "SIGNIFICANCE", "Options", "aggregate", "compare_tables", "sample_records"]

METRICS = ("equal_coverage", "coverage_parity")
"""The measures of this family, in the paper's order."""

_RECORD_KEYS = {
    "any": ("values", "mean_coverage", "coverage_by_value", "difference_by_value", "document_differences", "dominant"),
    "equal_coverage": ("equal_coverage", "p_value", "expected_equal_coverage", "smallest_p_value"),
    "coverage_parity": ("overrepresented", "underrepresented"),
}
"""What a sample's record says of it; None of one without a score."""

SIGNIFICANCE = ("permutation", "strict")


@dataclass(frozen=True)
class Options(ResamplingOptions):
    """What the measures need besides the coverage.

    Args:
        significance: ``"permutation"``, or ``"strict"`` for the share of permutations strictly above the observed
            score, as the paper writes it.
        alpha: a sample counts as unfair below this p-value, in [0, 1].
        max_exact: all assignments of values to documents are enumerated when there are at most so many.
        n_permutations: random assignments otherwise.

    Raises:
        InputError: an option out of range.
    """

    significance: str = "permutation"
    alpha: float = 0.05
    max_exact: int = 20_000
    n_permutations: int = 5_000

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice(self.module, "significance", self.significance, SIGNIFICANCE)
        check_fraction(self.module, "alpha", self.alpha)
        check_count(self.module, "max_exact", self.max_exact, least=0)
        check_count(self.module, "n_permutations", self.n_permutations)

    def test(self, sample: DocumentCoverage) -> PermutationTest:
        """The permutation test of a sample."""
        return permutation_test(
            sample.coverage,
            sample.codes,
            max_exact=self.max_exact,
            n_permutations=self.n_permutations,
            seed=self.seed,
            strict=self.significance == "strict",
        )


class _Differences:
    """Coverage differences of all samples: flat entries, one a value of a sample, in sample order."""

    def __init__(self, table: CoverageTable, protocol: str) -> None:
        self.names = table.values()
        self.samples = list(table)
        columns = {name: column for column, name in enumerate(self.names)}
        differences = [coverage_differences(sample.coverage, sample.codes) for sample in self.samples]
        lengths = [len(of_sample) for of_sample in differences]
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
        if protocol == "released":  # every document of a value counts, not only extreme values
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
        own: dict[str, list[float]] = {name: [] for name in self.names}
        for column, entry in zip(self.columns.tolist(), entries.tolist(), strict=True):
            own[self.names[column]].append(entry)
        return {name: exact_mean(of_value) for name, of_value in own.items()}

    def dominated(self) -> dict[str, npt.NDArray[np.bool_]]:
        """For each value, shape (n,): the samples in which it has more documents than any other."""
        return {name: self.dominant == name for name in self.names}

    def extreme_sums(self, mask: npt.NDArray[np.bool_] | None = None) -> tuple[Floats, Floats]:
        """Exactly rounded sum, and count, of each value's set C_k over all samples or a mask; shape (values,)."""
        kept = slice(None) if mask is None else mask[self.rows]
        columns, weights = self.columns[kept], self.weights[kept]
        weighted = self.flat[kept] * weights
        width = len(self.names)
        sums = np.array([math.fsum(weighted[columns == column]) for column in range(width)])
        counts = np.bincount(columns, weights=weights, minlength=width)
        return sums, np.asarray(counts, dtype=np.float64)

    def replicate_extreme_sums(self, options: Options) -> tuple[Floats, Floats]:
        """Sum, and count, of each C_k in bootstrap replicates, shape (B, values); B is 0 for fewer than two samples."""
        width = len(self.names)
        if len(self) < 2:
            return np.empty((0, width)), np.empty((0, width))
        spread = np.zeros((len(self), 2 * width))
        spread[self.rows, self.columns] = self.flat * self.weights
        spread[self.rows, self.columns + width] = self.weights
        sums = bootstrap_sums(spread, n_resamples=options.n_resamples, seed=options.seed)
        return sums[:, :width], sums[:, width:]


def _dominant(counts: npt.NDArray[np.int64], sample: DocumentCoverage) -> str | None:
    most = np.flatnonzero(counts == counts.max())
    return sample.values[most[0]] if len(most) == 1 else None


def _mean_score(scores: Floats) -> float:
    return scalar(equal_coverage(math.fsum(scores), len(scores)))


def _mean_replicates(column: Floats, options: Options) -> Floats:
    """Mean of a column of samples in bootstrap replicates, shape (B,); B is 0 for fewer than two samples."""
    if len(column) < 2:
        return np.empty(0)
    sums = bootstrap_sums(column[:, None], n_resamples=options.n_resamples, seed=options.seed)
    return equal_coverage(sums[:, 0], len(column))


def _replicate_parity(counts: Floats, replicates: tuple[Floats, Floats]) -> Floats:
    """Coverage Parity of replicates; NaN where one lost a value that the data holds."""
    drawn_sums, drawn_counts = (part[:, counts > 0] for part in replicates)
    return np.where((drawn_counts > 0).all(axis=1), coverage_parity(drawn_sums, drawn_counts), np.nan)


def aggregate(
    table: CoverageTable,
    metrics: Sequence[str],
    *,
    settings: Mapping[str, object],
    options: Options,
) -> dict[str, dict[str, Any]]:
    """Compute measures from a table.

    Args:
        table: the rows of a data set.
        metrics: names from `METRICS`.
        settings: of the scorer, for the signature and the protocol.
        options: of the measures.

    Returns:
        For each measure a dict of plain Python numbers: the score under its name, figures by value, ``n_samples``,
        ``n_skipped``, ``skipped``, ``n_truncated``, ``mean_coverage`` (the mean of p(d, s)), ``signature``; with a
        confidence level also ``<name>_ci`` and ``<name>_ci_lost``, the share of replicates that lost a value;
        ``undefined`` gives the reason when the score, an interval or a p-value is NaN for want of samples. The cards in
        ``metrics/`` list every key.
    """
    options = options.seeded()
    differences = _Differences(table, str(settings["protocol"]))
    compute = {"equal_coverage": _equal_coverage, "coverage_parity": _coverage_parity}
    results = {}
    for name in metrics:
        result = compute[name](differences, options)
        result |= {
            "n_by_value": differences.n_by_value(),
            "mean_coverage": exact_mean(differences.mean_coverage),
            "n_samples": len(table),
            "n_skipped": table.skipped.total(),
            "skipped": dict(sorted(table.skipped.items())),
            "n_truncated": table.n_truncated,
            "signature": _signature(name, settings, options),
        }
        if not len(table):
            result["undefined"] = "no sample left to score"
        elif options.confidence_level is not None and len(table) < 2:
            result["undefined"] = f"{name}_ci: an interval needs at least two samples"
        elif name == "coverage_parity" and len(table) < 2:
            result["undefined"] = "p_value_by_value: a bootstrap needs at least two samples"
        results[name] = result
    return results


def _equal_coverage(differences: _Differences, options: Options) -> dict[str, Any]:
    tests = [options.test(sample) for sample in differences.samples]
    unfair = np.array([test.p_value < options.alpha for test in tests], dtype=np.float64)
    result: dict[str, Any] = {
        "equal_coverage": _mean_score(differences.scores),
        "equal_coverage_by_value": differences.mean_by_value(np.abs(differences.flat)),
        "difference_by_value": differences.mean_by_value(differences.flat),
        "expected_equal_coverage": exact_mean([test.expected for test in tests]),
        "r_ec": exact_mean(unfair),
        "n_can_reach_significance": sum(test.smallest_p < options.alpha for test in tests),
        "by_dominant_value": {
            value: {
                "n_samples": int(mask.sum()),
                "equal_coverage": _mean_score(differences.scores[mask]),
                "r_ec": exact_mean(unfair[mask]),
            }
            for value, mask in differences.dominated().items()
        },
    }
    if options.confidence_level is not None:
        for name, column in {"equal_coverage": differences.scores, "r_ec": unfair}.items():
            replicates = _mean_replicates(column, options)
            result[f"{name}_ci"] = list(percentile_interval(replicates, options.confidence_level))
            result[f"{name}_ci_lost"] = 0.0 if len(replicates) else math.nan
    return result


def _coverage_parity(differences: _Differences, options: Options) -> dict[str, Any]:
    names = differences.names
    sums, counts = differences.extreme_sums()
    means = mean_extremes(sums, counts)
    for name, count in zip(names, counts, strict=True):
        if not count:
            warnings.warn(
                f"{options.module}: value {name!r} is never the most over- or underrepresented one, so it has no part "
                "in coverage_parity",
                stacklevel=4,
            )
    replicates = differences.replicate_extreme_sums(options)
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
        "most_overrepresented": max(known, key=known.__getitem__, default=None),
        "most_underrepresented": min(known, key=known.__getitem__, default=None),
        "by_dominant_value": {},
    }
    for value, mask in differences.dominated().items():
        of_mask = differences.extreme_sums(mask)
        result["by_dominant_value"][value] = {
            "n_samples": int(mask.sum()),
            "coverage_parity": scalar(coverage_parity(*of_mask)),
            "mean_extreme_by_value": dict(zip(names, mean_extremes(*of_mask).tolist(), strict=True)),
        }
    if options.confidence_level is not None:
        parity = _replicate_parity(counts, replicates)
        result["coverage_parity_ci"] = list(percentile_interval(parity, options.confidence_level))
        result["coverage_parity_ci_lost"] = float(np.isnan(parity).mean()) if len(parity) else math.nan
    return result


def _signature(name: str, settings: Mapping[str, object], options: Options) -> str:
    ordered = dict(settings)
    if name == "equal_coverage":
        ordered |= {
            "sig": options.significance,
            "alpha": float(options.alpha),
            "exact": options.max_exact,
            "perms": options.n_permutations,
        }
    ordered["ci"] = options.confidence_level
    if name == "coverage_parity" or options.confidence_level is not None:
        ordered["resamples"] = options.n_resamples
    ordered["seed"] = options.seed
    return render_signature(ordered)


def sample_records(
    rows: Sequence[CoverageRow], metrics: Sequence[str], *, settings: Mapping[str, object], options: Options
) -> list[dict[str, Any]]:
    """One record a sample, skipped ones included, in the order of `rows`.

    Returns:
        Dicts with ``index``, ``skipped``, ``values`` (of the documents), ``mean_coverage`` (p(d, s)),
        ``coverage_by_value``, ``difference_by_value`` (positive: overrepresented), ``document_differences``
        (p(d_i, S) - p(d, s) of each document), ``dominant``, ``n_units``, ``n_truncated``; for ``equal_coverage`` also
        the score, ``p_value``, ``expected_equal_coverage`` and ``smallest_p_value``; for ``coverage_parity``
        ``overrepresented`` and ``underrepresented``: the values with the largest and the smallest difference; with
        evidence ``units`` and ``evidence``, aligned with them: the ``document`` and ``chunk`` (from 0) that cover a
        unit best, with their ``probability`` and the chunk's ``text``.
    """
    options = options.seeded()
    differences = _Differences(CoverageTable(rows), str(settings["protocol"]))
    records = []
    places = iter(range(len(differences)))
    for row in rows:
        record: dict[str, Any] = {"index": row.index, "skipped": row.skipped}
        record |= dict.fromkeys(key for name in ("any", *metrics) for key in _RECORD_KEYS[name])
        if row.skipped is None:
            record |= _scored_record(differences, next(places), metrics, options)
        record |= {"n_units": row.n_units, "n_truncated": row.n_truncated}
        record["units"] = None if row.units is None else list(row.units)
        record["evidence"] = None
        if row.evidence is not None:
            keys = ("document", "chunk", "probability", "text")
            record["evidence"] = [dict(zip(keys, of_unit, strict=True)) for of_unit in row.evidence]
        records.append(record)
    return records


def _scored_record(differences: _Differences, place: int, metrics: Sequence[str], options: Options) -> dict[str, Any]:
    sample = differences.samples[place]
    own = differences.padded[place, : len(sample.values)]
    mean = float(differences.mean_coverage[place])
    by_value = dict(zip(sample.values, own.tolist(), strict=True))
    record: dict[str, Any] = {
        "values": [sample.values[code] for code in sample.codes],
        "mean_coverage": mean,
        "coverage_by_value": {value: mean + difference for value, difference in by_value.items()},
        "difference_by_value": by_value,
        "document_differences": (sample.coverage - mean).tolist(),
        "dominant": differences.dominant[place],
    }
    if "equal_coverage" in metrics:
        test = options.test(sample)
        record |= {
            "equal_coverage": float(differences.scores[place]),
            "p_value": test.p_value,
            "expected_equal_coverage": test.expected,
            "smallest_p_value": test.smallest_p,
        }
    if "coverage_parity" in metrics:
        record["overrepresented"] = [sample.values[k] for k in np.flatnonzero(own >= own.max() - TOLERANCE)]
        record["underrepresented"] = [sample.values[k] for k in np.flatnonzero(own <= own.min() + TOLERANCE)]
    return record


def compare_tables(
    first: CoverageTable,
    second: CoverageTable,
    metrics: Sequence[str],
    *,
    settings: Mapping[str, object],
    options: Options,
    n_skipped: int = 0,
) -> dict[str, dict[str, Any]]:
    """Compare two systems on the same samples by a paired bootstrap over samples.

    Args:
        first: the rows of system A; row i must belong to the same sample as row i of `second`.
        second: the rows of system B.
        metrics: names from `METRICS`.
        settings: of the scorer, for the signature.
        options: `confidence_level` None means 0.95 here.
        n_skipped: samples that were left out because a system left them without a score.

    Returns:
        For each measure: ``a``, ``b``, ``difference`` (A minus B; below zero A is fairer), ``difference_ci``,
        ``p_value`` (two-sided, never 0), ``lost`` (share of replicates that lost a value), ``n_samples``,
        ``n_skipped`` and ``signature``; ``undefined`` gives the reason when there is no interval.

    Raises:
        InputError: the tables do not hold the same samples, or none.
    """
    level = options.confidence_level or 0.95
    options = replace(options, confidence_level=level).seeded()
    if len(first) != len(second) or not len(first):
        raise InputError(
            f"compare: needs the same samples from both systems, at least one; found {len(first)} and {len(second)}"
        )
    a, b = (_Differences(table, str(settings["protocol"])) for table in (first, second))
    if any(Counter(_labels(one)) != Counter(_labels(other)) for one, other in zip(a.samples, b.samples, strict=True)):
        raise InputError(
            "compare: the two systems' rows are not of the same samples in the same order; pair them first"
        )
    results = {}
    for name in metrics:
        (score_a, replicates_a), (score_b, replicates_b) = (_replicates(name, one, options) for one in (a, b))
        results[name] = {
            **paired_comparison(score_a, score_b, replicates_a, replicates_b, level),
            "n_samples": len(first),
            "n_skipped": n_skipped,
            "signature": _signature(name, settings, options),
        }
    return results


def _labels(sample: DocumentCoverage) -> list[str]:
    return [sample.values[code] for code in sample.codes]


def _replicates(name: str, differences: _Differences, options: Options) -> tuple[float, Floats]:
    """The score and its bootstrap replicates, which draw the same samples for both systems; none of one sample."""
    if name == "coverage_parity":
        sums, counts = differences.extreme_sums()
        replicates = differences.replicate_extreme_sums(options)
        return scalar(coverage_parity(sums, counts)), _replicate_parity(counts, replicates)
    return _mean_score(differences.scores), _mean_replicates(differences.scores, options)
