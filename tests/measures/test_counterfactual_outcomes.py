"""Counterfactual Outcomes: examples by hand, a brute-force version in exact arithmetic, and properties."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.counterfactual_outcomes import counterfactual_outcomes, mean_differences, spreads

# Lengths 52, 46, 40, 36: the mean difference 5 over the deviation (36.75) ** (1/2).
EXPLAINED = 5 / 36.75**0.5

SMALL = st.integers(-50, 50)


def test_two_originals_by_hand() -> None:
    """Lengths 52 and 46, 40 and 36: mean 43.5, deviations 8.5, 2.5, -3.5, -7.5; (72.25 + 6.25 + 12.25 + 56.25) / 4."""
    lengths = np.array([52.0, 46.0, 40.0, 36.0])
    deviation = float(spreads(lengths.sum(), (lengths**2).sum(), 4))
    assert deviation == pytest.approx(math.sqrt(36.75), rel=1e-12)
    assert float(counterfactual_outcomes([6.0 + 4.0], [2], [deviation])) == pytest.approx(5 / math.sqrt(36.75))


def test_undefined_and_without_a_difference() -> None:
    assert math.isnan(float(counterfactual_outcomes([], [], [])))
    assert math.isnan(float(counterfactual_outcomes([0.0, 0.0], [0, 0], [1.0, 1.0])))
    assert float(counterfactual_outcomes([0.0, 0.0], [0, 3], [1.0, 0.0])) == 0.0  # one outcome that never varies
    assert math.isnan(float(spreads(0.0, 0.0, 0)))


def test_rounding_is_no_spread() -> None:
    numbers = np.full(7, 0.1)
    assert float(spreads(numbers.sum(), (numbers**2).sum(), 7)) == 0.0


def test_mean_differences_by_hand() -> None:
    """Inputs 1, 3, 8 of which the first two are of variant a: 2 - 8; b has all ways to have one of three."""
    outcomes = np.array([[1.0], [3.0], [8.0]])
    first = np.array([[True, True, False], [True, False, True], [False, True, True]])
    assert mean_differences(outcomes, first).ravel().tolist() == [2.0 - 8.0, 4.5 - 3.0, 5.5 - 1.0]


@given(st.lists(SMALL, min_size=2, max_size=6), st.data())
def test_mean_differences_are_those_of_exact_arithmetic(numbers: list[int], data: st.DataObject) -> None:
    n = data.draw(st.integers(1, len(numbers) - 1))
    ways = list(combinations(range(len(numbers)), n))
    first = np.array([[place in way for place in range(len(numbers))] for way in ways])
    found = mean_differences(np.array(numbers, dtype=float)[:, None], first)[:, 0]
    for way, difference in zip(ways, found.tolist(), strict=True):
        inside = [numbers[place] for place in way]
        outside = [number for place, number in enumerate(numbers) if place not in way]
        exact = Fraction(sum(inside), len(inside)) - Fraction(sum(outside), len(outside))
        assert difference == pytest.approx(float(exact), abs=1e-9)
    assert found.mean() == pytest.approx(0.0, abs=1e-9)  # over all ways to hand variants out nobody has more


@given(st.lists(SMALL, min_size=2, max_size=8), st.floats(0.125, 8), SMALL)
def test_spread_and_score_do_not_depend_on_the_unit(numbers: list[int], scale: float, shift: int) -> None:
    moved = [number * scale + shift for number in numbers]
    before, after = (
        float(spreads(math.fsum(each), math.fsum(x * x for x in each), len(each))) for each in (numbers, moved)
    )
    assert before == pytest.approx(float(np.std(numbers)), abs=1e-6)
    assert after == pytest.approx(before * scale, rel=1e-4, abs=1e-3)
