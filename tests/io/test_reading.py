"""Every format gives the same rows."""

import json

import numpy
import openpyxl
import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest

from fairsum_utils.errors import FileError, InputError
from fairsum_utils.io.names import ENDINGS
from fairsum_utils.io.reading import columns_of, read_rows

ROWS = [
    {"id": "a", "prediction": "Tasty.", "sources": ["Tasty, too.", "Cold — really."], "values": ["pos", "neg"]},
    {"id": "b", "prediction": "", "sources": ['Fine, "quoted"\nline.'], "values": ["pos"]},
]
NEEDED = {name: f"--{name}-column" for name in ("prediction", "sources", "values")}
LISTS = ("sources", "values")


@pytest.mark.parametrize("ending", ENDINGS)
def test_formats_agree(write, ending):
    path = write(f"ROWS{ending.upper()}", ROWS)
    rows = [{**row, "prediction": row["prediction"] or ("" if ".xlsx" not in ending else None)} for row in ROWS]
    assert list(read_rows(path, NEEDED, lists=LISTS)) == rows  # a cell of Excel holds no empty text
    assert columns_of(path) == list(ROWS[0])


def test_of_a_columnar_file_only_what_is_wanted_is_read(write):
    found = read_rows(write("rows.parquet", ROWS), {"values": "--values-column"}, others=("id", "name"))
    assert list(found) == [{"id": row["id"], "values": row["values"]} for row in ROWS]


def test_reading_is_lazy(write):
    rows = read_rows(write("rows.jsonl", "".join(json.dumps(row) + "\n" for row in ROWS) + "\n{broken\n"), NEEDED)
    assert [next(rows), next(rows)] == ROWS
    with pytest.raises(InputError, match="line 4: not valid JSON"):
        next(rows)


def test_lists_in_cells(write):
    for show in (json.dumps, repr, lambda cell: str(numpy.array(cell, dtype=object))):
        assert list(read_rows(write("rows.csv", ROWS, show), NEEDED, lists=LISTS)) == ROWS
        rows = [{**row, "sources": show(row["sources"]), "values": show(row["values"])} for row in ROWS]
        assert list(read_rows(write("rows.parquet", rows), NEEDED, lists=LISTS)) == ROWS


def test_workbooks(tmp_path):
    path, book = tmp_path / "a.xlsx", openpyxl.Workbook()
    for row in ([], ["id", "text", "n"], [7, "a", 1.5], [], ["x", None, "=1+1"], [None, "b"]):
        book.active.append(row)
    book.save(path)
    assert list(read_rows(path, {"text": "--text"})) == [
        {"id": 7, "text": "a", "n": 1.5},
        {"id": "x", "text": None, "n": None},  # a formula that was never computed
        {"id": None, "text": "b", "n": None},
    ]
    with pytest.raises(FileError, match=r"a\.xlsx: no column 'sources'; found id, text, n"):
        read_rows(path, {"sources": "--sources"})
    book.active.append([1, 2, 3, "loose"])
    book.save(path)
    with pytest.raises(FileError, match=r"a\.xlsx, row 7: 4 cells, but the header has 3"):
        list(read_rows(path, {}))


@pytest.mark.parametrize(
    ("name", "how", "message"),
    [
        ("none.jsonl", {}, r"none\.jsonl: no such file$"),
        ("a_folder_that_was_moved", {}, "a_folder_that_was_moved: no such file$"),
        (".", {}, "is not a data set written by save_to_disk"),
        (
            "rows.txt",
            {},
            r"must end in one of \.jsonl, .* \(\.gz or \.zst may follow\), or name .* --input-format$",
        ),
        (
            "rows.txt",
            {"input_format": "xml"},
            "unknown format 'xml'; --input-format is one of jsonl, ndjson, json, csv",
        ),
        ("rows.jsonl", {"split": "test"}, "only folders written by save_to_disk have splits; omit --split"),
        ("rows.jsonl", {"encoding": "cp1253x"}, "unknown encoding .*; use one that Python knows, such as cp1252"),
        ("rows.jsonl", {"encoding": "base64"}, "unknown encoding"),
    ],
)
def test_what_cannot_be_read(write, name, how, message):
    write("rows.jsonl", ROWS)
    folder = write("rows.txt", b"id\n1\n").parent
    with pytest.raises(InputError, match=message):
        read_rows(folder / name, {}, **how)


