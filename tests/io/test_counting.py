"""Row counts without reading rows."""

import json

import pyarrow
import pyarrow.ipc
import pyarrow.parquet
import pytest

from fairsum_utils.io.counting import count_rows

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
