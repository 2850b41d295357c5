"""Unfair samples by unevenness and size: by hand, and how sets are put into bins."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions
from fairsum_reproductions.fairsumm.breakdown import binned, unevenness
from fairsum_utils.reports.tables import Table
from fairsum_utils.stats.intervals import share_interval
from reproductions.tests.fairsumm._records import record


def row(m: int, f: int) -> dict[str, Any]:
    return {"sources": ["green soup"] * m + ["bread"] * f, "values": ["m"] * m + ["f"] * f}


FAIR, UNFAIR = {"m": (0.5, 0.5), "f": (0.5, 0.5)}, {"m": (0.2, 0.5), "f": (0.8, 0.5)}
DATA = [row(1, 4), row(1, 4), row(5, 5), row(2, 8), row(3, 0)]
ONE = [record(0, **UNFAIR), record(1, **UNFAIR), record(2, **FAIR), record(3, **FAIR), record(4, m=(1.0, 1.0))]


def cells(found: Any) -> dict[tuple[int, int], tuple[int, dict[str, int]]]:
    return {(cell["ratio"], cell["size"]): (cell["n_samples"], cell["unfair"]) for cell in found["cells"]}


def test_one_system_by_hand() -> None:
    found = fairsum_reproductions.breakdown(DATA, {"one": ONE})
    assert found["ratios"] == [[0.2, 0.2], [0.5, 0.5]]
    assert found["sizes"] == [[5.0, 5.0], [10.0, 10.0]]
    assert cells(found) == {
        (0, 0): (2, {"one": 2}),
        (0, 1): (1, {"one": 0}),
        (1, 0): (0, {"one": 0}),
        (1, 1): (1, {"one": 0}),
    }
    assert found["by_ratio"][0] == {
        "n_samples": 3,
        "unfair": {"one": 2},
        "bur": {"one": 2 / 3},
        "bur_ci": {"one": list(share_interval(2, 3, 0.95))},
    }
    assert (found["n_samples"], found["n_single_value"], found["n_skipped"]) == (4, 1, 0)
    [table, margins] = [part for part in found._parts() if isinstance(part, Table)]
    assert [list(each) for each in table.rows] == [["0.20", "2/2", "0/1"], ["0.50", "", "0/1"]]
    assert [each[0] for each in margins.rows][-1] == "10 texts"


def test_what_is_taken_as_ratio_and_size() -> None:
    shares = {"a": 0.5, "b": 0.3, "c": 0.2}
    assert unevenness(shares, "minority") == 0.2
    assert unevenness(shares, "skew") == pytest.approx(1 / 6)  # (1/6 + 1/30 + 2/15) / 2
    assert (unevenness(shares, "skew", "b"), unevenness(shares, "skew", "d")) == (0.3, 0.0)
    male = fairsum_reproductions.breakdown(DATA, {"one": ONE}, value="m", count="words")
    # One text of two words beside four of one word; five beside five; two beside eight.
    assert male["ratios"] == [[pytest.approx(1 / 3)] * 2, [pytest.approx(2 / 3)] * 2]
    assert male["sizes"] == [[6.0, 6.0], [12.0, 12.0], [15.0, 15.0]]
    assert "share of m" in male.report()
    assert "skew" in fairsum_reproductions.breakdown(DATA, {"one": ONE}, ratio="skew").report()


NUMBERS = st.lists(st.integers(0, 30), max_size=60)


@given(NUMBERS, st.integers(1, 8))
def test_bins(numbers: list[int], n_bins: int) -> None:
    places, ends = binned(np.array(numbers, dtype=float), n_bins)
    assert len(ends) <= n_bins
    assert len(ends) == len(set(numbers)) or len(set(numbers)) > n_bins
    assert all(low <= high for low, high in ends)
    assert all(high < low for (_, high), (low, _) in pairwise(ends))
    for number, place in zip(numbers, places.tolist(), strict=True):
        assert ends[place][0] <= number <= ends[place][1]
    assert set(places.tolist()) == set(range(len(ends)))
    places, _ = binned(np.arange(100.0)[::-1], n_bins)
    assert np.ptp(np.bincount(places)) <= 1  # different numbers: as many in each


def test_what_is_refused(refusal: Callable[..., str]) -> None:
    study = fairsum_reproductions.breakdown
    assert "breakdown: value must be one of f, m, found str 'male'" in refusal(study, DATA, {"one": ONE}, value="male")
    odd = [*DATA, {"sources": ["a"], "values": []}]
    assert "breakdown: sample 5: sources has 1 text but values has 0" in refusal(study, odd, {"one": ONE})
    assert refusal(study, DATA[:2], {"one": ONE}) == (
        "breakdown: one has a record of sample 2, but data has 2 rows; give the scored data"
    )
    assert "breakdown: one has value 'x' in sample 0, which row 0 of data does not have" in refusal(
        study, DATA, {"one": [record(0, x=(1.0, 1.0))]}
    )
