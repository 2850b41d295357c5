"""Objects that stand where something else should: entries, columns and settings."""

from __future__ import annotations

import copy
import datetime
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np

from tests.fuzz import resources

Columns = dict[str, Any]


class Odd:
    """An object whose text has several lines."""

    def __repr__(self) -> str:
        return "Odd(\n\x1b[31m)"


def _nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


@cache
def objects() -> list[Any]:
    """Odd objects; the same ones each time."""
    import pandas

    return [
        None, True, False, 0, 1, 2, 3, 5, 17, 40, -1, -7, 0.0, 0.25, 0.5, 0.9, 1.0, 2.5, -0.5, 1e-300, 1e308, 1j,
        float("nan"), float("inf"), -float("inf"), 10**12, 10**20, 10**400, -(10**400), Fraction(1, 3), Fraction(7, 1),
        Fraction(10**400, 3), Decimal("0.5"), "", " ", "[", "['a']", "\ud800", "a\0b", "nan", "0.5", "1", "skip",
        "error", "x" * 300, "x" * 100_000, "../..", "a\nb", "\x1b[31m", "none", "ratio", "de", "日本", b"", b"\xff",
        bytearray(b"a"), [], [[]], [None], [1], ["a", None], ["a", 3], [b"a"], ["\ud800"], [""], ["x"] * 2000, (),
        ("a",), {}, {"a": 1}, {"a": "b"}, {"pos": 0.5, "neg": 0.5}, {"a": ["b"]}, {1: 2}, {None: None}, {"\ud800": 1},
        {"a": float("nan")}, {"a": -1}, {"a": 10**400}, {"a": {"b": {"c": []}}}, {"text": "a"}, [{"text": "a"}],
        [{"text": "a", "speaker": "b"}], {"text": ["a"], "speaker": ["b"]}, {"text": ["a"], "speaker": []}, [[0.5]],
        [[2.0]], [[float("nan")]], [[0.5], []], [["a"]], [{"last_name": "Lee"}], [{"group": "a"}],
        [{"group": "a", "last_name": 3}], [{"group": None, "last_name": "Lee"}],
        [{"group": "a", "last_name": "Lee", "is_modified": 3}], [{"group": [], "last_name": "Lee"}], set(), {"a"},
        frozenset("a"), range(2), iter(()), object(), object, Odd(), Odd, len, print, lambda *_: None, lambda *_: [],
        lambda *_: [0.5], Path("nowhere"), resources.folder(), resources.folder() / "empty",
        resources.folder() / "binary", datetime.date(2024, 1, 1), datetime.datetime(2024, 1, 1), NotImplemented, ...,
        np.int64(2), np.uint8(200), np.float64(0.3), np.float64("nan"), np.bool_(True), np.str_("skip"),
        np.bytes_(b"a"), np.datetime64("2024"), np.void(b"a"), np.array("x"), np.array(3), np.array([]),
        np.array(["a", "b"]), np.array([["a"]]), np.array([1.0]), np.array([None]), pandas.NA, pandas.NaT,
        pandas.Series(["a"]), pandas.DataFrame({"a": [1]}), pandas.Timestamp("2024-01-01"), pandas.Interval(0, 1),
        _nested(3), _nested(500),
    ]  # fmt: skip


class Spoiled(NamedTuple):
    """Columns of which something is wrong, and the sample at fault; None where it is a whole column."""

    columns: Columns
    sample: int | None


def _bad_columns(column: Any) -> list[Any]:
    """What may stand in place of a column."""
    import pyarrow

    return [
        *objects(), iter(column), (entry for entry in column), range(len(column)), column[:-1], [*column, *column[:1]],
        [column], np.zeros((2, 0)), pyarrow.nulls(len(column)), pyarrow.scalar(3), dict(enumerate(column)),
    ]  # fmt: skip


_OTHER_NAMES = ("prediction", "source", "value", "", "x", "targets", "coverage", "entities", "predictions_a", "groups")


def spoil(rng: Random, columns: Columns) -> Spoiled:
    """Make one thing wrong in columns that are valid."""
    name = rng.choice(list(columns))
    kind = rng.randrange(10)
    if kind == 0:
        return Spoiled({key: column for key, column in columns.items() if key != name}, None)
    if kind < 3:
        other = name if kind == 1 else rng.choice(_OTHER_NAMES)
        return Spoiled({**columns, other: rng.choice([*_bad_columns(columns[name]), columns[name]])}, None)
    spoiled = copy.deepcopy(columns)
    place = rng.randrange(len(columns[name]))
    bad = rng.choice(objects())
    entry = spoiled[name][place]
    for _ in range(rng.randrange(1, 4)):
        if isinstance(entry, list) and entry and isinstance(entry[0], (list, dict)) and rng.random() < 0.7:
            entry = rng.choice(entry)
    if kind > 6 and isinstance(entry, list) and entry:
        at = rng.randrange(len(entry))
        entry[at : at + rng.randrange(2)] = rng.choice(([], [bad]))
    elif kind > 6 and isinstance(entry, dict):
        entry[rng.choice([*entry, "group", "x", None, 3])] = bad
    else:
        spoiled[name][place] = bad
    return Spoiled(spoiled, place)
