"""Where rows come from, and how they are encoded and packed."""

import contextlib
import functools
import http.server
import io
import json
import sys
import threading
from types import SimpleNamespace

import pyarrow.parquet
import pytest

from fairsum_utils.errors import FileError, InputError, MissingDependencyError
from fairsum_utils.io import opening
from fairsum_utils.io.reading import columns_of, read_rows

ROWS = [{"id": "a", "text": "Größe – “fine” …"}, {"id": "b", "text": "Café, naïve"}]
NEEDED = {"text": "--text-column"}
JSON = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in ROWS)
CSV = 'id,text\na,Größe – “fine” …\nb,"Café, naïve"\n'


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
@pytest.mark.parametrize(("name", "text"), [("a.jsonl", JSON), ("a.csv", CSV), ("a.json", f"[{JSON.strip()}]")])
def test_texts_with_a_byte_order_mark(tmp_path, name, text, encoding):
    path = tmp_path / name
    path.write_bytes(text.replace("}\n{", "},\n{").encode(encoding) if name == "a.json" else text.encode(encoding))
    assert list(read_rows(path, NEEDED)) == ROWS
    assert list(read_rows(path, NEEDED, encoding="latin-1")) == ROWS  # the mark knows better


@pytest.mark.parametrize("encoding", ["cp1252", "utf-16-le", "gb18030", "utf-7", "utf8"])
@pytest.mark.parametrize(("name", "text"), [("a.ndjson", JSON), ("a.csv", CSV * 1), ("a.json", JSON)])
def test_texts_in_a_named_encoding(tmp_path, name, text, encoding):
    path = tmp_path / name
    path.write_bytes(text.encode(encoding))
    assert list(read_rows(path, NEEDED, encoding=encoding)) == ROWS


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
        (".json", json.dumps(ROWS, indent=2).encode()),
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
        table, path = pyarrow.Table.from_pylist(ROWS), tmp_path / f"rows{name}"
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
    assert list(read_rows("-", NEEDED)) == ROWS
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
    assert list(read_rows(path, NEEDED, input_format="csv")) == ROWS
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
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), file)
    for name in ("rows.csv", "rows.jsonl.zst", "rows.parquet"):
        assert list(read_rows(f"memory://{name}", NEEDED)) == ROWS
        assert columns_of(f"memory://{name}") == ["id", "text"]
    with pytest.raises(InputError, match=r"memory://none.csv: no such file"):
        read_rows("memory://none.csv", NEEDED)
    with pytest.raises(FileError, match=r"nowhere://rows.csv: cannot be read \(ValueError: Protocol not known"):
        read_rows("nowhere://rows.csv", NEEDED)
    (tmp_path / "b.csv").write_text(CSV, encoding="utf-8")
    assert list(read_rows(["memory://rows.csv", tmp_path / "b.csv"], NEEDED)) == ROWS * 2


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
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(ROWS), tmp_path / "rows.parquet")
    with served(tmp_path) as address:
        assert list(read_rows(f"{address}/rows.csv?download=true", NEEDED)) == ROWS
        assert list(read_rows(f"{address}/rows.parquet", NEEDED)) == ROWS
        with pytest.raises(InputError, match=r"none\.csv: no such file"):
            read_rows(f"{address}/none.csv", NEEDED)


def test_packages_that_are_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(MissingDependencyError, match=r"s3fs is needed to read s3://b/a\.csv and .*\[s3\]"):
        read_rows("s3://b/a.csv", NEEDED)
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingDependencyError, match=r"fsspec is needed to read memory://a\.csv and .*\[remote\]"):
        read_rows("memory://a.csv", NEEDED)
