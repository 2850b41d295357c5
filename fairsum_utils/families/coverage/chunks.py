"""Chunks of documents, units of summaries, and which chunk covers a unit best."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.text.splitting import SentenceSplitter, get_splitter, located
from fairsum_utils.validation import check_strings

# Sentences, or the words of long ones; and which of them each chunk is made of.
Cut: TypeAlias = tuple[list[str], list[slice]]


def cut(
    sentences: Sequence[str], chunk_words: int | None = 100, language: str = "english", *, overlapping: bool = False
) -> list[str]:
    """Cut the sentences of a document into chunks.

    Chunks follow one another, each of as many whole sentences as fit; a sentence of more than `chunk_words` words is
    cut into chunks of its own. None makes each sentence a chunk.

    Overlapping chunks are windows, one around each sentence, as in the published code: a window takes in the neighbours
    at distance 1, then 2, and so on, the shorter of the two first (of equal ones the left), and ends at the first that
    would bring it to `chunk_words` words. A sentence that has as many is a window by itself.

    Returns:
        The chunks in order, each window once. Time is linear in the sentences for a given `chunk_words`.

    Source: Li et al. 2025, appendix A.2, which leaves open how sentences are put together, and its code. That
    drops a window also if an earlier document of the same set has it, which leaves a copy of a document uncovered; here
    every document stands for itself.

    Example:
        >>> sentences = ["It was good.", "I ate a lot.", "We will come again."]
        >>> cut(sentences, chunk_words=7)
        ['It was good. I ate a lot.', 'We will come again.']
        >>> cut(sentences, chunk_words=9, overlapping=True)
        ['It was good. I ate a lot.', 'I ate a lot. We will come again.']
    """
    splitter = get_splitter(language)
    parts, chunks = _cut(sentences, chunk_words, splitter, overlapping)
    return [splitter.space.join(parts[chunk]) for chunk in chunks]


def chunks(text: str, chunk_words: int | None = 100, language: str = "english") -> list[str]:
    """Cut a document into consecutive chunks, see `cut`; a blank text has none.

    Example:
        >>> chunks("It was good. I ate a lot.", chunk_words=None)
        ['It was good.', 'I ate a lot.']
    """
    return cut(get_splitter(language).sentences(text), chunk_words, language)


def chunk_spans(
    text: str, chunk_words: int | None = 100, language: str = "english", *, overlapping: bool = False
) -> list[tuple[int, int]]:
    """Locate each chunk of a document; equal windows get the first location.

    Returns:
        Of each chunk its first character and the one after its last. A chunk differs from that stretch by nothing but
        white space, which it may lack or have one blank of.

    Example:
        >>> text = "It was good.\\n\\nI ate a lot. We will come again."
        >>> chunk_spans(text, chunk_words=7), chunk_spans(text, chunk_words=9, overlapping=True)
        ([(0, 26), (27, 46)], [(0, 26), (14, 46)])
    """
    splitter = get_splitter(language)
    parts, chunks = _cut(splitter.sentences(text), chunk_words, splitter, overlapping)
    places = located(text, parts)
    return [(places[chunk.start][0], places[chunk.stop - 1][1]) for chunk in chunks]


def _cut(sentences: Sequence[str], chunk_words: int | None, splitter: SentenceSplitter, overlapping: bool) -> Cut:
    """Choose the sentences or words of each chunk."""
    parts = list(sentences)
    if chunk_words is None:
        return parts, [slice(place, place + 1) for place in range(len(parts))]
    if not overlapping:
        return _packed(parts, chunk_words, splitter)
    lengths = [len(splitter.words(sentence)) for sentence in parts]
    windows: dict[str, slice] = {}
    for place in range(len(parts)):
        window = _window(lengths, place, chunk_words)
        windows.setdefault(splitter.space.join(parts[window]), window)
    return parts, list(windows.values())


def _packed(sentences: list[str], chunk_words: int, splitter: SentenceSplitter) -> Cut:
    """Pack sentences into chunks; split longer sentences into words."""
    parts: list[str] = []
    chunks: list[slice] = []
    start = n_words = 0
    for sentence in sentences:
        words = splitter.words(sentence)
        if n_words + len(words) > chunk_words and start < len(parts):
            chunks.append(slice(start, len(parts)))
            start, n_words = len(parts), 0
        if len(words) <= chunk_words:
            parts.append(sentence)
            n_words += len(words)
            continue
        stop = start + len(words)
        chunks += [slice(place, min(place + chunk_words, stop)) for place in range(start, stop, chunk_words)]
        parts += words
        start = stop
    return parts, chunks + ([slice(start, len(parts))] if start < len(parts) else [])


def _window(lengths: list[int], place: int, chunk_words: int) -> slice:
    """Return the window of sentences around a sentence."""
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


# summary -> its units.
Splitter: TypeAlias = Callable[[str], list[str]]


def check_units(module: str, index: int, units: object) -> list[str]:
    """Check the units of one summary.

    Returns:
        The units as a new list.

    Example:
        >>> check_units("equal_coverage", 3, ["It is cheap.", " "])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: equal_coverage: sample 3: units[1] must be a non-blank string, found
        str ' '; fill it in or remove it
    """
    where = f"{module}: sample {index}: units"
    checked = check_strings(where, units, "statements of the summary", "fill it in or remove it")
    if not checked:
        raise InputError(f"{where} is an empty list; give at least one unit, or remove the sample")
    return checked


class CoverageMatrix(NamedTuple):
    """Probability that each document covers each unit, with the best chunk.

    Attributes:
        probability: shape (documents, units).
        chunk: shape (documents, units), position of the best chunk within its document.
    """

    probability: Floats
    chunk: Integers


def best_chunks(probability: Floats, chunks_per_document: Sequence[int]) -> CoverageMatrix:
    """Return the most probable chunk of each document; ties go to the first chunk.

    Source: Li et al. 2025, equation 2.

    Example:
        >>> best_chunks(np.array([[0.2], [0.9], [0.4]]), [2, 1]).probability.tolist()
        [[0.9], [0.4]]
    """
    stops = np.cumsum(chunks_per_document)
    parts = [probability[stop - count : stop] for stop, count in zip(stops, chunks_per_document, strict=True)]
    return CoverageMatrix(
        probability=np.array([part.max(axis=0, initial=0.0) for part in parts]),
        chunk=np.array([part.argmax(axis=0) if len(part) else np.zeros(part.shape[1], np.int64) for part in parts]),
    )


def merge_units(entails: Bools) -> list[list[int]]:
    """Group units that entail each other, directly or through other units.

    Returns:
        Positions of the units of each group, sorted.

    Source: the released code of Li et al. 2025, not the paper.

    Example:
        >>> merge_units(np.array([[1, 0, 1], [0, 1, 1], [1, 0, 1]], dtype=bool))
        [[0, 2], [1]]
    """
    mutual = entails & entails.T
    groups: list[list[int]] = []
    left = set(range(len(mutual)))
    while left:
        group, joining = set(), {min(left)}
        while joining:
            group |= joining
            left -= joining
            joining = {int(unit) for member in joining for unit in np.flatnonzero(mutual[member])} & left
        groups.append(sorted(group))
    return groups
