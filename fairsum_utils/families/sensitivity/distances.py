"""Distances between the summaries of an original, from 0 (the same) to 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from typing import TypeAlias
from unicodedata import normalize

import numpy as np

from fairsum_utils.stats.arrays import Floats
from fairsum_utils.text.splitting import plain_words

Distances: TypeAlias = Callable[[Sequence[Sequence[str]]], Floats]
"""Of each of K originals its n texts -> their distances, shape (K, n, n)."""

_LONGEST = 4
"""Words of the longest n-grams of BLEU."""


@lru_cache(maxsize=1 << 10)
def words(text: str) -> tuple[str, ...]:
    """Split a text into lower-case words of letters, digits and inner apostrophes.

    Example:
        >>> words("Ann's 2 cats didn't come.")
        ("ann's", '2', 'cats', "didn't", 'come')
    """
    return tuple(plain_words(normalize("NFC", text).lower()))


def word_distances(originals: Sequence[Sequence[str]]) -> Floats:
    """Compute 1 - cosine of word counts; wordless texts are equal.

    Example:
        >>> word_distances([["a b", "a c", "!"]])[0].round(9).tolist()
        [[0.0, 0.5, 1.0], [0.5, 0.0, 1.0], [1.0, 1.0, 0.0]]
    """
    n = len(originals[0])
    rows: list[int] = []
    columns: list[int] = []
    entries: list[int] = []
    width = 1
    for original, texts in enumerate(originals):
        places: dict[str, int] = {}
        for place, text in enumerate(texts, original * n):
            counts = Counter(words(text))
            columns += [places.setdefault(word, len(places)) for word in counts]
            entries += counts.values()
            rows += [place] * len(counts)
        width = max(width, len(places))
    flat = np.zeros((len(originals) * n, width))
    flat[rows, columns] = entries
    table = flat.reshape(len(originals), n, width)
    return _from_dots(table @ table.swapaxes(1, 2))


def _from_dots(dots: Floats) -> Floats:
    """Convert dot products, shape (K, n, n), to cosine distances; zero vectors are equal."""
    squares = np.diagonal(dots, axis1=1, axis2=2)
    lengths = np.sqrt(squares[:, :, None] * squares[:, None, :])  # whole numbers, so that equal texts have distance 0
    cosines = np.divide(dots, lengths, out=np.zeros_like(dots), where=lengths > 0)
    cosines[(squares[:, :, None] == 0) & (squares[:, None, :] == 0)] = 1.0
    return np.asarray(np.clip(1 - cosines, 0.0, 1.0))


def rouge_l(first: Sequence[str], second: Sequence[str]) -> float:
    """Compute ROUGE-L: longest common subsequence over mean length; 1 if both lists are empty.

    Time grows as the product of the lengths, 64 words at a time.

    Source: C.-Y. Lin, "ROUGE: A Package for Automatic Evaluation of Summaries", 2004, section 3.1, with beta 1; H.
    Hyyrö, "Bit-Parallel LCS-length Computation Revisited", 2004.

    Example:
        >>> rouge_l("police killed the gunman".split(), "police kill the gunman".split())
        0.75
    """
    if not first or not second:
        return float(not first and not second)
    places: dict[str, int] = {}
    for place, word in enumerate(first):
        places[word] = places.get(word, 0) | 1 << place
    everywhere = (1 << len(first)) - 1
    open_places = everywhere  # a bit is cleared for each word of the longest common subsequence
    for word in second:
        matched = open_places & places.get(word, 0)
        open_places = (open_places + matched | open_places - matched) & everywhere
    return 2 * (len(first) - open_places.bit_count()) / (len(first) + len(second))


def bleu(first: Sequence[str], second: Sequence[str]) -> float:
    """Compute BLEU of two lists of words, averaged over both directions.

    Source: K. Papineni et al., "BLEU: a Method for Automatic Evaluation of Machine Translation", 2002; C.-Y. Lin and
    F. J. Och, "ORANGE", 2004 (smoothing, for sentences).

    Example:
        >>> round(bleu("a b c d".split(), "a b c e".split()), 6)  # (3/4 * 3/4 * 2/3 * 1/2) ** (1/4)
        0.658037
    """
    if not first or not second:
        return float(not first and not second)
    logarithms = np.zeros(2)
    for n in range(1, _LONGEST + 1):
        ours, theirs = (Counter(zip(*(each[k:] for k in range(n)), strict=False)) for each in (first, second))
        shared, smoothing = (ours & theirs).total(), int(n > 1)
        if not shared + smoothing:
            return 0.0
        logarithms += np.log([(shared + smoothing) / (each.total() + smoothing) for each in (ours, theirs)])
    lengths = len(first), len(second)
    brevity = [min(0.0, 1 - other / each) for each, other in (lengths, lengths[::-1])]
    return float(np.exp(logarithms / _LONGEST + brevity).mean())


def _pairwise(originals: Sequence[Sequence[str]], likeness: Callable[[str, str], float]) -> Floats:
    """Compute 1 - similarity of each pair of texts, once for equal pairs."""
    n = len(originals[0])
    distances = np.zeros((len(originals), n, n))
    for table, texts in zip(distances, originals, strict=True):
        known: dict[tuple[str, str], float] = {}
        for i, j in combinations(range(n), 2):
            pair = (texts[i], texts[j]) if texts[i] <= texts[j] else (texts[j], texts[i])
            if pair not in known:
                known[pair] = 1 - likeness(*pair)
            table[i, j] = table[j, i] = known[pair]
    return distances


def rouge_l_distances(originals: Sequence[Sequence[str]]) -> Floats:
    """Compute 1 - `rouge_l` of words, see `word_distances`."""
    return _pairwise(originals, lambda first, second: rouge_l(words(first), words(second)))


def bleu_distances(originals: Sequence[Sequence[str]]) -> Floats:
    """Compute 1 - `bleu` of words, see `word_distances`."""
    return _pairwise(originals, lambda first, second: bleu(words(first), words(second)))


def embedding_distances(originals: Sequence[Sequence[str]], embed: Callable[[Sequence[str]], Floats]) -> Floats:
    """Compute 1 - cosine of vectors; negative cosines count as 0.

    Example:
        >>> embedding_distances([["a", "b"]], lambda texts: np.array([[1.0, 0.0], [-1.0, 0.0]])).tolist()
        [[[0.0, 1.0], [1.0, 0.0]]]
    """
    flat = [text for texts in originals for text in texts]
    distinct = {text: place for place, text in enumerate(dict.fromkeys(flat))}
    vectors = np.asarray(embed(list(distinct)), dtype=np.float64)[[distinct[text] for text in flat]]
    table = vectors.reshape(len(originals), len(originals[0]), -1)
    distances = _from_dots(table @ table.swapaxes(1, 2))
    same = np.array([[[first == second for second in texts] for first in texts] for texts in originals])
    return np.where(same, 0.0, distances)
