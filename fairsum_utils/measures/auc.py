"""AUC, Area Under the Curve: the expected Binary Unfair Rate when the tolerance is drawn evenly from [0, 1]."""

from __future__ import annotations

import numpy as np

from fairsum_utils.measures import Measure
from fairsum_utils.measures._shares import Floats
from fairsum_utils.measures.bur import binary_unfair

__all__ = ["MEASURE", "area_under_curve", "representation_ratio"]

MEASURE = Measure("auc", "Area Under the BUR Curve", "representation", 0.0, 1.0, lower_is_fairer=True, place=3)


def representation_ratio(p_y: Floats, p_g: Floats) -> Floats:
    """p_y / p_g for each value, as in the paper's figure 4.

    Args:
        p_y: shares in the summary, any shape; NaN where a value is absent.
        p_g: desired shares, the same shape.

    Returns:
        The same shape, at least 0; NaN where a value is absent or nothing of it is desired.

    Source: papers/fairsumm-v2, section 6.5.

    Example:
        >>> representation_ratio(np.array([0.25, 0.75]), np.array([0.5, 0.5])).tolist()
        [0.5, 1.5]
    """
    return np.asarray(np.divide(p_y, p_g, out=np.full(np.shape(p_g), np.nan), where=p_g > 0))


def area_under_curve(p_y: Floats, p_g: Floats, n_points: int | None = None) -> Floats:
    """Integral of BUR(tau) over tau in [0, 1], for each sample.

    BUR(tau) is 0 up to the smallest ratio p_y / p_g and 1 above it, so the integral is
    1 - min(1, min over values of p_y / p_g).

    Args:
        p_y: shares in the summary, shape (..., r); NaN where a value is absent.
        p_g: desired shares, the same shape.
        n_points: None for the exact integral; a number averages BUR over tau = 1/n, 2/n, ..., 1 (the paper: 10).

    Returns:
        Shape (...), in [0, 1]; NaN where no value is present.

    Source: papers/fairsumm-v2, equation 3.

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
