"""Misattribution: which claims are given to the wrong speaker, and their share."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.misattribution import is_misattributed, is_supported, misattribution

# 1 of 4 claims.
EXPLAINED = 0.25

PROBABILITIES = st.integers(0, 100).map(lambda percent: percent / 100)


@pytest.mark.parametrize(
    ("named", "other", "outcome"),
    [
        (1.0, 1.0, "supported"),  # whoever else said it
        (0.6, 1.0, "supported"),  # at the threshold
        (0.4, 0.6, "misattributed"),  # at the threshold and the margin: 0.6 - 0.4 = 0.2
        (0.59, 0.78, "unsupported"),  # 0.78 - 0.59 = 0.19 < 0.2
        (0.2, 0.59, "unsupported"),  # nobody reaches the threshold
        (0.0, 0.0, "unsupported"),
    ],
)
def test_outcomes_by_hand(named: float, other: float, outcome: str) -> None:
    supported = bool(is_supported(np.array([named]), 0.6)[0])
    moved = bool(is_misattributed(np.array([named]), np.array([other]), 0.6, 0.2)[0])
    assert (supported, moved) == (outcome == "supported", outcome == "misattributed")


def test_worked_example() -> None:
    # Two summaries with 3 and 5 claims, of which 1 and 2 are misattributed: 3 / 8.
    assert float(misattribution(1 + 2, 3 + 5)) == 0.375
    assert misattribution([0, 4], [4, 4]).tolist() == [0.0, 1.0]


@given(
    st.lists(st.tuples(PROBABILITIES, PROBABILITIES), min_size=1, max_size=20),
    PROBABILITIES.filter(bool),
    PROBABILITIES,
)
def test_properties(pairs: list[tuple[float, float]], threshold: float, margin: float) -> None:
    named, other = (np.array(part) for part in zip(*pairs, strict=True))
    moved = is_misattributed(named, other, threshold, margin)
    exact = [
        round(100 * own) < round(100 * threshold) <= round(100 * most)
        and round(100 * most) - round(100 * own) >= round(100 * margin)
        for own, most in pairs
    ]
    assert moved.tolist() == exact
    assert not (moved & is_supported(named, threshold)).any()
    share = float(misattribution(moved.sum(), len(pairs)))
    assert share == pytest.approx(float(Fraction(sum(exact), len(pairs))))
    assert 0 <= share <= 1
    # A larger margin or more support by the named speaker never adds a misattributed claim.
    assert not (is_misattributed(named, other, threshold, min(1.0, margin + 0.1)) & ~moved).any()
    assert not (is_misattributed(np.minimum(1, named + 0.1), other, threshold, margin) & ~moved).any()
