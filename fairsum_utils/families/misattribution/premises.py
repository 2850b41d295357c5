"""Words of a turn that may support a claim."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from fairsum_utils.text.serious import contradict, negations, words_of
from fairsum_utils.text.splitting import get_splitter

_ASSENT = re.compile(
    r"""(?:(?:well|oh|ah|um|uh|so|and|but|okay|ok)\b[\s,.]*)*
    (?:
        (?:
            yes|yeah|yep|yup|exactly|absolutely|definitely|agreed|indeed|of\ course|uh-huh|mm-?hmm|me\ too|same\ here
            |so\ do\ i|neither\ do\ i|i\ agree|i\ (?:think|believe|suppose)\ so
            |i\ (?:like|love|second|support)\ (?:that|this|it|the|your)
            |that(?:['’]s|\ is|\ was|\ sounds|\ makes)
            |(?:very\ )?(?:good|great|nice|fair|excellent)\ (?:idea|point|plan)
            |(?:you(?:['’]re|\ are)|\w+\ is)\ (?:quite\ |absolutely\ )?right
        )\b
        |(?:
            right|true|sure|correct|fair|fair\ enough|certainly|fine|good|great
            |(?:i|it|we|they|he|she)\ (?:am|is|are|was|were|does|do|did|has|have)
        )\s*(?:[.,;!–—]|$)
    )""",
    re.IGNORECASE | re.VERBOSE,
)
"""Beginnings of turns that agree with the turn before."""


def with_context(turns: Sequence[str], place: int) -> str:
    """Return a turn after the one that it assents to, if any.

    Example:
        >>> with_context(["Did rents fall?", "Yes, in May.", "Good."], 1)
        'Did rents fall? Yes, in May.'
    """
    start = place
    while start and _ASSENT.match(turns[start].lstrip()):
        start -= 1
    return " ".join(turns[start : place + 1])


def own_statements(turn: str, names: Callable[[str], bool]) -> str:
    """Return a turn without its questions, and without sentences about another speaker.

    Args:
        names: function that returns whether a text names that speaker.

    Example:
        >>> own_statements("Did rents fall? As Lee said, costs rose. I think so.", lambda text: "Lee" in text)
        'I think so.'
    """
    if "?" not in turn and not names(turn):
        return turn
    return " ".join(sentence for sentence in _sentences(turn) if "?" not in sentence[-3:] and not names(sentence))


def without_contradictions(text: str, statement: str) -> str:
    """Return a text without the sentences that contradict a statement.

    Example:
        >>> without_contradictions("Rents are not too high. Wages are too low.", "rents are too high")
        'Wages are too low.'
    """
    if not (_denies(text) or _denies(statement)):
        return text
    return " ".join(sentence for sentence in _sentences(text) if not contradict(sentence, statement))


@lru_cache(maxsize=4096)
def _sentences(text: str) -> list[str]:
    return get_splitter("english").sentences(text)


@lru_cache(maxsize=4096)
def _denies(text: str) -> bool:
    return any(negations(words_of(text)))
