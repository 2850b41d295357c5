"""BUR, Binary Unfair Rate: the share of summaries in which some value is underrepresented."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures, Measure
from fairsum_utils.stats.arrays import Bools, Floats, quotient

__all__ = ["ABOUT", "MEASURE", "binary_unfair", "bur", "bur_over", "underrepresented"]

MEASURE = Measure(
    "bur",
    "Binary Unfair Rate",
    "representation",
    0.0,
    1.0,
    lower_is_fairer=True,
    place=1,
    averages="shares",
    figures=Figures(
        columns=(("underrepresented", "bur_by_value"),),
        title="Underrepresented, by value",
        axis="Fraction of a value's samples that give it less than {tau:g} of its desired share",
        over_tau=True,
    ),
)


def underrepresented(p_y: Floats, p_g: Floats, tau: float) -> Bools:
    """Which values are underrepresented: p_y(v) < tau * p_g(v).

    Args:
        p_y: shares in the summary, shape (..., r); NaN where a value is absent.
        p_g: desired shares, the same shape.
        tau: tolerance in [0, 1].

    Returns:
        Shape (..., r); an absent value is never underrepresented.

    Source: papers/fairsumm-v2, definition 5.1. Strict, as defined; the released code also counts equality. Floating
    point decides an exact tie, as it does in the published numbers: a tolerance would move BUR on Yelp from 20.27
    to 20.20 percent.

    Example:
        >>> underrepresented(np.array([0.3, 0.7]), np.array([0.5, 0.5]), tau=0.8).tolist()
        [True, False]
    """
    return p_y < tau * p_g


def binary_unfair(p_y: Floats, p_g: Floats, tau: float) -> Bools:
    """Whether any value is underrepresented; BUR is its mean over samples.

    Args:
        p_y: shares in the summary, shape (..., r); NaN where a value is absent.
        p_g: desired shares, the same shape.
        tau: tolerance in [0, 1].

    Returns:
        Shape (...).

    Source: papers/fairsumm-v2, equation 1.

    Example:
        >>> bool(binary_unfair(np.array([0.45, 0.55]), np.array([0.5, 0.5]), tau=0.8))
        False
    """
    return np.asarray(underrepresented(p_y, p_g, tau).any(axis=-1))


def bur(unfair: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """BUR, the share of summaries in which some value is underrepresented.

    Args:
        unfair: number of summaries that are `binary_unfair`, shape (...).
        n: number of summaries, a shape that broadcasts with it.

    Returns:
        Shape (...), in [0, 1]; 0 where no value is underrepresented in any summary. NaN without a summary.

    Source: papers/fairsumm-v2, equation 1.

    Example:
        >>> float(bur(3, n=4))
        0.75
    """
    return quotient(unfair, n)


def bur_over(p_y: Floats, p_g: Floats, taus: Sequence[float]) -> Floats:
    """BUR at each of several tolerances; it never falls as the tolerance rises.

    Args:
        p_y: shares in the summary, shape (n, r); NaN where a value is absent.
        p_g: desired shares, the same shape.
        taus: tolerances in [0, 1].

    Returns:
        One a tolerance, in [0, 1]; NaN without a summary.

    Source: papers/fairsumm-v2, equations 1 and 3: AUC is the area below it.

    Example:
        >>> bur_over(np.array([[0.25, 0.75], [0.6, 0.4]]), np.array([[0.5, 0.5], [0.4, 0.6]]), [0.4, 0.6, 0.8]).tolist()
        [0.0, 0.5, 1.0]
    """
    return bur([binary_unfair(p_y, p_g, tau).sum() for tau in taus], len(p_y))


def _example() -> list[str]:
    """A summary that gives the negative sources less than their share, and its tolerance."""
    p_g, p_y, tau = np.array([0.4, 0.6]), np.array([0.25, 0.75]), 0.8
    below = underrepresented(p_y, p_g, tau)
    lines = [
        "Negative reviews hold 0.40 of the source words, positive ones 0.60; in the summary 0.25 and 0.75 (tau = 0.8)."
    ]
    for value, desired, share, is_below in zip(("negative", "positive"), p_g, p_y, below, strict=True):
        said = "less than that: underrepresented" if is_below else "at least that: enough"
        lines.append(
            f"{value}: tau times its desired share is {tau} * {desired:.2f} = {tau * desired:.2f}; {share:.2f} is "
            f"{said}."
        )
    unfair = int(binary_unfair(p_y, p_g, tau))
    lines.append(f"The summary underrepresents {int(below.sum())} of 2 values, so it counts {unfair}.")
    return [
        *lines,
        f"BUR over 4 such summaries of which this one alone is unfair: {unfair}/4 = {float(bur(unfair, 4)):.4f}.",
    ]


ABOUT = About(
    formula="BUR = summaries in which p_y(v) < tau * p_g(v) for some value v / summaries; p_y: share in the summary, "
    "p_g: desired share",
    example=_example,
    instead="uer says how much is missing, not how often; auc needs no tolerance; equal_coverage asks what is "
    "said, not "
    "in whose words.",
)
