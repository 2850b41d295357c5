"""Ways to hand variants out: all of them, counted; random ones; and the gaps that they give."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.counterfactual_gap import input_pairs, mean_of_pairs
from fairsum_utils.sensitivity.ways import all_orders, all_ways, gaps_of, random_orders, random_ways


@pytest.mark.parametrize(
    ("counts", "n"),
    # C(4, 2) ways, of which two each pair the same inputs; C(6, 3) / 2; 6! / (2! 2! 2!) / 3!; C(5, 2), all different.
    [((2, 2), 3), ((3, 3), 10), ((2, 2, 2), 15), ((2, 3), 10), ((1, 1, 2), 6)],
)
def test_how_many_there_are(counts: tuple[int, ...], n: int) -> None:
    ways = all_ways(counts)
    assert ways is not None
    assert len(ways) == n
    assert (ways.sum(1) == sum(math.comb(each, 2) for each in counts)).all()


def test_too_many_are_not_listed() -> None:
    assert all_ways((4, 4, 4)) is None  # 12! / (4!)**3 = 34,650


@given(st.lists(st.integers(1, 2), min_size=2, max_size=3), st.integers(0, 100))
def test_gaps_are_those_of_all_permutations(counts: list[int], seed: int) -> None:
    labels = np.repeat(np.arange(len(counts)), counts)
    if len(labels) == len(counts):  # no variant has two inputs
        return
    pairs = np.random.default_rng(seed).random(len(input_pairs(len(labels))[0]))
    every = sorted(
        float(between - within)
        for order in permutations(labels.tolist())
        for between, within in [mean_of_pairs(pairs, order)]
    )
    ways = all_ways(tuple(counts))
    assert ways is not None
    found = sorted(gaps_of(pairs, ways).tolist())
    # Each way comes as often among all permutations as any other.
    np.testing.assert_allclose(every, np.repeat(found, len(every) // len(found)), atol=1e-12)


def test_random_ways_are_drawn_evenly() -> None:
    drawn = random_ways((2, 2), 6_000, np.random.default_rng(0))
    ways, counts = np.unique(drawn, axis=0, return_counts=True)
    assert ways.tolist() == all_ways((2, 2)).tolist()  # type: ignore[union-attr]
    assert counts == pytest.approx(2_000, abs=5 * math.sqrt(6_000 * 2 / 9))


def test_orders() -> None:
    every = all_orders(3)
    assert every.tolist() == list(map(list, permutations(range(3))))
    drawn, counts = np.unique(random_orders(3, 6_000, np.random.default_rng(0)), axis=0, return_counts=True)
    assert drawn.tolist() == every.tolist()
    assert counts == pytest.approx(1_000, abs=5 * math.sqrt(6_000 * 5 / 36))
