"""UER, the Unfair Error Rate."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from fairsum_utils.measures._shares import shortfall
from fairsum_utils.measures.uer import unfair_error
from tests.measures.conftest import Distributions, distributions

# Negative lacks 0.15, positive nothing; (0.15 + 0) / 2 = 0.075 in one of two summaries.
EXPLAINED = 0.0375


def test_worked_example() -> None:
    # Desired 1/2, 1/3, 1/6; in the summary 3/5, 13/40, 3/40.
    p_g = np.array([1 / 2, 1 / 3, 1 / 6])
    p_y = np.array([3 / 5, 13 / 40, 3 / 40])
    # Lacking: 0;  40/120 - 39/120 = 1/120;  20/120 - 9/120 = 11/120.
    assert shortfall(p_y, p_g) == pytest.approx([0, 1 / 120, 11 / 120], abs=1e-15)
    # (0 + 1/120 + 11/120) / 3 = 1/30.
    assert float(unfair_error(p_y, p_g)) == pytest.approx(1 / 30, abs=1e-15)


def test_undefined_without_any_value() -> None:
    nothing = np.full((1, 3), np.nan)
    assert np.isnan(unfair_error(nothing, nothing)).all()
    assert np.isnan(unfair_error(np.empty((2, 0)), np.empty((2, 0)))).all()


@given(case=distributions())
def test_definition(case: Distributions) -> None:
    expected = [float(sum(max(0, g - y) for y, g in sample) / len(sample)) for sample in case.exact]
    assert unfair_error(case.p_y, case.p_g) == pytest.approx(expected, abs=1e-14)
