"""Every format gives the same rows; every broken file gives one clear line."""

import csv
import functools
import gzip
import json

import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

from fairsum_utils.errors import DataSourceError, FileError, InputError
from fairsum_utils.files.lines import read_json
from fairsum_utils.files.names import ENDINGS, format_of, packing_of
from fairsum_utils.files.reading import columns_of, read_rows
from fairsum_utils.files.tables import read_table

ROWS = [
    {"id": "a", "prediction": "Tasty.", "sources": ["Tasty, too.", "Cold — really."], "values": ["pos", "neg"]},
    {"id": "b", "prediction": "", "sources": ['Fine, "quoted"\nline.'], "values": ["pos"]},
]
NEEDED = {name: f"--{name}-column" for name in ("prediction", "sources", "values")}
LISTS = ("sources", "values")


def as_jsonl(path):
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")


def as_json(path):
    path.write_text(json.dumps(ROWS, indent=1), encoding="utf-8")


def as_csv(path, delimiter=",", encoding="utf-8", show=json.dumps):
    with path.open("w", encoding=encoding, newline="") as file:
        writer = csv.DictWriter(file, ROWS[0], delimiter=delimiter)
        writer.writeheader()
        writer.writerows(
            {key: show(cell) if isinstance(cell, list) else cell for key, cell in row.items()} for row in ROWS
        )


def as_parquet(path):
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), path)


def as_arrow(path, new=pyarrow.ipc.new_file):
    table = pyarrow.Table.from_pylist(ROWS)
    with new(path, table.schema) as writer:
        writer.write_table(table)


def as_feather(path):
    pyarrow.feather.write_feather(pyarrow.Table.from_pylist(ROWS), path)


WRITERS = {
    ".jsonl": as_jsonl,
    ".ndjson": as_jsonl,
    ".json": as_json,
    ".csv": as_csv,
    ".tsv": functools.partial(as_csv, delimiter="\t"),
    ".parquet": as_parquet,
    ".arrow": as_arrow,
    ".feather": as_feather,
}
PACK = {".gz": gzip.compress, ".zst": functools.partial(pyarrow.compress, codec="zstd", asbytes=True)}


@pytest.mark.parametrize("ending", ENDINGS)
def test_formats_agree(tmp_path, ending):
    path = tmp_path / f"rows{format_of(f'rows{ending}')}"
    WRITERS[path.suffix](path)
    if packing := packing_of(ending):
        packed = tmp_path / f"ROWS{ending.upper()}"
        packed.write_bytes(PACK[packing](path.read_bytes()))
        path = packed
    assert list(read_rows(path, NEEDED, lists=LISTS)) == ROWS
    assert columns_of(path) == list(ROWS[0])


def test_saved_data_set_and_its_splits(tmp_path):
    datasets = pytest.importorskip("datasets")
    data = datasets.Dataset.from_list(ROWS)
    data.save_to_disk(tmp_path / "one")
    assert list(read_rows(tmp_path / "one", NEEDED)) == ROWS
    splits = datasets.DatasetDict({"validation": data.select([0]), "test": data})
    splits.save_to_disk(tmp_path / "two")
    assert list(read_rows(tmp_path / "two", NEEDED, split="test")) == ROWS
    assert list(read_rows(tmp_path / "two" / "test", NEEDED)) == ROWS
    message = "choose one of its splits with --split: validation, test; or give the folder of one, such as .*/val"
    with pytest.raises(InputError, match=message):
        read_rows(tmp_path / "two", NEEDED)
    arrow = next((tmp_path / "one").glob("*.arrow"))
    arrow.write_bytes(arrow.read_bytes()[:-200])
    with pytest.raises(FileError, match="one: not a readable saved data set"):
        list(read_rows(tmp_path / "one", NEEDED))


def test_of_a_columnar_file_only_what_is_wanted_is_read(tmp_path):
    as_parquet(tmp_path / "rows.parquet")
    found = read_rows(tmp_path / "rows.parquet", {"values": "--values-column"}, others=("id", "name"))
    assert list(found) == [{"id": row["id"], "values": row["values"]} for row in ROWS]


def test_reading_is_lazy(tmp_path):
    path = tmp_path / "rows.jsonl"
    as_jsonl(path)
    with path.open("a", encoding="utf-8") as file:
        file.write("\n{broken\n")
    rows = read_rows(path, NEEDED)
    assert [next(rows), next(rows)] == ROWS
    with pytest.raises(InputError, match="line 4: not valid JSON"):
        next(rows)


