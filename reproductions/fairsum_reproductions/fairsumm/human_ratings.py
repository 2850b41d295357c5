"""Ratings of summaries by people: share of unfair summaries, and agreement of raters."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np

from fairsum_reproductions.agreement import krippendorff_alpha, randolph_kappa
from fairsum_reproductions.contract import Input, Intervals
from fairsum_utils.errors import InputError
from fairsum_utils.reports.tables import Part, Table, interval
from fairsum_utils.reports.wording import opening
from fairsum_utils.settings import Level, Settings, override, setting, whole
from fairsum_utils.stats.arrays import exact_mean
from fairsum_utils.stats.intervals import Moments, mean_interval
from fairsum_utils.validation import describe, is_missing

INPUTS = (
    Input(
        "ratings",
        "a row for each group of each summary",
        columns={"id": "the summary", "ratings": "list with each rater's rating, the same raters in the same places"},
        optional={"value": "the group"},
        lists=("ratings",),
    ),
)


def _majority(verdicts: Sequence[bool]) -> float | None:
    unfair = sum(verdicts)
    return None if 2 * unfair == len(verdicts) else float(2 * unfair > len(verdicts))


Combination = Literal["mean", "majority", "any"]
# Rules for the verdicts of several raters, True for unfair; None is a tie.
COMBINATIONS: Mapping[Combination, Callable[[Sequence[bool]], float | None]] = {
    "mean": exact_mean,
    "majority": _majority,
    "any": lambda verdicts: float(any(verdicts)),
}


class RatingSettings(Settings):
    """Meaning of ratings, and combination of raters."""

    combine: Combination = setting(
        "mean",
        "combination of a summary's raters: mean: share who find it unfair; majority: verdict of more than half; "
        "any: unfair if one rater finds it unfair",
        key="combine",
    )
    n_levels: Annotated[int, whole(2)] = setting(
        5, "number of ratings; only the highest one counts as fair", key="fair"
    )
    confidence_level: Level = override(Intervals, "confidence_level")


SETTINGS = RatingSettings


def compute(ratings: Sequence[Mapping[str, Any]], *, settings: RatingSettings) -> dict[str, Any]:
    """Compute the share of unfair summaries and the agreement of raters.

    A rater finds a summary unfair who gives any of its groups less than the best rating.
    """
    module, n_levels = settings.module, settings.n_levels
    rows = _read(module, ratings, n_levels)
    samples = [row["id"] for row in ratings]
    verdicts = _verdicts(samples, rows, n_levels)
    scores = {
        name: [score for rated in verdicts if rated and (score := combine(rated)) is not None]
        for name, combine in COMBINATIONS.items()
    }
    chosen = scores[settings.combine]
    unrated = sum(not rated for rated in verdicts)
    skipped = {"no_verdict": unrated, "no_majority": len(verdicts) - unrated - len(chosen)}
    units = [[rating for rating in row if rating is not None] for row in rows]
    agreed = {
        "ratings_kappa": randolph_kappa(units, n_levels, module=module),
        "verdicts_kappa": randolph_kappa(verdicts, 2, module=module),
        "ratings_alpha": krippendorff_alpha(units, "ordinal"),
    }
    undefined = {name: next(iter(found["undefined"].values())) for name, found in agreed.items() if found["undefined"]}
    if len(chosen) < 2:
        undefined["rating_score_ci"] = "an interval needs at least two summaries"
    if not chosen:
        undefined["rating_score"] = "no summary has a verdict"
    result = {
        "rating_score": exact_mean(chosen),
        "rating_score_ci": list(mean_interval(Moments.of(np.array(chosen)), settings.confidence_level, (0.0, 1.0))),
        "rating_by_combination": {name: exact_mean(column) for name, column in scores.items()},
        **{name: found[name.partition("_")[2]] for name, found in agreed.items()},
        "n_samples": len(chosen),
        "n_skipped": sum(skipped.values()),
        "skipped": {reason: n for reason, n in skipped.items() if n},
        "n_raters": len(rows[0]),
        "undefined": undefined,
    }
    if "value" in ratings[0]:
        values = [str(row["value"]) for row in ratings]
        _check_once(module, samples, values)
        result["by_value"] = _by_value(values, rows, n_levels)
    return result


def summary_verdict(ratings: Sequence[int | None], n_levels: int = 5) -> bool | None:
    """Return whether a rater finds a summary unfair: any rating below the best.

    None if missing ratings could change it.

    Source: Zhang et al. 2024, appendix E.1 ("only 5 indicates a fair summary, while 1-4 is all unfair").

    Example:
        >>> summary_verdict([5, 4]), summary_verdict([5, 5]), summary_verdict([5, None]), summary_verdict([None, 1])
        (True, False, None, True)
    """
    if any(rating is not None and rating < n_levels for rating in ratings):
        return True
    return None if None in ratings else False


def _check_once(module: str, samples: Sequence[Hashable], values: Sequence[str]) -> None:
    first: dict[tuple[Hashable, str], int] = {}
    for place, pair in enumerate(zip(samples, values, strict=True), start=1):
        if (before := first.setdefault(pair, place)) != place:
            raise InputError(
                f"{module}: rows {before} and {place} both rate the group {pair[1]!r} of summary {pair[0]!r}; use one "
                "row per group of a summary, with the ratings of all raters"
            )


def _read(module: str, rows: Sequence[Mapping[str, Any]], n_levels: int) -> list[list[int | None]]:
    """Return the ratings as whole numbers, None if missing."""
    found: list[list[int | None]] = []
    for place, row in enumerate(rows, start=1):
        cells = row["ratings"]
        if not isinstance(cells, (list, tuple)) or not cells:
            raise InputError(
                f"{module}: row {place}: ratings must be a list with a rating per rater, found {describe(cells)}"
            )
        if found and len(cells) != len(found[0]):
            raise InputError(
                f"{module}: row {place}: {len(cells)} ratings, but {len(found[0])} in row 1; give one per rater, and "
                "leave missing ratings empty"
            )
        found.append(
            [_rating(f"{module}: row {place}, rater {rater}", cell, n_levels) for rater, cell in enumerate(cells, 1)]
        )
    return found


def _rating(where: str, cell: object, n_levels: int) -> int | None:
    if is_missing(cell) or (isinstance(cell, str) and not cell.strip()):
        return None
    try:
        number = math.nan if isinstance(cell, bool) else float(cell)  # type: ignore[arg-type]  # else it raises
    except (TypeError, ValueError):
        number = math.nan
    if number not in range(1, n_levels + 1):
        raise InputError(f"{where}: a rating must be a whole number from 1 to {n_levels}, found {describe(cell)}")
    return int(number)


def _verdicts(samples: Sequence[Hashable], rows: Sequence[list[int | None]], n_levels: int) -> list[list[bool]]:
    """Return each summary's verdicts, one per rater who gave any."""
    of_samples: dict[Hashable, list[list[int | None]]] = {}
    for sample, row in zip(samples, rows, strict=True):
        of_samples.setdefault(sample, []).append(row)
    return [
        [verdict for rater in zip(*group, strict=True) if (verdict := summary_verdict(rater, n_levels)) is not None]
        for group in of_samples.values()
    ]


