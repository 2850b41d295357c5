"""Ratings of summaries: share of unfair summaries, and rater agreement.

Source: fairsumm-v2, section 6.3, table 5 and appendix E.1.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families import Resampling, override, setting
from fairsum_utils.families.settings import USUAL_LEVEL, check_level
from fairsum_utils.signature import render_signature
from fairsum_utils.stats.agreement import (
    COMBINATIONS,
    combined,
    is_missing,
    krippendorff_alpha,
    randolph_kappa,
    summary_verdict,
)
from fairsum_utils.stats.arrays import exact_mean
from fairsum_utils.stats.intervals import Moments, mean_interval
from fairsum_utils.validation import check_columns, describe


class Intervals(Resampling):
    """Settings of an analysis that always gives intervals."""

    confidence_level: float = override(
        Resampling,
        "confidence_level",
        type="float",
        default=USUAL_LEVEL,
        check=check_level,
        help="level of the intervals",
        read=float,
    )
    # Samples are always resampled.
    bootstrap = None


class RatingSettings(Intervals):
    """Meaning of ratings, and combination of raters."""

    combine: str = setting(
        "mean",
        "combination of a summary's raters: mean: share who find it unfair; majority: verdict of more than half; "
        "any: unfair if one rater finds it unfair",
        choices=tuple(COMBINATIONS),
        key="combine",
    )
    n_levels: int = setting(
        5, "number of ratings; only the highest one counts as fair", least=2, flag="levels", key="fair"
    )


def rating_agreement(
    samples: Sequence[Hashable],
    ratings: Sequence[Sequence[object]],
    *,
    values: Sequence[str] | None = None,
    settings: RatingSettings | None = None,
    module: str = "agree",
) -> dict[str, Any]:
    """Return the rating-based human score and the agreement of raters.

    Each row holds the ratings of one value of one summary, 1 (at most 20% of its share in the sources) to 5 (at least
    80%, fair). A rater finds a summary unfair who gives any of its values less than the best rating.

    Args:
        samples: Summary of each row.
        ratings: Ratings in each row, with the same raters in the same places; whole numbers from 1 to
            ``settings.n_levels``; None, NaN or "" where there is none.
        values: Value of each row, for ``by_value``; None omits it.
        settings: Settings for combining raters and resampling summaries; None for the defaults.
        module: name used in messages.

    Returns:
        ``rating_score`` (share of unfair summaries, in [0, 1]), ``rating_score_ci`` (bootstrap over summaries; the
        raters stay the same), ``rating_by_combination`` (the same for every way to combine raters; a summary without a
        verdict is left out of each), ``by_value`` (value -> ``unfair``, the share of its ratings below the best,
        ``mean_rating`` and ``n_ratings``), ``ratings_kappa`` (Randolph's over all ratings of a value of a summary,
        ``n_levels`` categories), ``verdicts_kappa`` (over the raters' verdicts on a summary, two categories),
        ``ratings_alpha`` (Krippendorff's, ordinal), ``n_samples``, ``n_skipped``, ``skipped`` (reason -> count),
        ``n_raters``, ``choices``, ``undefined`` and ``signature``.

    Raises:
        InputError: columns of different length, rows of different numbers of raters, something that is no rating, two
            rows of the same value of the same summary.

    Source: fairsumm-v2, section 6.3, table 5 and appendix E.1. The paper says neither how four raters are combined nor
    of what the kappa of 0.41 is; table 5's 51.76 is the share of no number of summaries below 85.

    Example:
        >>> result = rating_agreement(["a", "a", "b"], [[5, 5], [5, 4], [5, 5]])
        >>> result["rating_score"], result["rating_by_combination"]
        (0.25, {'mean': 0.25, 'majority': 0.0, 'any': 0.5})
    """
    options = (settings or RatingSettings()).seeded()
    combine, n_levels = options.combine, options.n_levels
    check_columns(module, samples=samples, ratings=ratings, **({} if values is None else {"values": values}))
    if values is not None:
        _check_once(module, samples, values)
    rows = _read(module, ratings, n_levels)
    verdicts = _verdicts(samples, rows, n_levels)
    scores = {
        name: [score for rated in verdicts if rated and (score := combined(rated, name)) is not None]
        for name in COMBINATIONS
    }
    unrated = sum(not rated for rated in verdicts)
    skipped = {"no_verdict": unrated, "no_majority": len(verdicts) - unrated - len(scores[combine])}
    agreed, disagreed = _agreed(module, rows, verdicts, n_levels)
    mean, undefined = _score(scores[combine], options)
    return {
        **mean,
        "rating_by_combination": {name: exact_mean(column) for name, column in scores.items()},
        **({} if values is None else {"by_value": _by_value(values, rows, n_levels)}),
        **agreed,
        "n_samples": len(scores[combine]),
        "n_skipped": sum(skipped.values()),
        "skipped": {reason: n for reason, n in skipped.items() if n},
        "n_raters": len(rows[0]),
        "choices": _choices(combine, n_levels),
        "undefined": undefined | disagreed,
        "signature": render_signature(
            {info.key: getattr(options, info.name) for info in options.infos().values() if info.key is not None}
        ),
    }


def _choices(combine: str, n_levels: int) -> list[str]:
    """List the choices that the paper leaves open."""
    return [
        f"a rater finds a summary unfair if any of its groups is rated below {n_levels}",
        f"raters are combined by {combine}: {COMBINATIONS[combine]}",
        f"kappa is computed for single ratings ({n_levels} categories) and for the raters' verdicts (2)",
    ]


def _score(scores: Sequence[float], options: Intervals) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the mean over summaries with interval, and reasons if undefined."""
    undefined = {}
    if len(scores) < 2:
        undefined["rating_score_ci"] = "an interval needs at least two summaries"
    if not scores:
        undefined["rating_score"] = "no summary has a verdict"
    ends = mean_interval(Moments.of(np.array(scores)), options.confidence_level, (0.0, 1.0))
    return {"rating_score": exact_mean(scores), "rating_score_ci": list(ends)}, undefined


def _agreed(
    module: str, rows: list[list[int | None]], verdicts: list[list[bool]], n_levels: int
) -> tuple[dict[str, float], dict[str, str]]:
    """Compute the agreement of raters, with reasons where it is undefined."""
    units = [[rating for rating in row if rating is not None] for row in rows]
    found = {
        "ratings_kappa": ("kappa", randolph_kappa(units, n_levels, module=module)),
        "verdicts_kappa": ("kappa", randolph_kappa(verdicts, 2, module=module)),
        "ratings_alpha": ("alpha", krippendorff_alpha(units, "ordinal")),
    }
    reasons = {name: of["undefined"][key] for name, (key, of) in found.items() if of["undefined"]}
    return {name: of[key] for name, (key, of) in found.items()}, reasons


def _check_once(module: str, samples: Sequence[Hashable], values: Sequence[str]) -> None:
    first: dict[tuple[Hashable, str], int] = {}
    for index, pair in enumerate(zip(samples, values, strict=True)):
        if (before := first.setdefault(pair, index)) != index:
            raise InputError(
                f"{module}: rows {before} and {index} both rate the group {pair[1]!r} of sample {pair[0]!r}; use one "
                f"row per group of a summary, with the ratings of all raters"
            )


def _read(module: str, ratings: Sequence[Sequence[object]], n_levels: int) -> list[list[int | None]]:
    """Return the ratings as whole numbers, None if missing."""
    rows: list[list[int | None]] = []
    for index, cells in enumerate(ratings):
        if len(cells) != len(ratings[0]) or not cells:
            raise InputError(
                f"{module}: row {index}: {len(cells)} ratings, but {len(ratings[0])} in row 0; give one per rater, "
                "and leave missing ratings empty"
            )
        rows.append(
            [_rating(f"{module}: row {index}, rater {rater}", cell, n_levels) for rater, cell in enumerate(cells)]
        )
    return rows


def _rating(where: str, cell: object, n_levels: int) -> int | None:
    if is_missing(cell):
        return None
    try:
        number = math.nan if isinstance(cell, bool) else float(cell)  # type: ignore[arg-type]  # else it raises
    except (TypeError, ValueError):
        number = math.nan
    if number not in range(1, n_levels + 1):
        raise InputError(f"{where}: a rating must be a whole number from 1 to {n_levels}, found {describe(cell)}")
    return int(number)


def _verdicts(samples: Sequence[Hashable], rows: list[list[int | None]], n_levels: int) -> list[list[bool]]:
    """Return each summary's verdicts, one per rater who gave any."""
    of_samples: dict[Hashable, list[list[int | None]]] = {}
    for sample, row in zip(samples, rows, strict=True):
        of_samples.setdefault(sample, []).append(row)
    return [
        [verdict for rater in zip(*group, strict=True) if (verdict := summary_verdict(rater, n_levels)) is not None]
        for group in of_samples.values()
    ]


def _by_value(values: Sequence[str], rows: list[list[int | None]], n_levels: int) -> dict[str, dict[str, Any]]:
    of_values: dict[str, list[int]] = {}
    for value, row in zip(values, rows, strict=True):
        of_values.setdefault(str(value), []).extend(rating for rating in row if rating is not None)
    return {
        value: {
            "unfair": exact_mean([rating < n_levels for rating in ratings]),
            "mean_rating": exact_mean(ratings),
            "n_ratings": len(ratings),
        }
        for value, ratings in sorted(of_values.items())
    }
