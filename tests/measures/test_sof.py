"""SOF, Second-Order Fairness."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.sof import sample_sof, sof

# Means 0.15 and 0.05, both 0.05 from their mean.
EXPLAINED = 0.05

SHORTFALLS = st.lists(st.fractions(0, 1, max_denominator=50), min_size=2, max_size=6)


def test_worked_example() -> None:
    # m = 0, 1/10, 1/5: mean 1/10; deviations 1/10, 0, 1/10; their mean 2/30 = 1/15.
    assert float(sof(np.array([0, 1 / 10, 1 / 5]), 1)) == pytest.approx(1 / 15, abs=1e-15)
    # m = 1/4, 1/18, 1/18: mean 13/108; deviations 14/108, 7/108, 7/108; their mean 28/324 = 7/81.
    assert float(sof(np.array([1 / 4, 1 / 18, 1 / 18]), 1)) == pytest.approx(7 / 81, abs=1e-15)


def test_undefined() -> None:
    assert np.isnan(sof(np.array([0.2]), 1))
    assert np.isnan(sof(np.array([]), 1))
    assert np.isnan(sof(np.zeros((3, 1)), 1)).tolist() == [True, True, True]
    # A value that was never seen.
    found = sof(np.array([[0.0, 0.1, np.nan], [0.0, 0.1, 0.2]]), 1)
    assert np.isnan(found).tolist() == [True, False]
    assert np.isnan(sof([0.0, 0.1, 0.0], [1, 1, 0]))


@given(shortfalls=SHORTFALLS)
def test_definition(shortfalls: list[Fraction]) -> None:
    centre = sum(shortfalls, Fraction(0)) / len(shortfalls)
    expected = sum((abs(m - centre) for m in shortfalls), Fraction(0)) / len(shortfalls)
    assert float(sof(np.array(shortfalls, dtype=np.float64), 1)) == pytest.approx(float(expected), abs=1e-15)


SHARES = st.lists(st.tuples(st.integers(0, 50), st.integers(1, 50)), min_size=1, max_size=6).filter(
    lambda pairs: any(given for given, _ in pairs)
)


@given(shares=SHARES)
def test_a_sample_by_definition(shares: list[tuple[int, int]]) -> None:
    p_y, p_g = ([Fraction(n, sum(counts)) for n in counts] for counts in zip(*shares, strict=True))
    lacking = [max(Fraction(0), desired - given) for given, desired in zip(p_y, p_g, strict=True)]
    centre = sum(lacking, Fraction(0)) / len(lacking)
    expected = sum((abs(each - centre) for each in lacking), Fraction(0)) / len(lacking)
    found = float(sample_sof(np.array(p_y, dtype=np.float64), np.array(p_g, dtype=np.float64)))
    assert found == pytest.approx(float(expected), abs=1e-14)
    # What lacks least lacks nothing, for shares sum to 1 on both sides.
    least, most = (factor * centre for factor in (Fraction(2, len(shares)), 2 - Fraction(2, len(shares))))
    assert least <= expected <= most
