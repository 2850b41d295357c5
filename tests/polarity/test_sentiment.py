"""Sentiment of texts by VADER."""

from __future__ import annotations

import math
from importlib.metadata import version
from typing import Any

import pytest
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

from fairsum_utils.errors import InputError
from fairsum_utils.polarity.settings import SentimentSettings

TEXTS = ["The staff was friendly!", "An awful, boring film.", "It opens at nine.", "NOT good :(", "Great 😀", "ok"]


def test_one_word_by_hand(label: Any) -> None:
    # VADER's compound is x / sqrt(x^2 + 15) of the sum x of valences: "good" has 1.9, "great" 3.1, "bad" -2.5.
    good, great, bad = label("sentiment", ["good", "great", "bad"])
    for row, valence in ((good, 1.9), (great, 3.1), (bad, -2.5)):
        assert row.scores["compound"] == pytest.approx(valence / math.sqrt(valence**2 + 15), abs=5e-5)
    assert [row.labels for row in (good, great, bad)] == [
        ("neutral",),
        ("positive",),
        ("negative",),
    ]  # 0.44, 0.63, -0.54
    assert bad.evidence == ((None, "bad", -2.5),)


def test_labels_are_those_of_the_package(label: Any) -> None:
    analyzer = SentimentIntensityAnalyzer()
    rows = list(label("sentiment", TEXTS, threshold=0.4))
    for row, text in zip(rows, TEXTS, strict=True):
        compound = analyzer.polarity_scores(text)["compound"]
        assert row.scores == {"compound": compound}
        expected = "positive" if compound >= 0.4 else "negative" if compound <= -0.4 else "neutral"
        assert row.labels == (expected,)
    assert {label for row in rows for label in row.labels} == {"positive", "negative", "neutral"}


def test_empty_texts_are_data(label: Any) -> None:
    rows = list(label("sentiment", ["good", "", " \n"], ["a", "a", "b"]))
    assert [row.skipped for row in rows] == [None, "empty_prediction", "empty_prediction"]
    assert [(row.index, row.group) for row in rows] == [(0, "a"), (1, "a"), (2, "b")]
    with pytest.raises(
        InputError, match="sentiment: sample 1: the prediction is empty; drop it, or choose empty='skip'"
    ):
        list(label("sentiment", ["good", "  "], empty="error"))


def test_signature(make_scorer: Any) -> None:
    assert make_scorer("sentiment", threshold=0.25).signature("sentiment", ()) == {
        "vader": version("vaderSentiment"),
        "threshold": 0.25,
        "empty": "skip",
    }


@pytest.mark.parametrize("threshold", [0, -0.5, 1.5, None, "0.5", math.nan, True])
def test_threshold_out_of_range(threshold: object) -> None:
    with pytest.raises(InputError, match="sentiment: threshold must be above 0 and at most 1, found"):
        SentimentSettings(threshold=threshold, module="sentiment")  # type: ignore[arg-type]


def test_no_evidence_unless_asked_for(make_scorer: Any, label: Any) -> None:
    scorer = make_scorer("sentiment")
    scorer.evidence = False
    [row] = label(scorer, ["good"])
    assert (row.evidence, row.scores["compound"] > 0) == (None, True)
