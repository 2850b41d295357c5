"""Samples from the rows of a file, a chunk at a time: which column of the file holds what."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, NoReturn

from fairsum_utils.errors import InputError
from fairsum_utils.family import Column
from fairsum_utils.family.columns import ARTICLE_IDS
from fairsum_utils.files.names import Names
from fairsum_utils.files.reading import Rows, read_rows

__all__ = ["Chunk", "Layout", "check_added", "choose_columns", "quality_column", "read_chunks", "read_systems"]


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
        places: of their rows in the file, from 0; None where they follow on the start.
    """

    start: int
    ids: list[str]
    columns: dict[str, list[Any]]
    rows: Rows | None = None
    places: list[int] | None = None

    def only(self, place: int) -> Chunk:
        """One of the samples."""
        columns = {name: [entries[place]] for name, entries in self.columns.items()}
        places = None if self.places is None else [self.places[place]]
        return Chunk(self.start + place, [self.ids[place]], columns, self.rows, places)

    def where(self) -> str:
        """File and row of the first of them."""
        place = self.start if self.places is None else self.places[0]
        return "" if self.rows is None else self.rows.where(place)


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


def read_systems(
    paths: Sequence[Names],
    layout: Layout,
    size: int,
    *,
    names: Sequence[str],
    module: str,
    **how: Any,
) -> Iterator[list[Chunk]]:
    """Read the same samples from the files of several systems: a chunk of each, in the order of the first file.

    Samples are paired by their ids. Files of one order are read side by side, a chunk at a time. From a file of another
    order, those samples are held that come before their turn, which may be all of it.

    Args:
        paths: the files, as for `read_chunks`.
        layout: where all of them have what.
        size: most samples in a chunk.
        names: what the systems are called in messages.
        module: name used in messages.
        **how: they are read, as of `read_chunks`.

    Raises:
        InputError: as of `read_chunks`; or an id that occurs twice in a file, or not in all of them.
    """
    first, *others = (
        _Waiting(read_chunks(path, layout, size, **how), name, module) for path, name in zip(paths, names, strict=True)
    )
    while chunk := first.next():
        for other in others:
            if not other.has(chunk.ids):
                _refuse(module, first, other, chunk.ids)
        yield [chunk, *(other.take(chunk) for other in others)]
    for other in others:
        if other.read_all():
            _refuse(module, other, first, [])


def _refuse(module: str, has: _Waiting, lacks: _Waiting, ids: Sequence[str]) -> NoReturn:
    """Say how many samples of a file another lacks; `ids` are those that were taken from the first already."""
    wanted, known = [*ids, *has.read_all()], {*lacks.seen, *lacks.read_all()}
    alone = [name for name in wanted if name not in known]
    raise InputError(
        f"{module}: {len(alone)} samples of {has.name} are not in {lacks.name}, such as id {alone[0]!r}; "
        "compare systems on the same samples"
    )


class _Waiting:
    """The samples of a file that were read and not taken yet."""

    def __init__(self, chunks: Iterator[Chunk], name: str, module: str) -> None:
        self.chunks, self.name, self.module = chunks, name, module
        self.seen: set[str] = set()
        self.rows: Rows | None = None
        self.samples: dict[str, tuple[int, dict[str, Any]]] = {}

    def next(self) -> Chunk | None:
        """The next chunk of the file as it is; None after the last."""
        chunk = next(self.chunks, None)
        for name in [] if chunk is None else chunk.ids:
            if name in self.seen:
                raise InputError(
                    f"{self.module}: id {name!r} occurs twice in {self.name}; give every sample an id of its own"
                )
            self.seen.add(name)
        return chunk

    def _hold(self) -> bool:
        """Read the next chunk; whether there was one."""
        chunk = self.next()
        if chunk is None:
            return False
        self.rows = chunk.rows
        for place, name in enumerate(chunk.ids):
            entries = {column: entries[place] for column, entries in chunk.columns.items()}
            self.samples[name] = chunk.start + place, entries
        return True

    def has(self, ids: Sequence[str]) -> bool:
        """Whether the file holds these samples; reads on as far as need be."""
        return all(name in self.samples or (self._reads_on(name)) for name in ids)

    def _reads_on(self, name: str) -> bool:
        while self._hold():
            if name in self.samples:
                return True
        return False

    def take(self, like: Chunk) -> Chunk:
        """The samples of a chunk of another file, which are here."""
        taken = [self.samples.pop(name) for name in like.ids]
        columns = {column: [entries[column] for _, entries in taken] for column in like.columns}
        return Chunk(like.start, like.ids, columns, self.rows, [place for place, _ in taken])

    def read_all(self) -> list[str]:
        """Read to the end; the ids of all samples that were not taken."""
        while self._hold():
            pass
        return list(self.samples)


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


def quality_column(name: str) -> Column:
    """A column of numbers that are shown beside scores, whatever a file calls it.

    Args:
        name: of the column in the file.

    Example:
        >>> quality_column("rouge").flag
        'quality-column'
    """
    return Column(name=f"quality:{name}", entry="quality", kind=str, help="numbers", in_file=name)


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
