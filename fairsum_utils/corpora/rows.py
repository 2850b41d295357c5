"""The row that the data sets of texts with values share."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from fairsum_utils.errors import DataSourceError
from fairsum_utils.files.writing import Kind

__all__ = ["COLUMNS", "Row", "make_row"]

#: Column name -> kind (`files.writing.Kind`), in the order they are written.
COLUMNS: Mapping[str, Kind] = {
    "id": "string",
    "sources": "strings",
    "values": "strings",
    "attribute": "string",
    "references": "strings",
    "prompt": "string",
    "metadata": "string",
}


class Row(TypedDict):
    """One sample: source texts, the social attribute value of each, and what is known about them."""

    id: str
    sources: list[str]
    values: list[str]
    attribute: str
    references: list[str]
    prompt: str
    metadata: str


def make_row(
    row_id: str,
    pairs: Sequence[tuple[str, str]],
    *,
    attribute: str,
    template: str,
    separator: str,
    metadata: Mapping[str, Any],
    references: Sequence[str] = (),
) -> Row:
    """Put one row together.

    Args:
        row_id: unique and stable name of the row.
        pairs: (source text, value) in the order in which a model reads them.
        attribute: what the values are values of, such as ``"gender"``.
        template: prompt with ``{SOURCE}`` where the joined sources go.
        separator: what stands between two sources in the prompt.
        metadata: anything JSON can hold; keys are sorted, so that equal rows are equal bytes.
        references: human summaries.

    Returns:
        The row.

    Raises:
        DataSourceError: there is no source text at all.

    Example:
        >>> row = make_row("demo-0", [("good", "male"), ("bad", "female")], attribute="gender",
        ...                template="Tweets: {SOURCE} Summary:", separator=" || ", metadata={"size": 2})
        >>> row["prompt"], row["values"], row["metadata"]
        ('Tweets: good || bad Summary:', ['male', 'female'], '{"size": 2}')
    """
    if not pairs:
        raise DataSourceError(f"{row_id}: the sample holds no source text, so there is nothing to summarize.")
    sources = [text for text, _ in pairs]
    return Row(
        id=row_id,
        sources=sources,
        values=[value for _, value in pairs],
        attribute=attribute,
        references=list(references),
        # replace, not format: a tweet may hold braces
        prompt=template.replace("{SOURCE}", separator.join(sources)),
        metadata=json.dumps(metadata, ensure_ascii=False, sort_keys=True),
    )
