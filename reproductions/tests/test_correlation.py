"""Rank correlations: by hand, against SciPy and against all orders."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import pearsonr

from fairsum_reproductions.correlation import pearson, rank_correlation
from fairsum_utils.stats.bootstrap import bootstrap_draws, percentile_interval


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

    def test_p_value_converges_to_all_orders(self) -> None:
        first, second = [1, 2, 3, 4, 5, 6], [2, 1, 4, 3, 6, 5]
        own = sum(a * b for a, b in zip(first, second, strict=True))
        middle = Fraction(21 * 21, 6)
        products = [sum(a * b for a, b in zip(first, order, strict=True)) for order in permutations(second)]
        exact = sum(abs(product - middle) >= abs(own - middle) for product in products) / 720
        found = rank_correlation(first, second, n_permutations=50_000)["p_value"]
        assert found == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 50_000))

    def test_either_sign_and_never_zero(self) -> None:
        up = list(range(30))
        for other, rho in ((up, 1.0), (up[::-1], -1.0)):
            found = rank_correlation(up, other, n_permutations=99)
            assert (found["rho"], found["p_value"]) == (rho, 1 / 100)

    def test_undefined_pairs_are_left_out(self) -> None:
        found = rank_correlation([0.1, None, 0.3, 0.2, math.nan], [0.2, 0.1, 0.5, None, 0.4])
        assert (found["rho"], found["n_samples"], found["n_skipped"]) == (1.0, 2, 3)

    @pytest.mark.parametrize(
        ("first", "second"), [([0.1, 0.1], [0.1, 0.2]), ([0.1, 0.2], [0.1 + 0.2, 0.3]), ([0.1], [0.2]), ([None], [0.2])]
    )
    def test_undefined(self, first: list[Any], second: list[Any]) -> None:
        found = rank_correlation(first, second)
        assert math.isnan(found["rho"])
        assert math.isnan(found["p_value"])
        assert found["undefined"] == "a correlation needs at least two different numbers on either side"

    def test_seeds(self) -> None:
        generator = np.random.default_rng(0)
        first, second = generator.random((2, 40)).tolist()
        p_values = [rank_correlation(first, second, seed=seed)["p_value"] for seed in (0, 0, 1, *[None] * 8)]
        assert p_values[0] == p_values[1] != p_values[2]
        assert len({*p_values[3:]}) > 1  # two of them agree in one of twenty runs

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"second": [0.5]}, "first has 2 samples but second has 1"),
            ({"first": [], "second": []}, "first is an empty list"),
            ({"first": [0.5, "a"]}, "first[1] must be a finite number"),
            ({"second": [True, 0.5]}, "second[0] must be a finite number"),
            ({"n_permutations": 0}, "n_permutations must be a whole number of at least 1"),
            ({"seed": -1}, "seed must be a whole number of at least 0"),
        ],
    )
    def test_refused(self, refusal: Callable[..., str], change: dict[str, Any], message: str) -> None:
        given = {"first": [0.1, 0.2], "second": [0.1, 0.2], **change}
        assert f"rank_correlation: {message}" in refusal(rank_correlation, **given)


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


@given(COLUMNS, st.integers(1, 1000), st.integers(-1000, 1000))
def test_scale_and_place_do_not_matter(columns: list[tuple[int, int, int]], factor: int, shift: int) -> None:
    moved = [(a * factor + shift, b, -c) for a, b, c in columns]
    expected = correlations(columns).r
    found = correlations(moved).r
    assert found[0, 1] == pytest.approx(expected[0, 1], abs=1e-9, nan_ok=True)
    assert found[0, 2] == pytest.approx(-expected[0, 2], abs=1e-9, nan_ok=True)


def test_intervals_are_those_of_drawn_rows() -> None:
    columns = np.array([[0.0, 0.1], [1.0, 0.4], [1.0, 0.2], [0.0, 0.3], [1.0, 0.9], [0.0, 0.0]])
    found = correlations(columns, n_resamples=200)
    replicates = []
    for draws in np.concatenate(list(bootstrap_draws(6, 200, 3))).astype(int):
        one, other = np.repeat(columns, draws, axis=0).T
        constant = len(set(one)) < 2 or len(set(other)) < 2
        replicates.append(np.nan if constant else np.corrcoef(one, other)[0, 1])
    assert np.isnan(replicates).any()  # three of six rows have a 1: some draws have none, or nothing else
    assert found.ends[0, 1].tolist() == pytest.approx(percentile_interval(np.array(replicates), 0.9), abs=1e-9)
    assert found.ends[0, 1].tolist() == found.ends[1, 0].tolist()


@pytest.mark.parametrize("columns", [np.empty((0, 2)), [[1.0, 2.0]]])
def test_nothing_to_correlate(columns: Any) -> None:
    found = correlations(columns)
    assert np.isnan(found.r).all()
    assert np.isnan(found.ends).all()
