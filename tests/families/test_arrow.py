"""Rows in Arrow: what annotations become, and the way there and back."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.arrow import (
    EVIDENCE,
    Count,
    SmallCount,
    arrow_type,
    decoded,
    encoded,
    from_arrow,
    from_plain,
    to_arrow,
)


class Word(NamedTuple):
    text: str
    weight: float | None


@dataclass(frozen=True)
class Line:
    index: int
    words: tuple[Word, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    numbers: tuple[Count, ...] = ()
    group: str | None = None
    best: Word | None = None
    pairs: tuple[tuple[str, bool], ...] | None = None
    skipped: str | None = None
    why: tuple[tuple[str, ...], ...] | None = field(default=None, metadata=EVIDENCE)


TEXT = st.text(st.characters(codec="utf-8"), max_size=3)
WORD = st.builds(Word, TEXT, st.none() | st.floats(0, 1))
LINES = st.builds(
    Line,
    index=st.integers(-(2**63), 2**63 - 1),
    words=st.lists(WORD, max_size=3).map(tuple),
    counts=st.dictionaries(TEXT, st.integers(0, 5), max_size=3),
    numbers=st.lists(st.integers(0, 2**31 - 1), max_size=3).map(tuple),
    group=st.none() | TEXT,
    best=st.none() | WORD,
    pairs=st.none() | st.lists(st.tuples(TEXT, st.booleans()), max_size=3).map(tuple),
    skipped=st.none() | st.just("empty"),
    why=st.none() | st.lists(st.lists(TEXT, max_size=2).map(tuple), max_size=2).map(tuple),
)


@given(st.lists(LINES, max_size=8), st.integers(0, 12), st.integers(0, 12))
def test_rows_come_back_as_they_were_and_are_as_arrow_makes_them(lines: list[Line], start: int, n: int) -> None:
    batch = to_arrow(lines, Line)
    batch.validate(full=True)
    assert from_arrow(batch, Line) == lines
    assert from_arrow(batch.slice(start, n), Line) == lines[start : start + n]
    assert from_arrow(pickle.loads(pickle.dumps(batch)), Line) == lines
    assert [from_plain(json.loads(json.dumps(asdict(line))), Line) for line in lines] == lines
    for name, kind in Line.__annotations__.items():
        of = {"words": tuple[Word, ...], "best": Word | None}.get(name)
        if of is None:
            of = eval(kind)
        entries = [getattr(line, name) for line in lines]
        assert batch.column(name).equals(pyarrow.array(entries, arrow_type(of)))
    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(pyarrow.Table.from_batches([batch]), sink)
    read = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(sink.getvalue())).read()
    assert [line for batch in read.to_batches() for line in from_arrow(batch, Line)] == lines


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (int, "int64"),
        (Count, "int32"),
        (SmallCount, "uint16"),
        (float | None, "double"),
        (tuple[str, ...], "list<element: string>"),
        (list[list[str]], "list<element: list<element: string>>"),
        (dict[str, float], "map<string, double>"),
        (Word, "struct<text: string, weight: double>"),
        (tuple[str, bool], "struct<0: string, 1: bool>"),
    ],
)
def test_types(kind: Any, name: str) -> None:
    assert str(arrow_type(kind)) == name
    assert encoded([], kind).type == arrow_type(kind)
    assert decoded(encoded([], kind), kind) == []
