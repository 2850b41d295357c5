"""Sentiment by VADER's lexicon and rules, without a model or download."""

from __future__ import annotations

import re
import string
from collections.abc import Collection, Iterator, Sequence
from importlib.metadata import version

from fairsum_utils.families.polarity.rows import Word
from fairsum_utils.families.polarity.scorer import Labelled, PolarityScorer
from fairsum_utils.measures.sentiment import Sentiment, sentiment_label
from fairsum_utils.text.vader import analyzer

_TOKEN = re.compile(r"\S+")


class SentimentScorer(PolarityScorer):
    """Scorer of sentiment by VADER's compound score (English).

    The evidence of a text is the words that VADER's lexicon rates, each with what it counts: its valence after the
    rules for negation, emphasis, "but" and the like, which may make it 0. Their sum x, strengthened by exclamation and
    question marks, gives the compound score x / sqrt(x^2 + 15).

    Source: Dhamala et al. 2021, section 4.1 and appendix A.2.4.

    Example:
        >>> scorer = SentimentScorer(["sentiment"], Sentiment())
        >>> scorer.evidence = True
        >>> [row] = scorer.rows(scorer.read({"predictions": ["A very lovely evening."]}))
        >>> row.labels, row.scores, row.evidence
        (('positive',), {'compound': 0.624}, (Word(dimension=None, word='lovely', score=3.093),))
    """

    settings: Sentiment

    def signature(self, measure: str, given: Collection[str]) -> dict[str, object]:
        """Return the settings that change labels and scores."""
        return {
            "vader": version("vaderSentiment"),
            "threshold": self.settings.threshold,
            "empty": self.settings.empty,
        }

    def label_texts(self, texts: Sequence[str]) -> Iterator[Labelled]:
        """Label texts, in time linear in their length."""
        vader = analyzer()
        for text in texts:
            scores = vader.polarity_scores(text)
            compound = float(scores["compound"])
            label = sentiment_label(compound, self.settings.threshold)
            evidence = _rated(text, scores["valences"]) if self.evidence else None
            yield Labelled((label,), {"compound": compound}, evidence=evidence)


def _rated(text: str, valences: Sequence[float]) -> tuple[Word, ...]:
    """Return the words of a text that the lexicon contains."""
    lexicon = analyzer().lexicon
    words = zip(located_words(text), valences, strict=True)
    return tuple(Word(None, word, valence + 0.0) for (word, _, _), valence in words if word in lexicon)


def located_words(text: str) -> list[tuple[str, int, int]]:
    """Return the words of a text as VADER looks them up, with their locations.

    They are what stands between white space, in small letters, without the punctuation around it unless that leaves
    two characters or fewer, as of an emoticon. An emoji is the words of its description.

    Returns:
        Of each word the text, its first character and the one after its last.

    Example:
        >>> located_words("Great :) 😀")
        [('great', 0, 5), (':)', 6, 8), ('grinning', 9, 10), ('face', 9, 10)]
    """
    pieces = _without_emojis(text)
    origins = [place for place, piece in enumerate(pieces) for _ in piece]
    words = []
    for match in _TOKEN.finditer("".join(pieces)):
        stripped = match[0].strip(string.punctuation)
        word = stripped if len(stripped) > 2 else match[0]
        start = match.start() + match[0].index(word)
        words.append((word.lower(), origins[start], origins[start + len(word) - 1] + 1))
    return words


def _without_emojis(text: str) -> Sequence[str]:
    """Replace emojis by descriptions, as VADER does, and keep the locations."""
    descriptions = analyzer().emojis
    if descriptions.keys().isdisjoint(text):
        return text
    pieces, after_blank = [], True
    for character in text:
        description = descriptions.get(character)
        pieces.append(character if description is None else description if after_blank else f" {description}")
        after_blank = character == " " and description is None
    return pieces
