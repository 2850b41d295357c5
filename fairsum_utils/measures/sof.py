"""SOF, Second-Order Fairness: the spread of mean shortfalls between groups."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._representation import RATIO, RepresentationMeasure
from fairsum_utils.measures._shares import row_sum, shortfall
from fairsum_utils.stats.arrays import Floats, quotient

__all__ = ["ABOUT", "SOF", "sample_sof", "sof"]


class SOF(RepresentationMeasure):
    """The spread of mean shortfalls between groups."""

    name = "sof"
    title = "Second-Order Fairness"
    high = 0.5
    place = 4
    figures = (
        Figures(
            columns=(("mean shortfall", "sof_by_value"),),
            title="Mean shortfall by group",
            axis="Desired share minus share in the summary (at least 0), mean of a group's samples; lower is fairer",
            table="",
            first="largest",
        ),
        RATIO,
    )


def sof(shortfalls: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Compute SOF, the mean over groups of |m_v - mean(m)|.

    Args:
        shortfalls: sum of each group's shortfalls over its samples, shape (..., groups).
        n: number of these samples, a shape that broadcasts with `shortfalls`.

    Returns:
        Shape (...), in [0, 0.5]; 0 if all groups have the same mean shortfall. NaN with fewer than two groups or a
        group without samples.

    Source: Zhang et al. 2024, definition 5.4; over the whole data set, as in the released code.

    Example:
        >>> float(sof(np.array([0.0, 0.25]), n=np.array([4, 2])))
        0.0625
    """
    means = quotient(shortfalls, n)
    if means.shape[-1] < 2:
        return np.full(means.shape[:-1], np.nan)
    centre = means.mean(axis=-1, keepdims=True)
    return np.asarray(np.abs(means - centre).mean(axis=-1))


def sample_sof(p_y: Floats, p_g: Floats) -> Floats:
    """Compute SOF of single summaries, the mean of |s_v - mean(s)|.

    SOF of a data set is not the mean of these, see `sof`. With U for `unfair_error`, r groups and shares with sum 1, it
    lies between 2 U / r and 2 U (1 - 1 / r), because at least one group has no shortfall; with two groups it equals U.

    Args:
        p_y: shares in the summary, shape (..., r); NaN for absent groups.
        p_g: desired shares, same shape.

    Returns:
        Shape (...), in [0, 0.5]; 0 for a single group, NaN without groups.

    Source: Zhang et al. 2024, equation 4.

    Example:
        >>> round(float(sample_sof(np.array([0.2, 0.4, 0.4]), np.array([0.5, 0.25, 0.25]))), 12)  # lacking 0.3, 0, 0
        0.133333333333
    """
    lacking = shortfall(p_y, p_g)
    n = (~np.isnan(lacking)).sum(axis=-1)
    centre = quotient(row_sum(lacking), n)
    return quotient(row_sum(np.abs(lacking - centre[..., None])), n)


def _example() -> list[str]:
    """Show two groups with different mean shortfalls."""
    sums, n = np.array([0.6, 0.2]), np.array([4, 4])
    means = quotient(sums, n)
    centre = float(means.mean())
    return [
        "Over 4 summaries, shortfalls max(0, p_g - p_y) add up to 0.60 for negative and 0.20 for positive sources.",
        f"Mean shortfalls: negative 0.60 / 4 = {means[0]:.2f}, positive 0.20 / 4 = {means[1]:.2f}; the mean of both "
        f"is {centre:.2f}.",
        f"Distances from that mean: {abs(means[0] - centre):.2f} and {abs(means[1] - centre):.2f}.",
        f"SOF is the mean distance: {float(sof(sums, n)):.4f}.",
    ]


ABOUT = About(
    formula="SOF = (1/r) * sum over the r groups of |m(v) - mean of all m|; m(v): mean of max(0, p_g(v) - p_y(v)) "
    "over the samples with group v",
    example=_example,
    instead="Use uer for the size and bur for the frequency of underrepresentation, and coverage_parity to compare "
    "content instead of words.",
)
