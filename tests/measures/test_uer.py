"""UER, the Unfair Error Rate."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures import get_measure
from fairsum_utils.measures._shares import shortfall
from fairsum_utils.measures.uer import MEASURE, uer, unfair_error


def test_worked_example() -> None:
    # Desired 1/2, 1/3, 1/6; in the summary 3/5, 13/40, 3/40.
    p_g = np.array([1 / 2, 1 / 3, 1 / 6])
    p_y = np.array([3 / 5, 13 / 40, 3 / 40])
    # Lacking: 0;  40/120 - 39/120 = 1/120;  20/120 - 9/120 = 11/120.
    assert shortfall(p_y, p_g) == pytest.approx([0, 1 / 120, 11 / 120], abs=1e-15)
    # (0 + 1/120 + 11/120) / 3 = 1/30.
    assert float(unfair_error(p_y, p_g)) == pytest.approx(1 / 30, abs=1e-15)


def test_absent_values_do_not_count() -> None:
    p_g = np.array([[0.5, 0.5, np.nan], [np.nan, np.nan, 1.0]])
    p_y = np.array([[0.25, 0.75, np.nan], [np.nan, np.nan, 1.0]])
    # (1/4 + 0) / 2 = 1/8, not / 3.
    assert unfair_error(p_y, p_g).tolist() == [0.125, 0.0]


def test_undefined_without_any_value() -> None:
    nothing = np.full((1, 3), np.nan)
    assert np.isnan(unfair_error(nothing, nothing)).all()
    assert np.isnan(unfair_error(np.empty((2, 0)), np.empty((2, 0)))).all()


def test_one_value_lacks_nothing() -> None:
    assert float(unfair_error(np.array([1.0]), np.array([1.0]))) == 0.0


def test_all_zero_summary_shares() -> None:
    # Not a distribution, yet defined: everything desired is lacking, (1/4 + 3/4) / 2.
    assert float(unfair_error(np.zeros(2), np.array([0.25, 0.75]))) == 0.5


def test_the_worst_case() -> None:
    # Nothing of the only value desired: 1 / r; one value alone cannot be missed, so that r is at least 2.
    assert float(unfair_error(np.array([0.0, 1.0]), np.array([1.0, 0.0]))) == MEASURE.high == 0.5


def test_score_by_hand() -> None:
    # (1/8 + 0 + 1/4 + 1/8) / 4 = 1/8; of no summary, nothing; several sums side by side.
    assert float(uer(1 / 8 + 0 + 1 / 4 + 1 / 8, 4)) == 1 / 8
    assert np.isnan(uer(0.0, 0))
    assert uer([0.0, 1.0], 2).tolist() == [0.0, 0.5]


def test_description() -> None:
    assert get_measure("uer") == MEASURE
    assert (MEASURE.name, MEASURE.low, MEASURE.high, MEASURE.lower_is_fairer) == ("uer", 0.0, 0.5, True)


@given(data=st.data())
def test_mean_over_samples(distributions: st.SearchStrategy[Any], data: st.DataObject) -> None:
    case = data.draw(distributions)
    per_sample = unfair_error(case.p_y, case.p_g)
    score = float(uer(per_sample.sum(), len(per_sample)))
    assert score == pytest.approx(sum(per_sample.tolist()) / len(per_sample), abs=1e-15)
    assert MEASURE.low <= score <= MEASURE.high


@given(data=st.data())
def test_definition(distributions: st.SearchStrategy[Any], data: st.DataObject) -> None:
    case = data.draw(distributions)
    expected = [float(sum(max(0, g - y) for y, g in sample) / len(sample)) for sample in case.exact]
    assert unfair_error(case.p_y, case.p_g) == pytest.approx(expected, abs=1e-14)


@given(data=st.data())
def test_is_total_variation_over_the_number_of_values(
    distributions: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    case = data.draw(distributions)
    # What some values lack, others have too much of: sum of shortfalls = half of sum |g - y|.
    expected = [float(sum(abs(g - y) for y, g in sample) / 2 / len(sample)) for sample in case.exact]
    assert unfair_error(case.p_y, case.p_g) == pytest.approx(expected, abs=1e-14)


@given(data=st.data())
def test_bounds(distributions: st.SearchStrategy[Any], data: st.DataObject) -> None:
    case = data.draw(distributions)
    found = unfair_error(case.p_y, case.p_g)
    assert (found >= 0).all()
    assert (found <= [1 / len(sample) + 1e-15 for sample in case.exact]).all()
    assert (found <= MEASURE.high).all()
    assert unfair_error(case.p_g, case.p_g).tolist() == [0.0] * len(case.exact)


@given(data=st.data())
def test_order_of_values_and_batching_do_not_matter(distributions: st.SearchStrategy[Any], data: st.DataObject) -> None:
    case = data.draw(distributions)
    together = unfair_error(case.p_y, case.p_g)
    order = data.draw(st.permutations(range(case.p_y.shape[1])))
    assert unfair_error(case.p_y[:, order], case.p_g[:, order]) == pytest.approx(together, abs=1e-15)
    rows = zip(case.p_y, case.p_g, strict=True)
    assert together.tolist() == [float(unfair_error(p_y, p_g)) for p_y, p_g in rows]


def test_padding_changes_no_bit() -> None:
    generator = np.random.default_rng(0)
    p_g, p_y = (generator.dirichlet(np.ones(7), size=1000) for _ in "gy")
    wider_g, wider_y = (np.pad(shares, ((0, 0), (0, 9)), constant_values=np.nan) for shares in (p_g, p_y))
    assert unfair_error(wider_y, wider_g).tolist() == unfair_error(p_y, p_g).tolist()


def test_the_example_of_explain_by_hand(explained_number: Callable[[str], float]) -> None:
    # Negative lacks 0.15, positive nothing; (0.15 + 0) / 2 = 0.075 in one of two summaries.
    assert explained_number("uer") == pytest.approx(0.0375, abs=5e-5)
