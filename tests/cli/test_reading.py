"""Every format gives the same samples; every broken file gives one clear line."""

import csv
import gzip
import json

import pyarrow
import pyarrow.parquet
import pytest

from fairsum_utils.cli.reading import Columns, Sample, read_samples
from fairsum_utils.errors import InputError

ROWS = [
    {"id": "a", "prediction": "Tasty.", "sources": ["Tasty, too.", "Cold — really."], "values": ["pos", "neg"]},
    {"id": "b", "prediction": "", "sources": ['Fine, "quoted"\nline.'], "values": ["pos"]},
]
SAMPLES = [Sample(row["id"], row["prediction"], row["sources"], row["values"]) for row in ROWS]


def as_jsonl(path):
    path.write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")


def as_csv(path):
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, ROWS[0])
        writer.writeheader()
        writer.writerows(
            {key: json.dumps(cell) if isinstance(cell, list) else cell for key, cell in row.items()} for row in ROWS
        )


def as_parquet(path):
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), path)


WRITERS = {".jsonl": as_jsonl, ".ndjson": as_jsonl, ".csv": as_csv, ".parquet": as_parquet}


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("suffix", WRITERS)
def test_formats_agree(tmp_path, suffix, zipped):
    path = tmp_path / f"rows{suffix}"
    WRITERS[suffix](path)
    if zipped:
        packed = tmp_path / f"rows{suffix}.gz"
        packed.write_bytes(gzip.compress(path.read_bytes()))
        path = packed
    assert list(read_samples(path, Columns())) == SAMPLES


def test_saved_data_set_and_its_splits(tmp_path):
    datasets = pytest.importorskip("datasets")
    data = datasets.Dataset.from_list(ROWS)
    data.save_to_disk(tmp_path / "one")
    assert list(read_samples(tmp_path / "one", Columns())) == SAMPLES
    splits = datasets.DatasetDict({"validation": data.select([0]), "test": data})
    splits.save_to_disk(tmp_path / "two")
    assert list(read_samples(tmp_path / "two", Columns(), "test")) == SAMPLES
    with pytest.raises(InputError, match="choose one of its splits with --split: validation, test"):
        list(read_samples(tmp_path / "two", Columns()))


def test_other_column_names_and_missing_ids(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text('{"summary": "s", "docs": ["d"], "groups": ["g"], "acu": {"g": 1}}\n', encoding="utf-8")
    columns = Columns(sources="docs", values="groups", prediction="summary", distribution="acu")
    assert list(read_samples(path, columns)) == [Sample("0", "s", ["d"], ["g"], {"g": 1})]


def test_reading_is_lazy(tmp_path):
    path = tmp_path / "rows.jsonl"
    as_jsonl(path)
    with path.open("a", encoding="utf-8") as file:
        file.write("{broken\n")
    samples = read_samples(path, Columns())
    assert [next(samples), next(samples)] == SAMPLES
    with pytest.raises(InputError, match="line 3: not valid JSON"):
        next(samples)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "half.jsonl",
            b'{"prediction": "a", "sources"',
            "line 1: not valid JSON .* no line end, so the file may have been",
        ),
        ("bytes.jsonl", b'{"prediction": "\xff"}\n', "line 1: not UTF-8"),
        ("list.jsonl", b"[1, 2]\n", "line 1: expected a JSON object, found a list"),
        (
            "lacks.jsonl",
            b'{"prediction": "a", "sources": ["b"]}\n',
            "row 1: no column 'values'; found prediction, sources",
        ),
        (
            "cut.jsonl.gz",
            gzip.compress(json.dumps(ROWS[0]).encode() + b"\n", mtime=0)[:40],
            "cannot be read to its end",
        ),
        ("not.jsonl.gz", b"plain text", "cannot be read to its end"),
        ("not.parquet", b"PAR1 but no more", "not a readable Parquet file"),
        (
            "cells.csv",
            b"prediction,sources,values\na,one text,['x']\n",
            "row 1: column 'sources' must hold a JSON list",
        ),
        ("lacks.csv", b'prediction,values\na,"[""x""]"\n', "no column 'sources'.*--sources-column"),
        ("rows.txt", b"", "unknown format; the name must end in one of"),
    ],
)
def test_broken_files(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=message):
        list(read_samples(path, Columns()))


def test_a_folder_that_is_no_data_set(tmp_path):
    with pytest.raises(InputError, match="must be a data set written by save_to_disk"):
        list(read_samples(tmp_path, Columns()))


def test_parquet_lacks_a_column(tmp_path):
    path = tmp_path / "rows.parquet"
    pyarrow.parquet.write_table(pyarrow.table({"prediction": ["a"]}), path)
    with pytest.raises(InputError, match="no column 'sources'; found prediction"):
        list(read_samples(path, Columns()))
