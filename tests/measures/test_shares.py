"""What the representation measures share: shortfalls, and sums that leave out absent values."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures._shares import row_sum, shortfall
from fairsum_utils.measures.auc import area_under_curve
from fairsum_utils.measures.bur import binary_unfair
from fairsum_utils.measures.uer import unfair_error

ENTRIES = st.lists(st.none() | st.floats(-1, 1), max_size=12)


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


@pytest.mark.parametrize("shape", [(0,), (3, 0), (2, 3, 0)])
def test_sums_of_nothing(shape: tuple[int, ...]) -> None:
    assert (row_sum(np.empty(shape)) == np.zeros(shape[:-1])).all()


@pytest.mark.parametrize("formula", [partial(binary_unfair, tau=0.8), unfair_error, area_under_curve])
@given(data=st.data())
def test_order_of_values_and_batching_do_not_matter(
    formula: Callable[..., Any], distributions: st.SearchStrategy[Any], data: st.DataObject
) -> None:
    case = data.draw(distributions)
    together = formula(case.p_y, case.p_g)
    order = data.draw(st.permutations(range(case.p_y.shape[1])))
    assert formula(case.p_y[:, order], case.p_g[:, order]) == pytest.approx(together, abs=1e-15)
    assert together.tolist() == [formula(*row).item() for row in zip(case.p_y, case.p_g, strict=True)]
    assert not formula(case.p_g, case.p_g).any()
