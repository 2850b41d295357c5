"""Compact, mergeable columns of rows, with conversion from and to Arrow.

What a worker answers with and what the folder of a run keeps are Arrow tables of rows.
"""

from __future__ import annotations

import types
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from itertools import accumulate, chain, islice
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, Union, get_args, get_origin, get_type_hints

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
"""Metadata of fields that explain a score and play no part in it: a table does without."""


LABELS = {"labels": True}
"""Metadata of fields that hold groups, see `Table.labels`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleRow:
    """Base class of rows; subclasses begin with ``index`` and have ``skipped``.

    Attributes:
        content: digest of the sample that is the same for every system; 0 if unknown.
        notes: remarks on the texts of the sample, see `fairsum_utils.cleaning`.
        language: language other than English that its texts are noticed to be in.
        n_dropped: source texts or persons that were left out, because they have no label.
    """

    content: int = field(default=0, compare=False)
    notes: tuple[str, ...] = ()
    language: str | None = None
    n_dropped: int = 0


class _Numbers:
    """Integers, floats or booleans."""

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.array: array[Any] = array(_NUMBERS[kind])

    def extend(self, items: Iterable[Any]) -> None:
        self.array.extend(items)

    def items(self) -> list[Any]:
        return list(map(bool, self.array)) if self.kind is bool else self.array.tolist()


class _Texts:
    """Strings, each distinct one stored once."""

    def __init__(self) -> None:
        self.places: dict[str, int] = {}
        self.array: array[int] = array("i")

    def extend(self, items: Iterable[str]) -> None:
        places = self.places
        self.array.extend([places.setdefault(text, len(places)) for text in items])

    def items(self) -> list[str]:
        texts = list(self.places)
        return [texts[code] for code in self.array]

    def counted(self) -> dict[str, int]:
        """Count each distinct text."""
        counts = np.bincount(np.asarray(self.array, dtype=np.int64), minlength=len(self.places))
        return dict(zip(self.places, counts.tolist(), strict=True))


class _Lists:
    """Lists, mappings or optional entries, stored end to end."""

    def __init__(
        self, kind: Any, opened: Callable[[Any], Sequence[Any]], make: Callable[[list[Any]], Any], code: str = "i"
    ) -> None:
        self.flat = _store(kind)
        self.lengths: array[int] = array(code)
        self.opened, self.make = opened, make

    def extend(self, items: Iterable[Any]) -> None:
        rows = list(map(self.opened, items))
        self.lengths.extend(list(map(len, rows)))
        self.flat.extend(chain.from_iterable(rows))

    def items(self) -> list[Any]:
        flat = self.flat.items()
        stops = list(accumulate(self.lengths))
        return [self.make(flat[stop - length : stop]) for length, stop in zip(self.lengths, stops, strict=True)]


def _at_most_one(item: Any) -> tuple[Any, ...]:
    return () if item is None else (item,)


def _first_or_none(items: list[Any]) -> Any:
    return items[0] if items else None


class _Tuples:
    """Tuples with entries of different types, such as named tuples."""

    def __init__(self, kinds: Sequence[Any], make: Any) -> None:
        self.parts = [_store(kind) for kind in kinds]
        self.make = make

    def extend(self, items: Iterable[Any]) -> None:
        rows = list(items)
        for place, part in enumerate(self.parts):
            part.extend([row[place] for row in rows])

    def items(self) -> list[Any]:
        return [self.make(row) for row in zip(*(part.items() for part in self.parts), strict=True)]


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
    """Make an empty column for an annotation."""
    what, part = _parts(kind)
    if what == "optional":
        return _Lists(part, _at_most_one, _first_or_none, "b")
    if what == "map":
        return _Lists(tuple[part[0], part[1]], dict.items, dict)  # type: ignore[valid-type, arg-type]
    if what == "list":
        return _Lists(part, tuple, tuple)
    if what == "tuple":
        return _Tuples(list(part.values()), getattr(kind, "_make", tuple))
    return _Texts() if kind is str else _Numbers(kind)


def arrow_type(kind: Any) -> pyarrow.DataType:
    """Return the Arrow type of an annotation.

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
    """Convert an entry from JSON or Arrow to its annotation.

    Example:
        >>> as_annotated([("a", [1, 2])], dict[str, tuple[int, ...]])
        {'a': (1, 2)}
    """
    what, part = _parts(kind)
    if item is None or what == "plain":
        return item
    if what == "optional":
        return as_annotated(item, part)
    if what == "map":
        return {key: as_annotated(value, part[1]) for key, value in dict(item).items()}
    if what == "list":
        is_plain = _parts(part)[0] == "plain"
        return tuple(item if is_plain else [as_annotated(entry, part) for entry in item])
    if what == "record":
        return {name: as_annotated(item.get(name), of) for name, of in part.items()}
    entries = map(item.get, part) if isinstance(item, Mapping) else item
    made = [as_annotated(entry, of) for entry, of in zip(entries, part.values(), strict=True)]
    return getattr(kind, "_make", tuple)(made)


