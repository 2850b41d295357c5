"""Framing: classes, and the share of summaries that change them."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.framing import CLASSES, has_both, mean_sentiment, sentiment_class

# One of four summaries differs: 1/4.
EXPLAINED = 0.25

SCORES = st.lists(st.integers(-100, 100).map(lambda n: n / 100), min_size=1, max_size=20)


def test_worked_example() -> None:
    # Sources: (6 - 5 - 4 + 2) / 40 = -1/40, neutral; summary: (6 + 1) / 20 = 7/20, positive.
    assert mean_sentiment([0.6, -0.5, -0.4, 0.2]) == pytest.approx(-1 / 40, abs=1e-15)
    assert mean_sentiment([0.6, 0.1]) == pytest.approx(7 / 20, abs=1e-15)
    assert [CLASSES[sentiment_class(score)] for score in (-1 / 40, 7 / 20)] == ["neutral", "positive"]


def test_the_threshold_belongs_to_the_outer_classes() -> None:
    assert [sentiment_class(score) for score in (-1.0, -0.05, -0.0499, 0.0, 0.0499, 0.05, 1.0)] == [0, 0, 1, 1, 1, 2, 2]
    assert [sentiment_class(score, 0.5) for score in (-0.5, -0.49, 0.49, 0.5)] == [0, 1, 1, 2]


def test_both_polarities() -> None:
    assert has_both([0.05, -0.05])
    assert not has_both([0.05, -0.04])
    assert not has_both([0.04, -0.05])
    assert not has_both([])


def test_undefined_without_sentences() -> None:
    assert math.isnan(mean_sentiment([]))


@given(score=st.floats(-1, 1), threshold=st.floats(0.01, 1))
def test_opposite_scores_have_opposite_classes(score: float, threshold: float) -> None:
    assert sentiment_class(score, threshold) + sentiment_class(-score, threshold) == 2
