"""Conversion of other libraries' tables and columns to Python lists.

None of these libraries is imported here: tables and columns are recognized by their attributes.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.families import Column
from fairsum_utils.families.columns import PREDICTIONS, SOURCES, VALUES
from fairsum_utils.io.columns import meant_column, with_names
from fairsum_utils.io.groups import (
    LOOKED_AT,
    check_unique,
    group_rows,
    grouping_column,
    join_predictions,
    read_predictions,
    sample_id,
)
from fairsum_utils.io.shapes import Cutter, Shape, are_turns
from fairsum_utils.validation import describe

_EXACT = {str, int, float, bool, type(None)}
"""Types of entries that stay as they are."""

_LISTS = ("to_pylist", "to_list", "tolist")
"""Methods that return the entries of a column: pyarrow; pandas and polars; NumPy and torch."""

_DEEPEST = 32
"""Maximum depth of nested lists."""

_LAZY = ("collect", "compute", "read_all")
"""Methods that compute a lazy table: polars, dask and pyarrow."""


class Frame(NamedTuple):
    """A table of any library.

    Attributes:
        names: Names of its columns.
        column: Name of a column -> list of its entries.
    """

    names: tuple[str, ...]
    column: Callable[[str], list[Any]]


def as_frame(module: str, table: Any) -> Frame | None:
    """Return an object as a table; None if it is not one.

    Example:
        >>> frame = as_frame("score", [{"id": 1, "text": "Yes."}, {"id": 2}])
        >>> frame.names, frame.column("text")
        (('id', 'text'), ['Yes.', None])
        >>> as_frame("score", ["Yes.", "No."]) is None
        True
    """
    kind = type(table)
    if isinstance(table, (list, tuple)):
        return _from_records(module, table) if table and isinstance(table[0], Mapping) else None
    if isinstance(table, Mapping):
        return _from_mapping(module, table)
    if not hasattr(kind, "__len__"):
        for method in _LAZY:
            if hasattr(kind, method):
                raise InputError(f"{module}: this {kind.__name__} is not computed yet; pass table.{method}()")
        if hasattr(kind, "column_names"):
            raise InputError(f"{module}: this {kind.__name__} is a stream; pass list(table) if it fits into memory")
        return None
    names = getattr(table, "column_names", None)
    if names is None:
        names = getattr(table, "columns", None)
    if names is None:
        return None
    if twins := [name for name, n in Counter(names).items() if n > 1]:
        raise InputError(f"{module}: the table has two columns {twins[0]!r}; rename one")
    if hasattr(kind, "with_format"):  # `datasets`: with a format set, entries may be arrays or tensors
        return Frame(tuple(names), partial(_column_of_dataset, module, table.with_format(None)))
    return Frame(tuple(names), lambda name: as_list(table[name]))


def _column_of_dataset(module: str, table: Any, name: str) -> list[Any]:
    return _with_names(table.features[name], table[name][:], f"{module}: column {name!r}")


def _with_names(feature: Any, entries: Sequence[Any], where: str) -> list[Any]:
    """Return a `datasets` column with class names instead of numbers."""
    from datasets import Features  # already imported by the caller

    plain = Features({"column": feature}).to_dict()
    return [with_names(plain["column"], as_plain(entry), where) for entry in entries]


def _from_mapping(module: str, table: Mapping[str, Any]) -> Frame:
    for split, part in table.items():
        if hasattr(part, "column_names") or (hasattr(type(part), "iloc") and hasattr(part, "columns")):
            raise InputError(
                f"{module}: found several tables, {', '.join(map(repr, table))}; pass one, such as table[{split!r}]"
            )
    return Frame(tuple(table), lambda name: as_list(table[name]))


def _from_records(module: str, records: Sequence[Mapping[str, Any]]) -> Frame:
    for number, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise InputError(f"{module}: row {number} must be a dict like the rows before it, found {describe(record)}")
    names = dict.fromkeys(name for record in records for name in record)
    return Frame(tuple(names), lambda name: [as_plain(record.get(name)) for record in records])


def as_list(column: Any) -> Any:
    """Return a column as a list of Python objects; anything else unchanged.

    Example:
        >>> import numpy
        >>> as_list(numpy.array([1, 2])), as_list([numpy.array(["a", "b"])]), as_list("a b")
        ([1, 2], [['a', 'b']], 'a b')
    """
    if isinstance(column, (list, tuple)):
        return list(map(as_plain, column))
    if isinstance(column, (str, bytes, Mapping)) or hasattr(column, "columns"):
        return column
    for method in _LISTS:
        if hasattr(column, method):
            entries = getattr(column, method)()
            return [as_plain(entry) for entry in entries] if isinstance(entries, list) else entries
    if hasattr(column, "features") and hasattr(column, "__getitem__"):  # `datasets` from version 4 on
        return _with_names(column.features, column[:], "a column of labels")
    return column


def as_plain(entry: Any, depth: int = _DEEPEST) -> Any:
    """Unwrap scalars, arrays and missing values of other libraries.

    Example:
        >>> import numpy
        >>> as_plain([numpy.int64(3), "a"]), as_plain({"a": numpy.float64(0.5)})
        ([3, 'a'], {'a': 0.5})
    """
    kind = type(entry)
    if kind in _EXACT or not depth:
        return entry
    if kind is list or kind is tuple:
        return entry if _EXACT.issuperset(map(type, entry)) else [as_plain(part, depth - 1) for part in entry]
    if isinstance(entry, Mapping):
        return {name: as_plain(part, depth - 1) for name, part in entry.items()}
    if kind.__name__ == "NAType":  # pandas
        return None
    if hasattr(kind, "as_py"):  # pyarrow
        return entry.as_py()
    for method in _LISTS:
        if hasattr(kind, method):
            return as_plain(plain, depth - 1) if type(plain := getattr(entry, method)()) is not kind else plain
    return entry


logger = logging.getLogger(__name__)


class Samples(NamedTuple):
    """The columns of samples, not checked yet.

    Attributes:
        columns: argument of the call -> list of entries.
        ids: Ids of the samples; None if the table has none.
    """

    columns: dict[str, Any]
    ids: list[str] | None = None


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


def from_columns(shape: Shape, known: Collection[str], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a call without a table, columns as lists.

    Example:
        >>> from_columns(Shape(transcript=True), ["sources", "values"], {"sources": ["Ann: Hi.\\nBen: Ho."], "k": 2})
        {'sources': [['Hi.', 'Ho.']], 'k': 2, 'values': [['Ann', 'Ben']]}
    """
    if shape.group_by is not None:
        raise InputError(
            f"{shape.module}: group_by names a column of a table, but there is no table; pass the table and the names "
            "of its columns"
        )
    shape.check_columns([name for name, column in arguments.items() if column is not None])
    columns = {name: as_list(column) if name in known else column for name, column in arguments.items()}
    return _cut(shape, columns, known)


