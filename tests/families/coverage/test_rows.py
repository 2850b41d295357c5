"""Rows in columns: what a table gives back, what it counts, and parts put together."""

from __future__ import annotations

from typing import Any

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
    return samples, dict(table.skipped), table.n_truncated, len(table), table.coded("values")[0]


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
