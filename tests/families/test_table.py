"""Rows in columns: what annotations become, merging, and the way to Arrow and back."""

from __future__ import annotations

import json
import pickle
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.table import EVIDENCE, Table, arrow_type, from_arrow, from_plain, to_arrow


class Word(NamedTuple):
    text: str
    weight: float | None


@dataclass(frozen=True)
class Line:
    index: int
    words: tuple[Word, ...] = ()
    counts: Mapping[str, int] = field(default_factory=dict)
    group: str | None = None
    pairs: tuple[tuple[str, bool], ...] | None = None
    skipped: str | None = None
    why: tuple[tuple[str, ...], ...] | None = field(default=None, metadata=EVIDENCE)


class Lines(Table[Line]):
    row = Line


TEXT = st.text(st.characters(codec="utf-8"), max_size=3)
LINES = st.builds(
    Line,
    index=st.integers(0, 9),
    words=st.lists(st.builds(Word, TEXT, st.none() | st.floats(0, 1)), max_size=3).map(tuple),
    counts=st.dictionaries(TEXT, st.integers(0, 5), max_size=3),
    group=st.none() | TEXT,
    pairs=st.none() | st.lists(st.tuples(TEXT, st.booleans()), max_size=3).map(tuple),
    skipped=st.none() | st.just("empty"),
    why=st.none() | st.lists(st.lists(TEXT, max_size=2).map(tuple), max_size=2).map(tuple),
)


def without_evidence(line: Line) -> Line:
    return Line(**{**line.__dict__, "why": None})


@given(st.lists(LINES, max_size=5))
def test_rows_come_back_as_they_were(lines: list[Line]) -> None:
    assert Lines(lines).rows() == [without_evidence(line) for line in lines]
    assert from_arrow(to_arrow(lines, Line), Line) == lines
    assert [from_plain(json.loads(json.dumps(asdict(line))), Line) for line in lines] == lines


@given(st.lists(LINES, max_size=4), st.lists(LINES, max_size=4))
def test_merged_tables_hold_the_rows_of_both(first: list[Line], second: list[Line]) -> None:
    merged = Lines(first)
    merged.merge(pickle.loads(pickle.dumps(Lines(second))))
    assert merged.rows() == Lines([*first, *second]).rows()
    assert from_arrow(to_arrow(merged.rows(), Line), Line) == merged.rows()


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        (int, "int64"),
        (float | None, "double"),
        (tuple[str, ...], "list<item: string>"),
        (list[list[str]], "list<item: list<item: string>>"),
        (dict[str, float], "map<string, double>"),
        (Word, "struct<text: string, weight: double>"),
        (tuple[str, bool], "struct<0: string, 1: bool>"),
    ],
)
def test_types(kind: Any, name: str) -> None:
    assert str(arrow_type(kind)) == name
