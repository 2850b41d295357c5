"""The published normalization word by word: NLTK's tokens, hundreds of times faster.

The published code lower-cases, splits sentences (Punkt), cuts word tokens, drops stop words, tags each token alone,
lemmatizes and stems it. Two facts allow a fast and exact version:

1. Tag, lemma and stem are a function of the token alone: see `fairsum_utils.text.lemmas`.
2. Sentence and word rules rarely look past a word between white space: only at a final period, a quote at its edge, or
   a clitic before a line break. So each distinct word is analysed once, in every possible context. Nearly all words
   always give the same tokens and become one dictionary look-up. Some depend on the next word. The rest, such as a lone
   closing quote after a period, send the whole text through the exact rules.

Source: Zhang et al. 2024, section 3.2 and the released code; equality is tested in tests/text/test_fairsumm.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import chain, product
from typing import TypeAlias

from fairsum_utils.text.caching import BoundedCache
from fairsum_utils.text.languages import published_stop_words
from fairsum_utils.text.lemmas import stem
from fairsum_utils.text.locations import Located, located_in, lowered_origins
from fairsum_utils.text.punkt import (
    CLOSING,
    CONTRACTIONS,
    MAY_CONTRACT,
    NON_WORD,
    splits_here,
    tokenize_sentence,
    word_spans,
    word_tokenize,
)

_SENTENCE_MARKS = ".?!"
# Marks that are separate tokens after a word in any context.
_ALWAYS_APART = frozenset(",:;@#$%&?!*][(){}<>")
_LINE_BREAKS = "\n\t\r\x0b\x0c"
_ONE_TOKEN = re.compile(r"\w+(?:[.-]\w+)+")
_INNER_END = re.compile(rf"[.?!](?=[{re.escape(NON_WORD)}])")
_CLOSING_RUN = re.compile(rf"[{re.escape(CLOSING)}]+?(?=--|$)")
_PERIOD_THEN_CLOSING = re.compile(r"\.[\])}>\"'»”’]+$")
_ONLY_MARKS = frozenset(_SENTENCE_MARKS + CLOSING)
# First characters of a word that may join it to the sentence before.
_NOT_NEUTRAL = frozenset(CLOSING + ">»”’")
_ODD_SPACE = re.compile("[\x1c-\x1f\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]")

_WORD = re.compile(r"\S+")

Tokens: TypeAlias = tuple[str, ...]
#: A token, its start and its end.
Span: TypeAlias = tuple[str, int, int]


class FairsummNormalizer:
    """Normalizes English text as the published FairSumm code does.

    Example:
        >>> FairsummNormalizer().tokens("The soups were cold. We didn't go back!")
        ['soup', 'cold', "n't", 'back']
    """

    signature = "norm:fairsumm"

    def __init__(self) -> None:
        self._stop = published_stop_words()
        self._stems: dict[str, str] = BoundedCache(stem)
        self._words: dict[str, Tokens | None] = BoundedCache(self._analyse)
        self._pairs: dict[tuple[str, str], Tokens | None] = BoundedCache(self._resolve)
        self._places: dict[tuple[str, Tokens], tuple[Span, ...] | None] = BoundedCache(self._place)

    def tokens(self, text: str) -> list[str]:
        """Return the normalized tokens of `text`, in order, in linear time."""
        text = text.lower()
        return self._tokens(text, text.split())

    def counted(self, text: str) -> tuple[list[str], list[str]]:
        """Return the tokens of `text`, and all words between white space.

        Example:
            >>> FairsummNormalizer().counted("The food was good.")
            (['food'], ['the', 'food', 'was', 'good.'])
        """
        text = text.lower()
        words = text.split()
        return self._tokens(text, words), words

    def located(self, text: str) -> list[Located]:
        """Return the tokens of `text` with their spans; several times slower than `tokens`.

        Example:
            >>> FairsummNormalizer().located("Soups didn't win.")[1]
            Located(token="n't", start=9, end=12)
        """
        lowered = text.lower()
        spans = self._spans_by_word(lowered)
        if spans is None:
            spans = self._spans(lowered, word_tokenize(lowered))
        return located_in(spans, lowered_origins(text))

    def _tokens(self, text: str, words: list[str]) -> list[str]:
        parts = self._by_word(text, words)
        return list(self._keep(word_tokenize(text)) if parts is None else chain.from_iterable(filter(None, parts)))

    def _by_word(self, text: str, words: list[str]) -> list[Tokens] | None:
        """Return each word's tokens, or None if the whole text is needed."""
        if (not text.isascii() or any(space in text for space in "\x1c\x1d\x1e\x1f")) and _ODD_SPACE.search(text):
            return None  # Punkt and str.split disagree on what white space is
        keys = _mark_line_breaks(text, words) if any(space in text for space in _LINE_BREAKS) else words
        parts = list(map(self._words.__getitem__, keys))
        for position in _unsure(parts):
            following = words[position + 1] if position + 1 < len(words) else ""
            resolved = self._pairs[keys[position], following]
            if resolved is None:
                return None
            parts[position] = resolved
        return parts  # type: ignore[return-value]

    def _spans_by_word(self, text: str) -> list[Span] | None:
        """Return the tokens with their spans, or None if the whole text is needed."""
        parts = self._by_word(text, text.split())
        spans: list[Span] = []
        for match, tokens in zip(_WORD.finditer(text), parts or (), strict=parts is not None):
            if tokens:
                of_word = self._places[match[0], tokens]
                if of_word is None:
                    return None
                start = match.start()
                spans += [(token, start + first, start + last) for token, first, last in of_word]
        return None if parts is None else spans

    def _place(self, key: tuple[str, Tokens]) -> tuple[Span, ...] | None:
        """Locate the tokens of a word cut by its context, or return None."""
        word, tokens = key
        for before, after in product((" ", ""), repeat=2):
            spans = self._spans(word, _cut_in_context(before, word, after))
            if tuple(token for token, _, _ in spans) == tokens:
                return tuple(spans)
        return None

    def _spans(self, text: str, words: Iterable[str]) -> list[Span]:
        """List the content tokens of a text with their spans."""
        stop, stems = self._stop, self._stems
        return [(stems[word], start, end) for word, start, end in word_spans(text, words) if word not in stop]

    def _keep(self, tokens: Iterable[str]) -> Tokens:
        stop, stems = self._stop, self._stems
        return tuple([stems[token] for token in tokens if token not in stop])

    def _cut(self, before: str, word: str, after: str) -> Tokens:
        """Tokenize a word with its white space, empty where its sentence ends."""
        return self._keep(_cut_in_context(before, word, after))

    def _analyse(self, key: str) -> Tokens | None:
        """Return the word's tokens if they do not depend on sentence ends around it."""
        before, word, after = _unmark(key)
        if word.isalnum() or (_ONE_TOKEN.fullmatch(word) and not MAY_CONTRACT.search(word)):
            return self._keep(CONTRACTIONS.get(word, (word,)))
        body, last = word[:-1], word[-1]
        if body.isalnum():
            if last == ".":
                return None
            if last in _ALWAYS_APART:
                return self._keep((*CONTRACTIONS.get(body, (body,)), last))
        if _starts_with_sentence(word):
            # Marks alone leave no token; anything else is rare.
            return () if ".." not in word and _ONLY_MARKS.issuperset(word) else None
        inner = _inner_end(word)
        # A rule looks past the word only from a quote at its start, or from one of these at its end.
        if not (word[0] in "'\"" or last in ".:,'" or inner is not None or _PERIOD_THEN_CLOSING.search(word)):
            return self._cut(before, word, after)
        results = {self._cut(left, word, right) for left in ("", before) for right in ("", after)}
        if inner is not None:
            results |= self._split_inside(word, _sentence_cut(word, inner), before, ("", after))
        return _only(results)

    def _split_inside(self, word: str, cut: int, before: str, afters: tuple[str, ...]) -> set[Tokens]:
        """List every result for a sentence end within the word, before position `cut`."""
        starts = {self._cut(left, word[:cut], "") for left in ("", before)}
        rests = {self._cut("", word[cut:], after) for after in afters}
        return {start + rest for start in starts for rest in rests}

    def _resolve(self, pair: tuple[str, str]) -> Tokens | None:
        """Return a word's tokens, given the next word, or None if undecided."""
        key, following = pair
        before, word, after = _unmark(key)
        if following[:1] in _NOT_NEUTRAL or _starts_with_sentence(word):
            return None
        if not following:
            after = ""
        if following and word[-1] in _SENTENCE_MARKS:
            if splits_here(f"{word} {following}"):
                after = ""
        else:
            inner = _inner_end(word)
            if inner is not None and splits_here(word[: inner + 2]):
                cut = _sentence_cut(word, inner)
                if cut < len(word):
                    return _only(self._split_inside(word, cut, before, (after,)))
                after = ""
        if word[:-1].isalnum() and word[:-1] not in CONTRACTIONS and word[-1] == ".":
            return self._keep((word,) if after else (word[:-1], "."))
        return _only({self._cut(left, word, after) for left in ("", before)})


