"""The row every data set of this package shares, and the small checks its readers need."""

from __future__ import annotations

import gzip
import json
import operator
import random
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Annotated, Any, NamedTuple, TypedDict, TypeVar, cast, get_type_hints

from fairsum_utils.errors import DataSourceError, InputError

__all__ = [
    "COLUMNS",
    "ENTITY_FIELDS",
    "Row",
    "Sample",
    "column_kinds",
    "column_meanings",
    "iter_lines",
    "make_row",
    "shuffled",
    "whole_number",
]

T = TypeVar("T")

#: Field -> "string" or "bool", of each entry of a column of the kind "entities".
ENTITY_FIELDS: Mapping[str, str] = {
    "id": "string",
    "first_name": "string",
    "last_name": "string",
    "group": "string",
    "is_modified": "bool",
}


class Row(TypedDict):
    """One sample: source texts, the social attribute value of each, and what is known about them."""

    id: Annotated[str, "name of the row"]
    sources: Annotated[list[str], "source texts, in the order a model reads them"]
    values: Annotated[list[str], "attribute value of each source text"]
    attribute: Annotated[str, "what the values are values of"]
    references: Annotated[list[str], "human summaries; empty where there are none"]
    prompt: Annotated[str, "the paper's prompt with the sources filled in"]
    metadata: Annotated[str, "JSON object: origin, and what is known of the sample"]


def column_kinds(row: type) -> dict[str, str]:
    """Return column -> kind of the rows of a data set, in the order they are written.

    Args:
        row: a dict type such as `Row`, whose fields are annotated with their meaning.

    Returns:
        "string", "strings" (a list of strings), or "entities" (a list of dicts with the `ENTITY_FIELDS`, of which
        names may be None).

    Example:
        >>> column_kinds(Row)["sources"]
        'strings'
    """
    kinds = {str: "string", list[str]: "strings"}
    return {name: kinds.get(hint.__origin__, "entities") for name, hint in _hints(row).items()}


def column_meanings(row: type) -> dict[str, str]:
    """Return column -> what it holds, of the rows of a data set.

    Args:
        row: a dict type such as `Row`, whose fields are annotated with their meaning.

    Example:
        >>> column_meanings(Row)["values"]
        'attribute value of each source text'
    """
    return {name: hint.__metadata__[0] for name, hint in _hints(row).items()}


def _hints(row: type) -> dict[str, Any]:
    return get_type_hints(row, include_extras=True)


#: Column name -> kind (`column_kinds`) of the rows with source texts, in the order they are written.
COLUMNS: Mapping[str, str] = column_kinds(Row)


class Sample(NamedTuple):
    """What a reader makes of its files; `make_row` makes a row of it.

    Args:
        id: name within its configuration, unique and stable.
        pairs: (source text, value) in the order in which a model reads them.
        metadata: anything JSON can hold.
        references: human summaries.
    """

    id: str
    pairs: Sequence[tuple[str, str]]
    metadata: Mapping[str, Any]
    references: Sequence[str] = ()


def make_row(sample: Sample, *, config: str, attribute: str, prompt: str) -> Row:
    """Put one row together.

    Args:
        sample: what was read.
        config: name that the row's id begins with.
        attribute: what the values are values of, such as ``"gender"``.
        prompt: what a model is asked, sources included.

    Returns:
        The row. Keys of the metadata are sorted, so that equal rows are equal bytes.

    Raises:
        DataSourceError: there is no source text at all.

    Example:
        >>> sample = Sample("0", [("good", "male"), ("bad", "female")], {"size": 2})
        >>> row = make_row(sample, config="demo", attribute="gender", prompt="Tweets: good || bad Summary:")
        >>> row["id"], row["sources"], row["values"], row["metadata"]
        ('demo-0', ['good', 'bad'], ['male', 'female'], '{"size": 2}')
    """
    row_id = f"{config}-{sample.id}"
    if not sample.pairs:
        raise DataSourceError(f"{row_id}: the sample holds no source text, so there is nothing to summarize.")
    return Row(
        id=row_id,
        sources=[text for text, _ in sample.pairs],
        values=[value for _, value in sample.pairs],
        attribute=attribute,
        references=list(sample.references),
        prompt=prompt,
        metadata=json.dumps(sample.metadata, ensure_ascii=False, sort_keys=True),
    )


def whole_number(name: str, value: object, *, minimum: int) -> int:
    """Return an option as an int, or say what it should have been.

    Raises:
        InputError: not a whole number, or below the minimum.

    Example:
        >>> whole_number("seed", 0, minimum=0)
        0
    """
    try:
        if isinstance(value, bool):
            raise TypeError
        number = operator.index(value)  # type: ignore[arg-type]  # whatever is no integer raises TypeError
    except TypeError:
        raise InputError(f"{name} must be a whole number, but is {value!r}.") from None
    if number < minimum:
        raise InputError(f"{name} must be at least {minimum}, but is {number}.")
    return number


def iter_lines(path: Path) -> Iterator[tuple[int, bytes, bool]]:
    r"""Yield (line number from 1, bytes without the line end, whether the line end was there).

    Files are read as bytes and cut at ``\n`` only. Text mode and ``splitlines`` also cut at characters such as
    U+0085 and U+2028, so that one broken byte could tear a row apart. Empty lines at the end of the file are left out.
    A file whose name ends in ``.gz`` is unpacked on the way.

    Raises:
        DataSourceError: a packed file is damaged or cut short; names the last line that could be read.
    """
    empty: list[int] = []
    number = 0
    with _open_bytes(path) as file:
        try:
            for number, line in enumerate(file, start=1):
                content = line.rstrip(b"\r\n")
                if not content.strip():
                    empty.append(number)
                    continue
                for skipped in empty:  # not at the end after all
                    yield skipped, b"", True
                empty.clear()
                yield number, content, line.endswith(b"\n")
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise DataSourceError(
                f"{path}, after line {number}: cannot be unpacked ({error}). The file is cut short or damaged; "
                "fetch it again."
            ) from error


def _open_bytes(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path)) if path.suffix == ".gz" else path.open("rb")


def shuffled(items: Sequence[T], generator: random.Random) -> list[T]:
    """Return the items in random order.

    Drawn with ``random()`` alone, whose sequence Python promises to keep; ``random.shuffle`` may change.

    Example:
        >>> sorted(shuffled("abc", random.Random(0)))
        ['a', 'b', 'c']
    """
    keys = [generator.random() for _ in items]
    return [items[i] for i in sorted(range(len(items)), key=keys.__getitem__)]