def _by_value(values: Sequence[str], rows: Sequence[list[int | None]], n_levels: int) -> dict[str, dict[str, Any]]:
    of_values: dict[str, list[int]] = {}
    for value, row in zip(values, rows, strict=True):
        of_values.setdefault(value, []).extend(rating for rating in row if rating is not None)
    return {
        value: {
            "unfair": exact_mean([rating < n_levels for rating in ratings]),
            "mean_rating": exact_mean(ratings),
            "n_ratings": len(ratings),
        }
        for value, ratings in sorted(of_values.items())
    }


_TITLES = {
    "ratings_kappa": "Randolph's kappa of ratings",
    "verdicts_kappa": "Randolph's kappa of verdicts",
    "ratings_alpha": "Krippendorff's alpha of ratings",
}


def parts(result: dict[str, Any]) -> list[Part]:
    """Lay out the score, agreement, ways to combine raters, and groups."""
    scores = [["unfair summaries", result["rating_score"], interval(result["rating_score_ci"])]]
    scores += [[title, result[name], None] for name, title in _TITLES.items()]
    combined = [[*entry] for entry in result["rating_by_combination"].items()]
    found: list[Part] = [
        [opening("summaries", result)],
        Table(["", "value", "interval"], scores),
        Table(["raters combined by", "unfair summaries"], combined),
    ]
    if "by_value" in result:
        rows = [[value, *entry.values()] for value, entry in result["by_value"].items()]
        found.append(Table(["group", "rated unfair", "mean rating", "ratings"], rows))
    return found
