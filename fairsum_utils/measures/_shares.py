"""What the representation measures share: the shortfall of a value, and sums over values."""

from __future__ import annotations

import numpy as np

from fairsum_utils.stats.arrays import Floats

__all__ = ["row_sum", "shortfall"]


def shortfall(p_y: Floats, p_g: Floats) -> Floats:
    """How much of its desired share each value lacks: max(0, p_g - p_y).

    Args:
        p_y: shares in the summary, any shape; NaN where a value is absent.
        p_g: desired shares, the same shape.

    Returns:
        The same shape, in [0, 1]; NaN where a value is absent.

    Source: papers/fairsumm-v2, equation 2.

    Example:
        >>> shortfall(np.array([0.3, 0.7]), np.array([0.5, 0.5])).tolist()
        [0.2, 0.0]
    """
    return np.maximum(0.0, p_g - p_y)


def row_sum(entries: Floats) -> Floats:
    """Sum over the last axis, absent values (NaN) left out.

    Adds one by one, so that a sample has the same sum to the last bit whatever width its neighbours give the array.

    Args:
        entries: shape (..., r).

    Returns:
        Shape (...); 0 where nothing is present.

    Example:
        >>> row_sum(np.array([[0.5, 0.25], [0.5, np.nan]])).tolist()
        [0.75, 0.5]
    """
    if entries.shape[-1] == 0:
        return np.zeros(entries.shape[:-1])
    return np.asarray(np.nancumsum(entries, axis=-1)[..., -1])
