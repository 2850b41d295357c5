"""Statements of a summary that another one does not make: which ones were lost, and which were added."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fairsum_utils.sensitivity.distances import words
from fairsum_utils.text.caching import kept_of_short_texts
from fairsum_utils.text.splitting import sentence_units

__all__ = ["LEAST_SHARED", "Statement", "statements_of", "without_counterpart"]

LEAST_SHARED = 0.5
"""Two statements say the same if they share at least so much of their words: twice those in both over those in each."""

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
    return [
        statement not in known and not any(_say_the_same(statement, other) for other in others)
        for statement in statements
    ]


def _say_the_same(one: Statement, other: Statement) -> bool:
    return 2 * len(one & other) >= LEAST_SHARED * (len(one) + len(other))
