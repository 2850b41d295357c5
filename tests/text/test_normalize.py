"""Normalizers by what settings choose."""

from __future__ import annotations

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.text.fairsumm import FairsummNormalizer
from fairsum_utils.text.normalize import get_normalizer
from fairsum_utils.text.settings import TextSettings
from fairsum_utils.text.simple import SimpleNormalizer


def test_the_published_one_for_english() -> None:
    assert isinstance(get_normalizer(), FairsummNormalizer)
    assert get_normalizer().signature == "norm:fairsumm"


@pytest.mark.parametrize("settings", [{"language": "de"}, {"language": "German"}, {"normalizer": "simple"}])
def test_the_simple_one_for_others(settings: dict[str, str]) -> None:
    assert isinstance(get_normalizer(TextSettings(**settings)), SimpleNormalizer)


def test_a_normalizer_of_another_language() -> None:
    settings = TextSettings(normalizer="fairsumm", language="german", module="bur")
    message = "bur: normalizer 'fairsumm' is English only, found language str 'german'; leave the normalizer out, or "
    with pytest.raises(InputError, match=message):
        get_normalizer(settings)


def test_one_instance_however_it_is_asked_for() -> None:
    assert get_normalizer() is get_normalizer(TextSettings(normalizer="fairsumm", language="EN"))
    german = get_normalizer(TextSettings(language="de"))
    assert german is get_normalizer(TextSettings(normalizer="simple", language="german"))
