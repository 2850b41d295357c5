"""Names and texts in whole tokens."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.entities.tokens import (
    SUFFIXES,
    TITLES,
    core_tokens,
    fold,
    is_initial,
    name_tokens,
    split_words,
    text_tokens,
)


@pytest.mark.parametrize(
    ("name", "tokens"),
    [
        ("Melissa LEVIN", ["melissa", "levin"]),
        ("Mr. Levin's", ["mr", "levin"]),
        ("Levin’s", ["levin"]),
        ("LEVIN'S", ["levin"]),
        ("James'", ["james"]),
        ("Adler’", ["adler"]),
        ("J.R.R. Tolkien", ["j", "r", "r", "tolkien"]),
        ("Martin Luther King, Jr.", ["martin", "luther", "king", "jr"]),
        ("O'Adlersen", ["o'adlersen"]),
        ("O’Adlersen's", ["o'adlersen"]),
        ("D'Souza", ["d'souza"]),
        ("Smith-Jones", ["smith-jones"]),
        ("Smith‑Jones", ["smith-jones"]),  # a hyphen that does not break
        ("Smith – Jones", ["smith", "jones"]),
        ('‘Melissa’ "Mel" Levin', ["melissa", "mel", "levin"]),
        ("Weiß", ["weiss"]),
        ("Jose\u0301 Núñez", ["josé", "núñez"]),  # an accent as a character of its own
        ("İpek", ["ipek"]),  # lower case gives "i" and a dot above
        ("Иван Петров", ["иван", "петров"]),
        ("_Levin_ 2nd 007", ["levin", "2nd"]),
        ("", []),
        ("12 — ?", []),
    ],
)
def test_name_tokens(name: str, tokens: list[str]) -> None:
    assert name_tokens(name) == tuple(tokens)


def test_no_name_has_no_tokens() -> None:
    assert name_tokens(None) == ()


@pytest.mark.parametrize("title", ["Mr.", "Mrs", "Ms.", "Miss", "SIR", "Lady", "Dr.", "Prof.", "President", "Sen."])
def test_titles_with_and_without_period(title: str) -> None:
    assert set(name_tokens(title)) <= TITLES


@pytest.mark.parametrize("suffix", ["Jr.", "Sr", "II", "III", "IV"])
def test_suffixes(suffix: str) -> None:
    assert set(name_tokens(suffix)) <= SUFFIXES


@pytest.mark.parametrize(
    ("tokens", "core"),
    [
        (("prime", "minister", "ann", "lee"), ("ann", "lee")),
        (("stephen", "king"), ("stephen", "king")),  # a title stands before a name
        (("mr", "king"), ("king",)),
        (("lee", "jr"), ("lee",)),
        (("sir",), ("sir",)),
        (("iii",), ("iii",)),
        ((), ()),
    ],
)
def test_core_tokens(tokens: tuple[str, ...], core: tuple[str, ...]) -> None:
    assert core_tokens(tokens) == core


def test_initials() -> None:
    assert [token for token in ("j", "é", "jr", "1", "李", "") if is_initial(token)] == ["j", "é"]


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The Levin-led firm's U.S. arm.", {"the", "levin-led", "levin", "led", "firm", "u", "s", "arm"}),
        ("Lincoln (LI’s)", {"lincoln", "li"}),
        ("O’Adlersen, O'Adlersen and 'Adler'", {"o'adlersen", "and", "adler"}),
        ("she'll he'd I'm don't", {"she", "he", "i", "don't"}),
        ("Smith‐Jones's", {"smith-jones", "smith", "jones"}),
        ("", set()),
    ],
)
def test_text_tokens(text: str, tokens: set[str]) -> None:
    assert text_tokens(text) == tokens


@given(st.text())
def test_split_words_loses_nothing(text: str) -> None:
    pairs = split_words(text)
    assert "".join(word + after for word, after in pairs) == text
    assert pairs[0][0] == ""
    assert all(word for word, _ in pairs[1:])


name_like = st.text("aBé'’-. sSJjr", max_size=12)


@given(name_like)
def test_a_name_is_in_a_text_that_has_it(name: str) -> None:
    assert text_tokens(f"He met {name}, and").issuperset(name_tokens(name))


@given(name_like)
def test_writing_does_not_matter(name: str) -> None:
    tokens = name_tokens(name)
    assert name_tokens(name.upper()) == tokens
    assert name_tokens(unicodedata.normalize("NFD", name)) == tokens
    assert name_tokens(name.replace("’", "'")) == tokens
    assert name_tokens(" ".join(tokens)) == tokens
    assert all(fold(token) == token for token in tokens)
