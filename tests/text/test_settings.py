"""The settings of counting words: the same names as the normalizers', and refused where there is none."""

from __future__ import annotations

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.text.normalize import get_normalizer
from fairsum_utils.text.settings import NORMALIZERS, TextSettings


@pytest.mark.parametrize("name", NORMALIZERS)
def test_every_normalizer_can_be_had(name: str, request: pytest.FixtureRequest) -> None:
    if name == "nltk":
        request.getfixturevalue("nltk_data")
    assert get_normalizer(TextSettings(normalizer=name)).signature.startswith(f"norm:{name}")


@pytest.mark.parametrize(("language", "chosen"), [("english", "fairsumm"), ("en", "fairsumm"), ("Hindi", "simple")])
def test_the_language_alone_is_enough(language: str, chosen: str) -> None:
    assert TextSettings(language=language).chosen_normalizer == chosen


@pytest.mark.parametrize("name", ["porter", ["fairsumm"]])
def test_an_unknown_normalizer(name: object) -> None:
    with pytest.raises(InputError, match="bur: normalizer must be one of fairsumm, simple, nltk, found "):
        TextSettings(normalizer=name, module="bur")


def test_what_a_signature_says() -> None:
    assert [info.key for info in TextSettings.infos().values()] == ["norm", "lang"]
