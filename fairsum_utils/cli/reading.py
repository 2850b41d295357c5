"""Samples from the rows of a file, a chunk at a time: which column of the file holds what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.family import Column
from fairsum_utils.family.columns import ARTICLE_IDS
from fairsum_utils.files.names import Names
from fairsum_utils.files.reading import Rows, read_rows

__all__ = ["Chunk", "Layout", "check_added", "choose_columns", "read_chunks"]


class Layout(NamedTuple):
    """Where a file has the columns that are wanted.

    Attributes:
        id: name of the column with the ids, which the file need not have.
        columns: each column that is wanted, and its name in the file.
        by_id: whether a sample without an original is one by itself, named by its id.
    """

    id: str
    columns: tuple[tuple[Column, str], ...]
    by_id: bool = False


class Chunk(NamedTuple):
    """Some samples, not checked yet.

    Attributes:
        start: index of the first.
        ids: of the samples.
        columns: column -> its entries.
        rows: where they come from, for messages.
    """

    start: int
    ids: list[str]
    columns: dict[str, list[Any]]
    rows: Rows | None = None

    def only(self, place: int) -> Chunk:
        """One of the samples."""
        columns = {name: [entries[place]] for name, entries in self.columns.items()}
        return Chunk(self.start + place, [self.ids[place]], columns, self.rows)

    def where(self) -> str:
        """File and row of the first of them."""
        return "" if self.rows is None else self.rows.where(self.start)


def read_chunks(path: Names, layout: Layout, size: int, **how: Any) -> Iterator[Chunk]:
    """Read samples lazily; memory does not grow with the file.

    Args:
        path: what `fairsum_utils.files.reading.read_rows` reads.
        layout: where it has what. In CSV all but texts is lists or dicts; sources that have no values may be one text.
        size: most samples in a chunk.
        **how: it is read: split, encoding and format, see `fairsum_utils.files.reading.read_rows`.

    Raises:
        InputError: the file cannot be read, is not in its format, or lacks a column; the message says where.
    """
    names = {column.name for column, _ in layout.columns}
    texts = [name for column, name in layout.columns if column.name == "sources" and "values" not in names]
    rows = read_rows(
        path,
        {name: _remedy(column) for column, name in layout.columns if not column.sparse},
        others=(layout.id, *(name for column, name in layout.columns if column.sparse)),
        lists=[name for column, name in layout.columns if column.kind is not str and name not in texts],
        texts_or_lists=texts,
        **how,
    )
    start = 0
    while chunk := list(islice(rows, size)):
        ids = [_id(row.get(layout.id), start + place) for place, row in enumerate(chunk)]
        columns: dict[str, list[Any]] = {
            column.name: [row.get(name) for row in chunk] for column, name in layout.columns
        }
        if layout.by_id:
            columns.setdefault(ARTICLE_IDS.name, ids)
        yield Chunk(start, ids, columns, rows)
        start += len(chunk)


def _id(name: Any, index: int) -> str:
    return str(index) if name is None else str(name)


def _remedy(column: Column) -> str:
    """The option that names a column, and what leaving it out means."""
    option = f"--{column.flag}"
    return f"{option} (or {column.without} with {option} none)" if column.without else option


def check_added(
    where: object, rows: Iterable[Mapping[str, Any]], added: Sequence[str], remedies: Mapping[str, str]
) -> None:
    """Refuse rows that have a column already which a command is to add.

    Args:
        where: the file of the rows, or a place in it.
        rows: of the file.
        added: the columns that are to be added.
        remedies: one of these columns -> what to do but to rename it.

    Raises:
        InputError: there is such a column.
    """
    columns = {name for row in rows for name in row}
    for name in added:
        if name in columns:
            remedy = f", or {remedies[name]}" if name in remedies else ""
            raise InputError(f"{where}: there is a column {name!r} already; rename it{remedy}")


def choose_columns(columns: Sequence[Column], named: dict[str, str | None]) -> tuple[tuple[Column, str], ...]:
    """The columns to read, and their names in the file.

    Args:
        columns: that the measures need or can use.
        named: column -> its name in the file as the command line has it; "none" leaves the column out.
    """
    chosen = []
    for column in columns:
        name = named.get(column.name, column.in_file)
        if name is not None and not (name == "none" and column.without):
            # What somebody names must be there.
            chosen.append((column._replace(sparse=column.sparse and column.name not in named), name))
    return tuple(chosen)
