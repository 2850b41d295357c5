"""What was counted has its place: words of groups, and persons that are named, made up, ambiguous or left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import compute
from fairsum_utils.corpora.counterfactual_ontonotes import CounterfactualCorpus
from fairsum_utils.counterfactual.assignment import make_setting
from fairsum_utils.counterfactual.documents import mini_news
from fairsum_utils.families import families
from fairsum_utils.families.entities.scorer import EntityScorer
from fairsum_utils.families.marks import Attribution
from fairsum_utils.measures.entity_inclusion import EntityInclusion
from fairsum_utils.measures.word_list_inclusion import WordListInclusion
from fairsum_utils.text.wordlists import words
from tests._together import together
from tests.conftest import ROOT, load_script

FAMILY = families()["entities"]
ANN = {"first_name": "Ann", "last_name": "Lee", "group": "f"}
EVE = {"first_name": "Eve", "last_name": "Lee", "group": "f"}
RAY = {"first_name": None, "last_name": "Ray", "group": "m"}
ITO = {"first_name": "Yu", "last_name": "Ito", "group": "m", "is_modified": False}
SAMPLE = {
    "predictions": "Ann Lee met Ray, Bob Hill and Ito; Lee left.",
    "sources": ["Ann Lee met Ray.", "Yu Ito saw Eve Lee. Ray ran."],
    "entities": [ANN, EVE, RAY, ITO],
    "mentions": ["Ann Lee", "Ray", "Bob Hill", "Ito", "Lee"],
}


def scored(measures: list[str], sample: Mapping[str, Any], **settings: Any) -> dict[str, Any]:
    """The record of a sample."""
    made = together(measures, **settings)
    scorer = EntityScorer(measures, made)
    scorer.evidence = True
    rows = list(scorer.rows(scorer.read({column: [entry] for column, entry in sample.items()})))
    return FAMILY.records(rows, measures, made)[0]


def marked(text: str, spans: Any) -> list[tuple[str, tuple[str, ...], str, str]]:
    return [(text[span.start : span.end], span.names, span.key, span.note) for span in spans]


def test_persons_by_hand() -> None:
    measures = ["entity_inclusion", "entity_hallucination"]
    found = FAMILY.attribution(measures, together(measures), SAMPLE, scored(measures, SAMPLE))
    uncounted = "not counted: the text does not show the group"
    assert marked(SAMPLE["predictions"], found.prediction) == [
        ("Ann Lee", ("f",), "person 0", "named: Ann Lee"),
        ("Ray", ("m",), "person 2", "named: Ray"),
        ("Bob Hill", (), "name bob hill", "invented: no such person in the sources"),
        ("Ito", (), "person 3", f"named: Yu Ito; {uncounted}"),
        ("Lee", (), "name lee", "ambiguous: the name matches several persons in the sources"),
    ]
    assert [marked(text, spans) for text, spans in zip(SAMPLE["sources"], found.sources, strict=True)] == [
        [
            ("Ann Lee", ("f",), "person 0", "named in the summary"),
            ("Ray", ("m",), "person 2", "named in the summary"),
        ],
        [
            ("Yu Ito", (), "person 3", f"named in the summary; {uncounted}"),
            ("Eve Lee", ("f",), "person 1", "left out"),
            ("Ray", ("m",), "person 2", "named in the summary"),
        ],
    ]


def test_first_names_alone_are_found_where_they_counted() -> None:
    sample = {"predictions": "Ann won.", "sources": "Ann Lee ran. Ann won.", "entities": [ANN], "mentions": ["Ann"]}
    both = []
    for first_name_only in (False, True):
        settings = EntityInclusion(first_name_only=first_name_only)
        record = scored(["entity_inclusion"], sample, first_name_only=first_name_only)
        found = FAMILY.attribution(["entity_inclusion"], settings, sample, record)
        both.append(([span.names for span in found.prediction], [len(spans) for spans in found.sources]))
    assert both == [([()], [1]), ([("f",)], [2])]


def test_a_record_without_evidence_marks_no_person() -> None:
    record = scored(["entity_inclusion"], SAMPLE) | {"evidence": None}
    found = FAMILY.attribution(["entity_inclusion"], EntityInclusion(), SAMPLE, record)
    assert (found, FAMILY.outcomes(SAMPLE, record)) == (Attribution([], [[], []]), [])


def test_a_name_that_the_text_does_not_hold_has_no_place() -> None:
    sample = {"predictions": "She won.", "entities": [ANN], "mentions": ["Ann Lee"]}
    found = FAMILY.attribution(["entity_inclusion"], EntityInclusion(), sample, scored(["entity_inclusion"], sample))
    assert found == Attribution([], [])


LISTS = {"x": ("she", "mother-in-law"), "y": ("he", "stanbul"), "z": ("straße",)}
PIECES = ["She", "HE", "he's", "mother-in-law", "Mother", "İstanbul", "STRASSE", "Straße", "he-man", "ς", "'", " ", "."]
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=3), max_size=12).map(" ".join)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=3))
def test_words_are_exactly_those_that_were_counted(prediction: str, sources: list[str]) -> None:
    measures, settings = ["word_list_inclusion"], WordListInclusion(word_lists=LISTS)
    sample = {"predictions": f"{prediction} he", "sources": sources}
    record = scored(measures, sample, word_lists=LISTS)
    found = FAMILY.attribution(measures, settings, sample, record)
    in_summary = Counter(span.names[0] for span in found.prediction)
    in_sources = Counter(span.names[0] for spans in found.sources for span in spans)
    assert {group: in_summary[group] for group in LISTS} == record["summary_words"]
    assert {group: in_sources[group] for group in LISTS} == record["source_words"]
    for text, spans in zip([sample["predictions"], *sources], [found.prediction, *found.sources], strict=True):
        assert all(span.key in words(text[span.start : span.end]) for span in spans)


@pytest.mark.parametrize("attribute", ["gender", "black_male_white_female"])
def test_the_shipped_news_under_groups_of_any_name(attribute: str) -> None:
    """Every mention has its place, every person stands in the text, and samples of an article are kin."""
    example = load_script(ROOT / "examples" / "counterfactual_news.py")
    rows = list(CounterfactualCorpus(mini_news()[:6], make_setting(attribute, "local"), name="x").rows())
    columns = {
        "predictions": [example.lead(0, row) for row in rows],
        "sources": [row["text"] for row in rows],
        "entities": [row["entities"] for row in rows],
        "mentions": [example.names_in(example.lead(0, row), row["entities"]) for row in rows],
        "article_ids": [row["article_id"] for row in rows],
    }
    groups = {person["group"] for row in rows for person in row["entities"]}
    samples = compute("entity_inclusion", **_taken("entity_inclusion", columns), return_samples=True)["samples"]
    for place, record in enumerate(samples):
        sample = {column: entries[place] for column, entries in columns.items()}
        found = FAMILY.attribution(["entity_inclusion"], EntityInclusion(), sample, record)
        assert len(found.prediction) == record["n_mentions"]
        assert {name for span in found.prediction for name in span.names} <= groups
        keys = {f"person {number}" for number in range(len(sample["entities"]))}
        assert {span.key for span in found.sources[0]} == keys
        included = {span.key for span in found.prediction}
        assert all((span.note == "named in the summary") == (span.key in included) for span in found.sources[0])


def _taken(measure: str, columns: Mapping[str, Any]) -> dict[str, Any]:
    return {column.name: columns[column.name] for column in FAMILY.columns_of(measure) if column.name in columns}
