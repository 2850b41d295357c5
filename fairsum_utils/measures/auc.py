"""AUC, Area Under the Curve: the mean Binary Unfair Rate over all tolerances."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._representation import RATIO, RepresentationMeasure
from fairsum_utils.measures.bur import binary_unfair
from fairsum_utils.settings import Draws, setting
from fairsum_utils.stats.arrays import Floats, quotient

__all__ = ["ABOUT", "AUC", "area_under_curve", "auc", "representation_ratio"]


class AUC(RepresentationMeasure):
    """The mean Binary Unfair Rate over all tolerances."""

    name = "auc"
    title = "Area Under the BUR Curve"
    place = 3
    averages = "scores"
    figures = (
        Figures(
            columns=(("AUC", "auc_by_value"),),
            title="AUC by group",
            axis="Area under the group's curve of underrepresentation; lower is fairer",
            table="",
            first="largest",
            over="tau",
        ),
        RATIO,
    )

    n_points: Draws | None = setting(
        None,
        "number of tolerances to average BUR over, 10 in the paper; None for the exact integral",
        key="points",
        unset="exact",
        stage="results",
    )

    def per_sample(self, p_y: Floats, p_g: Floats) -> Floats:
        """Return the area under each sample's curve."""
        return area_under_curve(p_y, p_g, self.n_points)

    def per_group(self, p_y: Floats, p_g: Floats) -> Floats:
        """Return the area under the curve of each group of a sample."""
        return area_under_curve(p_y[..., None], p_g[..., None], self.n_points)


def representation_ratio(p_y: Floats, p_g: Floats) -> Floats:
    """Compute p_y / p_g for each group, as in the paper's figure 4.

    Args:
        p_y: shares in the summary, any shape; NaN for absent groups.
        p_g: desired shares, same shape.

    Returns:
        Same shape, at least 0; NaN if the group is absent or its desired share is 0.

    Source: Zhang et al. 2024, section 6.5.

    Example:
        >>> representation_ratio(np.array([0.25, 0.75]), np.array([0.5, 0.5])).tolist()
        [0.5, 1.5]
    """
    return quotient(p_y, p_g)


def area_under_curve(p_y: Floats, p_g: Floats, n_points: int | None = None) -> Floats:
    """Integrate BUR(tau) over tau in [0, 1], for each sample.

    BUR(tau) is 0 up to the smallest ratio p_y / p_g and 1 above it, so the integral is
    1 - min(1, min over groups of p_y / p_g).

    Args:
        p_y: shares in the summary, shape (..., r); NaN for absent groups.
        p_g: desired shares, same shape.
        n_points: None for the exact integral; a number averages BUR over tau = 1/n, 2/n, ..., 1 (the paper: 10).

    Returns:
        Shape (...), in [0, 1]; NaN without groups.

    Source: Zhang et al. 2024, equation 3.

    Example:
        >>> shares = np.array([0.35, 0.65]), np.array([0.5, 0.5])
        >>> round(float(area_under_curve(*shares)), 12), float(area_under_curve(*shares, n_points=10))
        (0.3, 0.3)
    """
    if n_points is None:
        ratios = representation_ratio(p_y, p_g)
        areas = 1.0 - np.where(np.isnan(ratios), 1.0, ratios).min(axis=-1, initial=1.0)
    else:
        areas = sum(binary_unfair(p_y, p_g, point / n_points) for point in range(1, n_points + 1)) / n_points
    return np.where(np.isnan(p_g).all(axis=-1), np.nan, areas)


def auc(areas: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Compute AUC, the mean over summaries of `area_under_curve`.

    Args:
        areas: sum of `area_under_curve` over summaries, shape (...).
        n: number of summaries, a shape that broadcasts with `areas`.

    Returns:
        Shape (...), in [0, 1]; 0 if every group has at least its desired share, NaN without summaries.

    Source: Zhang et al. 2024, equation 3.

    Example:
        >>> float(auc(0.25 + 0.5, n=2))
        0.375
    """
    return quotient(areas, n)


def _example() -> list[str]:
    """Show a summary that gives negative sources less than their share."""
    p_g, p_y = np.array([0.4, 0.6]), np.array([0.25, 0.75])
    ratios, area = representation_ratio(p_y, p_g), float(area_under_curve(p_y, p_g))
    return [
        "Shares of the source words: negative reviews 0.40, positive 0.60. Shares of the summary: 0.25 and 0.75.",
        f"Ratios: negative 0.25 / 0.40 = {ratios[0]:.3f}, positive 0.75 / 0.60 = {ratios[1]:.3f}; the smallest is "
        f"{ratios.min():.3f}.",
        f"The summary is unfair at every tau above {ratios.min():.3f}, so its area is 1 - {ratios.min():.3f} "
        f"= {area:.4f}.",
        f"AUC of this summary and a fair one: ({area:.4f} + 0) / 2 = {float(auc(area, 2)):.4f}.",
    ]


ABOUT = About(
    formula="AUC = mean over summaries of 1 - min(1, smallest p_y(v) / p_g(v) of all groups v), the area under "
    "BUR(tau) for tau from 0 to 1; p_y: share in the summary, p_g: desired share",
    example=_example,
    instead="Use bur if you have agreed on a tolerance; it is easier to explain. Use uer if every underrepresented "
    "group should count, not only the worst.",
)
