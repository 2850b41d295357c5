"""The filter of appendix J.2: the words of table 18, and the shipped articles, which people have annotated."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions as studies
from fairsum_reproductions.news.annotation_candidates import candidate_words, parts
from fairsum_utils.cli import main
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
    for female, male in zip(words[::2], words[1::2], strict=True):
        [one, other] = candidate_words(f"The {female.upper()} and the {male}.")
        assert (one["word"], one["group"], other["word"], other["group"]) == (female, "female", male, "male")


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


@given(st.lists(st.lists(st.sampled_from(["mother", "Father,", "she", "motherly", "rain."]), max_size=5), max_size=6))
def test_against_a_plain_search(texts: list[list[str]]) -> None:
    for text in map(" ".join, texts):
        expected = [(match.start(), match[0].lower()) for match in re.finditer(r"(?i)\b(mother|father)\b", text)]
        assert [(found["start"], found["word"]) for found in candidate_words(text)] == expected


def test_draws_depend_on_the_seed_alone() -> None:
    rows = [{"text": f"The mother of {number}."} for number in range(30)]
    drawn = [[each["id"] for each in studies.annotation_candidates(rows, seed=s)["candidates"]] for s in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert sorted(drawn[0], key=int) == [str(number) for number in range(30)]
    assert [each["id"] for each in studies.annotation_candidates(rows, n=5)["candidates"]] == drawn[0][:5]
    assert parts(studies.annotation_candidates(rows))[1].below == [  # type: ignore[union-attr]
        "and 10 more, in JSON, where the places of words stand"
    ]


def test_the_command(tmp_path: Path, capsys: Any) -> None:
    articles, lists = tmp_path / "articles.jsonl", tmp_path / "lists.json"
    articles.write_text("".join(json.dumps({"name": row["id"], "body": row["text"]}) + "\n" for row in ARTICLES))
    lists.write_text('{"old": ["mankind"], "new": ["rained"]}')
    columns = ["--text-column", "body", "--id-column", "name"]
    assert main(["study", "annotation_candidates", str(articles), *columns, "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)["metrics"]["annotation_candidates"]
    assert sorted(each["id"] for each in found["candidates"]) == ["a", "c"]
    assert main(["study", "annotation_candidates", str(articles), *columns, "--word-lists", str(lists)]) == 0
    assert "1 of 4 articles are candidates (25%)" in capsys.readouterr().out


def test_nothing_found() -> None:
    result = studies.annotation_candidates([{"text": "It rained."}])
    assert (result["n_candidates"], result["candidates"], result["words"]) == (0, [], {})


@pytest.mark.parametrize(
    ("rows", "options", "message"),
    [
        ([{"text": 3}], {}, "annotation_candidates: row 1: text must be a string, found int 3"),
        ([{"id": "a"}], {}, "annotation_candidates: articles has no column 'text'; found id; name it, as in columns="),
        ([{"text": "x"}], {"n": 0}, "annotation_candidates: n must be a whole number of at least 1, found int 0"),
        ([{"text": "x"}], {"word_lists": "long"}, "annotation_candidates: word_lists must be one of helm, extended or"),
    ],
)
def test_refused(refusal: Callable[..., str], rows: Any, options: Any, message: str) -> None:
    assert refusal(studies.annotation_candidates, rows, **options).startswith(message)
