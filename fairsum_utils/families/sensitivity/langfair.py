"""Tokens and gender-neutral texts, as in the package LangFair.

Its rules are restated, oddities included, so that numbers equal the package's. NLTK cuts its words, in whatever version
is installed; ours are those of NLTK 3.8.1, which 3.9.1 cuts alike wherever single blanks part the words.

Source: D. Bouchard, "An Actionable Framework for Assessing Bias and Fairness in Large Language Model Use Cases", 2024;
langfair 0.8.0.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeAlias

from fairsum_utils._util.resources import read_lines
from fairsum_utils.errors import DataSourceError, require
from fairsum_utils.text.lemmas import porter_stem
from fairsum_utils.text.punkt import word_tokenize

Tokenizer: TypeAlias = Callable[[str], list[str]]
"""text -> its words and marks."""

NEUTRAL_WORDS = {word: neutral for neutral, *words in map(str.split, read_lines("neutral_words.txt")) for word in words}
"""Word -> what stands for it. "her" is always "them", "girfriend" is spelled so, and titles such as "Mrs." never match.

Source: the word lists of langfair 0.8.0 (CVS Health, Apache-2.0).
"""

_NOT_ROUGE = re.compile(r"[^a-z0-9]+")
_STEMMED_FROM = 4
"""Letters of the shortest word that ROUGE takes the stem of."""

_CLOSES = frozenset(",.?!:;\\%}])")
_OPENS = frozenset("([{¿¡")
_QUOTES = frozenset("'\"„“`")
_DOUBLE = frozenset("„“")


def nltk_tokenizer(module: str) -> tuple[Tokenizer, str]:
    """Return NLTK's word tokenizer and its version."""
    nltk = require("nltk", extra="nltk", purpose="cut words with tokenizer='nltk'")
    try:
        nltk.word_tokenize("Its data is there.")
    except (LookupError, OSError) as error:  # newer versions refuse data that they do not trust with a PermissionError
        raise DataSourceError(
            f"{module}: tokenizer='nltk' needs data of NLTK that are not installed; run python -m nltk.downloader "
            "punkt_tab (punkt before NLTK 3.8.2), or choose tokenizer='own'"
        ) from error
    return nltk.word_tokenize, str(nltk.__version__)


def rouge_tokens(text: str) -> list[str]:
    """Return ROUGE's words: lower-case letters and digits, stemmed from four letters on.

    Source: the package rouge-score 0.1.2 with ``use_stemmer=True``.

    Example:
        >>> rouge_tokens("She's reading 12 books.")
        ['she', 's', 'read', '12', 'book']
    """
    words = _NOT_ROUGE.sub(" ", text.lower()).split()
    return [porter_stem(word) if len(word) >= _STEMMED_FROM else word for word in words]


def neutralized(text: str, tokenizer: Tokenizer = word_tokenize) -> str:
    """Replace gendered words by `NEUTRAL_WORDS` and join the tokens again.

    Example:
        >>> neutralized("He lost her keys, his mother said.")
        'they lost them keys, their parent said.'
    """
    pairs = zip(tokenizer(text), tokenizer(text.lower()), strict=False)  # small letters may be cut otherwise
    return put_together(NEUTRAL_WORDS.get(lowered, word) for word, lowered in pairs)


def put_together(tokens: Iterable[str]) -> str:
    """Join tokens to an English text with the usual spaces.

    Source: the rules of the Moses detokenizer for English, as the package sacremoses 0.1.1 has them.

    Example:
        >>> put_together(["(", "They", "'re", "late", ",", "she", "said", ")", "."])
        "(They're late, she said)."
    """
    pieces: list[str] = []
    opened: Counter[str] = Counter()
    space, before = "", ""
    for token in tokens:
        following, marks = " ", set(token)
        if all(mark in _OPENS or unicodedata.category(mark) == "Sc" for mark in token):
            following = ""
        elif marks <= _CLOSES or (before and token[0] == "'" and token[1:2].isalpha()):
            space = ""
        elif marks <= _QUOTES:
            kind = '"' if marks <= _DOUBLE else token
            if opened[kind] % 2:
                opened[kind] += 1
                space = ""
            elif token == "'" and before.endswith("s"):
                space = ""
            else:
                opened[kind] += 1
                following = ""
        pieces += (space, token)
        space, before = following, token
    return "".join(pieces)
