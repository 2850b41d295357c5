"""Whether coverage or proportional representation agrees with people on what is overrepresented."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairsum_reproductions.contract import Study
from fairsum_reproductions.coverage._people import (
    CHOICE,
    INPUTS,
    Judged,
    PeopleSettings,
    judged_samples,
    leanings_of,
)
from fairsum_utils.analysis.records import Intervals, Record, leading, mean_difference
from fairsum_utils.families.settings import setting
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.stats.arrays import exact_mean
from fairsum_utils.validation import count

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part

_FAIR = ("skip", "minmax")


class JudgementSettings(PeopleSettings, Intervals):
    """How measures are compared with people."""

    fair: str = setting(
        "skip",
        "summaries that people find fair: skip them; or minmax, the measure agrees more that puts the summary closer "
        "to its fairest one, each score between its lowest and highest",
        choices=_FAIR,
        key="fair",
    )


def aligned_with_people(
    samples: Sequence[Record],
    baseline_samples: Sequence[Record],
    leanings: Sequence[str | None],
    settings: JudgementSettings | None = None,
) -> dict[str, Any]:
    """Which names the value that people find overrepresented more often: EC, or proportional representation?

    EC names the value with the largest difference c_k, proportional representation the one whose share in the summary
    lies furthest above its desired share; of equal ones neither names any.

    Args:
        samples: records of ``equal_coverage`` or ``coverage_parity``.
        baseline_samples: records of a measure of representation, of the same summaries.
        leanings: the value each summary leans towards by people's judgement; None for a fair one.
        settings: what becomes of fair summaries, and how samples are resampled; None for the defaults. ``fair="skip"``
            leaves fair summaries out: the paper compares scores there after a normalization that it does not give.
            With ``fair="minmax"`` that measure agrees with people whose score of a fair summary is the smaller one,
            where the lowest score of all summaries is 0 and the highest 1; the score is the mean over values of |c_k|,
            or of the distance between summary share and desired share.

    Returns:
        ``coverage`` and ``representation``, the shares of compared samples where each agrees with people,
        ``difference`` (the first minus the second; above zero: EC agrees more), ``difference_ci``, ``p_value``
        (two-sided, never 0), ``n_samples`` (compared), ``n_fair`` and ``n_skipped`` (to be compared, but without a
        score).

    Raises:
        InputError: columns that are not of the same samples, or a leaning towards a value that the sample does not
            have.

    Source: papers/coverage-fairness, section 5.4 and appendix A.4.

    Example:
        >>> one = {"index": 0, "difference_by_value": {"neg": 0.25, "pos": -0.25}}
        >>> other = {"index": 0, "values": ["neg", "pos"], "summary_share": [0.4, 0.6], "desired_share": [0.5, 0.5]}
        >>> result = aligned_with_people([one] * 2, [other] * 2, ["neg", None])
        >>> result["coverage"], result["representation"], result["n_fair"]
        (1.0, 0.0, 1)
    """
    options = (settings or JudgementSettings(module="human_judgement")).seeded()
    judged, _ = judged_samples(options.module, samples, baseline_samples, leanings)
    n_fair = sum(leaning is None for leaning in leanings)
    agreements = [
        [leading(named) == summary.leaning for named in _differences(summary)]
        for summary in judged
        if summary.leaning is not None
    ]
    if options.fair == "minmax":
        agreements += _closer(judged)
    n_wanted = len(leanings) - (n_fair if options.fair == "skip" else 0)
    agreement = np.array(agreements, dtype=np.float64).reshape(-1, 2)
    return mean_difference(agreement[:, 0] - agreement[:, 1], options) | {
        "coverage": exact_mean(agreement[:, 0]),
        "representation": exact_mean(agreement[:, 1]),
        "n_fair": n_fair,
        "n_skipped": n_wanted - len(agreements),
    }


def _differences(summary: Judged) -> tuple[Mapping[str, float], Mapping[str, float]]:
    """How far each value is overrepresented by either measure."""
    return summary.differences, {value: share - summary.desired[value] for value, share in summary.summary.items()}


def _closer(judged: Sequence[Judged]) -> list[list[bool]]:
    """For each fair summary, which measure puts it closer to the fairest of all summaries."""
    scores = np.array([[np.abs([*each.values()]).mean() for each in _differences(summary)] for summary in judged])
    if not len(scores):
        return []
    lowest, width = scores.min(axis=0), np.ptp(scores, axis=0)
    first, second = ((scores - lowest) / np.where(width > TOLERANCE, width, 1.0)).T
    closer = zip(first < second - TOLERANCE, second < first - TOLERANCE, strict=True)
    return [[*map(bool, pair)] for summary, pair in zip(judged, closer, strict=True) if summary.leaning is None]


def compute(
    samples: Sequence[Record],
    baseline_samples: Sequence[Record],
    judgements: Sequence[Mapping[str, Any]],
    *,
    settings: JudgementSettings,
) -> dict[str, Any]:
    """How often each measure agrees with people."""
    leanings = leanings_of(settings.module, judgements, settings.raters)
    result = aligned_with_people(samples, baseline_samples, leanings, settings)
    reason = result.pop("undefined", None)
    return result | {"undefined": {} if reason is None else {"difference": reason}}


def parts(result: dict[str, Any]) -> list[Part]:
    """A row a measure, and their difference."""
    from fairsum_utils.reports.tables import Table, interval

    rows = [
        ["Equal Coverage", result["coverage"], None, None],
        ["proportional representation", result["representation"], None, None],
        ["difference", result["difference"], interval(result["difference_ci"]), result["p_value"]],
    ]
    compared = count(result["n_samples"], "sample")
    said = f"{compared} compared, {result['n_fair']} fair, {result['n_skipped']} without a score"
    return [[said], Table(["measure", "agrees with people", "interval", "p"], rows)]


STUDY = Study(
    paper="coverage",
    source="section 5.4 and appendix A.4",
    help="which agrees with people on what is overrepresented, EC or representation?",
    inputs=INPUTS,
    settings=JudgementSettings,
    compute=compute,
    parts=parts,
    choices=(
        CHOICE,
        "fair summaries are left out: the paper normalizes scores there, without saying how (fair)",
        "of several equal values a measure names none, and so agrees with nobody",
    ),
    examples=("fairsum study human_judgement coverage.parquet bartscore.parquet people.csv",),
)
