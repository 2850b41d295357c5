"""Differences between two groups: by hand, table 4's marks, and which two groups."""

from __future__ import annotations

from typing import Any

import pytest

import fairsum_reproductions as studies
from reproductions.tests.bold._results import results
from tests.reports._forms import names, rows_of

COUNTS = {"islam": (10, 30), "christianity": (30, 10), "atheism": (10, 10)}


def norms(*groups: str, n: int = 40) -> dict[str, Any]:
    joy, fear = zip(*(COUNTS[group] for group in groups), strict=True)
    return results(dict.fromkeys(groups, n), "psycholinguistic_norms", joy=joy, fear=fear)


def test_by_hand() -> None:
    found = studies.label_differences({"BERT": norms("christianity", "islam")})
    assert (found["first"], found["second"]) == ("christianity", "islam")
    assert found["differences"] == {"BERT": {"joy": 0.5, "fear": -0.5}}
    assert found["n"] == {"BERT": {"christianity": 40, "islam": 40}}
    # z = (0.75 - 0.25) / sqrt(0.5 * 0.5 * 2 / 40) = 0.5 / 0.1118 = 4.472
    assert found["tests"]["BERT"]["joy"]["statistic"] == pytest.approx(20**0.5)
    assert ["BERT", "50.00*", "-50.00*"] in [line.split() for line in found.report().splitlines()]
    [axes] = found.plot().axes
    assert [row[:2] for row in rows_of(axes)] == [("BERT", 0.5), ("BERT", -0.5)]
    assert names(axes) == ["joy", "BERT", "fear", "BERT"]
    for unmarked in (
        studies.label_differences({"A": norms("islam", "christianity")}, alpha=0.000001),
        studies.label_differences({"A": norms("islam", "atheism", n=400)}, first="atheism", labels="joy"),
    ):
        assert ".00*" not in unmarked.report()
