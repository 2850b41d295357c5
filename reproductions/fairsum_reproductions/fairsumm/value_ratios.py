"""Whose share of the summary is below its share of the sources, and by how much: the ratio of both, by value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from fairsum_reproductions.contract import Input, Study
from fairsum_reproductions.shares import (
    Shares,
    SharesSettings,
    data_set_scores,
    read_shares,
    sample_scores,
    undefined_scores,
)
from fairsum_utils.analysis.records import Record
from fairsum_utils.measures.auc import representation_ratio
from fairsum_utils.measures.bur import underrepresented
from fairsum_utils.stats.arrays import exact_mean, scalar
from fairsum_utils.stats.intervals import share_interval

if TYPE_CHECKING:
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.tables import Part

_MODULE = "value_ratios"


def ratios_by_value(shares: Shares) -> dict[str, list[float]]:
    """Value -> the ratio of its share in the summary to the desired share, of each sample that holds it.

    Args:
        shares: of the samples.

    Returns:
        In the order of the samples; one where nothing of the value is desired has no ratio.

    Source: papers/fairsumm-v2, section 6.5 and figure 4.

    Example:
        >>> shares = Shares([0], [["a", "b"]], np.array([[0.25, 0.75]]), np.array([[0.5, 0.5]]), 0)
        >>> ratios_by_value(shares)
        {'a': [0.5], 'b': [1.5]}
    """
    ratios = {value: representation_ratio(given, desired) for value, (given, desired) in shares.by_value().items()}
    return {value: of_value[~np.isnan(of_value)].tolist() for value, of_value in ratios.items()}


def underrepresented_by_value(shares: Shares, tau: float, confidence_level: float) -> dict[str, dict[str, Any]]:
    """Value -> in what share of its samples it is underrepresented, with its mid-P interval.

    Where all samples have two values that are both desired, these shares add up to BUR: a summary cannot
    underrepresent both.

    Args:
        shares: of the samples.
        tau: tolerance, in [0, 1].
        confidence_level: of the intervals, in (0, 1).

    Returns:
        For each value ``n_samples``, ``underrepresented`` in [0, 1] and ``underrepresented_ci``.

    Source: papers/fairsumm-v2, section 6.5.

    Example:
        >>> shares = Shares([0], [["a", "b"]], np.array([[0.25, 0.75]]), np.array([[0.5, 0.5]]), 0)
        >>> underrepresented_by_value(shares, 0.8, 0.95)["a"]["underrepresented"]
        1.0
    """
    table = {}
    for value, (given, desired) in shares.by_value().items():
        n, below = len(given), int(underrepresented(given, desired, tau).sum())
        table[value] = {
            "n_samples": n,
            "underrepresented": below / n,
            "underrepresented_ci": list(share_interval(below, n, confidence_level)),
        }
    return table


def compute(samples: Mapping[str, Sequence[Record]], *, settings: SharesSettings) -> dict[str, Any]:
    """The ratios of each system, and how often each value is underrepresented.

    Args:
        samples: system -> records of BUR, UER, AUC or SOF.
        settings: of the study.

    Returns:
        ``tau``, ``confidence_level`` and ``systems``: of each ``bur``, ``sof`` (of the data set), ``by_value``, see
        `underrepresented_by_value`, with ``median_ratio`` and ``mean_ratio``; ``ratios``, see `ratios_by_value`;
        ``n_samples`` and ``n_skipped``; and ``undefined``.
    """
    systems: dict[str, Any] = {}
    undefined: dict[str, str] = {}
    for name, records in samples.items():
        shares = read_shares(_MODULE, name, records)
        scores = data_set_scores(shares, sample_scores(shares, settings.tau))
        ratios = ratios_by_value(shares)
        by_value = underrepresented_by_value(shares, settings.tau, settings.confidence_level)
        for value, numbers in ratios.items():
            middle = scalar(np.median(numbers)) if numbers else np.nan
            by_value[value] |= {"median_ratio": middle, "mean_ratio": exact_mean(numbers)}
        systems[name] = {
            "bur": scores["bur"],
            "sof": scores["sof"],
            "by_value": by_value,
            "ratios": ratios,
            "n_samples": len(shares.places),
            "n_skipped": shares.n_skipped,
        }
        undefined |= undefined_scores(name, scores, shares)
        undefined |= {
            f"ratio of {value} of {name}": "nothing of it is desired"
            for value, numbers in ratios.items()
            if not numbers
        }
    return {
        "tau": settings.tau,
        "confidence_level": settings.confidence_level,
        "systems": systems,
        "undefined": undefined,
    }


def parts(result: dict[str, Any]) -> list[Part]:
    """A table a system: what the text of section 6.5 says of figure 4, for each value."""
    from fairsum_utils.reports.tables import Table, counted, interval, number

    header = ["value", "samples", "underrepresented", "interval", "median ratio", "mean ratio"]
    made: list[Part] = []
    for name, scored in result["systems"].items():
        rows = [
            [
                value,
                of_value["n_samples"],
                of_value["underrepresented"],
                interval(of_value["underrepresented_ci"]),
                of_value["median_ratio"],
                of_value["mean_ratio"],
            ]
            for value, of_value in scored["by_value"].items()
        ]
        below = [
            f"{counted(scored)}. BUR {number(scored['bur'])}, SOF {number(scored['sof'])} (tau = {result['tau']:g})",
            "Ratio: share in the summary over desired share; below 1 is less than desired.",
        ]
        made.append(Table(header, rows, name, below))
    return made


def drawing(result: dict[str, Any]) -> Drawing:
    """Figure 4: how the ratios of each value spread over samples."""
    from fairsum_utils.reports.drawings import Drawing
    from fairsum_utils.reports.drawings.tolerance import ratios_of

    panels = [ratios_of(scored["ratios"], result["tau"], name) for name, scored in result["systems"].items()]
    return Drawing("Share in the summary over desired share", panels)


STUDY = Study(
    paper="fairsumm",
    source="v2, section 6.5 and figure 4",
    help="how far is a value's share in the summary from its share in the sources?",
    inputs=(
        Input(
            "samples", "records of bur, uer, auc or sof", kind="samples", systems=True, families={"": "representation"}
        ),
    ),
    settings=SharesSettings,
    compute=compute,
    parts=parts,
    drawing=drawing,
    choices=(
        "A value is underrepresented below tau times its desired share, as in BUR; of two values only one can be, so "
        "that their rates add up to BUR: with the paper's BUR of 51.11 percent those of male and female cannot both be "
        "about 20 percent, as its text says of figure 4",
    ),
    examples=("fairsum study value_ratios gpt4.samples.jsonl", "fairsum study value_ratios gpt4=a.jsonl llama=b.jsonl"),
)
