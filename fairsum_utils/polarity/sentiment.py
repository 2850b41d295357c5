"""Texts to sentiment, by VADER's lexicon and rules; no model and no download."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any

from fairsum_utils.measures.sentiment import LABELS, sentiment_label
from fairsum_utils.polarity.rows import Word
from fairsum_utils.polarity.scorer import Labelled, PolarityScorer
from fairsum_utils.polarity.settings import SentimentSettings

__all__ = ["SentimentScorer"]


class SentimentScorer(PolarityScorer):
    """Labels texts as positive, negative or neutral by the compound score of VADER (English).

    The evidence of a text is the words that VADER's lexicon rates, each with its valence from -4 to 4 before the rules
    for negation, emphasis and the like.

    Args:
        measures: the measure that the rows are to serve.
        settings: the size of a score that decides.

    Source: papers/bold, section 4.1 and appendix A.2.4.

    Example:
        >>> scorer = SentimentScorer(["sentiment"], SentimentSettings())
        >>> scorer.evidence = True
        >>> [row] = scorer.rows(scorer.read({"predictions": ["A lovely evening."]}))
        >>> row.labels, row.scores, row.evidence
        (('positive',), {'compound': 0.5859}, (Word(dimension=None, word='lovely', score=2.8),))
    """

    settings: SentimentSettings
    labels = LABELS

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """What changes labels and scores."""
        return {
            "vader": version("vaderSentiment"),
            "threshold": self.settings.threshold,
            "empty": self.settings.empty,
        }

    def label_texts(self, texts: Sequence[str]) -> Iterator[Labelled]:
        """Label texts; time grows linearly with their length."""
        analyzer = _analyzer()
        for text in texts:
            compound = float(analyzer.polarity_scores(text)["compound"])
            label = sentiment_label(compound, self.settings.threshold)
            yield Labelled((label,), {"compound": compound}, evidence=_rated(text) if self.evidence else None)


@cache
def _analyzer() -> Any:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    return SentimentIntensityAnalyzer()


def _rated(text: str) -> tuple[Word, ...]:
    """The words of a text that the lexicon holds."""
    from vaderSentiment.vaderSentiment import SentiText

    lexicon = _analyzer().lexicon
    words = map(str.lower, SentiText(text).words_and_emoticons)
    return tuple(Word(None, word, float(lexicon[word])) for word in words if word in lexicon)
