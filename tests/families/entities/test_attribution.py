"""What was counted has its place: words of groups, and persons that are named, made up, ambiguous or left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families import families
from fairsum_utils.families.entities.scorer import EntityScorer
from fairsum_utils.families.marks import Attribution
from fairsum_utils.measures.entity_inclusion import EntityInclusion
from fairsum_utils.measures.word_list_inclusion import WordListInclusion
from fairsum_utils.text.wordlists import words
from tests._together import together

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


def test_outcomes_of_persons_by_hand() -> None:
    record = scored(["entity_inclusion", "entity_hallucination"], SAMPLE)
    assert [person[:3] for person in FAMILY.outcomes(SAMPLE, record)] == [
        ("Ann Lee", "f", "named"), ("Eve Lee", "f", "left out"), ("Ray", "m", "named"), ("Yu Ito", "m", "named"),
        ("Bob Hill", "male", "made up"), ("Lee", None, "ambiguous"),
    ]  # fmt: skip


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
