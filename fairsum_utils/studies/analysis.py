"""What the paper does with the measures: systems, entailers, prompts and people compared.

Everything here works on what scoring gave: scores, or the records that ``return_samples=True`` adds. Records of two
runs belong together when they are as many and their ``index`` agrees, one by one; a sample that either run left without
a score is left out and counted. What is undefined is NaN, and ``undefined`` says why.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.means import exact_mean
from fairsum_utils.stats.options import ResamplingOptions
from fairsum_utils.stats.permutation import random_orders
from fairsum_utils.studies.records import (
    Record,
    as_column,
    as_score,
    check_paired,
    mean_difference,
    record_entries,
)
from fairsum_utils.validation import check_choice, check_columns, check_count, check_seed, describe

__all__ = [
    "aligned_with_people",
    "compare_relative_change",
    "entailer_correlation",
    "overall_scores",
    "rank_correlation",
    "relative_change",
]


def overall_scores(scores: Mapping[str, Mapping[str, float | None]]) -> dict[str, Any]:
    """One score a system over several data sets: its place between the best and the worst of them, averaged.

    On each data set the lowest score of the compared systems becomes 0 and the highest 1. Compared are the systems with
    a score on every data set; others neither get an overall score nor move that of the rest, as in the paper's tables.
    A data set on which all compared systems are equal tells nothing and is left out.

    Args:
        scores: system -> data set -> R_EC, CP or another score; None, NaN or no entry where there is none.

    Returns:
        ``overall`` (system -> mean in [0, 1], 0 for the lowest score everywhere, NaN where undefined), ``normalized``
        (data set -> system -> number in [0, 1]), ``skipped_data_sets`` and ``undefined`` (system -> reason). An overall
        score changes when another system joins: compare those of one call only.

    Raises:
        InputError: not such a mapping, or a score that is neither a finite number nor absent.

    Source: papers/coverage-fairness, section 5.5, tables 3 and 4.

    Example:
        >>> r_ec = {"A": {"reviews": 0.0, "news": 0.5}, "B": {"reviews": 0.5, "news": 0.25}, "C": {"reviews": 0.9}}
        >>> found = overall_scores({**r_ec, "D": {"reviews": 0.25, "news": 0.25}})
        >>> found["overall"]
        {'A': 0.5, 'B': 0.5, 'C': nan, 'D': 0.25}
        >>> found["undefined"]
        {'C': 'no score on news'}
    """
    if not isinstance(scores, Mapping) or not scores:
        raise InputError(f"overall_scores: scores must be a non-empty mapping from system, found {describe(scores)}")
    for system, of_system in scores.items():
        if not isinstance(of_system, Mapping):
            raise InputError(
                f"overall_scores: the scores of {system!r} must be a mapping from data set to number, "
                f"found {describe(of_system)}"
            )
    data_sets = list(dict.fromkeys(data_set for of_system in scores.values() for data_set in of_system))
    table = {
        system: [
            as_score(f"overall_scores: the score of {system!r} on {data_set!r}", own.get(data_set))
            for data_set in data_sets
        ]
        for system, own in scores.items()
    }
    undefined: dict[str, str] = {}
    for system, row in table.items():
        absent = [data_set for data_set, score in zip(data_sets, row, strict=True) if math.isnan(score)]
        if absent or not data_sets:
            undefined[system] = f"no score on {', '.join(absent) or 'any data set'}"
    compared = [system for system in table if system not in undefined]
    normalized: dict[str, dict[str, float]] = {}
    for place, data_set in enumerate(data_sets):
        column = [table[system][place] for system in compared]
        if column and (width := max(column) - min(column)) > TOLERANCE:
            parts = [(score - min(column)) / width for score in column]
            normalized[data_set] = dict(zip(compared, parts, strict=True))
    if not normalized:
        undefined |= dict.fromkeys(compared, "no data set tells the compared systems apart")
    return {
        "overall": {
            system: math.nan if system in undefined else exact_mean([parts[system] for parts in normalized.values()])
            for system in table
        },
        "normalized": normalized,
        "skipped_data_sets": [data_set for data_set in data_sets if data_set not in normalized],
        "undefined": undefined,
    }


def rank_correlation(
    first: Sequence[float | None],
    second: Sequence[float | None],
    *,
    n_permutations: int = 5_000,
    seed: int | None = 0,
    module: str = "rank_correlation",
) -> dict[str, Any]:
    """Spearman's rho, equal numbers (to twelve decimals) sharing their mean rank.

    Args:
        first: numbers such as the CP of each system, or EC of each sample; None or NaN where undefined.
        second: the other numbers of the same things.
        n_permutations: random orders of `second` that the p-value compares with.
        seed: of the random orders.
        module: name used in messages.

    Returns:
        ``rho`` in [-1, 1], ``p_value`` (two-sided, (b + 1) / (m + 1) where b of m orders have a rho at least as far
        from 0; never 0), ``n_samples`` and ``n_skipped`` (pairs that are not both defined).

    Raises:
        InputError: columns that are empty or of different lengths, or hold something else than finite numbers.

    Source: papers/coverage-fairness, section 5.3 (CP of each system) and appendix A.7 (EC against proportional
    representation).

    Example:
        >>> rank_correlation([0.1, 0.2, 0.4, 0.3], [0.2, 0.3, 0.9, 0.8])["rho"]
        1.0
    """
    m = check_count(module, "n_permutations", n_permutations)
    check_seed(module, seed)
    check_columns(module, first=first, second=second)
    pairs = np.array([as_column(f"{module}: first", first), as_column(f"{module}: second", second)])
    kept = pairs[:, ~np.isnan(pairs).any(axis=0)]
    n = kept.shape[1]
    result: dict[str, Any] = {"rho": math.nan, "p_value": math.nan, "n_samples": n, "n_skipped": pairs.shape[1] - n}
    one, other = (_centred_ranks(numbers) for numbers in kept)
    if not one.any() or not other.any():
        return result | {"undefined": "a correlation needs at least two different numbers on either side"}
    product = float(one @ other)  # quarters of whole numbers, so sums are exact and equal ones are equal
    farther = sum(
        int(np.count_nonzero(np.abs(one @ other[orders]) >= abs(product))) for orders in random_orders(n, m, seed=seed)
    )
    result["rho"] = product / math.sqrt(float(one @ one) * float(other @ other))
    result["p_value"] = (farther + 1) / (m + 1)
    return result


def entailer_correlation(
    samples_a: Sequence[Record],
    samples_b: Sequence[Record],
    *,
    n_permutations: int = 5_000,
    seed: int | None = 0,
) -> dict[str, Any]:
    """Do two entailers order the same summaries alike? Spearman's rho of EC over samples.

    Args:
        samples_a: records of ``equal_coverage`` with one entailer.
        samples_b: those of the same summaries with another.
        n_permutations: as in `rank_correlation`.
        seed: as in `rank_correlation`.

    Returns:
        As `rank_correlation`.

    Raises:
        InputError: records that are not of the same samples, or not of ``equal_coverage``.

    Source: papers/coverage-fairness, section 5.3, table 2.

    Example:
        >>> one = [{"index": index, "equal_coverage": score} for index, score in enumerate([0.1, 0.3, 0.2])]
        >>> other = [{"index": index, "equal_coverage": score} for index, score in enumerate([0.2, 0.3, None])]
        >>> found = entailer_correlation(one, other)
        >>> found["rho"], found["n_samples"], found["n_skipped"]
        (1.0, 2, 1)
    """
    module = "entailer_correlation"
    check_paired(module, samples_a=samples_a, samples_b=samples_b)
    return rank_correlation(
        record_entries(module, "samples_a", samples_a, "equal_coverage"),
        record_entries(module, "samples_b", samples_b, "equal_coverage"),
        n_permutations=n_permutations,
        seed=seed,
        module=module,
    )


def relative_change(before: Sequence[float | None], after: Sequence[float | None]) -> dict[str, Any]:
    """The average relative change of a score: the mean over samples of (after - before) / before.

    A sample whose score was 0 has no relative change: it is left out and counted.

    Args:
        before: a score of each sample; None or NaN where it has none.
        after: the score of the same samples in another run.

    Returns:
        ``relative_change`` (below zero: the score fell), ``n_samples``, ``n_skipped`` (without a score in either run)
        and ``n_undefined`` (0 before). Small scores before weigh heavily; ``mean_before`` and ``mean_after``, over the
        same samples, tell whether they decide.

    Raises:
        InputError: columns that are empty or of different lengths, or hold something else than finite numbers.

    Source: papers/coverage-fairness, section 5.8.

    Example:
        >>> found = relative_change([0.5, 0.25, 0.0], [0.25, 0.25, 0.1])
        >>> found["relative_change"], found["n_samples"], found["n_undefined"]
        (-0.25, 2, 1)
    """
    module = "relative_change"
    check_columns(module, before=before, after=after)
    first, second = as_column(f"{module}: before", before), as_column(f"{module}: after", after)
    changes = _changes(first, second)
    kept = ~np.isnan(changes)
    n_scored = int(np.count_nonzero(~np.isnan(first + second)))
    result = {
        "relative_change": exact_mean(changes[kept]),
        "mean_before": exact_mean(first[kept]),
        "mean_after": exact_mean(second[kept]),
        "n_samples": int(kept.sum()),
        "n_skipped": len(changes) - n_scored,
        "n_undefined": n_scored - int(kept.sum()),
    }
    return result if kept.any() else result | {"undefined": "no sample with a score above 0 before"}


def compare_relative_change(
    before: Sequence[Record],
    after: Sequence[Record],
    baseline_before: Sequence[Record],
    baseline_after: Sequence[Record],
    *,
    baseline: str = "uer",
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    seed: int | None = 0,
) -> dict[str, Any]:
    """Which measure falls more when a model is asked to be fair: EC, or one of proportional representation?

    The measures are compared on the samples in which both have a relative change, see `relative_change`, so that the
    difference is one between measures and not one between samples.

    Args:
        before: records of ``equal_coverage`` of summaries that a plain prompt gave.
        after: those of the same documents, prompted for a fair summary.
        baseline_before: records of `baseline` of the first summaries.
        baseline_after: those of the second.
        baseline: a measure of representation with a score a sample: ``"uer"``, ``"auc"`` or ``"bur"``. BUR is 0 or 1,
            so it is defined only where the first summary was unfair, and can only fall.
        confidence_level: of the bootstrap interval over samples.
        n_resamples: bootstrap replicates.
        seed: of the bootstrap.

    Returns:
        ``difference``, the average relative change of the baseline minus that of EC (above zero: EC falls more),
        ``difference_ci``, ``p_value`` (two-sided, never 0), ``relative_change`` of each measure, ``n_samples``,
        ``n_skipped`` (without a score in some run) and ``n_undefined`` (for each measure the samples with 0 before).

    Raises:
        InputError: an option out of range, or records that are not of the same samples or lack a score.

    Source: papers/coverage-fairness, section 5.8, table 6.

    Example:
        >>> def records(name, *scores):
        ...     return [{"index": index, name: score} for index, score in enumerate(scores)]
        >>> found = compare_relative_change(
        ...     records("equal_coverage", 0.5, 0.5), records("equal_coverage", 0.25, 0.5),
        ...     records("uer", 0.25, 0.5), records("uer", 0.25, 0.5))
        >>> found["difference"], found["relative_change"]
        (0.25, {'equal_coverage': -0.25, 'uer': 0.0})
    """
    module = "compare_relative_change"
    check_choice(module, "baseline", baseline, ("uer", "auc", "bur"))
    options = ResamplingOptions(confidence_level, n_resamples, seed, module).seeded()
    runs = {
        "before": before,
        "after": after,
        "baseline_before": baseline_before,
        "baseline_after": baseline_after,
    }
    check_paired(module, **runs)
    keys = ("equal_coverage", "equal_coverage", baseline, baseline)
    columns = [
        as_column(f"{module}: {name}", record_entries(module, name, samples, key))
        for (name, samples), key in zip(runs.items(), keys, strict=True)
    ]
    changes = {key: _changes(*columns[place : place + 2]) for key, place in (("equal_coverage", 0), (baseline, 2))}
    scored = ~np.isnan(sum(columns))
    difference = changes[baseline] - changes["equal_coverage"]
    kept = ~np.isnan(difference)
    return mean_difference(difference[kept], options) | {
        "relative_change": {name: exact_mean(own[kept]) for name, own in changes.items()},
        "n_skipped": int(np.count_nonzero(~scored)),
        "n_undefined": {name: int(np.count_nonzero(scored & np.isnan(own))) for name, own in changes.items()},
    }


def _changes(before: Floats, after: Floats) -> Floats:
    """(after - before) / before; NaN where either is undefined or `before` is 0, but for rounding."""
    return np.asarray((after - before) / np.where(np.abs(before) > TOLERANCE, before, np.nan))


def aligned_with_people(
    samples: Sequence[Record],
    baseline_samples: Sequence[Record],
    leanings: Sequence[str | None],
    *,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    seed: int | None = 0,
) -> dict[str, Any]:
    """Which names the value that people find overrepresented more often: EC, or proportional representation?

    EC names the value with the largest difference c_k, proportional representation the one whose share in the summary
    lies furthest above its desired share; of equal ones neither names any.

    Args:
        samples: records of ``equal_coverage`` or ``coverage_parity``.
        baseline_samples: records of a measure of representation, of the same summaries.
        leanings: the value each summary leans towards by people's judgement; None for a fair one, which is left out:
            the paper compares scores there after a normalization that it does not give.
        confidence_level: of the bootstrap interval over samples.
        n_resamples: bootstrap replicates.
        seed: of the bootstrap.

    Returns:
        ``coverage`` and ``representation``, the shares of leaning samples where each agrees with people,
        ``difference`` (the first minus the second; above zero: EC agrees more), ``difference_ci``, ``p_value``
        (two-sided, never 0), ``n_samples``, ``n_fair`` and ``n_skipped`` (leaning, but without a score).

    Raises:
        InputError: an option out of range, columns that are not of the same samples, or a leaning towards a value that
            the sample does not have.

    Source: papers/coverage-fairness, section 5.4 and appendix A.4.

    Example:
        >>> one = {"index": 0, "difference_by_value": {"neg": 0.25, "pos": -0.25}}
        >>> other = {"index": 0, "values": ["neg", "pos"], "target_share": [0.4, 0.6], "desired_share": [0.5, 0.5]}
        >>> found = aligned_with_people([one] * 2, [other] * 2, ["neg", None])
        >>> found["coverage"], found["representation"], found["n_fair"]
        (1.0, 0.0, 1)
    """
    module = "aligned_with_people"
    options = ResamplingOptions(confidence_level, n_resamples, seed, module).seeded()
    check_columns(module, samples=samples, baseline_samples=baseline_samples, leanings=leanings)
    check_paired(module, samples=samples, baseline_samples=baseline_samples)
    found = record_entries(module, "samples", samples, "difference_by_value")
    columns = [
        record_entries(module, "baseline_samples", baseline_samples, key)
        for key in ("values", "target_share", "desired_share")
    ]
    agreed: list[tuple[bool, bool]] = []
    n_fair = n_skipped = 0
    for place, (leaning, by_value, values, got, wanted) in enumerate(zip(leanings, found, *columns, strict=True)):
        if leaning is None:
            n_fair += 1
        elif by_value is None or not got:
            n_skipped += 1
        elif leaning not in by_value:
            raise InputError(
                f"{module}: leanings[{place}] is {describe(leaning)}, but the values of the sample are "
                f"{', '.join(by_value)}; give one of them, or None for a fair summary"
            )
        else:
            above = {value: own - due for value, own, due in zip(values, got, wanted, strict=True)}
            agreed.append((_largest(by_value) == leaning, _largest(above) == leaning))
    agreement = np.array(agreed, dtype=np.float64).reshape(-1, 2)
    return mean_difference(agreement[:, 0] - agreement[:, 1], options) | {
        "coverage": exact_mean(agreement[:, 0]),
        "representation": exact_mean(agreement[:, 1]),
        "n_fair": n_fair,
        "n_skipped": n_skipped,
    }


def _largest(by_value: Mapping[str, float]) -> str | None:
    """The value with the largest number; None if several have it."""
    most = max(by_value.values())
    named = [value for value, number in by_value.items() if number >= most - TOLERANCE]
    return named[0] if len(named) == 1 else None


def _centred_ranks(numbers: Floats) -> Floats:
    """Ranks minus their mean, equal numbers sharing their mean rank: multiples of one half."""
    _, places, counts = np.unique(numbers.round(12), return_inverse=True, return_counts=True)
    ranks = counts.cumsum() - (counts - 1) / 2
    return np.asarray(ranks[places] - (len(numbers) + 1) / 2)
