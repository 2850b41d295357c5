"""Difference in fairness between sets dominated by different groups."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairsum_reproductions.contract import Intervals
from fairsum_reproductions.records import Record, record_entries
from fairsum_utils.measures.coverage_parity import extreme_differences
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.settings import Fraction, setting
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.bootstrap import bootstrap_sums
from fairsum_utils.stats.intervals import Moments, difference_interval, mean_interval
from fairsum_utils.validation import check_choice, check_columns

NEEDED = {"equal_coverage": "p_value", "coverage_parity": "difference_by_value"}
"""Measure -> the entry that a record must have for it."""


class DominanceSettings(Intervals):
    """Settings for comparing sets dominated by different groups."""

    alpha: Fraction = setting(0.05, "p-value below which a summary is unfair and a difference is marked", key="alpha")


def dominance_difference(
    samples: Sequence[Record], metric: str, settings: DominanceSettings | None = None, *, name: str = "samples"
) -> dict[str, Any]:
    """Compute the largest difference between sets dominated by different groups.

    A value dominates a sample when more of its documents have it than any other value. For ``equal_coverage`` the
    difference is that of R_EC, the share of unfair samples; for ``coverage_parity`` that of E(C_k), for the value k
    where it is largest.

    Args:
        samples: records of `metric`; ``coverage_parity`` takes those of either measure.
        metric: ``"equal_coverage"`` or ``"coverage_parity"`` (C_k as the paper has it, whatever the protocol).
        settings: below which p-value a sample counts as unfair, and how samples are resampled, within each dominated
            set; None for the defaults.
        name: name of the records in messages.

    Returns:
        ``difference`` (in [0, 1] for ``equal_coverage``, at most 2 for ``coverage_parity``), ``between`` (the values
        that dominate the set with the higher and with the lower number), ``value`` (k; None for ``equal_coverage``),
        ``by_dominant_value`` (the numbers of each set), ``difference_ci`` (of the difference between these very two
        sets, so that it can reach below 0), ``p_value`` (the share of replicates whose largest difference is at least
        as large once the sets have been moved to the same mean: choosing the largest is allowed for; never 0),
        ``lost`` (share of replicates in which some compared C_k became empty), ``n_samples`` (in a dominated set) and
        ``n_undominated`` and ``n_skipped``.

    Raises:
        InputError: another metric, no record, or one that lacks what is needed.

    Source: Li et al. 2025, section 5.7, table 5.

    Example:
        >>> samples = [
        ...     {"dominant": dominant, "p_value": p_value, "skipped": None}
        ...     for dominant, p_value in [("neg", 0.01), ("neg", 0.5), ("pos", 0.3), ("pos", 0.9), (None, 0.2)]]
        >>> result = dominance_difference(samples, "equal_coverage")
        >>> result["difference"], result["between"], result["n_undominated"]
        (0.5, ['neg', 'pos'], 1)
    """
    options = (settings or DominanceSettings.make({}, module="dominance")).seeded()
    module = options.module
    check_choice(module, "metric", metric, tuple(NEEDED))
    check_columns(module, **{name: samples})
    dominant, skipped = (record_entries(module, name, samples, key) for key in ("dominant", "skipped"))
    scored = [record for record, reason in zip(samples, skipped, strict=True) if reason is None]
    names, columns = (
        _unfair(record_entries(module, name, scored, "p_value"), options.alpha)
        if metric == "equal_coverage"
        else extreme_columns(module, name, scored)
    )
    sets = sorted({name for name in dominant if name is not None})
    dominant_scored = np.array([record["dominant"] for record in scored], dtype=np.object_)
    parts = [columns[dominant_scored == name] for name in sets]
    means = _means(np.array([part.sum(axis=0) for part in parts]).reshape(len(sets), columns.shape[1]))
    label = "r_ec" if metric == "equal_coverage" else "mean_extreme_by_value"
    numbers = [row[0] if metric == "equal_coverage" else dict(zip(names, row, strict=True)) for row in means.tolist()]
    n_samples = sum(map(len, parts))
    result: dict[str, Any] = {
        "by_dominant_value": {
            name: {"n_samples": len(part), label: number}
            for name, part, number in zip(sets, parts, numbers, strict=True)
        },
        "n_samples": n_samples,
        "n_undominated": len(scored) - n_samples,
        "n_skipped": len(samples) - len(scored),
    }
    return result | _difference(parts, means, sets, names, options)


def _difference(
    parts: list[Floats], means: Floats, sets: list[str], names: Sequence[str | None], options: Intervals
) -> dict[str, Any]:
    """Find the largest difference between sets, with interval and p-value.

    Args:
        parts: columns of the samples of each set, as `_unfair` and `extreme_columns` give them.
        means: mean of each set, shape (sets, columns).
        sets: names of the sets.
        names: names of the columns of `means`.
        options: resampling options.
    """
    result: dict[str, Any] = {
        "difference": math.nan,
        "between": None,
        "value": None,
        "difference_ci": [math.nan, math.nan],
        "p_value": math.nan,
        "lost": math.nan,
    }
    comparable = (~np.isnan(means)).sum(axis=0) > 1
    if not comparable.any():
        return result | {"undefined": "nothing to compare: needs sets dominated by different groups"}
    ranges = _ranges(means[None])[0]
    column = int(np.where(comparable, ranges, -1).argmax())
    high, low = int(np.nanargmax(means[:, column])), int(np.nanargmin(means[:, column]))
    if high == low:  # all equal
        high, low = np.flatnonzero(~np.isnan(means[:, column]))[:2].tolist()
    result |= {"difference": float(ranges[column]), "between": [sets[high], sets[low]], "value": names[column]}
    if min(map(len, parts)) < 2:
        reason = "difference_ci and p_value: a bootstrap needs at least two samples in every set"
        return result | {"undefined": reason}
    replicates = _replicates(parts, options)
    lost = (np.isnan(replicates) & ~np.isnan(means))[..., comparable].any(axis=(1, 2))
    complete = replicates[~lost]
    limits = (0.0 if names[column] is None else -1.0, 1.0)  # limits of a rate, or of a mean extreme
    ends = [_interval(parts[place], column, options.confidence_level, limits) for place in (high, low)]
    highest, lowest = means[[high, low], column].tolist()
    result["difference_ci"] = list(difference_interval(highest, ends[0], lowest, ends[1]))
    result["lost"] = float(lost.mean())
    if len(complete):
        by_chance = _ranges(complete - means)[:, comparable].max(axis=1)
        reached = np.count_nonzero(by_chance >= ranges[column] - TOLERANCE)
        result["p_value"] = float((reached + 1) / (len(complete) + 1))
    else:
        result["undefined"] = "difference_ci and p_value: some C_k became empty in every replicate"
    return result


def _interval(part: Floats, column: int, level: float, limits: tuple[float, float]) -> tuple[float, float]:
    """Interval of the mean of a column of a set."""
    totals, counts = np.split(part, 2, axis=1)
    return mean_interval(Moments.of(totals[:, column], counts[:, column]), level, limits)


def _replicates(parts: list[Floats], options: Intervals) -> Floats:
    """Compute replicate means, shape (B, sets, columns); equal-sized sets get different draws."""
    seeds = np.random.SeedSequence(options.seed).generate_state(len(parts)).tolist()
    drawn = (
        bootstrap_sums(part, n_resamples=options.n_resamples, seed=seed)
        for part, seed in zip(parts, seeds, strict=True)
    )
    return np.stack(list(map(_means, drawn)), axis=1)


def _unfair(p_values: Sequence[float], alpha: float) -> tuple[list[None], Floats]:
    """Return unfairness and 1 for each sample, shape (n, 2)."""
    return [None], np.array([[p_value < alpha, 1] for p_value in p_values], dtype=np.float64).reshape(-1, 2)


def _means(sums: Floats) -> Floats:
    """Divide sums in the first half of the columns by counts in the second."""
    totals, counts = np.split(sums, 2, axis=-1)
    return np.asarray(totals / np.where(counts > 0, counts, np.nan))


def _ranges(means: Floats) -> Floats:
    """Compute the range of defined means over sets, shape (b, columns).

    -inf in a column without any.
    """
    known = ~np.isnan(means)
    largest = np.max(means, axis=1, initial=-np.inf, where=known)
    smallest = np.min(means, axis=1, initial=np.inf, where=known)
    return np.asarray(largest - smallest)


def extreme_columns(module: str, name: str, samples: Sequence[Record]) -> tuple[list[str], Floats]:
    """Return each group's c_k and counts for C_k, one column per group.

    Args:
        module: name used in messages.
        name: name of the records argument in messages.
        samples: records with a score, of ``equal_coverage`` or ``coverage_parity``.

    Returns:
        The values, sorted, and an array of shape (n, 2 values): of each sample what it adds to the sum of C_k, then
        whether it adds to it.

    Example:
        >>> extreme_columns("dominance", "samples", [{"difference_by_value": {"a": 0.5, "b": 0.0, "c": -0.5}}])
        (['a', 'b', 'c'], array([[ 0.5,  0. , -0.5,  1. ,  0. ,  1. ]]))
    """
    differences: list[Mapping[str, float]] = record_entries(module, name, samples, "difference_by_value")
    names = sorted({value for by_value in differences for value in by_value})
    table = np.array([[by_value.get(value, math.nan) for value in names] for by_value in differences])
    table = table.reshape(len(differences), len(names))
    extreme = extreme_differences(table)
    return names, np.concatenate([np.where(extreme, table, 0.0), extreme], axis=1)
