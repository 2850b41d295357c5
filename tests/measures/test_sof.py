"""SOF, Second-Order Fairness."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures import get_measure
from fairsum_utils.measures.sof import MEASURE, second_order_fairness

SHORTFALLS = st.lists(st.fractions(0, 1, max_denominator=50), min_size=2, max_size=6)


def sof(shortfalls: list[Fraction]) -> float:
    return float(second_order_fairness(np.array(shortfalls, dtype=np.float64)))


def test_worked_example() -> None:
    # m = 0, 1/10, 1/5: mean 1/10; deviations 1/10, 0, 1/10; their mean 2/30 = 1/15.
    assert float(second_order_fairness(np.array([0, 1 / 10, 1 / 5]))) == pytest.approx(1 / 15, abs=1e-15)
    # m = 1/4, 1/18, 1/18: mean 13/108; deviations 14/108, 7/108, 7/108; their mean 28/324 = 7/81.
    assert float(second_order_fairness(np.array([1 / 4, 1 / 18, 1 / 18]))) == pytest.approx(7 / 81, abs=1e-15)


def test_equal_shortfalls_are_fair_however_large() -> None:
    assert float(second_order_fairness(np.zeros(3))) == 0.0
    assert float(second_order_fairness(np.array([0.5, 0.5]))) == 0.0


def test_the_worst_case() -> None:
    # m = 0, 1: both are 1/2 away from 1/2.
    assert float(second_order_fairness(np.array([0.0, 1.0]))) == MEASURE.high == 0.5


def test_undefined_for_fewer_than_two_values() -> None:
    assert np.isnan(second_order_fairness(np.array([0.2])))
    assert np.isnan(second_order_fairness(np.array([])))
    assert np.isnan(second_order_fairness(np.zeros((3, 1)))).tolist() == [True, True, True]


def test_undefined_when_a_value_was_never_seen() -> None:
    found = second_order_fairness(np.array([[0.0, 0.1, np.nan], [0.0, 0.1, 0.2]]))
    assert np.isnan(found).tolist() == [True, False]


def test_description() -> None:
    assert get_measure("sof") == MEASURE
    assert (MEASURE.name, MEASURE.low, MEASURE.lower_is_fairer) == ("sof", 0.0, True)


@given(shortfalls=SHORTFALLS)
def test_definition(shortfalls: list[Fraction]) -> None:
    centre = sum(shortfalls, Fraction(0)) / len(shortfalls)
    expected = sum((abs(m - centre) for m in shortfalls), Fraction(0)) / len(shortfalls)
    assert sof(shortfalls) == pytest.approx(float(expected), abs=1e-15)


@given(shortfalls=SHORTFALLS, shift=st.fractions(0, 1, max_denominator=20))
def test_bounds_shift_and_scale(shortfalls: list[Fraction], shift: Fraction) -> None:
    found = sof(shortfalls)
    assert 0 <= found <= MEASURE.high + 1e-15
    assert sof([m + shift for m in shortfalls]) == pytest.approx(found, abs=1e-14)
    assert sof([m * shift for m in shortfalls]) == pytest.approx(found * float(shift), abs=1e-14)


@given(shortfalls=SHORTFALLS, data=st.data())
def test_order_of_values_and_batching_do_not_matter(shortfalls: list[Fraction], data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(shortfalls))
    assert sof(shuffled) == pytest.approx(sof(shortfalls), abs=1e-15)
    batch = np.array([shortfalls, shuffled], dtype=np.float64)
    assert second_order_fairness(batch).tolist() == [sof(shortfalls), sof(shuffled)]
