"""Whether a measure names the value that people find overrepresented in a whole group of summaries."""

from __future__ import annotations

import math
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
from fairsum_utils.analysis.records import Record
from fairsum_utils.families.settings import MOST_DRAWS, Resampling, override, setting
from fairsum_utils.measures._shares import shortfall
from fairsum_utils.measures.coverage_parity import extreme_differences, mean_extremes
from fairsum_utils.measures.equal_coverage import TOLERANCE
from fairsum_utils.stats.arrays import Bools, Floats, Integers, quotient
from fairsum_utils.stats.bootstrap import bootstrap_draws, weighted_sums
from fairsum_utils.validation import count

if TYPE_CHECKING:
    from fairsum_utils.reports.tables import Part

_TIES = ("skip", "disagree", "either")
_SECOND_ORDER = ("shortfall", "difference")
_NAMERS = ("coverage_parity", "second_order")


class GroupSettings(PeopleSettings):
    """How groups are drawn and compared.

    Example:
        >>> GroupSettings(n_groups=0, module="group_level")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: group_level: n_groups must be a whole number of at least 1, found int 0
    """

    n_groups: int = setting(
        5_000, "groups, drawn with replacement", least=1, most=MOST_DRAWS, key="groups", flag="groups"
    )
    group_size: int | None = setting(
        None, "samples in a group; None for as many as there are", least=1, most=MOST_DRAWS, read=int, key="size"
    )
    ties: str = setting(
        "skip",
        "a group that as many of its samples lean towards one value as towards another: skip it; disagree, it counts "
        "and no measure agrees with it; or either, a measure agrees that names one of them",
        choices=_TIES,
        key="ties",
    )
    second_order: str = setting(
        "shortfall",
        "second-order fairness names the value that on average has the smallest shortfall, as SOF averages them; or "
        "whose share lies on average furthest above the desired one, difference",
        choices=_SECOND_ORDER,
        key="second",
    )
    seed: int | None = override(Resampling, "seed")


def group_agreement(
    samples: Sequence[Record],
    baseline_samples: Sequence[Record],
    leanings: Sequence[str | None],
    settings: GroupSettings | None = None,
) -> dict[str, Any]:
    """How often each measure names the value that people find overrepresented in a group of summaries.

    Groups are drawn with replacement from the summaries that both measures have scored. People find the value
    overrepresented that most summaries of a group lean towards; Coverage Parity names the one with the largest
    mean(C_k), second-order fairness the one with the smallest mean shortfall. Of equal numbers a measure names none.

    Args:
        samples: records of ``equal_coverage`` or ``coverage_parity``.
        baseline_samples: records of a measure of representation, of the same summaries.
        leanings: the value each summary leans towards by people's judgement; None for a fair one, which is drawn as the
            others are, but has no vote.
        settings: how groups are drawn and compared; None for the paper's.

    Returns:
        ``coverage_parity`` and ``second_order``, the shares of compared groups in which each agrees with people, in
        [0, 1], and their ``difference`` (above zero: Coverage Parity agrees more); ``named``: for each of them and for
        ``people`` the share of compared groups in which a value is named, by value; ``named_none``: the share in which
        none is, because several are equal; ``n_groups`` (drawn),
        ``n_compared``, ``n_tied`` and ``n_fair_groups`` (in which no summary leans; never compared);
        ``group_size``, ``n_samples`` (drawn from), ``n_fair`` of them and ``n_skipped``. ``undefined`` says why
        something is NaN. Time and memory grow as groups x samples x values and groups x values.

    Raises:
        InputError: columns that are not of the same samples, or a leaning towards a value that the sample does not
            have.

    Source: papers/coverage-fairness, section 5.4, last paragraph: 5,000 groups of 25 samples, in 96 % of which Coverage
    Parity agrees with people and in 4 % second-order fairness.

    Example:
        >>> one = {"index": 0, "difference_by_value": {"neg": 0.25, "pos": -0.25}}
        >>> other = {"index": 0, "values": ["neg", "pos"], "summary_share": [0.4, 0.6], "desired_share": [0.5, 0.5]}
        >>> result = group_agreement([one] * 3, [other] * 3, ["neg", "neg", None])
        >>> result["coverage_parity"], result["second_order"], result["n_fair"]
        (1.0, 0.0, 1)
    """
    settings = settings or GroupSettings(module="group_level")
    judged, n_skipped = judged_samples(settings.module, samples, baseline_samples, leanings)
    names = sorted({name for sample in judged for name in (*sample.differences, *sample.desired)})
    size = settings.group_size or len(judged)
    result: dict[str, Any] = {
        **_nothing_compared(names),
        "n_groups": settings.n_groups,
        "group_size": size,
        "n_samples": len(judged),
        "n_fair": sum(sample.leaning is None for sample in judged),
        "n_skipped": n_skipped,
        "undefined": {},
    }
    if not judged:
        return result | {"undefined": {"coverage_parity": "no sample that both measures have scored"}}
    named, votes = _named(judged, names, settings, size)
    is_leaning = votes.any(axis=1)
    is_tied = is_leaning & (named["people"] < 0)
    compared = is_leaning & ~is_tied if settings.ties == "skip" else is_leaning
    result |= {
        "n_compared": int(compared.sum()),
        "n_tied": int(is_tied.sum()),
        "n_fair_groups": int((~is_leaning).sum()),
    }
    if not compared.any():
        return result | {"undefined": {"coverage_parity": "people name no value in any group"}}
    for who in _NAMERS:
        agrees = _agrees(named[who], named["people"], votes, either=settings.ties == "either")
        result[who] = float(agrees[compared].mean())
    result["difference"] = result["coverage_parity"] - result["second_order"]
    for who, codes in named.items():
        result["named"][who] = {name: float((codes[compared] == code).mean()) for code, name in enumerate(names)}
        result["named_none"][who] = float((codes[compared] < 0).mean())
    return result


