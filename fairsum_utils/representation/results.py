"""Rows to results: aggregate scores, figures by value, intervals, signatures, and the comparison of two systems."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.measures._shares import Floats, shortfall
from fairsum_utils.measures.auc import area_under_curve, representation_ratio
from fairsum_utils.measures.bur import binary_unfair, underrepresented
from fairsum_utils.measures.sof import second_order_fairness
from fairsum_utils.measures.uer import unfair_error
from fairsum_utils.representation.distributions import DistributionRow
from fairsum_utils.representation.table import DistributionTable
from fairsum_utils.signature import render_signature
from fairsum_utils.stats.bootstrap import bootstrap_sums, paired_p_value, percentile_interval
from fairsum_utils.validation import check_count, check_fraction, check_seed, describe

__all__ = ["METRICS", "Options", "aggregate", "compare_tables", "sample_records"]

METRICS = ("bur", "uer", "auc", "sof")
"""The measures of this family, in the paper's order."""

_OWN_SETTINGS = {"bur": ("tau",), "auc": ("points",)}


@dataclass(frozen=True)
class Options:
    """What the measures need besides the distributions.

    Args:
        tau: tolerance of BUR, in [0, 1].
        n_points: None for the exact AUC, else the number of tolerances to average over (the paper: 10).
        confidence_level: of the bootstrap interval, in (0, 1); None for no interval.
        n_resamples: number of bootstrap replicates.
        seed: of the bootstrap; None for fresh randomness.

    Raises:
        InputError: an option out of range.
    """

    tau: float = 0.8
    n_points: int | None = None
    confidence_level: float | None = None
    n_resamples: int = 1000
    seed: int | None = 0
    module: str = "representation"

    def __post_init__(self) -> None:
        check_fraction(self.module, "tau", self.tau)
        if self.n_points is not None:
            check_count(self.module, "n_points", self.n_points)
        level = self.confidence_level
        if level is not None and not 0 < check_fraction(self.module, "confidence_level", level) < 1:
            raise InputError(f"{self.module}: confidence_level must lie between 0 and 1, found {describe(level)}")
        check_count(self.module, "n_resamples", self.n_resamples)
        check_seed(self.module, self.seed)


class _Scores:
    """The formulas applied to a table: per sample for BUR, UER and AUC; per sample and value for shortfalls."""

    def __init__(self, table: DistributionTable, target: str | Mapping[str, float], options: Options) -> None:
        self.values = table.values()
        self.columns = table.value_columns()
        _, self.p_y = table.shares()
        self.p_g = table.desired(target)
        self.shortfall = shortfall(self.p_y, self.p_g)
        self.ratio = representation_ratio(self.p_y, self.p_g)
        self.options = options
        self.per_sample = {
            "bur": binary_unfair(self.p_y, self.p_g, options.tau).astype(np.float64),
            "uer": unfair_error(self.p_y, self.p_g),
            "auc": area_under_curve(self.p_y, self.p_g, options.n_points),
        }

    def __len__(self) -> int:
        return len(self.columns)

    def mean_by_value(self, entries: Floats) -> dict[str, float]:
        """Exactly rounded mean, for each value, over the samples where the entry of shape (n, r) is defined."""
        means = {}
        for column, value in enumerate(self.values):
            own = entries[self.columns == column]
            own = own[~np.isnan(own)]
            means[value] = math.fsum(own) / len(own) if len(own) else math.nan
        return means

    def by_value(self, name: str) -> dict[str, float]:
        present = np.isnan(self.p_g)
        if name == "bur":
            entries = np.where(present, np.nan, underrepresented(self.p_y, self.p_g, self.options.tau))
        elif name == "auc":
            one = area_under_curve(self.p_y[..., None], self.p_g[..., None], self.options.n_points)
            entries = np.where(present, np.nan, one)
        else:
            entries = self.shortfall
        return self.mean_by_value(entries)

    def score(self, name: str) -> float:
        if not len(self):
            return math.nan
        if name == "sof":
            return float(second_order_fairness(np.array([*self.by_value("sof").values()])))
        return math.fsum(self.per_sample[name]) / len(self)

    def replicates(self, names: Sequence[str]) -> dict[str, Floats]:
        """Bootstrap replicates of each measure, shape (B,); all from the same draws."""
        options = self.options
        means = [name for name in names if name != "sof"]
        blocks = [self.per_sample[name][:, None] for name in means]
        if "sof" in names:
            blocks += [_spread(self.columns, self.shortfall, len(self.values)), self._presence()]
        sums = bootstrap_sums(np.hstack(blocks), n_resamples=options.n_resamples, seed=options.seed)
        replicates = {name: sums[:, column] / len(self) for column, name in enumerate(means)}
        if "sof" in names:
            totals, counts = np.split(sums[:, len(means) :], 2, axis=1)
            missing = np.full(counts.shape, np.nan)
            replicates["sof"] = second_order_fairness(np.divide(totals, counts, out=missing, where=counts > 0))
        return replicates

    def _presence(self) -> Floats:
        return _spread(self.columns, np.where(np.isnan(self.shortfall), np.nan, 1.0), len(self.values))


