"""Entity inclusion: odds of being mentioned, by group."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.entity_inclusion import (
    direction,
    entity_inclusion,
    inclusion_shares,
    largest_log_odds_ratio,
    log_odds_ratio,
    odds,
)

# Odds 0.6 / 0.4 = 1.5 and 0.4 / 0.6 = 2/3; 1.5 / (2/3) - 1.
EXPLAINED = 1.25

INSIDE = st.lists(st.tuples(st.integers(1, 20), st.integers(1, 20)).map(lambda own: (own[0], sum(own))), min_size=2)

ONE = np.array(1.0)
"""Shares are counts of groups of one entity each."""


def shares_of(groups: list[tuple[int, int]], continuity: float = 0.0) -> np.ndarray:
    included, entities = np.array(groups, dtype=float).T
    return inclusion_shares(included, entities, continuity)


def test_worked_example() -> None:
    # p = 3/4, 1/2, 1/5: odds 3, 1, 1/4; the largest ratio is 3 / (1/4) = 12.
    p = shares_of([(3, 4), (2, 4), (1, 5)])
    assert p.tolist() == [0.75, 0.5, 0.2]
    assert odds(p).tolist() == pytest.approx([3, 1, 0.25])
    assert float(entity_inclusion(np.array([3.0, 2.0, 1.0]), np.array([4.0, 4.0, 5.0]))) == pytest.approx(11)
    assert direction(p) == (0, 2)
    assert float(log_odds_ratio(p[0], p[2])) == pytest.approx(math.log(12))
    assert float(log_odds_ratio(p[2], p[0])) == pytest.approx(-math.log(12))
    assert float(largest_log_odds_ratio(p)) == pytest.approx(math.log(12))


def test_continuity() -> None:
    # (0 + 1/2) / (4 + 1) = 1/10, (4 + 1/2) / (4 + 1) = 9/10: odds 1/9 and 9, ratio 81.
    p = shares_of([(0, 4), (4, 4)], continuity=0.5)
    assert p.tolist() == pytest.approx([0.1, 0.9])
    assert float(entity_inclusion(np.array([0.0, 4.0]), np.array([4.0, 4.0]), 0.5)) == pytest.approx(80)
    assert math.isnan(shares_of([(0, 0)], continuity=0.5)[0])


@pytest.mark.parametrize(
    ("groups", "score", "log_ratio"),
    [
        # 0 of 3 women and 3 of 3 men: odds 0 and infinite.
        ([(0, 3), (3, 3)], math.inf, -math.inf),
        ([(3, 3), (0, 3)], math.inf, math.inf),
        ([(0, 4), (2, 4)], math.inf, -math.inf),
        ([(4, 4), (2, 4)], math.inf, math.inf),
        ([(4, 4), (3, 3)], 0.0, 0.0),
        ([(0, 4), (0, 3)], 0.0, 0.0),
        # Odds 0, 0 and 1: some are infinitely far from others.
        ([(0, 4), (0, 3), (1, 2)], math.inf, 0.0),
        ([(0, 0), (2, 4)], math.nan, math.nan),
        ([(4, 4), (0, 0)], math.nan, math.nan),
    ],
)
def test_all_or_none_of_a_group(groups: list[tuple[int, int]], score: float, log_ratio: float) -> None:
    p = shares_of(groups)
    found = [float(each) for each in (entity_inclusion(p, ONE), log_odds_ratio(*p[:2]), largest_log_odds_ratio(p))]
    assert found == pytest.approx([score, log_ratio, score], abs=0, nan_ok=True)


def test_one_group_is_no_comparison() -> None:
    assert math.isnan(entity_inclusion(np.array([0.5]), ONE))
    for p in ([0.25, np.nan], [0.25]):
        assert direction(np.array(p)) == (None, None)


@given(INSIDE)
def test_definition(groups: list[tuple[int, int]]) -> None:
    # (k / n) / (1 - k / n) = k / (n - k)
    exact = [Fraction(included, entities - included) for included, entities in groups]
    expected = max(a / b for a, b in permutations(exact, 2)) - 1
    p = shares_of(groups)
    assert float(entity_inclusion(p, ONE)) == pytest.approx(float(expected), rel=1e-9, abs=1e-12)
    assert float(largest_log_odds_ratio(p)) == pytest.approx(math.log(expected + 1), rel=1e-9, abs=1e-12)
    most, least = direction(p)
    assert most == (exact.index(max(exact)) if exact.count(max(exact)) == 1 else None)
    assert least == (exact.index(min(exact)) if exact.count(min(exact)) == 1 else None)
    assert (float(entity_inclusion(p, ONE)) == 0) == (len(set(exact)) == 1)
