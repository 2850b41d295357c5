"""Transcripts: the turns of a text with lines such as ``Anna: Good morning.``"""

from __future__ import annotations

import re

from fairsum_utils.errors import InputError
from fairsum_utils.validation import describe

__all__ = ["cut_transcript"]

_STAMP = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_SPAN = rf"{_STAMP}(?:\s{{0,2}}(?:-->|[-–—])\s{{0,2}}{_STAMP})?"
_BRACKETED = rf"[\[(<]\s?{_SPAN}\s?[\])>]"
# Every repetition is bounded, so that no line takes more than linear time.
_TURN = re.compile(
    rf"(?:(?:{_BRACKETED}|{_SPAN})\s{{0,8}})?"
    r"(?P<speaker>[^\s:：\[\]<>!?;\"][^:：\[\]<>!?;\"\n]{0,59}?)"
    rf"\s{{0,8}}(?:{_BRACKETED}\s{{0,8}})?(?::(?=\s|$)|：)"
)
_STAMPED = re.compile(rf"{_BRACKETED}|{_SPAN}$")
_MOST_WORDS = 6
"""Of a name; a longer one is a sentence with a colon in it."""


def cut_transcript(transcript: object) -> tuple[list[str], list[str]]:
    """The turns of a transcript: their texts, and the speaker of each.

    A turn begins with a line ``SPEAKER: text``; the colon is followed by a space or the end of the line, or is that of
    Chinese and Japanese. A name has at most 60 characters and 6 words. A line that begins otherwise goes on with the
    turn before, as does a ``SPEAKER:`` without text after a turn of the same speaker; the parts are joined by a space.
    Time stamps such as ``[00:01:02]`` before a line or after a name are dropped, and blank lines and turns without a
    word are passed over.

    Args:
        transcript: the text, or a list of its lines.

    Raises:
        InputError: it is no text, has no turn, or begins with a line of nobody.

    Example:
        >>> cut_transcript("[00:01:02] Anna: Good morning.\\nBen: Morning!\\nSlept well?")
        (['Good morning.', 'Morning! Slept well?'], ['Anna', 'Ben'])
    """
    turns: list[tuple[str, list[str]]] = []
    for line in _lines(transcript):
        head = _TURN.match(line)
        if head and len(head["speaker"].split()) <= _MOST_WORDS:
            speaker, said = head["speaker"], line[head.end() :].strip()
            if said or not turns or turns[-1][0] != speaker:
                turns.append((speaker, []))
        else:
            said = _STAMPED.sub("", line, count=1).strip() if _STAMPED.match(line) else line
            if said and not turns:
                raise InputError(
                    f"the transcript begins with text before the first speaker, {describe(said)}; begin every turn "
                    "with 'SPEAKER: ', and leave out what nobody says"
                )
        if said:
            turns[-1][1].append(said)
    spoken = [(speaker, " ".join(parts)) for speaker, parts in turns if parts]
    if not spoken:
        raise InputError(f"the transcript has no line 'SPEAKER: text', found {describe(transcript)}; give at least one")
    return [text for _, text in spoken], [speaker for speaker, _ in spoken]


def _lines(transcript: object) -> list[str]:
    if isinstance(transcript, (list, tuple)) and all(isinstance(line, str) for line in transcript):
        transcript = "\n".join(transcript)
    if not isinstance(transcript, str):
        raise InputError(f"a transcript must be a text with lines 'SPEAKER: text', found {describe(transcript)}")
    # Not splitlines, which cuts at characters such as U+2028 as well.
    return [line for part in re.split(r"\r\n?|\n", transcript) if (line := part.strip())]
