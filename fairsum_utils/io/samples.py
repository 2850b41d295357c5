"""Samples from the rows of a table, read in chunks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, NamedTuple, get_args, get_origin

from fairsum_utils._util.characters import unified
from fairsum_utils.errors import FileError, InputError
from fairsum_utils.families import Column
from fairsum_utils.families.columns import ARTICLE_IDS, PREDICTIONS, SOURCES, VALUES
from fairsum_utils.io.cells import as_cell, entries_in, is_notation, list_in
from fairsum_utils.io.groups import check_unique, group_rows, join_predictions, read_predictions, sample_id
from fairsum_utils.io.layout import Layout, with_names_of
from fairsum_utils.io.names import Names
from fairsum_utils.io.reading import Files, Rows, Source
from fairsum_utils.io.reshaping import reshaped
from fairsum_utils.io.shapes import Cutter, Shape, are_turns
from fairsum_utils.validation import is_missing


class Chunk(NamedTuple):
    """Some samples, not checked yet.

    Attributes:
        start: index of the first.
        ids: ids of the samples.
        columns: column -> its entries.
        place_of: index of a sample in the file -> its place, for messages.
        places: indices in the file; None if they are consecutive.
    """

    start: int
    ids: list[str]
    columns: dict[str, list[Any]]
    place_of: Callable[[int], str] = "sample {}".format
    places: list[int] | None = None

    def only(self, place: int) -> Chunk:
        """Return one sample."""
        columns = {name: [entries[place]] for name, entries in self.columns.items()}
        places = None if self.places is None else [self.places[place]]
        return Chunk(self.start + place, [self.ids[place]], columns, self.place_of, places)

    def where(self) -> str:
        """File, row and id of the first of them."""
        return f"{self.place_of(self.start if self.places is None else self.places[0])}, id {self.ids[0]}"


def read_chunks(
    table: Names | Source,
    layout: Layout,
    size: int,
    *,
    say: Callable[[str], None] | None = None,
    **how: Any,
) -> Iterator[Chunk]:
    """Read samples lazily; memory does not grow with the file.

    If a sample has several rows, the table is read twice, the first time only for ids. Memory then holds the
    incomplete samples: only one if the rows of each sample are adjacent. It also holds predictions from elsewhere.
    """
    source: Source = table if hasattr(table, "rows") else Files(table, how)  # type: ignore[assignment]
    reader, start = SampleReader(source, layout), 0
    # Without ids of articles, each sample is an article: then no two may have the same sources or persons.
    same = _Same() if ARTICLE_IDS.name in layout.files and ARTICLE_IDS.name not in reader.layout.files else None
    layout, samples = reader.layout, reader.samples()
    wants_values = VALUES.name in layout.files and not reader.has_values
    cutter = Cutter(layout.shape, values=wants_values, say=say)
    seen: set[str] = set()
    while chunk := list(islice(samples, size)):
        columns: dict[str, list[Any]] = {
            column.name: [sample.get(name) for sample in chunk] for column, name in layout.columns
        }
        columns = reader.parsed(columns, start)
        ids = [_id(sample.get(layout.id), start + place) for place, sample in enumerate(chunk)]
        if "window" not in layout.files:  # else samples of several windows may share an id
            check_unique(ids, reader.where, seen, start)
        if SOURCES.name in columns:
            columns = cutter.cut_column(columns, partial(_place_of, reader.where, start, ids))
        if same is not None:
            same.check(columns, layout, reader.where, start)
        if layout.by_id:
            columns.setdefault(ARTICLE_IDS.name, ids)
        yield Chunk(start, ids, columns, reader.where)
        start += len(chunk)


def _place_of(where: Callable[[int], str], start: int, ids: Sequence[str], place: int) -> str:
    return f"{where(start + place)}, id {ids[place]}"


class _Same:
    """Check that no two samples have the same sources or persons."""

    def __init__(self) -> None:
        self.known: dict[int, int] = {}

    def check(self, columns: Mapping[str, list[Any]], layout: Layout, where: Callable[[int], str], start: int) -> None:
        shared = [(column, name) for column, name in layout.columns if column.needed and not column.of_system]
        for place, entries in enumerate(zip(*(columns[column.name] for column, _ in shared), strict=True), start):
            first = self.known.setdefault(hash(repr(entries)), place) if all(entries) else place
            if first != place:
                raise InputError(
                    f"{where(place)}: the same {', '.join(name for _, name in shared)} as in {where(first)}; name the "
                    f"column that tells articles apart with {name_of(ARTICLE_IDS)}"
                )


class SampleReader:
    """Reads the samples of a layout from a table.

    Attributes:
        layout: the layout, with the names that the table has.
        has_values: True if the table has a column of values.
    """

    def __init__(self, source: Source, layout: Layout) -> None:
        self.source = source = reshaped(source, layout.shape, [layout.id, *layout.files.values()])
        there = source.names
        self.layout = layout = with_names_of(there, layout)
        self._rows: Rows | None = None
        self.files = layout.files
        self.has_values = VALUES.name in self.files and not self._sources_have_values(there)
        left_out = {VALUES.name} if not self.has_values else set()
        if layout.predictions is not None:
            left_out.add(PREDICTIONS.name)
        self.columns = [(column, name) for column, name in layout.columns if column.name not in left_out]
        self.needed = {name: name_of(column) for column, name in self.columns if not column.sparse}
        if layout.shape.group_by is not None:
            return
        id_column = layout.shape.id_column
        if id_column not in ("none", Shape.infos()["id_column"].default) or layout.predictions is not None:
            self.needed[id_column] = "`id_column`"

    def _sources_have_values(self, there: Sequence[str]) -> bool:
        """Return whether sources are turns or transcripts, with the values of their texts."""
        shape, sources = self.layout.shape, self.files.get(SOURCES.name)
        values = self.files[VALUES.name]
        if shape.holds_values or values in there or values != VALUES.in_file or sources is None or sources not in there:
            return shape.holds_values
        entry = next(self.source.rows({}, others=[sources])).get(sources)
        entry = as_cell(entry) if isinstance(entry, str) else entry
        return are_turns(entry if shape.group_by is None else [entry])

    def where(self, index: int) -> str:
        """Return the place of a sample, or its number."""
        if self._rows is None or self.layout.shape.group_by is not None:
            return f"{self.source.label}, sample {index}"
        return self._rows.where(index)

    def samples(self) -> Iterator[dict[str, Any]]:
        """Return one mapping a sample: column of the table -> entry."""
        by, apart = self.layout.shape.group_by, self.layout.predictions
        samples = self._by_row() if by is None else self._grouped(by)
        return samples if apart is None else self._joined(samples, apart)

    def parsed(self, columns: Mapping[str, list[Any]], start: int) -> dict[str, list[Any]]:
        """Read lists in texts, of columns that have them; refuse them elsewhere."""
        found = dict(columns)

        def where(place: int) -> str:
            return self.where(start + place)

        for column, name in self.columns:
            are_lists = holds_lists(column, self.layout.shape, has_values=VALUES.name in self.files)
            found[column.name] = entries_in(found[column.name], name, where, are_lists=are_lists)
        sources = found.get(SOURCES.name, [])
        if start == 0 and self.has_values and sources and isinstance(sources[0], str):
            name = self.files[SOURCES.name]
            raise InputError(f"{self.where(0)}: {name!r} must contain a list, found one text{self._hint(name)}")
        return found

    def _by_row(self) -> Iterator[dict[str, Any]]:
        """Read samples from one row each."""
        others = (self.layout.id, *(name for column, name in self.columns if column.sparse))
        try:
            self._rows = self.source.rows(self.needed, others=others)
        except InputError as error:
            if not self.has_values or SOURCES.name not in self.files:
                raise
            raise type(error)(f"{error}{self._hint(self.files[SOURCES.name])}") from None
        return self._rows

    def _hint(self, sources: str) -> str:
        """Suggest a setting if sources are single texts; otherwise return nothing."""
        try:
            row = next(self.source.rows({}))
        except InputError:
            return ""
        if not isinstance(row.get(sources), str) or is_notation(row[sources]):
            return ""
        is_transcript = self.files[VALUES.name] not in row
        transcript = f"; if {sources!r} contains transcripts, add transcript=True" if is_transcript else ""
        return (
            f"{transcript}; if each row has one source text, name the column that identifies its sample with `group_by`"
        )

    def _grouped(self, by: str) -> Iterator[dict[str, Any]]:
        """Read samples from several rows, one text per row."""
        texts, values = self.files[SOURCES.name], self.files[VALUES.name] if self.has_values else None
        # A sample's prediction may be in only one of its rows; other JSON rows may lack the column.
        by_text = [name for column, name in self.columns if column.by_text]
        once = [name for _, name in self.columns if name not in (texts, values, *by_text)]
        lists = [name for column, name in self.columns if name in once and column.kind is not str]
        items = [
            name for column, name in self.columns if column.by_text and get_origin(get_args(column.kind)[0]) is list
        ]
        optional = {name for name in once if name not in lists} | {name for name in by_text if name not in items}
        needed = {name: option for name, option in self.needed.items() if name not in optional}
        every = {**self.needed, by: "`group_by`"}
        try:
            rows = self.source.rows({**needed, by: "`group_by`"}, others=[*once, *by_text])
        except InputError:
            self.source.rows(every, others=())  # names all missing columns
            raise
        ids = self.source.rows({by: "`group_by`"}, others=())
        sizes = Counter(sample_id(ids.where(number), by, row[by]) for number, row in enumerate(ids))
        samples = group_rows(
            self._parsed_rows(rows, [name for name in (texts, values, *by_text) if name], items),
            by,
            texts=texts,
            values=values,
            others=once,
            where=rows.where,
            sizes=sizes,
            by_text=by_text,
        )
        for sample in samples:
            for name in once:
                if sample[name] is None and name in self.needed:
                    if not any(name in row for row in self.source.rows({}, others=[name])):
                        self.source.rows(every, others=())
                    raise InputError(
                        f"{self.source.label}: no row of {by} {sample[by]!r} has a {name!r}; add it to one of them, or "
                        f"name the right column with {self.needed[name]}"
                    )
            yield sample

    @staticmethod
    def _parsed_rows(rows: Rows, texts: Sequence[str], lists: Sequence[str]) -> Iterator[dict[str, Any]]:
        """Read lists in the cells of rows, see `parsed`."""
        for number, row in enumerate(rows):
            for name in texts:
                if isinstance(cell := row.get(name), str) and is_notation(cell):
                    row[name] = list_in(cell, name, partial(rows.where, number)) if name in lists else as_cell(cell)
            yield row

    def _joined(self, samples: Iterator[dict[str, Any]], apart: Any) -> Iterator[dict[str, Any]]:
        """Give samples their predictions from a table of their own."""
        by, column = self.layout.id, self.files[PREDICTIONS.name]
        shape = self.layout.shape
        source: Source = apart if hasattr(apart, "rows") else Files(apart, self._how_apart())
        source = reshaped(source, Shape(), [column])
        needed = {column: name_of(PREDICTIONS)} if column != PREDICTIONS.in_file else {}
        ids = dict.fromkeys([by, shape.id_column])
        if shape.predictions_id_column is not None:
            ids = dict.fromkeys([shape.predictions_id_column])
            needed[shape.predictions_id_column] = "`predictions_id_column`"
        try:
            rows = source.rows(needed)
        except FileError as error:
            message = re.sub(
                r"--encoding( \S+)?", lambda at: f"--set predictions_encoding={(at[1] or 'NAME').strip()}", str(error)
            )
            raise FileError(message) from None
        predictions = read_predictions(rows, ids=ids, column=column, where=rows.where)
        labels = {"where": self.source.label, "source": source.label, "module": shape.module}
        return join_predictions(samples, predictions, by=by, column=column, **labels)

    def _how_apart(self) -> dict[str, Any]:
        how = self.source.how if isinstance(self.source, Files) else {}
        return {
            "encoding": how.get("predictions_encoding"),
            "quoting": how.get("quoting"),
        }


def _id(name: Any, index: int) -> str:
    """Return the id of a sample, its number if it has none."""
    if type(name) is str and name:
        return name if name.isascii() else unified(name)
    return str(index) if is_missing(name) or name == "" else sample_id(f"sample {index}", "id", name)


def holds_lists(column: Column, shape: Shape, *, has_values: bool) -> bool:
    """Return whether entries of a column are lists or mappings, not single texts."""
    if column.name == SOURCES.name:
        return has_values and not shape.transcript
    return column.kind is not str


def name_of(column: Column) -> str:
    """Return the argument that names a column, and how to omit or make it."""
    argument = f"`{column.name}`" if column.name.isidentifier() else column.flag
    omitted = f"{column.name}='none': {column.without}" if column.without else ""
    made = f"or add it with: {column.made_by}" if column.made_by else ""
    more = "; ".join(filter(None, (omitted, made)))
    return f"{argument} ({more})" if more else argument
