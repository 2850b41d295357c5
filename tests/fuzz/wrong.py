"""Input that is not as described: one thing is made wrong in columns that are valid."""

from __future__ import annotations

import copy
import datetime
from decimal import Decimal
from functools import cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

Columns = dict[str, Any]


class Spoiled(NamedTuple):
    """Columns of which something is wrong.

    Attributes:
        columns: by name.
        sample: the one at fault; None where it is a whole column.
        what: was done.
    """

    columns: Columns
    sample: int | None
    what: str


def _nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


@cache
def _deep() -> list[Any]:
    return _nested(900)


@cache
def bad_entries() -> list[Any]:
    """What may stand where something else should."""
    import pandas

    return [
        None,
        float("nan"),
        float("inf"),
        0,
        1,
        -1,
        2.0,
        2.5,
        10**400,
        1e308,
        1j,
        True,
        b"",
        b"\xff",
        bytearray(b"a"),
        "",
        " ",
        "[",
        "['a']",
        "\ud800",
        "a\x00",
        [],
        [[]],
        [None],
        ["a", None],
        ["a", 3],
        [b"a"],
        ["\ud800"],
        [""],
        (),
        ("a",),
        {},
        {"a": 1},
        {"text": "a"},
        [{"text": "a"}],
        [{"text": "a", "speaker": "b"}],
        {"text": ["a"], "speaker": ["b"]},
        {"text": ["a"], "speaker": []},
        {None: None},
        {"a": float("nan")},
        {"a": -1},
        {"a": 10**400},
        [[0.5]],
        [[2.0]],
        [[float("nan")]],
        [[0.5], []],
        [["a"]],
        [{"last_name": "Lee"}],
        [{"group": "a"}],
        [{"group": "a", "last_name": 3}],
        [{"group": None, "last_name": "Lee"}],
        [{"group": "a", "last_name": "Lee", "is_modified": 3}],
        [{"group": [], "last_name": "Lee"}],
        set(),
        {"a"},
        frozenset("a"),
        range(2),
        iter(["a"]),
        object(),
        object,
        len,
        Decimal(1),
        datetime.date(2024, 1, 1),
        datetime.datetime(2024, 1, 1),
        ...,
        np.array("x"),
        np.array(3),
        np.array([]),
        np.array(["a", "b"]),
        np.array([["a"]]),
        np.array([1.0]),
        np.array([None]),
        np.str_("a"),
        np.bytes_(b"a"),
        np.int64(3),
        np.float64(0.5),
        np.bool_(True),
        np.datetime64("2024"),
        np.void(b"a"),
        pandas.NA,
        pandas.NaT,
        pandas.Series(["a"]),
        pandas.DataFrame({"a": [1]}),
        pandas.Timestamp("2024-01-01"),
        pandas.Interval(0, 1),
        _nested(3),
        _nested(500),
        "x" * 100_000,
        ["x"] * 2000,
    ]


def bad_columns(column: Any) -> list[Any]:
    """What may stand in place of a column."""
    import pandas
    import pyarrow

    return [
        None,
        3,
        2.5,
        "",
        "abc",
        "predictions",
        b"abc",
        {},
        {"a": ["b"]},
        set(),
        {"a"},
        iter(column),
        (entry for entry in column),
        range(len(column)),
        object(),
        object,
        len,
        [],
        (),
        column[:-1],
        [*column, *column[:1]],
        [column],
        np.array("x"),
        np.array(3),
        np.array([]),
        np.array([["a"]]),
        np.zeros((2, 0)),
        pandas.Series([], dtype=object),
        pandas.DataFrame({"a": [1]}),
        pandas.Series([None]),
        pyarrow.nulls(len(column)),
        pyarrow.scalar(3),
        dict(enumerate(column)),
        "x" * 100_000,
        _deep(),
    ]


def spoil(rng: Random, columns: Columns) -> Spoiled:
    """Make one thing wrong."""
    name = rng.choice(list(columns))
    kind = rng.randrange(10)
    if kind == 0:
        return Spoiled({key: column for key, column in columns.items() if key != name}, None, f"without {name}")
    if kind == 1:
        bad = rng.choice(bad_columns(columns[name]))
        return Spoiled({**columns, name: bad}, None, f"{name} is {type(bad).__name__}")
    if kind == 2:
        other = rng.choice(
            [
                "prediction",
                "source",
                "value",
                "",
                "x",
                "targets",
                "coverage",
                "entities",
                "predictions_a",
                "groups",
                "mentions",
                "id",
            ]
        )
        return Spoiled(
            {**columns, other: rng.choice([*bad_columns(columns[name]), columns[name]])}, None, f"with {other!r}"
        )
    spoiled = copy.deepcopy(columns)
    place = rng.randrange(len(columns[name]))
    bad = rng.choice(bad_entries())
    if kind < 7:
        spoiled[name][place] = bad
        return Spoiled(spoiled, place, f"{name}[{place}] is {type(bad).__name__}")
    # Somewhere in the entry.
    entry, where = spoiled[name][place], f"{name}[{place}]"
    for _ in range(rng.randrange(1, 4)):
        if isinstance(entry, list) and entry and isinstance(entry[0], (list, dict)) and rng.random() < 0.7:
            entry = rng.choice(entry)
    if isinstance(entry, list) and entry:
        act = rng.randrange(3)
        at = rng.randrange(len(entry))
        if act == 0:
            entry[at] = bad
        elif act == 1:
            entry.insert(at, bad)
        else:
            del entry[at]
    elif isinstance(entry, dict):
        key = rng.choice([*entry, "group", "x", None, 3])
        entry[key] = bad
    else:
        spoiled[name][place] = bad
    return Spoiled(spoiled, place, f"{where} holds {type(bad).__name__}")
