"""What a person sees of order sensitivity."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairsum_utils.reports.sensitivity import ORDERS_PAGE, order_sentences

COLUMNS = {
    "predictions": ["Tasty soup.", "Slow staff."],
    "article_ids": ["1", "1"],
    "variants": ["good first", "bad first"],
    "sources": [["Tasty soup.", "Slow staff."], ["Slow staff.", "Tasty soup."]],
    "values": [["good", "bad"], ["bad", "good"]],
}


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_the_tables(explained: Callable[..., Any]) -> None:
    message, tables = explained("order_sensitivity", COLUMNS)
    assert message[0] == "Order Sensitivity = 1.0000 (closer to 0 is fairer)"
    # Both ways to hand the summaries out are as far from 0.
    assert tables["By matcher"] == [["lexical", 1.0, 1.0, 1], ["ngram", 1.0, 1.0, 1]]
    first, _, last = tables["By place in the set"]  # two sources have no middle
    assert (first, last) == (["first third", 2.0], ["last third", 0.0])
    assert [row[:4] for row in tables["What a group gains by coming first"]] == [
        ["bad", 1.0, 0.0, 1.0], ["good", 1.0, 0.0, 1.0],
    ]  # fmt: skip
    # One of two values has all: the other lacks 1/2, so UER is 1/4 and BUR 1 in each order.
    assert [row[:4] for row in tables["Fairness scores by order"]][:2] == [
        ["bur", 1.0, 1.0, 0.0], ["uer", 0.25, 0.25, 0.0],
    ]  # fmt: skip


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_the_example_of_its_page(explained: Callable[..., Any]) -> None:
    message, _ = explained("order_sensitivity", ORDERS_PAGE.example, confidence_level=0.9, n_resamples=20)
    assert message[0].startswith("Order Sensitivity = ")


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
