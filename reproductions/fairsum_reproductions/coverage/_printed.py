"""Figures that Li et al. 2025 prints."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

from fairsum_reproductions.printed import printed_figures

# Name of a figure or table -> its numbers; `printed.toml` says where they stand in the paper.
PRINTED = printed_figures("coverage")

# Agreement of measures with people, section 5.4.
JUDGED = SimpleNamespace(**PRINTED["judged"])


def printed_results(measure: str) -> tuple[dict[str, Mapping[str, Any]], dict[str, float]]:
    """Return table 3 or 4 as scoring results, with overall scores.

    Example:
        >>> results, overall = printed_results("coverage_parity")
        >>> results["GPT-4/Amazon"]["coverage_parity"]["coverage_parity"], overall["GPT-4"]
        (0.029, 0.647)
    """
    key = "r_ec" if measure == "equal_coverage" else measure
    results: dict[str, Mapping[str, Any]] = {}
    for system, scores in PRINTED[key].items():
        for data_set, score, pair in zip(PRINTED["data_sets"], scores, PRINTED["extremes"][system], strict=True):
            if not math.isnan(score):
                over, _, under = pair.partition("/")
                extremes = {"most_overrepresented": over, "most_underrepresented": under}
                results[f"{system}/{data_set}"] = {measure: {key: score, **extremes}}
    return results, PRINTED["overall"][key]
