import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from fairsum_utils.corpora.writing import write_rows
from fairsum_utils.errors import InputError

COLUMNS = {"id": "string", "values": "strings"}
ROWS = [{"id": f"é{i}", "values": ["a\nb", '"', ""][: i % 4]} for i in range(600)]


def read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".parquet":
        rows: list[dict[str, Any]] = pq.read_table(path).to_pylist()
        return rows
    if path.suffix == ".csv":
        with path.open(encoding="utf-8", newline="") as file:
            return [{**row, "values": json.loads(row["values"])} for row in csv.DictReader(file)]
    content = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    return [json.loads(line) for line in content.decode().split("\n")[:-1]]


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".parquet", ".csv"])
def test_round_trip_and_equal_bytes(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"rows{suffix}"
    assert write_rows(iter(ROWS), path, COLUMNS) == 600
    assert read(path) == ROWS
    other = tmp_path / f"other{suffix}"
    write_rows(ROWS, other, COLUMNS)
    assert path.read_bytes() == other.read_bytes()
    if suffix == ".jsonl.gz":
        assert path.read_bytes()[3:8] == bytes(5)  # neither a name nor a time
    assert path.stat().st_mode & 0o444
    assert write_rows([], other, COLUMNS) == 0
    assert read(other) == []


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".parquet", ".csv"])
def test_an_error_leaves_the_old_file_and_nothing_else(tmp_path: Path, suffix: str) -> None:
    def rows() -> Iterator[dict[str, Any]]:
        yield from ROWS
        raise KeyboardInterrupt

    path = tmp_path / f"rows{suffix}"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        write_rows(rows(), path, COLUMNS)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"must end in one of \.jsonl, \.jsonl\.gz, \.parquet, \.csv"):
        write_rows(ROWS, tmp_path / "rows.txt", COLUMNS)
    with pytest.raises(InputError, match="is in a folder that does not exist"):
        write_rows(ROWS, tmp_path / "no" / "rows.csv", COLUMNS)
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        write_rows(ROWS, tmp_path / "d.csv", COLUMNS)
