"""Normalizers: text to the content tokens that the n-gram measures count."""

from __future__ import annotations

import re
from functools import cache
from typing import Protocol

from fairsum_utils.errors import InputError
from fairsum_utils.resources import read_lines
from fairsum_utils.text.fairsumm import FairsummNormalizer
from fairsum_utils.text.porter import porter_stem

__all__ = ["NORMALIZERS", "Normalizer", "SimpleNormalizer", "get_normalizer"]

NORMALIZERS = ("fairsumm", "simple")


class Normalizer(Protocol):
    """Anything that turns text into the tokens to count."""

    signature: str
    """What identifies the normalizer in a result's signature, such as ``norm:fairsumm``."""

    def tokens(self, text: str) -> list[str]:
        """The normalized tokens of `text`, in order."""
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

        stop_words: dict[str, set[str]] = {}
        for line in read_lines("stopwords.txt.gz"):
            name, _, word = line.partition("\t")
            stop_words.setdefault(name, set()).add(word.strip())
        languages = sorted(stop_words.keys() & set(snowballstemmer.algorithms()))
        if language not in languages:
            raise InputError(
                f"normalizer 'simple': no stemmer and stop words for language {language!r}; "
                f"choose one of {', '.join(languages)}"
            )
        self.signature = f"norm:simple|lang:{language}"
        self._stop_words = stop_words[language]
        self._stem = porter_stem if language == "english" else snowballstemmer.stemmer(language).stemWord
        self._word = re.compile(r"\w+")

    def tokens(self, text: str) -> list[str]:
        """The normalized tokens of `text`, in order."""
        return [self._stem(word) for word in self._word.findall(text.lower()) if word not in self._stop_words]


@cache
def get_normalizer(name: str = "fairsumm", language: str = "english") -> Normalizer:
    """A normalizer by name; one instance per process, so that its word cache is shared.

    Args:
        name: ``"fairsumm"`` (the published pipeline, English) or ``"simple"`` (any Snowball language).
        language: for ``"simple"``.

    Raises:
        InputError: an unknown name, or a language that the normalizer does not know.

    Example:
        >>> get_normalizer("fairsumm").tokens("The waitresses were friendlier than people said!")
        ['waitress', 'friendlier']
    """
    if name == "simple":
        return SimpleNormalizer(language)
    if name != "fairsumm":
        raise InputError(f"unknown normalizer {name!r}; choose one of {', '.join(NORMALIZERS)}")
    if language != "english":
        raise InputError(
            f"normalizer 'fairsumm' is English only, got language={language!r}; use normalizer='simple' instead"
        )
    return FairsummNormalizer()
