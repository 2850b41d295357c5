"""Stop words of each language, from the list that it has."""

from __future__ import annotations

import pytest

from fairsum_utils.text.languages import LANGUAGES, foreign_language, listed_stop_words, stop_words_of

LISTED = {language for language, _ in listed_stop_words()}


def test_listed_ones_need_no_package() -> None:
    for language in sorted(LANGUAGES.keys() & LISTED):
        words, packages = stop_words_of(language)
        assert len(words) > 20
        assert packages == ()


@pytest.mark.parametrize(("language", "word"), [("hindi", "लेकिन"), ("japanese", "これ")])
def test_others_name_their_package(language: str, word: str) -> None:
    stopwordsiso = pytest.importorskip("stopwordsiso")
    words, packages = stop_words_of(language)
    assert word in words
    assert packages == (f"stopwordsiso {stopwordsiso.__version__}",)


def test_other_languages() -> None:
    for language, text in [
        ("German", "Der Mann hat gesagt, dass er nicht mit der Frau nach Hause gehen kann."),
        ("Italian", "La donna ha detto che non sapeva dove fossero i bambini della casa."),
        ("Russian", "Женщина сказала, что she не знает."),
        ("Chinese", "她昨天赢了比赛。"),
    ]:
        assert foreign_language(text) == language


def test_english_and_what_cannot_be_told() -> None:
    for text in [
        "",
        "Der",
        "Angela Merkel visited La Paz.",
        "A man will die in an hour, so I was in the war.",
        "Le Monde said that the president of France was not in Paris, and Der Spiegel said that he was.",
        'She read „Die Leiden des jungen Werthers“ and "Die Verwandlung" in the same week as her brother did.',
        "Beyoncé, Zoë and Łukasz sang naïve café songs.",
        "The word 她 means she.",
    ]:
        assert foreign_language(text) is None
