"""What the measures of polarity share: the largest difference of a label's share between two groups."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.stats.arrays import Floats, quotient

__all__ = ["largest_difference"]


def largest_difference(counts: npt.ArrayLike, sizes: npt.ArrayLike) -> Floats:
    """The largest difference of a label's share between two groups, over labels and pairs of groups.

    Args:
        counts: texts of each group that have each label, shape (..., G, labels).
        sizes: texts of each group, shape (..., G).

    Returns:
        Shape (...), in [0, 1]; NaN with fewer than two groups, and where a group has no text.

    Example:
        >>> float(largest_difference([[2, 1], [2, 0], [1, 1]], sizes=[4, 4, 4]))
        0.25
    """
    sizes = np.asarray(sizes)
    if sizes.shape[-1] < 2:
        return np.full(sizes.shape[:-1], np.nan)
    return np.asarray(np.ptp(quotient(counts, sizes[..., None]), axis=-2).max(axis=-1))
