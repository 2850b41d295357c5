"""Layout of samples: turns, transcripts, and rows that belong together."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Annotated, Any

from fairsum_utils.errors import InputError
from fairsum_utils.families.columns import SOURCES, VALUES
from fairsum_utils.io.transcripts import cut_transcript
from fairsum_utils.settings import Checked, Settings, setting
from fairsum_utils.validation import describe

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


ALL = "all"
"""Value of `group_by` for a table whose rows are all one sample."""


class Shape(Settings):
    """The layout of the samples in a table or a file.

    Example:
        >>> Shape(group_by="meeting_id").transcript
        False
    """

    id_column: Name = setting("id", "column with the ids of the samples, optional")
    group_by: Name | None = setting(
        None,
        "column that identifies the sample of each row, if each row has one text in `sources` and its value in "
        "`values`; all: all rows are one sample",
    )
    sources_columns: Name | None = setting(
        None,
        "pattern of the columns with one source text each, such as review_*; several patterns are separated by commas",
    )
    values_columns: Name | None = setting(
        None, "pattern of the columns with the value of each of these texts, in the same order"
    )
    predictions_id_column: Name | None = setting(
        None, "column with the ids in a table of predictions of its own; None for those of the samples"
    )
    text_key: Name | None = setting(
        None,
        'key of the text, where `sources` are turns such as {"speaker": "Anna", "text": "Yes."}; None for text, '
        "utterance, content or body",
    )
    value_key: Name | None = setting(
        None,
        "key of the value, where `sources` are turns; None for speaker, value, label, author or role",
    )
    transcript: bool = setting(
        False,
        "True if `sources` are one text per sample, with a line 'SPEAKER: text' for each turn",
    )

    def check_together(self) -> None:
        """Refuse settings that contradict each other."""
        if self.sources_columns is not None and (self.group_by is not None or self.transcript):
            other = "transcript" if self.transcript else "group_by"
            raise InputError(f"{self.module}: {other} and sources_columns describe different tables; leave one out")
        self.only_with(
            self.sources_columns is not None, ("values_columns",), "sources in several columns", "add sources_columns"
        )
        self.only_with(
            not self.transcript, ("text_key", "value_key"), "lists of turns", "leave it out, or leave transcript out"
        )

    def check_columns(self, names: Collection[str]) -> None:
        """Refuse a shape of sources where no sources are read."""
        if SOURCES.name in names:
            return
        given = [
            name
            for name in ("group_by", "sources_columns", "text_key", "value_key", "transcript")
            if getattr(self, name)
        ]
        if given:
            raise InputError(
                f"{self.module}: {given[0]} describes sources, but this measure reads none; omit it or choose a "
                "measure that reads sources"
            )

    @property
    def holds_values(self) -> bool:
        """Return whether sources include the value of each text."""
        return self.transcript or self.value_key is not None


def split_shape(module: str, arguments: Mapping[str, Any]) -> tuple[Shape, dict[str, Any]]:
    """Separate the shape settings from the other arguments.

    Example:
        >>> shape, others = split_shape("score", {"transcript": True, "tau": 0.9})
        >>> shape.transcript, others
        (True, {'tau': 0.9})
    """
    others = dict(arguments)
    given = {name: others.pop(name) for name in Shape.infos() if name in others}
    return Shape.make(given, module=module), others


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
            if self._shape.text_key or self._shape.value_key or self._keys:
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
