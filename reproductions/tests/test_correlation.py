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

from fairsum_reproductions.correlation import rank_correlation


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
