"""Samples by their originals: their order, their names, and what is drawn within them only when somebody asks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.originals import ScoredOriginals
from fairsum_utils.families.table import Table
from fairsum_utils.measures import Measure
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.sums import Column, digest_of


@dataclass(frozen=True, slots=True)
class Row:
    index: int
    article: str
    skipped: str | None = None


class Rows(Table[Row]):
    row = Row


class Originals(ScoredOriginals):
    asked = 0

    def resampled(self, columns: Sequence[Column]) -> Floats:
        """Three replicates, each as the data are."""
        self.asked += 1
        return np.tile(self._spread(columns).sum(0), (3, 1))


def originals(**settings: object) -> Originals:
    rows = [Row(4, "b"), Row(0, "c"), Row(1, "b"), Row(2, "a", "empty_prediction"), Row(7, "a")]
    return Originals(Rows(rows), Measure(**settings))


def test_samples_stand_in_the_order_of_their_index_and_originals_in_that_of_their_samples() -> None:
    found = originals(seed=5)
    assert (len(found), found.names, found.clusters.tolist(), found.seed) == (4, ["c", "b", "a"], [0, 1, 1, 2], 5)
    assert found.digests() == list(map(digest_of, "cba"))
    assert found.column("index") == found.entries("index", "bur") == [0, 1, 4, 7]
    sums = found.sums()
    assert (sums.n_units, sums.n_samples, sums.skipped) == (3, 4, {"empty_prediction": 1})
    assert sums.by_unit(("samples",)).tolist() == [1, 2, 1]


@pytest.mark.parametrize("level", [None, 0.9])
def test_samples_are_drawn_anew_only_where_intervals_ask_for_it(level: float | None) -> None:
    found = originals(confidence_level=level)
    sums = found.sums()
    found.redraw_later(
        sums, {("x", "f"): Column(np.array([1, 3]), np.array([2.0, 4.0])), ("y",): Column(None, np.ones(4))}
    )
    assert found.asked == 0
    drawn = [sums.drawn("within.x", "f"), sums.drawn("within.y")]
    if level is None:
        assert (drawn, found.asked) == ([None, None], 0)
    else:
        assert [each.tolist() for each in drawn if each is not None] == [[6, 6, 6], [4, 4, 4]]
        assert found.asked == 1


@dataclass(frozen=True, slots=True)
class Line(Row):
    group: str | None = None


class Lines(Table[Line]):
    row = Line


def of_lines(*lines: Line) -> Originals:
    return Originals(Lines(lines), Measure(module="m"))


def test_rows_are_read_in_the_order_of_the_data_without_those_that_are_skipped() -> None:
    found = of_lines(Line(7, "b", None, "b"), Line(2, "b", "empty_prediction"), Line(0, "a"), Line(5, "a", None, "a"))
    assert found.order.tolist() == [2, 3, 0]
    assert found.column("group") == [None, "a", "b"]


def test_what_a_measure_needs_is_there_or_named() -> None:
    assert of_lines(Line(1, "x", None, "b"), Line(0, "x", None, "a")).entries("group", "bur") == ["a", "b"]
    with pytest.raises(InputError, match="m: sample 3: bur needs group, but the row has none; score the"):
        of_lines(Line(1, "x", None, "b"), Line(3, "x")).entries("group", "bur")


def test_two_rows_of_a_sample_are_refused() -> None:
    with pytest.raises(InputError, match="m: two rows have the index 4; give every sample a different index"):
        of_lines(Line(4, "x"), Line(1, "x"), Line(4, "x"))
