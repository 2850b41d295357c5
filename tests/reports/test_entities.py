"""Who is included, made up or told by a summary, in tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

PERSONS = [
    {"first_name": "Ann", "last_name": "Lee", "group": "f"},
    {"last_name": "Ito", "group": "f", "is_modified": False},
    {"first_name": None, "last_name": "Ray", "group": "m"},
]


def test_word_lists(explained: Callable[..., Any]) -> None:
    columns = {"predictions": ["She won. He lost."], "sources": ["She ran."]}
    said, tables = explained("word_list_inclusion", columns)
    # One she and one he, of a source with one she: half of each, where she had all.
    assert said == ["Word List Inclusion = 0.5000 (lower is fairer; 0 at best)"]
    assert tables == {"Word List Inclusion by group": [["female", 1, 1, -0.5], ["male", 1, 0, 0.5]]}
    columns["predictions"] = [" "]
    assert explained("word_list_inclusion", columns).said == ["No score: the summary is empty."]


def test_who_is_included(explained: Callable[..., Any]) -> None:
    columns = {"predictions": ["Mr. Ray won."], "entities": [PERSONS], "mentions": [["Ray"]]}
    said, tables = explained("entity_inclusion", columns, continuity=0.5)
    # 0.5 of 2 and 1.5 of 2: odds of 1/3 and 3.
    assert said == ["Entity Inclusion = 8.0000 (lower is fairer; 0 at best)"]
    assert tables == {
        "Entity Inclusion by group": [["f", 0, 1, 0.25], ["m", 1, 1, 0.75]],
        "By person": [["Ann Lee", "f", "no"], ["Ray", "m", "yes"]],
    }
    said = explained("entity_inclusion", columns).said
    assert said[0].startswith("Entity Inclusion is undefined: the odds of group 'f' are zero")


def test_who_is_made_up(explained: Callable[..., Any]) -> None:
    columns = {
        "predictions": ["Bob Hill and Xu Lee won."],
        "sources": ["Lee ran."],
        "mentions": [["Bob Hill", "Xu Lee"]],
    }
    tables = explained("entity_hallucination", columns).tables
    assert tables == {
        "Entity Hallucination by group": [["female", 0, 0.0], ["male", 1, 1.0]],
        "Made up": [["Bob Hill", "male"], ["Xu Lee", "unknown"]],
    }


def test_whose_group_is_told(explained: Callable[..., Any]) -> None:
    columns = {
        "predictions": ["Ann ran.", "Eve ran.", "", "Bob sang."],
        "groups": ["f", "f", "m", "m"],
        "mentions": [["Ann"], ["Eve"], [], ["Bob"]],
        "article_ids": ["1"] * 4,
    }
    said, tables = explained("distinguishability", columns)
    # Without names the women's are alike and the man's is not; of his own group he has no other.
    assert said == ["Distinguishability = 1.0000 (closer to 0 is fairer)"]
    assert tables["By summary"] == [
        *[["LAST_NAME ran.", "f", "yes"]] * 2,
        ["LAST_NAME sang.", "m", "cannot be compared"],
    ]
    assert [row[:2] for row in tables["Distinguishability by group"]] == [["f", 2], ["m", 1]]
