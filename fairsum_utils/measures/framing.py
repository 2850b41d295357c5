"""Framing: the share of summaries with another sentiment than their sources."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy.typing as npt

from fairsum_utils.measures import About, Figures, Measure
from fairsum_utils.stats.arrays import Floats, quotient

__all__ = ["ABOUT", "CLASSES", "MEASURE", "THRESHOLD", "framing", "has_both", "mean_sentiment", "sentiment_class"]

MEASURE = Measure(
    "framing",
    "Framing",
    "framing",
    0.0,
    1.0,
    lower_is_fairer=True,
    place=1,
    averages="shares",
    figures=Figures(
        columns=(
            ("changed", "framing_by_value"),
            ("at random", "framing_by_value_at_random"),
            ("shift", "shift_by_value"),
        ),
        title="Changed sentiment, by group",
        axis="Fraction of a group's samples in which the summary has another sentiment than the group's texts",
    ),
)

CLASSES = ("negative", "neutral", "positive")
"""Sentiment classes; neighbours are one step apart."""

THRESHOLD = 0.05
"""Least distance from 0 of a positive or negative score, as VADER's authors recommend."""


def mean_sentiment(scores: Sequence[float]) -> float:
    """Compute the mean sentiment score of sentences, independent of their order.

    Args:
        scores: score of each sentence, in [-1, 1].

    Returns:
        In [-1, 1]; NaN without sentences.

    Example:
        >>> mean_sentiment([0.5, -0.25, 0.0, 0.0])
        0.0625
    """
    return math.fsum(scores) / len(scores) if scores else math.nan


def sentiment_class(score: float, threshold: float = THRESHOLD) -> int:
    """Return the position in `CLASSES` of a sentiment score.

    Args:
        score: sentiment score in [-1, 1].
        threshold: threshold in (0, 1]; scores that reach it are positive or negative.

    Example:
        >>> [CLASSES[sentiment_class(score)] for score in (-0.3, 0.04, 0.05)]
        ['negative', 'neutral', 'positive']
    """
    return 1 + (score >= threshold) - (score <= -threshold)


def has_both(scores: Sequence[float], threshold: float = THRESHOLD) -> bool:
    """Check whether some sentence is positive and some sentence negative.

    Args:
        scores: score of each sentence, in [-1, 1].
        threshold: threshold in (0, 1], see `sentiment_class`.

    Example:
        >>> has_both([0.5, 0.0, -0.25]), has_both([0.5, 0.0])
        (True, False)
    """
    return bool(scores) and max(scores) >= threshold and min(scores) <= -threshold


def framing(changed: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Compute framing, the share of summaries with another class than their sources.

    Args:
        changed: number of summaries whose `sentiment_class` differs from that of their sources, shape (...).
        n: number of summaries, a shape that broadcasts with `changed`.

    Returns:
        Shape (...), in [0, 1]; 0 if every summary has the class of its sources, NaN without summaries.

    Source: A. Alessa et al., "Quantifying Cognitive Bias Induction in LLM-Generated Content", arXiv 2507.03194, which
    compares the sentiment of a summary with that of its text. The mean over sentences on both sides is ours: a summary
    that copies its sources has their class.

    Example:
        >>> float(framing(3, n=12))
        0.25
    """
    return quotient(changed, n)


def _example() -> list[str]:
    """Show a summary that is more positive than its sources."""
    sources, summary = [0.6, -0.5, -0.4, 0.2], [0.6, 0.1]
    lines = []
    for what, scores in (("source", sources), ("summary", summary)):
        mean = mean_sentiment(scores)
        added = " ".join(f"{'+-'[score < 0]} {abs(score):.1f}" for score in scores).removeprefix("+ ")
        lines.append(
            f"Scores of the {what} sentences: mean ({added}) / {len(scores)} = {mean:.3f}, so the class is "
            f"{CLASSES[sentiment_class(mean)]} (threshold {THRESHOLD})."
        )
    steps = sentiment_class(mean_sentiment(summary)) - sentiment_class(mean_sentiment(sources))
    changed = int(steps != 0)
    return [
        *lines,
        f"The classes differ, so the summary counts {changed}; its shift is {steps:+d} (more positive).",
        f"Framing of 4 summaries, if only this one differs: {changed}/4 = {float(framing(changed, 4)):.4f}.",
    ]


ABOUT = About(
    formula="framing = share of summaries whose class (negative, neutral, positive) differs from that of their "
    "sources; class: of the mean sentiment score over sentences, neutral between -0.05 and 0.05",
    example=_example,
    instead="Use sentiment to compare groups of texts without sources, position_bias to see where the content comes "
    "from, and equal_coverage to see whose content it is.",
)
