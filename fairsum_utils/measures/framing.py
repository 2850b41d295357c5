"""Framing: the share of summaries with another sentiment than their sources."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._measure import Measure
from fairsum_utils.settings import ChanceSettings, Checked, TextSettings, Threshold, setting
from fairsum_utils.settings.models import InferenceSettings, check_labels, model_or_function
from fairsum_utils.stats.arrays import Floats, quotient

__all__ = ["ABOUT", "CLASSES", "THRESHOLD", "Framing", "framing", "has_both", "mean_sentiment", "sentiment_class"]

SentimentFunction: TypeAlias = Callable[[list[str]], Sequence[float]]
"""Sentences -> a sentiment score in [-1, 1] for each."""

VADER = "vader"

CLASSES = ("negative", "neutral", "positive")
"""Sentiment classes; neighbours are one step apart."""


def _check_labels(module: str, name: str, labels: Any) -> dict[str, str]:
    return check_labels(module, labels, CLASSES)


THRESHOLD = 0.05
"""Least distance from 0 of a positive or negative score, as VADER's authors recommend."""


class Framing(InferenceSettings, TextSettings, ChanceSettings, Measure):
    """The share of summaries with another sentiment than their sources.

    Example:
        >>> Framing(language="de", module="framing")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: framing: VADER knows English only, found language='german'; choose a model for
        this language, as in model='cardiffnlp/twitter-xlm-roberta-base-sentiment'
    """

    name = "framing"
    title = "Framing"
    family = "framing"
    averages = "shares"
    reader = "framing"
    needs = ("predictions", "sources")
    takes = ("values",)
    figures = (
        Figures(
            columns=(
                ("changed", "framing_by_value"),
                ("at random", "framing_by_value_at_random"),
                ("shift", "shift_by_value"),
            ),
            title="Summaries with another sentiment than a group's texts",
            axis="Fraction of a group's samples; lower is fairer",
        ),
        Figures(
            columns=(("framing", "framing"), ("shift", "shift")),
            title="All samples, and those with mixed sources",
            kind="",
            rows="by_sources",
            heading="sources",
            counts=(("samples", "n"),),
        ),
        Figures(
            columns=(("", "from_to"),),
            title="Sentiment of sources (rows) and summaries (columns)",
            axis="Fraction of samples; the diagonal keeps the sentiment",
            kind="heat",
            heading="sources",
            counts=(),
        ),
        Figures(
            columns=(("", "from_to_at_random"),),
            title="Sentiment of sources (rows) and random extracts (columns)",
            kind="",
            heading="sources",
            counts=(),
        ),
    )

    normalizer: None = None  # whole sentences are classified

    model: Annotated[
        str | Path | Callable[..., Any],
        model_or_function('"vader", a model id or folder, or a function sentences -> scores'),
    ] = setting(
        VADER,
        "sentiment of a sentence: vader (English), or id or folder of a sequence-classification model; in Python also "
        "a function sentences -> one score in [-1, 1] per sentence",
        key="model",
    )
    revision: str | None = setting(None, "branch, tag or commit of the model")
    label_map: Annotated[Mapping[str, str], Checked(_check_labels)] | None = setting(
        None,
        "label of the model -> negative, neutral or positive, such as {'NEG': 'negative'}; None if its labels have "
        "these names",
        key="labels",
    )
    threshold: Threshold = setting(
        THRESHOLD,
        "smallest size of a mean score for negative or positive, in (0, 1]; VADER's authors recommend 0.05",
        key="threshold",
        stage="results",
        space=(0.05, 1.0),
    )

    @property
    def is_model(self) -> bool:
        """True if a neural model scores the sentences."""
        return self.model != VADER and not callable(self.model)

    def check_together(self) -> None:
        """Check that the settings fit the model, and the model the language."""
        super().check_together()
        of_model = ("revision", "label_map")
        self.only_with(self.is_model, of_model, "a model of the Hub or a folder", "leave it out, or name a model")
        if self.model == VADER and self.language != "english":
            raise InputError(
                f"{self.module}: VADER knows English only, found language={self.language!r}; choose a model for this "
                "language, as in model='cardiffnlp/twitter-xlm-roberta-base-sentiment'"
            )

    def uses_model(self, given: Collection[str]) -> bool:
        """Check whether a neural model scores the sentences."""
        return self.is_model


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