def test_a_cell_of_csv_may_be_one_text(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text('text\none, or\n"[""two"", ""texts""]"\n'.replace("one, or", '"one, or"'))
    rows = read_rows(path, {"text": "--text-column"}, texts_or_lists=["text"])
    assert [row["text"] for row in rows] == ["one, or", ["two", "texts"]]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "half.jsonl",
            b'{"prediction": "a", "sources"',
            "line 1: not valid JSON .* no line end, so the file may have been",
        ),
        ("bytes.jsonl", b'{"prediction": "\xff"}\n', r"line 1: not UTF-8 \(invalid start byte at byte 16\)"),
        ("long.jsonl", b'{"prediction": ' + b"1" * 5000 + b"}\n", "line 1: not valid JSON"),
        ("list.jsonl", b"[1, 2]\n", "line 1: expected a JSON object, found a list"),
        (
            "lacks.jsonl",
            b'{"prediction": "a", "sources": ["b"]}\n',
            "row 1: no column 'values'; found prediction, sources. Name the right one with --values-column",
        ),
        (
            "cut.jsonl.gz",
            gzip.compress(json.dumps(ROWS[0]).encode() + b"\n", mtime=0)[:40],
            "cut.jsonl.gz: cannot be unpacked",
        ),
        (
            "not.jsonl.gz",
            b"plain text",
            r"unpacked \(Not a gzipped file.*cut short or damaged, or not packed",
        ),
        ("not.parquet", b"PAR1 but no more", "not a readable Parquet file"),
        ("not.parquet.gz", b"PAR1 but no more", "cannot be unpacked"),
        (
            "cells.csv",
            b"prediction,sources,values\na,one text,['x']\n",
            "row 1: column 'sources' must hold a list such as .* found 'one text': 'one text' is no text in quotes",
        ),
        ("lacks.csv", b'prediction,values\na,"[""x""]"\n', "csv: no column 'sources'.*--sources-column"),
        (
            "lacks.csv.gz",
            gzip.compress(b"prediction\na\n", mtime=0),
            "no column 'sources', 'values'; found prediction. Name .* with --sources-column, --values-column",
        ),
        ("cut.csv.gz", gzip.compress(b"prediction,sources,values\n", mtime=0)[:-9], "csv.gz: cannot be unpacked"),
        (
            "rows.txt",
            b"",
            "must end in one of .jsonl, .* each also .gz or .zst; or say what it is with --input-format$",
        ),
        ("empty.jsonl", b"\n \n", "holds no row; give at least one"),
        ("empty.csv", b"prediction,sources,values\n", "holds no row; give at least one"),
    ],
)
def test_broken_files(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"{name}.*{message}"):
        list(read_rows(path, NEEDED, lists=LISTS))


@pytest.mark.parametrize("name", ["none.jsonl", "a_folder_that_was_moved"])
def test_files_that_are_not_there(tmp_path, name):
    with pytest.raises(InputError, match=f"{name}: no such file$"):
        read_rows(tmp_path / name, NEEDED)


def test_a_folder_that_is_no_data_set(tmp_path):
    with pytest.raises(InputError, match="must be a data set written by save_to_disk"):
        read_rows(tmp_path, NEEDED)


def test_parquet_lacks_columns(tmp_path):
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"prediction": ["a"]}), path)
    with pytest.raises(InputError, match=r"rows\.parquet: no column 'sources', 'values'; found prediction"):
        read_rows(path, NEEDED)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a\tb\n1\n", r"line 2: 1 fields, but the header has 2$"),
        (b'a\tb\n1\t2\n3\t"4', "line 3: unexpected end of data; fetch or write it again"),
        (b'a\tb\n1\t"2"3\n', "line 2: '\t' expected after '\"'"),
        (b"a\tb\n1\t\xff\n", r"line 2: not UTF-8 \(invalid start byte at byte 2\); .* try --encoding cp1252"),
        (b"a\tc\n", ": no column 'b'; found a, c. Expected a table"),
        (b"", ": no column 'a', 'b'; found nothing. Expected a table"),
    ],
)
def test_broken_tables(tmp_path, content, message):
    path = tmp_path / "a.tsv"
    path.write_bytes(content)
    with pytest.raises(DataSourceError, match=f"a.tsv.*{message}"):
        list(read_table(path, ["a", "b"], what="a table", delimiter="\t"))


def test_tables_with_blank_lines_marks_and_loose_quotes(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b'\xef\xbb\xbfa,b\n\n1,"2\n"\n')
    assert list(read_table(path, ["a"], what="a table")) == [(f"{path}, line 4", {"a": "1", "b": "2\n"})]
    path.write_bytes(b'a,b\n1,"2"3')
    assert [row for _, row in read_table(path, ["a"], what="a table", strict=False)] == [{"a": "1", "b": "23"}]


def test_files_of_json(tmp_path):
    path = tmp_path / "a.json"
    path.write_text("[1]")
    assert read_json(path) == [1]
    path.write_bytes(b'"\xff"')
    with pytest.raises(DataSourceError, match=r"a\.json: cannot be read as JSON in UTF-8 \('utf-8' codec"):
        read_json(path)
    with pytest.raises(InputError, match=r"none\.json: cannot be read as JSON in UTF-8 \(\[Errno 2\] No such file"):
        read_json(tmp_path / "none.json")


def test_lines_of_an_old_mac(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(b'a,b\r1,"2\r3"\r\n4,5\r')
    assert [row["b"] for _, row in read_table(path, ["a"])] == ["2\r3", "5"]
