"""Who is included, made up or told by a summary, in tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fairsum_utils.measures import measures_of
from fairsum_utils.reports.entities import REPORT

PERSONS = [
    {"first_name": "Ann", "last_name": "Lee", "group": "f"},
    {"last_name": "Ito", "group": "f", "is_modified": False},
    {"first_name": None, "last_name": "Ray", "group": "m"},
]


def test_word_lists(explained: Callable[..., Any]) -> None:
    columns = {"predictions": ["She won. He lost."], "sources": ["She ran."]}
    message, tables = explained("word_list_inclusion", columns)
    # One she and one he, of a source with one she: half of each, where she had all.
    assert message == ["Word List Inclusion = 0.5000 (lower is fairer; 0 at best)"]
    assert tables == {"Word List Inclusion by group": [["female", 1, 1, -0.5], ["male", 1, 0, 0.5]]}
    columns["predictions"] = [" "]
    assert explained("word_list_inclusion", columns).said == ["No score: the summary is empty."]


def test_who_is_included(explained: Callable[..., Any]) -> None:
    columns = {"predictions": ["Mr. Ray won."], "entities": [PERSONS], "mentions": [["Ray"]]}
    message, tables = explained("entity_inclusion", columns, continuity=0.5)
    # 0.5 of 2 and 1.5 of 2: odds of 1/3 and 3.
    assert message == ["Entity Inclusion = 8.0000 (lower is fairer; 0 at best)"]
    assert tables == {
        "Entity Inclusion by group": [["f", 0, 1, 0.25], ["m", 1, 1, 0.75]],
        "Odds of being named": [["f over m", -2.1972]],  # the logarithm of 1/9
        "By person": [["Ann Lee", "f", "left out", ""], ["Ito", "f", "left out", "no"], ["Ray", "m", "named", ""]],
    }
    message = explained("entity_inclusion", columns).said
    assert message == [
        "Entity Inclusion = inf (lower is fairer; 0 at best)",
        "Summaries separate the groups (f 0 of 1, m 1 of 1): the log odds ratio is infinite, and its interval has one "
        "end at most.",
        "Entity Inclusion: the odds ratio is infinite; use continuity=0.5 to keep it finite.",
    ]


def test_who_is_made_up(explained: Callable[..., Any]) -> None:
    columns = {
        "predictions": ["Bob Hill and Xu Lee won."],
        "sources": ["Lee ran."],
        "mentions": [["Bob Hill", "Xu Lee"]],
    }
    tables = explained("entity_hallucination", columns).tables
    assert tables == {
        "Entity Hallucination by group": [["female", 0, 0.0], ["male", 1, 1.0]],
        "By person": [["Bob Hill", "male", "made up"], ["Xu Lee", "unknown", "made up"]],
    }


def test_whom_the_sources_have_and_whom_not(explained: Callable[..., Any]) -> None:
    lees = [{"first_name": first, "last_name": "Lee", "group": "f"} for first in ("Ann", "Eve")]
    columns = {
        "predictions": ["Lee met Ann Lee, Ray and Bob Hill."],
        "sources": ["Ann Lee and Eve Lee met Ray."],
        "entities": [lees],
        "mentions": [["Lee", "Ann Lee", "Ray", "Bob Hill"]],
    }
    # Ray's name is in the sources, so that nobody has made him up, but none of the persons that are given has it.
    assert explained("entity_hallucination", columns).tables["By person"] == [
        ["Ann Lee", "f", "named"],
        ["Eve Lee", "f", "left out"],
        ["Lee", "unknown", "ambiguous"],
        ["Ray", "unknown", "no match"],
        ["Bob Hill", "male", "made up"],
    ]


def named(*persons: tuple[str, bool]) -> list[dict[str, Any]]:
    return [{"group": group, "included": included} for group, included in persons]


def test_spread_by_group() -> None:
    record = {
        "skipped": None,
        "entities": named(("f", True), ("m", False), ("f", False), ("m", False)),
        "hallucinated": [{"name": name, "group": group} for name, group in (("Bob", "m"), ("Tom", "m"), ("Xu", None))],
        "summary_words": {"f": 3, "m": 1},
        "source_words": {"f": 5, "m": 5},
        "group": "f",
        "distinguishable": 0.5,
    }
    spreads = {name: REPORT.spread(name, record) for name in measures_of("entities")}
    assert spreads == {
        "word_list_inclusion": {"f": 0.25, "m": -0.25},
        "entity_inclusion": {"f": 0.5, "m": 0.0},
        "entity_hallucination": {"m": 2.0},
        "distinguishability": {"f": 0.5},
    }
    assert len({REPORT.axis(name) for name in spreads}) == 4
    assert REPORT.spread("entity_inclusion", record | {"skipped": "empty_prediction"}) == {}
    none = record | {"summary_words": {"f": 0, "m": 0}, "entities": [], "hallucinated": [], "distinguishable": None}
    assert not any(REPORT.spread(name, none) for name in measures_of("entities"))


def test_samples_of_an_original_are_related() -> None:
    record = {"article": "7", "skipped": None}
    assert REPORT.related_key({"predictions": "x", "article_ids": 7}, record) == "7"
    assert REPORT.related_key({}, record) == "7"  # texts and ids may be left out
    assert REPORT.related_key({"predictions": "x"}, record) == ""  # an article by itself is named by its place


def test_whose_group_is_told(explained: Callable[..., Any]) -> None:
    columns = {
        "predictions": ["Ann ran.", "Eve ran.", "", "Bob sang."],
        "groups": ["f", "f", "m", "m"],
        "mentions": [["Ann"], ["Eve"], [], ["Bob"]],
        "article_ids": ["1"] * 4,
    }
    message, tables = explained("distinguishability", columns)
    # Without names the women's are alike and the man's is not; of his own group he has no other.
    assert message == ["Distinguishability = 1.0000 (closer to 0 is fairer)"]
    assert tables["By summary"] == [
        *[["LAST_NAME ran.", "f", "yes"]] * 2,
        ["LAST_NAME sang.", "m", "cannot be compared"],
    ]
    assert [row[:2] for row in tables["Distinguishability by group"]] == [["f", 2], ["m", 1]]
