"""Samples by their originals: who belongs together, what is drawn with what, and what is counted of it."""

from __future__ import annotations

import numpy as np
import pytest

from fairsum_utils.families.entities import originals as originals_module
from fairsum_utils.families.entities.originals import Originals
from fairsum_utils.families.entities.rows import EntityRow, EntityTable
from fairsum_utils.families.entities.settings import EntitySettings
from fairsum_utils.stats.sums import Column

ROWS = [
    EntityRow(4, "b", pair="p"),
    EntityRow(0, "a", pair="p"),
    EntityRow(1, "b"),
    EntityRow(2, "a", "empty_prediction", pair="p"),
    EntityRow(3, "b", pair="p"),
    EntityRow(5, "c"),
]
"""In the order of their index, of which the third is skipped: a (p), b, b (p), b (p), c."""


def test_samples_stand_in_the_order_of_their_index() -> None:
    originals = Originals(EntityTable(ROWS), EntitySettings())
    assert (len(originals), originals.names) == (5, ["a", "b", "c"])
    assert originals.clusters.tolist() == [0, 1, 1, 1, 2]
    # A pair is of one original, so that p of a is another than p of b.
    assert originals.units.tolist() == [0, 1, 2, 2, 3]
    assert originals.has_pair.tolist() == [True, False, True, True, False]


def test_what_all_measures_say() -> None:
    sums = Originals(EntityTable(ROWS), EntitySettings()).sums()
    assert (sums.n_units, sums.n_samples, sums.skipped) == (3, 5, {"empty_prediction": 1})
    assert sums.by_unit(("samples",)).tolist() == [1, 3, 1]
    # c's only sample has no pair either, but shares its original with none.
    assert sums.counts == {("paired",): 3, ("unpaired",): 1}
    assert (sums.n_distinct("articles"), sums.n_distinct("pairs")) == (3, 2)


def test_columns_are_summed_within_each_original() -> None:
    originals = Originals(EntityTable(ROWS), EntitySettings())
    sums = originals.sums()
    originals.put(sums, {("words", "x"): Column(None, np.array([0.0, 1, 2, 4, 8]))})
    assert sums.by_unit(("words", "x")).tolist() == [0, 7, 8]


def test_many_columns_are_drawn_without_their_zeros(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = [Column(np.array([1, 4]), np.array([2.0, 1.0])), Column(None, np.arange(5.0))]
    for bootstrap in (None, "buckets"):
        settings = EntitySettings(bootstrap=bootstrap, n_resamples=20).seeded()
        expected = Originals(EntityTable(ROWS), settings).resampled(columns)
        with monkeypatch.context() as patch:
            patch.setattr(originals_module, "_SPREAD", 9)  # of ten numbers
            found = Originals(EntityTable(ROWS), settings)
            assert hasattr(found.laid_out(columns), "tocsr")
            np.testing.assert_allclose(found.resampled(columns), expected, rtol=1e-12)


def test_no_sample_at_all() -> None:
    sums = Originals(EntityTable(), EntitySettings()).sums()
    assert (sums.n_units, sums.n_samples, sums.counts.total()) == (0, 0, 0)
