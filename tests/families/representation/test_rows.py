"""Rows in columns: shares by hand, merging, and parts."""

from __future__ import annotations

import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from fairsum_utils.families.representation.rows import DistributionRow, Distributions, DistributionTable

NAN = float("nan")
ROWS = [
    DistributionRow(0, ("neg", "neu", "pos"), (4, 2, 6), (2.0, 1.0, 6.0)),
    DistributionRow(1, skipped="empty_prediction"),
    DistributionRow(2, ("neg", "pos"), (3, 1), (0.0, 0.0), unmatched=True),
    DistributionRow(3, ("zzz",), (5,), (2.0,)),
]


def only(table: DistributionTable) -> Distributions:
    [part] = table.parts()
    return part


def approximately(expected: list[list[float]]) -> Any:
    return pytest.approx(np.array(expected), nan_ok=True, abs=1e-15)


def test_shares_by_hand() -> None:
    part = only(DistributionTable(ROWS))
    p_x, p_y = part.p_x, part.p_y
    # 4/12, 2/12, 6/12;  3/4, 1/4;  5/5.
    assert p_x == approximately([[1 / 3, 1 / 6, 1 / 2], [3 / 4, 1 / 4, NAN], [1, NAN, NAN]])
    # 2/9, 1/9, 6/9;  no match: uniform;  2/2.
    assert p_y == approximately([[2 / 9, 1 / 9, 2 / 3], [1 / 2, 1 / 2, NAN], [1, NAN, NAN]])


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("ratio", [[1 / 3, 1 / 6, 1 / 2], [3 / 4, 1 / 4, NAN], [1, NAN, NAN]]),
        ("equal", [[1 / 3, 1 / 3, 1 / 3], [1 / 2, 1 / 2, NAN], [1, NAN, NAN]]),
        # neg 0.1, neu 0.5, pos 0.3, zzz 0.1: as they are over 0.9; over neg and pos 1/4, 3/4; over zzz alone 1.
        (
            {"neg": 0.1, "neu": 0.5, "pos": 0.3, "zzz": 0.1},
            [[1 / 9, 5 / 9, 3 / 9], [1 / 4, 3 / 4, NAN], [1, NAN, NAN]],
        ),
    ],
)
def test_desired_by_hand(target: Any, expected: list[list[float]]) -> None:
    assert only(DistributionTable(ROWS)).desired(target) == approximately(expected)


def test_what_is_counted() -> None:
    table = DistributionTable(ROWS)
    assert len(table) == 3
    assert table.skipped == {"empty_prediction": 1}
    assert table.counts()[("unmatched",)] == 1
    assert table.scored("index").tolist() == [0, 2, 3]
    assert table.values() == ["neg", "neu", "pos", "zzz"]
    assert only(table).columns.tolist() == [[0, 1, 2], [0, 2, -1], [3, -1, -1]]


@pytest.mark.parametrize("rows", [[], ROWS[1:2]])
def test_no_scored_row(rows: list[DistributionRow]) -> None:
    table = DistributionTable(rows)
    assert len(table) == 0
    assert table.values() == []
    part = only(table)
    assert [
        array.shape for array in (part.columns, part.p_x, part.p_y, part.desired("ratio"), part.desired({"a": 1.0}))
    ] == [(0, 0)] * 5


def state(table: DistributionTable) -> tuple[Any, ...]:
    """All that a table holds, in an order that does not depend on how it was put together."""
    part = only(table)
    labels = np.array([*table.values(), ""])[part.columns]
    by_row = zip(table.scored("index").tolist(), labels.tolist(), part.p_x.tolist(), part.p_y.tolist(), strict=True)
    return sorted(map(repr, by_row)), table.skipped, table.counts()[("unmatched",)]


@pytest.mark.parametrize("sizes", [(4,), (0, 4), (1, 3), (2, 2), (1, 1, 1, 1), (3, 0, 1)])
@pytest.mark.parametrize("backwards", [False, True])
def test_merged_parts_equal_the_whole(sizes: tuple[int, ...], backwards: bool) -> None:
    edges = np.cumsum([0, *sizes])
    parts = [DistributionTable(ROWS[start:stop]) for start, stop in pairwise(edges)]
    merged = DistributionTable()
    for part in reversed(parts) if backwards else parts:
        merged.merge(pickle.loads(pickle.dumps(part)))
    assert state(merged) == state(DistributionTable(ROWS))


def test_merging_leaves_the_other_table_alone() -> None:
    one, other = DistributionTable(ROWS[3:]), DistributionTable(ROWS[:3])
    before = state(other)
    one.merge(other)
    assert state(other) == before
    other.merge(other)
    assert len(other) == 4
    assert len(one) == 3


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_parts_make_up_the_table(size: int) -> None:
    table = DistributionTable(ROWS)
    parts = list(table.parts(size))
    assert sum(len(part.p_x) for part in parts) == len(table)
    assert max(len(part.p_x) for part in parts) <= size
    assert all(part.values == table.values() for part in parts)
    joined = [[share for share in row if share == share] for part in parts for row in part.p_x.tolist()]
    assert joined == [[share for share in row if share == share] for row in only(table).p_x.tolist()]


def test_memory_is_a_few_numbers_a_value() -> None:
    table = DistributionTable(ROWS[index % 2 * 2] for index in range(20_000))
    # Per row 2.5 values of 20 bytes, 5 lengths of 4, three numbers of 8, and three flags.
    assert len(pickle.dumps(table)) < 20_000 * 101


def test_a_sample_of_many_values_widens_no_other() -> None:
    many, few = tuple(f"v{place:03}" for place in range(500)), ("a", "b")
    rows = [
        DistributionRow(index, values, tuple(range(1, len(values) + 1)), (1.0,) * len(values))
        for index, values in enumerate([*[few] * 2000, many, *[few] * 2000, many])
    ]
    parts = list(DistributionTable(rows).parts())
    n_values = sum(len(row.values) for row in rows)
    assert sum(part.p_x.size for part in parts) < 4 * n_values + 2 * (1 << 14)  # 4002 samples of 500 are 2 million
    widths = [int((row >= 0).sum()) for part in parts for row in part.columns]
    assert widths == [len(row.values) for row in rows]
    assert sum(float(row[0]) for part in parts for row in part.p_x) == pytest.approx(4000 / 3 + 2 / 125250)
