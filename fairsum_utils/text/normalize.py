"""Normalizers: text to the content tokens that the n-gram measures count."""

from __future__ import annotations

import re
from functools import cache
from typing import Protocol

from fairsum_utils.errors import InputError
from fairsum_utils.text.fairsumm import FairsummNormalizer, listed_stop_words
from fairsum_utils.text.nltk_reference import NltkNormalizer
from fairsum_utils.text.porter import porter_stem
from fairsum_utils.text.settings import NORMALIZERS
from fairsum_utils.validation import check_choice, describe

__all__ = ["NORMALIZERS", "Normalizer", "SimpleNormalizer", "get_normalizer"]


@cache
def _stop_words() -> dict[str, set[str]]:
    by_language: dict[str, set[str]] = {}
    for language, word in listed_stop_words():
        by_language.setdefault(language, set()).add(word.strip())
    return by_language


@cache
def _languages() -> tuple[str, ...]:
    """Languages with both a stemmer and stop words."""
    import snowballstemmer

    return tuple(sorted(_stop_words().keys() & set(snowballstemmer.algorithms())))


class Normalizer(Protocol):
    """Anything that turns text into the tokens to count."""

    signature: str
    """What identifies the normalizer in a result's signature, such as ``norm:fairsumm``."""

    def tokens(self, text: str) -> list[str]:
        """The normalized tokens of `text`, in order."""
        ...

    def counted(self, text: str) -> tuple[list[str], int]:
        """The tokens of `text`, and of how many words: the rest are stop words and marks."""
        ...


class SimpleNormalizer:
    """Lower-case Unicode word tokens without stop words, stemmed; for any language with a Snowball stemmer.

    English uses Porter's stemmer, other languages Snowball's; stop words are those of the language.

    Args:
        language: English name of the language, lower-case.

    Raises:
        InputError: no stemmer or no stop-word list for the language.

    Example:
        >>> SimpleNormalizer("german").tokens("Die Häuser waren schön, das Haus auch.")
        ['haus', 'schon', 'haus']
    """

    def __init__(self, language: str = "english") -> None:
        import snowballstemmer

        check_choice("normalizer 'simple'", "language", language, _languages())
        self.signature = f"norm:simple|lang:{language}"
        self._stop_words = _stop_words()[language]
        self._stem = porter_stem if language == "english" else snowballstemmer.stemmer(language).stemWord
        self._word = re.compile(r"\w+")

    def tokens(self, text: str) -> list[str]:
        """The normalized tokens of `text`, in order."""
        return self.counted(text)[0]

    def counted(self, text: str) -> tuple[list[str], int]:
        """The tokens of `text`, and of how many words: the rest are stop words."""
        words = self._word.findall(text.lower())
        return [self._stem(word) for word in words if word not in self._stop_words], len(words)


def get_normalizer(name: str = "fairsumm", language: str = "english", *, module: str = "normalizer") -> Normalizer:
    """A normalizer by name; one instance per process, so that its word cache is shared.

    Args:
        name: ``"fairsumm"`` (the published pipeline, English), ``"simple"`` (any Snowball language) or ``"nltk"`` (the
            published pipeline through NLTK itself, which needs NLTK and its data).
        language: for ``"simple"``.
        module: name used in messages.

    Raises:
        InputError: an unknown name, or a language that the normalizer does not know.
        MissingDependencyError: NLTK is not installed, for ``"nltk"``.
        DataSourceError: data of NLTK is not there, for ``"nltk"``.

    Example:
        >>> get_normalizer("fairsumm").tokens("The waitresses were friendlier than people said!")
        ['waitress', 'friendlier']
    """
    check_choice(module, "normalizer", name, NORMALIZERS)
    if name != "simple":
        if language != "english":
            raise InputError(
                f"{module}: normalizer {name!r} is English only, found language {describe(language)}; "
                "use normalizer='simple'"
            )
        return _fairsumm() if name == "fairsumm" else _nltk(module)
    return _simple(check_choice(module, "language", language, _languages()))


@cache
def _fairsumm() -> FairsummNormalizer:
    return FairsummNormalizer()


@cache
def _nltk(module: str) -> NltkNormalizer:
    return NltkNormalizer(module=module)


@cache
def _simple(language: str) -> SimpleNormalizer:
    return SimpleNormalizer(language)
