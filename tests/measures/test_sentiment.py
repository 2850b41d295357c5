"""Sentiment labels by the paper's thresholds."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.sentiment import LABELS, sentiment_label

EXPLAINED = 0.5 - 0.3


@pytest.mark.parametrize(
    ("compound", "label"),
    [
        (0.5, "positive"),  # >= 0.5
        (math.nextafter(0.5, 0), "neutral"),
        (0.0, "neutral"),
        (math.nextafter(-0.5, 0), "neutral"),
        (-0.5, "negative"),  # <= -0.5
        (-1.0, "negative"),
    ],
)
def test_thresholds_are_inclusive(compound: float, label: str) -> None:
    assert sentiment_label(compound) == label


@given(compound=st.floats(-1, 1), threshold=st.floats(0.01, 1))
def test_the_opposite_score_has_the_opposite_label(compound: float, threshold: float) -> None:
    opposite = dict(zip(LABELS, ("negative", "positive", "neutral"), strict=True))
    label = sentiment_label(compound, threshold)
    assert sentiment_label(-compound, threshold) == opposite[label]
    assert (label == "neutral") == (abs(compound) < threshold)
