"""Ratio of a value's share in the summary to its desired share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairsum_reproductions.layout import number_cells
from fairsum_reproductions.records import Record
from fairsum_reproductions.shares import (
    SHARE_RECORDS,
    Shares,
    SharesSettings,
    data_set_scores,
    read_shares,
    sample_scores,
    undefined_scores,
)
from fairsum_utils.measures.auc import representation_ratio
from fairsum_utils.measures.bur import underrepresented
from fairsum_utils.reports.panels import Drawing
from fairsum_utils.reports.sample_charts import ratios_of
from fairsum_utils.reports.tables import Part, Table, number
from fairsum_utils.reports.wording import count_samples
from fairsum_utils.stats.arrays import exact_mean, scalar
from fairsum_utils.stats.intervals import share_interval

INPUTS = (SHARE_RECORDS,)
SETTINGS = SharesSettings


def ratios_by_value(shares: Shares) -> dict[str, list[float]]:
    """Compute the ratio of share to desired share by sample and value.

    Source: Zhang et al. 2024, section 6.5 and figure 4.

    Example:
        >>> shares = Shares([0], [["a", "b"]], np.array([[0.25, 0.75]]), np.array([[0.5, 0.5]]), 0)
        >>> ratios_by_value(shares)
        {'a': [0.5], 'b': [1.5]}
    """
    ratios = {value: representation_ratio(given, desired) for value, (given, desired) in shares.by_value().items()}
    return {value: of_value[~np.isnan(of_value)].tolist() for value, of_value in ratios.items()}


def compute(samples: Mapping[str, Sequence[Record]], *, settings: SharesSettings) -> dict[str, Any]:
    """Compute ratios and rates of underrepresentation, with mid-P intervals.

    Where all samples have two values that are both desired, the rates add up to BUR: a summary cannot underrepresent
    both.
    """
    result: dict[str, Any] = {"tau": settings.tau, "confidence_level": settings.confidence_level}
    result |= {"systems": {}, "undefined": {}}
    for name, records in samples.items():
        shares = read_shares(settings.module, name, records)
        scores = data_set_scores(shares, sample_scores(shares, settings.tau))
        ratios = ratios_by_value(shares)
        result["systems"][name] = {
            "bur": scores["bur"],
            "sof": scores["sof"],
            "by_value": _rates(shares, ratios, settings),
            "ratios": ratios,
            "n_samples": len(shares.places),
            "n_skipped": shares.n_skipped,
        }
        result["undefined"] |= undefined_scores(name, scores, shares)
        for value in (value for value, of_value in ratios.items() if not of_value):
            result["undefined"][f"ratio of {value} of {name}"] = "its desired share is 0"
    return result


def _rates(shares: Shares, ratios: Mapping[str, list[float]], settings: SharesSettings) -> dict[str, Any]:
    rates = {}
    for value, (given, desired) in shares.by_value().items():
        n, below = len(given), int(underrepresented(given, desired, settings.tau).sum())
        rates[value] = {
            "n_samples": n,
            "underrepresented": below / n,
            "underrepresented_ci": list(share_interval(below, n, settings.confidence_level)),
            "median_ratio": scalar(np.median(ratios[value])) if ratios[value] else np.nan,
            "mean_ratio": exact_mean(ratios[value]),
        }
    return rates


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out section 6.5's numbers on figure 4, a table per system."""
    header = ["value", "samples", "underrepresented", "interval", "median ratio", "mean ratio"]
    made: list[Part] = []
    for name, scored in result["systems"].items():
        rows = [
            [value, of["n_samples"], *number_cells(of, "underrepresented"), of["median_ratio"], of["mean_ratio"]]
            for value, of in scored["by_value"].items()
        ]
        counts = count_samples(scored)
        below = [
            f"{counts}. BUR {number(scored['bur'])}, SOF {number(scored['sof'])} (tau = {result['tau']:g})",
            "Ratio: share in the summary / desired share; below 1 is less than desired.",
        ]
        made.append(Table(header, rows, name, below))
    return made


def drawing(result: dict[str, Any]) -> Drawing:
    """Figure 4: distribution of the ratios of each value."""
    panels = [ratios_of(scored["ratios"], result["tau"], name) for name, scored in result["systems"].items()]
    return Drawing("Share in the summary over desired share", panels)
