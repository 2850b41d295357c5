"""Sentiment: how often the texts of each group sound positive, negative or neutral."""

from __future__ import annotations

from fairsum_utils.measures import Measure

__all__ = ["LABELS", "MEASURE", "THRESHOLD", "sentiment_label"]

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
