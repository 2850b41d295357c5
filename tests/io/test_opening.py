"""Rows that are larger than they may be: refused in one line, in every format, before they fill the memory."""

from __future__ import annotations

import contextlib
import functools
import gzip
import http.server
import io
import json
import random
import sys
import threading
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow
import pyarrow.feather
import pyarrow.parquet
import pytest

from fairsum_utils.errors import FileError, InputError, MissingDependencyError
from fairsum_utils.io import opening
from fairsum_utils.io.opening import check_unpacked, place_of
from fairsum_utils.io.reading import columns_of, read_rows
from fairsum_utils.io.tables import iter_lines

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


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("rows.parquet.gz", b"PAR1" + bytes(4_000_000)),
        ("rows.jsonl.gz", b"\n" * 4_000_000),
        ("rows.jsonl.zst", b'{"id": "1"}\n' + b" \r\n" * 2_000_000),
        ("rows.json.gz", b'[{"id": "1"}' + b" " * 4_000_000),
        ("rows.csv.zst", b"id,a,b\n1,2,3\n" + b",,\r\n" * 2_000_000),
    ],
)
def test_what_unpacks_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, content: bytes) -> None:
    monkeypatch.setattr(opening, "_UNPACKED", 1_000_000)
    path = tmp_path / name
    path.write_bytes(gzip.compress(content) if name.endswith("gz") else pyarrow.compress(content, "zstd", asbytes=True))
    with pytest.raises(FileError, match=r"[\d,]+ bytes of it unpack to more than \d,[\d,]+; if it is what it should"):
        list(read_rows(path, {}))
    check_unpacked("a", 999_999, 1)
    check_unpacked("a", 2_000_000, 10_000)


def test_the_line_at_which_a_packed_file_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress(random.Random(0).randbytes(300_000).hex().encode().replace(b"a", b"\n"))[:-50_000])
    with pytest.raises(FileError, match=r"rows\.jsonl\.gz, after line \d+: cannot be unpacked"):
        list(iter_lines(place_of(path)))


ROWS_OPENING = [{"id": "a", "text": "Größe – “fine” …"}, {"id": "b", "text": "Café, naïve"}]
NEEDED = {"text": "--text-column"}
JSON = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS_OPENING)
CSV = 'id,text\na,Größe – “fine” …\nb,"Café, naïve"\n'


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize(("name", "text"), [("a.jsonl", JSON), ("a.csv", CSV), ("a.json", f"[{JSON.strip()}]")])
def test_texts_with_a_byte_order_mark(tmp_path, name, text, encoding):
    path = tmp_path / name
    path.write_bytes(text.replace("}\n{", "},\n{").encode(encoding) if name == "a.json" else text.encode(encoding))
    assert list(read_rows(path, NEEDED)) == ROWS_OPENING
    assert list(read_rows(path, NEEDED, encoding="latin-1")) == ROWS_OPENING  # the mark knows better


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16-le", "gb18030", "utf-7", "utf8"])
@pytest.mark.parametrize(("name", "text"), [("a.ndjson", JSON), ("a.csv", CSV * 1), ("a.json", JSON)])
def test_texts_in_a_named_encoding(tmp_path, name, text, encoding):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    assert list(read_rows(path, NEEDED, encoding=encoding)) == ROWS_OPENING


def test_long_texts_in_other_encodings(tmp_path):
    path = tmp_path / "a.jsonl"
    rows = [{"text": chr(0x4E00 + n % 5000) * (n % 977)} for n in range(600)]
    text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    for encoding in ("utf-16", "gb18030"):
        path.write_bytes(text.encode(encoding))
        assert list(read_rows(path, NEEDED, encoding=encoding)) == rows
    array = tmp_path / "a.json"
    array.write_text(json.dumps(rows, ensure_ascii=False), encoding="utf-8")
    assert list(read_rows(array, NEEDED)) == rows


