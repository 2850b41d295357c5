"""The Porter stemmer against NLTK's."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.text.porter import porter_stem

SUFFIXES = (
    "s es ies sses ss ed eed ing ied y e l ll ational tional enci anci izer bli alli entli eli ousli ization ation "
    "ator alism iveness fulness ousness aliti iviti biliti fulli logi icate ative alize iciti ical ful ness al ance "
    "ence er ic able ible ant ement ment ent ion sion tion ou ism ate iti ous ive ize"
)


@pytest.fixture(scope="module")
def nltk_stem() -> Callable[[str], str]:
    stemmer: Any = pytest.importorskip("nltk.stem").PorterStemmer()
    return stemmer.stem  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        # Step by step in Porter's 1980 paper.
        ("caresses", "caress"),
        ("ponies", "poni"),
        ("cats", "cat"),
        ("agreed", "agre"),
        ("plastered", "plaster"),
        ("bled", "bled"),
        ("conflated", "conflat"),
        ("hopping", "hop"),
        ("falling", "fall"),
        ("filing", "file"),
        ("relational", "relat"),
        ("conditional", "condit"),
        ("vietnamization", "vietnam"),
        ("triplicate", "triplic"),
        ("hopefulness", "hope"),
        ("adjustable", "adjust"),
        ("adoption", "adopt"),
        ("probate", "probat"),
        ("controlling", "control"),
        # NLTK's extensions: exceptions, short words, "ied", "y" after a consonant only.
        ("dying", "die"),
        ("news", "news"),
        ("died", "die"),
        ("spied", "spi"),
        ("flies", "fli"),
        ("dies", "die"),
        ("by", "by"),
        ("enjoy", "enjoy"),
        ("happy", "happi"),
    ],
)
def test_known_words(word: str, stem: str) -> None:
    assert porter_stem(word) == stem


@pytest.mark.parametrize("word", ["", "a", "S", "is", "İ", "ʼs", "'s", "n't", "123", "--", "日本", "y", "yy", "YES"])
def test_short_and_odd_words(word: str, nltk_stem: Callable[[str], str]) -> None:
    assert porter_stem(word) == nltk_stem(word)


def test_wordnet_lemmas(oracle: Any, nltk_stem: Callable[[str], str]) -> None:
    lemmas = sorted(set().union(*oracle.lemmas.values()))
    sample = random.Random(0).sample(lemmas, 20_000)
    assert [word for word in sample if porter_stem(word) != nltk_stem(word)] == []


def test_random_stacks_of_suffixes(nltk_stem: Callable[[str], str]) -> None:
    generator = random.Random(0)
    words = set()
    for _ in range(30_000):
        root = "".join(generator.choices("abcdefghijklmnopqrstuvwxyzyyee'-", k=generator.randint(0, 6)))
        words.add(root + "".join(generator.choices(SUFFIXES.split(), k=generator.randint(0, 3))))
    assert sorted(word for word in words if porter_stem(word) != nltk_stem(word)) == []


@given(word=st.text(max_size=12))
def test_any_string(word: str, nltk_stem: Callable[[str], str]) -> None:
    assert porter_stem(word) == nltk_stem(word)
    assert bool(porter_stem(word)) == bool(word)
