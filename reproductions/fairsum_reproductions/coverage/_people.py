"""What people find overrepresented, beside what coverage and proportional representation say of the same summaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from fairsum_reproductions.contract import Input
from fairsum_utils.analysis.records import Record, check_paired, record_entries
from fairsum_utils.errors import InputError
from fairsum_utils.families.settings import Settings, setting
from fairsum_utils.validation import check_columns, describe

_FAIR = "fair"
"""What a rater says of a summary that leans towards no value."""
_RATERS = ("most", "leaning")

INPUTS = (
    Input("samples", "records of equal_coverage or coverage_parity", "samples", families={"": "coverage"}),
    Input(
        "baseline_samples",
        "records of representation, of the same summaries",
        "samples",
        families={"": "representation"},
    ),
    Input(
        "judgements",
        "what people said of them, in the same order",
        optional={
            "leaning": f"the value that a summary leans towards; empty or {_FAIR!r} for a fair one",
            "labels": "instead of it, a list of what each rater said",
        },
        lists=("labels",),
    ),
)
"""Of studies that compare measures with people."""
CHOICE = "a summary leans as most of its raters say, fair being an answer (raters)"


class PeopleSettings(Settings):
    """How what several raters say of a summary becomes one judgement."""

    raters: str = setting(
        "most",
        "a summary has the label that most of its raters give, fair or not, most; or the value that most of those give "
        "who do not call it fair, leaning; where two are given equally often, it is fair",
        choices=_RATERS,
        key="raters",
    )


class Judged(NamedTuple):
    """A summary that people have judged, and both measures.

    Attributes:
        place: position in the data.
        leaning: the value that it leans towards by people's judgement; None for a fair one.
        differences: value -> c_k.
        summary: value -> its share in the summary.
        desired: value -> the share that it should have.
    """

    place: int
    leaning: str | None
    differences: Mapping[str, float]
    summary: Mapping[str, float]
    desired: Mapping[str, float]


def leaning_of(labels: Sequence[str | None], raters: str = "most") -> str | None:
    """The value that a summary leans towards by the judgement of several people; None for a fair one.

    Args:
        labels: what each of them says: a value, or None, ``""`` or ``"fair"``.
        raters: see `PeopleSettings`.

    Source: papers/coverage-fairness, appendix A.4: "leaning negative if more annotators annotate it as leaning
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


def leanings_of(module: str, judgements: Sequence[Mapping[str, Any]], raters: str = "most") -> list[str | None]:
    """What people say of each summary, from rows of judgements.

    Args:
        module: name used in messages.
        judgements: rows with ``labels``, what each rater says, or with ``leaning``, what they say together.
        raters: see `PeopleSettings`.

    Raises:
        InputError: a row has neither, or something else in them.

    Example:
        >>> leanings_of("group_level", [{"leaning": "neg"}, {"leaning": "fair"}, {"labels": ["pos", "neg", "pos"]}])
        ['neg', None, 'pos']
    """
    leanings = []
    for place, row in enumerate(judgements):
        name = "labels" if row.get("labels") is not None else "leaning"
        if name not in row:
            raise InputError(f"{module}: judgements[{place}] has neither 'leaning' nor 'labels'; give one of them")
        labels = row[name] if name == "labels" else [row[name]]
        if not isinstance(labels, (list, tuple)) or not all(isinstance(each, str | None) for each in labels):
            wanted = "a list of values" if name == "labels" else "a value"
            raise InputError(
                f"{module}: judgements[{place}]: {name} must be {wanted}, or {_FAIR!r} instead of one, found "
                f"{describe(row[name])}"
            )
        leanings.append(leaning_of(labels, raters))
    return leanings


def judged_samples(
    module: str,
    samples: Sequence[Record],
    baseline_samples: Sequence[Record],
    leanings: Sequence[str | None],
) -> tuple[list[Judged], int]:
    """Put together what both measures and people say of each summary.

    Args:
        module: name used in messages.
        samples: records of ``equal_coverage`` or ``coverage_parity``.
        baseline_samples: records of a measure of representation, of the same summaries.
        leanings: the value each summary leans towards by people's judgement; None for a fair one.

    Returns:
        The summaries that both measures have scored, and how many others people have judged.

    Raises:
        InputError: columns that are not of the same samples, or a leaning towards a value that the sample does not
            have.
    """
    check_columns(module, samples=samples, baseline_samples=baseline_samples, judgements=leanings)
    check_paired(module, samples=samples, baseline_samples=baseline_samples)
    differences: list[Any] = record_entries(module, "samples", samples, "difference_by_value")
    columns = [
        record_entries(module, "baseline_samples", baseline_samples, key)
        for key in ("values", "summary_share", "desired_share")
    ]
    judged = []
    for place, (leaning, by_value, values, got, wanted) in enumerate(zip(leanings, differences, *columns, strict=True)):
        if not by_value or not got:
            continue
        if leaning is not None and leaning not in by_value:
            raise InputError(
                f"{module}: judgements[{place}] leans towards {leaning!r}, but the values of the sample are "
                f"{', '.join(by_value)}; give one of them, or {_FAIR!r} for a fair summary"
            )
        shares = (dict(zip(values, column, strict=True)) for column in (got, wanted))
        judged.append(Judged(place, leaning, by_value, *shares))
    return judged, len(differences) - len(judged)
