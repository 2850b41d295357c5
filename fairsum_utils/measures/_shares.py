"""Shares, their shortfalls and distances, for measures of several families."""

from __future__ import annotations

import numpy as np

from fairsum_utils.stats.arrays import Floats

__all__ = ["row_sum", "shares", "shortfall", "total_variation"]


def shares(counts: Floats) -> Floats:
    """Divide counts by their sum.

    Args:
        counts: shape (..., G), at least 0.

    Returns:
        Same shape, in [0, 1]; NaN if all counts are zero.

    Example:
        >>> shares(np.array([[1.0, 3.0], [0.0, 0.0]])).tolist()
        [[0.25, 0.75], [nan, nan]]
    """
    total = counts.sum(axis=-1, keepdims=True)
    return np.asarray(counts / np.where(total > 0, total, np.nan))


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


def total_variation(differences: Floats) -> Floats:
    """Compute half the sum of the absolute differences between two distributions.

    Args:
        differences: p - q, shape (..., G).

    Returns:
        Shape (...), in [0, 1]; NaN if a difference is NaN or there are fewer than two groups.

    Example:
        >>> float(total_variation(np.array([0.25, -0.25])))
        0.25
    """
    distance = np.abs(differences).sum(axis=-1) / 2
    if differences.shape[-1] < 2:
        return np.full_like(distance, np.nan)
    return np.asarray(np.minimum(distance, 1.0))  # shares may add up to a little more than 1
