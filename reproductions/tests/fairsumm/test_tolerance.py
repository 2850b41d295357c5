"""BUR over the tolerance: by hand, and where systems change places."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions
from fairsum_reproductions.fairsumm.tolerance import crossings
from reproductions.tests.fairsumm._records import record

# The first is unfair above 1/2, the second above 2/3.
ONE = [record(0, a=(0.25, 0.5), b=(0.75, 0.5)), record(1, a=(1.0, 1.0))]
OTHER = [record(0, a=(0.6, 0.4), b=(0.4, 0.6)), record(1, a=(0.45, 0.5), b=(0.55, 0.5)), record(2)]


def test_by_hand() -> None:
    found = fairsum_reproductions.tolerance({"one": ONE, "other": OTHER}, n_points=4)
    assert found["taus"] == [0.0, 0.25, 0.5, 0.75, 1.0]
    one, other = found["systems"]["one"], found["systems"]["other"]
    assert (one["bur"], other["bur"]) == ([0.0, 0.0, 0.0, 0.5, 0.5], [0.0, 0.0, 0.0, 0.5, 1.0])
    # Mid-P of 1 of 2: the upper end p has (1 - p)^2 + p (1 - p) = 1 - p of 0.025.
    assert one["bur_ci"][3] == pytest.approx([0.025, 0.975])
    assert one["bur_by_value"] == {"a": [0.0, 0.0, 0.0, 0.5, 0.5], "b": [0.0] * 5}
    # Areas 1/2 and 0; of ten tolerances 0.6, ..., 1 are above 1/2.
    assert (one["auc"], one["auc_10"]) == (0.25, 0.25)
    assert other["auc"] == pytest.approx((1 / 3 + 0.1) / 2)
    assert found["crossings"] == [{"between": ["one", "other"], "at": []}]
    assert "other: 2 samples scored, 1 skipped" in found.report()
    assert [line.split(",")[0] for line in found.to_csv().splitlines()[1:3]] == ["tau = 0.25", "tau = 0.5"]
    [panel] = found._draw([]).panels
    assert [curve.name for curve in panel.curves] == ["one", "other"]
    [panel] = fairsum_reproductions.tolerance({"one": ONE})._draw([]).panels
    assert [curve.name for curve in panel.curves] == ["any value", "a", "b"]


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=10))
def test_systems_change_places(rates: list[tuple[float, float]]) -> None:
    assert crossings([0.1, 0.4, 0.1], [0.2, 0.3, 0.2], [0.2, 0.5, 0.8]) == [0.5, 0.8]
    first, second = [one for one, _ in rates], [other for _, other in rates]
    taus = [place / 10 for place in range(len(rates))]
    found = crossings(first, second, taus)
    assert found == crossings(second, first, taus)
    assert crossings(first, first, taus) == []
    lower = [one > other for one, other in rates if one != other]
    assert len(found) == sum(one != other for one, other in pairwise(lower))
