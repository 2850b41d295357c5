"""Rows in columns: what a table gives back, what it counts, and parts put together."""

from __future__ import annotations

import json
import pickle
from dataclasses import asdict, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.coverage.rows import CoverageRow, CoverageTable, UnitEvidence
from fairsum_utils.families.table import from_arrow, from_plain, to_arrow

ROWS = [
    CoverageRow(0, ("pos", "neg", "pos"), (0.5, 0.25, 1.0), 2),
    CoverageRow(1, skipped="no_units"),
    CoverageRow(2, ("neu", "neg"), (0.0, 0.125), 1, n_truncated=3),
    CoverageRow(3, skipped="single_value", n_truncated=1),
    CoverageRow(4, ("zzz", "abc"), (1.0, 0.0), 7, n_truncated=1),
]


def state(table: CoverageTable) -> tuple[Any, ...]:
    samples = [(one.coverage.tolist(), one.codes.tolist(), one.values) for one in table]
    return samples, dict(table.skipped), table.n_truncated, len(table), table.values()


def test_by_hand() -> None:
    assert state(CoverageTable(ROWS)) == (
        [
            ([0.5, 0.25, 1.0], [1, 0, 1], ["neg", "pos"]),
            ([0.0, 0.125], [1, 0], ["neg", "neu"]),
            ([1.0, 0.0], [1, 0], ["abc", "zzz"]),
        ],
        {"no_units": 1, "single_value": 1},
        2,  # samples with a text cut off, scored ones only
        3,
        ["abc", "neg", "neu", "pos", "zzz"],
    )


@pytest.mark.parametrize("rows", [[], ROWS[1:2]])
def test_no_scored_row(rows: list[CoverageRow]) -> None:
    assert state(CoverageTable(rows)) == ([], {"no_units": 1} if rows else {}, 0, 0, [])


@pytest.mark.parametrize("cut", range(6))
def test_two_halves_in_one_table_are_the_whole(cut: int) -> None:
    table = CoverageTable(ROWS[:cut])
    table.extend(pickle.loads(pickle.dumps(ROWS[cut:])))  # as from another process
    assert state(table) == state(CoverageTable(iter(ROWS)))


def test_another_order_gives_the_same_samples() -> None:
    samples, *counts = state(CoverageTable(ROWS))
    backwards, *same = state(CoverageTable(ROWS[::-1]))
    assert (backwards[::-1], same) == (samples, counts)


@given(data=st.data())
def test_gives_back_what_was_put_in(data_sets: Any, data: st.DataObject) -> None:
    case = data.draw(data_sets)
    rows = [
        CoverageRow(index, tuple(labels), tuple(row[0] / 20 for row in matrix), 1)
        for index, (labels, matrix) in enumerate(zip(*case, strict=True))
    ]
    for row, sample in zip(rows, CoverageTable(rows), strict=True):
        assert [sample.values[code] for code in sample.codes] == list(row.values)
        assert sample.coverage.tolist() == list(row.coverage)
        assert sample.values == sorted(set(row.values))
        assert sorted(set(sample.codes.tolist())) == list(range(len(sample.values)))


def test_reading_twice_gives_the_same() -> None:
    table = CoverageTable(ROWS)
    for sample in table:
        sample.coverage[:] = -1  # a reader's copy
    assert state(table) == state(CoverageTable(ROWS))


def test_memory_is_a_dozen_bytes_a_document() -> None:
    table = CoverageTable(CoverageRow(index, ("a", "b") * 4, (0.5,) * 8, 3) for index in range(5_000))
    # 8 documents of 8 + 4 bytes; of a sample its index, its digest, counts of units and of texts cut off, of documents
    # and of random summaries, and whether it is skipped.
    assert len(pickle.dumps(table)) < 5_000 * (8 * 12 + 4 * 8 + 3 * 4 + 1) + 2_000


def test_rows_survive_arrow_and_json() -> None:
    evidence = (UnitEvidence(1, 0, 0.5, "Tasty soup!"), UnitEvidence(0, None, 1.0, None))
    rows = [*ROWS, CoverageRow(5, ("a", "b"), (0.5, 1.0), 2, units=("A.", "B."), evidence=evidence)]
    assert from_arrow(to_arrow(rows, CoverageRow), CoverageRow) == rows
    assert [from_plain(json.loads(json.dumps(asdict(row))), CoverageRow) for row in rows] == rows
    assert CoverageTable(rows).rows() == [*ROWS, replace(rows[-1], units=None, evidence=None)]


@pytest.mark.parametrize("cut", range(6))
def test_tables_are_merged(cut: int) -> None:
    table = CoverageTable(ROWS[:cut])
    table.merge(CoverageTable(from_arrow(to_arrow(ROWS[cut:], CoverageRow), CoverageRow)))
    assert state(table) == state(CoverageTable(ROWS))
