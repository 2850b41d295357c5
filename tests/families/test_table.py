"""Tables of rows: their columns, parts and ids, and the way to Arrow and back."""

from __future__ import annotations

import json
import pickle
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import chain
from typing import Any, NamedTuple, get_type_hints

import numpy as np
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
from fairsum_utils.families.table import LABELS, Table
from fairsum_utils.stats.sums import digest_of


class Word(NamedTuple):
    text: str
    weight: float | None


@dataclass(frozen=True)
class Line:
    index: int
    words: tuple[Word, ...] = ()
    numbers: tuple[float, ...] | None = None
    counts: Mapping[str, int] = field(default_factory=dict)
    group: str | None = field(default=None, metadata=LABELS)
    best: Word | None = None
    pairs: tuple[tuple[str, bool], ...] | None = None
    n: Count = 0
    is_long: bool = False
    skipped: str | None = None
    why: tuple[tuple[str, ...], ...] | None = field(default=None, metadata=EVIDENCE)


class Lines(Table[Line]):
    row = Line


TEXT = st.sampled_from(["a", "b", "é", ""]) | st.text(st.characters(codec="utf-8"), max_size=3)
WORD = st.builds(Word, TEXT, st.none() | st.floats(0, 1))
SCORED = st.builds(
    Line,
    index=st.integers(0, 9) | st.integers(-(2**63), 2**63 - 1),
    words=st.lists(WORD, max_size=3).map(tuple),
    numbers=st.none() | st.lists(st.floats(0, 1), max_size=3).map(tuple),
    counts=st.dictionaries(TEXT, st.integers(0, 5), max_size=2),
    group=st.none() | TEXT,
    best=st.none() | WORD,
    pairs=st.none() | st.lists(st.tuples(TEXT, st.booleans()), max_size=3).map(tuple),
    n=st.integers(0, 2**31 - 1),
    is_long=st.booleans(),
    why=st.none() | st.lists(st.lists(TEXT, max_size=2).map(tuple), max_size=2).map(tuple),
)
LINES = st.lists(SCORED | st.builds(Line, st.integers(0, 9), skipped=st.sampled_from(["empty", "foreign"])), max_size=9)


@given(LINES, st.integers(0, 9), st.integers(0, 9), st.data())
def test_columns_are_those_of_the_rows(lines: list[Line], cut: int, other: int, data: st.DataObject) -> None:
    table = Lines(lines[:cut])
    table.extend(lines[cut : cut + other])
    table.merge(Lines(lines[cut + other :]))
    chosen = np.array(data.draw(st.lists(st.booleans(), min_size=len(lines), max_size=len(lines))), np.bool_)
    some = [line for line, is_chosen in zip(lines, chosen, strict=True) if is_chosen]
    for found, rows in ((table, lines), (table.only(chosen), some)):
        scored = [line for line in rows if line.skipped is None]
        assert (found.n_rows, len(found)) == (len(rows), len(scored))
        assert found.skipped == Counter(line.skipped for line in rows if line.skipped)
        assert found.scored("index").tolist() == [line.index for line in scored]
        assert found.scored("is_long").tolist() == [line.is_long for line in scored]
        assert found.lengths("numbers").tolist() == [len(line.numbers or ()) for line in scored]
        assert found.flat("numbers").tolist() == [number for line in rows for number in line.numbers or ()]
        words = list(chain.from_iterable(line.words for line in rows))
        assert found.numbers("words.weight").tolist() == [word.weight or 0.0 for word in words]
        assert found.counted("words.text") == Counter(word.text for word in words)
        assert found.numbers("counts.value").tolist() == [n for line in rows for n in line.counts.values()]
        assert found.labels() == Counter(line.group for line in rows if line.group is not None)
        names, codes = found.coded("group")
        assert names == sorted({line.group for line in rows if line.group is not None})
        assert [None if code < 0 else names[code] for code in codes.tolist()] == [line.group for line in rows]
        for name in ("words", "numbers", "counts", "group", "best", "pairs", "n", "skipped"):
            assert list(found.items(name)) == [getattr(line, name) for line in rows]


@given(LINES, st.integers(0, 12), st.integers(0, 12))
def test_rows_come_back_as_they_were_and_are_as_arrow_makes_them(lines: list[Line], start: int, n: int) -> None:
    batch = to_arrow(lines, Line)
    batch.validate(full=True)
    assert from_arrow(batch.slice(start, n), Line) == lines[start : start + n]
    assert from_arrow(pickle.loads(pickle.dumps(batch)), Line) == lines
    assert [from_plain(json.loads(json.dumps(asdict(line))), Line) for line in lines] == lines
    for name, kind in get_type_hints(Line, include_extras=True).items():
        assert batch.column(name).equals(pyarrow.array([getattr(line, name) for line in lines], arrow_type(kind)))
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


def test_many_small_parts_are_joined() -> None:
    table = Lines()
    for index in range(300):
        table.extend([Line(index)])
    assert table.scored("index").tolist() == list(range(300))
    assert len(table.batches) < 100


def test_digests_are_of_ids_or_else_of_indices() -> None:
    table = Lines([Line(3), Line(4, skipped="empty"), Line(5)])
    assert table.digests().tolist() == list(map(digest_of, "35"))
    table.extend([Line(0), Line(1, skipped="empty")], ["x", "y"])
    table.merge(Lines([Line(7)], ["z"]))
    assert table.digests().tolist() == list(map(digest_of, "35xz"))
