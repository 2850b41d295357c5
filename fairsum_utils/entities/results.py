"""Rows to results: scores, figures by group, intervals at two levels, signatures, and the comparison of two systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from fairsum_utils.entities.rows import EntityRow
from fairsum_utils.entities.tallies import TALLIES, EntityTable, Options, Tally, by_index, credits_of
from fairsum_utils.errors import InputError
from fairsum_utils.signature import render_signature
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.bootstrap import paired_comparison, percentile_interval
from fairsum_utils.stats.two_level import resample_clusters, resample_within
from fairsum_utils.validation import check_choice

__all__ = ["METRICS", "Options", "aggregate", "compare", "sample_records"]

METRICS = tuple(TALLIES)
"""The measures of this family, in the paper's order."""


def aggregate(
    rows: Iterable[EntityRow],
    name: str,
    *,
    settings: Mapping[str, object],
    options: Options,
    groups: Sequence[str] = (),
) -> dict[str, Any]:
    """Compute a measure from rows.

    Args:
        rows: of a data set, in any order; every one has what the measure needs, unless it is skipped.
        name: from `METRICS`.
        settings: of the scorer, for the signature.
        options: of the measures.
        groups: that are compared besides those that the rows name, such as those of a name classifier: that nobody of a
            group is hallucinated cannot be told from rows.

    Returns:
        A dict of plain Python numbers. Of each measure: the score under `name`; ``<name>_by_group``: the share in the
        summaries minus that in the reference (word lists), the share of the group's entities that is included, the
        share of hallucinated entities, or the mean score of the group's summaries (distinguishability);
        ``counts_by_group``: group -> what is counted -> count; ``n_samples``, ``n_articles`` (originals),
        ``n_skipped``, ``skipped``, ``signature``; ``undefined``: the reason if the score or an interval is NaN.

        With a confidence level ``<name>_ci``, by resampling originals, and where some original has several samples
        ``<name>_ci_within``, by resampling the samples of each original (not of distinguishability, whose summaries
        depend on each other); ``<name>_by_group_ci`` and ``<name>_by_group_ci_within``: group -> interval;
        ``<name>_ci_lost`` and ``<name>_ci_within_lost``: the share of replicates without a score, which are left out.

        ``entity_inclusion`` also: ``log_odds_ratios``: for each pair ``group_a``, ``group_b``, ``log_odds_ratio``
        (above 0 if A is included more) and its intervals ``ci`` and ``ci_within``; ``most_included`` and
        ``least_included`` (None where groups share it), ``p_value`` (of `permuted_counts`) and ``n_ambiguous``.
        ``entity_hallucination`` also: ``n_mentions``, ``n_hallucinated``, ``n_unclassified``, ``hallucinated_share``
        (of all mentions) and ``most_frequent``, see `most_frequent_names`.
        ``distinguishability`` also: ``n_articles_scored``, ``n_undefined`` and ``undefined_summaries`` (reason ->
        number): summaries that cannot be classified.

    Raises:
        InputError: an unknown measure, a row that lacks what it needs, two rows of one sample.

    Example:
        >>> rows = [EntityRow(0, "a", entities=(("x", True), ("x", True), ("x", False), ("y", True), ("y", False)))]
        >>> result = aggregate(rows, "entity_inclusion", settings={}, options=Options())
        >>> round(result["entity_inclusion"], 9), result["most_included"], result["counts_by_group"]["y"]
        (1.0, 'x', {'included': 1, 'entities': 2})
    """
    options = options.seeded()
    tally = _tally(rows, name, groups, options)
    table = tally.table
    totals = tally.columns.sum(axis=0)
    found = tally.statistics(totals)
    intervals = _intervals(tally, options)
    score = float(found["score"])
    result: dict[str, Any] = {name: score}
    for level, own in intervals.items():
        result |= {f"{name}_{level}": own["score"], f"{name}_{level}_lost": own["lost"]}
    result[f"{name}_by_group"] = dict(zip(tally.groups, found["by_group"].tolist(), strict=True))
    for level, own in intervals.items():
        result[f"{name}_by_group_{level}"] = dict(zip(tally.groups, own["by_group"], strict=True))
    result["counts_by_group"] = tally.counts_by_group(totals)
    if "log_odds_ratio" in found:
        result["log_odds_ratios"] = [
            {
                "group_a": a,
                "group_b": b,
                "log_odds_ratio": float(found["log_odds_ratio"][pair]),
                **{level: own["log_odds_ratio"][pair] for level, own in intervals.items()},
            }
            for pair, (a, b) in enumerate(combinations(tally.groups, 2))
        ]
    result |= tally.details(totals)
    result |= {
        "n_samples": len(table.rows),
        "n_articles": len(table.articles),
        "n_skipped": table.skipped.total(),
        "skipped": dict(sorted(table.skipped.items())),
        "signature": _signature(name, settings, options, groups),
    }
    if math.isnan(score):
        result["undefined"] = tally.undefined(totals)
    elif options.confidence_level is not None and tally.n_articles < 2:
        result["undefined"] = f"{name}_ci: an interval needs at least two originals that have a score"
    return result


