"""BUR, the Binary Unfair Rate."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from fairsum_utils.measures.bur import binary_unfair, bur_over, underrepresented
from tests.measures.conftest import Distributions, distributions

# One of four summaries: negative gets 0.25, which is below 0.8 * 0.4 = 0.32.
EXPLAINED = 1 / 4

TAUS = st.fractions(0, 1, max_denominator=100)


def test_worked_example() -> None:
    # Desired 1/2, 1/3, 1/6; in the summary 3/5, 13/40, 3/40.
    p_g = np.array([1 / 2, 1 / 3, 1 / 6])
    p_y = np.array([3 / 5, 13 / 40, 3 / 40])
    # tau = 4/5: 3/5 >= 2/5;  13/40 = 39/120 >= 4/15 = 32/120;  3/40 = 9/120 < 2/15 = 16/120.
    assert underrepresented(p_y, p_g, 0.8).tolist() == [False, False, True]
    assert bool(binary_unfair(p_y, p_g, 0.8)) is True
    # tau = 2/5: 3/40 = 9/120 >= 1/15 = 8/120.
    assert bool(binary_unfair(p_y, p_g, tau=0.4)) is False
    # tau = 1: 13/40 = 39/120 < 1/3 = 40/120 as well.
    assert underrepresented(p_y, p_g, tau=1.0).tolist() == [False, True, True]


def test_equality_is_fair_and_an_absent_value_is_never_underrepresented() -> None:
    # 1/4 < 1/2 * 1/2 is false, and exact in binary.
    assert not binary_unfair(np.array([0.25, 0.75]), np.array([0.5, 0.5]), tau=0.5)
    p_g = np.array([[0.5, 0.5, np.nan], [np.nan, 1.0, np.nan]])
    p_y = np.array([[0.1, 0.9, np.nan], [np.nan, 1.0, np.nan]])
    assert underrepresented(p_y, p_g, 0.8).tolist() == [[True, False, False], [False, False, False]]
    assert binary_unfair(p_y, p_g, 0.8).tolist() == [True, False]


@given(case=distributions(), tau=TAUS)
def test_definition(case: Distributions, tau: Fraction) -> None:
    # Floating point decides an exact tie, so there is none here, but for 0 < 0.
    assume(all(y != tau * g or y == 0 for sample in case.exact for y, g in sample))
    found = underrepresented(case.p_y, case.p_g, float(tau))
    for row, (sample, places) in enumerate(zip(case.exact, case.places, strict=True)):
        assert found[row, places].tolist() == [y < tau * g for y, g in sample]
    assert binary_unfair(case.p_y, case.p_g, float(tau)).tolist() == [
        any(y < tau * g for y, g in sample) for sample in case.exact
    ]


def test_over_tolerances_by_hand() -> None:
    # Smallest ratios 1/2 and 2/3; the third holds one value, all of it.
    p_y = np.array([[0.25, 0.75], [0.6, 0.4], [1.0, np.nan]])
    p_g = np.array([[0.5, 0.5], [0.4, 0.6], [1.0, np.nan]])
    assert bur_over(p_y, p_g, [0.0, 0.5, 0.6, 0.7, 1.0]).tolist() == [0.0, 0.0, 1 / 3, 2 / 3, 2 / 3]
    assert np.isnan(bur_over(p_y[:0], p_g[:0], [0.8])).all()
