"""BUR, the Binary Unfair Rate."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fairsum_utils.measures import get_measure
from fairsum_utils.measures.auc import area_under_curve
from fairsum_utils.measures.bur import MEASURE, binary_unfair, bur, bur_over, underrepresented

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


def test_equality_is_fair() -> None:
    # 1/4 < 1/2 * 1/2 is false, and exact in binary.
    assert not binary_unfair(np.array([0.25, 0.75]), np.array([0.5, 0.5]), tau=0.5)


def test_an_absent_value_is_never_underrepresented() -> None:
    p_g = np.array([[0.5, 0.5, np.nan], [np.nan, 1.0, np.nan]])
    p_y = np.array([[0.1, 0.9, np.nan], [np.nan, 1.0, np.nan]])
    assert underrepresented(p_y, p_g, 0.8).tolist() == [[True, False, False], [False, False, False]]
    assert binary_unfair(p_y, p_g, 0.8).tolist() == [True, False]


def test_one_value_is_always_fair() -> None:
    assert not binary_unfair(np.array([1.0]), np.array([1.0]), tau=1.0)


def test_a_value_that_nobody_wants_is_fair_and_one_that_nobody_mentions_is_not() -> None:
    assert underrepresented(np.array([0.0, 1.0]), np.array([0.0, 1.0]), tau=1.0).tolist() == [False, False]
    assert underrepresented(np.array([0.0, 1.0]), np.array([0.01, 0.99]), tau=0.01).tolist() == [True, False]


def test_the_arguments_stay_as_they_are() -> None:
    p_y, p_g = np.array([0.1, 0.9]), np.array([0.5, 0.5])
    binary_unfair(p_y, p_g, 0.8)
    assert p_y.tolist() == [0.1, 0.9]
    assert p_g.tolist() == [0.5, 0.5]


def test_score_by_hand() -> None:
    # 3 of 8 summaries; of none, nothing; several sums side by side.
    assert float(bur(3, 8)) == 3 / 8
    assert np.isnan(bur(0, 0))
    assert bur([0, 4], 4).tolist() == [0.0, 1.0]


def test_description() -> None:
    assert get_measure("bur") == MEASURE
    assert (MEASURE.name, MEASURE.low, MEASURE.high, MEASURE.lower_is_fairer) == ("bur", 0.0, 1.0, True)


@given(data=st.data())
def test_mean_over_samples(distributions: st.SearchStrategy[Any], data: st.DataObject) -> None:
    case = data.draw(distributions)
    per_sample = binary_unfair(case.p_y, case.p_g, 0.8)
    score = float(bur(per_sample.sum(), len(per_sample)))
    assert score == pytest.approx(sum(per_sample.tolist()) / len(per_sample), abs=1e-15)
    assert MEASURE.low <= score <= MEASURE.high


@given(data=st.data(), tau=TAUS)
def test_definition(distributions: st.SearchStrategy[Any], data: st.DataObject, tau: Fraction) -> None:
    case = data.draw(distributions)
    # Floating point decides an exact tie, so there is none here, but for 0 < 0.
    assume(all(y != tau * g or y == 0 for sample in case.exact for y, g in sample))
    found = underrepresented(case.p_y, case.p_g, float(tau))
    for row, (sample, places) in enumerate(zip(case.exact, case.places, strict=True)):
        assert found[row, places].tolist() == [y < tau * g for y, g in sample]
    assert binary_unfair(case.p_y, case.p_g, float(tau)).tolist() == [
        any(y < tau * g for y, g in sample) for sample in case.exact
    ]


@given(data=st.data())
def test_without_tolerance_nothing_is_unfair(distributions: st.SearchStrategy[Any], data: st.DataObject) -> None:
    case = data.draw(distributions)
    assert not binary_unfair(case.p_y, case.p_g, tau=0.0).any()


@given(data=st.data(), taus=st.tuples(st.floats(0, 1), st.floats(0, 1)))
def test_grows_with_tau(distributions: st.SearchStrategy[Any], data: st.DataObject, taus: tuple[float, float]) -> None:
    case = data.draw(distributions)
    low, high = sorted(taus)
    assert (binary_unfair(case.p_y, case.p_g, low) <= binary_unfair(case.p_y, case.p_g, high)).all()


@given(data=st.data(), tau=st.floats(0, 1))
def test_order_of_values_and_batching_do_not_matter(
    distributions: st.SearchStrategy[Any], data: st.DataObject, tau: float
) -> None:
    case = data.draw(distributions)
    together = binary_unfair(case.p_y, case.p_g, tau)
    order = data.draw(st.permutations(range(case.p_y.shape[1])))
    assert together.tolist() == binary_unfair(case.p_y[:, order], case.p_g[:, order], tau).tolist()
    rows = zip(case.p_y, case.p_g, strict=True)
    assert together.tolist() == [bool(binary_unfair(p_y, p_g, tau)) for p_y, p_g in rows]


@pytest.mark.parametrize("shape", [(3,), (2, 3), (4, 2, 3)])
def test_shapes(shape: tuple[int, ...]) -> None:
    shares = np.full(shape, 1 / 3)
    assert underrepresented(shares, shares, 0.8).shape == shape
    assert binary_unfair(shares, shares, 0.8).shape == shape[:-1]


def test_over_tolerances_by_hand() -> None:
    # Smallest ratios 1/2 and 2/3; the third holds one value, all of it.
    p_y = np.array([[0.25, 0.75], [0.6, 0.4], [1.0, np.nan]])
    p_g = np.array([[0.5, 0.5], [0.4, 0.6], [1.0, np.nan]])
    assert bur_over(p_y, p_g, [0.0, 0.5, 0.6, 0.7, 1.0]).tolist() == [0.0, 0.0, 1 / 3, 2 / 3, 2 / 3]
    assert np.isnan(bur_over(p_y[:0], p_g[:0], [0.8])).all()


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 20), st.integers(1, 20)), min_size=1, max_size=6))
def test_over_tolerances_it_rises_and_its_mean_is_the_area(counts: list[tuple[int, int, int]]) -> None:
    p_y = np.array([[a / (a + b), b / (a + b)] for a, b, _ in counts])
    p_g = np.array([[c / (c + 10), 10 / (c + 10)] for *_, c in counts])
    rates = bur_over(p_y, p_g, [point / 10 for point in range(1, 11)])
    assert rates.tolist() == sorted(rates.tolist())
    assert rates.mean() == pytest.approx(area_under_curve(p_y, p_g, n_points=10).mean())


def test_the_example_of_explain_by_hand(explained_number: Callable[[str], float]) -> None:
    # One of four summaries: negative gets 0.25, which is below 0.8 * 0.4 = 0.32.
    assert explained_number("bur") == pytest.approx(1 / 4, abs=5e-5)
