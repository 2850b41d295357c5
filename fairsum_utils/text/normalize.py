"""Normalizers: text to the content tokens that the n-gram measures count.

`get_normalizer` chooses one: `fairsumm` (the default for English), `nltk_reference`, or `SimpleNormalizer` here, for
all languages. Each drops stop words itself; `languages` has their lists.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from typing import Any, Protocol, TypeAlias

from fairsum_utils.errors import InputError
from fairsum_utils.text.caching import BoundedCache
from fairsum_utils.text.fairsumm import FairsummNormalizer
from fairsum_utils.text.languages import UNSPACED, check_language, fold, marks, stop_words_of
from fairsum_utils.text.lemmas import porter_stem
from fairsum_utils.text.locations import Located, folded_origins, located_in
from fairsum_utils.text.nltk_reference import NltkNormalizer
from fairsum_utils.text.splitting import chinese_pieces, japanese_morphemes, packages_of
from fairsum_utils.validation import describe

_ASCII_RUN = re.compile(r"\w+", re.ASCII)


class SimpleNormalizer:
    """Lower-case words without stop words, stemmed.

    English uses Porter's stemmer, other languages Snowball's. Chinese has no stems, and Japanese words become their
    dictionary forms. Stop words are those of the language.

    Example:
        >>> SimpleNormalizer("de").tokens("Die Häuser waren schön, das Haus auch.")
        ['haus', 'schon', 'haus']
    """

    def __init__(self, language: str = "english") -> None:
        self.language = check_language("normalizer 'simple'", "language", language)
        stop_words, packages = stop_words_of(self.language)
        reader = _Unspaced if self.language in UNSPACED else _Spaced
        self._reader = reader(self.language, stop_words)
        used = ", ".join([*self._reader.packages, *packages])
        self.signature = f"norm:simple|lang:{self.language}{f'({used})' if used else ''}"

    def tokens(self, text: str) -> list[str]:
        """Return the normalized tokens of `text`, in order, in linear time."""
        return self.counted(text)[0]

    def counted(self, text: str) -> tuple[list[str], list[str]]:
        """Return the tokens of `text`, and all words, including stop words.

        Example:
            >>> SimpleNormalizer("english").counted("The soup was cold.")
            (['soup', 'cold'], ['the', 'soup', 'was', 'cold'])
        """
        return self._reader.counted(fold(text, self.language))

    def located(self, text: str) -> list[Located]:
        """Return the tokens of `text` with their spans.

        Example:
            >>> SimpleNormalizer("de").located("Die Häuser")
            [Located(token='haus', start=4, end=10)]
        """
        return located_in(self._reader.located(fold(text, self.language)), folded_origins(text, self.language))


class _Spaced:
    """Words between spaces, stemmed."""

    def __init__(self, language: str, stop_words: frozenset[str]) -> None:
        self._stop_words, self.packages = stop_words, packages_of(language)
        stem: Callable[[str], str] = porter_stem
        if language != "english":
            from importlib.metadata import version  # slow to import

            # The stemmer of snowballstemmer itself: its dispatcher prefers an installed PyStemmer, whose version may
            # differ.
            module = import_module(f"snowballstemmer.{language}_stemmer")
            stem = getattr(module, f"{language.title()}Stemmer")().stemWord
            self.packages = (f"snowballstemmer {version('snowballstemmer')}",)
        self._stems: BoundedCache[str, str] = BoundedCache(stem)

    def counted(self, text: str) -> tuple[list[str], list[str]]:
        words = _word_in(text).findall(text)
        stop_words, stems = self._stop_words, self._stems
        return [stems[word] for word in words if word not in stop_words], words

    def located(self, text: str) -> Iterator[tuple[str, int, int]]:
        for match in _word_in(text).finditer(text):
            if match[0] not in self._stop_words:
                yield self._stems[match[0]], *match.span()


# A piece as written, its token or None, and True for a word.
_Piece: TypeAlias = tuple[str, str | None, bool]


class _Unspaced:
    """A segmenter cuts the text into pieces, which together are the text."""

    def __init__(self, language: str, stop_words: frozenset[str]) -> None:
        self._stop_words, self.packages = stop_words, packages_of(language)
        self._pieces = _chinese if language == "chinese" else _japanese

    def counted(self, text: str) -> tuple[list[str], list[str]]:
        pieces = list(self._pieces(text, self._stop_words))
        tokens = [token for _, token, _ in pieces if token is not None]
        return tokens, [piece for piece, _, is_word in pieces if is_word]

    def located(self, text: str) -> Iterator[tuple[str, int, int]]:
        end = 0
        for piece, token, _ in self._pieces(text, self._stop_words):
            start, end = end, end + len(piece)
            if token is not None:
                yield token, start, end


def _chinese(text: str, stop_words: frozenset[str]) -> Iterator[_Piece]:
    for piece in chinese_pieces(text):
        is_word = any(map(str.isalnum, piece))
        yield piece, piece if is_word and piece not in stop_words else None, is_word


def _japanese(text: str, stop_words: frozenset[str]) -> Iterator[_Piece]:
    for word in japanese_morphemes(text):
        counts = word.is_word and not word.is_function and word.lemma not in stop_words
        yield word.surface, word.form if counts else None, word.is_word


def _word_in(text: str) -> re.Pattern[str]:
    return _ASCII_RUN if text.isascii() else _any_run()


@cache
def _any_run() -> re.Pattern[str]:
    """Compile a pattern of letters and digits with their marks."""
    return re.compile(rf"\w+(?:[{marks()}]+\w*)*")


class Normalizer(Protocol):
    """Anything that turns text into the tokens to count."""

    #: Name of the normalizer in a signature, such as ``norm:fairsumm``.
    signature: str

    def __hash__(self) -> int:
        """Hash by identity."""
        ...

    def tokens(self, text: str) -> list[str]:
        """Return the normalized tokens of `text`, in order."""
        ...

    def counted(self, text: str) -> tuple[list[str], list[str]]:
        """Return the tokens, and all words in lower case, stop words and marks included."""
        ...

    def located(self, text: str) -> list[Located]:
        """Return the tokens with their spans in `text`; slower, for display."""
        ...


def get_normalizer(settings: Any = None) -> Normalizer:
    """Return the normalizer for `TextSettings`, one instance and word cache per process.

    Example:
        >>> get_normalizer().tokens("The waitresses were friendlier than people said!")
        ['waitress', 'friendlier']
        >>> from fairsum_utils.settings import TextSettings
        >>> get_normalizer(TextSettings(language="fr")).tokens("Les serveuses étaient aimables !")
        ['serveux', 'aimabl']
    """
    if settings is None:
        return _kept(FairsummNormalizer)
    if settings.chosen_normalizer == "simple":
        return _kept(SimpleNormalizer, settings.language)
    if settings.language != "english":
        raise InputError(
            f"{settings.module}: normalizer {settings.normalizer!r} supports English only, found language "
            f"{describe(settings.language)}; leave the normalizer out, or choose normalizer='simple'"
        )
    return _kept(NltkNormalizer, settings.module) if settings.normalizer == "nltk" else _kept(FairsummNormalizer)


@cache
def _kept(make: Callable[..., Normalizer], *arguments: str) -> Normalizer:
    return make(*arguments)
