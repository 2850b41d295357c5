"""Ways to hand variants out: all of them, counted; random ones; and the gaps that they give."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.sensitivity.gaps import all_ways, drawn_gaps, gaps_of
from fairsum_utils.families.sensitivity.order_sensitivity import all_orders, random_orders
from fairsum_utils.measures.counterfactual_gap import input_pairs, mean_of_pairs


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
    assert all_ways((1, 500)) is None  # 501 ways, of 125,250 pairs each
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


def test_gaps_are_drawn_evenly() -> None:
    """Three pairings of two and two inputs, each with a gap of its own."""
    pairs = np.array([0.1, 0.3, 0.4, 0.7, 0.2, 0.9])
    ways = all_ways((2, 2))
    assert ways is not None
    drawn = drawn_gaps(pairs, (2, 2), 6_000, np.random.default_rng(0)).round(9)
    gaps, counts = np.unique(drawn, return_counts=True)
    assert gaps == pytest.approx(sorted(gaps_of(pairs, ways).tolist()))
    assert counts == pytest.approx(2_000, abs=5 * math.sqrt(6_000 * 2 / 9))


@given(st.lists(st.integers(1, 4), min_size=2, max_size=4), st.integers(0, 100))
def test_drawn_gaps_are_those_of_the_labels_drawn(counts: list[int], seed: int) -> None:
    if max(counts) < 2:  # no two inputs of a variant
        return
    pairs = np.random.default_rng(seed).random(math.comb(sum(counts), 2))
    labels = np.repeat(np.arange(len(counts)), counts)
    drawn = np.random.default_rng(seed).permuted(np.tile(labels, (5, 1)), axis=1)
    expected = [float(between - within) for row in drawn.tolist() for between, within in [mean_of_pairs(pairs, row)]]
    assert drawn_gaps(pairs, counts, 5, np.random.default_rng(seed)) == pytest.approx(expected, abs=1e-12)


def test_drawing_in_blocks_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = np.random.default_rng(1).random(math.comb(9, 2))
    whole = drawn_gaps(pairs, (4, 5), 50, np.random.default_rng(2))
    monkeypatch.setattr("fairsum_utils.families.sensitivity.gaps._TOGETHER", 20)
    assert drawn_gaps(pairs, (4, 5), 50, np.random.default_rng(2)) == pytest.approx(whole, abs=1e-12)


def test_orders() -> None:
    every = all_orders(3)
    assert every.tolist() == list(map(list, permutations(range(3))))
    drawn, counts = np.unique(random_orders(3, 6_000, np.random.default_rng(0)), axis=0, return_counts=True)
    assert drawn.tolist() == every.tolist()
    assert counts == pytest.approx(1_000, abs=5 * math.sqrt(6_000 * 5 / 36))
