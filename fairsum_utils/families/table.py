"""Rows in columns: compact, mergeable, and to and from Arrow, all derived from the annotations of the row.

A checkpoint, the samples that a worker sends back and a shard of a cluster are Arrow tables of rows.
"""

from __future__ import annotations

import types
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import accumulate, chain, islice
from operator import attrgetter
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Generic,
    Self,
    TypeAlias,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow

Row = TypeVar("Row")

_BLOCK = 1 << 12
"""Rows that are added together."""

_NUMBERS = {int: "q", float: "d", bool: "b"}
"""Python type -> code of the array that holds it."""


EVIDENCE = {"evidence": True}
"""Metadata of a row's field that explains a score and plays no part in it: a table does without."""


class _Numbers:
    """Whole numbers, floats or truth values."""

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.array: array[Any] = array(_NUMBERS[kind])

    def extend(self, items: Iterable[Any]) -> None:
        self.array.extend(items)

    def merge(self, other: Self) -> None:
        self.array.extend(other.array)

    def items(self) -> list[Any]:
        return list(map(bool, self.array)) if self.kind is bool else self.array.tolist()


class _Texts:
    """Strings, each distinct one once."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.array: array[int] = array("i")

    def extend(self, items: Iterable[str]) -> None:
        places = self.places
        self.array.extend([places.setdefault(text, len(places)) for text in items])

    def merge(self, other: Self) -> None:
        renumbered = [self.places.setdefault(text, len(self.places)) for text in other.places]
        self.array.extend([renumbered[code] for code in other.array])

    def items(self) -> list[str]:
        texts = list(self.places)
        return [texts[code] for code in self.array]


class _Lists:
    """Lists of one kind, end to end."""

    def __init__(self, items: Any, make: type = tuple) -> None:
        self.flat = _store(items)
        self.lengths: array[int] = array("i")
        self.make = make

    def extend(self, items: Iterable[Any]) -> None:
        rows = list(items)
        self.lengths.extend(list(map(len, rows)))
        self.flat.extend(list(chain.from_iterable([row.items() for row in rows] if self.make is dict else rows)))

    def merge(self, other: Self) -> None:
        self.lengths.extend(other.lengths)
        self.flat.merge(other.flat)

    def items(self) -> list[Any]:
        flat = self.flat.items()
        stops = list(accumulate(self.lengths))
        return [self.make(flat[stop - length : stop]) for length, stop in zip(self.lengths, stops, strict=True)]


class _Tuples:
    """Tuples whose entries differ in kind, such as named tuples."""

    def __init__(self, kinds: Sequence[Any], make: Any) -> None:
        self.parts = [_store(kind) for kind in kinds]
        self.make = make

    def extend(self, items: Iterable[Any]) -> None:
        rows = list(items)
        for place, part in enumerate(self.parts):
            part.extend([row[place] for row in rows])

    def merge(self, other: Self) -> None:
        for mine, theirs in zip(self.parts, other.parts, strict=True):
            mine.merge(theirs)

    def items(self) -> list[Any]:
        return [self.make(row) for row in zip(*(part.items() for part in self.parts), strict=True)]


class _Optional:
    """Entries that may be None: where they are not, and their values there."""

    def __init__(self, kind: Any) -> None:
        self.present: array[int] = array("b")
        self.some = _store(kind)

    def extend(self, items: Iterable[Any]) -> None:
        rows = list(items)
        self.present.extend([row is not None for row in rows])
        self.some.extend([row for row in rows if row is not None])

    def merge(self, other: Self) -> None:
        self.present.extend(other.present)
        self.some.merge(other.some)

    def items(self) -> list[Any]:
        some = iter(self.some.items())
        return [next(some) if present else None for present in self.present]


@cache
def _parts(kind: Any) -> tuple[str, Any]:
    """Return the kind of an annotation and its parts."""
    origin, arguments = get_origin(kind), get_args(kind)
    if origin in (Union, types.UnionType):
        [some] = [argument for argument in arguments if argument is not type(None)]
        return "optional", some
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return "map", arguments
    if origin is tuple and arguments[-1] is not Ellipsis:
        return "tuple", {str(place): argument for place, argument in enumerate(arguments)}
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return "list", arguments[0]
    if hasattr(kind, "__annotations__"):  # a named tuple or a typed dictionary
        return "tuple" if issubclass(kind, tuple) else "record", get_type_hints(kind)
    if kind in _NUMBERS or kind is str:
        return "plain", kind
    raise TypeError(f"no column can hold {kind}")


def _store(kind: Any) -> Any:
    """An empty column for what an annotation says."""
    what, part = _parts(kind)
    if what == "optional":
        return _Optional(part)
    if what == "map":
        return _Lists(tuple[part[0], part[1]], make=dict)  # type: ignore[valid-type]
    if what == "list":
        return _Lists(part)
    if what == "tuple":
        return _Tuples(list(part.values()), getattr(kind, "_make", tuple))
    return _Texts() if kind is str else _Numbers(kind)


def arrow_type(kind: Any) -> pyarrow.DataType:
    """The Arrow type of what an annotation says.

    Example:
        >>> str(arrow_type(dict[str, tuple[int, ...] | None]))
        'map<string, list<item: int64>>'
    """
    import pyarrow

    what, part = _parts(kind)
    if what == "optional":
        return arrow_type(part)
    if what == "map":
        return pyarrow.map_(*map(arrow_type, part))
    if what == "list":
        return pyarrow.list_(arrow_type(part))
    if what in ("tuple", "record"):
        return pyarrow.struct([(name, arrow_type(entry)) for name, entry in part.items()])
    plain = {int: pyarrow.int64, float: pyarrow.float64, bool: pyarrow.bool_, str: pyarrow.string}
    return plain[kind]()


def as_annotated(item: Any, kind: Any) -> Any:
    """An entry as its annotation says, of what JSON or Arrow makes of it.

    Example:
        >>> as_annotated([("a", [1, 2])], dict[str, tuple[int, ...]])
        {'a': (1, 2)}
    """
    return item if item is None else _reader(kind)(item)


Convert: TypeAlias = Callable[[Any], Any]
"""Makes one form of an entry, which is not None, of another."""


def _same(item: Any) -> Any:
    return item


def _if_any(convert: Convert) -> Convert:
    """Let a conversion pass None through."""
    return _same if convert is _same else lambda item: None if item is None else convert(item)


@cache
def _reader(kind: Any) -> Convert:
    """Return the conversion of an entry from JSON or Arrow to its annotation."""
    what, part = _parts(kind)
    if what == "optional":
        return _reader(part)
    if what == "map":
        entry = _if_any(_reader(part[1]))
        return lambda item: {key: entry(value) for key, value in (item.items() if isinstance(item, Mapping) else item)}
    if what == "list":
        entry = _if_any(_reader(part))
        return tuple if entry is _same else lambda item: tuple(map(entry, item))
    if what == "record":
        fields_of = {name: _if_any(_reader(of)) for name, of in part.items()}
        return lambda item: {name: convert(item.get(name)) for name, convert in fields_of.items()}
    if what == "tuple":
        names, converts = list(part), [_if_any(_reader(of)) for of in part.values()]
        make = getattr(kind, "_make", tuple)

        def made(item: Any) -> Any:
            entries = map(item.get, names) if isinstance(item, Mapping) else item
            return make([convert(entry) for convert, entry in zip(converts, entries, strict=True)])

        return made
    return _same


@cache
def _kinds(row: Any) -> dict[str, Any]:
    """Field of a row -> its type."""
    hints = get_type_hints(row)
    return {declared.name: hints[declared.name] for declared in fields(row)}


def to_arrow(rows: Sequence[Any], row: type) -> pyarrow.Table:
    """Rows as an Arrow table, evidence included."""
    import pyarrow

    return pyarrow.table(
        {name: pyarrow.array(list(map(attrgetter(name), rows)), arrow_type(kind)) for name, kind in _kinds(row).items()}
    )


def from_plain(record: Mapping[str, Any], row: type[Row]) -> Row:
    """A row of its fields as JSON leaves them, lists in place of tuples."""
    return row(**{name: as_annotated(record[name], kind) for name, kind in _kinds(row).items() if name in record})  # type: ignore[arg-type]


def from_arrow(table: pyarrow.Table, row: type[Row]) -> list[Row]:
    """The rows of an Arrow table that `to_arrow` made.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Count:
        ...     index: int
        ...     words: tuple[str, ...] | None
        >>> from_arrow(to_arrow([Count(0, ("a", "b")), Count(1, None)], Count), Count)
        [Count(index=0, words=('a', 'b')), Count(index=1, words=None)]
    """
    columns = []
    for name, kind in _kinds(row).items():  # type: ignore[arg-type]
        entries, convert = table.column(name).to_pylist(), _if_any(_reader(kind))
        columns.append(entries if convert is _same else map(convert, entries))
    return [row(*entries) for entries in zip(*columns, strict=True)]


class Table(Generic[Row]):
    """The rows of a data set in columns, without their evidence. Subclasses name the row and read the columns.

    Attributes:
        columns: field of the row -> what holds it.
    """

    row: ClassVar[type]

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        hints = _kinds(self.row)
        self.columns: dict[str, Any] = {
            declared.name: _store(hints[declared.name])
            for declared in fields(self.row)
            if not declared.metadata.get("evidence")
        }
        self.extend(rows)

    def __len__(self) -> int:
        """Samples that have a score."""
        skipped = self.columns["skipped"].present
        return len(skipped) - int(sum(skipped))

    def extend(self, rows: Iterable[Row]) -> None:
        """Add rows, some at a time, so that those of a generator are never all there at once."""
        remaining = iter(rows)
        while added := list(islice(remaining, _BLOCK)):
            for name, column in self.columns.items():
                column.extend([getattr(row, name) for row in added])

    def merge(self, other: Self) -> None:
        """Add the rows of another table, such as that of another process. Indices are taken as they are."""
        for name, column in self.columns.items():
            column.merge(other.columns[name])

    def rows(self) -> list[Row]:
        """The rows, without evidence."""
        entries = {name: column.items() for name, column in self.columns.items()}
        return [self.row(**dict(zip(entries, row, strict=True))) for row in zip(*entries.values(), strict=True)]

    @property
    def skipped(self) -> Counter[str]:
        """Reason -> number of samples without a score."""
        return Counter(self.columns["skipped"].some.items())

    def scored(self, name: str) -> npt.NDArray[Any]:
        """A column of numbers, of the samples that have a score."""
        return np.asarray(self.columns[name].array)[~np.asarray(self.columns["skipped"].present, dtype=np.bool_)]
