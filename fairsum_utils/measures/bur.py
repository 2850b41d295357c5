"""BUR, Binary Unfair Rate: the share of summaries that underrepresent a group."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._representation import RATIO, RepresentationMeasure
from fairsum_utils.settings import Fraction, setting
from fairsum_utils.stats.arrays import Bools, Floats, quotient

__all__ = ["ABOUT", "BUR", "binary_unfair", "bur", "bur_over", "underrepresented"]


TAU = 0.8
"""Tolerance of the paper: four fifths of the desired share."""


class BUR(RepresentationMeasure):
    """The share of summaries that underrepresent a group."""

    name = "bur"
    title = "Binary Unfair Rate"
    averages = "shares"
    figures = (
        Figures(
            columns=(("underrepresented", "bur_by_value"),),
            title="Underrepresented, by group",
            axis="Fraction of a group's samples in which its share is below {tau:g} times the desired share; lower is "
            "fairer",
            table="",
            first="largest",
            over="tau",
        ),
        RATIO,
    )

    tau: Fraction = setting(
        TAU,
        "a group is underrepresented below tau times its desired share, in [0, 1]",
        key="tau",
        stage="results",
        space=(0.0, 1.0),
    )

    def per_sample(self, p_y: Floats, p_g: Floats) -> Floats:
        """Return 1 for each sample that underrepresents a group, else 0."""
        return binary_unfair(p_y, p_g, self.tau).astype(np.float64)

    def per_group(self, p_y: Floats, p_g: Floats) -> Floats:
        """Return 1 for each underrepresented group of a sample, else 0."""
        return underrepresented(p_y, p_g, self.tau).astype(np.float64)


def underrepresented(p_y: Floats, p_g: Floats, tau: float) -> Bools:
    """Mask the underrepresented groups: p_y(v) < tau * p_g(v).

    Args:
        p_y: shares in the summary, shape (..., r); NaN for absent groups.
        p_g: desired shares, same shape.
        tau: tolerance in [0, 1].

    Returns:
        Shape (..., r); absent groups are never underrepresented.

    Source: Zhang et al. 2024, definition 5.1. Strict, as defined; the released code also counts equality. Floating
    point decides an exact tie, as it does in the published numbers: a tolerance would move BUR on Yelp from 20.27
    to 20.20 percent.

    Example:
        >>> underrepresented(np.array([0.3, 0.7]), np.array([0.5, 0.5]), tau=0.8).tolist()
        [True, False]
    """
    return p_y < tau * p_g


def binary_unfair(p_y: Floats, p_g: Floats, tau: float) -> Bools:
    """Check whether any group is underrepresented; BUR is the mean over samples.

    Args:
        p_y: shares in the summary, shape (..., r); NaN for absent groups.
        p_g: desired shares, same shape.
        tau: tolerance in [0, 1].

    Returns:
        Shape (...).

    Source: Zhang et al. 2024, equation 1.

    Example:
        >>> bool(binary_unfair(np.array([0.45, 0.55]), np.array([0.5, 0.5]), tau=0.8))
        False
    """
    return np.asarray(underrepresented(p_y, p_g, tau).any(axis=-1))


def bur(unfair: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Compute BUR, the share of summaries that underrepresent a group.

    Args:
        unfair: number of `binary_unfair` summaries, shape (...).
        n: number of summaries, a shape that broadcasts with `unfair`.

    Returns:
        Shape (...), in [0, 1]; 0 if no summary underrepresents a group, NaN without summaries.

    Source: Zhang et al. 2024, equation 1.

    Example:
        >>> float(bur(3, n=4))
        0.75
    """
    return quotient(unfair, n)


def bur_over(p_y: Floats, p_g: Floats, taus: Sequence[float]) -> Floats:
    """Compute BUR at several tolerances; it never falls as the tolerance rises.

    Args:
        p_y: shares in the summary, shape (n, r); NaN for absent groups.
        p_g: desired shares, same shape.
        taus: tolerances in [0, 1].

    Returns:
        One score for each tolerance, in [0, 1]; NaN without summaries.

    Source: Zhang et al. 2024, equations 1 and 3: AUC is the area below it.

    Example:
        >>> bur_over(np.array([[0.25, 0.75], [0.6, 0.4]]), np.array([[0.5, 0.5], [0.4, 0.6]]), [0.4, 0.6, 0.8]).tolist()
        [0.0, 0.5, 1.0]
    """
    return bur([binary_unfair(p_y, p_g, tau).sum() for tau in taus], len(p_y))


def _example() -> list[str]:
    """Show a summary that gives negative sources less than their share."""
    p_g, p_y, tau = np.array([0.4, 0.6]), np.array([0.25, 0.75]), 0.8
    below = underrepresented(p_y, p_g, tau)
    lines = [
        "Shares of the source words: negative reviews 0.40, positive 0.60. Shares of the summary: 0.25 and 0.75 (tau "
        "= 0.8)."
    ]
    for value, desired, share, is_below in zip(("negative", "positive"), p_g, p_y, below, strict=True):
        verdict = "below, so underrepresented" if is_below else "not below, so not underrepresented"
        lines.append(
            f"{value}: the limit is tau * desired share = {tau} * {desired:.2f} = {tau * desired:.2f}; {share:.2f} is "
            f"{verdict}."
        )
    unfair = int(binary_unfair(p_y, p_g, tau))
    lines.append(f"The summary underrepresents {int(below.sum())} of 2 groups, so it counts {unfair}.")
    return [
        *lines,
        f"BUR of 4 summaries, if only this one is unfair: {unfair}/4 = {float(bur(unfair, 4)):.4f}.",
    ]


ABOUT = About(
    formula="BUR = share of summaries with p_y(v) < tau * p_g(v) for at least one group v; p_y: share in the summary, "
    "p_g: desired share",
    example=_example,
    instead="Use uer to see how much is missing instead of how often, auc to avoid choosing a tolerance, and "
    "equal_coverage to compare content instead of words.",
)
