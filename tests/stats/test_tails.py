"""Tails against SciPy, and by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils.stats.tails import beta_cdf, root, student_cdf, student_reach


def test_beta_by_hand() -> None:
    # I(x; a, 1) is x^a, and I(x; 1, b) is 1 - (1 - x)^b.
    assert beta_cdf(3, 1, 0.2) == pytest.approx(0.008, rel=1e-14)
    assert beta_cdf(1, 2, 0.5) == pytest.approx(0.75, rel=1e-14)
    assert (beta_cdf(2, 3, 0.0), beta_cdf(2, 3, 1.0)) == (0.0, 1.0)
    # P(Binomial(4, 1/2) <= 1) = 5/16
    assert beta_cdf(3, 2, 0.5) == pytest.approx(5 / 16, rel=1e-14)


@given(st.floats(0.05, 5_000), st.floats(0.05, 5_000), st.floats(0, 1))
@settings(deadline=None)
def test_beta_agrees_with_scipy(a: float, b: float, x: float) -> None:
    special = pytest.importorskip("scipy.special")
    assert beta_cdf(a, b, x) == pytest.approx(float(special.betainc(a, b, x)), rel=1e-8, abs=1e-11)


@given(st.floats(-40, 40), st.integers(1, 5_000))
@settings(deadline=None)
def test_student_agrees_with_scipy(t: float, freedom: int) -> None:
    special = pytest.importorskip("scipy.special")
    assert student_cdf(t, freedom) == pytest.approx(float(special.stdtr(freedom, t)), rel=1e-7)


@given(st.floats(0.01, 0.999), st.integers(2, 5_000))
@settings(deadline=None)
def test_reach_is_the_quantile(level: float, n: int) -> None:
    assert 2 * student_cdf(student_reach(level, n), n - 1) - 1 == pytest.approx(level, abs=1e-9)


def test_reach_as_the_tables_have_it() -> None:
    assert [round(student_reach(0.95, n), 3) for n in (2, 11, 31)] == [12.706, 2.228, 2.042]
    assert student_reach(0.95, 10**7) == pytest.approx(1.959964, abs=1e-5)


@pytest.mark.parametrize(
    ("function", "low", "high", "expected"),
    [
        (lambda x: x**9 - 0.5, 0.0, 1.0, 0.5 ** (1 / 9)),
        (lambda x: 1e-12 - x, 0.0, 1.0, 1e-12),
        (lambda x: math.atan(1e6 * (x - 0.25)), -3.0, 5.0, 0.25),
        (lambda x: x, 0.0, 1.0, 0.0),
    ],
)
def test_root(function, low: float, high: float, expected: float) -> None:  # type: ignore[no-untyped-def]
    assert root(function, low, high) == pytest.approx(expected, rel=1e-9, abs=1e-14)
