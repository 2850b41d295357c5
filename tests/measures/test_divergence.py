"""What the measures of counts share: shares, and their distance."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures._divergence import shares, total_variation

COUNTS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=2, max_size=6).filter(
    lambda pairs: all(map(any, zip(*pairs, strict=True)))
)


def test_by_hand() -> None:
    # 1/4, 1/4, 1/2 against 1/2, 1/4, 1/4: (1/4 + 0 + 1/4) / 2.
    assert shares(np.array([1.0, 1.0, 2.0])).tolist() == [0.25, 0.25, 0.5]
    assert shares(np.array([1.0, 0.0])).tolist() == [1.0, 0.0]
    assert float(total_variation(np.array([-0.25, 0.0, 0.25]))) == 0.25


def test_undefined() -> None:
    assert np.isnan(shares(np.zeros((2, 3)))).all()
    assert np.isnan(total_variation(np.zeros((4, 1)))).tolist() == [True] * 4
    assert np.isnan(total_variation(np.array([np.nan, 0.5])))


@given(pairs=COUNTS)
def test_a_distance_between_0_and_1(pairs: list[tuple[int, int]]) -> None:
    p, q = (shares(np.array(counts, dtype=np.float64)) for counts in zip(*pairs, strict=True))
    distance = float(total_variation(p - q))
    assert 0 <= distance <= 1
    assert distance == float(total_variation(q - p))
    # What one has more of, the other has less of.
    assert distance == pytest.approx(np.maximum(p - q, 0).sum(), abs=1e-15)
    assert float(total_variation(p - p)) == 0
