"""Court hearings and debates: their files, and segments of at most k tokens cut between turns.

Source: Supreme Court Dialogs Corpus v1.01 (Danescu-Niculescu-Mizil et al. 2012; Cornell) or its ConvoKit edition, and
IQ2 (Zhang et al. 2016); segments as in fairsumm-v2, appendix A. Gender and power are named in fairsumm-v1, table 1,
which does not say how they are read; here they are what the corpora themselves note of a speaker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairsum_utils.corpora.corpus import Sample
from fairsum_utils.corpora.sources import cut_short
from fairsum_utils.errors import DataSourceError
from fairsum_utils.io.tables import iter_lines, iter_objects, read_json
from fairsum_utils.text.punkt import word_tokenize

#: Gender or power of a speaker of whom the corpus does not tell it. What they say stays a source, as the model reads
#: it.
UNKNOWN = "unknown"

GENDERS = ("male", "female", UNKNOWN)
COURT_POWER = ("justice", "advocate", UNKNOWN)
DEBATE_POWER = ("moderator", "debater", "other", UNKNOWN)

_CORNELL_FIELDS = 8  # case, utterance, after previous, speaker, is justice, vote, side, text
_SEPARATOR = "+++$+++"

_COURT = {
    "JUSTICE": "justice",  # Cornell's field IS_JUSTICE
    "NOT JUSTICE": "advocate",
    "J": "justice",  # ConvoKit's type of a speaker
    "A": "advocate",
    "True": "justice",  # is-justice of its first edition
    "False": "advocate",
}
_DEBATE = {"mod": "moderator", "host": "moderator", "for": "debater", "against": "debater"}


@dataclass(frozen=True)
class Turn:
    """A turn: the words of one speaker until the next."""

    speaker: str
    utterance: str
    gender: str = UNKNOWN
    power: str = UNKNOWN

    @property
    def text(self) -> str:
        """The turn as the paper writes it."""
        return f"{self.speaker} : {self.utterance}"


@dataclass
class Conversation:
    """A case's hearing, or a debate."""

    id: str
    turns: list[Turn] = field(default_factory=list)
    about: dict[str, Any] = field(default_factory=dict)


def dialogue_samples(
    files: Sequence[Path],
    *,
    max_conversations: int | None,
    max_tokens_per_segment: int | None,
    attribute: str = "speaker",
    tokenize: Callable[[str], list[str]] = word_tokenize,
) -> Iterator[Sample]:
    """Read conversations and cut them into samples.

    Source: fairsumm-v2, appendix A (k = 2,000 for SupremeCourt, 1,500 for IQ2); attributes: fairsumm-v1, table 1.
    """
    limit = max_tokens_per_segment
    conversations = read_conversations(files)[:max_conversations]
    turns_of_all = (turn for conversation in conversations for turn in conversation.turns)
    if attribute != "speaker" and all(getattr(turn, attribute) == UNKNOWN for turn in turns_of_all):
        raise DataSourceError(
            f"{files[0]} knows the {attribute} of no speaker. Genders are in supreme.gender.txt of Cornell's corpus, "
            "which belongs beside supreme.conversations.txt, power in Cornell's corpus, ConvoKit's and IQ2's file."
        )
    for conversation in conversations:
        for index, (turns, tokens) in enumerate(segment_turns(conversation.turns, limit, tokenize)):
            yield Sample(
                conversation.id if limit is None else f"{conversation.id}-{index:03d}",
                [(turn.text, getattr(turn, attribute)) for turn in turns],
                {
                    "origin": "raw",
                    "conversation": conversation.id,
                    "segment": index,
                    "tokens": tokens,
                    "max_tokens": limit,
                    "over_long": limit is not None and tokens > limit,
                    **conversation.about,
                },
            )


def segment_turns(
    turns: Sequence[Turn], limit: int | None, tokenize: Callable[[str], list[str]]
) -> Iterator[tuple[list[Turn], int]]:
    """Cut a conversation between turns into segments of at most ``limit`` tokens.

    Every turn counts, the one that opens a segment too. (The published script sets its count to zero *after* adding
    that turn, so its segments overrun: the longest has 2,721 tokens with k = 2,000.) A turn of more than ``limit``
    tokens stands alone, uncut.

    Example:
        >>> turns = [Turn("A", "one two"), Turn("B", "three"), Turn("A", "four")]
        >>> [([turn.utterance for turn in part], size) for part, size in segment_turns(turns, 7, str.split)]
        [(['one two', 'three'], 7), (['four'], 3)]
    """
    segment: list[Turn] = []
    size = 0
    for turn in turns:
        length = len(tokenize(turn.text))
        if segment and limit is not None and size + length > limit:
            yield segment, size
            segment, size = [], 0
        segment.append(turn)
        size += length
    if segment:
        yield segment, size


def read_conversations(files: Sequence[Path]) -> list[Conversation]:
    """Read a corpus of conversations; the name of the first file says which format it is.

    White space inside an utterance becomes single blanks, since each turn is one line of the prompt.
    """
    path = files[0]
    if path.name == "utterances.jsonl":
        return _read_convokit(path, files[1:])
    return _read_iq2(path) if path.suffix == ".json" else _read_cornell(path, files[1:])


