"""VADER with what each word counts, against the package."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from vaderSentiment.vaderSentiment import BOOSTER_DICT, NEGATE, SPECIAL_CASES, SentimentIntensityAnalyzer

from fairsum_utils.text.vader import analyzer
from tests._steps import growth


class Package(SentimentIntensityAnalyzer):
    """The package, which also says what each word counts."""

    def score_valence(self, sentiments: list[float], text: str) -> dict[str, Any]:
        return super().score_valence(sentiments, text) | {"valences": sentiments}


PACKAGE = Package()
RATED = ["good", "GOOD", "bad", "great", "hate", "no", ":)", "lol", "😀", "💔"]
RULES = [*NEGATE, *BOOSTER_DICT, *SPECIAL_CASES, "but", "But", "never so", "without a doubt", "at least", "the least"]
PIECES = st.sampled_from(RATED) | st.sampled_from(RULES) | st.sampled_from(["!!!", "?", "x", "ß", "it's"])


@given(st.lists(PIECES, max_size=60).map(" ".join))
def test_scores_and_words_are_those_of_the_package_to_the_bit(text: str) -> None:
    assert analyzer().polarity_scores(text) == PACKAGE.polarity_scores(text)


def test_work_grows_with_the_number_of_words() -> None:
    for unit in ["A great and lovely day. ", "never so GOOD! "]:
        assert growth(lambda n, unit=unit: analyzer().polarity_scores(unit * n), 50) < 4.4
