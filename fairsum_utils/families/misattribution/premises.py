"""Words of a turn that may support a claim."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from fairsum_utils.families.misattribution.names import Roster
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
_MOST_ASSENTS = 4
"""Most turns in a row that agree with the one before them."""


@lru_cache(maxsize=256)
def premises(
    turns: tuple[str, ...], labels: tuple[str, ...], roster: Roster, speaker: int, *, of_speaker: bool
) -> dict[int, str]:
    """Map positions of a speaker's turns, or of all others, to what they state.

    A turn that begins with assent also states what the turn before it does. Others state neither their questions nor
    sentences that name the speaker.

    Example:
        >>> roster, turns = Roster(["Lee", "Park"]), ("Did rents fall? Lee says so. I doubt it.", "Yes, in May.")
        >>> premises(turns, ("Park", "Lee"), roster, 0, of_speaker=True)
        {1: 'Did rents fall? Lee says so. I doubt it. Yes, in May.'}
        >>> premises(turns, ("Park", "Lee"), roster, 0, of_speaker=False)
        {0: 'I doubt it.'}
    """
    found = {}
    for place, (label, turn) in enumerate(zip(labels, turns, strict=True)):
        if turn.strip() and (label == roster.speakers[speaker]) == of_speaker:
            found[place] = _with_context(turns, place) if of_speaker else _own(turn, roster, speaker)
    return {place: text for place, text in found.items() if text}


def _with_context(turns: Sequence[str], place: int) -> str:
    """Return a turn after the one that it assents to, if any."""
    start = place
    while start > max(0, place - _MOST_ASSENTS) and _ASSENT.match(turns[start].lstrip()):
        start -= 1
    return " ".join(turns[start : place + 1])


def _own(turn: str, roster: Roster, speaker: int) -> str:
    """Return a turn without its questions and sentences about another speaker."""
    if "?" not in turn and speaker not in _named(roster, turn):
        return turn
    kept = (each for each in _sentences(turn) if "?" not in each[-3:] and speaker not in _named(roster, each))
    return " ".join(kept)


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
def _named(roster: Roster, text: str) -> frozenset[int]:
    return roster.named(text)


@lru_cache(maxsize=4096)
def _denies(text: str) -> bool:
    return any(negations(words_of(text)))