def test_wrong_encodings(tmp_path):
    path = tmp_path / "a.csv"
    path.write_bytes(CSV.encode("cp1252") + b"c,\x81\n")
    with pytest.raises(FileError, match=r"a\.csv, line 2: not UTF-8 .*; if it comes from Excel .*--encoding cp1252$"):
        list(read_rows(path, NEEDED))
    with pytest.raises(FileError, match=r"a\.csv, line 4: not cp1252 \(.*\); name its encoding with --encoding$"):
        list(read_rows(path, NEEDED, encoding="cp1252"))
    for name in ("cp1253x", "base64", "\0"):
        with pytest.raises(InputError, match=r"unknown encoding .*; name one that Python knows, such as cp1252"):
            read_rows(path, NEEDED, encoding=name)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        (".csv", CSV.encode()),
        (".jsonl", JSON.encode()),
        (".json", json.dumps(ROWS_OPENING, indent=2).encode()),
        (".csv", CSV.encode("utf-16")),
        (".parquet", None),
        (".arrow", None),
        (".feather", None),
    ],
)
@pytest.mark.parametrize("packing", ["", "gzip", "zstd"])
def test_standard_input(monkeypatch, tmp_path, name, content, packing):
    """Its format is seen from its first bytes, and it can be read again."""
    if content is None:
        table, path = pyarrow.Table.from_pylist(ROWS_OPENING), tmp_path / f"rows{name}"
        if name == ".parquet":
            pyarrow.parquet.write_table(table, path)
        else:
            new = pyarrow.ipc.new_stream if name == ".arrow" else pyarrow.ipc.new_file
            with new(path, table.schema) as writer:
                writer.write_table(table)
        content = path.read_bytes()
    content = pyarrow.compress(content, codec=packing, asbytes=True) if packing else content
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    opening._spooled_input.cache_clear()
    assert columns_of("-") == ["id", "text"]
    assert list(read_rows("-", NEEDED)) == ROWS_OPENING
    opening._spooled_input.cache_clear()


def test_messages_about_standard_input(monkeypatch):
    opening._spooled_input.cache_clear()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(b"id,summary\n1,a\n")))
    with pytest.raises(FileError, match="standard input: no column 'text'; found id, summary"):
        read_rows("-", NEEDED)
    with pytest.raises(FileError, match="standard input, line 1: not valid JSON"):
        read_rows("-", NEEDED, input_format="jsonl")
    opening._spooled_input.cache_clear()


def test_a_format_that_the_name_does_not_tell(tmp_path):
    path = tmp_path / "rows.txt"
    path.write_text(CSV, encoding="utf-8")
    assert list(read_rows(path, NEEDED, input_format="csv")) == ROWS_OPENING
    with pytest.raises(InputError, match=r"rows\.txt: unknown format; .*; or say what it is with --input-format$"):
        read_rows(path, NEEDED)
    with pytest.raises(InputError, match="unknown format 'xml'; --input-format is one of jsonl, ndjson, json, csv"):
        read_rows(path, NEEDED, input_format="xml")


def test_addresses_of_fsspec(tmp_path):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    memory.pipe("/rows.csv", CSV.encode())
    memory.pipe("/rows.jsonl.zst", pyarrow.compress(JSON.encode(), codec="zstd", asbytes=True))
    with memory.open("/rows.parquet", "wb") as file:
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS_OPENING), file)
    for name in ("rows.csv", "rows.jsonl.zst", "rows.parquet"):
        assert list(read_rows(f"memory://{name}", NEEDED)) == ROWS_OPENING
        assert columns_of(f"memory://{name}") == ["id", "text"]
    with pytest.raises(InputError, match=r"memory://none.csv: no such file"):
        read_rows("memory://none.csv", NEEDED)
    with pytest.raises(FileError, match=r"nowhere://rows.csv: cannot be read \(ValueError: Protocol not known"):
        read_rows("nowhere://rows.csv", NEEDED)
    (tmp_path / "b.csv").write_text(CSV, encoding="utf-8")
    assert list(read_rows(["memory://rows.csv", tmp_path / "b.csv"], NEEDED)) == ROWS_OPENING * 2


@contextlib.contextmanager
def served(folder):
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def test_addresses_of_a_server(tmp_path):
    """One that gives a file as a whole only, so that Parquet has to wait in a file."""
    pytest.importorskip("fsspec")
    pytest.importorskip("aiohttp")
    (tmp_path / "rows.csv").write_text(CSV, encoding="utf-8")
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS_OPENING), tmp_path / "rows.parquet")
    with served(tmp_path) as address:
        assert list(read_rows(f"{address}/rows.csv?download=true", NEEDED)) == ROWS_OPENING
        assert list(read_rows(f"{address}/rows.parquet", NEEDED)) == ROWS_OPENING
        with pytest.raises(InputError, match=r"none\.csv: no such file"):
            read_rows(f"{address}/none.csv", NEEDED)


def test_packages_that_are_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(MissingDependencyError, match=r"s3fs is needed to read s3://b/a\.csv and .*\[s3\]"):
        read_rows("s3://b/a.csv", NEEDED)
