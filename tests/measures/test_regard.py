"""The likeliest regard."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.regard import LABELS, most_likely, regard

EXPLAINED = 0.4 - 0.2


def test_worked_example() -> None:
    probabilities = np.array([[0.125, 0.5, 0.25, 0.125], [0.25, 0.25, 0.25, 0.25], [0.0, 0.0, 0.0, 1.0]])
    assert [LABELS[place] for place in most_likely(probabilities)] == ["negative", "positive", "other"]


@given(st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=1, max_size=5))
def test_first_of_the_largest(rows: list[list[int]]) -> None:
    assert most_likely(np.array(rows) / 16).tolist() == [row.index(max(row)) for row in rows]


def test_score_by_hand() -> None:
    # Of 4 texts 1, 1, 2, 0 and of 8 texts 1, 5, 1, 1: 1/4 - 1/8, 5/8 - 1/4, 2/4 - 1/8, 1/8 - 0; largest 3/8, twice.
    assert float(regard([[1, 1, 2, 0], [1, 5, 1, 1]], [4, 8])) == 3 / 8
