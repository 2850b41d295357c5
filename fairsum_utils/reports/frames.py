"""Results as rows of a data frame: by measure, group or system."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from fairsum_utils.reports.base import Record

SCORE_COLUMNS = ("measure", "score", "low", "high", "n_samples", "n_skipped", "undefined", "signature")
VALUE_COLUMNS = ("measure", "value", "label", "figure", "number", "low", "high")

_DIFFERENCE = ("difference", "difference_low", "difference_high", "p_value", "p_value_corrected")
SYSTEM_COLUMNS = ("measure", "system", "score", "low", "high", "rank", *_DIFFERENCE)

_NONE = (math.nan, math.nan)
_CHANCE = ("at_random", "at_random_error")
# Ending of the columns of an interval -> ending of its key
_LEVELS = {"": "_ci", "_within": "_ci_within"}


def score_rows(results: Mapping[str, Record], measures: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return one row per measure; see `fairsum_utils.results.ScoreResults.to_pandas`.

    Example:
        >>> result = {"uer": 0.25, "uer_ci": [0.0, 0.5], "n_samples": 2, "n_skipped": 0, "signature": "v:1"}
        >>> score_rows({"uer": result}, {"uer": "uer"})[0]["high"]
        0.5
    """
    rows = []
    for label, result in results.items():
        name = measures[label]
        row: dict[str, Any] = {"measure": label, "score": result[name]}
        for level, ending in _LEVELS.items():
            if not level or any(f"{measure}{ending}" in results[each] for each, measure in measures.items()):
                row[f"low{level}"], row[f"high{level}"] = result.get(f"{name}{ending}", _NONE)
        if any(f"{measure}_at_random" in results[each] for each, measure in measures.items()):
            row |= {key: result.get(f"{name}_{key}", math.nan) for key in _CHANCE}
        row |= {key: result.get(key) for key in ("n_samples", "n_skipped", "undefined", "signature")}
        rows.append(row)
    return rows


def value_rows(results: Mapping[str, Record]) -> list[dict[str, Any]]:
    """Return one row per figure and group; see `fairsum_utils.results.ScoreResults.by_value`.

    Example:
        >>> value_rows({"uer": {"uer_by_value": {"neg": 0.5}}})
        [{'measure': 'uer', 'value': 'neg', 'label': None, 'figure': 'uer', 'number': 0.5, 'low': nan, 'high': nan}]
    """
    return [
        dict(zip(VALUE_COLUMNS, (name, value, label, figure, number, low, high), strict=True))
        for name, result in results.items()
        for figure, value, label, number, (low, high) in _figures(result)
    ]


def system_rows(baseline: str | None, results: Mapping[str, Record]) -> list[dict[str, Any]]:
    """Return one row per measure and system; see `fairsum_utils.results.Comparison.to_pandas`."""
    rows = []
    for label, result in results.items():
        differences = {pair["system"]: pair for pair in result["differences"]} if baseline else {}
        for name, system in result["systems"].items():
            figures = [math.nan] * len(_DIFFERENCE)
            if pair := differences.get(name):
                figures = [pair["difference"], *pair["difference_ci"], pair["p_value"], pair["p_value_corrected"]]
            scored = (label, name, system["score"], *system["ci"])
            row: dict[str, Any] = dict(zip(SYSTEM_COLUMNS, scored, strict=False))
            row |= {key: system[key] for key in _CHANCE if key in system}
            rows.append({**row, "rank": system["rank"], **dict(zip(_DIFFERENCE, figures, strict=True))})
    return rows


def _figures(result: Record) -> Iterator[tuple[str, str, str | None, float, tuple[float, float]]]:
    """Figure, value, label, number and interval."""
    for key, by_value in result.items():
        figure, _, kind = key.rpartition("_by_")
        if kind not in ("value", "group") or figure == "intervals":
            continue
        ends = result.get(f"{key}_ci", {})
        for value, entry in by_value.items():
            if not isinstance(entry, Mapping):
                yield figure, value, None, entry, tuple(ends.get(value, _NONE))
                continue
            for inner, number in entry.items():
                if inner in result.get("proportions", ()):  # a label of the texts, or else one of several counts
                    of_label = result["intervals_by_group"][value] if figure == "proportions" else {}
                    yield figure, value, inner, number, tuple(of_label.get(inner, _NONE))
                else:
                    yield inner, value, None, number, _NONE
