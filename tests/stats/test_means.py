"""Means that do not depend on the order."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.stats.means import exact_mean


@given(entries=st.lists(st.floats(-1e9, 1e9), min_size=1, max_size=20), order=st.randoms(use_true_random=False))
def test_order_changes_no_bit(entries: list[float], order: st.DataObject) -> None:
    mean = exact_mean(entries)
    assert mean == pytest.approx(float(sum(map(Fraction, entries)) / len(entries)), rel=1e-15)
    order.shuffle(entries)  # type: ignore[attr-defined]
    assert exact_mean(np.array(entries)) == mean


def test_a_sum_that_rounds_by_parts() -> None:
    # 1 + 1e100 - 1e100 is 0 from left to right.
    assert exact_mean([1.0, 1e100, -1e100, 1.0]) == 0.5


def test_nothing_has_no_mean() -> None:
    assert math.isnan(exact_mean([]))
    assert math.isnan(exact_mean(np.empty(0)))
