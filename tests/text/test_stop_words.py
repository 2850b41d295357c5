"""Stop words of each language, from the list that it has."""

from __future__ import annotations

import sys

import pytest

from fairsum_utils.errors import MissingDependencyError
from fairsum_utils.text import languages
from fairsum_utils.text.languages import LANGUAGES
from fairsum_utils.text.stop_words import listed_stop_words, stop_words_of

LISTED = {language for language, _ in listed_stop_words()}


@pytest.mark.parametrize("language", sorted(LANGUAGES.keys() & LISTED))
def test_listed_ones_need_no_package(language: str) -> None:
    words, packages = stop_words_of(language)
    assert len(words) > 20
    assert packages == ()


@pytest.mark.parametrize(("language", "word"), [("hindi", "लेकिन"), ("japanese", "これ")])
def test_others_name_their_package(language: str, word: str) -> None:
    stopwordsiso = pytest.importorskip("stopwordsiso")
    words, packages = stop_words_of(language)
    assert word in words
    assert packages == (f"stopwordsiso {stopwordsiso.__version__}",)


def test_opinions_are_no_stop_words() -> None:
    assert not {"gut", "schlecht"} & stop_words_of("german")[0]


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "stopwordsiso", None)
    with pytest.raises(MissingDependencyError, match=r"know the stop words of Hindi.*\[languages\]"):
        stop_words_of("hindi")
    assert languages.needed("numpy", "count").startswith("numpy ")
