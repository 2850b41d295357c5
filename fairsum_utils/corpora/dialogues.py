"""Court hearings and debates: their files, and segments of at most k tokens cut between turns.

Source: Supreme Court Dialogs Corpus v1.01 (Danescu-Niculescu-Mizil et al. 2012; Cornell) or its ConvoKit edition, and
IQ2 (Zhang et al. 2016); segments as in fairsumm-v2, appendix A.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fairsum_utils.corpora.parsing import cut_short
from fairsum_utils.corpora.rows import Sample
from fairsum_utils.errors import DataSourceError
from fairsum_utils.files.lines import iter_lines, iter_objects, read_json
from fairsum_utils.text.words import word_tokenize

__all__ = ["Conversation", "Turn", "dialogue_samples", "read_conversations", "segment_turns"]

_CORNELL_FIELDS = 8  # case, utterance, after previous, speaker, is justice, vote, side, text


@dataclass(frozen=True)
class Turn:
    """What one speaker says before another does."""

    speaker: str
    utterance: str

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
    tokenize: Callable[[str], list[str]] = word_tokenize,
) -> Iterator[Sample]:
    """Read conversations and cut them into samples.

    Args:
        files: the corpus: Cornell's text file, IQ2's JSON file, or ConvoKit's utterances.jsonl with speakers.json.
        max_conversations: use the first so many, at least 1; None for all.
        max_tokens_per_segment: the paper's k, at least 1; None keeps each conversation whole.
        tokenize: text -> tokens; NLTK's word tokenizer.

    Yields:
        The samples, segment by segment; the values are the speakers. ``metadata["over_long"]`` is true for a single
        turn of more than k tokens.

    Raises:
        DataSourceError: a file is not in its published format.

    Source: fairsumm-v2, appendix A (k = 2,000 for SupremeCourt, 1,500 for IQ2).
    """
    limit = max_tokens_per_segment
    for conversation in read_conversations(files)[:max_conversations]:
        for index, (turns, tokens) in enumerate(segment_turns(conversation.turns, limit, tokenize)):
            yield Sample(
                conversation.id if limit is None else f"{conversation.id}-{index:03d}",
                [(turn.text, turn.speaker) for turn in turns],
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

    Args:
        turns: the conversation.
        limit: most tokens of a segment; None for one segment.
        tokenize: text -> tokens; the speaker's name is counted with the turn.

    Yields:
        (turns, tokens) of each segment; their turns, one after the other, are the conversation.

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

    Raises:
        DataSourceError: the file is not in its published format.
    """
    path = files[0]
    if path.name == "utterances.jsonl":
        return _read_convokit(path, files[1:])
    return _read_iq2(path) if path.suffix == ".json" else _read_cornell(path)


def _read_cornell(path: Path) -> list[Conversation]:
    cases: dict[str, Conversation] = {}
    for number, line, ended in iter_lines(path):
        # some names are not UTF-8: decoded line by line, so that a broken byte stays where it is
        fields = [f.strip() for f in line.decode("utf-8", errors="replace").split("+++$+++", _CORNELL_FIELDS - 1)]
        if len(fields) < _CORNELL_FIELDS:
            raise DataSourceError(
                f"{path}, line {number}: {len(fields)} fields separated by +++$+++, expected {_CORNELL_FIELDS}."
                f"{cut_short(ended)}"
            )
        case = cases.setdefault(fields[0], Conversation(fields[0]))
        case.turns.append(_turn(fields[3], fields[7], f"{path}, line {number}"))
    return list(cases.values())


def _read_iq2(path: Path) -> list[Conversation]:
    debates = read_json(path)
    try:
        conversations = []
        for name, debate in debates.items():
            conversation = Conversation(name, about={"title": debate.get("title")})
            for index, turn in enumerate(debate["transcript"]):
                where = f"{path}, debate {name}, turn {index}"
                conversation.turns.append(_turn(turn["speaker"], " ".join(turn["paragraphs"]), where))
            conversations.append(conversation)
    except (AttributeError, KeyError, TypeError) as error:
        raise DataSourceError(
            f"{path} is not IQ2 as published, id -> {{title, transcript: [{{speaker, paragraphs}}]}}: "
            f"{type(error).__name__} {error}."
        ) from error
    return conversations


def _read_convokit(path: Path, others: Sequence[Path]) -> list[Conversation]:
    """Read ConvoKit; dumps before version 2.3 call a speaker user and a conversation root."""
    names = _speaker_names(others[0]) if others else {}
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
        conversation.turns.append(_turn(names.get(speaker, speaker), text, where))
        times.setdefault(name, []).append(utterance.get("timestamp"))
    for name, stamps in times.items():
        # Many corpora have no time at all; the order of the file then is that of the talk.
        if all(isinstance(stamp, int | float) for stamp in stamps):
            turns = conversations[name].turns
            turns[:] = [turns[i] for i in sorted(range(len(turns)), key=stamps.__getitem__)]
    return list(conversations.values())


def _speaker_names(path: Path) -> dict[str, str]:
    """Return speaker id -> name, where the corpus knows one."""
    speakers = read_json(path)
    try:
        names = {}
        for key, about in speakers.items():
            inner = about.get("meta") or {}
            if name := about.get("name") or inner.get("name"):
                names[key] = str(name)
    except AttributeError as error:
        raise DataSourceError(f"{path} is not ConvoKit's speaker id -> {{name or meta}}: {error}.") from error
    return names


def _turn(speaker: object, utterance: object, where: str) -> Turn:
    if not isinstance(speaker, str) or not speaker.strip():
        raise DataSourceError(f"{where}: the speaker is {speaker!r}, expected a name.")
    if not isinstance(utterance, str):
        raise DataSourceError(f"{where}: the text is {utterance!r}, expected a string.")
    return Turn(" ".join(speaker.split()), " ".join(utterance.split()))
