"""Words of the languages that put no space between them, by dictionaries that packages carry."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

from fairsum_utils.errors import require
from fairsum_utils.text.languages import needed

_PACKAGES = {"chinese": ("rjieba",), "japanese": ("sudachipy", "sudachidict_core")}
_LONGEST = 12_000
"""Characters that SudachiPy takes at once: it refuses more than 49,149 bytes."""
_MARKS = ("補助記号", "記号", "空白")
"""Parts of speech that are no words: punctuation, symbols, white space."""
_FUNCTION_WORDS = ("助詞", "助動詞")
"""Particles and auxiliary verbs."""


class Morpheme(NamedTuple):
    """A Japanese word.

    Attributes:
        surface: as it is written.
        lemma: as the dictionary has it.
        form: the one spelling for all ways to write the lemma.
        is_word: neither punctuation nor white space.
        is_function: a particle or an auxiliary verb.
    """

    surface: str
    lemma: str
    form: str
    is_word: bool
    is_function: bool


def packages_of(language: str) -> tuple[str, ...]:
    """The packages that cut the words of a language, with their versions; none where spaces do.

    Args:
        language: English name.

    Raises:
        MissingDependencyError: one is not installed.

    Example:
        >>> packages_of("german")
        ()
    """
    return tuple(needed(package, f"cut {language.title()} words") for package in _PACKAGES.get(language, ()))


def chinese_pieces(text: str) -> list[str]:
    """Chinese text in words, marks and white space, which together are the text.

    Args:
        text: any string.

    Example:
        >>> chinese_pieces("汤是凉的。")
        ['汤', '是', '凉', '的', '。']
    """
    pieces: list[str] = _rjieba().cut(text)
    return pieces


def japanese_morphemes(text: str) -> Iterator[Morpheme]:
    """Japanese text in its shortest words, whose surfaces together are the text.

    Args:
        text: any string.

    Example:
        >>> [morpheme.form for morpheme in japanese_morphemes("おいしかった")]
        ['美味しい', 'た']
    """
    tokenizer = _sudachi()
    for part in _parts(text):
        for morpheme in tokenizer.tokenize(part):
            kind = morpheme.part_of_speech()[0]
            yield Morpheme(
                morpheme.surface(),
                morpheme.dictionary_form(),
                morpheme.normalized_form(),
                kind not in _MARKS and any(map(str.isalnum, morpheme.surface())),
                kind in _FUNCTION_WORDS,
            )


def pieces_of(language: str) -> Callable[[str], list[str]]:
    """What cuts text of an unspaced language into pieces that together are the text.

    Args:
        language: English name.
    """
    if language == "chinese":
        return chinese_pieces
    return lambda text: [morpheme.surface for morpheme in japanese_morphemes(text)]


def _parts(text: str) -> Iterator[str]:
    """The text in parts that the tokenizer takes, cut after a sentence where there is one."""
    start = 0
    while len(text) - start > _LONGEST:
        stop = start + _LONGEST
        cut = max(text.rfind(mark, start, stop) for mark in "。\n！？ ") + 1
        stop = cut if cut > start else stop
        yield text[start:stop]
        start = stop
    yield text[start:]


@cache
def _rjieba() -> Any:
    return require("rjieba", extra="languages", purpose="cut Chinese words")


@cache
def _sudachi() -> Any:
    """Made once: its dictionary takes a moment to open."""
    sudachi = require("sudachipy", extra="languages", purpose="cut Japanese words")
    require("sudachidict_core", extra="languages", purpose="cut Japanese words")
    return sudachi.Dictionary(dict="core").tokenizer(mode=sudachi.SplitMode.A)
