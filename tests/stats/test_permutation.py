"""Label assignments: all of them, their number, and random orders."""

from __future__ import annotations

import math
import tracemalloc
from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils.stats import permutation
from fairsum_utils.stats.permutation import Table, label_assignments, n_label_assignments, random_orders

COUNTS = st.lists(st.integers(1, 4), min_size=2, max_size=4).filter(lambda counts: sum(counts) <= 7).map(tuple)


def as_labels(table: Table, counts: tuple[int, ...]) -> list[tuple[int, ...]]:
    """The label of each thing, one tuple an assignment."""
    labels = np.full((table.shape[1], sum(counts)), len(counts) - 1)
    row = 0
    for label, count in enumerate(counts[:-1]):
        np.put_along_axis(labels, table[row : row + count].T.astype(np.intp), label, axis=1)
        row += count
    return [tuple(assignment) for assignment in labels.tolist()]


def test_worked_example() -> None:
    # Label 0 for one of three things, 1 for the other two.
    assert n_label_assignments((1, 2)) == 3
    assert as_labels(label_assignments((1, 2)), (1, 2)) == [(0, 1, 1), (1, 0, 1), (1, 1, 0)]


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((5,), 1),
        ((2, 2), 6),  # 4! / (2! 2!) = 24 / 4
        ((2, 3, 3), 560),  # 8! / (2! 3! 3!) = 40320 / 72
        ((1, 1, 1, 1), 24),
        ((15, 15), math.factorial(30) // math.factorial(15) ** 2),
        ((40, 80, 80), math.factorial(200) // (math.factorial(40) * math.factorial(80) ** 2)),
    ],
)
def test_numbers(counts: tuple[int, ...], expected: int) -> None:
    assert n_label_assignments(counts) == expected


@given(counts=COUNTS)
@settings(max_examples=60)
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


def test_large_tables_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(permutation, "_LISTED", 19)  # (2, 3) has 2 x 10 entries
    assert label_assignments((2, 3)) is not label_assignments((2, 3))
    assert (label_assignments((2, 3)) == label_assignments((2, 3))).all()
    monkeypatch.setattr(permutation, "_BLOCK", 49)  # 5 x 10
    first, second = ([*random_orders(5, 10, seed=1)] for _ in range(2))
    assert [block.shape for block in first] == [(5, 9), (5, 1)]
    assert first[0] is not second[0]
    assert all((one == other).all() for one, other in zip(first, second, strict=True))


@pytest.mark.parametrize("block", [1, 6, 7, 50, 1000])
def test_blocks_hold_the_same_orders(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = np.concatenate([*random_orders(7, 100, seed=3)], axis=1)
    monkeypatch.setattr(permutation, "_BLOCK", block)
    assert (np.concatenate([*random_orders(7, 100, seed=3)], axis=1) == expected).all()


def test_many_things_come_in_blocks() -> None:
    tracemalloc.start()
    n_draws = sum(block.shape[1] for block in random_orders(20_000, 500))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert n_draws == 500
    assert peak < 16 << 20  # all 10 million numbers at once, of 2 bytes, with their copy, would take 40 MB


@given(n=st.integers(1, 300), n_draws=st.integers(1, 20), seed=st.integers(0, 3))
def test_orders_hold_everything_once(n: int, n_draws: int, seed: int) -> None:
    (block,) = random_orders(n, n_draws, seed=seed)
    assert block.shape == (n, n_draws)
    assert (np.sort(block, axis=0) == np.arange(n)[:, None]).all()


def test_orders_are_equally_likely() -> None:
    # 24 orders of 4 things, 24,000 draws: 1,000 expected of each; standard deviation sqrt(24000 / 24 * 23 / 24) < 31.
    (block,) = random_orders(4, 24_000, seed=0)
    drawn = Counter(map(tuple, block.T.tolist()))
    assert len(drawn) == 24
    assert all(abs(count - 1000) < 5 * 31 for count in drawn.values())


def test_seeds() -> None:
    def draw(seed: int | None) -> list[list[int]]:
        (block,) = random_orders(9, 50, seed=seed)
        return block.tolist()  # type: ignore[no-any-return]

    assert draw(0) == draw(0)
    assert draw(0) != draw(1)
    assert draw(None) != draw(None)
    assert draw(None) != draw(0)
    (default,) = random_orders(9, 50)
    assert default.tolist() == draw(0)


def test_numpys_global_state_is_left_alone() -> None:
    before = np.random.get_state()[1].tolist()  # type: ignore[index, union-attr]
    list(random_orders(6, 10, seed=11))
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index, union-attr]
