"""Samples from the rows of a file, read in chunks."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple, NoReturn, get_args, get_origin

from fairsum_utils.cleaning import unified
from fairsum_utils.errors import FileError, InputError
from fairsum_utils.families import Column
from fairsum_utils.families.columns import ARTICLE_IDS, PREDICTIONS, SOURCES, VALUES
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.cells import as_cell
from fairsum_utils.io.groups import (
    LOOKED_AT,
    check_unique,
    group_rows,
    grouping_column,
    join_predictions,
    read_predictions,
    refuse_alone,
    sample_id,
)
from fairsum_utils.io.names import Names, list_names
from fairsum_utils.io.reading import Rows, columns_of, read_rows
from fairsum_utils.io.shapes import Cutter, Shape, are_turns
from fairsum_utils.measures import get_measure
from fairsum_utils.validation import is_missing


class Layout(NamedTuple):
    """Column names in a file, and the shape of its samples.

    Attributes:
        columns: Wanted columns, each with its name in the file.
        shape: Shape of the samples.
        by_id: True if a sample's id serves as its original.
        predictions: File with the predictions by sample id; None if they are in the same file.
    """

    columns: tuple[tuple[Column, str], ...]
    shape: Shape
    by_id: bool = False
    predictions: Names | None = None

    @property
    def id(self) -> str:
        """Name of the column with the ids of the samples."""
        return self.shape.group_by or self.shape.id_column

    @property
    def ids_repeat(self) -> bool:
        """Return whether samples of different windows may share an id."""
        return any(column.name == "window" for column, _ in self.columns)


class Chunk(NamedTuple):
    """Some samples, not checked yet.

    Attributes:
        start: Index of the first.
        ids: Ids of the samples.
        columns: Column -> its entries.
        told: Index of a sample in the file -> its place, for messages.
        places: Indices in the file; None if they are consecutive.
    """

    start: int
    ids: list[str]
    columns: dict[str, list[Any]]
    told: Callable[[int], str] = "sample {}".format
    places: list[int] | None = None

    def only(self, place: int) -> Chunk:
        """Return one sample."""
        columns = {name: [entries[place]] for name, entries in self.columns.items()}
        places = None if self.places is None else [self.places[place]]
        return Chunk(self.start + place, [self.ids[place]], columns, self.told, places)

    def told_first(self) -> str:
        """File and row of the first of them."""
        return self.told(self.start if self.places is None else self.places[0])

    def where(self) -> str:
        """File, row and id of the first of them."""
        return f"{self.told_first()}, id {self.ids[0]}"


def read_chunks(
    path: Names,
    layout: Layout,
    size: int,
    *,
    say: Callable[[str], None] | None = None,
    **how: Any,
) -> Iterator[Chunk]:
    """Read samples lazily; memory does not grow with the file.

    If a sample has several rows, the file is read twice, the first time only for ids. Memory then holds the incomplete
    samples: only one if the rows of each sample are adjacent. It also holds predictions from a separate file.
    """
    reader, start = _Reader(path, layout, how), 0
    # Without ids of articles, each sample is an article: then no two may have the same sources or persons.
    same = _Same() if _has_articles(layout) and not _has_articles(reader.layout) else None
    layout, samples = reader.layout, reader.samples()
    wants_values = VALUES.name in reader.files and not reader.has_values
    cutter = Cutter(layout.shape, values=wants_values, say=say)
    checks_ids = not layout.ids_repeat
    seen: set[str] = set()
    while chunk := list(islice(samples, size)):
        ids = [_id(sample.get(layout.id), start + place) for place, sample in enumerate(chunk)]
        if checks_ids and (not seen.isdisjoint(ids) or len(set(ids)) < len(ids)):
            others = (_id(sample.get(layout.id), place) for place, sample in enumerate(samples, start + len(ids)))
            several = len(list_names(path)) > 1
            check_unique(chain(ids, others), reader.where, start=start, seen=seen, several=several)
        seen.update(ids if checks_ids else ())
        columns: dict[str, list[Any]] = {
            column.name: [sample.get(name) for sample in chunk] for column, name in layout.columns
        }
        if SOURCES.name in columns:
            columns = cutter.cut_column(columns, partial(_where, reader, start, ids))
        if same is not None:
            same.check(columns, layout, reader.where, start)
        if layout.by_id:
            columns.setdefault(ARTICLE_IDS.name, ids)
        yield Chunk(start, ids, columns, reader.where)
        start += len(chunk)


def _where(reader: _Reader, start: int, ids: Sequence[str], place: int) -> str:
    return f"{reader.where(start + place)}, id {ids[place]}"


def _has_articles(layout: Layout) -> bool:
    return any(column.name == ARTICLE_IDS.name for column, _ in layout.columns)


class _Same:
    """Check that no two samples have the same sources or persons."""

    def __init__(self) -> None:
        self.known: dict[int, int] = {}

    def check(self, columns: Mapping[str, list[Any]], layout: Layout, where: Callable[[int], str], start: int) -> None:
        shared = [(column, name) for column, name in layout.columns if column.needed and not column.of_system]
        for place, entries in enumerate(zip(*(columns[column.name] for column, _ in shared), strict=True), start):
            first = self.known.setdefault(hash(repr(entries)), place) if all(entries) else place
            if first != place:
                raise FileError(
                    f"{where(place)}: the same {', '.join(name for _, name in shared)} as in {where(first)}; name the "
                    f"column that tells articles apart with --{ARTICLE_IDS.flag} (none: {ARTICLE_IDS.without})"
                )


def as_there(path: Names, layout: Layout, how: Mapping[str, Any]) -> Layout:
    """Return the layout with the columns that the file has, by their default names."""
    usual = {name for column, name in layout.columns if name == column.in_file != column.name}
    try:
        there = columns_of(path, **how) if usual else []
    except InputError:  # the reader reports it
        return layout
    columns = []
    for column, name in layout.columns:
        others = (column.name, *column.also) if name in usual and name not in there else ()
        if column.name == ARTICLE_IDS.name and column.without and others and there and column.name not in there:
            continue
        columns.append((column, next((other for other in others if other in there), name)))
    return layout._replace(columns=tuple(columns))


_MAY_GROUP = (ARTICLE_IDS.name,)
"""Columns of samples that may also group the rows of a long table."""


class _Reader:
    """Reads the samples of a layout from a file.

    Attributes:
        has_values: True if the file has a values column; known after the first sample.
    """

    def __init__(self, path: Names, layout: Layout, how: Mapping[str, Any]) -> None:
        self.path, self.how = path, how
        self.layout = layout = as_there(path, layout, how)
        self._rows: Rows | None = None
        self.files = {column.name: name for column, name in layout.columns}
        self.has_values = VALUES.name in self.files and not layout.shape.holds_values
        left_out = {VALUES.name} if not self.has_values else set()
        if layout.predictions is not None:
            left_out.add(PREDICTIONS.name)
        self.columns = [(column, name) for column, name in layout.columns if column.name not in left_out]
        self.needed = {name: _remedy(column) for column, name in self.columns if not column.sparse}
        if layout.shape.names_ids and layout.shape.group_by is None:
            self.needed[layout.shape.id_column] = "--id-column"

    def where(self, index: int) -> str:
        """Return file and row of a sample, or its number."""
        if self._rows is None or self.layout.shape.group_by is not None:
            return f"{self.path}, sample {index + 1}"
        return self._rows.where(index)

    def samples(self) -> Iterator[dict[str, Any]]:
        """Return one mapping a sample: column of the file -> entry."""
        by = self.layout.shape.group_by
        samples = self._by_row() if by is None else self._grouped(by)
        return samples if self.layout.predictions is None else self._joined(samples, self.layout.predictions)

    def _by_row(self) -> Iterator[dict[str, Any]]:
        """Read samples from one row each."""
        if self.layout.predictions is not None:
            self.needed[self.layout.id] = "--id-column"
        sources = self.files.get(SOURCES.name)
        if not self.has_values or sources is None:
            return self._read()
        try:
            rows = self._read()
            first = next(rows)
            if isinstance(first.get(sources), str):
                raise FileError(f"{self.where(0)}: {sources!r} must contain a list, found one text")
        except FileError as error:
            rows_there = self._first_rows()
            first = rows_there[0] if rows_there else {}
            if self.files[VALUES.name] not in first and are_turns(first.get(sources)):
                self.has_values = False
                del self.needed[self.files[VALUES.name]]
                return self._read()
            raise FileError(f"{error}{self._hint(sources, rows_there)}") from None
        return chain([first], rows)

    def _first_rows(self) -> list[dict[str, Any]]:
        """Return the first rows of the file; none if it is unreadable."""
        texts_or_lists = [self.files[SOURCES.name]]
        try:
            return list(islice(read_rows(self.path, {}, texts_or_lists=texts_or_lists, **self.how), LOOKED_AT))
        except FileError:
            return []

    def _hint(self, sources: str, rows: Sequence[Mapping[str, Any]]) -> str:
        """Suggest an option if sources are single texts; otherwise return nothing."""
        if rows and sources not in rows[0] and not any(_is_list(cell) for cell in rows[0].values()):
            cells = {name: [str(row.get(name)) for row in rows] for name in rows[0]}
            texts = {name for name, entries in cells.items() if 2 * len(set(entries)) > len(rows)}
            longest = max(cells, key=lambda name: sum(map(len, cells[name])))
            name = grouping_column(rows, taken={*self.files.values(), *texts, longest}, once=None)
            return "" if name is None else f"; if each row has one source text, add --group-by {shlex.quote(name)}"
        if not rows or not isinstance(rows[0].get(sources), str):
            return ""
        taken = {name for column, name in self.columns if column.name not in _MAY_GROUP}
        name = grouping_column(rows, taken=taken, once=self.files.get(PREDICTIONS.name))
        meant = "" if name is None else f"; did you mean --group-by {shlex.quote(name)}?"
        if self.files[VALUES.name] in rows[0]:
            return meant
        return (
            f"; if {sources!r} contains transcripts, add --transcript; if each row has one source text, add "
            f"--group-by{meant}"
        )

    def _read(self) -> Iterator[dict[str, Any]]:
        """Read the rows of samples that have a row each."""
        is_text = VALUES.name not in self.files
        as_texts = {SOURCES.name} if self.layout.shape.transcript or is_text else set()
        lists = [column for column, _ in self.columns if column.kind is not str and column.name not in as_texts]
        self._rows = read_rows(
            self.path,
            self.needed,
            others=(self.layout.id, *(name for column, name in self.columns if column.sparse)),
            lists=[self.files[column.name] for column in lists if column.name != VALUES.name or self.has_values],
            texts_or_lists=[self.files[SOURCES.name]] if is_text and SOURCES.name in self.files else [],
            **self.how,
        )
        return _without_notation(self._rows, [name for column, name in self.columns if column.kind is str])

    def _grouped(self, by: str) -> Iterator[dict[str, Any]]:
        """Read samples from several rows, one text per row."""
        texts, values = self.files[SOURCES.name], self.files[VALUES.name] if self.has_values else None
        # A sample's prediction may be in only one of its rows; other JSON rows may lack the column.
        by_text = [name for column, name in self.columns if column.by_text]
        once = [name for _, name in self.columns if name not in (texts, values, *by_text)]
        lists = [name for column, name in self.columns if name in once and column.kind is not str]
        lists += [
            name for column, name in self.columns if name in by_text and get_origin(get_args(column.kind)[0]) is list
        ]
        needed = {name: option for name, option in self.needed.items() if name in (texts, values, *lists)}
        try:
            others = [*once, *by_text]
            rows: Iterator[dict[str, Any]] = read_rows(
                self.path, {**needed, by: "--group-by"}, others=others, lists=lists, **self.how
            )
            rows = _without_notation(rows, [name for _, name in self.columns if name not in lists])
        except FileError:
            self._refuse_missing(by)
            raise
        ids = enumerate(read_rows(self.path, {by: "--group-by"}, others=(), **self.how), 1)
        sizes = Counter(sample_id(f"{self.path}, row {number}", by, row[by]) for number, row in ids)
        source = f"{self.path}, "
        samples = group_rows(
            rows, by, texts=texts, values=values, others=once, source=source, first=1, sizes=sizes, by_text=by_text
        )
        for sample in samples:
            for name in once:
                if sample[name] is None and name in self.needed:
                    if not any(name in row for row in read_rows(self.path, {}, others=[name], **self.how)):
                        self._refuse_missing(by)
                    raise InputError(
                        f"{self.path}: no row of {by} {sample[by]!r} has a {name!r}; add it to one of them, or name "
                        f"the right column with {self.needed[name]}"
                    )
            yield sample

    def _refuse_missing(self, by: str) -> None:
        """Check that a file has all columns, and name the missing ones."""
        read_rows(self.path, {**self.needed, by: "--group-by"}, others=(), **self.how)

    def _joined(self, samples: Iterator[dict[str, Any]], path: Names) -> Iterator[dict[str, Any]]:
        """Give samples their predictions from a file of their own."""
        by, column = self.layout.id, self.files[PREDICTIONS.name]
        how = {name: self.how.get(name) for name in ("encoding", "max_row_bytes", "quoting")}
        needed = {column: _remedy(PREDICTIONS)} if column != PREDICTIONS.in_file else {}
        rows = read_rows(path, needed, **how)
        first = next(rows)
        predictions = read_predictions(
            _without_notation(chain([first], rows), first),
            ids=dict.fromkeys([by, self.layout.shape.id_column]),
            column=column,
            source=f"{path}, ",
            first=1,
        )
        return join_predictions(samples, predictions, by=by, column=column, where=str(self.path), source=str(path))


def _without_notation(rows: Iterable[dict[str, Any]], names: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Replace texts that are a list, a dict or bytes as a whole."""
    columns = list(names)
    for row in rows:
        for name in columns:
            if isinstance(cell := row.get(name), str):
                row[name] = as_cell(cell)
        yield row