def _spread(columns: npt.NDArray[np.int64], entries: Floats, n_values: int) -> Floats:
    """Entries of shape (n, r) laid out by value: shape (n, n_values), 0 where a sample lacks the value."""
    laid_out = np.zeros((len(columns), n_values))
    rows, places = np.nonzero(columns >= 0)
    laid_out[rows, columns[rows, places]] = entries[rows, places]
    return laid_out


def _undefined_reason(name: str, scores: _Scores) -> str:
    if not len(scores):
        return "no sample left to score"
    return f"{name} compares values, and the data holds only {len(scores.values)}"


def aggregate(
    table: DistributionTable,
    metrics: Sequence[str],
    *,
    target: str | Mapping[str, float],
    settings: Mapping[str, object],
    options: Options,
) -> dict[str, dict[str, Any]]:
    """Compute measures from a table.

    Args:
        table: the rows of a data set.
        metrics: names from `METRICS`.
        target: as given to the scorer.
        settings: of the scorer, for the signature.
        options: of the measures.

    Returns:
        For each measure a dict of plain Python numbers: the score under its name, ``<name>_by_value``,
        ``n_by_value``, ``ratio_by_value``, ``n_samples``, ``n_skipped``, ``skipped``, ``n_unmatched``,
        ``signature``; with a confidence level also ``<name>_ci`` and ``<name>_ci_lost``, the share of replicates that
        lost a value; ``undefined`` gives the reason when the score is NaN.
    """
    scores = _Scores(table, target, options)
    level = options.confidence_level
    replicates = scores.replicates(metrics) if level is not None and len(scores) > 1 else {}
    n_by_value = {value: int((scores.columns == column).sum()) for column, value in enumerate(scores.values)}
    ratio_by_value = scores.mean_by_value(scores.ratio)
    results = {}
    for name in metrics:
        score = scores.score(name)
        result: dict[str, Any] = {
            name: score,
            f"{name}_by_value": scores.by_value(name),
            "n_by_value": n_by_value,
            "ratio_by_value": ratio_by_value,
            "n_samples": len(table),
            "n_skipped": table.skipped.total(),
            "skipped": dict(sorted(table.skipped.items())),
            "n_unmatched": table.n_unmatched,
            "signature": _signature(name, settings, options),
        }
        if level is not None:
            own = replicates.get(name, np.array([]))
            result[f"{name}_ci"] = list(percentile_interval(own, level))
            result[f"{name}_ci_lost"] = float(np.isnan(own).mean()) if len(own) else math.nan
        if math.isnan(score):
            result["undefined"] = _undefined_reason(name, scores)
        elif level is not None and len(scores) < 2:
            result["undefined"] = f"{name}_ci: an interval needs at least two samples"
        results[name] = result
    return results


