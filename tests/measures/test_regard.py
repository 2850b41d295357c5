"""The likeliest regard."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.regard import LABELS, most_likely

EXPLAINED = 0.4 - 0.2


def test_worked_example() -> None:
    probabilities = np.array([[0.125, 0.5, 0.25, 0.125], [0.25, 0.25, 0.25, 0.25], [0.0, 0.0, 0.0, 1.0]])
    assert [LABELS[place] for place in most_likely(probabilities)] == ["negative", "positive", "other"]


@given(st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=1, max_size=5))
def test_first_of_the_largest(rows: list[list[int]]) -> None:
    assert most_likely(np.array(rows) / 16).tolist() == [row.index(max(row)) for row in rows]
