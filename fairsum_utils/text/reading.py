"""How hard an English text is to read: the Flesch-Kincaid grade, from words a sentence and syllables a word."""

from __future__ import annotations

import re
from functools import cache

from fairsum_utils.text.caching import BoundedCache
from fairsum_utils.text.languages import marks
from fairsum_utils.text.punkt import sentences

_ASCII_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")

_VOWELS = re.compile("[aeiouy]+")
_SPOKEN_APART = re.compile(
    r"[^cglnrst]ia|ria(?!g)|[st]ian?ce|[rc]iet|[^cglnstx]io|(?<!q)u[ao]|(?<!^p)eo(?!u)|iu|ying|[aeou]ing|uity|nuous|dien[ct]"
    r"|cien?cies|creat|(?<=[aeiou][rd])ea(?=s?$)|ea(?:to|ti[ov])|rea(?:ct|l[ity])|science|i(?:er|est)$|[ia]sm$|n['’]t$"
)
"""Vowels side by side that are two syllables ("riot", "being"), and syllables without a vowel ("prism", "didn't")."""
_SILENT = re.compile(
    r"(?<![aeiouy])(?:(?<!l)|(?<=[aeiouyrlw]l))e$|(?<![aeiouydt])(?<![bcdfgkptz]l)ed$"
    r"|(?<![aeiouycgsxz])(?<!ch)(?<!sh)(?<!l)es$|(?<=[aeiouy]l)es$|e(?=(?:ly|less|ful|ment|ness)$)"
)
"""An e that is not spoken: "time", "walked", "times", "lately", but not "table", "wanted" and "houses"."""


def _count(word: str) -> int:
    runs, apart, silent = (len(pattern.findall(word)) for pattern in (_VOWELS, _SPOKEN_APART, _SILENT))
    return max(1, runs + apart - silent)


_SYLLABLES: BoundedCache[str, int] = BoundedCache(_count)


def plain_words(text: str) -> list[str]:
    """The words of a text as written: letters and digits, with apostrophes inside.

    Args:
        text: any string.

    Example:
        >>> plain_words("Ann's 2 cats didn't come.")
        ["Ann's", '2', 'cats', "didn't", 'come']
    """
    return word_pattern(text).findall(text)


def word_pattern(text: str) -> re.Pattern[str]:
    """What finds the words of a text: letters and digits, with the marks that belong to them and apostrophes inside.

    Args:
        text: that is to be cut; the pattern is simpler where it can be.

    Example:
        >>> word_pattern("हिन्दी").findall("हिन्दी में")
        ['हिन्दी', 'में']
    """
    return _ASCII_WORD if text.isascii() else _any_word()


@cache
def _any_word() -> re.Pattern[str]:
    letters = rf"(?:[^\W_][{marks()}]*)+"
    return re.compile(rf"{letters}(?:['’]{letters})*")


def syllables(word: str) -> int:
    """The syllables of an English word, by its letters.

    Of 18,993 frequent English words that the CMU dictionary pronounces 94.5 percent get a count that it has, and the
    mean is 0.02 too low. A number or an abbreviation counts one syllable for each run of vowels, at least one.

    Args:
        word: letters of any case.

    Example:
        >>> [syllables(word) for word in ("time", "walked", "wanted", "table", "being", "Syllables", "1990")]
        [1, 1, 2, 2, 2, 3, 1]
    """
    return _SYLLABLES[word.lower()]


def reading_level(text: str) -> float:
    """The Flesch-Kincaid grade of a text: the years at school that it takes to read it.

    Args:
        text: English.

    Returns:
        0.39 words a sentence + 11.8 syllables a word - 15.59; NaN without a word. Short simple texts are below 0.

    Source: J. P. Kincaid et al., "Derivation of New Readability Formulas for Navy Enlisted Personnel", 1975; rules for
    syllables are ours, because the package textstat, which counts them by a dictionary, brings NLTK and its data.

    Example:
        >>> round(reading_level("The cat sat on the mat. It was wet."), 2)  # 9 words, 2 sentences, 9 syllables
        -2.03
    """
    words = plain_words(text)
    if not words:
        return float("nan")
    n_sentences = sum(any(map(str.isalnum, sentence)) for sentence in sentences(text))
    return 0.39 * len(words) / n_sentences + 11.8 * sum(map(syllables, words)) / len(words) - 15.59
