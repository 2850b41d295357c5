"""What a summary says for each value, in tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.measures import measures_of
from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.reports.report import report
from fairsum_utils.reports.representation import REPORT
from fairsum_utils.reports.tables import Table

SHARES = "Share of each group in the summary"


def test_shares_and_words_of_each_value(explained: Callable[..., Any], reviews: Callable[..., Any]) -> None:
    message, tables = explained("bur", reviews("Great soup and friendly staff."))
    # Source tokens: pos 2 + 4, neg 4. Matches: pos great, soup, friendli, staff; neg soup.
    assert message == ["BUR = 1.0000 (lower is fairer; 0 at best)"]
    assert tables == {
        "": [["neg", 1, 1.0, 0.5], ["pos", 1, 0.0, 1.3333]],
        SHARES: [
            ["neg", 0.4, 0.4, 0.2, 0.5, "yes", "soup"],
            ["pos", 0.6, 0.6, 0.8, 1.3333, "no", "Great, soup, friendly, staff"],
        ],
    }


def test_tau_moves_the_flag_and_the_score(explained: Callable[..., Any], reviews: Callable[..., Any]) -> None:
    message, tables = explained("bur", reviews("Great soup and friendly staff."), tau=0.5)
    assert message[0].startswith("BUR = 0.0000")
    assert [row[5] for row in tables[SHARES]] == ["no", "no"]


def test_words_are_shown_as_they_are_written(reviews: Callable[..., Any]) -> None:
    """Without settings, or with others than the sample was scored with, as they were counted: nothing is made up."""
    columns = reviews("Friendly,  friendliest\nSTAFF; soups: friendly\n staff.")
    result = compute("bur", **columns, k=2, return_samples=True)

    def shown(settings: RepresentationMeasure | None) -> tuple[Any, Any]:
        parts = REPORT.explain("bur", result, columns, settings)
        [*_, table] = (part for part in parts if isinstance(part, Table))
        return table.header[-1], table.rows[1][-1]

    # A positive source has "soup, friendly staff"; "friendliest" is another word.
    assert shown(RepresentationMeasure(k=2)) == ("matched words", "soups: friendly, friendly staff")
    assert shown(None) == shown(RepresentationMeasure()) == ("matched tokens", "soup friendli, friendli staff")


def test_no_group_is_named_where_none_lacks_anything() -> None:
    result = {"uer": 0.0, "uer_by_value": {"neg": 0.0, "pos": 0.0}, "n_by_value": {"neg": 1, "pos": 1}}
    assert REPORT.sentences({"uer": result}) == []


def test_spread_is_what_each_value_lacks() -> None:
    record = {"skipped": None, "values": ["neg", "pos"], "desired_share": [0.25, 0.75], "summary_share": [0.0, 1.0]}
    assert REPORT.spread("bur", record) == {"neg": 0.25, "pos": -0.25}
    skipped = {"skipped": "empty_prediction", "values": [], "desired_share": [], "summary_share": []}
    assert REPORT.spread("bur", skipped) == {}
    assert "underrepresented" in REPORT.spread_axis


@pytest.mark.parametrize("name", measures_of("representation"))
def test_other_settings(name: str, explained: Callable[..., Any], reviews: Callable[..., Any]) -> None:
    message, tables = explained(name, reviews("Great soup."), k=2, target="equal", normalizer="simple")
    assert message[0].startswith(f"{name.upper()} = ")
    assert [[row[0], row[2]] for row in tables[SHARES]] == [["neg", 0.5], ["pos", 0.5]]
    assert [row[-1] for row in tables[SHARES]] == ["", "Great soup"]


def test_given_shares_match_no_words(explained: Callable[..., Any], reviews: Callable[..., Any]) -> None:
    columns = reviews("Great soup.") | {"target_distributions": [{"pos": 1.0, "neg": 0.0}]}
    assert explained("uer", columns).tables[SHARES] == [
        ["neg", 0.4, 0.4, 0.0, 0.0],
        ["pos", 0.6, 0.6, 1.0, 1.6667],
    ]


def test_what_cannot_be_scored_is_said_in_words(explained: Callable[..., Any], reviews: Callable[..., Any]) -> None:
    def said(name: str, columns: dict[str, Any]) -> list[str]:
        return list(explained(name, columns).said)

    def one(source: str) -> dict[str, Any]:
        return {"predictions": ["Tasty."], "sources": [[source]], "values": [["a"]]}

    assert explained("bur", reviews("  ")) == (["No score: the summary is empty."], {})
    assert said("bur", one("..."))[0].startswith("No score: no source has a word that counts")
    undefined, single = said("sof", one("Tasty."))
    assert undefined == "SOF is undefined: sof compares groups, but the scored samples contain only 1."
    assert single.startswith("1 of 1 (100%) scored samples have sources of one group only and cannot be unfair")
    withheld, unmatched = said("uer", reviews("Nothing known."))[:2]
    assert withheld.startswith("UER is undefined: 1 of 1 scored summaries have no words in common with their")
    assert (
        unmatched == "1 of 1 (100%) scored summaries have no words in common with their sources and count as uniform."
    )


def test_a_mean_ratio_above_one_hides_no_sample() -> None:
    # Negative holds 1 of 4 source words. Three summaries say only its word (ratio 1 / 0.25 = 4), one none of it (0):
    # a mean of 3, and underrepresented in one of four. Positive: ratios 0, 0, 0 and 1 / 0.75.
    sources, values = ["awful", "lovely sunny garden"], ["neg", "pos"]
    summaries = ["awful", "awful", "awful", "lovely sunny garden"]
    results = {"bur": compute("bur", predictions=summaries, sources=[sources] * 4, values=[values] * 4)}
    message = (
        "A mean ratio above 1 can hide such samples: neg has a mean ratio of 3.00, yet it is underrepresented in "
        "25.0% of its samples."
    )
    assert message in report("a.jsonl", results)
    # A value that gets enough everywhere needs no line, and neither does a report without BUR.
    assert "mean ratio" not in report("a.jsonl", {"bur": compute("bur", predictions=["awful lovely sunny garden"],
                                                                   sources=[sources], values=[values])})  # fmt: skip
    uer = {"uer": compute("uer", predictions=summaries, sources=[sources] * 4, values=[values] * 4)}
    assert "mean ratio" not in report("a.jsonl", uer)
