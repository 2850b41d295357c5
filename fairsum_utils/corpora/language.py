"""A plain guess whether a text is English, from its script and its stop words; no model, no download."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping
from functools import cache

from fairsum_utils.text.stop_words import listed_stop_words

_LETTERS = re.compile(r"[A-Za-z]+|[^\W\d_A-Za-z]+")
# Of the languages listed, the most likely ones among English texts; a longer list takes more English texts away.
_LANGUAGES = ("english", "french", "german", "italian", "portuguese", "spanish")


def looks_english(text: str) -> bool:
    """Whether a text looks English.

    It does if at least half of its letters are ASCII and it holds at least as many English stop words as stop words
    of French, German, Italian, Portuguese or Spanish, whichever has most. A text with no letter does not. A short text
    with no stop word of any, such as "Excelente", is given the benefit of the doubt.

    Measured on 13,500 Yelp reviews: 55 do not look English, and by reading one of them is.

    Args:
        text: any text.

    Example:
        >>> looks_english("Great sound, no problems."), looks_english("Muy bueno, me encanta."), looks_english("5/5")
        (True, False, False)
    """
    letters = _LETTERS.findall(text)
    if 2 * sum(map(len, filter(str.isascii, letters))) < max(1, sum(map(len, letters))):
        return False
    counts = dict.fromkeys(_LANGUAGES, 0)
    languages_of = _stop_words()
    for word in text.lower().split():
        for language in languages_of.get(word.strip(string.punctuation), ()):
            counts[language] += 1
    return counts["english"] == max(counts.values())


@cache
def _stop_words() -> Mapping[str, tuple[str, ...]]:
    """Return stop word -> the languages that have it."""
    languages: dict[str, tuple[str, ...]] = {}
    for language, word in listed_stop_words():
        if language in _LANGUAGES:
            languages[word] = (*languages.get(word, ()), language)
    return languages
