"""Samples from the rows of a file: which column holds what."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from fairsum_utils.files.reading import read_rows

__all__ = ["Columns", "Sample", "read_samples"]

_WITHOUT = {
    "group": "compare nothing",
    "entities": "go without",
    "article": "take each sample for an original of its own",
}
"""Columns that can be switched off, and what that means."""


class Columns(NamedTuple):
    """Names of the columns to read; `id` may be missing in the file, those that are None are not wanted."""

    id: str = "id"
    sources: str | None = "sources"
    values: str | None = "values"
    prediction: str = "prediction"
    distribution: str | None = None
    units: str | None = None
    coverage: str | None = None
    group: str | None = None
    entities: str | None = None
    mentions: str | None = None
    article: str | None = None

    def wanted(self) -> dict[str, str]:
        """What a sample consists of, besides its id -> the column with it, which must be there."""
        return {field: column for field, column in self._asdict().items() if field != "id" and column is not None}


class Sample(NamedTuple):
    """One row of the file, not validated yet."""

    id: str
    prediction: Any
    sources: Any = None
    values: Any = None
    distribution: Any = None
    units: Any = None
    coverage: Any = None
    group: Any = None
    entities: Any = None
    mentions: Any = None
    article: Any = None


def read_samples(path: Path, columns: Columns, split: str | None = None) -> Iterator[Sample]:
    """Read samples lazily; memory does not grow with the file.

    Args:
        path: a file or folder that `read_rows` reads.
        columns: where to find what. In CSV all but texts and names is JSON, and sources without values may be one text.
        split: of a saved data set with several.

    Raises:
        InputError: the file cannot be read, is not in its format, or lacks a column; the message says where.
    """
    wanted = columns.wanted()
    texts = [columns.sources] if columns.sources is not None and columns.values is None else []
    plain = {columns.prediction, columns.group, columns.article, *texts}
    rows = read_rows(
        path,
        {column: _remedy(field) for field, column in wanted.items()},
        others=(columns.id,),
        lists=[column for column in wanted.values() if column not in plain],
        texts_or_lists=texts,
        split=split,
    )
    for number, row in enumerate(rows):
        name = row.get(columns.id)
        cells = {field: row[column] for field, column in wanted.items()}
        yield Sample(id=str(number) if name is None else str(name), **cells)


def _remedy(field: str) -> str:
    option = f"--{field}-column"
    return f"{option}, or {_WITHOUT[field]} with {option} none" if field in _WITHOUT else option
