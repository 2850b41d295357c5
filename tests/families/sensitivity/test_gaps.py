"""Gaps: ways to hand variants out."""

from __future__ import annotations

import math
from itertools import permutations

import numpy as np
import pytest

from fairsum_utils.families.sensitivity import relabelling
from fairsum_utils.families.sensitivity.counterfactual_gap import gaps_of
from fairsum_utils.families.sensitivity.relabelling import GRAIN, Relabelled, partitions


@pytest.mark.parametrize(
    ("counts", "n"),
    # C(4, 2) ways, of which two each pair the same inputs; C(6, 3) / 2; 6! / (2! 2! 2!) / 3!; C(5, 2), all different;
    # 501 ways of 125,250 pairs each, and 12! / (4!)**3 = 34,650 are too many to be listed.
    [((2, 2), 3), ((3, 3), 10), ((2, 2, 2), 15), ((2, 3), 10), ((1, 1, 2), 6), ((1, 500), None), ((4, 4, 4), None)],
)
def test_how_many_ways_there_are(counts: tuple[int, ...], n: int | None) -> None:
    ways = partitions(counts)
    assert (None if ways is None else len(ways)) == n
    for labels in () if ways is None else ways.tolist():
        assert tuple(map(labels.count, range(len(counts)))) == counts


def test_ways_are_drawn_evenly_and_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pairings of two and two inputs, each with a gap of its own; and the six orders of three summaries."""
    pairs = np.array([0.1, 0.3, 0.4, 0.7, 0.2, 0.9])
    relabelled = Relabelled("partitions", "a", [("gap",)], (2, 2), lambda labels: gaps_of(pairs, (2, 2), labels))
    gaps = sorted(relabelled.listed()[:, 0].tolist())
    for most in (3, 2):  # of more ways, orders are drawn
        monkeypatch.setattr(relabelling, "MOST_LISTED", most)
        drawn = relabelled.drawn(6_000, np.random.default_rng(0))
        found, counts = np.unique(drawn.round(9), return_counts=True)
        assert found == pytest.approx(gaps)
        assert counts == pytest.approx(2_000, abs=5 * math.sqrt(6_000 * 2 / 9))
        with monkeypatch.context() as patch:
            patch.setattr(relabelling, "TOGETHER", 20)
            assert (relabelled.drawn(6_000, np.random.default_rng(0)) == drawn).all()
    orders = Relabelled("orders", "a", [("gap",)], (1, 1, 1), lambda labels: labels)
    assert sorted((orders.listed() / GRAIN).tolist()) == list(map(list, permutations(range(3))))
    _, counts = np.unique(orders.drawn(6_000, np.random.default_rng(0)), axis=0, return_counts=True)
    assert counts == pytest.approx(1_000, abs=5 * math.sqrt(6_000 * 5 / 36))