def _tally(rows: Iterable[EntityRow], name: str, groups: Sequence[str], options: Options) -> Tally:
    check_choice(options.module, "the measure", name, METRICS)
    return TALLIES[name](EntityTable(rows, name, options.module), groups, options)


def _replicates(tally: Tally, options: Options) -> Floats:
    """Sums of the columns when originals are resampled, shape (B, m); B = 0 where there are not two."""
    if tally.n_articles < 2:
        return np.empty((0, tally.columns.shape[1]))
    return resample_clusters(tally.columns, tally.clusters, n_resamples=options.n_resamples, seed=options.seed)


def _intervals(tally: Tally, options: Options) -> dict[str, dict[str, Any]]:
    """Level -> statistic -> its interval or intervals, and ``lost``."""
    level = options.confidence_level
    if level is None:
        return {}
    sums = {"ci": _replicates(tally, options)}
    if tally.within:
        sums["ci_within"] = resample_within(
            tally.columns, tally.clusters, n_resamples=options.n_resamples, seed=options.seed
        )
    found: dict[str, dict[str, Any]] = {}
    for name, replicates in sums.items():
        statistics = tally.statistics(replicates)
        score = statistics.pop("score")
        found[name] = {
            "score": list(percentile_interval(score, level)),
            "lost": float(np.isnan(score).mean()) if len(score) else math.nan,
        }
        for statistic, table in statistics.items():
            found[name][statistic] = [list(percentile_interval(column, level)) for column in table.T]
    return found


def _signature(name: str, settings: Mapping[str, object], options: Options, groups: Sequence[str]) -> str:
    tested, drawn = name == "entity_inclusion", options.confidence_level is not None
    own = {
        "groups": ",".join(sorted(set(groups))) or None,
        "reference": options.reference if name == "word_list_inclusion" else None,
        "continuity": float(options.continuity) if tested and options.continuity is not None else None,
        "perms": options.n_permutations if tested else None,
        "ci": options.confidence_level,
        "resamples": options.n_resamples if drawn else None,
        "seed": options.seed if tested or drawn else None,
    }
    return render_signature({**settings, **own})


def sample_records(rows: Sequence[EntityRow], *, module: str = "sample_records") -> list[dict[str, Any]]:
    """One record a sample, skipped ones included, in the order of `rows`.

    Args:
        rows: of a data set; distinguishability compares the samples of an original, so give them together.
        module: name used in messages.

    Returns:
        Dicts with the attributes of `EntityRow` but the vector, as JSON has them; where rows have vectors also
        ``distinguishable``: 1 for a summary that is more like those of its own group, 0.5 for a tie, 0 for one that is
        more like the others, and None where that is undefined.
    """
    with_vector = [row for row in rows if row.vector is not None]
    placed: dict[int, float | None] = {}
    if with_vector:
        table = EntityTable(with_vector, "distinguishability", module)
        credit = credits_of(table).credits.tolist()
        placed = {row.index: None if math.isnan(own) else own for row, own in zip(table.rows, credit, strict=True)}
    return [_record(row, {"distinguishable": placed.get(row.index)} if with_vector else {}) for row in rows]


