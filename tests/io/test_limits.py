"""Rows that are larger than they may be: refused in one line, in every format, before they fill the memory."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

from fairsum_utils.errors import FileError, InputError
from fairsum_utils.io import limits
from fairsum_utils.io.limits import bytes_of, check_limit, check_unpacked
from fairsum_utils.io.reading import columns_of, read_rows

ROWS = [{"id": "a", "text": "short"}, {"id": "b", "text": "long " * 400}, {"id": "c", "text": "short"}]
"""The second has 2,000 characters."""


def _csv(rows: list[dict[str, str]], sign: str = ",") -> str:
    return "".join(f'{row["id"]}{sign}"{row["text"]}"\n' for row in [{"id": "id", "text": "text"}, *rows])


TEXTS: dict[str, Callable[[list[dict[str, str]]], str]] = {
    ".jsonl": lambda rows: "".join(json.dumps(row) + "\n" for row in rows),
    ".json": json.dumps,
    ".csv": _csv,
    ".tsv": lambda rows: _csv(rows, "\t"),
}
TABLES: dict[str, Callable[[Any, Path], Any]] = {
    ".parquet": lambda table, path: pyarrow.parquet.write_table(table, path),
    ".feather": lambda table, path: pyarrow.feather.write_feather(table, path),
}


def _written(folder: Path, ending: str, rows: list[dict[str, str]] = ROWS) -> Path:
    path = folder / f"rows{ending}"
    format = ending.removesuffix(".gz").removesuffix(".zst")
    if format in TABLES:
        TABLES[format](pyarrow.Table.from_pylist(rows), path)
        return path
    content = TEXTS[format](rows).encode()
    if ending.endswith(".gz"):
        content = gzip.compress(content)
    elif ending.endswith(".zst"):
        content = pyarrow.compress(content, codec="zstd", asbytes=True)
    path.write_bytes(content)
    return path


PLACES = {
    ".jsonl": "line 2",
    ".jsonl.gz": "line 2",
    ".jsonl.zst": "line 2",
    ".json": "element 2",
    ".csv": "line 3",
    ".csv.gz": "line 3",
    ".tsv": "line 3",
    ".parquet": "row 2",
    ".feather": "row 2",
}


@pytest.mark.parametrize("ending", PLACES)
def test_a_row_that_is_too_large_is_refused_where_it_stands(ending: str, tmp_path: Path) -> None:
    path = _written(tmp_path, ending)
    assert [row["id"] for row in read_rows(path, {}, max_row_bytes=4000)] == ["a", "b", "c"]
    with pytest.raises(FileError) as refused:
        list(read_rows(path, {}, max_row_bytes=1500))
    expected = f"{path}, {PLACES[ending]}: more than 1,500 bytes in one row; split it, or allow more with --max-row-by"
    assert str(refused.value).startswith(expected)


def test_a_saved_data_set(tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    datasets.Dataset.from_list(ROWS).save_to_disk(tmp_path / "saved")
    with pytest.raises(FileError, match=r"saved, row 2: more than 1,000 bytes in one row"):
        list(read_rows(tmp_path / "saved", {}, max_row_bytes=1000))
    assert len(list(read_rows(tmp_path / "saved", {}))) == 3


def test_the_first_row_is_refused_too(tmp_path: Path) -> None:
    path = _written(tmp_path, ".jsonl", ROWS[1:])
    for read in (lambda **how: read_rows(path, {}, **how), lambda **how: columns_of(path, **how)):
        with pytest.raises(FileError, match="line 1: more than 1,000 bytes"):
            read(max_row_bytes=1000)


def test_row_groups_of_large_rows_are_not_read_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = _written(tmp_path, ".parquet", [{"id": str(k), "text": f"{k} " * 2000} for k in range(4)])
    monkeypatch.setattr(pyarrow.parquet.ParquetFile, "iter_batches", lambda *_, **__: pytest.fail("was read"))
    with pytest.raises(FileError, match=r"rows 1 to 4: more than 1,000 bytes in one row"):
        list(read_rows(path, {}, max_row_bytes=1000))


@pytest.mark.parametrize(
    ("ending", "head", "unit"),
    [
        (".jsonl", '{"text": "', "a"),
        (".jsonl", "", "[["),
        (".json", '[{"text": "', "a"),
        (".json", '[{"text": [', "1,"),
        (".csv", 'id,text\n1,"', "a"),
        (".csv", 'id,text\n1,"', "a\n"),
        (".csv", "", "id,"),
        (".tsv", "id\ttext\n1\t", "a"),
    ],
)
@pytest.mark.parametrize("packing", ["", ".gz"])
def test_a_row_without_end_takes_no_more_memory_than_it_may(
    ending: str, head: str, unit: str, packing: str, tmp_path: Path
) -> None:
    path = tmp_path / f"rows{ending}{packing}"
    content = (head + unit * (30_000_000 // len(unit))).encode()
    path.write_bytes(gzip.compress(content, 1) if packing else content)
    del content
    tracemalloc.start()
    with pytest.raises(FileError, match="more than 100,000 bytes in one row"):
        list(read_rows(path, {}, max_row_bytes=100_000))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 4_000_000


@pytest.mark.parametrize("ending", [".jsonl", ".csv"])
def test_blank_lines_are_counted_and_not_kept(ending: str, tmp_path: Path) -> None:
    path = _written(tmp_path, ending, ROWS[:1])
    path.write_text(path.read_text() + (",\n" if ending == ".csv" else "\n") * 300_000)
    tracemalloc.start()
    assert len(list(read_rows(path, {}))) == 1
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_000_000


def test_blank_records_within_a_table_keep_their_lines(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("id,text\n1,a\n,\n,\n\n,\n2,b\n,\n")
    assert [row["id"] for row in read_rows(path, {})] == ["1", "", "", "", "2"]


@pytest.mark.parametrize("limit", [0, -1, 1.5, "64MB", True])
def test_a_limit_is_a_whole_number(limit: object, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="read_rows: max_row_bytes must be a whole number of at least 1, found"):
        read_rows(_written(tmp_path, ".jsonl"), {}, max_row_bytes=limit)  # type: ignore[arg-type]
    assert check_limit("read_rows", None) == 64 * 2**20


def test_what_unpacks_without_end_fills_no_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_UNPACKED", 1_000_000)
    path = tmp_path / "rows.parquet.gz"
    path.write_bytes(gzip.compress(b"PAR1" + bytes(30_000_000)))
    with pytest.raises(FileError, match=r"bytes of it unpack to more than \d,\d+,\d+; if it is what it should be"):
        list(read_rows(path, {}))
    check_unpacked("a", 999_999, 1)
    check_unpacked("a", 2_000_000, 10_000)


@pytest.mark.parametrize("packing", [".gz", ".zst"])
@pytest.mark.parametrize(
    ("format", "rows", "blank"),
    [
        (".jsonl", b"", b"\n"),
        (".jsonl", b'{"id": "1"}\n', b" \r\n"),
        (".json", b'[{"id": "1"}', b" "),
        (".csv", b"id,a,b\n1,2,3\n", b",,\r\n"),
    ],
)
def test_what_unpacks_without_end_and_without_a_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str, rows: bytes, blank: bytes, packing: str
) -> None:
    monkeypatch.setattr(limits, "MAX_ROW_BYTES", 1_000_000)
    content = rows + blank * (40_000_000 // len(blank))
    path = tmp_path / f"rows{format}{packing}"
    path.write_bytes(gzip.compress(content) if packing == ".gz" else pyarrow.compress(content, "zstd", asbytes=True))
    with pytest.raises(FileError, match=r"[\d,]+ bytes of it unpack to more than [\d,]+ without a row; write"):
        list(read_rows(path, {}))


def test_rows_that_are_all_the_same_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_ROW_BYTES", 10_000)
    path = tmp_path / "rows.jsonl.zst"
    path.write_bytes(pyarrow.compress((b'{"id": "1"}' + b" " * 1000 + b"\n") * 10_000, "zstd", asbytes=True))
    assert path.stat().st_size < 10_120_000 / 1000
    assert len(list(read_rows(path, {}))) == 10_000


def test_bytes_of_a_cell() -> None:
    assert bytes_of({"a": ["bc", 1.5, None], "d": {"e": "f"}}, 1000) == 1 + 2 + 8 + 8 + 1 + 1 + 1
    assert bytes_of([["a" * 10] * 10] * 10_000, 50) <= 60  # counting stops
