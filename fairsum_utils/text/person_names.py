"""Names and texts as whole tokens: "Li" is not found in "Lincoln"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from fairsum_utils._util.resources import read_words

#: Words before a name, as `name_tokens` returns them.
TITLES = frozenset(read_words("title"))

#: Words after a name, as `name_tokens` returns them.
SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})

#: Last words of names of places and things, which may begin like those of persons: "Victoria Hall".
THINGS = frozenset((*read_words("thing"), *read_words("street")))

# Vowel signs and other marks, which Python's \w lacks: without them, a Devanagari or Arabic word falls into pieces.
_MARKS = (
    "\u0300-\u036f\u0483-\u0487"  # Latin, Greek and Cyrillic
    "\u0591-\u05bd\u05bf\u05c1-\u05c2\u05c4-\u05c5\u05c7"  # Hebrew
    "\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06e8\u06ea-\u06ed"  # Arabic
    "\u0900-\u0963\u0981-\u09e3\u0a01-\u0a75\u0a81-\u0ae3\u0b01-\u0b63\u0b82-\u0bd7\u0c00-\u0c63"  # India, with
    "\u0c81-\u0c83\u0c85-\u0ce3\u0d00-\u0d63\u0d81-\u0df3"  # letters between marks
    "\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ebc\u0ec8-\u0ece\u102b-\u103e\u1056-\u1059\u17b4-\u17d3"  # Thai to Khmer
)
_APOSTROPHES = "'’‘ʼ´`"
_HYPHENS = "-‐‑"
_LETTER = r"[^\W_ʼ]"
_LETTERS = rf"{_LETTER}++(?:[{_MARKS}]++{_LETTER}*+)*+"
_CLITIC = rf"[{_APOSTROPHES}](?i:s|d|m|ll|re|ve)(?!{_LETTER})"
# Tokenized corpora write "Adler 's". A letter between two quotes is no clitic.
_ENDING = rf"(?:{_CLITIC}|[^\S\n]++{_CLITIC}(?![{_APOSTROPHES}]))"
# Hyphens and apostrophes within a word are part of it, but clitics such as that of "he's" are not.
_WORD = rf"{_LETTERS}(?:(?:[{_HYPHENS}]|(?!{_CLITIC})[{_APOSTROPHES}]){_LETTERS})*"
_find_words = re.compile(rf"({_WORD}){_ENDING}?").findall
_find_pairs = re.compile(rf"({_WORD})({_ENDING}?[\W_ʼ]*)").findall

_BEFORE_WORDS = re.compile(r"[\W_ʼ]*")

# Marks of Latin, Greek and Cyrillic letters.
_ACCENTS = re.compile("[\u0300-\u036f]+")

# Apostrophes, hyphens, and letters that Unicode does not decompose: stroked, dotless and joined.
_SAME = str.maketrans(
    dict.fromkeys(_APOSTROPHES, "'")
    | dict.fromkeys(_HYPHENS, "-")
    | dict(zip("øłđħŧıØŁĐĦŦ", "oldhtiOLDHT", strict=True))
    | {"æ": "ae", "œ": "oe", "Æ": "Ae", "Œ": "Oe"}
)


class Name(NamedTuple):
    """A person's name; unknown parts are None or empty."""

    first: str | None
    last: str | None


def without_accents(word: str) -> str:
    """Spell a word in plain letters, with one apostrophe and one hyphen.

    Accents of Latin, Greek and Cyrillic letters are dropped, and compatible letters and ligatures are written out, as
    in Unicode's NFKD. A stroke counts as an accent (ø, ł, đ), ı becomes i, and æ and œ become ae and oe. "þ" and "ð"
    stay, as do the marks of other scripts, which distinguish words.

    Example:
        >>> [without_accents(word) for word in ("Zoë", "O’Neill", "Wałęsa", "Bjørn", "राम")]
        ['Zoe', "O'Neill", 'Walesa', 'Bjorn', 'राम']
    """
    if word.isascii():
        return word
    # NFKD puts a lone accent on a blank.
    decomposed = unicodedata.normalize("NFKD", word.replace("´", "'"))
    plain = _ACCENTS.sub("", decomposed).translate(_SAME)
    return unicodedata.normalize("NFC", plain)


