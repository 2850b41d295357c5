"""UER, Unfair Error Rate: the mean shortfall of groups from their desired shares."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._representation import RATIO, RepresentationMeasure
from fairsum_utils.measures._shares import row_sum, shortfall
from fairsum_utils.stats.arrays import Floats, quotient

__all__ = ["ABOUT", "UER", "uer", "unfair_error"]


class UER(RepresentationMeasure):
    """The mean shortfall of groups from their desired shares."""

    name = "uer"
    title = "Unfair Error Rate"
    high = 0.5
    place = 2
    averages = "scores"
    figures = (
        Figures(
            columns=(("mean shortfall", "uer_by_value"),),
            title="Mean shortfall by group",
            axis="Desired share minus share in the summary (at least 0), mean of a group's samples; lower is fairer",
            table="",
            first="largest",
        ),
        RATIO,
    )

    def per_sample(self, p_y: Floats, p_g: Floats) -> Floats:
        """Return the mean shortfall of each sample's groups."""
        return unfair_error(p_y, p_g)


def unfair_error(p_y: Floats, p_g: Floats) -> Floats:
    """Compute (1/r) * sum over groups of max(0, p_g - p_y) for each sample.

    Args:
        p_y: shares in the summary, shape (..., r); NaN for absent groups.
        p_g: desired shares, same shape.

    Returns:
        Shape (...), in [0, 1/r] for r groups present; NaN without groups.

    Source: Zhang et al. 2024, equation 2 (its first version prints the difference the other way round).

    Example:
        >>> float(unfair_error(np.array([0.25, 0.75, np.nan]), np.array([0.5, 0.5, np.nan])))
        0.125
    """
    lacking = shortfall(p_y, p_g)
    return quotient(row_sum(lacking), (~np.isnan(lacking)).sum(axis=-1))


def uer(errors: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Compute UER, the mean over summaries of `unfair_error`.

    Args:
        errors: sum of `unfair_error` over summaries, shape (...).
        n: number of summaries, a shape that broadcasts with `errors`.

    Returns:
        Shape (...), in [0, 0.5], or in [0, 1] if a summary may represent no group at all; 0 if no group has a
        shortfall, NaN without summaries.

    Source: Zhang et al. 2024, equation 2.

    Example:
        >>> float(uer(0.125 + 0.375, n=4))
        0.125
    """
    return quotient(errors, n)


def _example() -> list[str]:
    """Show a summary that gives negative sources less than their share."""
    p_g, p_y = np.array([0.4, 0.6]), np.array([0.25, 0.75])
    lacking, error = shortfall(p_y, p_g), float(unfair_error(p_y, p_g))
    return [
        "Shares of the source words: negative reviews 0.40, positive 0.60. Shares of the summary: 0.25 and 0.75.",
        f"Shortfalls: negative max(0, 0.40 - 0.25) = {lacking[0]:.2f}, positive max(0, 0.60 - 0.75) = "
        f"{lacking[1]:.2f}.",
        f"The summary's error is their mean: ({lacking[0]:.2f} + {lacking[1]:.2f}) / 2 = {error:.4f}.",
        f"UER of this summary and a fair one: ({error:.4f} + 0) / 2 = {float(uer(error, 2)):.4f}.",
    ]


ABOUT = About(
    formula="UER = mean over summaries of (1/r) * sum over the r groups of max(0, p_g(v) - p_y(v)); p_y: share in the "
    "summary, p_g: desired share",
    example=_example,
    instead="Use bur to count the unfair summaries, and sof to see whether the same group is always short.",
)
