"""Tables and columns of other libraries, as lists."""

import datetime
import logging

import datasets
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families import all_measures
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.arguments import from_table
from fairsum_utils.io.frames import as_frame, as_list, as_plain
from fairsum_utils.io.shapes import Shape

ROWS = [
    {"id": 7, "text": "one", "labels": [1, 2], "turns": [{"speaker": "A", "text": "x"}], "shares": {"A": 0.5}},
    {"id": 8, "text": "two", "labels": [3], "turns": [{"speaker": "B", "text": "y"}] * 2, "shares": {"A": 1.0}},
]
COLUMNS = {name: [row[name] for row in ROWS] for name in ROWS[0]}
DATASET = datasets.Dataset.from_list(ROWS)
TABLES = {
    "dicts": ROWS,
    "columns": COLUMNS,
    "pandas": pd.DataFrame(ROWS, index=[4, 2]),
    "pandas nullable": pd.DataFrame(ROWS).convert_dtypes(),
    "pandas arrow": pa.Table.from_pylist(ROWS).to_pandas(types_mapper=pd.ArrowDtype),
    "pandas of parquet": pa.Table.from_pylist(ROWS).to_pandas(),  # cells are arrays of NumPy
    "categories": pd.DataFrame(ROWS).astype({"text": "category"}),
    "polars": pl.DataFrame(ROWS),
    "polars categories": pl.DataFrame(ROWS).with_columns(pl.col("text").cast(pl.Categorical)),
    "table": pa.Table.from_pylist(ROWS),
    "chunks": pa.concat_tables([pa.Table.from_pylist(ROWS[:1]), pa.Table.from_pylist(ROWS[1:])]),
    "batch": pa.Table.from_pylist(ROWS).to_batches()[0],
    "dataset": DATASET,
    "dataset of arrays": DATASET.with_format("numpy"),
    "dataset of frames": DATASET.with_format("pandas"),
    "slice": DATASET[:],
    "stream": DATASET.to_iterable_dataset(),
    "stream of unknown columns": datasets.IterableDataset.from_generator(lambda: iter(ROWS)),
    "stream of arrays": DATASET.to_iterable_dataset().with_format("numpy"),
    "lazy": pl.LazyFrame(ROWS),
    "reader": pa.Table.from_pylist(ROWS).to_reader(),
    "index": pd.DataFrame(ROWS).set_index(["id", "text"]),
}


def kinds(entry):
    """The types of an entry and of all that is in it."""
    parts = entry.values() if isinstance(entry, dict) else entry if isinstance(entry, (list, tuple)) else ()
    return {type(entry)}.union(*map(kinds, parts))


def test_a_table_of_any_kind():
    for name, table in TABLES.items():
        frame = as_frame("score", table)
        assert frame.names == tuple(COLUMNS), name
        found = {column: frame.column(column) for column in frame.names}
        assert found == COLUMNS, name
        assert set().union(*map(kinds, found.values())) == {list, dict, str, int, float}, name


def test_names_of_labels():
    label = datasets.ClassLabel(names=["neg", "pos"])
    turn = {"who": label, "text": datasets.Value("string")}
    features = datasets.Features({"one": label, "many": [label], "turns": [turn]})
    rows = {"one": [1, -1], "many": [[0, 1], [1]], "turns": [[{"who": 0, "text": "x"}], []]}
    data = datasets.Dataset.from_dict(rows, features=features)
    frame = as_frame("score", data)
    expected = {"one": ["pos", None], "many": [["neg", "pos"], ["pos"]], "turns": [[{"who": "neg", "text": "x"}], []]}
    assert {name: frame.column(name) for name in frame.names} == expected
    if not isinstance(data["one"], list):  # as it is in datasets before version 4, which knows no names then
        assert {name: as_list(data[name]) for name in frame.names} == expected


def test_what_is_no_table():
    for item in (None, 3, "text", ["text"], [], (), np.array(["a"]), pd.Series(["a"]), iter("ab")):
        assert as_frame("score", item) is None


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (
            datasets.DatasetDict(train=DATASET, test=DATASET),
            "several tables, 'train', 'test'; pass one, such as table[",
        ),
        ({"a": pd.DataFrame(ROWS)}, "score: found several tables, 'a'; pass one, such as table['a']"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), "score: the table has two columns 'a'; rename one"),
        ([{"a": 1}, 3], "score: row 1 must be a dict like the rows before it, found int 3"),
    ],
)
def test_what_is_not_a_whole_table(table, message):
    with pytest.raises(InputError) as error:
        as_frame("score", table)
    assert message in str(error.value)


def test_a_column_of_any_kind():
    for column in (
        ["a", "b"],
        ("a", "b"),
        np.array(["a", "b"]),
        pd.Series(["a", "b"], index=[9, 3]),
        pd.Series(["a", "b"], dtype="category"),
        pd.Index(["a", "b"]),
        pl.Series(["a", "b"]),
        pa.array(["a", "b"]),
        pa.chunked_array([["a"], ["b"]]),
        pa.array(["a", "b"]).dictionary_encode(),
        datasets.Dataset.from_dict({"x": ["a", "b"]})["x"],
    ):
        assert as_list(column) == ["a", "b"]
        assert kinds(as_list(column)) == {list, str}


def test_columns_of_lists():
    nested = [["a", "b"], ["c", "d"]]
    for column in (np.array(nested), [np.array(part) for part in nested], [pl.Series(part) for part in nested]):
        assert as_list(column) == nested
        assert kinds(as_list(column)) == {list, str}
    assert as_list([pa.scalar(["a"])]) == [["a"]]


def test_what_is_no_column_stays():
    for column in ("text", b"bytes", {"a": 1}, None, 3, pd.DataFrame(ROWS)):
        assert as_list(column) is column


def test_plain_entries():
    for entry, plain in (
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.float32(0.5), 0.5),
        (np.str_("a"), "a"),
        (np.array(["a"], dtype=object), ["a"]),
        (pd.NA, None),
        ([pd.NA, "a"], [None, "a"]),
        (pa.scalar("a"), "a"),
        (np.array([np.array(["a"]), np.array(["b", "c"])], dtype=object), [["a"], ["b", "c"]]),
        (datetime.date(2024, 1, 1), datetime.date(2024, 1, 1)),
    ):
        assert as_plain(entry) == plain
        assert kinds(as_plain(entry)) == kinds(plain)


def test_nothing_is_changed_in_place():
    cell = [np.int64(1)]
    as_list([cell])
    assert type(cell[0]) is np.int64


COLUMNS_ARGUMENTS = all_columns(all_measures())
THREE = {name: COLUMNS_ARGUMENTS[name] for name in ("predictions", "sources", "values")}
TURNS = [{"speaker": "A", "text": "one"}, {"speaker": "B", "text": "two"}]


def read(rows, shape=None, needed=THREE, **named):
    shape = shape or Shape(module="score")
    return from_table(shape, as_frame("score", rows), THREE, named, needed=lambda there: needed)


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


@pytest.mark.parametrize(
    ("row", "example"),
    [
        ({"id": "a", "a": "short", "b": "a long text"}, "Name the right one with `predictions`, `sources`, `values`"),
        ({"Summary": "s", "text": ["a"], "speaker": ["b"]}, (
            "Try predictions='Summary', sources='text', values='speaker'"
        )),
        ({"source": ["a"], "value": ["b"]}, (
            "Try sources='source', values='value'; name the right one with `predictions`"
        )),
    ],
)  # fmt: skip
def test_what_is_proposed(row, example):
    """Similar names first, then usual ones."""
    with pytest.raises(InputError) as error:
        read([row])
    assert str(error.value).endswith(example)
