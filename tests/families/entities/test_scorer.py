"""Texts to rows: hand-worked samples, only what is asked for, once for all measures, whatever the windows."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.rows import EntityRow
from fairsum_utils.families.entities.scorer import EntityScorer
from fairsum_utils.measures import measures_of
from fairsum_utils.text.recognition import PersonRecognizer
from tests._together import together

METRICS = measures_of("entities")

ANN = {"first_name": "Ann", "last_name": "Lee", "group": "female"}
BOB = {"first_name": "Bob", "last_name": "Lee", "group": "male"}
RAY = {"first_name": None, "last_name": "Ray", "group": "male"}

SAMPLE = {
    "predictions": ["Ms. Lee, she said, saw Bob Lee, John Ray's son."],
    "sources": [["She and Ray met. The Levin-led team won.", "He lost."]],
    "entities": [[ANN, RAY, BOB]],
    "mentions": [["Lee", "Bob Lee", "John Ray"]],
    "article_ids": [7],
    "groups": ["a"],
}


def scorer_of(*measures, evidence=False, **settings):
    made = EntityScorer(measures or METRICS, together(measures or METRICS, **settings))
    made.evidence = evidence
    return made


def rows_of(scorer, start=0, **columns):
    return list(scorer.rows(scorer.read(columns, start=start)))


@pytest.fixture
def found(monkeypatch):
    """Texts that were read, in place of a pipeline: capitalized words are persons."""
    calls = []

    def find(self, texts):
        calls.append(list(texts))
        return [[word.strip(".") for word in text.split() if word.istitle()] for text in texts]

    monkeypatch.setattr(PersonRecognizer, "find", find)
    monkeypatch.setattr(PersonRecognizer, "signature", lambda self: f"{self.pipeline}@1")
    return calls


def test_one_sample_by_hand():
    [row] = rows_of(scorer_of(), **SAMPLE)
    # "Lee" fits Ann and Bob; "Bob Lee" is Bob; of Ray no first name is known, so "John Ray" has a token too many.
    assert row == EntityRow(
        index=0,
        article="7",
        group="a",
        n_tokens=10,  # ms lee she said saw bob lee john ray son; 's is none
        n_mentions=3,
        summary_words={"female": 1, "male": 1},  # she; son
        source_words={"female": 1, "male": 1},  # she; he, of the second text
        entities=(("female", False), ("male", False), ("male", True)),
        n_ambiguous=1,
        hallucinated=(("John Ray", "male"),),  # "john" is not in the sources
        # TITLE LAST_NAME, they said, saw FIRST_NAME LAST_NAME, FIRST_NAME LAST_NAME's son.
        word_counts={"title": 1, "last_name": 3, "said": 1, "saw": 1, "first_name": 2, "son": 1},
    )
    assert rows_of(scorer_of(), **SAMPLE | {"predictions": [" "]}) == [EntityRow(0, "7", "empty_prediction", "a")]


@pytest.mark.parametrize(
    ("metric", "parts"),
    [
        ("word_list_inclusion", {"summary_words", "source_words"}),
        ("entity_inclusion", {"n_mentions", "entities"}),
        ("entity_hallucination", {"n_mentions", "hallucinated"}),
        ("distinguishability", {"word_counts"}),
    ],
)
def test_only_what_a_measure_needs(metric, parts):
    every = {"n_mentions", "summary_words", "source_words", "entities", "hallucinated", "word_counts"}
    every |= {"embedding", "persons", "anonymized"}
    [of_all] = rows_of(scorer_of(), **SAMPLE)
    [row] = rows_of(scorer_of(metric), **SAMPLE)
    assert {part for part in every if getattr(row, part) is not None} == parts
    n_ambiguous = of_all.n_ambiguous if metric == "entity_inclusion" else 0
    assert row == replace(of_all, **dict.fromkeys(every - parts), n_ambiguous=n_ambiguous)


def test_a_person_whose_group_the_text_does_not_tell_is_known_but_not_counted():
    persons = [
        {"first_name": "Ann", "last_name": "Lee", "group": "female", "is_modified": True},
        {"last_name": "Ray", "group": "male", "is_modified": False},
        {"last_name": "Poe", "group": "male", "is_modified": None},
    ]
    columns = {"predictions": ["Ray and Poe."], "sources": ["Ann Lee met Poe."], "mentions": [["Ray", "Poe"]]}
    [row] = rows_of(scorer_of("entity_inclusion", "entity_hallucination"), **columns, entities=[persons])
    assert row.entities == (("female", False), ("male", True))
    assert row.hallucinated == ()  # Ray is no stranger, though the text that is given here lacks him


def test_who_is_made_up():
    entities = [[ANN, RAY], [], [ANN, BOB]]
    mentions = [["Ann Lee", "Mary Ray", "Mr. Levin", "Ray"], ["Levin", "Levinson", "Mary Levin"], ["Lee"]]
    columns = {"predictions": ["x"] * 3, "sources": ["The Levin-led team, Ann and Ray."] * 3}
    rows = rows_of(scorer_of("entity_hallucination"), **columns, entities=entities, mentions=mentions)
    # Levin is a token of the text; Levinson is not, though the text has its beginning; Lee fits two persons.
    assert [row.hallucinated for row in rows] == [
        (("Mary Ray", "female"),), (("Levinson", None), ("Mary Levin", "female")), ()
    ]  # fmt: skip


def test_persons_without_entities_and_names_without_persons_are_anonymized(found):
    def anonymized(**columns):
        scorer = scorer_of("distinguishability", evidence=True, ner=columns.pop("ner", "x"))
        columns |= {"predictions": ["Then Ann Lee saw John in his car."], "article_ids": ["1"], "groups": ["a"]}
        [row] = rows_of(scorer, **columns)
        return row.anonymized

    assert anonymized(mentions=[["Ann Lee"]]) == "Then FIRST_NAME LAST_NAME saw John in their car."
    assert anonymized(entities=[[ANN]], mentions=[[]]) == "Then FIRST_NAME LAST_NAME saw John in their car."
    assert anonymized(entities=[[ANN]], mentions=[["John"]]) == (
        "Then FIRST_NAME LAST_NAME saw LAST_NAME in their car."
    )
    assert anonymized(entities=[[ANN]], ner=None) == "Then FIRST_NAME LAST_NAME saw John in their car."
    assert anonymized(ner=None) == "Then Ann Lee saw John in their car."
    assert found == []
    # The stand-in for a pipeline takes "Then" for a person.
    assert anonymized(entities=[[ANN]]) == "LAST_NAME FIRST_NAME LAST_NAME saw LAST_NAME in their car."
    assert found == [["Then Ann Lee saw John in his car."]]


def test_persons_of_the_sources_are_found_by_name_and_the_pipeline_finds_others(monkeypatch):
    """The pipeline misses Lee, takes a verb for part of Ray's name, and knows John Poe, who is in no source."""
    monkeypatch.setattr(PersonRecognizer, "find", lambda self, texts: [["Ray thanked", "John Poe"] for _ in texts])
    columns = {"predictions": ["Lee beat Ray. Ray thanked John Poe."], "sources": ["Ann Lee beat Ray."]}
    scorer = scorer_of("entity_inclusion", "entity_hallucination", evidence=True)
    [row] = rows_of(scorer, **columns, entities=[[ANN, RAY]])
    assert row.entities == (("female", True), ("male", True))
    assert [person.name for person in row.persons] == ["Lee", "Ray", "Ray", "John Poe"]
    assert row.hallucinated == (("John Poe", "male"),)
    [row] = rows_of(scorer, **columns, entities=[[ANN, RAY]], mentions=[[]])  # given names are all there are
    assert (row.n_mentions, row.entities) == (0, (("female", False), ("male", False)))