def test_several_files_and_patterns(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(["b.jsonl", "a.jsonl", "c.jsonl"]):
        rows = [{"n": f"{name}{place}"} for place in range(number + 1)]
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    rows = read_rows("*.jsonl", {"n": "--n"})
    assert [row["n"] for row in rows] == ["a.jsonl0", "a.jsonl1", "b.jsonl0", "c.jsonl0", "c.jsonl1", "c.jsonl2"]
    assert [rows.where(number) for number in (0, 1, 2, 3, 5)] == [
        *("a.jsonl, row 1", "a.jsonl, row 2", "b.jsonl, row 1", "c.jsonl, row 1", "c.jsonl, row 3")
    ]
    assert len(list(read_rows([tmp_path / "a.jsonl", "[bc].jsonl"], {"n": "--n"}))) == 6
    (tmp_path / "[b].jsonl").write_text('{"n": "odd"}\n')
    assert [row["n"] for row in read_rows("[b].jsonl", {"n": "--n"})] == ["odd"]
    (tmp_path / "c.jsonl").write_text('{"m": 1}\n')
    with pytest.raises(FileError, match=r"^c\.jsonl, row 1: no column 'n'; found m"):
        list(read_rows(["a.jsonl", "c.jsonl"], {"n": "--n"}))
    with pytest.raises(InputError, match=r"^x\*\.csv: no file matches this pattern$"):
        read_rows("x*.csv", {})


def test_saved_data_set_and_its_splits(tmp_path):
    datasets = pytest.importorskip("datasets")
    data = datasets.Dataset.from_list(ROWS)
    data.save_to_disk(tmp_path / "one")
    datasets.DatasetDict({"test": data}).save_to_disk(tmp_path / "only")
    assert list(read_rows(tmp_path / "one", NEEDED)) == list(read_rows(tmp_path / "only", NEEDED)) == ROWS
    splits = datasets.DatasetDict({"validation": data.select([0]), "test": data})
    splits.save_to_disk(tmp_path / "two")
    assert list(read_rows(tmp_path / "two", NEEDED, split="test")) == ROWS
    assert list(read_rows(tmp_path / "two" / "test", NEEDED)) == ROWS
    with pytest.raises(InputError, match=r"choose one of its splits with --split: validation, test; or name .*/val"):
        read_rows(tmp_path / "two", NEEDED)
    arrow = next((tmp_path / "one").glob("*.arrow"))
    arrow.write_bytes(arrow.read_bytes()[:-200])
    with pytest.raises(FileError, match="one: this saved data set cannot be read"):
        list(read_rows(tmp_path / "one", NEEDED))


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("state", "{}", r"state\.json: '_data_files' is not what save_to_disk writes;"),
        ("state", '{"_data_files": [{"filename": "a.arrow"}]}', r"_s1: this saved data set cannot be read"),
        ("dataset_dict", "x", r"dataset_dict\.json: cannot read the file as JSON"),
        ("dataset_dict", '{"splits": ["../.."]}', "'splits' is not what save_to_disk writes;"),
    ],
)
def test_damaged_saved_data_sets(write, name, text, message):
    folder = write(f"{name}.json", text).parent
    with pytest.raises(FileError, match=message):
        read_rows(folder, {})


def test_dictionary_encoded_strings_in_several_row_groups(tmp_path):
    labels = pyarrow.array(["pos", "neg"] * 900).dictionary_encode()
    lists = pyarrow.ListArray.from_arrays(pyarrow.array(range(0, 1801, 2), pyarrow.int32()), labels)
    table = pyarrow.table({"values": lists, "group": pyarrow.array(["a", "b", "c"] * 300).dictionary_encode()})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet", row_group_size=130)
    expected = [{"values": ["pos", "neg"], "group": "abc"[n % 3]} for n in range(900)]
    assert list(read_rows(tmp_path / "a.parquet", {})) == expected


@pytest.mark.parametrize("ending", ["arrow", "feather"])
def test_places_in_arrow_files_that_lie_outside_of_their_texts(write, ending):
    path = write(f"rows.{ending}", [{"prediction": "Abcdefg"}])
    content = path.read_bytes()
    for end in (b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff"):  # two billion letters, and one less than none
        damaged = content.replace(b"\0\0\0\0\x07\0\0\0", b"\0\0\0\0" + end)
        assert damaged != content
        path.write_bytes(damaged)
        with pytest.raises(FileError, match=r"rows\.\w+: this Arrow file cannot be read \("):
            list(read_rows(path, {"prediction": ""}))


def test_no_bit_of_a_parquet_file_loses_rows_without_a_word(tmp_path):
    path = tmp_path / "rows.parquet"
    table = pyarrow.table({"prediction": ["a", "b"] * 2})
    plain = {"compression": "none", "use_dictionary": False, "write_statistics": False, "store_schema": False}
    pyarrow.parquet.write_table(table, path, row_group_size=2, **plain)
    content = path.read_bytes()
    lost = 0
    for place in range(len(content)):
        damaged = bytearray(content)
        damaged[place] ^= 4
        path.write_bytes(damaged)
        try:
            assert len(list(read_rows(path, {}))) == 4
        except FileError as error:
            lost += "it has 2 rows, but lists 4" in str(error)
    assert lost


def test_names_of_classes(tmp_path):
    datasets = pytest.importorskip("datasets")
    label, text = datasets.ClassLabel(names=["neg", "pos"]), datasets.Value("string")
    features = {"values": datasets.Sequence(label), "group": label, "entities": [{"name": text, "group": label}]}
    columns = {"values": [[0, 1], [1]], "group": [1, -1], "entities": [[{"name": "Ann", "group": 1}], []]}
    data = datasets.Dataset.from_dict(columns, features=datasets.Features(features))
    data.save_to_disk(tmp_path / "saved")
    data.to_parquet(tmp_path / "a.parquet")
    for name in ("saved", "a.parquet"):
        assert list(read_rows(tmp_path / name, {})) == [
            {"values": ["neg", "pos"], "group": "pos", "entities": [{"name": "Ann", "group": "pos"}]},
            {"values": ["pos"], "group": None, "entities": []},
        ]
        assert columns_of(tmp_path / name) == ["values", "group", "entities"]
