"""Normalizers by name, and the simple one for other languages."""

from __future__ import annotations

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.resources import read_lines
from fairsum_utils.text.fairsumm import FairsummNormalizer
from fairsum_utils.text.normalize import SimpleNormalizer, get_normalizer

LANGUAGES = (
    "arabic basque catalan danish dutch english finnish french german greek hungarian indonesian italian nepali "
    "norwegian portuguese romanian russian spanish swedish turkish"
)


@pytest.mark.parametrize(
    ("language", "text", "tokens"),
    [
        ("english", "The soups weren't COLD, 2 were!", ["soup", "cold", "2"]),
        ("german", "Die Häuser waren schön, das Haus auch.", ["haus", "schon", "haus"]),
        ("french", "Les chevaux étaient dans les maisons.", ["cheval", "maison"]),
        ("spanish", "¡Las casas eran bonitas!", ["cas", "bonit"]),
        ("russian", "Мы были в домах", ["дом"]),
    ],
)
def test_worked_examples(language: str, text: str, tokens: list[str]) -> None:
    assert SimpleNormalizer(language).tokens(text) == tokens


@pytest.mark.parametrize("language", LANGUAGES.split())
def test_every_language_drops_its_own_stop_words(language: str) -> None:
    normalizer = SimpleNormalizer(language)
    assert normalizer.signature == f"norm:simple|lang:{language}"
    own = [
        word for name, _, word in (line.partition("\t") for line in read_lines("stopwords.txt.gz")) if name == language
    ]
    plain = [word.strip() for word in own if word.strip().isalnum() and word.strip() == word.strip().lower()]
    assert len(plain) > 20
    assert normalizer.tokens(" ".join(plain)) == []
    assert normalizer.tokens("") == []
    assert len(normalizer.tokens("zzxxq zzxxw")) == 2


def test_by_name() -> None:
    assert isinstance(get_normalizer(), FairsummNormalizer)
    assert get_normalizer() is get_normalizer()
    assert get_normalizer("fairsumm").signature == "norm:fairsumm"
    assert get_normalizer("simple", "german").tokens("Häuser") == ["haus"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("porter",), "normalizer must be one of fairsumm, simple, nltk, found str 'porter'"),
        ((None,), "normalizer must be one of fairsumm, simple, nltk, found None"),
        (
            ("fairsumm", "german"),
            "normalizer 'fairsumm' is English only, found language str 'german'; use normalizer='simple'",
        ),
        (("simple", "klingon"), "language must be one of arabic, basque"),
        (("simple", "English"), "found str 'English'"),
    ],
)
def test_refused(arguments: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError) as error:
        get_normalizer(*arguments)
    assert message in str(error.value)


@pytest.mark.parametrize("arguments", [(["fairsumm"],), ("simple", ["german"])])
def test_an_unhashable_name_is_refused_like_any_other(arguments: tuple[str, ...]) -> None:
    with pytest.raises(InputError):
        get_normalizer(*arguments)


def test_one_instance_however_it_is_asked_for() -> None:
    assert get_normalizer() is get_normalizer("fairsumm") is get_normalizer("fairsumm", "english")
