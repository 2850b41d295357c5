"""The published normalization against NLTK, token for token, on real and on hostile text."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairsum_utils.text import caching
from fairsum_utils.text.fairsumm import FairsummNormalizer
from fairsum_utils.text.lemmas import stem
from fairsum_utils.text.stop_words import published_stop_words


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", []),
        (" \n\t ", []),
        ("the and of || people ... .. !", []),
        ("The soups were COLD.", ["soup", "cold"]),
        ("Mice cried, mice CRIED", ["mous", "cri", "mous", "cri"]),
        # A period stays with a word inside a sentence and leaves it at the end of one.
        ("Closed at 5 p.m. today. Closed at 5 p.m.", ["close", "5", "p.m.", "today", "close", "5", "p.m"]),
    ],
)
def test_examples(text: str, tokens: list[str], oracle: Any) -> None:
    assert oracle.tokens(text) == tokens
    assert FairsummNormalizer().tokens(text) == tokens


def test_stop_words_are_nltks(oracle: Any) -> None:
    assert published_stop_words() == oracle.stop_words


def test_lists_that_run_into_each_other() -> None:
    # The last line of the Indonesian list is "yang", without a line break; the first of the Italian one is "ad".
    assert {"yangad", "a", "ad", "the"} <= published_stop_words()
    assert "yang" not in published_stop_words()
    assert FairsummNormalizer().tokens("Yin and yang") == ["yin", "yang"]


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
    assert len(distinct) > 28_000
    assert total > 840_000


@settings(max_examples=500)
@given(data=st.data())
def test_fragments(messy_text: st.SearchStrategy[str], oracle: Any, data: st.DataObject) -> None:
    text = data.draw(messy_text)
    assert FairsummNormalizer().tokens(text) == oracle.tokens(text)


@example(text="i̇. i̇!")
@example(text="\x1c.\x1f")
@given(text=st.text(max_size=40))
def test_any_unicode(text: str, oracle: Any) -> None:
    assert FairsummNormalizer().tokens(text) == oracle.tokens(text)


@settings(max_examples=300)
@given(data=st.data())
def test_what_was_seen_before_does_not_matter(messy_text: st.SearchStrategy[str], data: st.DataObject) -> None:
    first, second = data.draw(messy_text), data.draw(messy_text)
    used = FairsummNormalizer()
    used.tokens(first)
    assert used.tokens(second) == FairsummNormalizer().tokens(second)


@pytest.mark.parametrize("size", [1, 2, 7])
def test_a_full_cache_starts_afresh(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = random.Random(0)
    fragments = "dogs. Dr. Who p.m. cannot (well) 'no' went, \"really?\" U.S. yesss || end.' a.b. ..."
    texts = [" ".join(generator.choices(fragments.split(), k=12)) for _ in range(50)]
    expected = [FairsummNormalizer().tokens(text) for text in texts]
    monkeypatch.setattr(caching, "_SIZE", size)
    normalizer = FairsummNormalizer()
    assert [normalizer.tokens(text) for text in texts] == expected
    for cache in (normalizer._stems, normalizer._words, normalizer._pairs):
        assert 0 < len(cache) <= size


def test_tokens_are_a_new_list_each_time() -> None:
    normalizer = FairsummNormalizer()
    normalizer.tokens("tasty soup").clear()
    assert normalizer.tokens("tasty soup") == ["tasti", "soup"]
