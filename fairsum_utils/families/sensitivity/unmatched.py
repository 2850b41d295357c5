"""Statements of a summary that another one does not make: which ones were lost, and which were added."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np

from fairsum_utils.families.sensitivity.distances import words
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.text.caching import kept_of_short_texts
from fairsum_utils.text.splitting import sentence_units

__all__ = ["LEAST_SHARED", "Statement", "statements_of", "unmatched", "without_counterpart"]

LEAST_SHARED = 0.5
"""Two statements say the same if they share at least so much of their words: twice those in both over those in each."""

_TOGETHER = 1 << 22
"""Pairs of statements that are worked on at a time."""
_FIRST = 4
"""Statements of a summary that are compared first, since most have a counterpart among any few, or among none."""

Statement = frozenset[str]
"""The different words of a statement, in lower case."""


@kept_of_short_texts
def statements_of(text: str) -> tuple[Statement, ...]:
    """The statements of a summary, as sets of words.

    Args:
        text: English.

    Example:
        >>> [sorted(statement) for statement in statements_of("It rained. It did!")]
        [['it', 'rained'], ['did', 'it']]
    """
    return tuple(frozenset(words(statement)) for statement in sentence_units(text))


def without_counterpart(statements: Iterable[Statement], others: Sequence[Statement]) -> list[bool]:
    """Whether nothing among others says what each statement does, see `LEAST_SHARED`.

    Args:
        statements: of a summary.
        others: of another summary.

    Example:
        >>> first, second = statements_of("He won the cup. Nobody came."), statements_of("She won the big cup.")
        >>> without_counterpart(first, second)
        [False, True]
    """
    known = set(others)
    having: dict[str, list[Statement]] = {}
    for other in known:
        for word in other:
            having.setdefault(word, []).append(other)

    def is_alone(statement: Statement) -> bool:
        # A counterpart shares a third of the words at least, and so one of the others: the rarest are looked up.
        rarest = sorted(statement, key=lambda word: len(having.get(word, ())))[: len(statement) * 2 // 3 + 1]
        return not any(_say_the_same(statement, other) for word in rarest for other in having.get(word, ()))

    return [statement not in known and is_alone(statement) for statement in statements]


def _say_the_same(one: Statement, other: Statement) -> bool:
    return 2 * len(one & other) >= LEAST_SHARED * (len(one) + len(other))


def unmatched(texts: Sequence[str]) -> Floats:
    """How many statements of each summary have no counterpart in each other one.

    Time grows as the pairs of statements that share words, those left out that have a counterpart in all summaries
    among the first; memory as the pairs of statements and summaries.

    Args:
        texts: n summaries.

    Returns:
        Shape (n, n): in row i and column j how many statements of i are not in j.

    Example:
        >>> unmatched(["He won the cup. Nobody came.", "She won the big cup."]).tolist()
        [[0.0, 1.0], [0.0, 0.0]]
    """
    from scipy.sparse import csr_array

    made = list(map(statements_of, texts))
    places = {statement: place for place, statement in enumerate(dict.fromkeys(chain.from_iterable(made)))}
    of_words = {word: place for place, word in enumerate(dict.fromkeys(chain.from_iterable(places)))}

    def incidence(rows: Iterable[Iterable[int]], n_columns: int) -> csr_array:
        listed = list(map(list, rows))
        ends = np.cumsum([0, *map(len, listed)])
        columns = np.fromiter(chain.from_iterable(listed), np.int64, ends[-1])
        return csr_array((np.ones(ends[-1]), columns, ends), shape=(len(listed), n_columns))

    counts = incidence(([places[statement] for statement in own] for own in made), len(places))
    counts.sum_duplicates()
    has_word = incidence(([of_words[word] for word in statement] for statement in places), len(of_words))
    sizes = np.array(list(map(len, places)))
    there = counts.T.toarray() > 0  # whether a summary has a counterpart of a statement
    there[sizes == 0] = False
    first = sorted({places[statement] for own in made for statement in own[:_FIRST]})
    few = [first] if _FIRST * len(first) < len(places) else []
    for others in (*few, list(range(len(places)))):
        left = np.flatnonzero(~there.all(1))
        step = _TOGETHER // max(len(others), 1) + 1
        for start in range(0, len(left), step):
            rows = left[start : start + step]
            shared = (has_word[rows] @ has_word[others].T).tocoo()
            alike = 2 * shared.data >= LEAST_SHARED * (sizes[rows][shared.row] + sizes[others][shared.col])
            same = csr_array((alike, (shared.row, shared.col)), shape=shared.shape)
            there[rows] |= (same @ counts[:, others].T).toarray() > 0
    return np.asarray(counts.sum(1)[:, None] - counts @ there)
