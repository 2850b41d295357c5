"""Results of the representation family: scores, intervals and comparisons."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from fairsum_utils.families import Results, Scorer, System
from fairsum_utils.families.chance import beside_scores, beside_systems
from fairsum_utils.families.effective import signed
from fairsum_utils.families.estimates import SampleScores, mean_of, numbers_of
from fairsum_utils.families.representation.chance import at_random, put_at_random
from fairsum_utils.families.representation.rows import DistributionTable
from fairsum_utils.families.representation.scores import Columns
from fairsum_utils.families.warnings import SINGLE_VALUE, WarningRecord
from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.stats.intervals import Estimate, paired_comparison
from fairsum_utils.stats.sums import Sums, check_same_samples
from fairsum_utils.text.languages import stop_words_of


def sums_of(
    table: DistributionTable, measures: Sequence[str], settings: RepresentationMeasure, scorer: Any = None
) -> Sums:
    """Sum up a table for `results_of`; the units are the samples.

    Returns:
        Columns ``n`` (1 for each sample), ``multi_n`` (for those of several values) and those of the measures; by value
        ``value_n``, ``multi_value_n``, ``source_tokens``, ``ratio``, ``ratio_n`` (where it is defined) and for each
        measure what the value has of it; counts of what speaks against the scores.

    Example:
        >>> table = DistributionTable([DistributionRow(0, ("a", "b"), (3, 1), (1.0, 1.0))])
        >>> sums_of(table, ["uer"], RepresentationMeasure()).total("uer")
        0.125
    """
    columns = Columns(table, settings)
    sums = Sums(len(columns.is_multi), skipped=table.skipped)
    n, tokens = np.ones(sums.n_units), np.asarray(table.columns["source_tokens"].flat.array)
    multi = np.flatnonzero(columns.is_multi)
    sums.put(("n",), n)
    sums.put_total(("multi_n",), n[multi])
    for name in filter(columns.per_sample.__contains__, measures):
        scores = columns.per_sample[name]
        sums.put((name,), scores)
        sums.put_total((f"multi_{name}",), scores[multi])
    for value, entries in columns.entries():
        rows = columns.rows[entries]
        in_multi = columns.is_multi[rows]
        sums.put(("value_n", value), n[rows], rows)
        sums.put(("source_tokens", value), tokens[entries], rows)
        sums.put_total(("multi_value_n", value), n[rows[in_multi]])
        ratios = columns.by_entry["ratio"][entries]
        defined = ~np.isnan(ratios)
        sums.put_total(("ratio", value), ratios[defined])
        sums.put_total(("ratio_n", value), n[rows[defined]])
        for name in measures:
            scores = columns.by_entry[name][entries]
            if name in columns.per_sample:
                sums.put_total((name, value), scores)
            else:  # the bootstrap makes it of values
                sums.put((name, value), scores, rows)
            sums.put_total((f"multi_{name}", value), scores[in_multi])
    sums.counts.update(table.counts())
    if settings.at_random:
        put_at_random(sums, table, measures, settings)
    return sums


SCORES = SampleScores("value_n", {"sof": ("sof", "value_n")}, halved=("sof",))


def _by_value(sums: Sums, name: str, of: str = "value_n") -> dict[str, float]:
    """Return the mean of each group's entries."""
    return {value: mean_of(sums, name, value, n=sums.total(of, value)) for value in sums.of("value_n")}


# Larger shares of unmatched summaries withhold the score, unless the settings say what these count as.
MOST_UNMATCHED = 0.2
_BY_NAME = "unmatched='uniform', 'skip' or 'unfair'"
# Systems whose shares of unmatched summaries differ by more are not compared under the same condition.
MOST_APART = 0.05


def share_unmatched(sums: Sums) -> float:
    """Return the share of scored samples with an unmatched summary; 0 without samples."""
    return sums.counts[("alien",)] / sums.n_samples if sums.n_samples else 0.0


