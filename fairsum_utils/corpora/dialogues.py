"""Court hearings and debates, in segments of at most k tokens cut between turns.

Source: Supreme Court Dialogs Corpus v1.01 (Danescu-Niculescu-Mizil et al. 2012; Cornell) or its ConvoKit edition, and
IQ2 (Zhang et al. 2016); segments as in Zhang et al. 2024, appendix A. Gender and power are named in its first version,
table 1, which does not say how they are read; here they are what the corpora themselves note of a speaker.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from fairsum_utils.corpora.corpus import Sample, cut_short
from fairsum_utils.errors import DataSourceError
from fairsum_utils.io.objects import iter_lines, iter_objects, read_json
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
}
_DEBATE = {"mod": "moderator", "host": "moderator", "for": "debater", "against": "debater"}


class Turn(NamedTuple):
    """The words of one speaker until the next."""

    speaker: str
    utterance: str
    gender: str = UNKNOWN
    power: str = UNKNOWN
    time: float | None = None

    @property
    def text(self) -> str:
        """Write the turn as the paper does."""
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

    Source: Zhang et al. 2024, appendix A (2,000 and 1,500 tokens); attributes: its version 1, table 1.
    """
    limit = max_tokens_per_segment
    conversations = read_conversations(files)[:max_conversations]
    turns_of_all = (turn for conversation in conversations for turn in conversation.turns)
    if attribute != "speaker" and all(getattr(turn, attribute) == UNKNOWN for turn in turns_of_all):
        raise DataSourceError(
            f"{files[0]} lacks every speaker's {attribute}. Genders are in supreme.gender.txt of Cornell's corpus, "
            "which belongs next to supreme.conversations.txt; power is in the files of Cornell, ConvoKit and IQ2."
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
    """Read conversations in the format named by the first file.

    White space inside an utterance becomes single blanks, since each turn is one line of the prompt. Turns that all
    have a time are put in its order.
    """
    path = files[0]
    if path.name == "utterances.jsonl":
        turns = _read_convokit(path, files[1:])
    else:
        turns = _read_iq2(path) if path.suffix == ".json" else _read_cornell(path, files[1:])
    conversations: dict[str, Conversation] = {}
    for name, about, turn in turns:
        conversation = conversations.setdefault(name, Conversation(name))
        conversation.turns.append(turn)
        conversation.about = {**about, **conversation.about}
    for conversation in conversations.values():
        times = [turn.time for turn in conversation.turns if isinstance(turn.time, int | float)]
        if len(times) == len(conversation.turns):
            conversation.turns = [conversation.turns[i] for i in sorted(range(len(times)), key=times.__getitem__)]
    return list(conversations.values())


# Name of a conversation, facts about it, and a turn.
_Found: TypeAlias = tuple[str, dict[str, Any], Turn]


def _read_cornell(path: Path, others: Sequence[Path]) -> Iterator[_Found]:
    genders = {_folded(name): gender for file in others for _, (name, gender) in _fields(file, 2)}
    for where, fields in _fields(path, _CORNELL_FIELDS):
        gender = _gender(genders.get(_folded(fields[3])))
        yield fields[0], {}, _turn(fields[3], fields[7], where, gender=gender, power=_COURT.get(fields[4]))


def _fields(path: Path, expected: int) -> Iterator[tuple[str, list[str]]]:
    """Yield place and fields of each line of a file of Cornell's."""
    for number, line, ended in iter_lines(path):
        # some names are not UTF-8; decoding line by line confines broken bytes
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


def _read_iq2(path: Path) -> Iterator[_Found]:
    debates = read_json(path)
    try:
        for name, debate in debates.items():
            for index, turn in enumerate(debate["transcript"]):
                where = f"{path}, debate {name}, turn {index}"
                power = _DEBATE.get(turn["speakertype"], "other") if "speakertype" in turn else None
                text = " ".join(turn["paragraphs"])
                yield name, {"title": debate.get("title")}, _turn(turn["speaker"], text, where, power=power)
    except (AttributeError, KeyError, TypeError) as error:
        raise DataSourceError(
            f"{path} is not IQ2 as published, id -> {{title, transcript: [{{speaker, paragraphs}}]}}: "
            f"{type(error).__name__} {error}."
        ) from error


def _read_convokit(path: Path, others: Sequence[Path]) -> Iterator[_Found]:
    """Read the files of ConvoKit since version 2.3."""
    speakers = _speakers(others[0]) if others else {}
    for number, utterance in iter_objects(path):
        where = f"{path}, line {number}"
        try:
            speaker, name, text = utterance["speaker"], str(utterance["conversation_id"]), utterance["text"]
        except KeyError as error:
            raise DataSourceError(
                f"{where}: not a ConvoKit utterance with speaker, conversation_id and text: {error} is missing."
            ) from error
        meta = utterance["meta"] if isinstance(utterance.get("meta"), dict) else {}
        known = speakers.get(speaker, {})
        power = meta.get("speaker_type") or known.get("type")
        gender = _gender(known.get("gender"))
        turn = _turn(known.get("name") or speaker, text, where, gender=gender, power=_COURT.get(str(power)))
        about = {"case_id": meta["case_id"]} if meta.get("case_id") is not None else {}
        yield name, about, turn._replace(time=utterance.get("timestamp"))


def _speakers(path: Path) -> dict[str, dict[str, Any]]:
    """Read the facts about each speaker, such as name, type and gender."""
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
