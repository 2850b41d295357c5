"""Shortfalls and sums shared by the representation measures."""

from __future__ import annotations

import numpy as np

from fairsum_utils.stats.arrays import Floats

__all__ = ["row_sum", "shortfall"]


def shortfall(p_y: Floats, p_g: Floats) -> Floats:
    """Compute the shortfall of each group: max(0, p_g - p_y).

    Args:
        p_y: shares in the summary, any shape; NaN for absent groups.
        p_g: desired shares, same shape.

    Returns:
        Same shape, in [0, 1]; NaN for absent groups.

    Source: Zhang et al. 2024, equation 2.

    Example:
        >>> shortfall(np.array([0.3, 0.7]), np.array([0.5, 0.5])).tolist()
        [0.2, 0.0]
    """
    return np.maximum(0.0, p_g - p_y)


def row_sum(entries: Floats) -> Floats:
    """Sum over the last axis, ignoring absent groups (NaN).

    Adds sequentially, so that the width of the array does not change the last bits of a sum.

    Args:
        entries: shape (..., r).

    Returns:
        Shape (...); 0 without entries.

    Example:
        >>> row_sum(np.array([[0.5, 0.25], [0.5, np.nan]])).tolist()
        [0.75, 0.5]
    """
    if entries.shape[-1] == 0:
        return np.zeros(entries.shape[:-1])
    return np.asarray(np.nancumsum(entries, axis=-1)[..., -1])
