"""SOF, Second-Order Fairness: how unevenly the shortfall is spread over the values."""

from __future__ import annotations

import numpy as np

from fairsum_utils.measures import Measure
from fairsum_utils.measures._shares import Floats

__all__ = ["MEASURE", "second_order_fairness"]

MEASURE = Measure("sof", "Second-Order Fairness", "representation", 0.0, 0.5, lower_is_fairer=True, place=4)


def second_order_fairness(mean_shortfall: Floats) -> Floats:
    """Mean over values of |m_v - mean(m)|, where m_v is the mean shortfall of value v over the samples that hold it.

    Args:
        mean_shortfall: m, shape (..., n_values).

    Returns:
        Shape (...), in [0, 0.5]; NaN where fewer than two values exist or one was never seen.

    Source: papers/fairsumm-v2, definition 5.4; over the whole data set, as in the released code.

    Example:
        >>> float(second_order_fairness(np.array([0.0, 0.1])))
        0.05
    """
    if mean_shortfall.shape[-1] < 2:
        return np.full(mean_shortfall.shape[:-1], np.nan)
    centre = mean_shortfall.mean(axis=-1, keepdims=True)
    return np.asarray(np.abs(mean_shortfall - centre).mean(axis=-1))
