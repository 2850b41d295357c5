"""Normalizers by what settings choose."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.errors import InputError, MissingDependencyError
from fairsum_utils.settings import TextSettings
from fairsum_utils.text.languages import LANGUAGES, stop_words_of
from fairsum_utils.text.normalize import SimpleNormalizer, get_normalizer

GOLDENS = json.loads(Path(__file__).with_name("golden_languages.json").read_text(encoding="utf-8"))
NEEDS = {"zh": "rjieba", "ja": "sudachidict_core", "hi": "stopwordsiso"}
SPACED = sorted(LANGUAGES.keys() - {"chinese", "japanese", "hindi"})


@pytest.mark.parametrize("code", GOLDENS)
def test_goldens(code: str) -> None:
    """Ten texts per language: words and stemmed tokens without stop words, by other tools."""
    if code in NEEDS:
        pytest.importorskip(NEEDS[code])
    normalizer = SimpleNormalizer(code)
    space = "" if code in ("zh", "ja") else " "
    texts: list[dict[str, Any]] = GOLDENS[code]["texts"]
    assert len(texts) == 10
    for text in texts:
        whole = space.join(text["sentences"])
        tokens, words = normalizer.counted(whole)
        assert (tokens, len(words)) == (text["tokens"], len(text["words"]))
        assert normalizer.tokens(whole) == text["tokens"]


def test_worked_examples() -> None:
    for language, text, tokens in [
        ("english", "The soups weren't COLD, 2 were!", ["soup", "cold", "2"]),
        ("english", "CAFE\N{COMBINING ACUTE ACCENT} café", ["café", "café"]),
        ("german", "Die Häuser waren schön, das Haus auch.", ["haus", "schon", "haus"]),
        ("french", "Les chevaux étaient dans les maisons.", ["cheval", "maison"]),
        ("spanish", "¡Las casas eran bonitas!", ["cas", "bonit"]),
        ("russian", "Мы были в домах, ещё в ДОМЕ", ["дом", "дом"]),
        # "I" with a dot becomes two characters in lower case, which are one letter.
        ("turkish", "İzmir", ["i\N{COMBINING DOT ABOVE}zmir"]),
    ]:
        assert SimpleNormalizer(language).tokens(text) == tokens


def test_every_language_drops_its_own_stop_words() -> None:
    for language in SPACED:
        normalizer = SimpleNormalizer(language)
        plain = [word for word in stop_words_of(language)[0] if word.isalnum()]
        tokens, words = normalizer.counted(" ".join(plain))
        assert (tokens, len(words)) == ([], len(plain))
        assert normalizer.tokens("") == []
        assert len(normalizer.tokens("zzxxq zzxxw")) == 2


def test_signatures_name_packages_with_their_versions() -> None:
    snowball = version("snowballstemmer")
    assert SimpleNormalizer("english").signature == "norm:simple|lang:english"
    assert SimpleNormalizer("de").signature == f"norm:simple|lang:german(snowballstemmer {snowball})"


@pytest.mark.parametrize(("code", "packages"), [("zh", ["rjieba"]), ("ja", ["sudachipy", "sudachidict_core"])])
def test_segmenters_are_in_the_signature(code: str, packages: list[str]) -> None:
    for package in packages:
        pytest.importorskip(package)
    assert all(f"{package} " in SimpleNormalizer(code).signature for package in packages)


@pytest.mark.parametrize(
    ("language", "package"),
    [("hindi", "stopwordsiso"), ("chinese", "rjieba"), ("japanese", "sudachipy"), ("japanese", "sudachidict_core")],
)
def test_what_is_missing_is_named(language: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(MissingDependencyError, match=rf"{package} is needed .*\[languages\]"):
        SimpleNormalizer(language)


def test_no_language() -> None:
    with pytest.raises(InputError, match="normalizer 'simple': language must be one of arabic"):
        SimpleNormalizer("klingon")


def test_a_normalizer_of_another_language() -> None:
    settings = TextSettings(normalizer="fairsumm", language="german", module="bur")
    message = (
        "bur: normalizer 'fairsumm' supports English only, found language str 'german'; leave the normalizer out, or "
    )
    with pytest.raises(InputError, match=message):
        get_normalizer(settings)
