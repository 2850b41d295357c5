"""Normalizers: text to the content tokens that the n-gram measures count."""

from __future__ import annotations

from functools import cache
from typing import Protocol

from fairsum_utils.errors import InputError
from fairsum_utils.text.fairsumm import FairsummNormalizer
from fairsum_utils.text.locations import Located
from fairsum_utils.text.nltk_reference import NltkNormalizer
from fairsum_utils.text.settings import TextSettings
from fairsum_utils.text.simple import SimpleNormalizer
from fairsum_utils.validation import describe


class Normalizer(Protocol):
    """Anything that turns text into the tokens to count."""

    signature: str
    """What identifies the normalizer in a result's signature, such as ``norm:fairsumm``."""

    def __hash__(self) -> int:
        """Each is itself alone."""
        ...

    def tokens(self, text: str) -> list[str]:
        """The normalized tokens of `text`, in order."""
        ...

    def counted(self, text: str) -> tuple[list[str], int]:
        """The tokens of `text`, and of how many words: the rest are stop words and marks."""
        ...

    def located(self, text: str) -> list[Located]:
        """The same tokens, each with the stretch of `text` that it was read from; slower, for people to look at."""
        ...


def get_normalizer(settings: TextSettings | None = None) -> Normalizer:
    """The normalizer that settings choose; one instance per process, so that its word cache is shared.

    Args:
        settings: of the texts; None for English as published.

    Raises:
        InputError: a normalizer that does not know the language.
        MissingDependencyError: a language whose packages are not installed, or NLTK for ``"nltk"``.
        DataSourceError: data of NLTK is not there, for ``"nltk"``.

    Example:
        >>> get_normalizer().tokens("The waitresses were friendlier than people said!")
        ['waitress', 'friendlier']
        >>> get_normalizer(TextSettings(language="fr")).tokens("Les serveuses étaient aimables !")
        ['serveux', 'aimabl']
    """
    settings = settings or TextSettings()
    if settings.chosen_normalizer == "simple":
        return _simple(settings.language)
    if settings.language != "english":
        raise InputError(
            f"{settings.module}: normalizer {settings.normalizer!r} is English only, found language "
            f"{describe(settings.language)}; leave the normalizer out, or choose normalizer='simple'"
        )
    return _nltk(settings.module) if settings.normalizer == "nltk" else _fairsumm()


@cache
def _fairsumm() -> FairsummNormalizer:
    return FairsummNormalizer()


@cache
def _nltk(module: str) -> NltkNormalizer:
    return NltkNormalizer(module=module)


@cache
def _simple(language: str) -> SimpleNormalizer:
    return SimpleNormalizer(language)
