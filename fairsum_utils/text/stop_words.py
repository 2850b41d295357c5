"""Stop words: the published code's, and those of each language."""

from __future__ import annotations

import string
from collections.abc import Iterator
from functools import cache

from fairsum_utils.errors import require
from fairsum_utils.resources import read_lines
from fairsum_utils.text.languages import LANGUAGES, fold, needed

__all__ = ["listed_stop_words", "published_stop_words", "stop_words_of"]


def listed_stop_words() -> Iterator[tuple[str, str]]:
    """Language and word, as NLTK lists them: a few words end in white space, and so match no token there either."""
    for line in read_lines("stopwords.txt.gz"):
        language, _, word = line.partition("\t")
        yield language, word


@cache
def published_stop_words() -> frozenset[str]:
    """Punctuation, the stop words of all NLTK languages, and the published code's own additions."""
    listed = (word for _, word in listed_stop_words())
    return frozenset([*string.punctuation, *listed, "||", "people", "''", "``", "...", ".."])


@cache
def _listed() -> dict[str, set[str]]:
    by_language: dict[str, set[str]] = {}
    for language, word in listed_stop_words():
        by_language.setdefault(language, set()).add(word.strip())
    return by_language


def stop_words_of(language: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The stop words of a language: NLTK's, which are shipped, or those of the package stopwordsiso where it has none.

    NLTK's lists are the shorter ones: those of stopwordsiso hold words of opinion, such as the German "gut".

    Args:
        language: English name.

    Returns:
        The words as `fold` writes them, and the packages that they come from.

    Raises:
        MissingDependencyError: the package is needed and not installed.

    Example:
        >>> words, packages = stop_words_of("german")
        >>> "nicht" in words, packages
        (True, ())
    """
    words = _listed().get(language)
    packages: tuple[str, ...] = ()
    if words is None:
        purpose = f"know the stop words of {language.title()}"
        packages = (needed("stopwordsiso", purpose),)
        words = require("stopwordsiso", extra="languages", purpose=purpose).stopwords(LANGUAGES[language])
    return frozenset(fold(word, language) for word in words), packages
