"""Cutting: documents into chunks, and the checked units of summaries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.text.splitting import SentenceSplitter, get_splitter, located
from fairsum_utils.validation import describe


def chunks(text: str, chunk_words: int | None = 100, language: str = "english") -> list[str]:
    """Cut a document into consecutive chunks of whole sentences, each as long as it can be.

    A sentence of more than `chunk_words` words is cut into chunks of its own.

    Returns:
        The chunks in order; none if there is no text.

    Source: papers/coverage-fairness, appendix A.2, which leaves open how sentences are put together.

    Example:
        >>> chunks("It was good. I ate a lot. We will come again.", chunk_words=7)
        ['It was good. I ate a lot.', 'We will come again.']
        >>> chunks("It was good. I ate a lot.", chunk_words=None)
        ['It was good.', 'I ate a lot.']
    """
    return chunks_of(get_splitter(language).sentences(text), chunk_words, language)


def chunks_of(sentences: list[str], chunk_words: int | None = 100, language: str = "english") -> list[str]:
    """Cut a document that is already split into sentences."""
    splitter = get_splitter(language)
    return [splitter.space.join(parts) for parts in _packed(sentences, chunk_words, splitter)]


def chunk_spans(text: str, chunk_words: int | None = 100, language: str = "english") -> list[tuple[int, int]]:
    """Locate each of the `chunks` of a document.

    Returns:
        Of each chunk its first character and the one after its last. A chunk differs from that stretch by nothing but
        white space, which it may lack or have one blank of.

    Example:
        >>> chunk_spans("It was good.\\n\\nI ate a lot.  We left.", chunk_words=7)
        [(0, 26), (28, 36)]
    """
    splitter = get_splitter(language)
    packed = list(_packed(splitter.sentences(text), chunk_words, splitter))
    places = iter(located(text, [part for parts in packed for part in parts]))
    of_chunks = [[next(places) for _ in parts] for parts in packed]
    return [(of_chunk[0][0], of_chunk[-1][1]) for of_chunk in of_chunks]


def _packed(sentences: list[str], chunk_words: int | None, splitter: SentenceSplitter) -> Iterator[list[str]]:
    """The sentences, or the words of a long one, of each chunk."""
    if chunk_words is None:
        yield from ([sentence] for sentence in sentences)
        return
    chunk: list[str] = []
    n_words = 0
    for sentence in sentences:
        words = splitter.words(sentence)
        if chunk and n_words + len(words) > chunk_words:
            yield chunk
            chunk, n_words = [], 0
        if len(words) > chunk_words:
            yield from (words[start : start + chunk_words] for start in range(0, len(words), chunk_words))
        else:
            chunk.append(sentence)
            n_words += len(words)
    if chunk:
        yield chunk


def windows(text: str, chunk_words: int = 100, language: str = "english") -> list[str]:
    """Cut a document into overlapping windows of sentences, one around each sentence, as the published code does.

    A window takes in the neighbours at distance 1, then 2, and so on, the shorter of the two first (of equal ones the
    left), and ends at the first that would bring it to `chunk_words` words. A sentence that has as many is a window by
    itself.

    Returns:
        The windows in order of their sentences, each once; none if there is no text. Time is linear in the sentences
        for a given `chunk_words`.

    Source: the code published with papers/coverage-fairness. It drops a window also if an earlier document of the same
    set has it, which leaves a copy of a document uncovered; here every document stands for itself.

    Example:
        >>> windows("It was good. I ate a lot. We will come again.", chunk_words=8)
        ['It was good. I ate a lot.', 'We will come again.']
    """
    return windows_of(get_splitter(language).sentences(text), chunk_words, language)


def windows_of(sentences: list[str], chunk_words: int = 100, language: str = "english") -> list[str]:
    """Cut a document that is already split into sentences."""
    return list(_windows(sentences, chunk_words, get_splitter(language)))


def window_spans(text: str, chunk_words: int = 100, language: str = "english") -> list[tuple[int, int]]:
    """Locate the first occurrence of each of the `windows` of a document.

    Returns:
        Of each window its first character and the one after its last, as for `chunk_spans`.

    Example:
        >>> window_spans("It was good.\\n\\nI ate a lot. We will come again.", chunk_words=9)
        [(0, 26), (14, 46)]
    """
    splitter = get_splitter(language)
    parts = splitter.sentences(text)
    places = located(text, parts)
    found = _windows(parts, chunk_words, splitter).values()
    return [(places[window.start][0], places[window.stop - 1][1]) for window in found]


def _windows(parts: list[str], chunk_words: int, splitter: SentenceSplitter) -> dict[str, slice]:
    """Each window of sentences, and the first sentences that it is made of."""
    lengths = [len(splitter.words(sentence)) for sentence in parts]
    found: dict[str, slice] = {}
    for place in range(len(parts)):
        window = _window(lengths, place, chunk_words)
        found.setdefault(splitter.space.join(parts[window]), window)
    return found


def _window(lengths: list[int], place: int, chunk_words: int) -> slice:
    """The sentences of the window around a sentence, given the words of every sentence."""
    start, stop = place, place + 1
    n_words = lengths[place]
    while n_words < chunk_words:
        neighbours = [side for side in (start - 1, stop) if 0 <= side < len(lengths)]
        if not neighbours:
            break
        for side in sorted(neighbours, key=lengths.__getitem__):
            n_words += lengths[side]
            if n_words >= chunk_words:
                break
            start, stop = min(start, side), max(stop, side + 1)
    return slice(start, stop)


Splitter: TypeAlias = Callable[[str], list[str]]
"""summary -> its units."""


def check_units(module: str, index: int, units: object) -> list[str]:
    """Check the units of one summary, given or made by a splitter.

    Returns:
        The units as a new list.

    Raises:
        InputError: anything else; the message names the position of the unit.

    Example:
        >>> check_units("equal_coverage", 3, ["It is cheap.", " "])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: equal_coverage: sample 3: units[1] is blank; drop it or fill it in
    """
    where = f"{module}: sample {index}: units"
    if not isinstance(units, (list, tuple, np.ndarray)):
        raise InputError(f"{where} must be a list of strings, found {describe(units)}")
    if not len(units):
        raise InputError(
            f"{where} is an empty list, so there are no units to judge; give at least one, or drop the sample"
        )
    for position, unit in enumerate(units):
        if not isinstance(unit, str):
            raise InputError(f"{where}[{position}] must be a string, found {describe(unit)}")
        if not unit.strip():
            raise InputError(f"{where}[{position}] is blank; drop it or fill it in")
    return [str(unit) for unit in units]
