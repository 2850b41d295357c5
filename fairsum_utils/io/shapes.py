"""Turns and transcripts, with lines such as ``Anna: Good morning.``"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import chain
from typing import Annotated, Any

from fairsum_utils.errors import InputError
from fairsum_utils.families.columns import SOURCES, VALUES
from fairsum_utils.settings import Checked, Settings, setting
from fairsum_utils.validation import describe

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
"""Maximum words of a name; anything longer is a sentence with a colon."""


def cut_transcript(transcript: object) -> tuple[list[str], list[str]]:
    """Split a transcript into turns: texts and speakers.

    A turn begins with a line ``SPEAKER: text``. The colon is followed by a space or the end of the line, or is a
    full-width colon (Chinese, Japanese). A name has at most 60 characters and 6 words. Any other line continues the
    turn before, as does a ``SPEAKER:`` without text after a turn of the same speaker; the parts are joined by a space.
    A line is cut before further turns of speakers that begin a line, or whose names differ from those by a number or a
    letter: "Speaker 1: Hello. Speaker 3: Hi." Time stamps such as ``[00:01:02]`` before a line or after a name, blank
    lines and turns without a word are dropped.

    Example:
        >>> cut_transcript("[00:01:02] Anna: Good morning.\\nBen: Morning!\\nSlept well?")
        (['Good morning.', 'Morning! Slept well?'], ['Anna', 'Ben'])
    """
    turns: list[tuple[str, list[str]]] = []
    lines = _lines(transcript)
    within = _within({head["speaker"] for head in map(_head, lines) if head})
    for line in chain.from_iterable(map(within.split, lines)):
        head = _head(line)
        if head:
            speaker, said = head["speaker"], line[head.end() :].strip()
            if said or not turns or turns[-1][0] != speaker:
                turns.append((speaker, []))
        else:
            said = _STAMPED.sub("", line, count=1).strip() if _STAMPED.match(line) else line
            if said and not turns:
                raise InputError(
                    f"the transcript begins with text before the first speaker, {describe(said)}; begin every turn "
                    "with 'SPEAKER: ' and delete other text"
                )
        if said:
            turns[-1][1].append(said)
    spoken = [(speaker, " ".join(parts)) for speaker, parts in turns if parts]
    if not spoken:
        raise InputError(
            f"the transcript has no line 'SPEAKER: text', found {describe(transcript)}; at least one is needed"
        )
    return [text for _, text in spoken], [speaker for speaker, _ in spoken]


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


def _lines(transcript: object) -> list[str]:
    if isinstance(transcript, (list, tuple)) and all(isinstance(line, str) for line in transcript):
        transcript = "\n".join(transcript)
    if not isinstance(transcript, str):
        raise InputError(f"a transcript must be a text with lines 'SPEAKER: text', found {describe(transcript)}")
    # Not splitlines, which also cuts at characters such as U+2028.
    return [line for part in re.split(r"\r\n?|\n", transcript) if (line := part.strip())]


TEXT_KEYS = ("text", "utterance", "content", "body")
"""Default keys for the text of a turn, in any case."""

VALUE_KEYS = ("speaker", "value", "label", "author", "role")
"""Default keys for the value of a turn, in any case."""

_TURN_EXAMPLE = '{"speaker": "Anna", "text": "Good morning."}'


def _check_name(module: str, name: str, given: object) -> str:
    """Check the name of a column or key."""
    if not isinstance(given, str) or not given:
        raise InputError(f"{module}: {name} must be a name, found {describe(given)}")
    return given


Name = Annotated[str, Checked(_check_name)]
"""The name of a column or key."""


class Shape(Settings):
    """The layout of the samples in a table or a file.

    Example:
        >>> Shape(group_by="meeting_id").transcript
        False
    """

    id_column: Name = setting("id", "column with the ids of the samples, optional", metavar="NAME")
    group_by: Name | None = setting(
        None,
        "column that identifies the sample of each row, if each row has one text in `sources` and its value in "
        "`values`",
        metavar="NAME",
    )
    text_key: Name | None = setting(
        None,
        'key of the text, where `sources` are turns such as {"speaker": "Anna", "text": "Yes."}; None for text, '
        "utterance, content or body",
        metavar="KEY",
    )
    value_key: Name | None = setting(
        None,
        "key of the value, where `sources` are turns; None for speaker, value, label, author or role",
        metavar="KEY",
    )
    transcript: bool = setting(
        False,
        "whether `sources` are one text per sample, with a line 'SPEAKER: text' for each turn",
        const=True,
        flag_help="`sources` are one text per sample, with a line 'SPEAKER: text' for each turn",
    )

    def check_together(self) -> None:
        """Refuse keys of turns for a transcript."""
        self.only_with(
            not self.transcript, ("text_key", "value_key"), "lists of turns", "leave it out, or leave transcript out"
        )

    def check_columns(self, names: Collection[str]) -> None:
        """Refuse a shape of sources where no sources are read."""
        if SOURCES.name in names:
            return
        given = [name for name in ("group_by", "text_key", "value_key", "transcript") if getattr(self, name)]
        if given:
            raise InputError(
                f"{self.module}: {given[0]} describes sources, but this measure reads none; omit it or choose a "
                "measure that reads sources"
            )

    @property
    def holds_values(self) -> bool:
        """Return whether sources include the value of each text."""
        return self.transcript or self.value_key is not None

    @property
    def holds_turns(self) -> bool:
        """Return whether the settings declare sources as turns."""
        return self.text_key is not None or self.value_key is not None


def are_turns(sources: object) -> bool:
    """Return whether sources are turns: mappings, or a mapping of lists.

    `datasets` stores a sequence of dicts as the latter.

    Example:
        >>> are_turns([{"speaker": "Anna", "text": "Yes."}]), are_turns({"speaker": ["Anna"], "text": ["Yes."]})
        (True, True)
        >>> are_turns(["Yes."])
        False
    """
    if isinstance(sources, Mapping):
        return bool(sources) and all(isinstance(entries, (list, tuple)) for entries in sources.values())
    return isinstance(sources, (list, tuple)) and bool(sources) and isinstance(sources[0], Mapping)


class Cutter:
    """Splitter of sources into texts and values; the first sample sets the keys.

    Example:
        >>> cutter = Cutter(Shape(), values=True, say=print)
        >>> cutter.cut([{"speaker": "Anna", "text": "Yes."}, {"speaker": "Ben", "text": "No."}])
        sources are turns: the texts are under 'text', the values under 'speaker'
        (['Yes.', 'No.'], ['Anna', 'Ben'])
    """

    def __init__(self, shape: Shape, *, values: bool, say: Callable[[str], None] | None = None) -> None:
        self._shape = shape
        self._values = values
        self._say = say
        self._keys: tuple[str, str | None] | None = None

    def cut(self, sources: Any) -> tuple[Any, list[Any] | None]:
        """Return the texts of a sample, with values if present."""
        if self._shape.transcript:
            texts, speakers = cut_transcript(sources)
            self._tell(f"the first transcript has {len(texts)} turns of {', '.join(dict.fromkeys(speakers))}")
            return texts, speakers if self._values else None
        if not are_turns(sources):
            if self._shape.holds_turns or self._keys:
                remedy = "" if self._keys else "; omit text_key and value_key if sources are texts"
                raise InputError(
                    f"sources must be a list of turns such as {_TURN_EXAMPLE}, found {describe(sources)}{remedy}"
                )
            return sources, None
        turns = _as_list(sources)
        if self._keys is None:
            self._keys = self._choose(turns)
        text_key, value_key = self._keys
        texts = [_entry(place, turn, text_key, "text_key") for place, turn in enumerate(turns)]
        if value_key is None:
            return texts, None
        return texts, [_entry(place, turn, value_key, "value_key") for place, turn in enumerate(turns)]

    def cut_column(self, columns: dict[str, Any], where: Callable[[int], str]) -> dict[str, Any]:
        """Return the columns with split sources, and the values found."""
        cut: list[Any] = []
        found: list[list[Any] | None] = []
        for index, sources in enumerate(columns[SOURCES.name]):
            try:
                texts, values = self.cut(sources)
            except InputError as error:
                raise InputError(f"{where(index)}: {error}") from None
            cut.append(texts)
            found.append(values)
        has_values = found.count(None) < len(found)
        return {**columns, SOURCES.name: cut, **({VALUES.name: found} if has_values else {})}

    def _choose(self, turns: Sequence[Any]) -> tuple[str, str | None]:
        """Return the keys of texts and values."""
        present = [
            str(key) for key in dict.fromkeys(key for turn in turns if isinstance(turn, Mapping) for key in turn)
        ]
        text_key = self._shape.text_key or _find("text", present, TEXT_KEYS)
        value_key = (self._shape.value_key or _find("value", present, VALUE_KEYS)) if self._values else None
        also = f", the values under {value_key!r}" if value_key is not None else ""
        self._tell(f"sources are turns: the texts are under {text_key!r}{also}")
        return text_key, value_key

    def _tell(self, line: str) -> None:
        if self._say is not None:
            self._say(line)
            self._say = None


def _as_list(turns: Any) -> Sequence[Any]:
    """Return turns as a list of mappings."""
    if not isinstance(turns, Mapping):
        return turns  # type: ignore[no-any-return]  # `are_turns`
    if len({len(entries) for entries in turns.values()}) > 1:
        lengths = ", ".join(f"{len(entries)} under {key!r}" for key, entries in turns.items())
        raise InputError(f"sources must have the same number of entries under each key, found {lengths}")
    return [dict(zip(turns, entries, strict=True)) for entries in zip(*turns.values(), strict=True)]


def _find(what: str, present: Sequence[str], usual: Sequence[str]) -> str:
    """Return the only key with a usual name."""
    candidates = [key for key in present if key.lower() in usual]
    if len(candidates) == 1:
        return candidates[0]
    problem = (
        (f"could be under {' or '.join(candidates)}") if candidates else f"is under none of the keys {', '.join(usual)}"
    )
    raise InputError(
        f"sources are turns, and the {what} of a turn {problem}; found the keys {', '.join(present) or 'none'}. Name "
        f"the right one with {what}_key"
    )


def _entry(place: int, turn: Any, key: str, option: str) -> Any:
    if type(turn) is not dict and not isinstance(turn, Mapping):
        raise InputError(f"sources[{place}] must be a turn such as {_TURN_EXAMPLE}, found {describe(turn)}")
    if key not in turn:
        raise InputError(
            f"sources[{place}] has no {key!r}, found {', '.join(map(str, turn)) or 'nothing'}; add it to every turn, "
            f"or name another key with {option}"
        )
    return turn[key]
