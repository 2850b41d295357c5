"""Label assignments: all of them, their number, and random orders."""

from __future__ import annotations

import math
import tracemalloc
from collections import Counter
from itertools import permutations, product
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.stats import permutation
from fairsum_utils.stats.permutation import (
    Table,
    label_assignments,
    n_label_assignments,
    permutation_p_value,
    permuted_counts,
    random_orders,
)

COUNTS = st.lists(st.integers(1, 4), min_size=2, max_size=4).filter(lambda counts: sum(counts) <= 7).map(tuple)


def as_labels(table: Table, counts: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the label of each item, one tuple per assignment."""
    labels = np.full((table.shape[1], sum(counts)), len(counts) - 1)
    row = 0
    for label, count in enumerate(counts[:-1]):
        np.put_along_axis(labels, table[row : row + count].T.astype(np.intp), label, axis=1)
        row += count
    return [tuple(assignment) for assignment in labels.tolist()]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((5,), 1),
        ((2, 3, 3), 560),  # 8! / (2! 3! 3!) = 40320 / 72
        ((40, 80, 80), math.factorial(200) // (math.factorial(40) * math.factorial(80) ** 2)),
    ],
)
def test_numbers(counts: tuple[int, ...], expected: int) -> None:
    assert n_label_assignments(counts) == expected


def test_worked_example() -> None:
    # Label 0 for one of three things, 1 for the other two.
    assert as_labels(label_assignments((1, 2)), (1, 2)) == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]


@given(counts=COUNTS)
def test_every_distinct_assignment_once(counts: tuple[int, ...]) -> None:
    labels = [label for label, count in enumerate(counts) for _ in range(count)]
    table = label_assignments(counts)
    assert table.shape == (sum(counts[:-1]), n_label_assignments(counts))
    assert sorted(as_labels(table, counts)) == sorted(set(permutations(labels)))


def test_tables_are_shared_and_cannot_be_changed() -> None:
    table, (block,) = label_assignments((2, 3)), random_orders(5, 10, seed=1)
    assert label_assignments((2, 3)) is table
    assert next(iter(random_orders(5, 10, seed=1))) is block
    for kept in (table, block):
        with pytest.raises(ValueError, match="read-only"):
            kept[0, 0] = 1


def test_one_of_many_takes_little_memory() -> None:
    tracemalloc.start()
    table = label_assignments((1, 19_999))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert table.tolist() == [list(range(20_000))]
    assert peak < 1 << 20  # a table of 20,000 x 20,000 labels would take 400 times as much


def test_blocks_hold_the_same_orders_and_assignments(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = columns_of(CASES["several of each"])
    orders = np.concatenate([*random_orders(7, 100, seed=3)], axis=1)
    counts = permuted_counts(*columns, n_labels=3, n_permutations=50)
    monkeypatch.setattr(permutation, "_ORDERS_BLOCK", 50)
    monkeypatch.setattr(permutation, "_PERMUTED_BLOCK", 7)
    assert (np.concatenate([*random_orders(7, 100, seed=3)], axis=1) == orders).all()
    assert (permuted_counts(*columns, n_labels=3, n_permutations=50) == counts).all()


def test_many_things_come_in_blocks() -> None:
    tracemalloc.start()
    n_draws = sum(block.shape[1] for block in random_orders(20_000, 250))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert n_draws == 250
    assert peak < 16 << 20  # all 5 million numbers at once, of 2 bytes, with their copy, would take 20 MB


Sample = list[tuple[int, bool]]
"""(label, chosen) of each thing."""


class Columns(NamedTuple):
    chosen: np.ndarray
    labels: np.ndarray
    samples: np.ndarray
    clusters: np.ndarray


def columns_of(data: list[list[Sample]]) -> Columns:
    """Convert clusters of samples to the columns of the test."""
    samples = [sample for cluster in data for sample in cluster]
    flat = [thing for sample in samples for thing in sample]
    return Columns(
        np.array([chosen for _, chosen in flat], dtype=bool),
        np.array([label for label, _ in flat], dtype=np.int64),
        np.repeat(np.arange(len(samples)), [len(sample) for sample in samples]),
        np.repeat(np.arange(len(data)), [len(cluster) for cluster in data]),
    )


def all_counts(data: list[list[Sample]], n_labels: int) -> dict[tuple[int, ...], float]:
    """Compute the probability of each vector of counts from all assignments."""
    found: dict[tuple[int, ...], float] = {(0,) * n_labels: 1.0}
    for cluster in data:
        assignments = [[label for label, _ in sample] for sample in cluster]
        if len(cluster) > 1 and len({len(sample) for sample in cluster}) == 1:
            ways = list(permutations(assignments))
        else:
            ways = list(product(*(permutations(own) for own in assignments)))
        own = Counter(
            tuple(
                sum(label == k and chosen for labels, sample in zip(way, cluster, strict=True)
                    for label, (_, chosen) in zip(labels, sample, strict=True))
                for k in range(n_labels)
            )
            for way in ways
        )  # fmt: skip
        sums: Counter[tuple[int, ...]] = Counter()
        for (before, p), (counts, n) in product(found.items(), own.items()):
            sums[tuple(map(sum, zip(before, counts, strict=True)))] += p * n / len(ways)  # type: ignore[assignment]
        found = dict(sums)
    return found


T, F = True, False
CASES = {
    "same persons in each sample": [[[(0, T), (1, F), (0, F)], [(1, T), (0, T), (1, F)], [(1, F), (1, T), (0, F)]]],
    "whole texts of one label": [[[(0, T), (0, T)], [(1, F), (1, F)], [(0, F), (0, T)], [(1, T), (1, F)]]],
    "one sample": [[[(0, T), (1, F), (1, T), (2, F), (0, F)]]],
    "samples of different persons": [[[(0, T), (1, F)], [(1, T), (1, F), (0, F)]]],
    "several of each": [
        [[(0, T), (1, F)], [(1, F), (0, F)]],
        [[(0, T), (1, T), (2, F)], [(1, F), (2, F), (0, T)]],
        [[(2, T), (1, F)]],
        [[(0, F)], [(1, T), (2, F)], []],
        [[(0, T)], [(1, T)], [(2, F)]],
    ],
}


@pytest.mark.parametrize("laid_out", [1 << 22, 0], ids=["laid out", "sparse"])
@pytest.mark.parametrize("data", CASES.values(), ids=CASES)
def test_equals_all_assignments(data: list[list[Sample]], laid_out: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permutation, "_LAID_OUT", laid_out)
    expected, n = all_counts(data, 3), 10_000
    drawn = permuted_counts(*columns_of(data), n_labels=3, n_permutations=n)
    found = Counter(tuple(int(count) for count in row) for row in drawn)
    assert found.keys() == expected.keys()
    for counts, p in expected.items():
        assert abs(found[counts] / n - p) < 4.5 * math.sqrt(p * (1 - p) / n) + 1e-12


@pytest.mark.parametrize(
    ("observed", "replicates", "p_value"),
    [
        # Two of three reach it, and it counts itself: (2 + 1) / (3 + 1).
        (0.3, [0.1 + 0.2, 0.5, 0.1], 3 / 4),
        (0.1 + 0.2, [0.3, 0.5, 0.1], 3 / 4),
        (9.0, [0.3, 0.5, 0.1], 1 / 4),
        (math.inf, [math.inf, 0.5, 0.1], 2 / 4),
        (0.0, [0.0, 0.0, 0.0], 1.0),
        (math.nan, [0.0], math.nan),
    ],
)
def test_p_value_by_hand(observed: float, replicates: list[float], p_value: float) -> None:
    assert permutation_p_value(observed, np.array(replicates)) == pytest.approx(p_value, abs=0, nan_ok=True)


def test_no_seed_draws_afresh() -> None:
    def draw(seed: int | None) -> list[list[int]]:
        (block,) = random_orders(9, 50, seed=seed)
        return block.tolist()  # type: ignore[no-any-return]

    assert draw(0) != draw(1)
    assert draw(None) != draw(None)
    columns = columns_of(CASES["several of each"])
    zero, one, fresh, other = (permuted_counts(*columns, n_labels=3, seed=seed).tolist() for seed in (0, 1, None, None))
    assert zero != one
    assert fresh != other
