"""CP, Coverage Parity."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.coverage_parity import coverage_parity, extreme_differences, mean_extremes

# (0.2 + 0.1 - 0.15) / 3 = 0.05 for one value and -0.05 for the other.
EXPLAINED = 0.05

# Differences of up to four values, in sixtieths; None where a value is absent.
SAMPLES = st.lists(st.lists(st.none() | st.integers(-6, 6), min_size=4, max_size=4), min_size=1, max_size=6)


def as_array(samples: list[list[int | None]]) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([[np.nan if c is None else c / 60 for c in sample] for sample in samples])


def test_worked_example() -> None:
    differences = np.array(
        [
            [0.25, 0.0, -0.25],  # largest: the first; smallest: the third
            [0.125, np.nan, -0.125],  # both that are there
            [-0.25, 0.5, -0.25],  # largest: the second; smallest: the first and the third
        ]
    )
    extreme = extreme_differences(differences)
    assert extreme.tolist() == [[True, False, True], [True, False, True], [True, True, True]]
    # C_0 = {1/4, 1/8, -1/4}, C_1 = {1/2}, C_2 = {-1/4, -1/8, -1/4}; means 1/24, 1/2, -5/24.
    sums, counts = np.where(extreme, differences, 0).sum(axis=0), extreme.sum(axis=0)
    assert mean_extremes(sums, counts).tolist() == pytest.approx([1 / 24, 1 / 2, -5 / 24], abs=1e-15)
    # (1/24 + 12/24 + 5/24) / 3 = 18/72 = 1/4.
    assert float(coverage_parity(sums, counts)) == pytest.approx(1 / 4, abs=1e-15)


def test_ties_are_counted_despite_rounding() -> None:
    # 0.1 + 0.2 and 0.3 are the same largest difference, 1e-9 less is not.
    differences = np.array([[0.1 + 0.2, 0.3, -0.6], [0.3, 0.3 - 1e-9, -0.6]])
    assert differences[0, 0] != differences[0, 1]
    assert extreme_differences(differences).tolist() == [[True, True, True], [True, False, True]]


def test_empty_sets_are_left_out() -> None:
    # (1/4 + 1/8) / 2 = 3/16; nothing at all is undefined.
    sums, counts = np.array([[0.5, 0.0, -0.125], [0.0, 0.0, 0.0]]), np.array([[2, 0, 1], [0, 0, 0]])
    assert mean_extremes(sums, counts)[0] == pytest.approx([1 / 4, np.nan, -1 / 8], abs=0, nan_ok=True)
    assert coverage_parity(sums, counts) == pytest.approx([3 / 16, np.nan], abs=0, nan_ok=True)


@given(samples=SAMPLES)
def test_definition(samples: list[list[int | None]]) -> None:
    expected = []
    for sample in samples:
        there = [c for c in sample if c is not None]
        expected.append([len(there) > 1 and c is not None and c in (max(there), min(there)) for c in sample])
    assert extreme_differences(as_array(samples)).tolist() == expected
