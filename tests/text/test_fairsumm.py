"""The published normalization against NLTK, on real and hostile text."""

from __future__ import annotations

from typing import Any

import pytest

from fairsum_utils.text.fairsumm import FairsummNormalizer
from fairsum_utils.text.languages import published_stop_words
from fairsum_utils.text.lemmas import stem
from fairsum_utils.text.nltk_reference import NltkNormalizer

from ..conftest import LONG


def test_examples(oracle: Any, through_nltk: NltkNormalizer) -> None:
    for text, tokens in [
        ("", []),
        (" \n\t ", []),
        ("the and of || people ... .. !", []),
        ("The soups were COLD.", ["soup", "cold"]),
        # mice: a noun, lemma mouse; cried: a verb, lemma cry; Porter's stems of both.
        ("Mice cried, mice CRIED", ["mous", "cri", "mous", "cri"]),
        # A period stays with a word inside a sentence and leaves it at the end of one.
        ("Closed at 5 p.m. today. Closed at 5 p.m.", ["close", "5", "p.m.", "today", "close", "5", "p.m"]),
        # NLTK reads its lists as one text, in which the Indonesian "yang" runs into the Italian "ad".
        ("Yin and yang", ["yin", "yang"]),
    ]:
        assert oracle.tokens(text) == through_nltk.tokens(text) == FairsummNormalizer().tokens(text) == tokens
    assert {"yangad", "a", "ad", "the"} <= published_stop_words()


@pytest.mark.slow
def test_every_real_text(real_words: list[tuple[str, list[str]]], oracle: Any) -> None:
    normalizer = FairsummNormalizer()
    total, distinct, wrong = 0, set(), []
    for text, words in real_words:
        total += len(words)
        distinct.update(words)
        if normalizer.tokens(text) != [oracle.stem(word) for word in words if word not in oracle.stop_words]:
            wrong.append(text)
    differ = [word for word in distinct if stem(word) != oracle.stem(word)]
    print(f"{len(distinct):,} distinct tokens compared over {total:,}, {len(differ)} differ")
    assert differ == []
    assert wrong == []
    assert len(distinct) > (28_000 if LONG else 5_000)
    assert total > (840_000 if LONG else 50_000)
