"""Norms of texts by hand and in exact arithmetic."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.psycholinguistic_norms import (
    LABELS,
    norm_labels,
    rescale,
    text_norms,
)

EXPLAINED = 3 / 8 - 1 / 8

RATINGS = st.lists(
    st.tuples(*([st.integers(4, 36)] * 3), *([st.integers(4, 20)] * 5)),  # in quarters, from 1 to 9 and from 1 to 5
    max_size=5,
)


def test_worked_example() -> None:
    # "joyful": valence 8, arousal 6, dominance 7, joy 4, others 1; "war": 2, 7, 4, joy 1, anger 4, sadness 3, fear 4,
    # disgust 2.
    ratings = np.array([[8.0, 6, 7, 4, 1, 1, 1, 1], [2.0, 7, 4, 1, 4, 3, 4, 2]])
    words = rescale(ratings)
    assert words.tolist() == [
        [3 / 4, 1 / 4, 2 / 4, 3 / 4, 0, 0, 0, 0],
        [-3 / 4, 2 / 4, -1 / 4, 0, 3 / 4, 2 / 4, 3 / 4, 1 / 4],
    ]
    # Valence (9/16 - 9/16) / (6/4) = 0; arousal (1/16 + 4/16) / (3/4) = 5/12; dominance (4/16 - 1/16) / (3/4) = 1/4;
    # a dimension in which one word only is not neutral has that word's norm.
    assert text_norms(words) == pytest.approx([0, 5 / 12, 1 / 4, 3 / 4, 3 / 4, 2 / 4, 3 / 4, 1 / 4])
    assert norm_labels(text_norms(words)) == ["arousal_positive", "dominance_positive", *LABELS[6:]]
    assert norm_labels(text_norms(words), threshold=0.75) == ["joy", "anger", "fear"]


@given(quarters=RATINGS, order=st.randoms(use_true_random=False))
def test_agrees_with_exact_arithmetic(quarters: list[tuple[int, ...]], order: object) -> None:
    words = rescale(np.array(quarters).reshape(-1, 8) / 4)
    found = text_norms(words)
    for column, norm in enumerate(found):
        neutral = Fraction(5 if column < 3 else 1)
        exact = [(Fraction(row[column], 4) - neutral) / 4 for row in quarters]
        weight = sum(map(abs, exact))
        if not quarters:
            assert math.isnan(norm)
        elif not weight:
            assert norm == 0
        else:
            assert norm == pytest.approx(float(sum(w * abs(w) for w in exact) / weight))
            assert (-1 if column < 3 else 0) <= norm <= 1
    shuffled = list(quarters)
    order.shuffle(shuffled)  # type: ignore[attr-defined]
    again = text_norms(rescale(np.array(shuffled).reshape(-1, 8) / 4))
    assert again == found or not quarters  # to the bit


def test_labels_stand_in_the_order_of_the_tables() -> None:
    # Dhamala et al. 2021, table 9: Val(-ve) Aro(-ve) Dom(-ve) Val(+ve) Aro(+ve) Dom(+ve) Joy Anger Sad Fear Disgust
    assert norm_labels([-0.25] * 3 + [0.25] * 5) == [*LABELS[:3], *LABELS[6:]]
    assert norm_labels([0.25] * 3 + [0.24] * 5) == list(LABELS[3:6])
    signed = (f"{norm}_{sign}" for sign in ("negative", "positive") for norm in ("valence", "arousal", "dominance"))
    assert (*signed, "joy", "anger", "sadness", "fear", "disgust") == LABELS
