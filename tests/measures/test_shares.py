"""Shares, their shortfalls and distances, and sums without absent groups."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures._shares import row_sum, shares, shortfall, total_variation
from fairsum_utils.measures.auc import area_under_curve
from fairsum_utils.measures.bur import binary_unfair
from fairsum_utils.measures.uer import unfair_error
from tests.measures.conftest import Distributions, distributions

ENTRIES = st.lists(st.none() | st.floats(-1, 1), max_size=12)
COUNTS = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50)), min_size=2, max_size=6).filter(
    lambda pairs: all(map(any, zip(*pairs, strict=True)))
)


def test_shortfall_by_hand() -> None:
    # 1/2 - 1/4; nothing lacks of what there is too much or just enough of; an absent value stays absent.
    found = shortfall(np.array([0.25, 0.75, 0.5, np.nan]), np.array([0.5, 0.25, 0.5, np.nan]))
    assert found.tolist() == pytest.approx([0.25, 0.0, 0.0, np.nan], abs=0, nan_ok=True)


@given(entries=ENTRIES, width=st.integers(0, 20))
def test_sums_leave_absent_values_out_and_padding_changes_no_bit(entries: list[float | None], width: int) -> None:
    row = np.array([np.nan if entry is None else entry for entry in entries], dtype=np.float64)
    total = float(row_sum(row))
    assert total == pytest.approx(math.fsum(entry for entry in entries if entry is not None), abs=1e-14)
    assert float(row_sum(np.pad(row, (0, width), constant_values=np.nan))) == total
    assert row_sum(np.empty((2, 3, 0))).tolist() == [[0.0] * 3] * 2


@pytest.mark.parametrize("formula", [partial(binary_unfair, tau=0.8), unfair_error, area_under_curve])
@given(case=distributions(), data=st.data())
def test_order_of_values_and_batching_do_not_matter(
    formula: Callable[..., Any], case: Distributions, data: st.DataObject
) -> None:
    together = formula(case.p_y, case.p_g)
    order = data.draw(st.permutations(range(case.p_y.shape[1])))
    assert formula(case.p_y[:, order], case.p_g[:, order]) == pytest.approx(together, abs=1e-15)
    assert together.tolist() == [formula(*row).item() for row in zip(case.p_y, case.p_g, strict=True)]
    assert not formula(case.p_g, case.p_g).any()


def test_shares_and_distance_by_hand() -> None:
    # 1/4, 1/4, 1/2 against 1/2, 1/4, 1/4: (1/4 + 0 + 1/4) / 2.
    assert shares(np.array([1.0, 1.0, 2.0])).tolist() == [0.25, 0.25, 0.5]
    assert shares(np.array([1.0, 0.0])).tolist() == [1.0, 0.0]
    assert float(total_variation(np.array([-0.25, 0.0, 0.25]))) == 0.25
    assert np.isnan(shares(np.zeros((2, 3)))).all()
    assert np.isnan(total_variation(np.zeros((4, 1)))).tolist() == [True] * 4
    assert np.isnan(total_variation(np.array([np.nan, 0.5])))


@given(pairs=COUNTS)
def test_a_distance_between_0_and_1(pairs: list[tuple[int, int]]) -> None:
    p, q = (shares(np.array(counts, dtype=np.float64)) for counts in zip(*pairs, strict=True))
    distance = float(total_variation(p - q))
    assert 0 <= distance <= 1
    assert distance == float(total_variation(q - p))
    # What one has more of, the other has less of.
    assert distance == pytest.approx(np.maximum(p - q, 0).sum(), abs=1e-15)
    assert float(total_variation(p - p)) == 0
