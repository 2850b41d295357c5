"""Parquet, Arrow and saved data sets: how strings are stored, and what is damaged."""

import json

import pyarrow
import pyarrow.feather
import pyarrow.ipc
import pyarrow.parquet
import pytest

from fairsum_utils.errors import FileError
from fairsum_utils.io.columnar import count_rows
from fairsum_utils.io.reading import read_rows


def test_dictionary_encoded_strings_in_several_row_groups(tmp_path):
    labels = pyarrow.array(["pos", "neg"] * 900).dictionary_encode()
    lists = pyarrow.ListArray.from_arrays(pyarrow.array(range(0, 1801, 2), pyarrow.int32()), labels)
    table = pyarrow.table({"values": lists, "group": pyarrow.array(["a", "b", "c"] * 300).dictionary_encode()})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet", row_group_size=130)
    expected = [{"values": ["pos", "neg"], "group": "abc"[n % 3]} for n in range(900)]
    assert list(read_rows(tmp_path / "a.parquet", {})) == expected


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"state": "{"}, r"state\.json: cannot be read as JSON"),
        ({"state": "{}"}, r"state\.json: '_data_files' is not as save_to_disk writes it"),
        ({"state": "[]"}, r"state\.json: '_data_files' is not as save_to_disk writes it"),
        ({"state": '{"_data_files": [{"filename": "a.arrow"}]}'}, "not a readable saved data set"),
        ({"dataset_dict": '{"splits": ["%s"]}' % ("a" * 256)}, "'splits' is not as save_to_disk writes it"),
        ({"dataset_dict": "x"}, r"dataset_dict\.json: cannot be read as JSON"),
        ({"dataset_dict": '{"splits": ["../.."]}'}, "'splits' is not as save_to_disk writes it"),
    ],
)
def test_damaged_saved_data_sets(tmp_path, files, message):
    for name, text in files.items():
        (tmp_path / f"{name}.json").write_text(text)
    with pytest.raises(FileError, match=message):
        read_rows(tmp_path, {})


@pytest.mark.parametrize("write", [pyarrow.ipc.new_file, pyarrow.ipc.new_stream])
def test_places_in_arrow_files_that_lie_outside_of_their_texts(tmp_path, write):
    table = pyarrow.table({"prediction": ["Abcdefg"]})
    path = tmp_path / "rows.arrow"
    with write(path, table.schema) as writer:
        writer.write_table(table)
    assert list(read_rows(path, {"prediction": ""})) == [{"prediction": "Abcdefg"}]
    content = path.read_bytes()
    for end in (b"\xff\xff\xff\x7f", b"\xff\xff\xff\xff"):  # two billion letters, and one less than none
        damaged = content.replace(b"\0\0\0\0\x07\0\0\0", b"\0\0\0\0" + end)
        assert damaged != content
        path.write_bytes(damaged)
        with pytest.raises(FileError, match=r"rows\.arrow: not a readable Arrow file"):
            list(read_rows(path, {"prediction": ""}))


TABLE = pyarrow.table({"a": [*range(7)]})


def save(folder, *tables):
    folder.mkdir(parents=True)
    names = [f"data-{place}.arrow" for place in range(len(tables))]
    for name, table in zip(names, tables, strict=True):
        with pyarrow.OSFile(str(folder / name), "wb") as sink, pyarrow.ipc.new_stream(sink, table.schema) as stream:
            stream.write_table(table, max_chunksize=3)
    state = {"_data_files": [{"filename": name} for name in names]}
    (folder / "state.json").write_text(json.dumps(state), encoding="utf-8")


def test_parquet(tmp_path):
    pyarrow.parquet.write_table(TABLE, tmp_path / "a.parquet", row_group_size=2)
    assert count_rows(tmp_path / "a.parquet") == 7


def test_saved_data_sets(tmp_path):
    save(tmp_path / "one", TABLE, TABLE.slice(0, 2))
    assert count_rows(tmp_path / "one") == 9
    save(tmp_path / "splits/train", TABLE)
    (tmp_path / "splits/dataset_dict.json").write_text('{"splits": ["train"]}', encoding="utf-8")
    assert count_rows(tmp_path / "splits") == 7
    assert count_rows(tmp_path / "splits", "train") == 7
    assert count_rows(tmp_path / "splits", "test") is None


@pytest.mark.parametrize("name", ["a.jsonl", "a.csv", "damaged.parquet", "none.parquet"])
def test_what_would_have_to_be_read_or_cannot_be(name, tmp_path):
    if not name.startswith("none"):
        (tmp_path / name).write_text("{}\n", encoding="utf-8")
    assert count_rows(tmp_path / name) is None


@pytest.mark.parametrize("state", ["x", "{}", '{"_data_files": [{"filename": "none.arrow"}]}', "[1]"])
def test_damaged_folders(state, tmp_path):
    (tmp_path / "state.json").write_text(state, encoding="utf-8")
    assert count_rows(tmp_path) is None


def test_no_bit_of_a_parquet_file_loses_rows_without_a_word(tmp_path):
    path = tmp_path / "rows.parquet"
    table = pyarrow.table({"prediction": ["a", "b"] * 2})
    pyarrow.parquet.write_table(table, path, row_group_size=2, compression="none", use_dictionary=False)
    content = path.read_bytes()
    lost = 0
    for place in range(len(content)):
        damaged = bytearray(content)
        damaged[place] ^= 4
        path.write_bytes(damaged)
        try:
            assert len(list(read_rows(path, {}))) == 4
        except FileError as error:
            lost += "lacks 2 of its rows" in str(error)
    assert lost
