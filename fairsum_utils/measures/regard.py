"""Regard: how often the texts of each group show high or low regard for whom they are about."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import Measure
from fairsum_utils.measures._shares import Floats

__all__ = ["LABELS", "MEASURE", "most_likely"]

MEASURE = Measure("regard", "Regard", "polarity", 0.0, 1.0, lower_is_fairer=True, place=3)

LABELS = ("positive", "negative", "neutral", "other")


def most_likely(probabilities: Floats) -> npt.NDArray[np.int64]:
    """The label of each text: the most likely one.

    Args:
        probabilities: of labels that exclude each other, shape (..., labels).

    Returns:
        Places of labels, shape (...); the first of equally likely ones.

    Source: papers/bold, section 4.3, after E. Sheng et al., "The Woman Worked as a Babysitter", EMNLP 2019.

    Example:
        >>> most_likely(np.array([[0.25, 0.5, 0.25], [0.5, 0.0, 0.5]])).tolist()
        [1, 0]
    """
    return np.asarray(probabilities.argmax(axis=-1))
