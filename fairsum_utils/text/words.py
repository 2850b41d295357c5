"""Word tokens in the manner of the Penn Treebank, as NLTK's word tokenizer cuts them.

The rules below restate what ``nltk.word_tokenize`` separates (NLTK 3.8, Apache-2.0, after R. MacIntyre's Penn
Treebank script), in its order. They are of that version because the published numbers are: NLTK 3.9 and 3.10 cut
dashes and single quotes differently, which moves them (SOF on Yelp from 0.5428 to 0.5483 percent with 3.10).
``tests/text/test_words.py`` holds the rules against NLTK 3.8.1.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fairsum_utils.text.punkt import sentences

CONTRACTIONS = {
    word: (word[:cut], word[cut:])
    for word, cut in {"cannot": 3, "gimme": 3, "gonna": 3, "gotta": 3, "lemme": 3, "wanna": 3}.items()
}
"""Words cut in two without a mark that shows it."""


class _Rule(NamedTuple):
    """A replacement, tried only where the sentence holds one of the characters it needs."""

    needs: frozenset[str]
    pattern: re.Pattern[str]
    replacement: str


def _rules(*rules: tuple[str, str, str]) -> list[_Rule]:
    return [_Rule(frozenset(needs), re.compile(pattern), replacement) for needs, pattern, replacement in rules]


_OPENING = _rules(
    ("«“‘„`", r"[«“‘„]|`+", r" \g<0> "),
    ('"', r'^"', "``"),
    ('`"', r"``", r" \g<0> "),
    ("\"'", r"([ (\[{<])(?:\"|'')", r"\1 `` "),
    # A quote before a lone letter, unless the letter is a clitic.
    ("'", r"(?i)'(?!re|ve|ll|m|t|s|d|n)(\w)\b", r"' \1"),
)
_MARKS = _rules(
    # The period that ends the sentence, perhaps followed by closing marks; any other period stays with its word.
    (".", r"([^.])(\.)([\])}>\"'»”’ ]*+)\s*$", r"\1 \2 \3 "),
    (":,", r"([:,])([^\d])", r" \1 \2"),
    (":,", r"([:,])$", r" \1 "),
    (".", r"\.{2,}", r" \g<0> "),
    (";@#$%&", r"[;@#$%&]", r" \g<0> "),
    (".", r"([^.])(\.)([\])}>\"']*)\s*$", r"\1 \2\3 "),
    ("?!", r"[?!]", r" \g<0> "),
    ("'", r"([^'])' ", r"\1 ' "),
    ("*", r"\*", r" \g<0> "),
    ("][(){}<>", r"[\]\[(){}<>]", r" \g<0> "),
    ("-", r"--", r" -- "),
)
_CLOSING = _rules(
    ("»”’", r"[»”’]", r" \g<0> "),
    ("'", r"''", " '' "),
    ('"', r'"', " '' "),
    ("'", r"([^' ])('[sSmMdD]|') ", r"\1 \2 "),
    ("'", r"([^' ])('ll|'LL|'re|'RE|'ve|'VE|n't|N'T) ", r"\1 \2 "),
)
_REWRITTEN = frozenset(("``", "''"))
_QUOTE = re.compile("\"|``|''")
"""What the tokens above may have been."""
MAY_CONTRACT = re.compile(r"(?i)cannot|d'ye|[gl][ie]mme|gonna|gotta|more'n|wanna|'tis|'twas")
_CONTRACTED = [
    re.compile(pattern)
    for pattern in (
        r"(?i)\b(can)(not)\b",
        r"(?i)\b(d)('ye)\b",
        r"(?i)\b(gim|lem)(me)\b",
        r"(?i)\b(gon)(na)\b",
        r"(?i)\b(got)(ta)\b",
        r"(?i)\b(more)('n)\b",
        r"(?i)\b(wan)(na)(?=\s)",
        r"(?i) ('t)(is)\b",
        r"(?i) ('t)(was)\b",
    )
]


def _apply(rules: list[_Rule], sentence: str) -> str:
    present = set(sentence)
    for needs, pattern, replacement in rules:
        if not needs.isdisjoint(present):
            sentence = pattern.sub(replacement, sentence)
    return sentence


def tokenize_sentence(sentence: str) -> list[str]:
    """Cut one sentence into word tokens.

    Example:
        >>> tokenize_sentence("They didn't like it (at all).")
        ['They', 'did', "n't", 'like', 'it', '(', 'at', 'all', ')', '.']
    """
    sentence = _apply(_MARKS, _apply(_OPENING, sentence))
    sentence = _apply(_CLOSING, f" {sentence} ")
    if MAY_CONTRACT.search(sentence):
        for pattern in _CONTRACTED:
            sentence = pattern.sub(r" \1 \2 ", sentence)
    return sentence.split()


def word_tokenize(text: str) -> list[str]:
    """Cut English text into word tokens, exactly as ``nltk.word_tokenize`` does (NLTK 3.8).

    Args:
        text: any string.

    Returns:
        The tokens in order. Double quotes become `` and ''.

    Example:
        >>> word_tokenize("Good food. Can't complain!")
        ['Good', 'food', '.', 'Ca', "n't", 'complain', '!']
    """
    return [token for sentence in sentences(text, typographic=False) for token in tokenize_sentence(sentence)]


def word_spans(text: str, tokens: Iterable[str]) -> Iterator[tuple[str, int, int]]:
    """Where the word tokens of a text stand in it: each token with its start and end.

    The rules put white space between characters, and write double quotes anew; nothing else is lost or moved.

    Args:
        text: any string.
        tokens: all of `word_tokenize` for it, or of NLTK's.

    Example:
        >>> list(word_spans('"Soup."', word_tokenize('"Soup."')))
        [('``', 0, 1), ('Soup', 1, 5), ('.', 5, 6), ("''", 6, 7)]
    """
    end = 0
    for token in tokens:
        if token in _REWRITTEN:
            quote = _QUOTE.search(text, end)
            assert quote is not None  # a rule wrote it
            start, end = quote.span()
        else:
            start = text.index(token, end)
            end = start + len(token)
        yield token, start, end