def _nothing_compared(names: Sequence[str]) -> dict[str, Any]:
    """The results where no group can be compared."""
    return {
        **dict.fromkeys((*_NAMERS, "difference"), math.nan),
        "named": {who: dict.fromkeys(names, math.nan) for who in ("people", *_NAMERS)},
        "named_none": dict.fromkeys(("people", *_NAMERS), math.nan),
        **dict.fromkeys(("n_compared", "n_tied", "n_fair_groups"), 0),
    }


def _named(
    judged: Sequence[Judged], names: Sequence[str], settings: GroupSettings, size: int
) -> tuple[dict[str, Integers], Floats]:
    """Whose number is largest in each group, to people and to each measure, and the votes, shape (groups, values)."""
    differences = _table([sample.differences for sample in judged], names)
    got, wanted = (_table([getattr(sample, key) for sample in judged], names) for key in ("summary", "desired"))
    lacking = shortfall(got, wanted) if settings.second_order == "shortfall" else wanted - got
    extreme, held = extreme_differences(differences), ~np.isnan(lacking)
    leans = np.array([[sample.leaning == name for name in names] for sample in judged])
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


def _table(entries: Sequence[Mapping[str, float]], names: Sequence[str]) -> Floats:
    """One row an entry, one column a name; NaN where it is absent."""
    return np.array([[entry.get(name, math.nan) for name in names] for entry in entries])


def _leading(numbers: Floats) -> Integers:
    """The column of the largest number of each row; -1 where several have it or none is defined."""
    known = np.where(np.isnan(numbers), -np.inf, numbers)
    leads = known >= known.max(axis=1, keepdims=True) - TOLERANCE
    is_clear = (leads.sum(axis=1) == 1) & np.isfinite(known).any(axis=1)
    return np.where(is_clear, leads.argmax(axis=1), -1)


def _agrees(named: Integers, people: Integers, votes: Floats, *, either: bool) -> Bools:
    """Whether a measure names what people name, or, with `either`, one of the values that have most votes."""
    if not either:
        return np.asarray((named == people) & (named >= 0))
    of_named = np.take_along_axis(votes, np.maximum(named, 0)[:, None], axis=1)[:, 0]
    return np.asarray((of_named == votes.max(axis=1)) & (named >= 0))


def compute(
    samples: Sequence[Record],
    baseline_samples: Sequence[Record],
    judgements: Sequence[Mapping[str, Any]],
    *,
    settings: GroupSettings,
) -> dict[str, Any]:
    """How often each measure agrees with people in groups of summaries."""
    leanings = leanings_of(settings.module, judgements, settings.raters)
    return group_agreement(samples, baseline_samples, leanings, settings)


def parts(result: dict[str, Any]) -> list[Part]:
    """A row for people and for each measure: how often it agrees, and what it names."""
    from fairsum_utils.reports.tables import Table

    titles = {"people": "people", "coverage_parity": "Coverage Parity", "second_order": "second-order fairness"}
    names = list(result["named"]["people"])
    rows = []
    for who, title in titles.items():
        named = result["named"][who]
        rows.append([title, result.get(who), *(named[name] for name in names), result["named_none"][who]])
    counts = [
        f"{count(result['n_groups'], 'group')} of {result['group_size']} from {count(result['n_samples'], 'sample')}; "
        f"{result['n_compared']} compared",
        f"in {result['n_tied']} people tie, in {result['n_fair_groups']} they lean nowhere",
        f"{count(result['n_fair'], 'sample')} fair to people, {result['n_skipped']} without a score",
    ]
    header = ["by", "agrees with people", *names, "none"]
    return [counts, Table(header, rows, title="Share of compared groups in which a value is named overrepresented")]


STUDY = Study(
    paper="coverage",
    source="section 5.4",
    help="which measure names what people find overrepresented in a group of summaries?",
    inputs=INPUTS,
    settings=GroupSettings,
    compute=compute,
    parts=parts,
    choices=(
        CHOICE,
        "a group in which people tie is left out (ties)",
        "second-order fairness names the value with the smallest mean shortfall (second-order)",
        "of several equal values a measure names none, and so agrees with nobody",
    ),
    examples=(
        "fairsum study group_level coverage.parquet bartscore.parquet people.csv",
        "fairsum study group_level coverage.parquet bartscore.parquet people.csv --groups 1000 --ties either",
    ),
)
