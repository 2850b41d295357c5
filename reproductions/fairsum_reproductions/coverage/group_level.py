"""Agreement of measures with people, by groups of summaries."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np

from fairsum_reproductions.contract import Seed
from fairsum_reproductions.coverage._people import INPUTS, Judged, PeopleSettings, judged_samples
from fairsum_reproductions.records import Record
from fairsum_utils.measures.coverage_parity import extreme_differences, mean_extremes
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.reports.tables import Part, Table
from fairsum_utils.settings import Draws, Resampling, override, setting
from fairsum_utils.stats.arrays import Floats, Integers, quotient
from fairsum_utils.stats.bootstrap import bootstrap_draws, weighted_sums
from fairsum_utils.validation import count

INPUTS = INPUTS

_TITLES = {"people": "people", "coverage_parity": "Coverage Parity", "second_order": "second-order fairness"}
_NAMERS = ("coverage_parity", "second_order")


class GroupSettings(PeopleSettings):
    """Number, size and ties of groups."""

    n_groups: Draws = setting(5_000, "number of sets of summaries, drawn with replacement", key="groups")
    group_size: Draws | None = setting(None, "samples in a set; None for all samples", key="size")
    ties: Literal["skip", "disagree", "either"] = setting(
        "skip",
        "a group that as many of its samples lean towards one value as towards another: skip it; disagree, it counts "
        "and no measure agrees with it; or either, a measure agrees that names one of them",
        key="ties",
    )
    second_order: Literal["shortfall", "difference"] = setting(
        "shortfall",
        "second-order fairness names the value that on average has the smallest shortfall, as SOF averages them; or "
        "whose share lies on average furthest above the desired one, difference",
        key="second",
    )
    seed: Seed = override(Resampling, "seed")


SETTINGS = GroupSettings


def compute(
    samples: Sequence[Record],
    baseline_samples: Sequence[Record],
    judgements: Sequence[Mapping[str, Any]],
    *,
    settings: GroupSettings,
) -> dict[str, Any]:
    """Compute how often each measure and people name the same group.

    Groups are drawn with replacement from the summaries that both measures have scored. People find the value
    overrepresented that most summaries of a group lean towards; Coverage Parity names the one with the largest
    mean(C_k), second-order fairness the one with the smallest mean shortfall. Of equal numbers a measure names none.
    Time and memory grow as groups x samples x values and groups x values.
    """
    judged, leanings = judged_samples(settings, samples, baseline_samples, judgements)
    names = sorted({name for each in judged for name in (*each.differences, *each.above)})
    size = settings.group_size or len(judged)
    result: dict[str, Any] = {
        **dict.fromkeys((*_NAMERS, "difference"), math.nan),
        "named": {rater: dict.fromkeys(names, math.nan) for rater in _TITLES},
        "named_none": dict.fromkeys(_TITLES, math.nan),
        **dict.fromkeys(("n_compared", "n_tied", "n_fair_groups"), 0),
        "n_groups": settings.n_groups,
        "group_size": size,
        "n_samples": len(judged),
        "n_fair": sum(each.leaning is None for each in judged),
        "n_skipped": len(leanings) - len(judged),
        "undefined": {},
    }
    if not judged:
        return result | {"undefined": {"coverage_parity": "no sample was scored by both measures"}}
    named, votes = _named(judged, names, settings, size)
    is_leaning = votes.any(axis=1)
    is_tied = is_leaning & (named["people"] < 0)
    compared = is_leaning & ~is_tied if settings.ties == "skip" else is_leaning
    counted = {"n_compared": compared, "n_tied": is_tied, "n_fair_groups": ~is_leaning}
    result |= {name: int(chosen.sum()) for name, chosen in counted.items()}
    if not compared.any():
        return result | {"undefined": {"coverage_parity": "people name no group in any set"}}
    votes = votes[compared]
    for rater, of_all in named.items():
        codes = of_all[compared]
        if rater in _NAMERS:
            agrees = codes == named["people"][compared]
            if settings.ties == "either":
                agrees = votes[np.arange(len(codes)), codes] == votes.max(axis=1)
            result[rater] = float((agrees & (codes >= 0)).mean())
        result["named"][rater] = {name: float((codes == code).mean()) for code, name in enumerate(names)}
        result["named_none"][rater] = float((codes < 0).mean())
    result["difference"] = result["coverage_parity"] - result["second_order"]
    return result


def _named(
    judged: Sequence[Judged], names: Sequence[str], settings: GroupSettings, size: int
) -> tuple[dict[str, Integers], Floats]:
    """Return the groups that people and measures name, and the votes."""
    differences, above = (
        np.array([[entry.get(name, math.nan) for name in names] for entry in entries])
        for entries in zip(*((each.differences, each.above) for each in judged), strict=True)
    )
    lacking = np.maximum(0.0, -above) if settings.second_order == "shortfall" else -above
    extreme, held = extreme_differences(differences), ~np.isnan(lacking)
    leans = np.array([[each.leaning == name for name in names] for each in judged])
    columns = [np.where(extreme, differences, 0.0), extreme, np.where(held, lacking, 0.0), held, leans]
    draws = bootstrap_draws(len(judged), settings.n_groups, settings.seed, size)
    sums = weighted_sums(draws, np.concatenate(columns, axis=1, dtype=np.float64), settings.n_groups)
    extremes, n_extreme, lacked, n_held, votes = np.split(sums, len(columns), axis=1)
    named = {
        "people": _leading(votes),
        "coverage_parity": _leading(mean_extremes(extremes, n_extreme)),
        "second_order": _leading(-quotient(lacked, n_held)),
    }
    return named, votes


def _leading(numbers: Floats) -> Integers:
    """Return each row's column of the maximum; -1 for ties or undefined rows."""
    known = np.where(np.isnan(numbers), -np.inf, numbers)
    leads = known >= known.max(axis=1, keepdims=True) - TOLERANCE
    is_clear = (leads.sum(axis=1) == 1) & np.isfinite(known).any(axis=1)
    return np.where(is_clear, leads.argmax(axis=1), -1)


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out agreement and named groups, a row per measure and for people."""
    names = list(result["named"]["people"])
    rows = []
    for rater, title in _TITLES.items():
        named = result["named"][rater]
        rows.append([title, result.get(rater), *(named[name] for name in names), result["named_none"][rater]])
    counts = [
        f"{count(result['n_groups'], 'group')} of {result['group_size']} from {count(result['n_samples'], 'sample')}; "
        f"{result['n_compared']} compared",
        f"people tie in {result['n_tied']}, and find {result['n_fair_groups']} fair",
        f"{count(result['n_fair'], 'sample')} fair to people, {result['n_skipped']} without a score",
    ]
    header = ["by", "agrees with people", *names, "none"]
    return [counts, Table(header, rows, title="Share of compared sets in which a group is named overrepresented")]
