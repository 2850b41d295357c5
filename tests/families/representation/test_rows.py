"""Rows in columns: shares by hand, and merging."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from fairsum_utils.families.representation import rows as representation_rows
from fairsum_utils.families.representation.rows import DistributionRow, Distributions, DistributionTable

ROWS = [
    DistributionRow(0, ("neg", "neu", "pos"), (4, 2, 6), (2.0, 1.0, 6.0)),
    DistributionRow(1, skipped="empty_prediction"),
    DistributionRow(2, ("neg", "pos"), (3, 1), (0.0, 0.0), unmatched=True),
    DistributionRow(3, ("zzz",), (5,), (2.0,)),
]


def of_samples(table: DistributionTable, read: Callable[[Distributions], Any]) -> list[Any]:
    """An array of each scored sample, in their order."""
    found = {place: row for part in table.parts() for place, row in zip(part.samples.tolist(), read(part), strict=True)}
    return [found[place].tolist() for place in range(len(table))]


def state(table: DistributionTable) -> tuple[Any, ...]:
    """All that a table holds, in an order that does not depend on how it was put together."""
    shares = (of_samples(table, read) for read in (lambda part: part.p_x, lambda part: part.p_y))
    labels = of_samples(table, lambda part: np.array(part.values)[part.columns])
    by_row = zip(table.scored("index").tolist(), labels, *shares, strict=True)
    return sorted(map(repr, by_row)), table.skipped, table.counts()[("unmatched",)]


def test_what_is_counted() -> None:
    table = DistributionTable(ROWS)
    assert len(table) == 3
    assert table.skipped == {"empty_prediction": 1}
    assert table.counts()[("unmatched",)] == 1
    more = [
        DistributionRow(4, ("neg", "pos"), (1, 1), (0.0, 0.0), unmatched=True, empty=True, unread=True),
        DistributionRow(5, ("neg", "pos"), (1, 1), (1.0, 0.0), truncated=2, stopped=True, opinions=("good", "bad")),
        DistributionRow(6, ("neg", "pos"), (1, 1), (1.0, 0.0), truncated=1, opinions=("good",)),
    ]
    counts = {name: n for name, n in DistributionTable([*ROWS, *more]).counts().items() if n}
    assert counts == {
        ("unmatched",): 2, ("alien",): 1, ("unread",): 1, ("stopped",): 1, ("truncated",): 2, ("single_value",): 1,
        ("opinions",): 2, ("opinions", "good"): 2, ("opinions", "bad"): 1,
    }  # fmt: skip
    assert table.scored("index").tolist() == [0, 2, 3]
    assert table.coded("values")[0] == ["neg", "neu", "pos", "zzz"]
    assert of_samples(table, lambda part: part.columns) == [[0, 1, 2], [0, 2], [3]]
    assert of_samples(table, lambda part: part.entries) == [[0, 1, 2], [3, 4], [5]]


def test_a_sample_of_many_values_widens_no_other() -> None:
    many, few = tuple(f"v{place:03}" for place in range(500)), ("a", "b")
    rows = [
        DistributionRow(index, values, tuple(range(1, len(values) + 1)), (1.0,) * len(values))
        for index, values in enumerate([*[few] * 2000, many, *[few] * 2000, many])
    ]
    assert sorted(part.p_x.shape for part in DistributionTable(rows).parts()) == [(2, 500), (4000, 2)]


def test_many_samples_are_computed_some_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = state(DistributionTable(ROWS * 3))
    monkeypatch.setattr(representation_rows, "_BLOCK", 4)
    assert max(part.p_x.size for part in DistributionTable(ROWS * 3).parts()) <= 4
    assert state(DistributionTable(ROWS * 3)) == whole