def _withheld(sums: Sums, settings: RepresentationMeasure) -> str:
    """Return why the scores are withheld: too many unmatched summaries; else an empty string."""
    if settings.unmatched is not None or share_unmatched(sums) <= MOST_UNMATCHED:
        return ""
    return (
        f"{sums.counts[('unmatched',)]} of {sums.n_samples} scored summaries have no words in common with their "
        "sources; check that each summary is paired with its own sources and that the language is right, or choose how "
        f"to count these summaries: {_BY_NAME}"
    )


def warnings_of(sums: Sums, settings: RepresentationMeasure) -> list[WarningRecord]:
    """List the warnings about the scores of a system."""
    count_as = "unfair" if settings.unmatched == "unfair" else "uniform"
    messages = {
        "unmatched": (
            "unmatched",
            f"{{}} scored summaries have no words in common with their sources and count as {count_as}",
        ),
        "unreadable_script": (
            "unread",
            "in {} scored samples, a source has no spaces between words, so its words cannot be counted",
        ),
        "stop_words_dominate": (
            "stopped",
            "in {} scored samples, more than 60% of the words are stop words, which are not counted",
        ),
        "stop_words_decide": ("opinions", _deciding(sums) if sums.counts[("opinions",)] else ""),
        SINGLE_VALUE: (
            "single_value",
            "{} scored samples have sources of one group only and cannot be unfair; multi-value scores leave them out",
        ),
    }
    found: list[WarningRecord] = []
    for code, (key, message) in messages.items():
        found += WarningRecord.of(code, sums.counts[(key,)], sums.n_samples, message)
    return found


def _deciding(sums: Sums) -> str:
    words = sums.counted("opinions")
    kept = [word for word in words if word not in stop_words_of("english")[0]]
    return (
        f"in {{}} scored samples, ignored stop words that carry opinion ({', '.join(words)}) decide whether a group is "
        f'underrepresented; normalizer="simple" counts {", ".join(kept) or "none of them"}'
    )


def results_of(
    sums: Sums,
    measures: Sequence[str],
    settings: RepresentationMeasure,
    scorer: Scorer,
    given: Collection[str],
) -> Results:
    """Compute measures from the sums of a data set.

    Returns:
        For each measure a dict of plain Python numbers: the score under its name, ``<name>_by_value``,
        ``<name>_multi_value``, the score over the ``n_multi_value`` samples that hold several values, ``n_by_value``,
        ``ratio_by_value``, ``n_samples``, ``n_skipped``, ``skipped``, ``n_unmatched``, ``signature``; of a neural
        matcher also ``n_truncated``, the number of samples with texts that the model did not read to their end; with a
        confidence level also ``<name>_ci`` and ``<name>_ci_lost``, the share of replicates that lost a value;
        ``undefined`` gives the reason when the score is NaN.
    """
    level = settings.confidence_level
    withheld, matched = _withheld(sums, settings), scorer.signature(measures[0], given)
    estimates = SCORES.estimates(sums, measures, settings) if level is not None else {}
    n_by_value = {value: int(sums.total("value_n", value)) for value in sums.of("value_n")}
    n_truncated = {} if matched["model"] is None else {"n_truncated": sums.counts[("truncated",)]}
    results: Results = {}
    for name in measures:
        score, multi_value = SCORES.score(sums, name), SCORES.score(sums, name, "multi_")
        by_value, ratios = _by_value(sums, name), _by_value(sums, "ratio", "ratio_n")
        if withheld:
            score = multi_value = math.nan
            by_value, ratios = (dict.fromkeys(figures, math.nan) for figures in (by_value, ratios))
        result: dict[str, Any] = {
            name: score,
            f"{name}_by_value": by_value,
            f"{name}_multi_value": multi_value,
            "n_by_value": dict(n_by_value),
            "ratio_by_value": ratios,
            "n_multi_value": int(sums.total("multi_n")),
            **numbers_of(sums),
            "n_unmatched": sums.counts[("unmatched",)],
            **n_truncated,
            **_signed(name, settings, matched, estimates.get(name)),
        }
        if level is not None:
            result |= estimates[name]._replace(score=score).keys(name, level)
        if not sums.n_samples:
            result["undefined"] = "no sample was scored"
        elif math.isnan(score):
            only = f"{name} compares groups, but the scored samples contain only {len(n_by_value)}"
            result["undefined"] = withheld or only
        results[name] = result
    return beside_scores(results, at_random(sums, measures, settings, given))


