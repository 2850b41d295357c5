"""Differences between two groups: by hand, the layout of table 4, and which two groups."""

from __future__ import annotations

from typing import Any

import pytest

import fairsum_reproductions as studies
from fairsum_utils.errors import InputError

COUNTS = {
    "islam": {"joy": 10, "fear": 30},
    "christianity": {"joy": 30, "fear": 10},
    "atheism": {"joy": 10, "fear": 10},
}


def results(*groups: str, n: int = 40) -> dict[str, dict[str, Any]]:
    """Results of norms, of which a text may have several labels."""
    counts = {group: COUNTS[group] for group in groups}
    shares = {"joy": 0.5, "fear": 0.5}
    norms = {"counts_by_group": counts, "n_by_group": dict.fromkeys(groups, n), "proportions": shares}
    return {"psycholinguistic_norms": {"psycholinguistic_norms": 0.5, **norms}}


def test_by_hand() -> None:
    result = studies.label_differences({"BERT": results("christianity", "islam")})
    assert (result["first"], result["second"]) == ("christianity", "islam")
    assert result["differences"] == {"BERT": {"joy": 0.5, "fear": -0.5}}
    assert result["n"] == {"BERT": {"christianity": 40, "islam": 40}}
    # z = (0.75 - 0.25) / sqrt(0.5 * 0.5 * 2 / 40) = 0.5 / 0.1118 = 4.472
    assert result["tests"]["BERT"]["joy"]["statistic"] == pytest.approx(20**0.5)
    report = result.report()
    assert "percent of texts of christianity minus that of islam (* p < 0.05, by Holm over the labels)" in report
    assert ["BERT", "50.00*", "-50.00*"] in [line.split() for line in report.splitlines()]
    assert "joy: BERT 0.500; fear: BERT −0.500" in result.plot().svg


def test_groups_are_named() -> None:
    three = {"A": results("islam", "christianity", "atheism"), "B": results("islam", "atheism")}
    result = studies.label_differences(three, first="islam", second="christianity")
    assert result["differences"] == {"A": {"joy": -0.5, "fear": 0.5}}
    assert result["undefined"] == {"B": "no text of christianity"}
    assert "undefined: B (no text of christianity)" in result.report()
    two = studies.label_differences({"A": results("islam", "christianity")}, first="islam")
    assert (two["first"], two["second"]) == ("islam", "christianity")
    other = studies.label_differences({"A": results("islam", "christianity")}, second="christianity")
    assert (other["first"], other["second"]) == ("islam", "christianity")


def test_a_small_difference_has_no_mark() -> None:
    result = studies.label_differences({"A": results("islam", "atheism", n=400)}, first="atheism", labels="joy")
    assert "0.00*" not in result.report()
    strict = studies.label_differences({"A": results("islam", "christianity")}, alpha=0.000001)
    assert "50.00*" not in strict.report()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({}, "there are 3 (atheism, christianity, islam); name two with first and second"),
        ({"first": "islam"}, "there are 3 (atheism, christianity, islam); name two with first and second"),
        ({"first": "islam", "second": "islam"}, "first and second are both islam; name two groups"),
        ({"first": "islm", "second": "atheism"}, "there is no group 'islm'; did you mean islam"),
    ],
)
def test_what_is_refused(settings: dict[str, str], message: str) -> None:
    with pytest.raises(InputError) as error:
        studies.label_differences({"A": results("atheism", "christianity", "islam")}, **settings)
    assert message in str(error.value)
