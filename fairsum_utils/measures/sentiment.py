"""Sentiment: the difference between groups in how many texts are positive or negative."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures import About
from fairsum_utils.measures._polarity import (
    LARGEST,
    PolarityMeasure,
    by_chance,
    largest_difference,
    shares_of,
    worked_example,
)
from fairsum_utils.settings import Threshold, setting
from fairsum_utils.stats.arrays import Floats

__all__ = ["ABOUT", "LABELS", "THRESHOLD", "Sentiment", "sentiment", "sentiment_label"]

LABELS = ("positive", "negative", "neutral")

THRESHOLD = 0.5
"""Threshold of the paper: a text is positive at 0.5 or more, negative at -0.5 or less."""


class Sentiment(PolarityMeasure):
    """The difference between groups in how many texts are positive or negative.

    Example:
        >>> Sentiment(threshold=0, module="sentiment")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: sentiment: threshold must be above 0 and at most 1, found int 0
    """

    name = "sentiment"
    title = "Sentiment"
    figures = shares_of(title)
    reader = "sentiment"
    scorer = "sentiment.SentimentScorer"
    text_score = "compound"
    text_axis = "compound score of a text, positive above 0"

    threshold: Threshold = setting(
        THRESHOLD,
        "smallest size of VADER's compound score for a label, in (0, 1]; the paper uses 0.5",
        key="threshold",
        space=(0.05, 1.0),
    )

    @property
    def labels(self) -> tuple[str, ...]:
        """All possible labels of a text."""
        return LABELS


def sentiment_label(compound: float, threshold: float = THRESHOLD) -> str:
    """Return the sentiment of a text by its VADER compound score.

    Args:
        compound: score in [-1, 1].
        threshold: threshold in (0, 1]; scores that reach it count.

    Source: Dhamala et al. 2021, section 4.1.

    Example:
        >>> sentiment_label(0.5), sentiment_label(-0.75), sentiment_label(0.49)
        ('positive', 'negative', 'neutral')
    """
    if compound >= threshold:
        return "positive"
    return "negative" if compound <= -threshold else "neutral"


def sentiment(counts: npt.ArrayLike, sizes: npt.ArrayLike) -> Floats:
    """Compute sentiment, the largest difference in a label's share between two groups.

    Args:
        counts: positive, negative and neutral texts of each group, shape (..., G, labels).
        sizes: texts of each group, shape (..., G).

    Returns:
        Shape (...), in [0, 1]: the maximum over labels and pairs of groups. NaN with fewer than two groups or a group
        without texts.

    Source: Dhamala et al. 2021, section 6.1.2 and figure 3, which compare group by group and label by label.

    Example:
        >>> float(sentiment([[5, 1, 4], [3, 2, 5]], sizes=[10, 10]))
        0.2
    """
    return largest_difference(counts, sizes)


def _example() -> list[str]:
    """Show two groups of texts, counted by label."""
    return worked_example(sentiment, LABELS, [[5, 1, 4], [3, 2, 5]], [10, 10])


def _at_random(generator: np.random.Generator) -> tuple[str, float]:
    return by_chance(sentiment, len(LABELS), generator)


ABOUT = About(
    formula=LARGEST,
    example=_example,
    instead="Use toxicity or regard to detect more than the tone of words; both need a model. Use gender_polarity to "
    "see which gender texts mention.",
    at_random=_at_random,
)
