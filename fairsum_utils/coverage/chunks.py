"""Documents in chunks short enough for an entailment model.

Words are what white space separates; in Chinese and Japanese, what a segmenter cuts, marks included.
"""

from __future__ import annotations

from collections.abc import Iterator

from fairsum_utils.text.splitting import SentenceSplitter, get_splitter

__all__ = ["chunks", "windows"]


def chunks(text: str, chunk_words: int = 100, language: str = "english") -> list[str]:
    """Cut a document into consecutive chunks of whole sentences, each as long as it can be.

    A sentence of more than `chunk_words` words is cut into chunks of its own.

    Args:
        text: a document.
        chunk_words: most words in a chunk, at least 1.
        language: English name.

    Returns:
        The chunks in order; none if there is no text.

    Source: papers/coverage-fairness, appendix A.2, which leaves open how sentences are put together.

    Example:
        >>> chunks("It was good. I ate a lot. We will come again.", chunk_words=7)
        ['It was good. I ate a lot.', 'We will come again.']
    """
    splitter = get_splitter(language)
    return [splitter.space.join(parts) for parts in _packed(text, chunk_words, splitter)]


def _packed(text: str, chunk_words: int, splitter: SentenceSplitter) -> Iterator[list[str]]:
    """The sentences, or the words of a long one, of each chunk."""
    chunk: list[str] = []
    n_words = 0
    for sentence in splitter.sentences(text):
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

    Args:
        text: a document.
        chunk_words: a window of several sentences has fewer words than this; at least 1.
        language: English name.

    Returns:
        The windows in order of their sentences, each once; none if there is no text. Time is linear in the sentences
        for a given `chunk_words`.

    Source: the code published with papers/coverage-fairness. It drops a window also if an earlier document of the same
    set has it, which leaves a copy of a document uncovered; here every document stands for itself.

    Example:
        >>> windows("It was good. I ate a lot. We will come again.", chunk_words=8)
        ['It was good. I ate a lot.', 'We will come again.']
    """
    splitter = get_splitter(language)
    parts = splitter.sentences(text)
    lengths = [len(splitter.words(sentence)) for sentence in parts]
    joined = (splitter.space.join(parts[_window(lengths, place, chunk_words)]) for place in range(len(parts)))
    return list(dict.fromkeys(joined))


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
