"""Rows come in any order and are read in that of the data; two of one sample are refused, what is lacking is named."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.ordered import OrderedTable


@dataclass(frozen=True, slots=True)
class Row:
    index: int
    skipped: str | None = None
    group: str | None = None


class Table(OrderedTable[Row]):
    row = Row


def test_rows_are_read_in_the_order_of_the_data_without_those_that_are_skipped() -> None:
    table = Table([Row(7, None, "b"), Row(2, "empty_prediction"), Row(0), Row(5, None, "a")])
    assert table.order("m").tolist() == [2, 3, 0]
    assert table.column("group", "m") == [None, "a", "b"]


def test_what_a_measure_needs_is_there_or_named() -> None:
    assert Table([Row(1, None, "b"), Row(0, None, "a")]).entries("group", "bur", "m") == ["a", "b"]
    with pytest.raises(InputError, match="m: sample 3: bur needs group, and the sample's row has none; score the"):
        Table([Row(1, None, "b"), Row(3)]).entries("group", "bur", "m")


def test_two_rows_of_a_sample_are_refused() -> None:
    with pytest.raises(InputError, match="m: two rows are of sample 4; give every sample of the data an index of its"):
        Table([Row(4), Row(1), Row(4)]).column("index", "m")
