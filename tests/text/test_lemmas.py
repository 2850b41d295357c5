"""Tag, lemma and stem of a single token against NLTK."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from fairsum_utils.text.lemmas import _table, porter_stem, stem

from ..conftest import LONG


@pytest.fixture(scope="module")
def nltk_stem() -> Callable[[str], str]:
    stemmer: Any = pytest.importorskip("nltk.stem").PorterStemmer()
    return stemmer.stem  # type: ignore[no-any-return]


def test_known_words() -> None:
    for word, expected in [
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
    ]:
        assert porter_stem(word) == expected


def test_short_and_odd_words(nltk_stem: Callable[[str], str]) -> None:
    for word in ["", "a", "S", "is", "İ", "ʼs", "'s", "n't", "123", "--", "日本", "y", "yy", "YES"]:
        assert porter_stem(word) == nltk_stem(word)


def test_wordnet_lemmas(oracle: Any, nltk_stem: Callable[[str], str]) -> None:
    lemmas = sorted(set().union(*oracle.lemmas.values()))
    sample = random.Random(0).sample(lemmas, 2_000)
    assert [word for word in sample if porter_stem(word) != nltk_stem(word)] == []


ENDINGS = "s es ies ing ed er est ss sss y men man ves xes zes ches shes 's ly ness 2"
# Suffixes are stripped again and again until a lemma is found.
REPEATED = (
    "yesss yessss dogsss missess bosssess glassesss ladiess womenss wolvess boxess catchess bestest fasterer fastestest"
    " runningss liedd tiessing churchess feeed yess asss sss ss s -s s-s 's ness"
)
MARKED = (
    "well-beings ex-wives twenty-fives -dogs dogs- a-s 2020s 2020 1990ss 42nds 3s 3.5s 1,000s 9/11s x-1s 20-somethings "
    "u.s. p.m. n't 's http://t.co/ab1s #dogs @yesss i̇s ß ﬁles 犬s"
)
LETTERS = "abcdefghijklmnopqrstuvwxyz" * 3 + "-0123456789'._é"


def differing(words: list[str], oracle: Any) -> list[tuple[str, str, str]]:
    """(word, ours, NLTK's) wherever they differ."""
    found = ((word, stem(word), oracle.stem(word)) for word in words)
    return [row for row in found if row[1] != row[2]]


def test_every_word_of_the_table(oracle: Any) -> None:
    words = list(_table())
    assert len(words) > 30_000
    assert differing(words[:: 1 if LONG else 32], oracle) == []


def test_the_table_holds_no_word_that_porter_would_do() -> None:
    assert [word for word, known in _table().items() if known == porter_stem(word)] == []


def test_random_words(oracle: Any) -> None:
    generator = random.Random(0)
    roots = sorted({lemma for lemma in set().union(*oracle.lemmas.values()) if lemma == lemma.lower()})
    table = sorted(_table())
    words = {*REPEATED.split(), *MARKED.split()}
    for _ in range(15_000 if LONG else 1_000):
        kind = generator.random()
        if kind < 0.3:
            word = generator.choice(table)
        elif kind < 0.6:
            word = generator.choice(roots)
        else:
            word = "".join(generator.choices(LETTERS, k=generator.randint(1, 9)))
        word += "".join(generator.choices(ENDINGS.split(), k=generator.randint(0, 4)))
        if generator.random() < 0.1:
            word = f"{generator.choice(roots)}-{word}"
        words.add(word)
    assert differing(sorted(words), oracle) == []
