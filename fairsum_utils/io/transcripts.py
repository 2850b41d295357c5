"""Turns of transcripts: lines such as ``Anna: Good morning.``, captions, names with times."""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from fairsum_utils.errors import InputError, require
from fairsum_utils.validation import describe

_STAMP = r"\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?"
_SPAN = rf"{_STAMP}(?:\s{{0,2}}(?:-->|[-–—])\s{{0,2}}{_STAMP})?"
_BRACKETED = rf"[\[(<]\s?{_SPAN}\s?[\])>]"
_TIME = rf"(?:{_BRACKETED}|{_SPAN})(?:\s?[AaPp][Mm])?"
_NAME = r"[^\s:：\[\]<>!?;\"][^:：\[\]<>!?;\"\n]{0,59}?"
# Every repetition is bounded, so that no line takes more than linear time.
_TURN = re.compile(
    rf"(?:(?:{_BRACKETED}|{_SPAN})\s{{0,8}})?(?P<speaker>{_NAME})"
    rf"\s{{0,8}}(?:{_BRACKETED}\s{{0,8}})?(?::(?=\s|$)|：)"
)
_STAMPED = re.compile(rf"{_BRACKETED}|{_SPAN}$")
_HEADING = re.compile(rf"(?:{_TIME}\s{{1,8}}(?P<after>{_NAME})|(?P<before>{_NAME})\s{{1,8}}{_TIME})\s?[:：]?$")
_TIMES = rf"[ \t]*(?:\d+:)?{_STAMP}[ \t]*-->[ \t]*(?:\d+:)?{_STAMP}(?:[ \t]+\w+:\S+)*[ \t]*$"
_CUE = re.compile(rf"^{_TIMES}", re.MULTILINE)
_NUMBERED = re.compile(rf"^(?:\d+[ \t]*\n)?{_TIMES}", re.MULTILINE)
_VOICE = re.compile(r"<v(?:\.[^\s>]*)?\s+([^>]+)>")
_TAG = re.compile(r"</?(?:[a-z][^<>]{0,80}|\d[\d:.]{0,12})?>")
_MOST_WORDS = 6
"""Maximum words of a name; anything longer is a sentence with a colon."""

Turn = tuple[str | None, str]
"""The speaker of a part of a transcript, None for the one before, and its text."""


def cut_transcript(transcript: object) -> tuple[list[str], list[str]]:
    """Split a transcript into turns: texts and speakers.

    A turn begins with a line ``SPEAKER: text``. The colon is followed by a space or the end of the line, or is a
    full-width colon (Chinese, Japanese). A name has at most 60 characters and 6 words. Any other line continues the
    turn before, as does a ``SPEAKER:`` without text after a turn of the same speaker; the parts are joined by a space.
    A line is cut before further turns of speakers that begin a line, or whose names differ from those by a number or a
    letter: "Speaker 1: Hello. Speaker 3: Hi." Time stamps such as ``[00:01:02]`` before a line or after a name, blank
    lines and turns without a word are dropped.

    If the first line is a name and a time alone, only such lines begin turns. Captions (WebVTT, SubRip) have the
    speakers of their voice tags, else of ``SPEAKER: text`` at the start of a cue; cues of one speaker are one turn.

    Example:
        >>> cut_transcript("[00:01:02] Anna: Good morning.\\nBen: Morning!\\nSlept well?")
        (['Good morning.', 'Morning! Slept well?'], ['Anna', 'Ben'])
        >>> cut_transcript("Anna Bo  0:03\\nMy rule: no debts.\\n\\nBen Cy  0:09\\nFine.")
        (['My rule: no debts.', 'Fine.'], ['Anna Bo', 'Ben Cy'])
    """
    text = _as_text(transcript)
    if _CUE.search(text):
        parts = _of_captions(text)
    else:
        lines = [line for part in text.split("\n") if (line := part.strip())]
        parts = _under_headings(lines) if lines and _HEADING.match(lines[0]) else _of_lines(lines)
    turns: list[tuple[str, list[str]]] = []
    for speaker, words in parts:
        if speaker is not None:
            turns.append((speaker, []))
        elif words and not turns:
            raise InputError(
                f"the transcript begins with text before the first speaker, {describe(words)}; begin every turn with "
                "'SPEAKER: ' and delete other text"
            )
        if words:
            turns[-1][1].append(words)
    spoken = [(speaker, " ".join(words)) for speaker, words in turns if words]
    if not spoken:
        raise InputError(
            f"the transcript has no line 'SPEAKER: text', found {describe(transcript)}; at least one is needed"
        )
    return [text for _, text in spoken], [speaker for speaker, _ in spoken]


