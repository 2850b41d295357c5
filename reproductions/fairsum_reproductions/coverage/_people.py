"""Human judgements, paired with coverage and proportional representation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from fairsum_reproductions.contract import Input
from fairsum_reproductions.records import Record, check_paired, record_entries
from fairsum_utils.errors import InputError
from fairsum_utils.settings import Settings, setting
from fairsum_utils.validation import check_columns, describe

# The label of a summary that leans towards no value.
_FAIR = "fair"

INPUTS = (
    Input("samples", "equal_coverage or coverage_parity records", "samples", families={"": "coverage"}),
    Input(
        "baseline_samples",
        "representation records of the same summaries",
        "samples",
        families={"": "representation"},
    ),
    Input(
        "judgements",
        "human judgements of the same summaries, in the same order",
        optional={
            "leaning": f"group that the summary favours; empty or {_FAIR!r} for a fair summary",
            "labels": "alternatively, a list with each rater's label",
        },
        lists=("labels",),
    ),
)


class PeopleSettings(Settings):
    """Rule for several raters."""

    raters: Literal["most", "leaning"] = setting(
        "most",
        "rule for several raters: most (the most frequent label, fair or not) or leaning (the most frequent label "
        "other than fair); ties count as fair",
        key="raters",
    )


class Judged(NamedTuple):
    """Summary with a human judgement and both measures.

    Attributes:
        leaning: the value that it leans towards by people's judgement; None for a fair one.
        differences: value -> c_k.
        above: value -> how far its share in the summary lies above the desired one.
    """

    leaning: str | None
    differences: Mapping[str, float]
    above: Mapping[str, float]


def leaning_of(labels: Sequence[str | None], raters: str = "most") -> str | None:
    """Return the group that most people name as favoured, or None if fair.

    Source: Li et al. 2025, appendix A.4: "leaning negative if more annotators annotate it as leaning
    negative, leaning positive if more annotators annotate it as leaning positive, otherwise fair", which leaves open
    what they must be more than.

    Example:
        >>> leaning_of(["neg", "neg", "fair"]), leaning_of(["neg", "fair", "fair"]), leaning_of(["neg", "pos", "fair"])
        ('neg', None, None)
        >>> leaning_of(["neg", "fair", "fair"], raters="leaning")
        'neg'
    """
    counts = Counter(None if label in (None, "", _FAIR) else label for label in labels)
    if raters == "leaning":
        del counts[None]
    (first, most), *others = counts.most_common(2) or [(None, 0)]
    return None if others and others[0][1] == most else first


def _leaning(where: str, row: Mapping[str, Any], raters: str) -> str | None:
    """Return a row's judgement, from its ``labels`` or its ``leaning``."""
    name = "labels" if row.get("labels") is not None else "leaning"
    if name not in row:
        raise InputError(f"{where} has neither 'leaning' nor 'labels'; give one of them")
    labels = row[name] if name == "labels" else [row[name]]
    if not isinstance(labels, (list, tuple)) or not all(isinstance(each, str | None) for each in labels):
        wanted = "a list of values" if name == "labels" else "a value"
        raise InputError(f"{where}: {name} must be {wanted}, or {_FAIR!r} instead of one, found {describe(row[name])}")
    return leaning_of(labels, raters)


def judged_samples(
    settings: PeopleSettings,
    samples: Sequence[Record],
    baseline_samples: Sequence[Record],
    judgements: Sequence[Mapping[str, Any]],
) -> tuple[list[Judged], list[str | None]]:
    """Return the summaries scored by both measures, and all judgements.

    Raises:
        InputError: a row without a judgement, columns that are not of the same samples, or a leaning towards a value
            that the sample does not have.
    """
    module = settings.module
    leanings = [_leaning(f"{module}: judgements[{n}]", row, settings.raters) for n, row in enumerate(judgements)]
    check_columns(module, samples=samples, baseline_samples=baseline_samples, judgements=leanings)
    check_paired(module, samples=samples, baseline_samples=baseline_samples)
    differences = record_entries(module, "samples", samples, "difference_by_value")
    shares = (
        record_entries(module, "baseline_samples", baseline_samples, key)
        for key in ("values", "summary_share", "desired_share")
    )
    judged = []
    for place, (leaning, by_value, *of_values) in enumerate(zip(leanings, differences, *shares, strict=True)):
        if not by_value or not of_values[1]:
            continue
        if leaning is not None and leaning not in by_value:
            raise InputError(
                f"{module}: judgements[{place}] leans towards {leaning!r}, but the sample's groups are "
                f"{', '.join(by_value)}; give one of them, or {_FAIR!r} for a fair summary"
            )
        above = {value: got - wanted for value, got, wanted in zip(*of_values, strict=True)}
        judged.append(Judged(leaning, by_value, above))
    return judged, leanings
