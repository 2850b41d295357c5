"""Texts that are plainly not English, which lists of English words would read as holding nothing."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

from fairsum_utils.text.stop_words import stop_words_of

OTHER_SCRIPT = "a script that is not Latin"
"""What a text is said to be in whose letters are mostly of another script."""

_LANGUAGES = (
    "danish", "dutch", "finnish", "french", "german", "hungarian", "italian", "norwegian", "portuguese", "spanish",
    "swedish", "turkish",
)  # fmt: skip
"""Those of which the stop words are listed by people, as those of English are, and not taken from texts."""
_FEWEST = 3
"""So many stop words of another language tell it, if they are more than twice those of English."""
_MOST_WORDS = 500
"""So many words at the beginning of a text are looked at."""
_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_WORD = re.compile(r"[^\W\d_]+")


def foreign_language(text: str) -> str | None:
    """The language of a text that is plainly not English, or `OTHER_SCRIPT`.

    Args:
        text: any string.

    Returns:
        None for English, and for a text too short to tell, without letters, or in a language whose stop words are not
        known.

    Example:
        >>> foreign_language("Die Patientin wurde am Montag entlassen, weil sie gesund war.")
        'German'
        >>> foreign_language("Der Patient"), foreign_language("Die another day"), foreign_language("فازت المرأة")
        (None, None, 'a script that is not Latin')
    """
    if not text.isascii():
        n_letters = len(_LETTER.findall(text))
        if 2 * len(_LATIN.findall(text)) < n_letters:
            return OTHER_SCRIPT
    known = _languages_by_word()
    hits: Counter[str] = Counter()
    for place, match in enumerate(_WORD.finditer(text.lower())):
        if place == _MOST_WORDS:
            break
        hits.update(known.get(match[0], ()))
    english = hits.pop("english", 0)
    language, n = max(hits.items(), key=lambda each: (each[1], each[0]), default=("", 0))
    return language.title() if n >= _FEWEST and n > 2 * english else None


@cache
def _languages_by_word() -> dict[str, tuple[str, ...]]:
    """Word -> the languages that have it among their stop words."""
    found: dict[str, list[str]] = {}
    for language in ("english", *_LANGUAGES):
        for word in stop_words_of(language)[0]:
            found.setdefault(word, []).append(language)
    return {word: tuple(languages) for word, languages in found.items()}
