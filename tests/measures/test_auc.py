"""AUC, the area under the curve of BUR over the tolerance."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fairsum_utils.measures import get_measure
from fairsum_utils.measures.auc import MEASURE, area_under_curve, auc, representation_ratio
from fairsum_utils.measures.bur import binary_unfair


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


def test_absent_values_do_not_count() -> None:
    p_g = np.array([[0.5, 0.5, np.nan], [np.nan, 1.0, np.nan]])
    p_y = np.array([[0.35, 0.65, np.nan], [np.nan, 1.0, np.nan]])
    assert np.isnan(representation_ratio(p_y, p_g)).tolist() == np.isnan(p_g).tolist()
    assert area_under_curve(p_y, p_g) == pytest.approx([0.3, 0.0], abs=1e-15)
    assert area_under_curve(p_y, p_g, n_points=10).tolist() == [0.3, 0.0]


def test_one_value_is_always_fair() -> None:
    one = np.array([1.0])
    assert float(area_under_curve(one, one)) == float(area_under_curve(one, one, n_points=10)) == 0.0


def test_a_value_that_nobody_wants_has_no_ratio() -> None:
    p_g, p_y = np.array([0.0, 1.0]), np.array([0.5, 0.5])
    assert np.isnan(representation_ratio(p_y, p_g)).tolist() == [True, False]
    assert float(area_under_curve(p_y, p_g)) == 0.5


def test_all_zero() -> None:
    # A value that is never mentioned falls short at every tolerance above 0.
    assert float(area_under_curve(np.zeros(2), np.array([0.5, 0.5]))) == 1.0
    assert float(area_under_curve(np.zeros(2), np.array([0.5, 0.5]), n_points=10)) == 1.0


def test_no_sample() -> None:
    assert area_under_curve(np.empty((0, 2)), np.empty((0, 2))).shape == (0,)


def test_no_sample_and_no_value() -> None:
    # The table of a data set in which every sample was skipped.
    assert area_under_curve(np.empty((0, 0)), np.empty((0, 0))).shape == (0,)


def test_undefined_without_any_value() -> None:
    nothing = np.full((1, 3), np.nan)
    assert np.isnan(area_under_curve(nothing, nothing)).all()


def test_score_by_hand() -> None:
    # (3/4 + 1/4) / 4 = 1/4; of no summary, nothing; several sums side by side.
    assert float(auc(3 / 4 + 1 / 4, 4)) == 1 / 4
    assert np.isnan(auc(0.0, 0))
    assert auc([0.0, 1.0], 2).tolist() == [0.0, 0.5]


def test_description() -> None:
    assert get_measure("auc") == MEASURE
    assert (MEASURE.name, MEASURE.low, MEASURE.high, MEASURE.lower_is_fairer) == ("auc", 0.0, 1.0, True)


@given(data=st.data())
def test_mean_over_samples(distributions: st.SearchStrategy[Any], data: st.DataObject) -> None:
    case = data.draw(distributions)
    per_sample = area_under_curve(case.p_y, case.p_g)
    score = float(auc(per_sample.sum(), len(per_sample)))
    assert score == pytest.approx(sum(per_sample.tolist()) / len(per_sample), abs=1e-15)
    assert MEASURE.low <= score <= MEASURE.high


@given(data=st.data())
def test_exact_is_one_minus_the_smallest_ratio(distributions: st.SearchStrategy[Any], data: st.DataObject) -> None:
    case = data.draw(distributions)
    expected = [float(1 - min(1, *(y / g for y, g in sample))) for sample in case.exact]
    assert area_under_curve(case.p_y, case.p_g) == pytest.approx(expected, abs=1e-14)


@given(data=st.data(), n_points=st.integers(1, 40))
def test_points_are_the_mean_of_bur(distributions: st.SearchStrategy[Any], data: st.DataObject, n_points: int) -> None:
    case = data.draw(distributions)
    taus = [Fraction(point, n_points) for point in range(1, n_points + 1)]
    # Floating point decides an exact tie, so there is none here.
    assume(all(y not in {tau * g for tau in taus} for sample in case.exact for y, g in sample))
    unfair = [sum(any(y < tau * g for y, g in sample) for tau in taus) for sample in case.exact]
    expected = [count / n_points for count in unfair]
    assert area_under_curve(case.p_y, case.p_g, n_points).tolist() == expected


@given(data=st.data(), n_points=st.sampled_from([1, 7, 10, 100, 1000]))
def test_points_approach_the_integral_from_above(
    distributions: st.SearchStrategy[Any], data: st.DataObject, n_points: int
) -> None:
    case = data.draw(distributions)
    surplus = area_under_curve(case.p_y, case.p_g, n_points) - area_under_curve(case.p_y, case.p_g)
    assert (surplus >= -1e-12).all()
    assert (surplus <= 1 / n_points + 1e-12).all()


@given(data=st.data(), tau=st.floats(0, 1))
def test_bur_steps_up_at_one_minus_auc(distributions: st.SearchStrategy[Any], data: st.DataObject, tau: float) -> None:
    case = data.draw(distributions)
    step = 1 - area_under_curve(case.p_y, case.p_g)
    clear = np.abs(tau - step) > 1e-9
    assert (binary_unfair(case.p_y, case.p_g, tau) == (tau > step))[clear].all()


@given(data=st.data())
def test_bounds(distributions: st.SearchStrategy[Any], data: st.DataObject) -> None:
    case = data.draw(distributions)
    found = area_under_curve(case.p_y, case.p_g)
    assert (found >= 0).all()
    assert (found <= 1).all()
    assert area_under_curve(case.p_g, case.p_g).tolist() == [0.0] * len(case.exact)


@given(data=st.data(), n_points=st.sampled_from([None, 10]))
def test_order_of_values_and_batching_do_not_matter(
    distributions: st.SearchStrategy[Any], data: st.DataObject, n_points: int | None
) -> None:
    case = data.draw(distributions)
    together = area_under_curve(case.p_y, case.p_g, n_points)
    order = data.draw(st.permutations(range(case.p_y.shape[1])))
    assert together.tolist() == area_under_curve(case.p_y[:, order], case.p_g[:, order], n_points).tolist()
    rows = zip(case.p_y, case.p_g, strict=True)
    assert together.tolist() == [float(area_under_curve(p_y, p_g, n_points)) for p_y, p_g in rows]


def test_the_example_of_explain_by_hand(explained_number: Callable[[str], float]) -> None:
    # 1 - 0.25 / 0.4 = 0.375 in one of two summaries.
    assert explained_number("auc") == pytest.approx(0.1875, abs=5e-5)
