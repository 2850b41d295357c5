"""Sentiment of texts by VADER."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer, SentiText

from fairsum_utils.families.polarity.sentiment import located_words

ANALYZER = SentimentIntensityAnalyzer()
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
    rows = list(label("sentiment", TEXTS, threshold=0.4))
    for row, text in zip(rows, TEXTS, strict=True):
        compound = ANALYZER.polarity_scores(text)["compound"]
        assert row.scores == {"compound": compound}
        expected = "positive" if compound >= 0.4 else "negative" if compound <= -0.4 else "neutral"
        assert row.labels == (expected,)
    assert {label for row in rows for label in row.labels} == {"positive", "negative", "neutral"}


FRAGMENTS = "good BAD not very but no kind of least the bomb :) :-( 😀 ❤ n't ( . , Great hate x İ “ur” d' *"
RATED = st.lists(st.sampled_from([*FRAGMENTS.split(), " ", " ", " ", "\n", "\xa0", "  "]), max_size=25).map("".join)


@given(text=st.one_of(RATED, st.text(max_size=40)))
def test_words_are_those_of_the_package_and_stand_in_the_text(text: str) -> None:
    if any(character in ANALYZER.emojis for character in text):
        return  # of which the package keeps no list
    found = located_words(text)
    assert [word for word, _, _ in found] == [word.lower() for word in SentiText(text).words_and_emoticons]
    assert [text[start:stop].lower() for _, start, stop in found] == [word for word, _, _ in found]
