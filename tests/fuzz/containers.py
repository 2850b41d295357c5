"""The same columns in other containers: arrays and tables of every library that a caller may have them in."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

Made = tuple[Any, dict[str, Any]]
"""A table, or None, and arguments by name."""


def _each(make: Callable[[list[Any]], Any]) -> Callable[[dict[str, list[Any]]], Made]:
    return lambda columns: (None, {name: make(column) for name, column in columns.items()})


def _table(make: Callable[[dict[str, list[Any]]], Any]) -> Callable[[dict[str, list[Any]]], Made]:
    return lambda columns: (make(columns), {name: name for name in columns})


def _array(column: list[Any]) -> Any:
    import numpy as np

    array = np.empty(len(column), dtype=object)
    array[:] = [
        np.array(entry) if isinstance(entry, list) and all(isinstance(x, str) for x in entry) else entry
        for entry in column
    ]
    return array


def _numpy(column: list[Any]) -> Any:
    import numpy as np

    return np.array(column) if all(type(entry) is str for entry in column) else _array(column)


def _series(column: list[Any]) -> Any:
    import pandas

    return pandas.Series(column, index=range(7, 7 + len(column)))


def _polars(column: list[Any]) -> Any:
    import polars

    return polars.Series("x", column)


def _arrow(column: list[Any]) -> Any:
    import pyarrow

    return pyarrow.array(column)


def _chunked(column: list[Any]) -> Any:
    import pyarrow

    kind = pyarrow.array(column).type
    return pyarrow.chunked_array([pyarrow.array(column[:1], kind), pyarrow.array(column[1:], kind)])


def _records(columns: dict[str, list[Any]]) -> Any:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _frame(columns: dict[str, list[Any]]) -> Any:
    import pandas

    return pandas.DataFrame(columns)


def _polars_frame(columns: dict[str, list[Any]]) -> Any:
    import polars

    return polars.DataFrame(columns)


def _arrow_table(columns: dict[str, list[Any]]) -> Any:
    import pyarrow

    return pyarrow.table(columns)


def _data_set(columns: dict[str, list[Any]]) -> Any:
    import datasets

    return datasets.Dataset.from_dict(columns)


def _turns(columns: dict[str, list[Any]]) -> Made:
    """Sources that are turns, which tell the values; `contained` cannot read them back, so that texts must be texts."""
    turns = [
        [{"text": text, "speaker": value} for text, value in zip(texts, values, strict=True)]
        for texts, values in zip(columns["sources"], columns["values"], strict=True)
    ]
    others = {name: column for name, column in columns.items() if name not in ("sources", "values")}
    return None, {**others, "sources": turns}


def _rows(columns: dict[str, list[Any]]) -> Made:
    """A row for each text, put together by the column ``of``."""
    others = [name for name in columns if name not in ("sources", "values")]
    if not all(isinstance(entry, str) and entry.strip() for name in others for entry in columns[name]):
        raise ValueError("an entry that a row cannot hold")
    if any(entry == "" for name in ("sources", "values") for entries in columns[name] for entry in entries):
        raise ValueError("a row without a text or a value")
    rows = [
        {"of": place, "sources": text, "values": value, **{name: columns[name][place] for name in others}}
        for place, (texts, values) in enumerate(zip(columns["sources"], columns["values"], strict=True))
        for text, value in zip(texts, values, strict=True)
    ]
    return rows, {**{name: name for name in columns}, "group_by": "of"}


LAYOUTS: dict[str, Callable[[dict[str, list[Any]]], Made]] = {"turns": _turns, "rows": _rows}
"""Other layouts of sources and values."""

CHEAP: dict[str, Callable[[dict[str, list[Any]]], Made]] = {
    "tuples": _each(lambda column: tuple(tuple(entry) if isinstance(entry, list) else entry for entry in column)),
    "object arrays": _each(_array),
    "arrays": _each(_numpy),
    "records": _table(_records),
    "dict": _table(dict),
}
DEAR: dict[str, Callable[[dict[str, list[Any]]], Made]] = {
    "pandas": _each(_series),
    "polars": _each(_polars),
    "pyarrow": _each(_arrow),
    "chunks": _each(_chunked),
    "pandas table": _table(_frame),
    "polars table": _table(_polars_frame),
    "pyarrow table": _table(_arrow_table),
    "datasets": _table(_data_set),
}


def contained(rng: Random, columns: dict[str, list[Any]]) -> tuple[str, Made] | None:
    """Columns in another container; None where it cannot hold them as they are."""
    makers = CHEAP if rng.random() < 0.6 else DEAR
    if {"sources", "values"} <= columns.keys() and rng.random() < 0.3:
        makers = LAYOUTS
    name = rng.choice(list(makers))
    try:
        made = makers[name](columns)
    except Exception:  # whatever a library says of entries that it cannot hold
        return None
    if makers is LAYOUTS:
        return name, made
    from fairsum_utils.io.frames import as_frame, as_list

    table, arguments = made
    if table is None:
        back = {key: as_list(column) for key, column in arguments.items()}
    else:
        frame = as_frame("fuzz", table)
        back = {key: frame.column(key) for key in frame.names} if frame is not None else {}
    return (name, made) if _same(back, columns) else None


def _same(found: Any, expected: Any) -> bool:
    """Whether two are the same, type by type; tuples are lists, and keys without an entry are none."""
    if isinstance(expected, dict):
        if not isinstance(found, dict):
            return False
        if found.keys() != expected.keys() and any(isinstance(value, (int, float)) for value in expected.values()):
            return False  # shares: Arrow has an entry for every key of any row
        there = {key: value for key, value in found.items() if value is not None}
        wanted = {key: value for key, value in expected.items() if value is not None}
        return there.keys() == wanted.keys() and all(_same(there[key], wanted[key]) for key in wanted)
    if isinstance(expected, (list, tuple)):
        return isinstance(found, (list, tuple)) and len(found) == len(expected) and all(map(_same, found, expected))
    return type(found) is type(expected) and found == expected