def _cut_in_context(before: str, word: str, after: str) -> list[str]:
    tokens = tokenize_sentence(f"{'x' if before else ''}{before}{word}{after}{'x' if after else ''}")
    return tokens[bool(before) : len(tokens) - bool(after)]


def _unsure(parts: list[Tokens | None]) -> Iterator[int]:
    """Yield the positions of None in one pass."""
    position = -1
    with suppress(ValueError):
        while True:
            position = parts.index(None, position + 1)
            yield position


def _only(results: set[Tokens]) -> Tokens | None:
    return results.pop() if len(results) == 1 else None


def _mark_line_breaks(text: str, words: list[str]) -> list[str]:
    """Split into words, marking sides that touch white space other than a blank."""
    text = text.rstrip()
    keys, end = [], 0
    for word in words:
        start = text.index(word, end)
        end = start + len(word)
        before = "\n" if start and text[start - 1] != " " else ""
        after = "\n" if end < len(text) and text[end] != " " else ""
        keys.append(before + word + after)
    return keys


def _unmark(key: str) -> tuple[str, str, str]:
    """Split a marked word into white space before, word, white space after."""
    before = "\n" if key[0] == "\n" else " "
    after = "\n" if key[-1] == "\n" else " "
    return before, key.strip("\n"), after


def _starts_with_sentence(word: str) -> bool:
    """Return whether the first character is its own sentence, as in "!!!" or ".)"."""
    return len(word) > 1 and word[0] in _SENTENCE_MARKS and word[1] in NON_WORD


def _inner_end(word: str) -> int | None:
    """Find the last sentence mark that may end a sentence within the word."""
    position = None
    for match in _INNER_END.finditer(word):
        position = match.start()
    return position


def _sentence_cut(word: str, mark: int) -> int:
    """Return the start of the next sentence within the word, after closing marks."""
    closing = _CLOSING_RUN.match(word, mark + 1)
    return closing.end() if closing else mark + 1
