"""Count vectors of summaries: what scikit-learn's CountVectorizer counts, without scikit-learn.

Source: papers/news-summarization-bias, section 3.4: distinguishability compares count vectors without stop words.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

__all__ = ["count_vector", "stack_counts"]

_words = re.compile(r"\b\w\w+\b").findall


@cache
def _stop_words() -> frozenset[str]:
    text = files("fairsum_utils._util.resources").joinpath("english_stop_words.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if not line.startswith("#"))


def count_vector(text: str) -> dict[str, int]:
    """How often each word occurs: in lower case, of two or more word characters, no English stop word.

    Equal to what ``CountVectorizer(stop_words="english")`` of scikit-learn counts. The markers of anonymized names
    (FIRST_NAME, LAST_NAME, TITLE) are words like others.

    Args:
        text: any string; time grows as its length.

    Returns:
        Word -> count, in the order of the words' first occurrence; empty if no word is left.

    Source: papers/news-summarization-bias, section 3.4; the stop words are those of scikit-learn.

    Example:
        >>> count_vector("TITLE LAST_NAME said that the U.N. vote, a first, was the last vote.")
        {'title': 1, 'last_name': 1, 'said': 1, 'vote': 2}
    """
    stop_words = _stop_words()
    return dict(Counter([word for word in _words(text.lower()) if word not in stop_words]))


def stack_counts(vectors: Sequence[Mapping[str, float]]) -> csr_matrix:
    """Count vectors as the rows of one sparse matrix.

    Args:
        vectors: word -> count, n of them.

    Returns:
        Shape (n, words), float64; a column for each word that occurs, in alphabetical order. Memory grows as the
        words of the vectors, not as n times all words.

    Example:
        >>> stack_counts([{"soup": 2.0}, {}, {"cold": 1.0, "soup": 1.0}]).toarray().tolist()
        [[0.0, 2.0], [0.0, 0.0], [1.0, 1.0]]
    """
    from scipy.sparse import csr_matrix

    columns = {word: place for place, word in enumerate(sorted(set().union(*vectors)))}
    sizes = np.fromiter(map(len, vectors), dtype=np.int64, count=len(vectors))
    n = int(sizes.sum())
    indices = np.fromiter(map(columns.__getitem__, chain.from_iterable(vectors)), dtype=np.int64, count=n)
    counts = np.fromiter(chain.from_iterable(vector.values() for vector in vectors), dtype=np.float64, count=n)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    matrix = csr_matrix((counts, indices, starts), shape=(len(vectors), len(columns)))
    matrix.sort_indices()
    return matrix
