"""The languages that texts can be in: their names and codes, and how their words are written for comparison."""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import Literal, TypeAlias

from fairsum_utils.errors import InputError, require
from fairsum_utils.validation import describe

LANGUAGES = {
    "arabic": "ar",
    "basque": "eu",
    "catalan": "ca",
    "chinese": "zh",
    "danish": "da",
    "dutch": "nl",
    "english": "en",
    "finnish": "fi",
    "french": "fr",
    "german": "de",
    "greek": "el",
    "hindi": "hi",
    "hungarian": "hu",
    "indonesian": "id",
    "italian": "it",
    "japanese": "ja",
    "nepali": "ne",
    "norwegian": "no",
    "portuguese": "pt",
    "romanian": "ro",
    "russian": "ru",
    "spanish": "es",
    "swedish": "sv",
    "turkish": "tr",
}
"""English name -> ISO 639-1 code."""
UNSPACED = ("chinese", "japanese")
"""Languages whose words a segmenter cuts, because no space does."""

Form: TypeAlias = Literal["NFC", "NFKC"]
"""A normalization form of Unicode."""

_NAMES = {code: name for name, code in LANGUAGES.items()}
_ARABIC_MARKS = re.compile("[\u064b-\u065f\u0670\u0640]+")
"""Short vowels and the lengthening stroke, which few writers write."""
_JOINERS = {0x200C: None, 0x200D: None}


def check_language(module: str, name: str, language: object) -> str:
    """A language by its English name, given as that or as its ISO code.

    Args:
        module: name used in messages.
        name: of the setting.
        language: such as ``"german"`` or ``"de"``, in any case.

    Raises:
        InputError: no language that is known here.

    Example:
        >>> check_language("bur", "language", "de"), check_language("bur", "language", "German")
        ('german', 'german')
    """
    lowered = language.lower() if isinstance(language, str) else ""
    known = _NAMES.get(lowered, lowered)
    if known not in LANGUAGES:
        listed = ", ".join(f"{language} ({code})" for language, code in LANGUAGES.items())
        raise InputError(f"{module}: {name} must be one of {listed}, found {describe(language)}")
    return known


def needed(package: str, purpose: str) -> str:
    """The version of a package that a language needs, as in ``rjieba 0.2.2``.

    Args:
        package: its name, by which it is also imported.
        purpose: what it is needed for, as the end of the sentence "... is needed to".

    Raises:
        MissingDependencyError: it is not installed.
    """
    from importlib.metadata import version  # slow to import, and `--help` comes by here

    require(package, extra="languages", purpose=purpose)
    return f"{package} {version(package)}"


def composition(language: str) -> Form:
    """The normalization form of Unicode in which words of a language are compared.

    Args:
        language: English name. Chinese and Japanese also lose the difference of full and half width.

    Example:
        >>> composition("french"), composition("japanese")
        ('NFC', 'NFKC')
    """
    return "NFKC" if language in UNSPACED else "NFC"


def fold(text: str, language: str) -> str:
    """Text in the one form in which its words are compared: lower case, composed, without optional marks.

    Args:
        text: any string.
        language: English name.

    Example:
        >>> fold("CAFE\N{COMBINING ACUTE ACCENT}", "french"), fold("ＡＢＣ", "japanese")
        ('café', 'abc')
    """
    text = text.lower()
    if text.isascii():
        return text
    text = unicodedata.normalize(composition(language), text)
    if language == "arabic":
        text = _ARABIC_MARKS.sub("", text)
    elif language == "russian":
        text = text.replace("ё", "е")  # few write the dots
    return text.translate(_JOINERS) if "\u200d" in text or "\u200c" in text else text


@cache
def marks() -> str:
    """All signs that belong to the letter before them, as accents do that are written apart and most vowels of Hindi.

    Example:
        >>> "\N{COMBINING ACUTE ACCENT}" in marks(), "e" in marks()
        (True, False)
    """
    return "".join(filter(_is_mark, map(chr, range(0x10000))))


def _is_mark(character: str) -> bool:
    return unicodedata.category(character) in ("Mn", "Mc")
