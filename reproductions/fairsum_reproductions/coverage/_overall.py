"""Overall scores of systems over several data sets."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from fairsum_reproductions.records import as_score
from fairsum_utils.errors import InputError
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.stats.arrays import exact_mean
from fairsum_utils.validation import describe


def overall_scores(scores: Mapping[str, Mapping[str, float | None]]) -> dict[str, Any]:
    """Average each system's position between the best and worst over data sets.

    On each data set the lowest score of the compared systems becomes 0 and the highest 1. Only systems with a score on
    every data set are compared, as in the paper's tables; others get no overall score and have no effect on the rest.
    A data set on which all compared systems are equal is left out.

    Args:
        scores: system -> data set -> R_EC, CP or another score; None, NaN or no entry where there is none.

    Returns:
        ``overall`` (system -> mean in [0, 1], 0 for the lowest score everywhere, NaN where undefined), ``normalized``
        (data set -> system -> number in [0, 1]), ``skipped_data_sets`` and ``undefined`` (system -> reason). An overall
        score changes when another system joins: compare those of one call only.

    Raises:
        InputError: not such a mapping, or a score that is neither a finite number nor absent.

    Source: Li et al. 2025, section 5.5, tables 3 and 4.

    Example:
        >>> r_ec = {"A": {"reviews": 0.0, "news": 0.5}, "B": {"reviews": 0.5, "news": 0.25}, "C": {"reviews": 0.9}}
        >>> result = overall_scores({**r_ec, "D": {"reviews": 0.25, "news": 0.25}})
        >>> result["overall"]
        {'A': 0.5, 'B': 0.5, 'C': nan, 'D': 0.25}
        >>> result["undefined"]
        {'C': 'no score on news'}
    """
    if not isinstance(scores, Mapping) or not scores:
        raise InputError(f"overall: scores must be a non-empty mapping from system, found {describe(scores)}")
    for system, by_data_set in scores.items():
        if not isinstance(by_data_set, Mapping):
            raise InputError(
                f"overall: the scores of {system!r} must be a mapping from data set to number, "
                f"found {describe(by_data_set)}"
            )
    data_sets = list(dict.fromkeys(data_set for by_data_set in scores.values() for data_set in by_data_set))
    table = {
        system: {
            data_set: as_score(f"overall: the score of {system!r} on {data_set!r}", by_data_set.get(data_set))
            for data_set in data_sets
        }
        for system, by_data_set in scores.items()
    }
    undefined: dict[str, str] = {}
    for system, row in table.items():
        absent = [data_set for data_set, score in row.items() if math.isnan(score)]
        if absent or not data_sets:
            undefined[system] = f"no score on {', '.join(absent) or 'any data set'}"
    compared = [system for system in table if system not in undefined]
    normalized: dict[str, dict[str, float]] = {}
    for data_set in data_sets if compared else ():
        column = {system: table[system][data_set] for system in compared}
        lowest = min(column.values())
        if (width := max(column.values()) - lowest) > TOLERANCE:
            normalized[data_set] = {system: (score - lowest) / width for system, score in column.items()}
    if not normalized:
        undefined |= dict.fromkeys(compared, "no data set has different scores for the compared systems")
    return {
        "overall": {
            system: math.nan if system in undefined else exact_mean([parts[system] for parts in normalized.values()])
            for system in table
        },
        "normalized": normalized,
        "skipped_data_sets": [data_set for data_set in data_sets if data_set not in normalized],
        "undefined": undefined,
    }
