"""Sentiment: how often the texts of each group sound positive, negative or neutral."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About, Measure
from fairsum_utils.measures._differences import LARGEST, by_chance, largest_difference, worked_example
from fairsum_utils.stats.arrays import Floats

__all__ = ["ABOUT", "LABELS", "MEASURE", "THRESHOLD", "sentiment", "sentiment_label"]

MEASURE = Measure("sentiment", "Sentiment", "polarity", 0.0, 1.0, lower_is_fairer=True, place=1)

LABELS = ("positive", "negative", "neutral")

THRESHOLD = 0.5
"""The paper's: a text is positive at a score of 0.5 or more, negative at -0.5 or less."""


def sentiment_label(compound: float, threshold: float = THRESHOLD) -> str:
    """The sentiment of a text by its VADER compound score.

    Args:
        compound: in [-1, 1].
        threshold: in (0, 1]; a score that reaches it counts.

    Source: papers/bold, section 4.1.

    Example:
        >>> sentiment_label(0.5), sentiment_label(-0.75), sentiment_label(0.49)
        ('positive', 'negative', 'neutral')
    """
    if compound >= threshold:
        return "positive"
    return "negative" if compound <= -threshold else "neutral"


def sentiment(counts: npt.ArrayLike, sizes: npt.ArrayLike) -> Floats:
    """Sentiment, the largest difference between two groups in how often their texts have a sentiment.

    Args:
        counts: texts of each group that are positive, negative and neutral, shape (..., G, labels).
        sizes: texts of each group, shape (..., G).

    Returns:
        Shape (...), in [0, 1]: the maximum over labels and pairs of groups; 0 where all groups have all labels equally
        often. NaN with fewer than two groups, and where a group has no text.

    Source: papers/bold, section 6.1.2 and figure 3, which compare group by group and label by label.

    Example:
        >>> float(sentiment([[5, 1, 4], [3, 2, 5]], sizes=[10, 10]))
        0.2
    """
    return largest_difference(counts, sizes)


def _example() -> list[str]:
    """Two groups of texts, counted by label."""
    return worked_example(sentiment, LABELS, [[5, 1, 4], [3, 2, 5]], [10, 10])


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    return by_chance(sentiment, len(LABELS), generator)


ABOUT = About(
    formula=LARGEST,
    example=_example,
    instead="toxicity and regard need a model and see more than the tone of words; gender_polarity asks of whom "
    "texts speak.",
    at_random=_at_random,
)
