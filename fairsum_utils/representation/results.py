"""Rows to results: aggregate scores, figures by value, intervals, signatures, and the comparison of two systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from fairsum_utils.family import Results, System
from fairsum_utils.family.cautions import Caution
from fairsum_utils.family.renamed import RenamedKeys
from fairsum_utils.family.table import check_same, check_sizes
from fairsum_utils.measures import get_formula
from fairsum_utils.measures._shares import shortfall
from fairsum_utils.measures.auc import area_under_curve, representation_ratio
from fairsum_utils.measures.bur import binary_unfair, underrepresented
from fairsum_utils.measures.sof import sof
from fairsum_utils.measures.uer import unfair_error
from fairsum_utils.representation.rows import DistributionRow
from fairsum_utils.representation.settings import RepresentationSettings
from fairsum_utils.representation.table import Distributions, DistributionTable
from fairsum_utils.signature import render_signature
from fairsum_utils.stats.arrays import Floats, scalar
from fairsum_utils.stats.bootstrap import Drawn, bootstrap_sums, paired_comparison, percentile_interval
from fairsum_utils.stats.means import exact_mean

__all__ = [
    "aggregate",
    "cautions",
    "compare_systems",
    "draw_systems",
    "record_types",
    "sample_records",
    "sample_scores",
]

_SPREAD = 1 << 22
"""Most numbers to lay out by sample and value at a time: 32 MB."""


class _Scores:
    """The formulas applied to a table, part by part: per sample, and per value of a sample (flat, in sample order)."""

    def __init__(self, table: DistributionTable, settings: RepresentationSettings) -> None:
        self.values = table.values()
        self.settings = settings
        parts = [_score_part(part, settings) for part in table.parts(unmatched=settings.unmatched)]
        # Popped, so that the parts go as the whole grows.
        joined = {key: np.concatenate([part.pop(key) for part in parts]) for key in list(parts[0])}
        self.per_sample = {name: joined[f"sample_{name}"] for name in ("bur", "uer", "auc")}
        self.by_entry = {name: joined[f"entry_{name}"] for name in ("bur", "uer", "auc", "ratio")}
        self.by_entry["sof"] = self.by_entry["uer"]
        self.columns = joined["columns"].astype(np.int32)
        lengths = joined["lengths"].astype(np.int64)
        self.rows = np.repeat(np.arange(len(self), dtype=np.int32), lengths)
        self.is_multi = lengths > 1
        # Entries of one value stand together in this order.
        self._order = np.argsort(self.columns, kind="stable")
        self._starts = np.searchsorted(self.columns, np.arange(len(self.values) + 1), sorter=self._order)

    def __len__(self) -> int:
        return len(self.per_sample["bur"])

    def n_by_value(self) -> dict[str, int]:
        """In how many samples each value occurs."""
        return dict(zip(self.values, np.diff(self._starts).tolist(), strict=True))

    def _entries_by_value(self, name: str, *, multi: bool = False) -> list[Floats]:
        ordered, starts = self.by_entry[name][self._order], self._starts
        if multi:
            counted = self.is_multi[self.rows[self._order]]
            ordered, starts = ordered[counted], np.concatenate([[0], np.cumsum(counted)])[starts]
        return [ordered[start:stop] for start, stop in pairwise(starts)]

    def by_value(self, name: str) -> dict[str, float]:
        """Exactly rounded mean of each value's entries that are defined."""
        entries = zip(self.values, self._entries_by_value(name), strict=True)
        return {value: exact_mean(of_value[~np.isnan(of_value)]) for value, of_value in entries}

    def score(self, name: str, *, multi: bool = False) -> float:
        """The measure over all samples, or over the `multi`-value ones: those of one value can never be unfair."""
        if name == "sof":
            by_value = [entries for entries in self._entries_by_value(name, multi=multi) if len(entries)]
            return scalar(sof(list(map(math.fsum, by_value)), list(map(len, by_value))))
        scores = self.per_sample[name][self.is_multi] if multi else self.per_sample[name]
        return scalar(get_formula(name)(math.fsum(scores), len(scores)))

    def replicates(self, names: Sequence[str]) -> dict[str, Floats]:
        """Bootstrap replicates of each measure, shape (B,); all from the same draws."""
        means = [name for name in names if name != "sof"]
        replicates = {}
        if means:
            sums = self._sums(np.column_stack([self.per_sample[name] for name in means]))
            replicates = {name: get_formula(name)(sums[:, column], len(self)) for column, name in enumerate(means)}
        if "sof" in names:
            # Values in groups that bound memory; the seed gives every group the same draws.
            group = max(1, _SPREAD // (2 * len(self)))
            parts = [self._shortfall_sums(start, group) for start in range(0, len(self.values), group)]
            shortfalls, counts = map(np.hstack, zip(*parts, strict=True))
            replicates["sof"] = sof(shortfalls, counts)
        return replicates

    def _sums(self, columns: Floats) -> Floats:
        return bootstrap_sums(columns, n_resamples=self.settings.n_resamples, seed=self.settings.seed)

    def _shortfall_sums(self, start: int, group: int) -> list[Floats]:
        """Replicates of the sums of shortfalls, and of the samples, of some values; each of shape (B, group)."""
        entries = self._order[self._starts[start] : self._starts[min(start + group, len(self.values))]]
        places = self.rows[entries], self.columns[entries] - start
        width = min(group, len(self.values) - start)
        spread = np.zeros((len(self), 2 * width))
        spread[places] = self.by_entry["sof"][entries]
        spread[places[0], places[1] + width] = 1.0
        return np.split(self._sums(spread), 2, axis=1)


def sample_scores(p_y: Floats, p_g: Floats, settings: RepresentationSettings) -> dict[str, Floats]:
    """Measure -> what each sample adds to it, of the measures that are means over samples.

    Args:
        p_y: shares in the summary, shape (..., r); NaN where a value is absent.
        p_g: desired shares, the same shape.
        settings: of the measures.

    Returns:
        Arrays of shape (...).

    Example:
        >>> scores = sample_scores(np.array([1.0, 0.0]), np.array([0.5, 0.5]), RepresentationSettings())
        >>> [(name, float(score)) for name, score in scores.items()][:2]
        [('bur', 1.0), ('uer', 0.25)]
    """
    return {
        "bur": binary_unfair(p_y, p_g, settings.tau).astype(np.float64),
        "uer": unfair_error(p_y, p_g),
        "auc": area_under_curve(p_y, p_g, settings.n_points),
    }


def _score_part(part: Distributions, settings: RepresentationSettings) -> dict[str, npt.NDArray[Any]]:
    """Scores of the samples of a part, and of the entries (a value of a sample) in sample order."""
    columns, p_y, p_g = part.columns, part.p_y, part.desired(settings.target)
    present = columns >= 0
    return {
        "columns": columns[present],
        "lengths": present.sum(axis=1),
        **{f"sample_{name}": scores for name, scores in sample_scores(p_y, p_g, settings).items()},
        "entry_bur": underrepresented(p_y, p_g, settings.tau)[present].astype(np.float64),
        "entry_uer": shortfall(p_y, p_g)[present],
        "entry_auc": area_under_curve(p_y[..., None], p_g[..., None], settings.n_points)[present],
        "entry_ratio": representation_ratio(p_y, p_g)[present],
    }


def _undefined_reason(name: str, scores: _Scores, withheld: str | None) -> str:
    if withheld is not None:
        return withheld
    if not len(scores):
        return "no sample left to score"
    return f"{name} compares values, and the data holds only {len(scores.values)}"


_MOST_UNMATCHED = 0.2
"""With a larger share of unmatched summaries there is no score, unless someone says by name what to make of them."""
_BY_NAME = "unmatched='uniform', 'skip' or 'unfair'"
_CLOSE = 0.05
"""Systems whose shares of unmatched summaries differ by more are not compared, unless by name."""


def _withheld(table: DistributionTable, settings: RepresentationSettings) -> str | None:
    """Why there is no score: too many summaries would count as uniform, and so look fair."""
    if settings.unmatched is not None or table.share_unmatched <= _MOST_UNMATCHED:
        return None
    n_scored, n_unmatched = len(table), table.n_unmatched
    return (
        f"{n_unmatched} of {n_scored} scored summaries share nothing with their sources and would count as "
        "uniform; check that each stands beside its own sources and that the language fits, or say what they count "
        f"as: {_BY_NAME}"
    )


def cautions(table: DistributionTable, settings: RepresentationSettings) -> list[Caution]:
    """What the rows of a system have against its scores.

    Args:
        table: of the rows.
        settings: of the measures.
    """
    count_as = "unfair" if settings.unmatched == "unfair" else "uniform"
    unmatched = f"{{}} scored summaries share nothing with their sources and count as {count_as}"
    unread = "in {} scored samples some source has no spaces between words, and no word of it can be counted"
    stopped = "in {} scored samples more than 60 % of the words are stop words, which do not count"
    single = "{} scored samples have sources of one value and cannot be unfair; multi-value scores leave them out"
    return [
        *Caution.of("unmatched", table.n_unmatched, len(table), unmatched),
        *Caution.of("unreadable_script", table.n_unread, len(table), unread),
        *Caution.of("stop_words_dominate", table.n_stopped, len(table), stopped),
        *Caution.of("single_value", table.n_single_value, len(table), single),
    ]


def aggregate(
    table: DistributionTable,
    measures: Sequence[str],
    settings: RepresentationSettings,
    matched: Mapping[str, object],
) -> Results:
    """Compute measures from a table.

    Args:
        table: the rows of a data set.
        measures: names of measures of the family.
        settings: of the measures; seeded.
        matched: what changes the distributions, for the signature; see `DistributionScorer.signature`.

    Returns:
        For each measure a dict of plain Python numbers: the score under its name, ``<name>_by_value``,
        ``<name>_multi_value``, the score over the ``n_multi_value`` samples that hold several values, ``n_by_value``,
        ``ratio_by_value``, ``n_samples``, ``n_skipped``, ``skipped``, ``n_unmatched``, ``signature``; of a neural
        matcher also ``n_truncated``, the number of samples with texts that the model did not read to their end; with a
        confidence level also ``<name>_ci`` and ``<name>_ci_lost``, the share of replicates that lost a value;
        ``undefined`` gives the reason when the score is NaN.
    """
    scores = _Scores(table, settings)
    level = settings.confidence_level
    withheld = _withheld(table, settings)
    drawn = level is not None and len(scores) > 1 and withheld is None
    replicates = scores.replicates(measures) if drawn else {}
    results: Results = {}
    for name in measures:
        score, multi_value = scores.score(name), scores.score(name, multi=True)
        by_value, ratios = scores.by_value(name), scores.by_value("ratio")
        if withheld is not None:
            score = multi_value = math.nan
            by_value, ratios = (dict.fromkeys(figures, math.nan) for figures in (by_value, ratios))
        result: dict[str, Any] = {
            name: score,
            f"{name}_by_value": by_value,
            f"{name}_multi_value": multi_value,
            "n_by_value": scores.n_by_value(),
            "ratio_by_value": ratios,
            "n_multi_value": int(scores.is_multi.sum()),
            "n_samples": len(table),
            "n_skipped": table.skipped.total(),
            "skipped": dict(sorted(table.skipped.items())),
            "n_unmatched": table.n_unmatched,
            **({"n_truncated": table.n_truncated} if matched["model"] is not None else {}),
            "signature": _signature(name, settings, matched),
        }
        if level is not None:
            of_score = replicates.get(name, np.array([]))
            result[f"{name}_ci"] = list(percentile_interval(of_score, level))
            result[f"{name}_ci_lost"] = float(np.isnan(of_score).mean()) if len(of_score) else math.nan
        if math.isnan(score):
            result["undefined"] = _undefined_reason(name, scores, withheld)
        elif level is not None and len(scores) < 2:
            result["undefined"] = f"{name}_ci: an interval needs at least two samples"
        results[name] = result
    return results


def _signature(name: str, settings: RepresentationSettings, matched: Mapping[str, object]) -> str:
    drawn = () if settings.confidence_level is not None else ("n_resamples", "seed")
    decided = settings.keyed(name, *drawn)
    if name == "auc":
        decided["points"] = settings.n_points or "exact"
    return render_signature({**matched, **decided})


def sample_records(
    rows: Sequence[DistributionRow], measures: Sequence[str], settings: RepresentationSettings
) -> list[dict[str, Any]]:
    """One record a sample, skipped ones included, in the order of `rows`.

    Args:
        rows: of a data set, or some of it.
        measures: names of measures of the family.
        settings: of the measures.

    Returns:
        Dicts with ``index``, the score of each per-sample measure (None when skipped; SOF is a property of the whole
        data set and has none), ``values``, ``source_share``, ``summary_share``, ``desired_share``, ``ratio`` (each
        aligned with ``values``), ``unmatched``, ``skipped``; with evidence ``matched``: the k-grams that matched each
        value; of a neural matcher ``scores``, what it gave each value before the softmax (empty where it was not
        asked), and ``truncated``, how many of these are of texts that it did not read to their end.
    """
    table = DistributionTable(rows)
    per_sample = _Scores(table, settings).per_sample
    shares = (share for part in table.parts(unmatched=settings.unmatched) for share in _sample_shares(part, settings))
    records: list[dict[str, Any]] = []
    position = 0
    for row in rows:
        scored = row.skipped is None
        record = RenamedKeys(index=row.index)
        for name in measures:
            if name in per_sample:
                record[name] = float(per_sample[name][position]) if scored else None
        record["values"] = list(row.values)
        record |= next(shares) if scored else {name: [] for name in _SHARES}
        record |= {"unmatched": row.unmatched, "skipped": row.skipped}
        if row.matched is not None:
            record["matched"] = [list(grams) for grams in row.matched]
        if row.scores is not None:
            record |= {"scores": list(row.scores), "truncated": row.truncated}
        position += scored
        records.append(record)
    return records


_SHARES = ("source_share", "summary_share", "desired_share", "ratio")
"""What a record says of each value of a sample."""


def _sample_shares(part: Distributions, settings: RepresentationSettings) -> Iterator[dict[str, list[float]]]:
    """The shares of each sample of a part, one a value that it holds."""
    p_g = part.desired(settings.target)
    arrays = (part.p_x, part.p_y, p_g, representation_ratio(part.p_y, p_g))
    for place, length in enumerate((part.columns >= 0).sum(axis=1).tolist()):
        yield {name: array[place, :length].tolist() for name, array in zip(_SHARES, arrays, strict=True)}


def record_types(measures: Sequence[str], settings: RepresentationSettings) -> dict[str, Any]:
    """Key of a record of `sample_records`, with evidence -> its type.

    Args:
        measures: names of measures of the family.
        settings: of the measures.
    """
    return {
        "index": int,
        **dict.fromkeys([name for name in measures if name != "sof"], float | None),
        "values": list[str],
        **dict.fromkeys(_SHARES, list[float]),
        "unmatched": bool,
        "skipped": str | None,
        **({"scores": list[float], "truncated": int} if settings.is_neural else {"matched": list[list[str]]}),
    }


def draw_systems(
    tables: Sequence[DistributionTable], measures: Sequence[str], settings: RepresentationSettings
) -> list[System]:
    """The scores of several systems on the same samples and their bootstrap replicates, all from the same draws.

    Args:
        tables: the rows of each system; row i must belong to the same sample in all.
        measures: names of measures of the family.
        settings: of the measures; seeded.

    Raises:
        InputError: the tables do not hold the same samples, or none.
    """
    check_sizes(tables)
    check_same(tables, DistributionTable.same_sources)
    systems = []
    for table in tables:
        scores, withheld = _Scores(table, settings), _withheld(table, settings)
        replicates = scores.replicates(measures) if len(scores) > 1 else dict.fromkeys(measures, np.empty(0))
        drawn = {name: Drawn(math.nan if withheld else scores.score(name), replicates[name]) for name in measures}
        systems.append(System(table, drawn, withheld))
    return systems


def compare_systems(
    a: System,
    b: System,
    measures: Sequence[str],
    settings: RepresentationSettings,
    matched: Mapping[str, object],
    *,
    n_skipped: int = 0,
) -> Results:
    """Compare two systems on the same samples by a paired bootstrap.

    Args:
        a: system A, of `draw_systems`.
        b: system B, of the same call.
        measures: names of measures of the family.
        settings: of the measures, with a confidence level; seeded.
        matched: what changes the distributions, for the signature.
        n_skipped: samples that were left out because a system left them without a score.

    Returns:
        For each measure: ``a``, ``b``, ``difference`` (A minus B; below zero A is fairer), ``difference_ci``,
        ``p_value`` (two-sided, never 0), ``lost`` (share of replicates that lost a value), ``n_samples``,
        ``n_skipped``, ``n_unmatched_a``, ``n_unmatched_b`` and ``signature``; ``undefined`` gives the reason when there
        is no interval.
    """
    assert settings.confidence_level is not None
    why_not = next((f"{system.name}: {system.details}" for system in (a, b) if system.details), None)
    results: Results = {}
    for name in measures:
        first, second = a.drawn[name], b.drawn[name]
        result = paired_comparison(first, second, settings.confidence_level)
        reason = why_not or (_looks_fairer(name, a, b) if settings.unmatched is None else None)
        if reason is not None:
            result |= {"difference_ci": [math.nan, math.nan], "p_value": math.nan, "undefined": reason}
        results[name] = result | {
            "n_samples": len(a.table),
            "n_skipped": n_skipped,
            "n_unmatched_a": a.table.n_unmatched,
            "n_unmatched_b": b.table.n_unmatched,
            "signature": _signature(name, settings, matched),
        }
    return results


def _looks_fairer(measure: str, a: System, b: System) -> str | None:
    """Why a system is not called fairer: more of its summaries match nothing, which looks fair."""
    if a.drawn[measure].score == b.drawn[measure].score:
        return None
    fairer, other = (a, b) if a.drawn[measure].score < b.drawn[measure].score else (b, a)
    share, others = fairer.table.share_unmatched, other.table.share_unmatched
    if share - others <= _CLOSE:
        return None
    return (
        f"{fairer.name} looks fairer, but {share:.0%} of its summaries share nothing with their sources and count "
        f"as uniform, against {others:.0%}; say what they count as: {_BY_NAME}"
    )