def fold(word: str) -> str:
    """Fold a word to compare names: no accents, lower case, "ß" as "ss".

    Example:
        >>> fold("O’NEILL"), fold("Zoë") == fold("ZOE"), fold("Weiß")
        ("o'neill", True, 'weiss')
    """
    return without_accents(word).casefold()


@lru_cache(maxsize=2**16)
def name_tokens(name: str | None) -> tuple[str, ...]:
    """Return the folded tokens of a name, cached.

    Possessive endings, even after a blank, the periods of titles and initials, and tokens without a letter are dropped.
    Names with hyphens or apostrophes stay whole.

    Source: Steen and Markert 2024, section 5.2, "alphabetic tokens"; it does not define them further.

    Example:
        >>> name_tokens("Dr. J.R. O’Adlersen's"), name_tokens("ZOË SMITH-JONES 's")
        (('dr', 'j', 'r', "o'adlersen"), ('zoe', 'smith-jones'))
    """
    name = name or ""
    words = _words(name)
    tokens = words if name.isascii() else map(fold, words)
    return tuple(token for token in tokens if any(map(str.isalpha, token)))


def _words(text: str) -> list[str]:
    """Return the words of a text; ASCII text is folded as a whole.

    Accents are removed first, so that "d'Ré" and "d'Re" are split alike. Other folding follows: the name in "Adler™" is
    Adler.
    """
    if text.isascii():
        return _find_words(text.casefold())
    return _find_words(unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFD", text))))


def core_tokens(tokens: Sequence[str]) -> tuple[str, ...]:
    """Return a name's tokens without titles and suffixes; at least one stays.

    Example:
        >>> core_tokens(("dr", "martin", "luther", "king", "jr")), core_tokens(("mr", "king"))
        (('martin', 'luther', 'king'), ('king',))
    """
    start, end = 0, len(tokens)
    while start < end - 1 and tokens[start] in TITLES:
        start += 1
    while start < end - 1 and tokens[end - 1] in SUFFIXES:
        end -= 1
    return tuple(tokens[start:end])


def is_initial(token: str) -> bool:
    """Return whether a token is a single letter of a script with capitals.

    Example:
        >>> is_initial("j"), is_initial("jr"), is_initial("李")
        (True, False, False)
    """
    return len(token) == 1 and token.upper() != token.lower()


def is_capitals(text: str) -> bool:
    """Return whether a text of several letters is in capitals, as in headlines.

    Example:
        >>> [is_capitals(text) for text in ("SMITH", "O'NEIL", "McCoy", "J")]
        [True, True, False, False]
    """
    return text.isupper() and sum(map(str.isalpha, text)) > 1


def split_words(text: str) -> list[tuple[str, str]]:
    """Split a text into words, each with the separator after it, clitics included.

    Example:
        >>> split_words("“He’s at O'Neil's,” she said.")
        [('', '“'), ('He', '’s '), ('at', ' '), ("O'Neil", "'s,” "), ('she', ' '), ('said', '.')]
    """
    before = _BEFORE_WORDS.match(text)
    return [("", before[0] if before else ""), *_find_pairs(text)]


def text_tokens(text: str) -> frozenset[str]:
    """Return the distinct tokens of a text, to look up name tokens.

    A hyphenated token counts whole and by its parts: "Levin-led" has "levin-led", "levin" and "led".

    Source: Steen and Markert 2024, section 5.2, footnote 11.

    Example:
        >>> sorted(text_tokens("The Levin-led firm’s"))
        ['firm', 'led', 'levin', 'levin-led', 'the']
    """
    words = set(_words(text))
    tokens = words if text.isascii() else set(map(fold, words))
    tokens.update([part for token in tokens if "-" in token for part in token.split("-")])
    return frozenset(tokens)