def _id(name: Any, index: int) -> str:
    return str(index) if is_missing(name) or name == "" else unified(str(name))


def _is_list(cell: object) -> bool:
    return isinstance(cell, list) or (isinstance(cell, str) and cell.startswith("["))


def _remedy(column: Column) -> str:
    """Return the option that names a column, and how to omit or make it."""
    option = f"--{column.flag}"
    omitted = f"{option} none: {column.without}" if column.without else ""
    made = f"or add it with: {column.made_by}" if column.made_by else ""
    more = "; ".join(filter(None, (omitted, made)))
    return f"{option} ({more})" if more else option


def choose_columns(columns: Sequence[Column], named: Mapping[str, str | None]) -> tuple[tuple[Column, str], ...]:
    """Return the columns to read, with their names in the file."""
    chosen = []
    for column in columns:
        name = named.get(column.name, column.in_file)
        if name is not None and not (name == "none" and column.without):
            # A column that the user named must exist.
            chosen.append((column._replace(sparse=column.sparse and column.name not in named), name))
    return tuple(chosen)


def layout_for(
    measures: Sequence[str],
    named: Mapping[str, str | None],
    shape: Shape,
    *,
    predictions: Names | None = None,
    called: Callable[[str], str] = str,
) -> Layout:
    """Return the columns to read: required ones, and optional ones that exist."""
    known = all_columns(measures)
    columns = choose_columns(list(known.values()), named)
    given = {column.name for column, _ in columns}
    needed = {name: measure for measure in measures for name in get_measure(measure).needed(given)}
    if missing := [name for name in known if name in needed.keys() - given]:
        said = (f"{needed[name]} needs the column {name}; name it with {called(name)}" for name in missing)
        raise InputError(f"{shape.module}: {', '.join(said)}")
    wanted = tuple(
        (column._replace(sparse=False, without=None) if column.name in needed else column, name)
        for column, name in columns
        if column.name in needed or not any(column.needed_by(measure) for measure in measures if column.takes(measure))
    )
    shape.check_columns({column.name for column, _ in wanted})
    if shape.holds_values and VALUES.name in named:
        raise InputError(f"{shape.module}: the sources tell the values of their texts; leave {called('values')} out")
    return Layout(wanted, shape, by_id=ARTICLE_IDS.name in known, predictions=predictions)


