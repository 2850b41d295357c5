"""VADER without copies of the text, with the package's words, emphasis and scores."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple


class _Window(NamedTuple):
    """Part of a text that the rules of a word see."""

    words_and_emoticons: Sequence[str]
    is_cap_diff: bool


@cache
def analyzer() -> Any:
    """VADER, with ``valences`` among its scores: what each word counts.

    Scores equal the package's to the last bit. The package copies all words of a text for each rated word; this version
    examines only the neighbouring words.

    Source: Dhamala et al. 2021, section 4.1, which labels by VADER's compound score.

    Example:
        >>> scores = analyzer().polarity_scores("A very lovely evening.")
        >>> scores["compound"], scores["valences"]
        (0.624, [0, 0, 3.093, 0])
    """
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    class Analyzer(SentimentIntensityAnalyzer):  # type: ignore[misc]
        def sentiment_valence(
            self, valence: float, text: Any, word: str, place: int, valences: list[float]
        ) -> list[float]:
            start = max(0, place - 3)  # no rule looks further than three words back and two ahead
            window = _Window(text.words_and_emoticons[start : place + 3], text.is_cap_diff)
            rated: list[float] = super().sentiment_valence(valence, window, word, place - start, valences)
            return rated

        def score_valence(self, valences: list[float], text: str) -> dict[str, Any]:
            scores: dict[str, Any] = super().score_valence(valences, text)
            return scores | {"valences": valences}

    return Analyzer()
