"""Segmenters: pieces that together are the text, however long it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.text.segmenters import chinese_pieces, japanese_morphemes, packages_of, pieces_of

TEXT = st.text("汤很好喝服务员すしはうまい。！? \nab1😀", max_size=60)


@given(text=TEXT)
@pytest.mark.parametrize(("language", "package"), [("chinese", "rjieba"), ("japanese", "sudachidict_core")])
def test_pieces_are_the_text(language: str, package: str, text: str) -> None:
    pytest.importorskip(package)
    assert "".join(pieces_of(language)(text)) == text


def test_chinese() -> None:
    pytest.importorskip("rjieba")
    assert chinese_pieces("价格是3.5元") == ["价格", "是", "3.5", "元"]


def test_japanese() -> None:
    pytest.importorskip("sudachidict_core")
    eaten = list(japanese_morphemes("寿司を食べた。"))
    assert [morpheme.lemma for morpheme in eaten] == ["寿司", "を", "食べる", "た", "。"]
    assert [morpheme.is_function for morpheme in eaten] == [False, True, False, True, False]
    assert [morpheme.is_word for morpheme in eaten] == [True, True, True, True, False]


@pytest.mark.parametrize("sentence", ["寿司を食べた。", "寿司", "😀"])
def test_longer_than_the_tokenizer_takes(sentence: str) -> None:
    pytest.importorskip("sudachidict_core")
    text = sentence * (60_000 // len(sentence))
    assert "".join(morpheme.surface for morpheme in japanese_morphemes(text)) == text


def test_spaces_need_no_package() -> None:
    assert packages_of("russian") == ()
