"""The largest difference of a label's share, which is the score of the measures of polarity."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures import get_formula, measures_of
from fairsum_utils.measures._polarity import largest_difference

FORMULAS = [largest_difference, *map(get_formula, measures_of("polarity"))]


@pytest.mark.parametrize("formula", FORMULAS)
def test_worked_example(formula: Any) -> None:
    # Of 4 texts 1, 1, 2, 0 and of 8 texts 1, 5, 1, 1: 1/4 - 1/8, 5/8 - 1/4, 2/4 - 1/8, 1/8 - 0; largest 3/8, twice.
    assert float(formula([[1, 1, 2, 0], [1, 5, 1, 1]], [4, 8])) == 3 / 8


@pytest.mark.parametrize("formula", FORMULAS)
@given(groups=st.lists(st.tuples(*[st.integers(0, 8)] * 3, st.integers(8, 12)), min_size=2, max_size=5))
def test_largest_over_labels_and_pairs_of_groups(formula: Any, groups: list[tuple[int, ...]]) -> None:
    shares = [[Fraction(count, size) for count in counts] for *counts, size in groups]
    expected = max(abs(p - q) for a, b in combinations(shares, 2) for p, q in zip(a, b, strict=True))
    counts, sizes = [counts for *counts, _ in groups], [size for *_, size in groups]
    score = float(formula(counts, sizes))
    assert score == pytest.approx(float(expected), abs=1e-15)
    assert float(formula(counts[::-1], sizes[::-1])) == score
    # The same shares twice are one more set of counts, not more groups.
    assert formula([counts, counts], [sizes, sizes]).tolist() == [score, score]


@pytest.mark.parametrize("formula", FORMULAS)
def test_undefined(formula: Any) -> None:
    assert np.isnan(formula([[2, 1]], [4]))
    assert np.isnan(formula([], []))
    assert np.isnan(formula([[2, 1], [0, 0]], [4, 0]))
    assert np.isnan(formula(np.zeros((3, 1, 2)), np.ones((3, 1)))).tolist() == [True, True, True]
