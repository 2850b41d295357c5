"""UER, Unfair Error Rate: the mean share that a value lacks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures, Measure
from fairsum_utils.measures._shares import row_sum, shortfall
from fairsum_utils.stats.arrays import Floats, quotient

__all__ = ["ABOUT", "MEASURE", "uer", "unfair_error"]

MEASURE = Measure(
    "uer",
    "Unfair Error Rate",
    "representation",
    0.0,
    0.5,
    lower_is_fairer=True,
    place=2,
    averages="scores",
    figures=Figures(
        columns=(("mean shortfall", "uer_by_value"),),
        title="Mean shortfall by value",
        axis="What the share in the summary lacks of the desired share, mean of a value's samples",
    ),
)


def unfair_error(p_y: Floats, p_g: Floats) -> Floats:
    """(1/r) * sum over values of max(0, p_g - p_y); UER is its mean over samples.

    Args:
        p_y: shares in the summary, shape (..., r); NaN where a value is absent.
        p_g: desired shares, the same shape.

    Returns:
        Shape (...), in [0, 1/r] where r counts the values present; NaN if none is.

    Source: papers/fairsumm-v2, equation 2 (v1 prints the difference the other way round).

    Example:
        >>> float(unfair_error(np.array([0.25, 0.75, np.nan]), np.array([0.5, 0.5, np.nan])))
        0.125
    """
    lacking = shortfall(p_y, p_g)
    return quotient(row_sum(lacking), (~np.isnan(lacking)).sum(axis=-1))


def uer(errors: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """UER, the mean over summaries of the mean share that a value lacks.

    Args:
        errors: sum of `unfair_error` over summaries, shape (...).
        n: number of these summaries, a shape that broadcasts with it.

    Returns:
        Shape (...), in [0, 0.5], or in [0, 1] where a summary may speak for none, not even for the only value; 0
        where no value lacks anything. NaN without a summary.

    Source: papers/fairsumm-v2, equation 2.

    Example:
        >>> float(uer(0.125 + 0.375, n=4))
        0.125
    """
    return quotient(errors, n)


def _example() -> list[str]:
    """A summary that gives the negative sources less than their share."""
    p_g, p_y = np.array([0.4, 0.6]), np.array([0.25, 0.75])
    lacking, error = shortfall(p_y, p_g), float(unfair_error(p_y, p_g))
    return [
        "Negative reviews hold 0.40 of the source words, positive ones 0.60; in the summary 0.25 and 0.75.",
        f"Negative lacks max(0, 0.40 - 0.25) = {lacking[0]:.2f}, positive max(0, 0.60 - 0.75) = {lacking[1]:.2f}.",
        f"The summary's error is their mean: ({lacking[0]:.2f} + {lacking[1]:.2f}) / 2 = {error:.4f}.",
        f"UER over this summary and one that lacks nothing: ({error:.4f} + 0) / 2 = {float(uer(error, 2)):.4f}.",
    ]


ABOUT = About(
    formula="UER = mean over summaries of (1/r) * sum over the r values of max(0, p_g(v) - p_y(v)); p_y: share in the "
    "summary, p_g: desired share",
    example=_example,
    instead="bur says in how many summaries it is too much; sof whether it is always the same value that lacks.",
)
