"""The row that the data sets with source texts share, and what the columns of any row hold."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, NamedTuple, TypedDict, get_args, get_type_hints

from fairsum_utils.errors import DataSourceError
from fairsum_utils.io.writing import Kind


class Row(TypedDict):
    """One sample: source texts, the social attribute value of each, and what is known about them."""

    id: Annotated[str, "name of the row"]
    sources: Annotated[list[str], "source texts, in the order a model reads them"]
    values: Annotated[list[str], "attribute value of each source text"]
    attribute: Annotated[str, "what the values are values of"]
    references: Annotated[list[str], "human summaries; empty where there are none"]
    prompt: Annotated[str, "the paper's prompt with the sources filled in"]
    metadata: Annotated[str, "JSON object: origin, and what is known of the sample"]


def column_kinds(row: type) -> dict[str, Kind]:
    """Return column -> what it holds, of the rows of a data set, in the order they are written.

    Args:
        row: a dict type such as `Row`, whose fields are annotated with their meaning.

    Returns:
        "string", "strings" (a list of strings), or field -> kind for a list of dicts; a string of these may be None.

    Example:
        >>> column_kinds(Row)["sources"]
        'strings'
    """
    return {name: _kind(hint.__origin__) for name, hint in _hints(row).items()}


def _kind(hint: Any) -> Any:
    kinds = {str: "string", str | None: "string", bool: "bool", list[str]: "strings"}
    if hint in kinds:
        return kinds[hint]
    [entry] = get_args(hint)
    return {name: _kind(field) for name, field in get_type_hints(entry).items()}


def column_meanings(row: type) -> dict[str, str]:
    """Return column -> its meaning, of the rows of a data set.

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
COLUMNS: Mapping[str, Kind] = column_kinds(Row)


class Sample(NamedTuple):
    """What a reader makes of its files; `make_row` makes a row of it.

    Attributes:
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
