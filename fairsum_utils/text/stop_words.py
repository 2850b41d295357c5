"""Stop words: the published code's, and those of each language."""

from __future__ import annotations

import string
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from operator import itemgetter

from fairsum_utils._util.resources import read_lines
from fairsum_utils.errors import require
from fairsum_utils.text.languages import LANGUAGES, fold, needed

ADDED_STOP_WORDS = ("||", "people", "''", "``", "...", "..")
"""What the published code drops besides punctuation and listed words."""

_WITHOUT_LAST_LINE_BREAK = frozenset(
    ("arabic", "azerbaijani", "bengali", "catalan", "hebrew", "indonesian", "nepali", "romanian", "tajik")
)
"""Lists of stop words, in the data of the published numbers (July 2022), whose last line is not ended."""


def listed_stop_words() -> Iterator[tuple[str, str]]:
    """Language and word, as NLTK lists them: a few words end in white space, and so match no token there either."""
    for line in read_lines("stopwords.txt.gz"):
        language, _, word = line.partition("\t")
        yield language, word


@cache
def published_stop_words() -> frozenset[str]:
    """Punctuation, the stop words of all NLTK languages, and the published code's own additions.

    NLTK reads all lists as one text, as the published code has it: where a list does not end in a line break, its last
    word and the first of the next one are one word, so that "yang" is none.
    """
    listed: list[str] = []
    goes_on = False
    for language, entries in groupby(listed_stop_words(), key=itemgetter(0)):
        words = [word for _, word in entries]
        if goes_on:
            words[0] = listed.pop() + words[0]
        listed += words
        goes_on = language in _WITHOUT_LAST_LINE_BREAK
    return frozenset([*string.punctuation, *listed, *ADDED_STOP_WORDS])


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
