"""Tables and columns of other libraries as lists of Python objects. None of these libraries is imported here.

What an object is, its methods tell: a table names its columns, a column gives a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from fairsum_utils.errors import InputError
from fairsum_utils.io.classes import naming_of
from fairsum_utils.validation import describe

__all__ = ["Frame", "as_frame", "as_list", "as_plain"]

_EXACT = {str, int, float, bool, type(None)}
"""Types of entries that stay as they are."""

_LISTS = ("to_pylist", "to_list", "tolist")
"""What gives the entries of a column: of pyarrow; of pandas and polars; of NumPy and torch."""

_DEEPEST = 32
"""Lists within lists, of which more are no entry of any column."""

_NOT_YET = {"collect": ".collect()", "compute": ".compute()", "read_all": ".read_all()"}
"""Method of a table that is yet to be computed -> the call that computes it; of polars, dask and pyarrow."""


class Frame(NamedTuple):
    """A table of any library.

    Attributes:
        names: of its columns.
        column: name -> list of its entries.
    """

    names: tuple[str, ...]
    column: Callable[[str], list[Any]]


def as_frame(module: str, table: Any) -> Frame | None:
    """The table that an object is; None if it is none.

    Args:
        module: name used in messages.
        table: of pandas, polars, pyarrow or `datasets`, a list of dicts, or a dict of columns.

    Raises:
        InputError: it would be a table, but its rows are not there yet, or are of several splits.

    Example:
        >>> frame = as_frame("score", [{"id": 1, "text": "Yes."}, {"id": 2}])
        >>> frame.names, frame.column("text")
        (('id', 'text'), ['Yes.', None])
        >>> as_frame("score", ["Yes.", "No."]) is None
        True
    """
    kind = type(table)
    if isinstance(table, Mapping):
        return _from_mapping(module, table)
    if isinstance(table, (list, tuple)):
        if not table or not isinstance(table[0], Mapping):
            return None
        return _from_records(module, table)
    if not hasattr(kind, "__len__"):
        for method, call in _NOT_YET.items():
            if hasattr(kind, method):
                raise InputError(f"{module}: this {kind.__name__} is not computed yet; give table{call}")
        if hasattr(kind, "column_names"):
            raise InputError(f"{module}: this {kind.__name__} is a stream; give list(table), if it fits into memory")
        return None
    names = getattr(table, "column_names", None)
    if names is None:
        names = getattr(table, "columns", None)
    if names is None:
        return None
    _refuse_twins(module, names)
    if hasattr(kind, "with_format"):  # of `datasets`: entries in another format may be arrays or tensors
        return Frame(tuple(names), partial(_column_of_dataset, module, table.with_format(None)))
    return Frame(tuple(names), lambda name: as_list(table[name]))


def _column_of_dataset(module: str, table: Any, name: str) -> list[Any]:
    return _named(table.features[name], [as_plain(entry) for entry in table[name][:]], f"{module}: column {name!r}")


def _from_mapping(module: str, table: Mapping[str, Any]) -> Frame:
    for split, part in table.items():
        if hasattr(part, "column_names") or (hasattr(type(part), "iloc") and hasattr(part, "columns")):
            raise InputError(
                f"{module}: found several tables, {', '.join(map(repr, table))}; give one, such as table[{split!r}]"
            )
    return Frame(tuple(table), lambda name: as_list(table[name]))


def _from_records(module: str, records: Sequence[Mapping[str, Any]]) -> Frame:
    for number, record in enumerate(records):
        if not isinstance(record, Mapping):
            raise InputError(f"{module}: row {number} must be a dict as those before it, found {describe(record)}")
    names = dict.fromkeys(name for record in records for name in record)
    return Frame(tuple(names), lambda name: [as_plain(record.get(name)) for record in records])


def _refuse_twins(module: str, names: Iterable[Any]) -> None:
    seen: set[Any] = set()
    for name in names:
        if name in seen:
            raise InputError(f"{module}: the table has two columns {name!r}; rename one")
        seen.add(name)


def as_list(column: Any) -> Any:
    """The entries of a column as a list of Python objects; what is no column of any kind stays as it is.

    Args:
        column: of pandas, polars, pyarrow, NumPy or `datasets`, or a list or tuple.

    Example:
        >>> import numpy
        >>> as_list(numpy.array([1, 2])), as_list([numpy.array(["a", "b"])]), as_list("a b")
        ([1, 2], [['a', 'b']], 'a b')
    """
    if isinstance(column, (list, tuple)):
        return [as_plain(entry) for entry in column]
    if isinstance(column, (str, bytes, Mapping)) or hasattr(column, "columns"):
        return column
    for method in _LISTS:
        if hasattr(column, method):
            entries = getattr(column, method)()
            return [as_plain(entry) for entry in entries] if isinstance(entries, list) else entries
    if hasattr(column, "features") and hasattr(column, "__getitem__"):  # of `datasets`, from version 4
        return _named(column.features, [as_plain(entry) for entry in column[:]], "a column of labels")
    return column


def as_plain(entry: Any, depth: int = _DEEPEST) -> Any:
    """An entry without what other libraries wrap around it: scalars, arrays, and their own "missing".

    Args:
        entry: of a column.
        depth: of lists within lists, up to which it is looked into.

    Example:
        >>> import numpy
        >>> as_plain([numpy.int64(3), "a"]), as_plain({"a": numpy.float64(0.5)})
        ([3, 'a'], {'a': 0.5})
    """
    kind = type(entry)
    if kind in _EXACT or not depth:
        return entry
    if kind is list or kind is tuple:
        return entry if all(type(part) in _EXACT for part in entry) else [as_plain(part, depth - 1) for part in entry]
    if kind is dict and all(type(part) in _EXACT for part in entry.values()):
        return entry
    if isinstance(entry, Mapping):
        return {name: as_plain(part, depth - 1) for name, part in entry.items()}
    if kind.__name__ == "NAType":  # of pandas
        return None
    if hasattr(kind, "as_py"):  # of pyarrow
        return entry.as_py()
    for method in _LISTS:
        if hasattr(kind, method):
            return as_plain(plain, depth - 1) if type(plain := getattr(entry, method)()) is not kind else plain
    return entry


def _named(feature: Any, entries: list[Any], where: str) -> list[Any]:
    """Entries of a `datasets` column with the names of their classes, if these are whole numbers that have names."""
    naming = naming_of(_plain_feature(feature), where)
    return entries if naming is None else [naming(entry) for entry in entries]


def _plain_feature(feature: Any) -> Any:
    """A feature of `datasets` as its files have it."""
    if isinstance(feature, Mapping):
        return {name: _plain_feature(part) for name, part in feature.items()}
    if isinstance(feature, list):
        return [_plain_feature(part) for part in feature]
    said = {name: getattr(feature, name) for name in ("names", "feature") if hasattr(feature, name)}
    if "feature" in said:
        said["feature"] = _plain_feature(said["feature"])
    return {"_type": type(feature).__name__, **said}
