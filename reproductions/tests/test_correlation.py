"""Rank correlations: by hand, against SciPy and against all orders."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from fairsum_reproductions.correlation import pearson, rank_correlation


class TestRankCorrelation:
    def test_by_hand(self) -> None:
        # Ranks 1, 2 1/2, 2 1/2, 4 and 2, 1, 3, 4; minus 5/2: -3/2, 0, 0, 3/2 and -1/2, -3/2, 1/2, 3/2.
        # Product 3/4 + 9/4 = 3; squares 9/2 and 5.
        found = rank_correlation([0.1, 0.2, 0.2, 0.9], [0.3, 0.1, 0.4, 0.5], n_permutations=20_000)
        assert found["rho"] == pytest.approx(3 / math.sqrt(22.5), abs=1e-15)
        # |product| = 3/2 |difference of the ranks beside the ends| >= 3: a difference of 2 (4 ordered pairs of ranks)
        # or 3 (2 of them), each with 2 orders of the rest: 12 of 24.
        assert found["p_value"] == pytest.approx(1 / 2, abs=0.015)
        assert (found["n_samples"], found["n_skipped"]) == (4, 0)

    @given(data=st.data(), n=st.integers(2, 20))
    def test_agrees_with_scipy(self, data: st.DataObject, n: int) -> None:
        stats = pytest.importorskip("scipy.stats")
        column = st.lists(st.integers(0, 9), min_size=n, max_size=n).filter(lambda numbers: len(set(numbers)) > 1)
        first, second = data.draw(column), data.draw(column)
        found = rank_correlation(first, second, n_permutations=1)["rho"]
        assert found == pytest.approx(stats.spearmanr(first, second).statistic, abs=1e-12)

    @pytest.mark.parametrize(
        ("first", "second"), [([0.1, 0.1], [0.1, 0.2]), ([0.1, 0.2], [0.1 + 0.2, 0.3]), ([0.1], [0.2]), ([None], [0.2])]
    )
    def test_undefined(self, first: list[Any], second: list[Any]) -> None:
        found = rank_correlation(first, second)
        assert math.isnan(found["rho"])
        assert math.isnan(found["p_value"])
        assert found["undefined"] == "a correlation needs at least two different numbers on both sides"


COLUMNS = st.lists(st.tuples(*[st.integers(-20, 20)] * 3), min_size=2, max_size=12)


def correlations(columns: Any, n_resamples: int = 5) -> Any:
    return pearson(np.asarray(columns, dtype=float), confidence_level=0.9, n_resamples=n_resamples, seed=3)


def test_pearson_by_hand() -> None:
    # Means 2 and 11/3; deviations -1, 0, 1 and -5/3, 1/3, 4/3: 3 / sqrt(2 * 42/9).
    found = correlations([[1, 2], [2, 4], [3, 5]]).r
    assert found[0, 1] == found[1, 0] == pytest.approx(3 / (2 * 42 / 9) ** 0.5, abs=1e-15)
    assert found.diagonal().tolist() == [1.0, 1.0]


@given(COLUMNS)
def test_as_scipy_has_it(columns: list[tuple[int, int, int]]) -> None:
    found = correlations(columns).r
    for row in range(3):
        for column in range(3):
            one, other = ([sample[place] for sample in columns] for place in (row, column))
            if len(set(one)) < 2 or len(set(other)) < 2:
                assert np.isnan(found[row, column])
            elif row != column:
                assert found[row, column] == pytest.approx(float(pearsonr(one, other).statistic), abs=1e-9)


@pytest.mark.parametrize("columns", [np.empty((0, 2)), [[1.0, 2.0]]])
def test_nothing_to_correlate(columns: Any) -> None:
    found = correlations(columns)
    assert np.isnan(found.r).all()
    assert np.isnan(found.ends).all()
