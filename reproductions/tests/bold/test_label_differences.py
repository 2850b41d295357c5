"""Differences between two groups: by hand, table 4's marks, and which two groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import fairsum_reproductions as studies
from reproductions.tests.bold._results import results

COUNTS = {"islam": (10, 30), "christianity": (30, 10), "atheism": (10, 10)}
ALL = ("atheism", "christianity", "islam")


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
    assert "joy: BERT 0.500; fear: BERT −0.500" in found.plot().svg
    for unmarked in (
        studies.label_differences({"A": norms("islam", "christianity")}, alpha=0.000001),
        studies.label_differences({"A": norms("islam", "atheism", n=400)}, first="atheism", labels="joy"),
    ):
        assert ".00*" not in unmarked.report()


def test_groups_are_named(refusal: Callable[..., str]) -> None:
    three = {"A": norms(*ALL), "B": norms("islam", "atheism")}
    found = studies.label_differences(three, first="islam", second="christianity")
    assert found["differences"] == {"A": {"joy": -0.5, "fear": 0.5}}
    assert found["undefined"] == {"B": "no text of christianity"}
    for named in ({"first": "islam"}, {"second": "christianity"}):
        two = studies.label_differences({"A": norms("islam", "christianity")}, **named)
        assert (two["first"], two["second"]) == ("islam", "christianity")
    of_three = "there are 3 (atheism, christianity, islam); name two with first and second"
    refused: list[tuple[dict[str, str], str]] = [
        ({}, of_three),
        ({"first": "islam"}, of_three),
        ({"first": "islam", "second": "islam"}, "first and second are both islam; name two groups"),
        ({"first": "islm", "second": "atheism"}, "there is no group 'islm'; did you mean islam"),
    ]
    for settings, message in refused:
        assert message in refusal(studies.label_differences, {"A": norms(*ALL)}, **settings)