def from_table(
    shape: Shape,
    table: Frame,
    wanted: Mapping[str, Column],
    named: Mapping[str, Any],
    *,
    needed: Callable[[Collection[str]], Iterable[str]],
    call: str,
) -> Samples:
    """Return the columns that a table contains."""
    reader = _Reader(shape, table, wanted, named)
    reader.check(needed, call)
    shape.check_columns(reader.there)
    columns, ids = reader.grouped() if shape.group_by is not None else reader.by_row()
    if reader.apart is not None:
        columns[PREDICTIONS.name] = reader.joined(ids or [])
    return Samples(_cut(shape, columns, wanted), ids)


class _Reader:
    """Finds the columns of a call in a table, and reads samples.

    Attributes:
        places: Argument -> name of its column in the table, which may be missing.
        given: Argument -> entries that were passed directly.
        apart: Id -> prediction, if predictions are in a separate table.
        tells_values: True if the sources include the values of their texts.
    """

    def __init__(self, shape: Shape, table: Frame, wanted: Mapping[str, Column], named: Mapping[str, Any]) -> None:
        self.shape, self.table, self.wanted, self.module = shape, table, wanted, shape.module
        self.places: dict[str, str] = {}
        given: dict[str, Any] = {}
        for argument, column in wanted.items():
            name = named.get(argument)
            told = argument == VALUES.name and shape.holds_values
            if isinstance(name, str):
                if name == "none" and column.without:
                    continue
                if told:
                    raise InputError(
                        f"{self.module}: the sources already include the values of their texts; omit values"
                    )
                self.places[argument] = name
            elif name is not None:
                given[argument] = name
            elif column.in_file is not None and not told:
                usual = (argument, column.in_file, *column.also) if argument == column.name else (argument,)
                if there := [each for each in usual if each in table.names and each != shape.group_by]:
                    self.places[argument] = there[0]
        self.apart = self._predictions_apart(given.get(PREDICTIONS.name))
        if self.apart is not None:
            del given[PREDICTIONS.name]
        self.given = {argument: as_list(entries) for argument, entries in given.items()}
        self.tells_values = shape.holds_values
        sources = self.places.get(SOURCES.name)
        if VALUES.name in wanted and VALUES.name not in self.there and sources in table.names:
            entries = table.column(str(sources))[:1]
            self.tells_values = bool(entries) and are_turns(entries if shape.group_by else entries[0])

    @property
    def there(self) -> set[str]:
        """Return the arguments that have a column."""
        told = {VALUES.name} if self.tells_values else set()
        return {*self.places, *self.given, *told, *(() if self.apart is None else (PREDICTIONS.name,))}

    def _predictions_apart(self, given: Any) -> dict[str, Any] | None:
        if given is None:
            return None
        if isinstance(given, Mapping) and not any(isinstance(part, (list, tuple)) for part in given.values()):
            return {sample_id(f"{self.module}: predictions", "id", name): text for name, text in given.items()}
        frame = as_frame(self.module, given)
        if frame is None:
            return None
        ids = dict.fromkeys([*([self.shape.group_by] if self.shape.group_by else []), self.shape.id_column])
        usual = PREDICTIONS.name if PREDICTIONS.name in frame.names else str(PREDICTIONS.in_file)
        rows = _rows(frame, frame.names)
        return read_predictions(rows, ids=ids, column=usual, source=f"{self.module}: predictions, ")

    def check(self, needed: Callable[[Collection[str]], Iterable[str]], call: str) -> None:
        """Check that all needed columns exist; otherwise suggest a working call."""
        names, ids = self.table.names, {}
        if self.shape.group_by is not None:
            ids["group_by"] = self.shape.group_by
        elif self.apart is not None:
            ids["id_column"] = self.shape.id_column
        chosen = {**self.places, **ids}
        missing: dict[str, str | None] = {name: None for name in needed(self.there) if name not in self.there}
        missing |= {name: place for name, place in chosen.items() if place not in names}
        if not missing:
            return
        free = [name for name in names if name not in (self.shape.id_column, *chosen.values())]
        arguments = {name: place for name, place in chosen.items() if name not in missing and place != name}
        for name, place in missing.items():
            usual = self.wanted[name].in_file if name in self.wanted else None
            meant = (place and meant_column(place, free)) or meant_column(usual or name, free)
            arguments[name] = meant or "..."
            free = [other for other in free if other != meant]
        if self.shape.group_by is None and (group := self._grouping_column()):
            arguments["group_by"] = group
        wrong = ", ".join(name if place is None else f"{name} ({place!r})" for name, place in missing.items())
        example = call.format(", ".join(f"{name}={place!r}" for name, place in arguments.items()))
        raise InputError(
            f"{self.module}: the table has no column for {wrong}; it has {', '.join(map(str, names)) or 'none'}. Name "
            f"the right column, for example {example}"
        )

    def _grouping_column(self) -> str | None:
        """Return the likely grouping column of a table with one source per row."""
        place = self.places.get(SOURCES.name)
        if self.tells_values or VALUES.name not in self.wanted or place not in self.table.names:
            return None
        rows, once = _rows(self.table, self.table.names)[:LOOKED_AT], self.places.get(PREDICTIONS.name)
        if not rows or not isinstance(rows[0][str(place)], str):
            return None
        return grouping_column(rows, taken=self.places.values(), once=once)

    def by_row(self) -> tuple[dict[str, Any], list[str] | None]:
        """Return columns and ids, with one row per sample."""
        columns = self.given | {name: self.table.column(place) for name, place in self.places.items()}
        by = self.shape.id_column
        if group := self._grouping_column():
            raise InputError(
                f"{self.module}: the column {self.places.get(SOURCES.name)!r} has one text per row, but sources "
                f"are lists of texts; did you mean group_by={group!r}?"
            )
        if by not in self.table.names:
            return columns, None
        entries = enumerate(self.table.column(by))
        ids = [sample_id(f"{self.module}: row {number}", by, entry) for number, entry in entries]
        check_unique(ids, lambda number: f"{self.module}: row {number}", option="id_column")
        return columns, ids

    def grouped(self) -> tuple[dict[str, Any], list[str]]:
        """Return columns and ids, with one row per source text."""
        by = str(self.shape.group_by)
        if self.given:
            raise InputError(
                f"{self.module}: with group_by all columns come from the table, but {', '.join(self.given)} is a "
                "list; add it to the table, or give predictions as a table with ids or a dict of id -> prediction"
            )
        texts, values = self.places[SOURCES.name], self.places.get(VALUES.name)
        by_text = [name for argument, name in self.places.items() if self.wanted[argument].by_text]
        others = [name for name in self.places.values() if name not in (texts, values, *by_text)]
        rows = _rows(self.table, [by, *self.places.values()])
        source = f"{self.module}: "
        grouped = group_rows(rows, by, texts=texts, values=values, others=others, source=source, by_text=by_text)
        samples = list(grouped)
        found = {name: [sample[place] for sample in samples] for name, place in self.places.items()}
        return found, [sample[by] for sample in samples]

    def joined(self, ids: Iterable[str]) -> list[Any]:
        """Return the predictions of samples, by their ids."""
        by, column = self.shape.group_by or self.shape.id_column, PREDICTIONS.name
        samples = ({by: name} for name in ids)
        where = {"where": "the table", "source": "predictions", "prefix": f"{self.module}: "}
        return [sample[column] for sample in join_predictions(samples, self.apart or {}, by=by, column=column, **where)]


def _rows(table: Frame, names: Iterable[str]) -> list[dict[str, Any]]:
    columns = {name: table.column(name) for name in dict.fromkeys(names)}
    return [dict(zip(columns, entries, strict=True)) for entries in zip(*columns.values(), strict=True)]


def _cut(shape: Shape, columns: dict[str, Any], known: Collection[str]) -> dict[str, Any]:
    """Cut sources into lists of texts, with the values found in them."""
    if not isinstance(columns.get(SOURCES.name), list):
        return columns
    wants_values = VALUES.name in known and columns.get(VALUES.name) is None
    cutter = Cutter(shape, values=wants_values, say=logger.info)
    return cutter.cut_column(columns, lambda index: f"{shape.module}: sample {index}")
