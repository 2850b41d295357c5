"""Report of changes with the person and with the order."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairsum_utils.reports.sensitivity import REPORT, order_sentences

COLUMNS = {
    "predictions": ["Ann won here.", "Ann won there.", "Bob lost here.", "Bob lost there."],
    "article_ids": ["1"] * 4,
    "variants": ["f", "f", "m", "m"],
    "controls": [None, "place", None, "place"],
    "changed": [["Ann", "here"], ["Ann", "there"], ["Bob", "here"], ["Bob", "there"]],
}


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_the_gap(explained: Callable[..., Any]) -> None:
    message, tables = explained("counterfactual_gap", COLUMNS)
    # X won X and X lost X: a cosine of (2 * 2) / 5.
    assert message[0] == "Counterfactual Gap = 0.2000 (closer to 0 is fairer)"
    assert tables["What the gap consists of"] == [
        ["different variants", 0.2], ["the same variant with another control edit", 0.0],
    ]  # fmt: skip
    assert tables["The farthest of another variant"][0:2] == [
        ["f", "Ann won here.", "won"],
        ["m", "Bob lost here.", "lost"],
    ]


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_pairs_and_replicates(explained: Callable[..., Any]) -> None:
    columns = COLUMNS | {"variants": ["f", "f", "m", "x"], "controls": [None] * 4}
    tables = explained("counterfactual_gap", columns, confidence_level=0.9, n_resamples=20).tables
    assert [row[0] for row in tables["Gap by pair of variants"]] == ["f, m", "f, x"]


def test_tests_in_a_line() -> None:
    result = GAP | {"p_value": 0.25, "p_undefined": "", "p_method": "exact", "n_articles": 50}
    [test] = REPORT.remarks("counterfactual_gap", result)
    assert test == "p = 0.2500, over all ways to hand out variants; 40 of 50 originals count."
    [undefined] = REPORT.remarks("counterfactual_gap", result | {"p_undefined": "no controls"})
    assert undefined == "No p-value: no controls."
    assert REPORT.remarks("counterfactual_outcomes", {"floor": None})[0] == "There is no floor."
    order = {"matcher": "ngram", "p_method": "drawn", "n_articles_scored": 1, "n_articles": 1}
    assert REPORT.remarks("order_sensitivity", order) == [
        "The score is that of ngram, with p over random ways to hand summaries to orders; 1 of 1 original count."
    ]


def test_who_is_worst() -> None:
    record = {"to_others": 0.5, "to_own": 0.125, "variant": "f", "article": "a"}
    assert REPORT.severity("counterfactual_gap", record) == {"to others - to own": 0.375, "to others": 0.5}
    assert REPORT.spread("counterfactual_gap", record) == {"f": 0.375}
    assert REPORT.severity("counterfactual_gap", record | {"to_own": None}) == {"to others": 0.5}
    assert REPORT.severity("counterfactual_gap", record | {"to_others": None}) == {}
    assert REPORT.related_key({}, record) == "a"


MOVED = {
    "predictions": ["Ann won. It rained a lot.", "Bob won.", "Eve left. Nobody saw it.", "Tom left."] * 3,
    "article_ids": [str(n) for n in range(6) for _ in range(2)],
    "variants": ["f", "m"] * 6,
    "changed": [["Ann"], ["Bob"], ["Eve"], ["Tom"]] * 3,
}


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_what_moved(explained: Callable[..., Any]) -> None:
    tables = explained("counterfactual_outcomes", MOVED, outcomes=["units", "sentiment"]).tables
    # Of 64 ways to swap variants within six originals two are as far: 1/32, and twice that after Holm's correction.
    assert tables["Differences between variants"][0][:5] == ["units: f - m", 2.0, 1.0, 1.0, 2.0]
    assert tables["Differences between variants"][0][-2:] == [0.0312, 1 / 16]  # as shown
    assert tables["Outcomes of this summary"][0] == ["units", 2.0]


GAP = {"floor": "controls", "between": 0.25, "within": 0.125, "counterfactual_gap": 0.125, "n_articles_scored": 40}


@pytest.mark.parametrize(
    ("p", "verdict"),
    [
        (0.049, "Above the noise: "),
        (0.05, "Not above the noise: "),
        (float("nan"), "Not tested against noise: no controls (40 originals)."),
    ],
)
def test_a_verdict_in_one_sentence(p, verdict) -> None:
    result = GAP | {"p_value": p, "p_undefined": "no controls"}
    assert REPORT.sentences({"counterfactual_gap": result})[0].startswith(verdict)


def test_no_verdict_on_summaries_that_say_nothing() -> None:
    warning = {"code": "same_summaries", "count": 9, "share": 0.9, "message": "9 of 10 are the same"}
    result = GAP | {"p_value": 1.0, "p_undefined": None, "warnings": [warning]}
    both = {"counterfactual_gap": result, "counterfactual_outcomes": {"outcomes": [], "warnings": [warning]}}
    assert REPORT.sentences(both) == ["No verdict: 9 of 10 are the same."]
    less = result | {"warnings": [warning | {"share": 0.4}]}
    assert REPORT.sentences({"counterfactual_gap": less})[0].startswith("Not above")
    assert REPORT.sentences({"counterfactual_gap": result | {"counterfactual_gap": float("nan"), "warnings": []}}) == []


def test_nothing_moved() -> None:
    record = {"outcome": "length", "standardized": 1.0, "p_value_corrected": 0.0625}
    result = {"outcomes": [record], "n_articles_scored": 1}
    assert REPORT.sentences({"counterfactual_outcomes": result}) == [
        "No outcome differs significantly between variants (1 original)."
    ]


def test_what_moved_in_words() -> None:
    record = {"variant_a": "f", "variant_b": "m", "mean_a": 2.0, "mean_b": 1.0}
    outcomes = [
        {**record, "outcome": "length", "standardized": 1.0, "p_value_corrected": 0.0625},
        {**record, "outcome": "units", "standardized": 1.0, "p_value_corrected": 0.03125},
        {**record, "outcome": "reading_level", "standardized": -2.0, "p_value_corrected": 0.01},
    ]
    assert REPORT.sentences({"counterfactual_outcomes": {"outcomes": outcomes}}) == [
        "Reading level on average: f 2.00, m 1.00 (p = 0.0100, after Holm).",
        "Units on average: f 2.00, m 1.00 (p = 0.0312, after Holm).",
    ]


ORDERS = {
    "predictions": ["Tasty soup.", "Slow staff."],
    "article_ids": ["1", "1"],
    "variants": ["good first", "bad first"],
    "sources": [["Tasty soup.", "Slow staff."], ["Slow staff.", "Tasty soup."]],
    "values": [["good", "bad"], ["bad", "good"]],
}


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_tables_of_orders(explained: Callable[..., Any]) -> None:
    message, tables = explained("order_sensitivity", ORDERS)
    assert message[0] == "Order Sensitivity = 1.0000 (closer to 0 is fairer)"
    # Both ways to hand the summaries out are as far from 0.
    assert tables["By matcher"] == [["lexical", 1, 1.0, 1.0], ["ngram", 1, 1.0, 1.0]]
    first, _, last = tables["Share of each place in the set"]  # two sources have no middle
    assert (first, last) == (["first third", 2.0], ["last third", 0.0])
    assert [row[:4] for row in tables["What a group gains by coming first"]] == [
        ["bad", 1.0, 1.0, 0.0], ["good", 1.0, 1.0, 0.0],
    ]  # fmt: skip
    # One of two values has all: the other lacks 1/2, so UER is 1/4 and BUR 1 in each order.
    assert [row[:4] for row in tables["Fairness scores by order"]][:2] == [
        ["bur", 1.0, 1.0, 0.0], ["uer", 0.25, 0.25, 0.0],
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_orders_that_are_named_as_columns(explained: Callable[..., Any]) -> None:
    tables = explained("order_sensitivity", ORDERS | {"variants": ["spread", "p"]}).tables
    assert tables["Fairness scores by order"][1] == ["uer", 0.25, 0.25, 0.0, 1.0]


def test_recency() -> None:
    result = {"order_sensitivity": -0.125, "n_articles_scored": 40, "matcher": "ngram"}
    further = "What summaries draw on stands 12.5% of the set further back in their own order than in the others."
    assert order_sentences(result | {"by_matcher": {"ngram": {"p_value": 0.01}}}) == [
        "Above the noise: what summaries draw on depends on the order (p = 0.0100, 40 sets).",
        further,
    ]
    assert order_sentences(result | {"by_matcher": {"ngram": {"p_value": 0.05}}}) == [
        "Not above the noise: what summaries draw on stands no further forward or back than chance puts it "
        "(p = 0.0500, 40 sets).",
        further,
    ]
    assert order_sentences({"order_sensitivity": float("nan")}) == []
