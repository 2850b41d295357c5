"""Every format gives the same rows; every broken file gives one clear line."""

import csv
import functools
import gzip
import json

import numpy
import openpyxl
import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

from fairsum_utils.errors import FileError, InputError
from fairsum_utils.io.names import ENDINGS, format_of, packing_of
from fairsum_utils.io.reading import columns_of, read_rows

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


def as_excel(path):
    book = openpyxl.Workbook()
    for row in [list(ROWS[0]), *(row.values() for row in ROWS)]:
        book.active.append([json.dumps(cell) if isinstance(cell, list) else cell for cell in row])
    book.save(path)


WRITERS = {
    ".xlsx": as_excel,
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
    rows = [{**row, "prediction": row["prediction"] or ("" if ".xlsx" not in ending else None)} for row in ROWS]
    assert list(read_rows(path, NEEDED, lists=LISTS)) == rows  # a cell of Excel holds no empty text
    assert columns_of(path) == list(ROWS[0])


@pytest.mark.parametrize("ending", [".csv", ".jsonl"])
def test_a_column_of_lists_may_be_absent(tmp_path, ending):
    path = tmp_path / f"rows{ending}"
    path.write_text("text\nsoup\n" if ending == ".csv" else '{"text": "soup"}\n')
    assert list(read_rows(path, {"text": "--text-column"}, lists=["labels"])) == [{"text": "soup"}]


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


def test_workbooks(tmp_path):
    book = openpyxl.Workbook()
    for row in ([], ["id", "text", "n"], [7, "a", 1.5], [], ["x", None, "=1+1"], [None, "b"]):
        book.active.append(row)
    book.save(tmp_path / "a.xlsx")
    assert list(read_rows(tmp_path / "a.xlsx", {"text": "--text"})) == [
        {"id": 7, "text": "a", "n": 1.5},
        {"id": "x", "text": None, "n": None},  # a formula that was never computed
        {"id": None, "text": "b", "n": None},
    ]
    with pytest.raises(FileError, match=r"a\.xlsx: no column 'sources'; found id, text, n"):
        read_rows(tmp_path / "a.xlsx", {"sources": "--sources"})
    book.active.append([1, 2, 3, "loose"])
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(FileError, match=r"a\.xlsx, line 7: 4 cells, but the header has 3"):
        list(read_rows(tmp_path / "a.xlsx", {}))


@pytest.mark.parametrize("name", ["none.jsonl", "a_folder_that_was_moved"])
def test_files_that_are_not_there(tmp_path, name):
    with pytest.raises(InputError, match=f"{name}: no such file$"):
        read_rows(tmp_path / name, NEEDED)


def test_a_folder_that_is_no_data_set(tmp_path):
    with pytest.raises(InputError, match="must be a data set written by save_to_disk"):
        read_rows(tmp_path, NEEDED)


@pytest.mark.parametrize("show", [json.dumps, repr, lambda cell: str(numpy.array(cell, dtype=object))])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_lists_in_cells(tmp_path, show, encoding):
    path = tmp_path / "rows.csv"
    as_csv(path, ";", encoding, show)
    assert list(read_rows(path, NEEDED, lists=LISTS)) == ROWS
    rows = [{**row, "sources": show(row["sources"]), "values": show(row["values"])} for row in ROWS]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "rows.parquet")
    assert list(read_rows(tmp_path / "rows.parquet", NEEDED, lists=LISTS)) == ROWS


def test_what_data_frames_and_data_sets_write(tmp_path):
    pandas, datasets = pytest.importorskip("pandas"), pytest.importorskip("datasets")
    pandas.DataFrame(ROWS).to_csv(tmp_path / "a.csv")
    datasets.Dataset.from_list(ROWS).to_csv(tmp_path / "b.csv")
    for name in ("a.csv", "b.csv"):
        found = list(read_rows(tmp_path / name, NEEDED, lists=LISTS))
        assert [{name: row[name] for name in ROWS[0]} for row in found] == ROWS


def test_names_of_classes(tmp_path):
    datasets = pytest.importorskip("datasets")
    label = datasets.ClassLabel(names=["neg", "pos"])
    features = datasets.Features(
        {
            "values": datasets.Sequence(label),
            "group": label,
            "entities": [{"name": datasets.Value("string"), "group": label}],
            "score": datasets.Value("int64"),
        }
    )
    rows = {
        "values": [[0, 1], [1]],
        "group": [1, -1],
        "entities": [[{"name": "Ann", "group": 1}], []],
        "score": [1, 0],
    }
    data = datasets.Dataset.from_dict(rows, features=features)
    data.save_to_disk(tmp_path / "saved")
    data.to_parquet(tmp_path / "a.parquet")
    for name in ("saved", "a.parquet"):
        assert list(read_rows(tmp_path / name, {})) == [
            {"values": ["neg", "pos"], "group": "pos", "entities": [{"name": "Ann", "group": "pos"}], "score": 1},
            {"values": ["pos"], "group": None, "entities": [], "score": 0},
        ]
        assert columns_of(tmp_path / name) == ["values", "group", "entities", "score"]


def test_splits_that_are_not_there(tmp_path):
    as_jsonl(tmp_path / "a.jsonl")
    with pytest.raises(InputError, match="only a folder of save_to_disk has splits; leave --split out"):
        read_rows(tmp_path / "a.jsonl", {}, split="test")


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".tsv"])
def test_a_packed_file_that_is_damaged_before_its_second_line(tmp_path, ending):
    path = tmp_path / f"rows{ending}.gz"
    content = bytearray(gzip.compress(b"a" * 300_000))
    content[-8] ^= 1  # of the checksum
    path.write_bytes(content)
    with pytest.raises(FileError, match=r"gz: cannot be unpacked \(CRC check failed"):
        list(read_rows(path, {}))


def test_several_files_and_patterns(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(["b.jsonl", "a.jsonl", "c.jsonl"]):
        rows = [{"n": f"{name}{place}"} for place in range(number + 1)]
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    rows = read_rows("*.jsonl", {"n": "--n"})
    assert [row["n"] for row in rows] == ["a.jsonl0", "a.jsonl1", "b.jsonl0", "c.jsonl0", "c.jsonl1", "c.jsonl2"]
    assert [rows.where(number) for number in (0, 1, 2, 3, 5)] == [
        *("a.jsonl, row 1", "a.jsonl, row 2", "b.jsonl, row 1", "c.jsonl, row 1", "c.jsonl, row 3"),
    ]
    assert len(list(read_rows([tmp_path / "a.jsonl", "[bc].jsonl"], {"n": "--n"}))) == 6
    (tmp_path / "[b].jsonl").write_text('{"n": "odd"}\n')
    assert [row["n"] for row in read_rows("[b].jsonl", {"n": "--n"})] == ["odd"]
    (tmp_path / "c.jsonl").write_text('{"m": 1}\n')
    with pytest.raises(FileError, match=r"^c\.jsonl, row 1: no column 'n'; found m"):
        list(read_rows(["a.jsonl", "c.jsonl"], {"n": "--n"}))
    with pytest.raises(InputError, match=r"^x\*\.csv: no file has such a name$"):
        read_rows("x*.csv", {})