def _as_text(transcript: object) -> str:
    """Return a transcript with ends of lines alike."""
    if isinstance(transcript, (list, tuple)) and all(isinstance(line, str) for line in transcript):
        transcript = "\n".join(transcript)
    if not isinstance(transcript, str):
        raise InputError(f"a transcript must be a text with lines 'SPEAKER: text', found {describe(transcript)}")
    # Not splitlines, which also cuts at characters such as U+2028.
    return re.sub(r"\r\n?", "\n", transcript).removeprefix("\ufeff").strip()


def _of_lines(lines: Sequence[str]) -> Iterator[Turn]:
    """Yield the parts of lines ``SPEAKER: text``."""
    counts = Counter(head["speaker"] for head in map(_head, lines) if head)
    within = _within(counts)
    last, is_alone = None, False
    for line in chain.from_iterable(map(within.split, lines)):
        head = _head(line)
        if head and is_alone and counts[head["speaker"]] == 1 and line[head.end() :].strip():
            head = None  # a sentence with a colon, below a name on a line of its own
        is_alone = False
        if head:
            words = line[head.end() :].strip()
            is_alone = not words
            yield head["speaker"] if words or head["speaker"] != last else None, words
            last = head["speaker"]
        else:
            yield None, _without_stamp(line)


def _under_headings(lines: Sequence[str]) -> Iterator[Turn]:
    """Yield the parts of lines below names with times."""
    names = [found["after"] or found["before"] if (found := _HEADING.match(line)) else None for line in lines]
    counts = Counter(names)
    for line, name in zip(lines, names, strict=True):
        is_name = name is not None and len(name.split()) <= _MOST_WORDS
        if is_name and name is not None and (counts[name] > 1 or not name[0].islower()):
            yield name, ""
        else:
            yield None, _without_stamp(line)


def _of_captions(text: str) -> Iterator[Turn]:
    """Yield the parts of cues, with a speaker where it changes."""
    cues = _cues(text)
    has_voices = any(_VOICE.search(line) for lines in cues for line in lines)
    heads = {head["speaker"] for lines in cues if lines and (head := _head(_TAG.sub("", lines[0])))}
    last = None
    for line in chain.from_iterable(cues):
        first, *others = _VOICE.split(line)
        named = [(None, first), *zip(others[::2], others[1::2], strict=True)]
        for voice, part in named:
            speaker, words = voice and html.unescape(voice).strip(), html.unescape(_TAG.sub("", part)).strip()
            if not has_voices and (head := _head(words)) and head["speaker"] in heads:
                speaker, words = head["speaker"], words[head.end() :].strip()
            if words:
                yield (None if speaker == last else speaker), words
                last = speaker or last


def _cues(text: str) -> list[list[str]]:
    """Return the lines of each cue of WebVTT or SubRip."""
    webvtt = require("webvtt", extra="captions", purpose="read captions")
    if not text.startswith("WEBVTT"):  # SubRip; its numbers are identifiers in WebVTT, and its times have a comma
        text = "WEBVTT\n\n" + _NUMBERED.sub(lambda found: "\n" + found[0].replace(",", "."), text)
    try:
        captions = webvtt.from_string(text).captions
    except (webvtt.errors.MalformedFileError, webvtt.errors.MalformedCaptionError) as error:
        raise InputError(f"the captions cannot be read ({error}); write them again") from None
    if len(captions) < (n_cues := len(_CUE.findall(text))):
        raise InputError(f"{n_cues - len(captions)} of {n_cues} captions cannot be read; check their times")
    return [[line for line in caption.lines if line.strip()] for caption in captions]


def _without_stamp(line: str) -> str:
    return _STAMPED.sub("", line, count=1).strip() if _STAMPED.match(line) else line


def _head(line: str) -> re.Match[str] | None:
    """Return the speaker with which a line begins."""
    head = _TURN.match(line)
    return head if head and len(head["speaker"].split()) <= _MOST_WORDS else None


def _within(speakers: Collection[str]) -> re.Pattern[str]:
    """Return a pattern of the places where further turns begin within a line.

    The speakers are those given, and others that are numbered like them. A name without a number follows the end of a
    sentence: "I told Anna: wait" is one turn.
    """
    names = {re.sub(r"\d+", r"\\d+", re.sub(r"\b[A-Z]\b", "[A-Z]", re.escape(speaker))) for speaker in speakers}
    numbered = [name for name in names if r"\d" in name]
    after_end = rf"(?<=[.!?…\"”)])\s{{1,8}}(?=(?:{'|'.join(names)}):\s)"
    return re.compile(rf"{after_end}|\s{{1,8}}(?=(?:{'|'.join(numbered)}):\s)" if numbered else after_end)