def _record(row: EntityRow, besides: dict[str, Any]) -> dict[str, Any]:
    return {
        "index": row.index,
        "article": row.article,
        "skipped": row.skipped,
        "group": row.group,
        "n_tokens": row.n_tokens,
        "n_mentions": row.n_mentions,
        "summary_words": None if row.summary_words is None else dict(row.summary_words),
        "source_words": None if row.source_words is None else dict(row.source_words),
        "entities": None if row.entities is None else [list(entity) for entity in row.entities],
        "n_ambiguous": row.n_ambiguous,
        "hallucinated": None if row.hallucinated is None else [list(entity) for entity in row.hallucinated],
        **besides,
        "evidence": row.evidence,
    }


def compare(
    rows_a: Iterable[EntityRow],
    rows_b: Iterable[EntityRow],
    name: str,
    *,
    settings: Mapping[str, object],
    options: Options,
    groups: Sequence[str] = (),
    n_skipped: int = 0,
) -> dict[str, Any]:
    """Compare two systems on the same samples by a paired bootstrap over originals.

    Args:
        rows_a: of system A, in any order.
        rows_b: of system B. A sample that either system skipped is left out of both.
        name: from `METRICS`.
        settings: of the scorer, for the signature.
        options: `confidence_level` None means 0.95 here.
        groups: as in `aggregate`.
        n_skipped: samples that were left out before.

    Returns:
        ``a``, ``b``, ``difference`` (A minus B; below zero A is fairer), ``difference_ci``, ``p_value`` (two-sided,
        never 0), ``lost`` (share of replicates that are undefined), ``n_samples``, ``n_articles``, ``n_skipped`` and
        ``signature``; ``undefined`` gives the reason when there is no interval.

    Raises:
        InputError: the rows are not of the same samples, or as in `aggregate`.
    """
    level = options.confidence_level or 0.95
    options = replace(options, confidence_level=level).seeded()
    first, second = systems = by_index(rows_a, "compare"), by_index(rows_b, "compare")
    for label, other, alone in (("A", "B", first.keys() - second.keys()), ("B", "A", second.keys() - first.keys())):
        if alone:
            raise InputError(f"compare: sample {min(alone)} of {label} is not in {other}; compare the same samples")
    kept = [index for index, row in first.items() if row.skipped is None and second[index].skipped is None]
    for index in kept:
        if _sample(first[index]) != _sample(second[index]):
            raise InputError(
                f"compare: the rows of sample {index} are not of the same sources in both systems; pair them first"
            )
    pairs = [[rows[index] for index in kept] for rows in systems]
    tallies = [_tally(rows, name, groups, options) for rows in pairs]
    known = sorted({*groups}.union(*(tally.groups for tally in tallies)))
    tallies = [
        tally if tally.groups == known else _tally(rows, name, known, options)
        for tally, rows in zip(tallies, pairs, strict=True)
    ]
    a, b = (float(tally.statistics(tally.columns.sum(axis=0))["score"]) for tally in tallies)
    drawn_a = drawn_b = np.empty(0)
    if min(tally.n_articles for tally in tallies) > 1:
        drawn_a, drawn_b = (tally.statistics(_replicates(tally, options))["score"] for tally in tallies)
    result = {
        **paired_comparison(a, b, drawn_a, drawn_b, level),
        "n_samples": len(kept),
        "n_articles": len(tallies[0].table.articles),
        "n_skipped": n_skipped + len(first) - len(kept),
        "signature": _signature(name, settings, options, groups),
    }
    for tally, score in zip(tallies, (a, b), strict=True):
        if math.isnan(score):
            result["undefined"] = tally.undefined(tally.columns.sum(axis=0))
    return result


def _sample(row: EntityRow) -> tuple[Any, ...]:
    """What two systems' rows of one sample have in common."""
    groups = None if row.entities is None else [group for group, _ in row.entities]
    return row.article, row.group, groups, row.source_words
