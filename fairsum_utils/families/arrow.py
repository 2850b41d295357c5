"""Rows as columns of Arrow and as records, by the annotations of their fields.

Arrays are made from buffers, and their numbers read through them: `pyarrow.array` and `to_numpy` import pandas, which
takes more time than some samples and more memory than thousands of them.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import chain
from operator import attrgetter, is_not, itemgetter
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt

from fairsum_utils.stats.arrays import Bools

if TYPE_CHECKING:
    import pyarrow

Row = TypeVar("Row")

Count = Annotated[int, np.int32]
"""Whole number that takes 4 bytes in a column."""
SmallCount = Annotated[int, np.uint16]
"""Whole number up to 65,535 that takes 2 bytes in a column."""

_NUMBERS = {int: np.int64, float: np.float64, bool: np.bool_, Count: np.int32, SmallCount: np.uint16}
"""Annotation -> type of its column."""

EVIDENCE = {"evidence": True}
"""Metadata of fields that explain a score and play no part in it: a table does without."""


@cache
def parts_of(kind: Any) -> tuple[str, Any]:
    """Return the kind of an annotation and its parts."""
    origin, arguments = get_origin(kind), get_args(kind)
    if kind in _NUMBERS or kind is str:
        return "plain", kind
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
        hints = get_type_hints(kind, include_extras=True)
        return "tuple" if issubclass(kind, tuple) else "record", hints
    raise TypeError(f"no column can hold {kind}")


def arrow_type(kind: Any) -> pyarrow.DataType:
    """Return the Arrow type of an annotation.

    Example:
        >>> str(arrow_type(dict[str, tuple[int, ...] | None]))
        'map<string, list<element: int64>>'
    """
    import pyarrow

    what, part = parts_of(kind)
    if what == "optional":
        return arrow_type(part)
    if what == "map":
        return pyarrow.map_(*map(arrow_type, part))
    if what == "list":
        return _list_of(arrow_type(part))
    if what in ("tuple", "record"):
        return pyarrow.struct([(name, arrow_type(entry)) for name, entry in part.items()])
    return pyarrow.string() if kind is str else pyarrow.from_numpy_dtype(_NUMBERS[kind])


def _list_of(kind: pyarrow.DataType) -> pyarrow.DataType:
    """Return the type of lists, with the name that Parquet gives their entries."""
    import pyarrow

    return pyarrow.list_(pyarrow.field("element", kind))


def as_annotated(item: Any, kind: Any, *, plain: bool = False) -> Any:
    """Convert an entry to its annotation, or to plain lists and dicts.

    Example:
        >>> as_annotated([("a", [1, 2])], dict[str, tuple[int, ...]])
        {'a': (1, 2)}
        >>> as_annotated([("a", (1, 2))], dict[str, tuple[int, ...]], plain=True)
        {'a': [1, 2]}
    """
    what, part = parts_of(kind)
    if item is None or what == "plain":
        return item
    if what == "optional":
        return as_annotated(item, part, plain=plain)
    if what == "map":
        return {key: as_annotated(value, part[1], plain=plain) for key, value in dict(item).items()}
    if what == "list":
        made = item if parts_of(part)[0] == "plain" else [as_annotated(entry, part, plain=plain) for entry in item]
        return list(made) if plain else tuple(made)
    named = item if isinstance(item, Mapping) else dict(zip(part, item, strict=True))
    found = {name: as_annotated(named.get(name), of, plain=plain) for name, of in part.items()}
    return found if plain or what == "record" else getattr(kind, "_make", tuple)(found.values())


def from_plain(record: Mapping[str, Any], row: type[Row]) -> Row:
    """Make a row from its fields in JSON."""
    kinds = kinds_of(row)  # type: ignore[arg-type]
    return row(**{name: as_annotated(record[name], kind) for name, kind in kinds.items() if name in record})


@cache
def kinds_of(row: Any, *, evidence: bool = True) -> dict[str, Any]:
    """Return the annotation of each field of a row, with evidence or without."""
    hints = get_type_hints(row, include_extras=True)
    kept = [declared.name for declared in fields(row) if evidence or not declared.metadata.get("evidence")]
    return {name: hints[name] for name in kept}


def to_arrow(rows: Sequence[Any], row: type, *, evidence: bool = True) -> pyarrow.RecordBatch:
    """Convert rows to columns of Arrow, with evidence or without."""
    import pyarrow

    kinds = kinds_of(row, evidence=evidence)
    columns = zip(*map(attrgetter(*kinds), rows), strict=True) if rows else [()] * len(kinds)
    arrays = [encoded(column, kind) for column, kind in zip(columns, kinds.values(), strict=True)]
    return pyarrow.RecordBatch.from_arrays(arrays, names=list(kinds))


def from_arrow(batch: pyarrow.RecordBatch, row: type[Row]) -> list[Row]:
    """Read rows from columns of Arrow that `to_arrow` made.

    Example:
        >>> from dataclasses import dataclass
        >>> @dataclass
        ... class Place:
        ...     index: int
        ...     words: tuple[str, ...] | None
        >>> from_arrow(to_arrow([Place(0, ("a", "b")), Place(1, None)], Place), Place)
        [Place(index=0, words=('a', 'b')), Place(index=1, words=None)]
    """
    kinds = kinds_of(row)  # type: ignore[arg-type]
    columns = {name: decoded(batch.column(name), kind) for name, kind in kinds.items()}
    return [row(**dict(zip(columns, entries, strict=True))) for entries in zip(*columns.values(), strict=True)]


def encoded(items: Sequence[Any], kind: Any) -> pyarrow.Array:
    """Convert entries of an annotation to an array."""
    import pyarrow

    what, part = parts_of(kind)
    there = None
    if what == "optional":
        kind, (what, part) = part, parts_of(part)
        if None in items:
            there = np.fromiter(map(is_not, items, [None] * len(items)), np.bool_, len(items))
            nothing = _nothing(kind)
            items = [nothing if item is None else item for item in items]
    if what == "map":
        entries = chain.from_iterable(items), chain.from_iterable(map(dict.values, items))
        return pyarrow.MapArray.from_arrays(_offsets(items, there), *map(encoded, map(list, entries), part))
    if what == "list":
        entries = encoded(list(chain.from_iterable(items)), part)
        return pyarrow.ListArray.from_arrays(_offsets(items, there), entries, type=_list_of(entries.type))
    if what in ("tuple", "record"):
        get = [itemgetter(place if what == "tuple" else name) for place, name in enumerate(part)]
        arrays = [encoded(list(map(each, items)), of) for each, of in zip(get, part.values(), strict=True)]
        mask = None if there is None else from_numbers(~there)
        return pyarrow.StructArray.from_arrays(arrays, names=list(part), mask=mask)
    if kind is str:
        together = "".join(items)
        texts = items if together.isascii() else list(map(str.encode, items))
        buffers = [_validity(there), _offsets(texts, None).buffers()[1], pyarrow.py_buffer(together.encode())]
        return pyarrow.Array.from_buffers(pyarrow.string(), len(texts), buffers)
    return from_numbers(np.fromiter(items, _NUMBERS[kind], len(items)), there)


def _nothing(kind: Any) -> Any:
    """Return an entry that stands for None until it is masked."""
    what, part = parts_of(kind)
    if what == "tuple":
        return tuple(map(_nothing, part.values()))
    return {"plain": "" if kind is str else 0, "list": (), "map": {}, "optional": None}[what]


def _validity(there: Bools | None) -> pyarrow.Buffer | None:
    import pyarrow

    return None if there is None else pyarrow.py_buffer(np.packbits(there, bitorder="little"))


def from_numbers(numbers: npt.NDArray[Any], there: Bools | None = None) -> pyarrow.Array:
    """Convert numbers to an array, with None in other places."""
    import pyarrow

    content = np.packbits(numbers, bitorder="little") if numbers.dtype == np.bool_ else numbers
    buffers = [_validity(there), pyarrow.py_buffer(content)]
    return pyarrow.Array.from_buffers(pyarrow.from_numpy_dtype(numbers.dtype), len(numbers), buffers)


def _offsets(items: Sequence[Any], there: Bools | None) -> pyarrow.Array:
    """Return the offsets of entries; None for a missing one."""
    ends = np.zeros(len(items) + 1, dtype=np.int32)
    np.cumsum(np.fromiter(map(len, items), np.int32, len(items)), out=ends[1:])
    return from_numbers(ends, None if there is None else np.append(there, True))


def numbers_in(array: pyarrow.Array) -> npt.NDArray[Any]:
    """Return the numbers of an array; any in the place of None."""
    if not len(array):
        return np.empty(0, dtype=array.type.to_pandas_dtype())
    content = array.buffers()[1]
    if array.type.bit_width == 1:
        return _bits(content, array)
    return np.frombuffer(content, array.type.to_pandas_dtype(), len(array), array.offset * array.type.bit_width // 8)


def is_there(array: pyarrow.Array) -> Bools:
    """Return a mask of the entries of an array that are not None."""
    return _bits(array.buffers()[0], array) if array.null_count else np.ones(len(array), dtype=np.bool_)


def _bits(content: pyarrow.Buffer, array: pyarrow.Array) -> Bools:
    bits = np.unpackbits(np.frombuffer(content, np.uint8), bitorder="little")
    return bits[array.offset : array.offset + len(array)].view(np.bool_)


def inside(array: pyarrow.Array) -> pyarrow.Array:
    """Return the entries of all lists or maps."""
    offsets = numbers_in(array.offsets)
    return array.values.slice(offsets[0], offsets[-1] - offsets[0])


def decoded(array: pyarrow.Array, kind: Any) -> list[Any]:
    """Read the entries of an array."""
    return [as_annotated(entry, kind) for entry in array.to_pylist()]


Record = dict[str, Any]
"""Key -> entry of a sample, of texts, numbers, lists and dicts alone."""


def _no_entries(rows: Sequence[Any]) -> Iterable[Mapping[str, Any]]:
    return ({} for _ in rows)


class Recorded(NamedTuple):
    """Keys of the record of a sample.

    Attributes:
        fields: fields of the row, whose types and meaning are there, among them ``index`` and ``skipped``.
        computed: typed dictionaries of the keys that are computed.
        compute: function that returns the computed entries of each row; missing ones are None.
        scores: measures that have a score of a sample, which is computed, too.
    """

    fields: Sequence[str]
    computed: Sequence[type] = ()
    compute: Callable[[Sequence[Any]], Iterable[Mapping[str, Any]]] = _no_entries
    scores: Sequence[str] = ()

    def types(self, row: type) -> dict[str, Any]:
        """Return the type of each key, given the class of the rows."""
        of_row = kinds_of(row)
        types = {name: of_row[name] for name in ("index", "skipped")} | dict.fromkeys(self.scores, float | None)
        for each in self.computed:
            types |= get_type_hints(each)
        return types | {name: of_row[name] for name in self.fields}

    def of(self, rows: Sequence[Any], row: type) -> list[Record]:
        """Return the record of each row, also of skipped samples."""
        types = self.types(row)
        entries = {name: map(attrgetter(name), rows) for name in self.fields}
        records = []
        for computed, *own in zip(self.compute(rows), *entries.values(), strict=True):
            found = {**dict(zip(entries, own, strict=True)), **computed}
            records.append({key: as_annotated(found.get(key), kind, plain=True) for key, kind in types.items()})
        return records