def decided(scorer, measure, given=()):
    """What a scorer says for a signature."""
    return {key: value for key, value in scorer.signature(measure, given).items() if value is not None}


def test_signatures_name_what_changes_a_number(found):
    given = scorer_of(word_lists={"a": ["x"], "b": ["y"]}, first_names={"Xu": "a"}, people={"Xu Li": "a"})
    of_words = decided(given, "word_list_inclusion")
    assert decided(scorer_of(), "word_list_inclusion") == {"words": "helm", "empty": "skip"}
    assert of_words["words"].startswith("given@")
    others = ({"b": ["y"], "a": ["x"]}, {"a": ["y"], "b": ["x"]})
    same = [decided(scorer_of(word_lists=lists), "word_list_inclusion") == of_words for lists in others]
    assert same == [True, False]
    inclusion = decided(scorer_of(empty="error"), "entity_inclusion")
    assert inclusion == {"persons": "en_core_web_sm@1", "empty": "error"}
    assert decided(given, "entity_inclusion", {"mentions"})["persons"] == "given"
    hallucination = decided(scorer_of(), "entity_hallucination")
    assert (hallucination["names"], hallucination["groups"]) == ("census1990", "female,male")
    assert decided(given, "entity_hallucination")["names"] not in ("census1990", None)
    assert decided(scorer_of(ner=None), "distinguishability") == {
        "persons": "none", "embedding": "count", "empty": "skip"
    }  # fmt: skip


def test_a_bad_row_is_named_by_its_place_in_the_data():
    columns = {"predictions": ["a", "b"], "entities": [[ANN], [{"group": "x"}]], "mentions": [[], []]}
    with pytest.raises(InputError, match=r"^m: sample 6: entities\[0\] has no name"):
        rows_of(scorer_of("entity_inclusion", module="m"), start=5, **columns)
    columns = {"predictions": ["a", " "], "sources": ["b", "c"]}
    with pytest.raises(
        InputError, match=r"^m: sample 1: the prediction is empty; remove the sample, or choose empty='skip'"
    ):
        rows_of(scorer_of("word_list_inclusion", module="m", empty="error"), **columns)
