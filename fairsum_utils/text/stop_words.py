"""Stop words: the published code's, and those of each language.

Texts that are plainly not English, which lists of English words would read as holding nothing.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from operator import itemgetter

from fairsum_utils._util.resources import read_lines
from fairsum_utils.errors import require
from fairsum_utils.text.languages import LANGUAGES, fold, needed

#: What the published code drops besides punctuation and listed words.
ADDED_STOP_WORDS = ("||", "people", "''", "``", "...", "..")

# Lists of stop words, in the data of the published numbers (July 2022), whose last line is not ended.
_WITHOUT_LAST_LINE_BREAK = frozenset(
    ("arabic", "azerbaijani", "bengali", "catalan", "hebrew", "indonesian", "nepali", "romanian", "tajik")
)


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
def stop_words_of(language: str) -> tuple[frozenset[str], tuple[str, ...]]:
    """The stop words of a language: NLTK's, which are shipped, or those of the package stopwordsiso where it has none.

    NLTK's lists are the shorter ones: those of stopwordsiso hold words of opinion, such as the German "gut".

    Example:
        >>> words, packages = stop_words_of("german")
        >>> "nicht" in words, packages
        (True, ())
    """
    words = {word.strip() for listed, word in listed_stop_words() if listed == language}
    packages: tuple[str, ...] = ()
    if not words:
        purpose = f"know the stop words of {language.title()}"
        packages = (needed("stopwordsiso", purpose),)
        words = require("stopwordsiso", extra="languages", purpose=purpose).stopwords(LANGUAGES[language])
    return frozenset(fold(word, language) for word in words), packages


#: What a text is said to be in whose letters are mostly of another script.
OTHER_SCRIPT = "a script that is not Latin"

# Those of which the stop words are listed by people, as those of English are, and not taken from texts.
_LANGUAGES = (
    "danish", "dutch", "finnish", "french", "german", "hungarian", "italian", "norwegian", "portuguese", "spanish",
    "swedish", "turkish",
)  # fmt: skip
# So many stop words of another language tell it, if they are more than twice those of English.
_FEWEST = 3
# So many words at the beginning of a text are looked at.
_MOST_WORDS = 500
_LETTER = re.compile(r"[^\W\d_]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f\u1e00-\u1eff]")
_WORD = re.compile(r"[^\W\d_]+")


def foreign_language(text: str) -> str | None:
    """The language of a text that is plainly not English, or `OTHER_SCRIPT`.

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
