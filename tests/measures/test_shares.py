"""What the representation measures share: shortfalls, and sums that leave out absent values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures._shares import row_sum, shortfall

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
