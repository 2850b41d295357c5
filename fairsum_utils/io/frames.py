"""Tables in memory as sources of rows, and columns as Python lists.

None of the libraries is imported here: tables and columns are recognized by their attributes.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.io.columns import check_columns, columns_of_classes, features_of_schema, with_names
from fairsum_utils.io.reading import Files, Rows, Source
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
    """A table in memory as a source.

    Attributes:
        names: names of its columns.
        column: name of a column -> list of its entries.
        label: name of the table for messages.
    """

    names: tuple[str, ...]
    column: Callable[[str], list[Any]]
    label: str = "the table"

    def rows(self, needed: Mapping[str, str], *, others: Collection[str] | None = None) -> Rows:
        """Read rows, see `fairsum_utils.io.reading.Source`."""
        check_columns(self.label, needed, self.names, error=InputError)
        columns = {name: self.column(name) for name in self.names if others is None or name in {*needed, *others}}
        lengths = {name: len(entries) for name, entries in columns.items()}
        if len(set(lengths.values())) > 1:
            found = ", ".join(f"{n} of {name}" for name, n in lengths.items())
            raise InputError(f"{self.label}: columns must have the same number of entries, found {found}")
        if not all(lengths.values()):
            raise InputError(f"{self.label}: there are no rows; give at least one")
        return Rows((dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)), self.label)


def as_source(module: str, table: Any, label: str = "the table") -> Source | None:
    """Return a file or table as a source; None if it is neither.

    Example:
        >>> as_source("score", "rows.csv").label, as_source("score", [{"id": 1}]).label
        ('rows.csv', 'score: the table')
    """
    return Files(table) if isinstance(table, (str, os.PathLike)) else as_frame(module, table, label)


def as_frame(module: str, table: Any, label: str = "the table") -> Frame | None:
    """Return an object as a table; None if it is not one.

    Example:
        >>> frame = as_frame("score", [{"id": 1, "text": "Yes."}, {"id": 2}])
        >>> frame.names, frame.column("text")
        (('id', 'text'), ['Yes.', None])
        >>> as_frame("score", ["Yes.", "No."]) is None
        True
    """
    found = _columns_of(module, table)
    if found is None:
        return None
    names, column = found
    if twins := [name for name, n in Counter(names).items() if n > 1]:
        raise InputError(f"{module}: {label} has two columns {twins[0]!r}; rename one")
    return Frame(tuple(names), column, f"{module}: {label}")


_Columns = tuple[Sequence[str], Callable[[str], list[Any]]]


def _columns_of(module: str, table: Any) -> _Columns | None:
    """Return the names of a table's columns, and a function that returns one."""
    kind = type(table)
    if isinstance(table, (list, tuple)):
        return _from_records(module, table) if table and isinstance(table[0], Mapping) else None
    if isinstance(table, Mapping):
        return _from_mapping(module, table)
    is_stream = not hasattr(kind, "__len__")  # such as one of `datasets`
    if is_stream and (method := next((each for each in _LAZY if hasattr(kind, each)), None)):
        return _columns_of(module, getattr(table, method)())
    if hasattr(kind, "iloc") and hasattr(table, "columns"):  # pandas, whose index may have names
        table = table.reset_index([name for name in table.index.names if name not in (None, *table.columns)])
    names: Any = getattr(table, "column_names", None)
    names = getattr(table, "columns", None) if names is None else names
    if not hasattr(kind, "column_names") if is_stream else names is None:
        return None
    schema = getattr(getattr(table, "features", None), "arrow_schema", getattr(table, "schema", None))
    classes = columns_of_classes(features_of_schema(getattr(schema, "metadata", None)))
    if hasattr(kind, "with_format"):  # `datasets`: with a format set, entries may be arrays or tensors
        table = table.with_format(None)
    if not is_stream:
        return names, lambda name: _with_names(classes.get(name), as_list(table[name][:]), f"{module}: column {name!r}")
    names, column = _from_records(module, list(map(dict, table)))
    return names, lambda name: _with_names(classes.get(name), column(name), f"{module}: column {name!r}")


def _with_names(feature: Any, entries: list[Any], where: str) -> list[Any]:
    return entries if feature is None else [with_names(feature, entry, where) for entry in entries]


def _from_mapping(module: str, table: Mapping[str, Any]) -> _Columns:
    for split, part in table.items():
        if hasattr(part, "column_names") or (hasattr(type(part), "iloc") and hasattr(part, "columns")):
            raise InputError(
                f"{module}: found several tables, {', '.join(map(repr, table))}; pass one, such as table[{split!r}]"
            )
    return tuple(table), lambda name: as_list(table[name])


def _from_records(module: str, records: Sequence[Mapping[str, Any]]) -> _Columns:
    for number, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise InputError(f"{module}: row {number} must be a dict like the rows before it, found {describe(record)}")
    names = dict.fromkeys(name for record in records for name in record)
    return tuple(names), lambda name: [as_plain(record.get(name)) for record in records]


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
        from datasets import Features  # already imported by the caller

        feature = Features({"column": column.features}).to_dict()["column"]
        return _with_names(feature, as_list(column[:]), "a column of labels")
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
