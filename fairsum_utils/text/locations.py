"""Token positions in a text, from a form of different length.

Normalizing changes lengths: a lower-case "İ" has two characters, an accent and its letter become one, "㎞" becomes two
letters, and Arabic vowel marks vanish. So a text is cut into the smallest pieces that normalize independently. The
result of a piece has its position. A piece without a result belongs to the character before it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from fairsum_utils.text.languages import Form, composition, fold


class Located(NamedTuple):
    """A token with its span in the text."""

    token: str
    start: int
    end: int


class _Origins(NamedTuple):
    """Spans in the original text for each character of a derived form."""

    starts: Sequence[int]
    ends: Sequence[int]


def located_in(tokens: Iterable[tuple[str, int, int]], origins: _Origins) -> list[Located]:
    """Convert token positions from a derived form to the original text."""
    starts, ends = origins
    return [Located(token, starts[start], ends[end - 1]) for token, start, end in tokens]


def lowered_origins(text: str) -> _Origins:
    """Compute the origins of the characters of ``text.lower()``.

    Example:
        >>> lowered_origins("İo").starts
        [0, 0, 1]
    """
    # The only letter with a longer lower case.
    return _of_pieces(text, str.lower) if "İ" in text else _same(text)


def folded_origins(text: str, language: str) -> _Origins:
    """Compute the origins of the characters of `fold`.

    Example:
        >>> folded_origins("cafe\N{COMBINING ACUTE ACCENT}s", "french")
        _Origins(starts=[0, 1, 2, 3, 5], ends=[1, 2, 3, 5, 6])
    """
    form, lowered = composition(language), text.lower()
    is_composed = len(lowered) == len(text) and unicodedata.is_normalized(form, lowered)
    if is_composed and len(fold(text, language)) == len(text):
        return _same(text)
    pieces: Iterable[str] = text if is_composed else _pieces(text, form)
    return _of_pieces(pieces, lambda piece: fold(piece, language))


def _same(text: str) -> _Origins:
    return _Origins(range(len(text)), range(1, len(text) + 1))


def _of_pieces(pieces: Iterable[str], fold_piece: Callable[[str], str]) -> _Origins:
    starts: list[int] = []
    ends: list[int] = []
    end = 0
    for piece in pieces:
        start, end = end, end + len(piece)
        n_characters = len(fold_piece(piece))
        if not n_characters and ends:
            ends[-1] = end  # a dropped mark belongs to its letter
        starts += [start] * n_characters
        ends += [end] * n_characters
    return _Origins(starts, ends)


def _pieces(text: str, form: Form) -> Iterator[str]:
    """Yield the smallest pieces of a text that normalize independently, in linear time.

    A character starts a piece unless it is a mark, which may move, or composes with the characters before it.
    """
    start = 0
    for place in range(1, len(text)):
        if not _is_mark(text[place]) and not _composes(text[start:place], text[place], form):
            yield text[start:place]
            start = place
    if text:
        yield text[start:]


def _composes(piece: str, character: str, form: Form) -> bool:
    if character.isascii():
        return False
    together, *apart = (unicodedata.normalize(form, part) for part in (piece + character, piece, character))
    return together != "".join(apart)


@lru_cache(1 << 16)
def _is_mark(character: str) -> bool:
    return unicodedata.combining(unicodedata.normalize("NFKD", character)[0]) > 0
