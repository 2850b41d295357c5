"""Word tokens against NLTK's word tokenizer."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils.text.words import CONTRACTIONS, tokenize_sentence, word_tokenize


@pytest.fixture(scope="module")
def nltk_words() -> Any:
    return pytest.importorskip("nltk.tokenize").NLTKWordTokenizer()


@pytest.mark.parametrize(
    ("sentence", "tokens"),
    [
        ("", []),
        ("They didn't like it (at all).", ["They", "did", "n't", "like", "it", "(", "at", "all", ")", "."]),
        ('He said "no".', ["He", "said", "``", "no", "''", "."]),
        ("We'll cannot gonna", ["We", "'ll", "can", "not", "gon", "na"]),
        ("'Tis 3.5, 1,000; a--b", ["'T", "is", "3.5", ",", "1,000", ";", "a", "--", "b"]),
        ("wait... #tag @user 50%", ["wait", "...", "#", "tag", "@", "user", "50", "%"]),
        ("“Curly ‘quotes’”", ["“", "Curly", "‘", "quotes", "’", "”"]),
        # White space is what str.split says.
        ("a\x0bb\x0cc\x1cd\x85e\xa0f\u3000g", ["a", "b", "c", "d", "e", "f", "g"]),
    ],
)
def test_examples(sentence: str, tokens: list[str], nltk_pipeline: ModuleType, nltk_words: Any) -> None:
    assert tokenize_sentence(sentence) == tokens
    assert nltk_words.tokenize(sentence) == tokens


@pytest.mark.parametrize("word", sorted(CONTRACTIONS))
def test_contractions(word: str, nltk_words: Any) -> None:
    assert tokenize_sentence(f"x {word} x")[1:-1] == nltk_words.tokenize(f"x {word} x")[1:-1] == [*CONTRACTIONS[word]]


def test_real_texts(real_words: list[tuple[str, list[str]]]) -> None:
    assert [text for text, words in real_words if word_tokenize(text) != words] == []


@settings(max_examples=500)
@given(data=st.data())
def test_fragments(
    messy_text: st.SearchStrategy[str], nltk_pipeline: ModuleType, nltk_words: Any, data: st.DataObject
) -> None:
    sentence = data.draw(messy_text)
    assert tokenize_sentence(sentence) == nltk_words.tokenize(sentence)


@given(data=st.data())
def test_any_unicode(
    wild_text: st.SearchStrategy[str], nltk_pipeline: ModuleType, nltk_words: Any, data: st.DataObject
) -> None:
    sentence = data.draw(wild_text)
    assert tokenize_sentence(sentence) == nltk_words.tokenize(sentence)
