"""What the representation measures share: the shortfall of a value."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["Floats", "shortfall"]

Floats = npt.NDArray[np.float64]


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
