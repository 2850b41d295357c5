"""Agreement of coverage and proportional representation with people, by summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from fairsum_reproductions.contract import Intervals
from fairsum_reproductions.coverage._people import INPUTS, Judged, PeopleSettings, judged_samples
from fairsum_reproductions.layout import number_cells
from fairsum_reproductions.records import Record, leading, mean_difference
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.reports.tables import Part, Table
from fairsum_utils.settings import setting
from fairsum_utils.stats.arrays import exact_mean
from fairsum_utils.validation import count

INPUTS = INPUTS


class JudgementSettings(PeopleSettings, Intervals):
    """Treatment of fair summaries."""

    fair: Literal["skip", "minmax"] = setting(
        "skip",
        "summaries that people find fair: skip them; or minmax, the measure agrees more that puts the summary closer "
        "to its fairest one, each score between its lowest and highest",
        key="fair",
    )


SETTINGS = JudgementSettings


def compute(
    samples: Sequence[Record],
    baseline_samples: Sequence[Record],
    judgements: Sequence[Mapping[str, Any]],
    *,
    settings: JudgementSettings,
) -> dict[str, Any]:
    """Compute how often each measure names the value that people find overrepresented.

    EC names the value with the largest difference c_k, proportional representation the one whose share in the summary
    lies furthest above its desired share; of equal ones neither names any.
    """
    options = settings.seeded()
    judged, leanings = judged_samples(settings, samples, baseline_samples, judgements)
    n_fair = leanings.count(None)
    agreements = [
        [leading(named) == each.leaning for named in (each.differences, each.above)]
        for each in judged
        if each.leaning is not None
    ]
    if options.fair == "minmax":
        agreements += _closer(judged)
    agreement = np.array(agreements, dtype=np.float64).reshape(-1, 2)
    n_wanted = len(leanings) if options.fair == "minmax" else len(leanings) - n_fair
    result = mean_difference(agreement[:, 0] - agreement[:, 1], options)
    reason = result.pop("undefined", None)
    return result | {
        "coverage": exact_mean(agreement[:, 0]),
        "representation": exact_mean(agreement[:, 1]),
        "n_fair": n_fair,
        "n_skipped": n_wanted - len(agreements),
        "undefined": {} if reason is None else {"difference": reason},
    }


def _closer(judged: Sequence[Judged]) -> list[list[bool]]:
    """Return which measure rates each fair summary as fairer.

    A score is the mean over values of |c_k|, or of the distance between summary share and desired share.
    """
    if not judged:
        return []
    scores = np.array([[np.abs([*of.values()]).mean() for of in (each.differences, each.above)] for each in judged])
    lowest, width = scores.min(axis=0), np.ptp(scores, axis=0)
    first, second = ((scores - lowest) / np.where(width > TOLERANCE, width, 1.0)).T
    closer = np.stack([first < second - TOLERANCE, second < first - TOLERANCE], axis=1)
    return [pair for each, pair in zip(judged, closer.tolist(), strict=True) if each.leaning is None]


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out a row for each measure, and their difference."""
    rows = [
        ["Equal Coverage", result["coverage"], None, None],
        ["proportional representation", result["representation"], None, None],
        ["difference", *number_cells(result, "difference"), result["p_value"]],
    ]
    compared = count(result["n_samples"], "sample")
    counts = f"{compared} compared, {result['n_fair']} fair, {result['n_skipped']} without a score"
    return [[counts], Table(["measure", "agrees with people", "interval", "p"], rows)]
