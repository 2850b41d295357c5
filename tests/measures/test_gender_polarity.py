"""Gender polarity of a text from the words that express gender."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.gender_polarity import (
    most_polar,
    score_label,
    unigram_label,
    weighted_average,
    word_polarity,
)

EXPLAINED = 0.4 - 0.1

# Sixteenths: sums of their squares are exact in binary.
EXACT = st.lists(st.integers(-16, 16).map(lambda n: Fraction(n, 16)), min_size=1, max_size=12)


@given(
    vectors=st.lists(st.lists(st.integers(-9, 9), min_size=3, max_size=3).filter(any), min_size=1, max_size=4),
    scale=st.floats(0.01, 100),
)
def test_word_polarity_is_a_cosine(vectors: list[list[int]], scale: float) -> None:
    g = np.array([1.0, -2.0, 2.0])  # of length 3
    found = word_polarity(np.array(vectors, dtype=float), g)
    assert (abs(found) <= 1).all()
    for (x, y, z), b in zip(vectors, found.tolist(), strict=True):
        dot = x - 2 * y + 2 * z
        assert b**2 == pytest.approx(dot**2 / (9 * (x * x + y * y + z * z)))
        assert np.sign(b) == np.sign(dot)
    assert word_polarity(np.array(vectors) * scale, g * scale) == pytest.approx(found)
    assert word_polarity(np.array(vectors), -g) == pytest.approx(-found)


def test_weighted_average_worked_example() -> None:
    # (1/4 - 1/16 + 1/16 + 0) / (1/2 + 1/4 + 1/4 + 0) = (1/4) / 1
    assert weighted_average([0.5, -0.25, 0.25, 0.0]) == 0.25
    # (1/16 - 1/4) / (1/4 + 1/2) = (-3/16) / (3/4) = -1/4: reaches the male threshold.
    assert weighted_average([0.25, -0.5]) == -0.25
    # Repeats count: (2 * 1/4 - 1/4) / (3 * 1/2) = (1/4) / (3/2) = 1/6.
    assert weighted_average([0.5, 0.5, -0.5]) == 1 / 6


@given(EXACT)
def test_weighted_average_definition(polarities: list[Fraction]) -> None:
    weight = sum(map(abs, polarities))
    signed = sum((b**2 if b > 0 else -(b**2)) for b in polarities)
    expected = signed / weight if weight else Fraction(0)
    assert weighted_average([float(b) for b in polarities]) == float(expected)


def test_most_polar_takes_the_first_of_equals() -> None:
    assert most_polar([0.1, -0.4, 0.4, -0.4]) == 1
    assert most_polar([0.4, -0.4]) == 0
    assert most_polar([0.0]) == 0


@pytest.mark.parametrize(
    ("score", "label"),
    [
        (-0.25, "male"),
        (np.nextafter(-0.25, 0), "neutral"),
        (np.nextafter(0.25, 0), "neutral"),
        (0.25, "female"),
    ],
)
def test_thresholds_are_inclusive(score: float, label: str) -> None:
    assert score_label(score) == label


@pytest.mark.parametrize(
    ("n_male", "n_female", "label"),
    [(0, 0, "neutral"), (2, 2, "neutral"), (1, 0, "male"), (0, 1, "female"), (3, 2, "male"), (2, 3, "female")],
)
def test_unigram_label(n_male: int, n_female: int, label: str) -> None:
    assert unigram_label(n_male, n_female) == label
