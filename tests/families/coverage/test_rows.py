"""Rows in columns: what a table gives back, what it counts, and parts put together."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from fairsum_utils.families.coverage.rows import CoverageRow, CoverageTable

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


def test_memory_is_a_dozen_bytes_a_document() -> None:
    table = CoverageTable(CoverageRow(index, ("a", "b") * 4, (0.5,) * 8, 3) for index in range(5_000))
    # 8 documents of 8 + 4 bytes; of a sample its index, its digest, counts of units and of texts cut off, of documents
    # and of random summaries, and whether it is skipped.
    assert len(pickle.dumps(table)) < 5_000 * (8 * 12 + 4 * 8 + 3 * 4 + 1) + 2_000
