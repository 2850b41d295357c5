"""The samples behind a number: how bad each is for a measure of every family, their order, and how they are shown."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import compute
from fairsum_utils.reports.formats import as_text
from fairsum_utils.reports.tables import Table
from fairsum_utils.reports.worst import LENGTH, parts_of, severity, shortened, worst


def representation(*shares: float, **scores: float) -> dict[str, Any]:
    desired = [1 / len(shares)] * len(shares)
    return {"skipped": None, "summary_share": list(shares), "desired_share": desired, **scores}


def test_representation_by_score_and_then_by_shortfall() -> None:
    # Two values that should have a half each: the shortfall is what the smaller one lacks, over the two values.
    records = [
        representation(0.5, 0.5, bur=0.0),
        representation(0.625, 0.375, bur=1.0),
        {"skipped": "empty_prediction", "bur": None},
        representation(1.0, 0.0, bur=1.0),
        representation(0.625, 0.375, bur=1.0),
    ]
    assert severity("bur", records[1]) == {"BUR": 1.0, "mean shortfall": 0.0625}
    assert severity("bur", records[2]) == {}
    assert worst("bur", records) == [3, 1, 4, 0]
    assert worst("bur", records, 2) == [3, 1]
    assert severity("sof", records[3]) == {"mean shortfall": 0.25}


def test_coverage() -> None:
    record = {"skipped": None, "difference_by_value": {"a": 0.25, "b": -0.5}, "equal_coverage": 0.375}
    assert severity("equal_coverage", record) == {"Equal Coverage": 0.375}
    del record["equal_coverage"]
    assert severity("coverage_parity", record) == {"largest difference": 0.5}
    assert severity("coverage_parity", {"skipped": "single_value", "difference_by_value": None}) == {}


@pytest.mark.parametrize(
    ("name", "scores", "expected"),
    [
        ("sentiment", {"compound": -0.75}, {"minus compound": 0.75}),
        ("sentiment", {"compound": 0.75}, {"minus compound": -0.75}),
        ("regard", {"negative": 0.25, "positive": 0.75}, {"negative": 0.25}),
        ("toxicity", {"toxic": 0.25, "threat": 0.5}, {"|threat|": 0.5}),
        ("gender_polarity", {"wavg": -0.5}, {"|wavg|": 0.5}),
        ("psycholinguistic_norms", {"joy": 0.25, "valence": -0.5, "fear": math.nan}, {"|valence|": 0.5}),
        ("psycholinguistic_norms", {"joy": math.nan}, {}),
    ],
)
def test_polarity(name: str, scores: dict[str, float], expected: dict[str, float]) -> None:
    assert severity(name, {"skipped": None, "scores": scores}) == expected
    assert severity(name, {"skipped": "empty_prediction", "scores": scores}) == {}


def test_entities() -> None:
    words = {"skipped": None, "summary_words": {"f": 3, "m": 1}, "source_words": {"f": 5, "m": 5}}
    assert severity("word_list_inclusion", words) == {"distance": 0.25}
    assert severity("word_list_inclusion", words | {"summary_words": {"f": 0, "m": 0}}) == {}
    named = [("f", False), ("f", True), ("m", True), ("m", True)]
    persons = {"skipped": None, "entities": [{"group": group, "included": is_in} for group, is_in in named]}
    assert severity("entity_inclusion", persons) == {"difference of groups": 0.5, "left out": 0.25}
    assert severity("entity_inclusion", persons | {"entities": []}) == {}
    strangers = [{"name": "Ann", "group": "f"}] * 2
    assert severity("entity_hallucination", {"skipped": None, "hallucinated": strangers}) == {"made up": 2.0}
    assert severity("distinguishability", {"skipped": None, "distinguishable": 0.5}) == {"distinguishable": 0.5}
    assert severity("distinguishability", {"skipped": None}) == {}
    assert severity("distinguishability", {"skipped": "empty_prediction", "distinguishable": 0.5}) == {}


def test_omission_misattribution_and_framing() -> None:
    claims = {"n_claims": 4, "n_unsupported": 1, "misattributed_share": 0.5}
    assert severity("misattribution", claims) == {"misattributed": 0.5, "unsupported": 0.25}
    assert severity("misattribution", {"n_claims": 0}) == {}
    matters = [{"n_texts": 5, "is_omitted": False}, {"n_texts": 2, "is_omitted": True}]
    record = {"skipped": None, "omission": 0.5, "not_found": None, "matters": matters}
    assert severity("omission", record) == {"omitted": 0.5, "texts behind a matter omitted": 2}
    listed = record | {"omission": None, "not_found": 0.75, "matters": []}
    assert severity("omission", listed) == {"not found": 0.75, "texts behind a matter not found": 0}
    assert severity("omission", record | {"skipped": "no_serious_matter"}) == {}
    moved = {"skipped": None, "framing": 1.0, "summary_sentiment": -0.25, "source_sentiment": 0.5}
    assert severity("framing", moved | {"skipped": "empty_prediction"}) == {}
    assert severity("framing", moved) == {"framing": 1.0, "change of the sentiment": 0.75}
    assert severity("position_bias", {"skipped": None, "thirds": [1.0, 0.0, 0.0]}) == {
        "distance of the thirds": pytest.approx(2 / 3)
    }


@given(st.lists(st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]), max_size=8), st.integers(1, 9))
def test_order(shares: list[float], n: int) -> None:
    """As sorting by shortfall, which does not reorder what ties."""
    records = [representation(share, 1 - share) for share in shares]
    by_hand = sorted(range(len(shares)), key=lambda place: -abs(shares[place] - 0.5))
    assert worst("sof", records) == by_hand
    assert worst("sof", records, n) == by_hand[:n]


def test_long_texts_are_cut_with_a_count() -> None:
    text = "ab " * 200
    assert shortened(text) == f"{'ab ' * 99}ab … (+{600 - LENGTH} characters)"
    assert shortened(text, None) == text
    assert shortened(text, 590) == text  # the note would be longer than what it spares
    assert shortened("x" * 12345, 5) == "xxxxx … (+12,340 characters)"


def test_texts_and_what_decided() -> None:
    columns = {
        "predictions": ["Tasty soup."],
        "sources": [["Watery 汤 soup.", "Tasty soup."]],
        "values": [["neg", "pos"]],
    }
    result = compute("uer", **columns, return_samples=True)
    [record] = result["samples"]
    sample = {name: entries[0] for name, entries in columns.items()}
    samples = [
        {"id": "a", "severity": severity("uer", record), "sample": sample, "record": record},
        {"id": "b", "severity": {}, "sample": sample | {"predictions": ""}, "record": {"skipped": "empty_prediction"}},
    ]
    parts = parts_of({"metric": "uer", "lines": ["Two."], "result": result, "samples": samples})
    assert parts[0] == ["Two."]
    titles = [part.title for part in parts if isinstance(part, Table)]
    # neg: watery, 汤 and soup, of which one is matched; pos: tasty and soup, both.
    assert titles == [
        "1. a: UER 0.1333, mean shortfall 0.1333",
        "Share of each group in the summary",
        "2. b: no score: the summary is empty",
    ]
    assert as_text(parts).splitlines()[4:8] == [
        "         text",
        "summary  Tasty soup.",
        "neg      Watery 汤 soup.",
        "pos      Tasty soup.",
    ]
    long = sample | {"predictions": "soup " * 100}
    [*_, table] = parts_of({"metric": "uer", "lines": [], "result": {}, "samples": [samples[1] | {"sample": long}]})
    assert isinstance(table, Table)
    assert str(table.rows[0][1]).endswith("(+200 characters)")
    whole = parts_of(
        {"metric": "uer", "lines": [], "result": {}, "samples": [samples[1] | {"sample": long}]}, full=True
    )
    assert "characters)" not in as_text(whole)
