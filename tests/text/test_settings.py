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
    settings = TextSettings(normalizer=name)
    assert get_normalizer(settings.normalizer, settings.language).signature.startswith(f"norm:{name}")


def test_an_unknown_normalizer() -> None:
    with pytest.raises(InputError, match="bur: normalizer must be one of fairsumm, simple, nltk, found str 'porter'"):
        TextSettings(normalizer="porter", module="bur")


def test_what_a_signature_says() -> None:
    assert [info.key for info in TextSettings.infos().values()] == ["norm", "lang"]