@cache
def _kinds(row: Any) -> dict[str, Any]:
    """Return the type of each field of a row."""
    hints = get_type_hints(row)
    return {declared.name: hints[declared.name] for declared in fields(row)}


def to_arrow(rows: Sequence[Any], row: type) -> pyarrow.Table:
    """Convert rows to an Arrow table, with evidence."""
    import pyarrow

    return pyarrow.table(
        {name: pyarrow.array(list(map(attrgetter(name), rows)), arrow_type(kind)) for name, kind in _kinds(row).items()}
    )


def from_plain(record: Mapping[str, Any], row: type[Row]) -> Row:
    """Make a row from its fields in JSON."""
    kinds = _kinds(row)  # type: ignore[arg-type]
    return row(**{name: as_annotated(record[name], kind) for name, kind in kinds.items() if name in record})


def from_arrow(table: pyarrow.Table, row: type[Row]) -> list[Row]:
    """Read rows from an Arrow table made by `to_arrow`.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Count:
        ...     index: int
        ...     words: tuple[str, ...] | None
        >>> from_arrow(to_arrow([Count(0, ("a", "b")), Count(1, None)], Count), Count)
        [Count(index=0, words=('a', 'b')), Count(index=1, words=None)]
    """
    return [from_plain(record, row) for record in table.to_pylist()]


class Table(Generic[Row]):
    """Rows of a data set in columns, without evidence.

    Attributes:
        columns: field of the row -> its column.
    """

    row: ClassVar[type]

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        kinds = _kinds(self.row)
        self.columns: dict[str, Any] = {}
        for declared in fields(self.row):
            if not declared.metadata.get("evidence"):
                self.columns[declared.name] = _store(kinds[declared.name])
        self.extend(rows)

    def __len__(self) -> int:
        """Return the number of scored samples."""
        return int(self.is_scored.sum())

    def extend(self, rows: Iterable[Row]) -> None:
        """Add rows in blocks, to limit the memory for generators."""
        remaining = iter(rows)
        while added := list(islice(remaining, _BLOCK)):
            for name, column in self.columns.items():
                column.extend(map(attrgetter(name), added))

    def labels(self) -> Counter[str]:
        """Count the groups of all rows."""
        found: Counter[str] = Counter()
        for declared in fields(self.row):
            if declared.metadata.get("labels"):
                column = self.columns[declared.name]
                while not isinstance(column, _Texts):
                    column = column.flat
                found.update(column.counted())
        return found

    def merge(self, other: Self) -> None:
        """Add the rows of another table without changing indices."""
        for name, column in self.columns.items():
            column.extend(other.columns[name].items())

    def rows(self) -> list[Row]:
        """Yield the rows, without evidence."""
        entries = {name: column.items() for name, column in self.columns.items()}
        return [self.row(**dict(zip(entries, row, strict=True))) for row in zip(*entries.values(), strict=True)]

    @property
    def skipped(self) -> Counter[str]:
        """Count samples without a score by reason."""
        return Counter(self.columns["skipped"].flat.items())

    @property
    def is_scored(self) -> npt.NDArray[np.bool_]:
        """Mask of samples with a score."""
        return ~np.asarray(self.columns["skipped"].lengths, dtype=np.bool_)

    def scored(self, name: str) -> npt.NDArray[Any]:
        """Return a numeric column of the scored samples."""
        return np.asarray(self.columns[name].array)[self.is_scored]
