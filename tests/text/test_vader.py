"""VADER in linear time against the package."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from vaderSentiment.vaderSentiment import BOOSTER_DICT, NEGATE, SPECIAL_CASES, SentimentIntensityAnalyzer

from fairsum_utils.text.vader import analyzer
from tests._steps import growth


class Package(SentimentIntensityAnalyzer):
    """The package, which also says what each word counts."""

    def score_valence(self, sentiments: list[float], text: str) -> dict[str, Any]:
        return super().score_valence(sentiments, text) | {"valences": sentiments}


PACKAGE = Package()
RATED = ["good", "GOOD", "bad", "great", "hate", "like", "no", ":)", ":-(", "lol", "Good", "good", "bad"]
RULES = [*NEGATE, *BOOSTER_DICT, *SPECIAL_CASES, "but", "But", "BUT", "least", "at", "very", "kind", "of", "or", "nor"]
TURNS = ["never so", "never this", "without doubt", "without a doubt", "at least", "kind of", "the least", "no one or"]
EMOJIS = ["😀", "❤", "💔", "😡", "🤨"]
PIECES = st.one_of(
    st.sampled_from([*RATED, *RULES, *TURNS, *EMOJIS]),
    st.sampled_from(["but", "good", "bad"]),  # once more: what equal valences do to each other
    st.sampled_from(RATED).map(str.upper),
    st.sampled_from(["!", "!!!!!", "?", "???", ".", "(", "“", "n't", "x", "İ", "ß", "it's"]),
    st.sampled_from(sorted(PACKAGE.lexicon)),
)
TEXTS = st.lists(st.tuples(PIECES, st.sampled_from([" ", " ", " ", "", "\n", "\xa0"])), max_size=60).map(
    lambda pieces: "".join(piece + blank for piece, blank in pieces)
)


@given(text=st.one_of(TEXTS, st.text(max_size=40)))
@example(text="good good but good good bad but bad")
@example(text="x but " + "good " * 9)
@example(text="bad ass " * 3 + "yeah right the shit to die for kiss of death")
@settings(max_examples=400, deadline=None)
def test_scores_and_words_are_those_of_the_package_to_the_bit(text: str) -> None:
    expected, found = PACKAGE.polarity_scores(text), analyzer().polarity_scores(text)
    assert [float(x) for x in found.pop("valences")] == [float(x) for x in expected.pop("valences")]
    assert found == expected


@pytest.mark.parametrize("unit", ["A great and lovely day. ", "good bad but ", "never so GOOD! ", "no good 😀"])
def test_work_grows_with_the_number_of_words(unit: str) -> None:
    assert growth(lambda n: analyzer().polarity_scores(unit * n), 50) < 4.4


def test_an_empty_text_has_no_words() -> None:
    assert analyzer().polarity_scores("")["valences"] == []
