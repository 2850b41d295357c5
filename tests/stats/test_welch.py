"""Welch's t-test: against SciPy, by hand, and where there is none."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_ind

from fairsum_utils.stats.welch import welch_test

NUMBERS = st.lists(st.integers(0, 8).map(lambda number: number / 8), min_size=2, max_size=6)


def test_by_hand() -> None:
    """Means 2 and 3, variances 1 of three and 2 of two: t = -1 / sqrt(1/3 + 1), on (4/3)**2 / (1/18 + 1) = 32/19."""
    t, p_value = welch_test(np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0]))
    assert float(t) == pytest.approx(-math.sqrt(3 / 4))
    assert float(p_value) == pytest.approx(0.49209629563951035)  # of SciPy 1.17


@pytest.mark.filterwarnings("ignore:Precision loss occurred")
@given(NUMBERS, NUMBERS)
def test_it_is_that_of_scipy(first: list[float], second: list[float]) -> None:
    expected = ttest_ind(first, second, equal_var=False)
    found = welch_test(np.array(first), np.array(second))
    assert float(found.t) == pytest.approx(expected.statistic, nan_ok=True)
    assert float(found.p_value) == pytest.approx(expected.pvalue, nan_ok=True)
    turned = welch_test(np.array([second]), np.array([first]))
    assert turned.t[0] == pytest.approx(-found.t, nan_ok=True)


@pytest.mark.parametrize(
    ("first", "second", "t", "p_value"),
    [
        ([1.0], [0.0, 0.5], math.nan, math.nan),
        ([1.0, 0.5], [], math.nan, math.nan),
        ([0.5, 0.5], [0.5, 0.5, 0.5], math.nan, math.nan),
        ([0.5, 0.5], [0.25, 0.25], math.inf, 0.0),
        # 0.1 + 0.2 is not 0.3, but for rounding.
        ([0.3, 0.1 + 0.2], [0.3, 0.3], math.nan, math.nan),
        ([0.1 + 0.2, 0.3], [0.25, 0.25], math.inf, 0.0),
    ],
)
def test_where_little_varies(first: list[float], second: list[float], t: float, p_value: float) -> None:
    found = welch_test(np.array(first), np.array(second))
    assert (float(found.t), float(found.p_value)) == pytest.approx((t, p_value), nan_ok=True)
