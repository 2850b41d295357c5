"""UER, Unfair Error Rate: the mean share that a value lacks."""

from __future__ import annotations

import numpy as np

from fairsum_utils.measures import Measure
from fairsum_utils.measures._shares import Floats, row_sum, shortfall

__all__ = ["MEASURE", "unfair_error"]

MEASURE = Measure("uer", "Unfair Error Rate", "representation", 0.0, 0.5, lower_is_fairer=True, place=2)


def unfair_error(p_y: Floats, p_g: Floats) -> Floats:
    """(1/r) * sum over values of max(0, p_g - p_y); UER is its mean over samples.

    Args:
        p_y: shares in the summary, shape (..., r); NaN where a value is absent.
        p_g: desired shares, the same shape.

    Returns:
        Shape (...), in [0, 1/r] where r counts the values present; NaN if none is.

    Source: papers/fairsumm-v2, equation 2 (v1 prints the difference the other way round).

    Example:
        >>> float(unfair_error(np.array([0.25, 0.75, np.nan]), np.array([0.5, 0.5, np.nan])))
        0.125
    """
    lacking = shortfall(p_y, p_g)
    present = np.asarray((~np.isnan(lacking)).sum(axis=-1))
    return np.asarray(np.divide(row_sum(lacking), present, out=np.full(present.shape, np.nan), where=present > 0))