def quality_column(name: str) -> Column:
    """Return a column of numbers that is shown next to the scores.

    Example:
        >>> quality_column("rouge").flag
        'quality-column'
    """
    return Column(name=f"quality:{name}", entry="quality", kind=str, help="numbers", in_file=name)


def read_systems(
    paths: Sequence[Names],
    layout: Layout,
    size: int,
    *,
    names: Sequence[str],
    module: str,
    sources: Names | None = None,
    say: Callable[[str], None] | None = None,
    **how: Any,
) -> Iterator[list[Chunk]]:
    """Read the same samples from several files, in chunks.

    Samples are paired by their ids. Files in the same order are read side by side, one chunk at a time. If the order
    differs, samples that come too early stay in memory, at worst the whole file.
    """
    read = [(path, layout) if sources is None else (sources, layout._replace(predictions=path)) for path in paths]
    tell = [say, *[None] * (len(paths) - 1)]
    first, *others = (
        _System(read_chunks(path, of_system, size, say=says, **how), name)
        for (path, of_system), name, says in zip(read, names, tell, strict=True)
    )
    for chunk in first.chunks:
        first.seen.update(chunk.ids)
        for other in others:
            while not all(name in other.waiting for name in chunk.ids):
                if not other.read():
                    _refuse_alone(module, first, other, chunk.ids)
        yield [chunk, *(other.take(chunk) for other in others)]
    for other in others:
        if other.waiting or other.read():
            _refuse_alone(module, other, first, [])


class _System:
    """Samples of one system's file, including those read ahead."""

    def __init__(self, chunks: Iterator[Chunk], name: str) -> None:
        self.chunks, self.name = chunks, name
        self.seen: set[str] = set()
        self.waiting: dict[str, Chunk] = {}

    def read(self) -> bool:
        """Read the next chunk; False at the end."""
        chunk = next(self.chunks, None)
        if chunk is not None:
            self.seen.update(chunk.ids)
            self.waiting |= {name: chunk.only(place) for place, name in enumerate(chunk.ids)}
        return chunk is not None

    def take(self, like: Chunk) -> Chunk:
        """Take the samples of a chunk of another file."""
        taken = [self.waiting.pop(name) for name in like.ids]
        columns = {column: [one.columns[column][0] for one in taken] for column in like.columns}
        return Chunk(like.start, like.ids, columns, taken[0].told, [one.start for one in taken])


def _refuse_alone(module: str, has: _System, lacks: _System, ids: Sequence[str]) -> NoReturn:
    """Count the samples that only this file has."""
    while has.read() or lacks.read():
        pass
    alone = [name for name in (*ids, *has.waiting) if name not in lacks.seen]
    refuse_alone(module, alone, has.name, lacks.name)
