"""Sentence boundaries against NLTK's Punkt with its English parameters."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils.text.punkt import english, sentence_spans, sentences, splits_here


@pytest.fixture(scope="module")
def nltk_punkt(nltk_pipeline: ModuleType) -> Any:
    return nltk_pipeline._punkt()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n ", []),
        ("one", ["one"]),
        ("It was good. (Really.) I left.", ["It was good.", "(Really.)", "I left."]),
        ("Dr. Who came at 5 p.m. on Monday. He left.", ["Dr. Who came at 5 p.m. on Monday.", "He left."]),
        ('He said "No." Then he left.', ['He said "No."', "Then he left."]),
        ("Wait... What? Yes!", ["Wait... What?", "Yes!"]),
        ("No break.here", ["No break.here"]),
    ],
)
def test_examples(text: str, expected: list[str], nltk_punkt: Any) -> None:
    assert sentences(text) == expected
    assert list(nltk_punkt.tokenize(text)) == expected


def test_parameters_are_nltks(nltk_punkt: Any) -> None:
    theirs = nltk_punkt._params
    assert english().abbreviations == theirs.abbrev_types
    assert english().collocations == theirs.collocations
    assert english().starters == theirs.sent_starters
    assert english().orthography == theirs.ortho_context


def test_real_texts(real_texts: list[str], nltk_punkt: Any) -> None:
    sample = real_texts[::4]  # as they are; tests/text/test_fairsumm.py goes through all of them, lower-cased
    assert [text for text in sample if sentences(text) != nltk_punkt.tokenize(text)] == []


@settings(max_examples=1500)
@given(data=st.data())
def test_fragments(messy_text: st.SearchStrategy[str], nltk_punkt: Any, data: st.DataObject) -> None:
    text = data.draw(messy_text)
    assert list(sentence_spans(text)) == list(nltk_punkt.span_tokenize(text))
    assert sentences(text) == list(nltk_punkt.tokenize(text))


@given(data=st.data())
def test_any_unicode(wild_text: st.SearchStrategy[str], nltk_punkt: Any, data: st.DataObject) -> None:
    text = data.draw(wild_text)
    assert sentences(text) == list(nltk_punkt.tokenize(text))


@given(data=st.data())
def test_spans_are_in_order_and_lose_nothing_but_space(messy_text: st.SearchStrategy[str], data: st.DataObject) -> None:
    text = data.draw(messy_text)
    spans = list(sentence_spans(text))
    edges = [edge for span in spans for edge in span]
    assert edges == sorted(edges)
    kept = "".join(text[start:end] for start, end in spans)
    assert "".join(kept.split()) == "".join(text.split())


@pytest.mark.parametrize("context", ["food. we", "dr. who", "p.m. on", "5. the", "j. smith", "...", "what?!", "no. 5"])
def test_splits_here(context: str, nltk_punkt: Any) -> None:
    assert splits_here(context) == nltk_punkt.text_contains_sentbreak(context)
