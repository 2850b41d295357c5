"""AUC, the area under the curve of BUR over the tolerance."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fairsum_utils.measures.auc import area_under_curve, representation_ratio
from tests.measures.conftest import Distributions, distributions

# 1 - 0.25 / 0.4 = 0.375 in one of two summaries.
EXPLAINED = 0.1875


def test_worked_example() -> None:
    # Desired 1/2, 1/3, 1/6; in the summary 3/5, 13/40, 3/40.
    p_g = np.array([1 / 2, 1 / 3, 1 / 6])
    p_y = np.array([3 / 5, 13 / 40, 3 / 40])
    # Ratios: 6/5, 39/40, 18/40 = 9/20.
    assert representation_ratio(p_y, p_g) == pytest.approx([6 / 5, 39 / 40, 9 / 20], abs=1e-15)
    # BUR(tau) is 0 up to 9/20 and 1 above: 1 - 9/20 = 11/20.
    assert float(area_under_curve(p_y, p_g)) == pytest.approx(11 / 20, abs=1e-15)
    # Of 0.1, 0.2, ..., 1.0 the six from 0.5 on are above 0.45.
    assert float(area_under_curve(p_y, p_g, n_points=10)) == 6 / 10
    # Of 1/2 and 1 both are; of 1 alone, it is.
    assert float(area_under_curve(p_y, p_g, n_points=2)) == float(area_under_curve(p_y, p_g, n_points=1)) == 1.0


@given(case=distributions())
def test_exact_is_one_minus_the_smallest_ratio(case: Distributions) -> None:
    expected = [float(1 - min(1, *(y / g for y, g in sample))) for sample in case.exact]
    assert area_under_curve(case.p_y, case.p_g) == pytest.approx(expected, abs=1e-14)


@given(case=distributions(), n_points=st.integers(1, 40))
def test_points_are_the_mean_of_bur(case: Distributions, n_points: int) -> None:
    taus = [Fraction(point, n_points) for point in range(1, n_points + 1)]
    # Floating point decides an exact tie, so there is none here.
    assume(all(y not in {tau * g for tau in taus} for sample in case.exact for y, g in sample))
    unfair = [sum(any(y < tau * g for y, g in sample) for tau in taus) for sample in case.exact]
    expected = [count / n_points for count in unfair]
    assert area_under_curve(case.p_y, case.p_g, n_points).tolist() == expected
