"""Columns of a call: what is the layout's, what is a column, and what stays as it is."""

import logging

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.families.documents import all_columns
from fairsum_utils.io.arguments import from_columns, from_table, split_shape
from fairsum_utils.io.frames import as_frame
from fairsum_utils.io.shapes import Shape

COLUMNS = all_columns(all_measures())
THREE = {name: COLUMNS[name] for name in ("predictions", "sources", "values")}
TURNS = [{"speaker": "A", "text": "one"}, {"speaker": "B", "text": "two"}]


def read(rows, shape=None, needed=THREE, **named):
    options = {"needed": lambda there: needed, "call": "score(table, {})"}
    return from_table(shape or Shape(module="score"), as_frame("score", rows), THREE, named, **options)


def test_the_layout_is_told_from_the_rest():
    shape, others = split_shape("score", {"group_by": "id", "tau": 0.9, "sources": [["a"]]})
    assert (shape, shape.module) == (Shape(group_by="id"), "score")
    assert others == {"tau": 0.9, "sources": [["a"]]}
    with pytest.raises(InputError, match="score: group_by must be a name, found int 3"):
        split_shape("score", {"group_by": 3})


def test_only_columns_become_lists():
    given = {"sources": (["a"],), "values": (["x"],), "target": ("kept",)}
    assert from_columns(Shape(), THREE, given) == {"sources": [["a"]], "values": [["x"]], "target": ("kept",)}


def test_values_that_nobody_takes_are_not_made():
    assert from_columns(Shape(), ["sources"], {"sources": [TURNS]}) == {"sources": [["one", "two"]]}


def test_ids_are_those_of_the_table():
    rows = [{"id": 3, "prediction": "s", "sources": ["a"], "values": ["x"]}]
    columns = {"predictions": ["s"], "sources": [["a"]], "values": [["x"]]}
    assert read(rows) == (columns, ["3"])
    assert read([{**rows[0], "name": "n"}], Shape(id_column="name")) == (columns, ["n"])
    assert read([{name: entry for name, entry in rows[0].items() if name != "id"}]) == (columns, None)


def test_turns_tell_values_and_it_is_logged(caplog):
    with caplog.at_level(logging.INFO, logger="fairsum_utils"):
        found = read([{"prediction": "s", "sources": TURNS}] * 2)
    assert found.columns["values"] == [["A", "B"]] * 2
    assert caplog.messages == ["sources are turns: the texts are under 'text', the values under 'speaker'"]


def test_rows_that_hold_a_turn_each():
    rows = [{"m": 1, "turn": turn, "prediction": "s"} for turn in TURNS]
    found = read(rows, Shape(group_by="m"), sources="turn")
    assert found == ({"predictions": ["s"], "sources": [["one", "two"]], "values": [["A", "B"]]}, ["1"])


@pytest.mark.parametrize(
    ("row", "example"),
    [
        ({"id": "a" * 50, "a": "short", "b": "a long text"}, "predictions='b', sources='...', values='...'"),
        ({"a": ["x", "y"], "b": ["longer", "texts"]}, "predictions='...', sources='b', values='a'"),
        ({"Summary": "s", "text": ["a"], "speaker": ["b"]}, "predictions='Summary', sources='text', values='speaker'"),
        ({"source": ["a"], "value": ["b"]}, "predictions='...', sources='source', values='value'"),
    ],
)
def test_what_is_proposed(row, example):
    """Like names first, then usual ones, then what holds such entries: labels are shorter than texts."""
    with pytest.raises(InputError) as error:
        read([row])
    assert str(error.value).endswith(f"Name what is missing, as in score(table, {example})")
