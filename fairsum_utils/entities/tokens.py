"""Names and texts in whole tokens, so that "Li" is not found in "Lincoln" nor "Adler" in "O'Adlersen"."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

__all__ = [
    "SUFFIXES",
    "TITLES",
    "core_tokens",
    "fold",
    "is_capitals",
    "is_initial",
    "name_tokens",
    "split_words",
    "text_tokens",
]

_TITLES = """
    mr mrs ms miss mx mister sir lady lord dame madam madame dr doctor prof professor president sen senator gov
    governor gen general lt lieutenant col colonel maj major capt captain sgt sergeant cpl corporal pvt private cmdr
    commander adm admiral brig brigadier marshal rep representative congressman congresswoman rev reverend fr father
    sister brother mother hon honorable honourable judge justice attorney king queen prince princess duke duchess
    count countess baron baroness emperor empress pope saint archbishop bishop cardinal rabbi imam sheikh sheik
    chancellor premier prime minister secretary ambassador chairman chairwoman chair chief mayor sheriff detective
    officer inspector vice deputy former
"""
TITLES = frozenset(_TITLES.split())
"""Words that stand before a name, as `name_tokens` gives them."""

SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv"})
"""Words that stand after a name, as `name_tokens` gives them."""

_LETTER = r"[^\W_]"
_CLITIC = rf"['’‘](?i:s|d|m|ll|re|ve)(?!{_LETTER})"
# Hyphens and apostrophes within a word are part of it, but clitics such as that of "he's" are not.
_WORD = rf"{_LETTER}+(?:(?:[-‐‑]|(?!{_CLITIC})['’‘]){_LETTER}+)*"
_find_words = re.compile(rf"({_WORD})(?:{_CLITIC})?").findall  # in folded text
_find_pairs = re.compile(rf"({_WORD})((?:{_CLITIC})?[\W_]*)").findall

_BEFORE_WORDS = re.compile(r"[\W_]*")

# Of the letters that case folding takes apart (Turkish dotted I), only the dot is left to drop after composing.
_SAME = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "‐": "-", "‑": "-", "\u0307": None})


def fold(text: str) -> str:
    """Text as tokens are compared: case folded, accents composed, one apostrophe, one hyphen.

    Example:
        >>> fold("O’NEILL")
        "o'neill"
    """
    folded = text.casefold()
    return folded if folded.isascii() else unicodedata.normalize("NFC", folded).translate(_SAME)


@lru_cache(maxsize=2**16)
def name_tokens(name: str | None) -> tuple[str, ...]:
    """The tokens of a name, folded; remembered, since the same names come again and again.

    Possessive endings and the periods of titles and initials are dropped, and so is what has no letter; names with
    hyphens or apostrophes stay whole.

    Args:
        name: a name as written, or None.

    Returns:
        Its tokens in order; empty for None and for a name without a letter.

    Source: papers/news-summarization-bias, section 5.2, "alphabetic tokens"; it does not say how to cut.

    Example:
        >>> name_tokens("Dr. J.R. O’Adlersen's"), name_tokens("MARY SMITH-JONES")
        (('dr', 'j', 'r', "o'adlersen"), ('mary', 'smith-jones'))
    """
    return tuple(token for token in _find_words(fold(name or "")) if any(map(str.isalpha, token)))


def core_tokens(tokens: Sequence[str]) -> tuple[str, ...]:
    """The tokens of a name without leading titles and trailing suffixes; at least one stays.

    Args:
        tokens: the tokens of a name, folded, as `name_tokens` gives them.

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
    """Whether a token is a single letter of a script that has capitals.

    Example:
        >>> is_initial("j"), is_initial("jr"), is_initial("李")
        (True, False, False)
    """
    return len(token) == 1 and token.upper() != token.lower()


def is_capitals(text: str) -> bool:
    """Whether a text of more than one letter is written in capitals, as in headlines.

    Example:
        >>> [is_capitals(text) for text in ("SMITH", "O'NEIL", "McCoy", "J")]
        [True, True, False, False]
    """
    return text.isupper() and sum(map(str.isalpha, text)) > 1


def split_words(text: str) -> list[tuple[str, str]]:
    """Cut a text into words as written, each with what stands between it and the next one, clitics included.

    Returns:
        Pairs whose concatenation is the text; the first word is empty.

    Example:
        >>> split_words("“He’s at O'Neil's,” she said.")
        [('', '“'), ('He', '’s '), ('at', ' '), ("O'Neil", "'s,” "), ('she', ' '), ('said', '.')]
    """
    before = _BEFORE_WORDS.match(text)
    return [("", before[0] if before else ""), *_find_pairs(text)]


def text_tokens(text: str) -> frozenset[str]:
    """The distinct tokens of a text, to look up whether a name's token is in it.

    A hyphenated token counts whole and by its parts: "Levin-led" has "levin-led", "levin" and "led".

    Args:
        text: any string; time grows as its length.

    Returns:
        The tokens, folded as those of `name_tokens`.

    Source: papers/news-summarization-bias, section 5.2, footnote 11.

    Example:
        >>> sorted(text_tokens("The Levin-led firm’s"))
        ['firm', 'led', 'levin', 'levin-led', 'the']
    """
    tokens = set(_find_words(fold(text)))
    tokens.update([part for token in tokens if "-" in token for part in token.split("-")])
    return frozenset(tokens)