def _read_cornell(path: Path, others: Sequence[Path]) -> list[Conversation]:
    genders = {_folded(name): gender for file in others for _, (name, gender) in _fields(file, 2)}
    cases: dict[str, Conversation] = {}
    for where, fields in _fields(path, _CORNELL_FIELDS):
        case = cases.setdefault(fields[0], Conversation(fields[0]))
        gender = genders.get(_folded(fields[3]))
        case.turns.append(_turn(fields[3], fields[7], where, gender=_gender(gender), power=_COURT.get(fields[4])))
    return list(cases.values())


def _fields(path: Path, expected: int) -> Iterator[tuple[str, list[str]]]:
    """Place and fields of each line of a file of Cornell's."""
    for number, line, ended in iter_lines(path):
        # some names are not UTF-8: decoded line by line, so that a broken byte stays where it is
        fields = [field.strip() for field in line.decode("utf-8", errors="replace").split(_SEPARATOR, expected - 1)]
        if len(fields) < expected:
            raise DataSourceError(
                f"{path}, line {number}: {len(fields)} fields separated by {_SEPARATOR}, expected {expected}."
                f"{cut_short(ended)}"
            )
        yield f"{path}, line {number}", fields


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _gender(noted: object) -> str | None:
    """Read a gender; "NA" and other notes are unknown."""
    return noted.lower() if isinstance(noted, str) and noted.lower() in GENDERS else None


def _read_iq2(path: Path) -> list[Conversation]:
    debates = read_json(path)
    try:
        conversations = []
        for name, debate in debates.items():
            conversation = Conversation(name, about={"title": debate.get("title")})
            for index, turn in enumerate(debate["transcript"]):
                where = f"{path}, debate {name}, turn {index}"
                power = _DEBATE.get(turn["speakertype"], "other") if "speakertype" in turn else None
                conversation.turns.append(_turn(turn["speaker"], " ".join(turn["paragraphs"]), where, power=power))
            conversations.append(conversation)
    except (AttributeError, KeyError, TypeError) as error:
        raise DataSourceError(
            f"{path} is not IQ2 as published, id -> {{title, transcript: [{{speaker, paragraphs}}]}}: "
            f"{type(error).__name__} {error}."
        ) from error
    return conversations


def _read_convokit(path: Path, others: Sequence[Path]) -> list[Conversation]:
    """Read ConvoKit; dumps before version 2.3 call a speaker user and a conversation root."""
    speakers = _speakers(others[0]) if others else {}
    conversations: dict[str, Conversation] = {}
    times: dict[str, list[Any]] = {}
    for number, utterance in iter_objects(path):
        where = f"{path}, line {number}"
        try:
            speaker = utterance["speaker"] if "speaker" in utterance else utterance["user"]
            name = str(utterance["conversation_id"] if "conversation_id" in utterance else utterance["root"])
            text = utterance["text"]
        except KeyError as error:
            raise DataSourceError(
                f"{where}: not an utterance of ConvoKit with speaker, conversation_id and text: there is no {error}."
            ) from error
        conversation = conversations.setdefault(name, Conversation(name))
        meta = utterance.get("meta")
        if isinstance(meta, dict) and meta.get("case_id") is not None:
            conversation.about.setdefault("case_id", meta["case_id"])
        if isinstance(speaker, dict):  # the oldest dumps write the speaker out
            speaker = speaker.get("id")
        known = speakers.get(speaker, {})
        power = (meta.get("speaker_type") if isinstance(meta, dict) else None) or known.get(
            "type", known.get("is-justice")
        )
        turn = _turn(
            known.get("name") or speaker,
            text,
            where,
            gender=_gender(known.get("gender")),
            power=_COURT.get(str(power)),
        )
        conversation.turns.append(turn)
        times.setdefault(name, []).append(utterance.get("timestamp"))
    for name, stamps in times.items():
        # Many corpora have no time at all; the order of the file then is that of the talk.
        if all(isinstance(stamp, int | float) for stamp in stamps):
            turns = conversations[name].turns
            turns[:] = [turns[i] for i in sorted(range(len(turns)), key=stamps.__getitem__)]
    return list(conversations.values())


def _speakers(path: Path) -> dict[str, dict[str, Any]]:
    """Return speaker id -> what the corpus knows of them, such as name, type and gender."""
    speakers = read_json(path)
    try:
        return {
            key: {**(about.get("meta") or {}), **{name: each for name, each in about.items() if each is not None}}
            for key, about in speakers.items()
        }
    except (AttributeError, TypeError) as error:
        raise DataSourceError(f"{path} is not ConvoKit's speaker id -> {{name or meta}}: {error}.") from error


def _turn(
    speaker: object, utterance: object, where: str, *, gender: str | None = None, power: str | None = None
) -> Turn:
    if not isinstance(speaker, str) or not speaker.strip():
        raise DataSourceError(f"{where}: the speaker is {speaker!r}, expected a name.")
    if not isinstance(utterance, str):
        raise DataSourceError(f"{where}: the text is {utterance!r}, expected a string.")
    return Turn(" ".join(speaker.split()), " ".join(utterance.split()), gender or UNKNOWN, power or UNKNOWN)
