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
    group: str | None = None


class Rows(Table[Row]):
    row = Row


class Originals(ScoredOriginals):
    asked = 0

    def resampled(self, columns: Sequence[Column]) -> Floats:
        """Three replicates, each as the data are."""
        self.asked += 1
        return np.tile(self._spread(columns).sum(0), (3, 1))


def of_rows(*rows: Row, **settings: object) -> Originals:
    return Originals(Rows(rows), Measure(module="m", **settings))


def originals(**settings: object) -> Originals:
    some = Row(4, "b", None, "x"), Row(0, "c"), Row(1, "b"), Row(2, "a", "empty_prediction"), Row(7, "a", None, "y")
    return of_rows(*some, **settings)


def test_samples_stand_in_the_order_of_their_index_and_originals_in_that_of_their_samples() -> None:
    found = originals(seed=5)
    assert (len(found), found.names, found.clusters.tolist(), found.seed) == (4, ["c", "b", "a"], [0, 1, 1, 2], 5)
    assert found.digests() == list(map(digest_of, "cba"))
    assert found.column("index") == found.entries("index", "bur") == [0, 1, 4, 7]
    assert (found.order.tolist(), found.column("group")) == ([1, 2, 0, 4], [None, None, "x", "y"])
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


def test_what_a_measure_needs_is_there_or_named() -> None:
    assert of_rows(Row(1, "x", None, "b"), Row(0, "x", None, "a")).entries("group", "bur") == ["a", "b"]
    with pytest.raises(InputError, match="m: sample 3: bur needs group, but the row has none; score the"):
        of_rows(Row(1, "x", None, "b"), Row(3, "x")).entries("group", "bur")


def test_two_rows_of_a_sample_are_refused() -> None:
    with pytest.raises(InputError, match="m: two rows have the index 4; give every sample a different index"):
        of_rows(Row(4, "x"), Row(1, "x"), Row(4, "x"))