def _signed(
    name: str, settings: RepresentationMeasure, matched: Mapping[str, object], estimate: Estimate | None
) -> dict[str, Any]:
    """Return the effective settings and the signature of a result."""
    unused: tuple[str, ...] = ("n_resamples", "bootstrap", "seed")
    if estimate is not None and len(estimate.replicates):
        unused = ()
    elif estimate is not None and estimate.method == "two-point":  # buckets have another interval
        unused = ("n_resamples", "seed")
    decided = settings.keyed(name, *unused)
    return signed({**matched, **decided, "interval": estimate and estimate.method})


def draw_systems(
    systems: Sequence[Sums], measures: Sequence[str], settings: RepresentationMeasure, scorer: Any = None
) -> list[System]:
    """Score several systems on the same samples with the same bootstrap draws."""
    check_same_samples(systems, "value_n", "source_tokens")
    found = []
    for sums in systems:
        withheld, estimates = _withheld(sums, settings), SCORES.estimates(sums, measures, settings, paired=True)
        if withheld:
            estimates = {name: estimate._replace(score=math.nan) for name, estimate in estimates.items()}
        found.append(System(sums, estimates, withheld))
    return found


def compare_systems(
    a: System,
    b: System,
    measures: Sequence[str],
    settings: RepresentationMeasure,
    scorer: Scorer,
    given: Collection[str],
    n_skipped: int = 0,
) -> Results:
    """Compare two systems on the same samples by a paired bootstrap.

    Returns:
        For each measure: ``a``, ``b``, ``difference`` (B minus A; below 0 B is fairer), ``difference_ci``,
        ``p_value`` (two-sided, never 0), ``lost`` (share of replicates that lost a value), ``n_samples``,
        ``n_skipped``, ``n_unmatched_a``, ``n_unmatched_b`` and ``signature``; ``undefined`` gives the reason when there
        is no interval.
    """
    assert settings.confidence_level is not None
    why_not = next((f"{system.name}: {system.details}" for system in (a, b) if system.details), None)
    matched = scorer.signature(measures[0], given)
    results: Results = {}
    for name in measures:
        first, second = a.drawn[name], b.drawn[name]
        result = paired_comparison(first, second, settings.confidence_level)
        if reason := why_not or (_looks_fairer(name, a, b) if settings.unmatched is None else None):
            result |= {"difference_ci": [math.nan, math.nan], "p_value": math.nan, "undefined": reason}
        results[name] = result | {
            "n_samples": a.sums.n_samples,
            "n_skipped": n_skipped,
            "n_unmatched_a": a.sums.counts[("unmatched",)],
            "n_unmatched_b": b.sums.counts[("unmatched",)],
            **_signed(name, settings, matched, first.minus(second)),
        }
    levels = (at_random(system.sums, measures, settings, given) for system in (a, b))
    return beside_systems(results, *levels)


def quality(sums: Sums) -> dict[str, float]:
    """Return the share of scored summaries that match their sources."""
    return {"share_matched": 1 - share_unmatched(sums)}


def _looks_fairer(measure: str, a: System, b: System) -> str | None:
    """Return why a system only looks fairer: more of its summaries match nothing."""
    if a.drawn[measure].score == b.drawn[measure].score:
        return None
    fairer, other = (a, b) if a.drawn[measure].score < b.drawn[measure].score else (b, a)
    share, others = share_unmatched(fairer.sums), share_unmatched(other.sums)
    if share - others <= MOST_APART:
        return None
    return (
        f"{fairer.name} looks fairer, but {share:.0%} of its summaries have no words in common with their sources and "
        f"count as uniform ({others:.0%} for the other system); choose how to count them: {_BY_NAME}"
    )
