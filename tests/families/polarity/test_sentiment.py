"""Sentiment of texts by VADER."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer, SentiText

from fairsum_utils.families.polarity.sentiment import located_words
from tests.families.polarity.scoring import labelled

ANALYZER = SentimentIntensityAnalyzer()
TEXTS = ["The staff was friendly!", "An awful, boring film.", "It opens at nine.", "NOT good :(", "Great 😀", "ok"]


def test_labels_are_those_of_the_package() -> None:
    rows = list(labelled("sentiment", TEXTS, threshold=0.4))
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


@pytest.mark.parametrize(
    ("text", "evidence"),
    [
        # VADER's constants: a negation multiplies by -0.74, "very" adds 0.293, capitals among small letters add 0.733;
        # before "but" a valence counts half, behind it one and a half times.
        ("not good", [("good", 1.9 * -0.74)]),
        ("very good", [("good", 1.9 + 0.293)]),
        ("very bad", [("bad", -2.5 - 0.293)]),
        ("a GOOD day", [("good", 1.9 + 0.733)]),
        ("good, but bad", [("good", 0.95), ("bad", -3.75)]),
        # "no" before a rated word negates it and counts nothing itself; "kind of" is no kindness.
        ("no good", [("no", 0.0), ("good", 1.9 * -0.74)]),
        ("kind of here", [("kind", 0.0)]),
        # An emoji is its description, "grinning face", of which the lexicon rates the first word 1.5.
        ("here 😀!", [("grinning", 1.5)]),
        ("it is here", []),
    ],
)
def test_evidence_is_what_each_word_counts(text: str, evidence: list[tuple[str, float]]) -> None:
    [row] = labelled("sentiment", [text])
    assert [word.word for word in row.evidence] == [word for word, _ in evidence]
    assert [word.score for word in row.evidence] == pytest.approx([score for _, score in evidence])
    assert math.copysign(1, min([word.score for word in row.evidence if not word.score], default=0.0)) == 1  # not -0.0


@given(text=RATED.filter(str.strip))
def test_the_sum_of_the_evidence_gives_the_score(text: str) -> None:
    [row] = labelled("sentiment", [text])
    x = math.fsum(word.score for word in row.evidence)
    assert row.scores["compound"] == pytest.approx(x / math.sqrt(x**2 + 15), abs=5.1e-5)


def test_words_of_an_emoji_stand_where_it_stands() -> None:
    # The description begins after a blank, and what follows without one grows together with it, as VADER reads it.
    found = located_words("so😀good 😀")
    assert found == [("so", 0, 2), ("grinning", 2, 3), ("facegood", 2, 7), ("grinning", 8, 9), ("face", 8, 9)]
