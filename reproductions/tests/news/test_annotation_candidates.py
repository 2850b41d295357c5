"""The filter of appendix J.2: the words of table 18, and the shipped articles, which people have annotated."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions as studies
from fairsum_reproductions.news.annotation_candidates import parts
from fairsum_utils.counterfactual.documents import document_fields, mini_news
from fairsum_utils.families.entities.wordlists import EXTENDED_GENDER

# papers/news-summarization-bias, table 18, as printed.
TABLE_18 = """
daughter son mother father woman man girl boy female male sister brother daughters sons mothers fathers women men girls
boys females males sisters brothers aunt uncle aunts uncles niece nephew nieces nephews wife husband wives husbands
actress actor actresses actors chairwoman chairman chairwomen chairmen mum dad mums dads waitress waiter waitresses
waiters mistress lover
"""

ARTICLES = [
    {"id": "a", "text": "Chairman Diane Sasser met the chairmen."},
    {"id": "b", "text": "It rained on the mankind of Manchester."},
    {"id": "c", "text": "Her MOTHER's aunts and his mother left."},
    {"id": "d", "text": "The vice-chairman met a stepmother."},
]


def test_by_hand() -> None:
    result = studies.annotation_candidates(ARTICLES, seed=3)
    assert (result["n_samples"], result["n_candidates"], result["share"]) == (4, 2, 0.5)
    found = {
        each["id"]: [(word["word"], word["start"], word["end"]) for word in each["words"]]
        for each in result["candidates"]
    }
    assert found == {
        "a": [("chairman", 0, 8), ("chairmen", 30, 38)],
        "c": [("mother", 4, 10), ("aunts", 13, 18), ("mother", 27, 33)],
    }
    assert result["words"] == {
        "mother": {"group": "female", "n_articles": 1, "n": 2},
        "aunts": {"group": "female", "n_articles": 1, "n": 1},
        "chairman": {"group": "male", "n_articles": 1, "n": 1},
        "chairmen": {"group": "male", "n_articles": 1, "n": 1},
    }
    assert "n_annotated" not in result


def test_every_word_of_table_18() -> None:
    words = TABLE_18.split()
    assert len(words) == 2 * len(EXTENDED_GENDER["female"])
    found = studies.annotation_candidates([{"text": f"The {word.upper()}."} for word in words])["words"]
    groups = {word: count["group"] for word, count in found.items()}
    assert groups == {word: ("female", "male")[place % 2] for place, word in enumerate(words)}
    assert all((count["n"], count["n_articles"]) == (1, 1) for count in found.values())


def test_the_shipped_articles() -> None:
    """Of nine that people annotated the filter finds seven: "siblings" and "spokesman" are not in table 18."""
    result = studies.annotation_candidates([document_fields(document) for document in mini_news()])
    assert (result["n_samples"], result["n_annotated"], result["n_missed"]) == (24, 9, 2)
    candidates = {each["id"] for each in result["candidates"]}
    annotated = {document.id for document in mini_news() if document.content_words}
    assert annotated - candidates == {"sport-swim", "politics-budget"}
    assert {each["id"] for each in result["candidates"] if each["is_annotated"]} == annotated & candidates
    assert parts(result)[0] == [
        "11 of 24 articles are candidates (46%)",
        "9 articles are annotated already; the filter misses 2",
    ]
    # Spans are those that people marked.
    marked = {document.id: {(word.start, word.end) for word in document.content_words} for document in mini_news()}
    for each in result["candidates"]:
        if each["is_annotated"]:
            assert marked[each["id"]] <= {(word["start"], word["end"]) for word in each["words"]}


@given(st.lists(st.sampled_from(["mother", "Father,", "she", "motherly", "rain."]), min_size=1, max_size=9))
def test_against_a_plain_search(words: list[str]) -> None:
    text = " ".join(words)
    expected = [(match.start(), match[0].lower()) for match in re.finditer(r"(?i)\b(mother|father)\b", text)]
    candidates = studies.annotation_candidates([{"text": text}])["candidates"]
    assert [(found["start"], found["word"]) for each in candidates for found in each["words"]] == expected


def test_draws_depend_on_the_seed_alone() -> None:
    rows = [{"text": f"The mother of {number}."} for number in range(30)]
    drawn = [[each["id"] for each in studies.annotation_candidates(rows, seed=s)["candidates"]] for s in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert sorted(drawn[0], key=int) == [str(number) for number in range(30)]
    assert [each["id"] for each in studies.annotation_candidates(rows, n=5)["candidates"]] == drawn[0][:5]
    assert parts(studies.annotation_candidates(rows))[1].below == [  # type: ignore[union-attr]
        "and 10 more, in JSON, where the places of words stand"
    ]


def test_words_of_ones_own() -> None:
    lists = {"old": ["mankind"], "new": ["rained"]}
    [found] = studies.annotation_candidates(ARTICLES, word_lists=lists)["candidates"]
    assert (found["id"], [word["group"] for word in found["words"]]) == ("b", ["new", "old"])


def test_nothing_found() -> None:
    result = studies.annotation_candidates([{"text": "It rained."}])
    assert (result["n_candidates"], result["candidates"], result["words"]) == (0, [], {})


def test_refused(refusal: Callable[..., str]) -> None:
    text = [{"text": "x"}]
    cases: list[tuple[Any, dict[str, Any], str]] = [
        ([{"text": 3}], {}, "row 1: text must be a string, found int 3"),
        ([{"id": "a"}], {}, "articles has no column 'text'; found id; name it, as in columns="),
        (text, {"n": 0}, "n must be a whole number of at least 1, found int 0"),
        (text, {"word_lists": "long"}, "word_lists must be one of helm, extended or"),
    ]
    for rows, options, message in cases:
        found = refusal(studies.annotation_candidates, rows, **options)
        assert found.startswith(f"annotation_candidates: {message}")
