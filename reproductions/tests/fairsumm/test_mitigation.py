"""Runs with different settings: names, scores and changes by hand, table 7's layout, the figure, what is refused."""

from __future__ import annotations

import math
from typing import Any

import pytest

import fairsum_reproductions as studies
from fairsum_reproductions.fairsumm import mitigation
from fairsum_reproductions.fairsumm.mitigation import Condition
from fairsum_utils.errors import InputError


def record(index: int, got: list[float], wanted: tuple[float, ...] = (0.5, 0.5), **known: Any) -> dict[str, Any]:
    values = ["a", "b", "c"][: len(got)]
    kept = {"index": index, "skipped": None, "unmatched": False, "values": values}
    return {**kept, "summary_share": got, "desired_share": list(wanted), **known}


# Four samples of two values, each desired to have half: what a and b get.
PLAIN = [record(i, [share, 1 - share]) for i, share in enumerate((0.5, 0.3, 0.2, 0.8))]
FAIR = [record(i, [share, 1 - share]) for i, share in enumerate((0.5, 0.5, 0.4, 0.5))]


def test_names_of_runs() -> None:
    for name, data_set, setting, number, words in (
        ("claritin/definition", "claritin", "definition", math.nan, "definition"),
        ("claritin/t0.7", "claritin", "t0.7", 0.7, "t"),
        ("yelp/3 sentences", "yelp", "3 sentences", 3, "sentences"),
        ("5", "", "5", 5, ""),
        ("llama2-13b", "", "llama2-13b", math.nan, "llama2-13b"),
        ("v1.2.3", "", "v1.2.3", math.nan, "v1.2.3"),
    ):
        assert str(Condition.of(name)) == str(Condition(data_set, setting, float(number), words))


def test_scores_and_changes_by_hand() -> None:
    result = studies.mitigation({"claritin/plain": PLAIN, "claritin/definition": FAIR}, n_resamples=200)
    plain, fair = result["runs"]
    # Shortfalls of PLAIN: none, a 0.2, a 0.3, b 0.3; below 0.8 * 0.5 in three of four. UER: (0 + .1 + .15 + .15) / 4.
    # m_a = (0 + .2 + .3 + 0) / 4 = .125, m_b = .3 / 4 = .075: SOF = .025.
    assert plain["scores"]["bur"] == 0.75
    assert plain["scores"]["uer"] == pytest.approx(0.1)
    assert plain["scores"]["sof"] == pytest.approx(0.025)
    # AUC: 1 - the least ratio: 0, 1 - .6, 1 - .4, 1 - .4.
    assert plain["scores"]["auc"] == pytest.approx((0 + 0.4 + 0.6 + 0.6) / 4)
    # FAIR: a lacks .1 in the third, and 0.4 is not below 0.8 * 0.5. m_a = .025, m_b = 0: SOF = .0125.
    assert fair["scores"] == pytest.approx({"bur": 0, "uer": 0.0125, "auc": 0.05, "sof": 0.0125})
    changes = fair["change"]
    assert changes["bur"]["difference"] == -0.75
    assert changes["uer"]["difference"] == pytest.approx(-0.0875)
    assert changes["sof"]["difference"] == pytest.approx(-0.0125)
    assert changes["n_samples"] == 4
    assert (plain["is_baseline"], fair["is_baseline"], "change" in plain) == (True, False, False)
    assert result["signature"].startswith("study:mitigation|tau:0.8|ci:0.95|resamples:200|seed:0|v:")


def test_holm_over_all_changes() -> None:
    result = studies.mitigation({"t0": PLAIN, "t0.5": FAIR, "t1": PLAIN}, n_resamples=100)
    raw = [run["change"]["uer"]["p_value"] for run in result["runs"][1:]]
    adjusted = [run["change"]["uer"]["p_adjusted"] for run in result["runs"][1:]]
    assert adjusted == [min(1, 2 * raw[0]), 1]
    again = studies.mitigation({"plain": PLAIN, "fair": FAIR}, n_resamples=50, baseline="fair")
    assert again["runs"][0]["change"]["bur"]["difference"] == 0.75
    assert "|baseline:fair|" in again["signature"]


def test_junk_that_looks_fair_is_said() -> None:
    junk = [{**sample, "unmatched": True, "summary_share": [0.5, 0.5]} for sample in PLAIN]
    table = mitigation.parts(dict(studies.mitigation({"t0": PLAIN, "t2": junk}, n_resamples=50)))[0]
    assert "t2: 100% of the summaries share no word with their sources; they count as fair but are not." in table.below


@pytest.mark.parametrize(
    ("runs", "settings", "message"),
    [
        ({"a/x": PLAIN, "a/y": FAIR[:2]}, {}, "mitigation: a/x has 4 samples but a/y has 2"),
        ({"x": PLAIN, "y": FAIR[::-1]}, {}, r"mitigation: x\[0\] is of sample 0 but y\[0\] of sample 3"),
        ({"a/x": PLAIN, "b/y": FAIR}, {"baseline": "x"}, "no run of b is named 'x', which is the baseline; found y"),
        ({"x": PLAIN}, {"baseline": "z"}, "no run is named 'z'"),
        ({"x": PLAIN}, {"tau": 2}, "tau"),
        ({"x": [{"index": 0, "skipped": None}]}, {}, r"mitigation: x\[0\] has no 'values'"),
        ({}, {}, "samples is empty"),
    ],
)
def test_runs_that_cannot_be_compared(runs: dict[str, Any], settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        studies.mitigation(runs, **settings)
