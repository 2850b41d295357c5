"""Shares and distances for word list inclusion and entity hallucination."""

from __future__ import annotations

import numpy as np

from fairsum_utils.stats.arrays import Floats

__all__ = ["shares", "total_variation"]


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