def _signature(name: str, settings: Mapping[str, object], options: Options) -> str:
    own = _OWN_SETTINGS.get(name, ())
    ordered: dict[str, object] = {key: settings[key] for key in ("matcher", "k", "norm", "lang")}
    ordered["tau"] = float(options.tau) if "tau" in own else None
    ordered["points"] = (options.n_points or "exact") if "points" in own else None
    ordered |= {key: settings[key] for key in ("target", "empty")}
    if options.confidence_level is not None:
        ordered |= {"ci": options.confidence_level, "resamples": options.n_resamples, "seed": options.seed}
    return render_signature(ordered)


def sample_records(
    rows: Sequence[DistributionRow], metrics: Sequence[str], *, target: str | Mapping[str, float], options: Options
) -> list[dict[str, Any]]:
    """One record a sample, skipped ones included, in the order of `rows`.

    Returns:
        Dicts with ``index``, the score of each per-sample measure (None when skipped; SOF is a property of the whole
        data set and has none), ``values``, ``source_share``, ``target_share``, ``desired_share``, ``ratio`` (each
        aligned with ``values``), ``unmatched``, ``skipped`` and, with evidence, ``matched``: the k-grams that matched
        each value.
    """
    table = DistributionTable(rows)
    scores = _Scores(table, target, options)
    p_x, _ = table.shares()
    records = []
    position = 0
    for row in rows:
        record: dict[str, Any] = {"index": row.index}
        scored = row.skipped is None
        for name in metrics:
            if name in scores.per_sample:
                record[name] = float(scores.per_sample[name][position]) if scored else None
        arrays = {"source_share": p_x, "target_share": scores.p_y, "desired_share": scores.p_g, "ratio": scores.ratio}
        record["values"] = list(row.values)
        for key, entries in arrays.items():
            record[key] = entries[position, : len(row.values)].tolist() if scored else []
        record["unmatched"] = row.unmatched
        record["skipped"] = row.skipped
        if row.matched is not None:
            record["matched"] = [list(grams) for grams in row.matched]
        position += scored
        records.append(record)
    return records


def compare_tables(
    first: DistributionTable,
    second: DistributionTable,
    metrics: Sequence[str],
    *,
    target: str | Mapping[str, float],
    options: Options,
) -> dict[str, dict[str, Any]]:
    """Compare two systems on the same samples by a paired bootstrap.

    Args:
        first: the rows of system A; row i must belong to the same sample as row i of `second`.
        second: the rows of system B.
        metrics: names from `METRICS`.
        target: as given to the scorer.
        options: `confidence_level` None means 0.95 here.

    Returns:
        For each measure: ``a``, ``b``, ``difference`` (A minus B; below zero A is fairer), ``difference_ci``,
        ``p_value`` (two-sided, never 0), ``lost`` (share of replicates that lost a value) and ``n_samples``.

    Raises:
        InputError: the tables do not hold the same number of samples, or none.
    """
    if len(first) != len(second) or not len(first):
        raise InputError(
            f"compare: needs the same samples from both systems, at least one; found {len(first)} and {len(second)}"
        )
    a, b = _Scores(first, target, options), _Scores(second, target, options)
    replicates_a, replicates_b = a.replicates(metrics), b.replicates(metrics)
    results = {}
    for name in metrics:
        score_a, score_b = a.score(name), b.score(name)
        differences = replicates_a[name] - replicates_b[name]
        results[name] = {
            "a": score_a,
            "b": score_b,
            "difference": score_a - score_b,
            "difference_ci": list(percentile_interval(differences, options.confidence_level or 0.95)),
            "p_value": paired_p_value(score_a - score_b, differences),
            "lost": float(np.isnan(differences).mean()),
            "n_samples": len(first),
        }
    return results
