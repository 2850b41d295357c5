"""Sentiment by a classification model: its labels, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.framing.sentiment import SentimentScores
from fairsum_utils.measures.framing import Framing

QUICK: dict[str, Any] = {"cache": "none", "device": "cpu"}


def test_the_score_is_positive_minus_negative(tiny_model: Any) -> None:
    folder = tiny_model("classifier", labels=["Negative", "neutral", "positive"], initializer_range=0.1)
    scores = SentimentScores(Framing(model=folder, **QUICK))
    texts = ["Great soup.", "Awful soup."]
    assert scores._model is not None
    probabilities, _ = scores._model.run([(text,) for text in texts])
    assert scores.score(texts).scores == pytest.approx((probabilities[:, 2] - probabilities[:, 0]).tolist(), abs=1e-6)
    swapped = {"Negative": "positive", "neutral": "neutral", "positive": "negative"}
    other = SentimentScores(Framing(model=folder, label_map=swapped, **QUICK))
    assert other.score(texts).scores == pytest.approx([-score for score in scores.score(texts).scores])
    for each in (scores, other):
        each.close()


@pytest.mark.parametrize(
    ("labels", "label_map", "message"),
    [
        (["A", "B"], None, "the meaning of 'A' is missing"),
        (["A", "B"], {"A": "negative"}, "the meaning of 'B' is missing"),
        (["A", "B"], {"A": "negative", "B": "neutral"}, "none means positive"),
        (["A", "B"], {"A": "negative", "B": "positive", "C": "neutral"}, "none is 'C'"),
    ],
)
def test_labels_without_a_meaning_are_refused(tiny_model: Any, labels: Any, label_map: Any, message: str) -> None:
    folder = tiny_model("classifier", labels=labels)
    with pytest.raises(InputError) as error:
        SentimentScores(Framing(model=folder, label_map=label_map, module="framing", **QUICK))
    assert message in str(error.value)
    assert str(error.value).startswith("framing: ")
