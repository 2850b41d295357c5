"""SOF, Second-Order Fairness: how unevenly the shortfall is spread over the values."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures, Measure
from fairsum_utils.measures._shares import row_sum, shortfall
from fairsum_utils.stats.arrays import Floats, quotient

__all__ = ["ABOUT", "MEASURE", "sample_sof", "sof"]

MEASURE = Measure(
    "sof",
    "Second-Order Fairness",
    "representation",
    0.0,
    0.5,
    lower_is_fairer=True,
    place=4,
    figures=Figures(
        columns=(("mean shortfall", "sof_by_value"),),
        title="Mean shortfall by value",
        axis="What the share in the summary lacks of the desired share, mean of a value's samples",
    ),
)


def sof(shortfalls: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """SOF, the mean over values of |m_v - mean(m)|, where m_v is the mean shortfall of value v over its samples.

    Args:
        shortfalls: sum of each value's shortfall over the samples that hold it, shape (..., n_values).
        n: number of these samples, a shape that broadcasts with it.

    Returns:
        Shape (...), in [0, 0.5]; 0 where all values lack the same. NaN where fewer than two values exist or one is in
        no sample.

    Source: papers/fairsumm-v2, definition 5.4; over the whole data set, as in the released code.

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
    """SOF of each summary by itself: the mean over its values of |s_v - mean(s)|, where s_v is what value v lacks.

    SOF of a data set is not the mean of these, see `sof`. With U for `unfair_error` and r values, and shares that sum
    to 1, it lies between 2 U / r and 2 U (1 - 1 / r), for what lacks least lacks nothing; so with two values it is
    that very error.

    Args:
        p_y: shares in the summary, shape (..., r); NaN where a value is absent.
        p_g: desired shares, the same shape.

    Returns:
        Shape (...), in [0, 0.5]; 0 for a single value, NaN where no value is present.

    Source: papers/fairsumm-v2, equation 4.

    Example:
        >>> round(float(sample_sof(np.array([0.2, 0.4, 0.4]), np.array([0.5, 0.25, 0.25]))), 12)  # lacking 0.3, 0, 0
        0.133333333333
    """
    lacking = shortfall(p_y, p_g)
    n = (~np.isnan(lacking)).sum(axis=-1)
    centre = quotient(row_sum(lacking), n)
    return quotient(row_sum(np.abs(lacking - centre[..., None])), n)


def _example() -> list[str]:
    """Two values, of which one lacks more on average."""
    sums, n = np.array([0.6, 0.2]), np.array([4, 4])
    means = quotient(sums, n)
    centre = float(means.mean())
    return [
        "In 4 summaries negative lacks 0.60 in all, positive 0.20 (what each lacks is max(0, p_g - p_y), as in UER).",
        f"Means: negative 0.60 / 4 = {means[0]:.2f}, positive 0.20 / 4 = {means[1]:.2f}; their mean is {centre:.2f}.",
        f"Distances from it: {abs(means[0] - centre):.2f} and {abs(means[1] - centre):.2f}.",
        f"SOF, their mean: {float(sof(sums, n)):.4f}.",
    ]


ABOUT = About(
    formula="SOF = (1/r) * sum over the r values of |m(v) - mean of all m|; m(v): mean shortfall max(0, p_g(v) - "
    "p_y(v)) "
    "over the samples that hold v",
    example=_example,
    instead="uer and bur say how much and how often somebody lacks; coverage_parity asks the same of what is "
    "said rather "
    "than of words.",
)
