"""Files, standard input and addresses are opened in any encoding; no line is longer than a limit."""

from __future__ import annotations

import gzip
import io
import os
import sys
import threading
import tracemalloc
from types import SimpleNamespace

import pyarrow
import pyarrow.parquet
import pytest

from fairsum_utils.errors import FileError, InputError, MissingDependencyError
from fairsum_utils.io import opening
from fairsum_utils.io.downloads import identity_of
from fairsum_utils.io.reading import columns_of, read_rows


def test_a_line_without_end_is_refused(write, monkeypatch):
    monkeypatch.setattr("fairsum_utils.io.opening._LONGEST", 1000)
    path = write("rows.jsonl", '{"id": 1}\n' + "a" * 1000)
    with pytest.raises(FileError, match=r"rows\.jsonl, line 2: the line is longer than 1,000 bytes; split it"):
        list(read_rows(path, {}))


@pytest.mark.parametrize("name", ["rows.parquet.gz", "rows.json.gz", "rows.csv.gz", "rows.jsonl.zst"])
def test_what_is_kept_as_a_whole_may_not_unpack_without_end(write, monkeypatch, name):
    """A text of other lines may: only its largest row is in memory."""
    monkeypatch.setattr(opening, "_UNPACKED", 500_000)
    columns = ",".join(f"a{place}" for place in range(49))
    start = {"rows.parquet.gz": b"PAR1", "rows.csv.gz": f"id,{columns}\n1{',' * 49}\n".encode()}.get(
        name, b'{"id": "1"}\n'
    )
    content = start + (b"," * 49 + b"\n" if "csv" in name else b" " * 49 + b"\n") * 16_000
    packed = gzip.compress(content) if name.endswith("gz") else pyarrow.compress(content, "zstd", asbytes=True)
    if name in ("rows.csv.gz", "rows.jsonl.zst"):
        path = write(name, packed)
        assert [row["id"] for row in read_rows(path, {})] == ["1"]  # imports modules, which take memory too
        tracemalloc.start()
        list(read_rows(path, {}))
        assert tracemalloc.get_traced_memory()[1] < 400_000
        tracemalloc.stop()
        return
    with pytest.raises(FileError, match=r"[\d,]+ packed bytes unpack to more than [\d,]+; if this is intended"):
        list(read_rows(write(name, packed), {}))


ROWS = [{"id": "a", "text": "Größe – “fine” …"}, {"id": "b", "text": "Café, naïve"}]
NEEDED = {"text": "--text-column"}


@pytest.mark.parametrize("ending", ["jsonl", "csv", "json"])
def test_texts_in_other_encodings(write, ending):
    for encoding in ("utf-8-sig", "utf-16", "utf-32", "cp1252", "utf-16-le", "gb18030", "utf8"):
        path = write(f"rows.{ending}", ROWS, encoding=encoding)
        assert list(read_rows(path, NEEDED, encoding=encoding)) == ROWS
        if encoding in ("utf-8-sig", "utf-16", "utf-32"):  # whose mark knows better
            assert list(read_rows(path, NEEDED)) == list(read_rows(path, NEEDED, encoding="latin-1")) == ROWS


def test_wrong_encodings(write):
    path = write("a.csv", "id,text\na,Größe\nb,Café\n".encode("cp1252") + b"c,\x81\n")
    with pytest.raises(
        FileError, match=r"a\.csv, line 2: the text is not UTF-8 .*; if the file comes from Excel .*--encoding cp1252$"
    ):
        list(read_rows(path, NEEDED))
    with pytest.raises(
        FileError, match=r"a\.csv, line 4: the text is not cp1252 \(.*\); name its encoding with --encoding$"
    ):
        list(read_rows(path, NEEDED, encoding="cp1252"))


@pytest.fixture
def standard_input(monkeypatch):
    def set_content(content):
        opening.spooled.cache_clear()
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))

    yield set_content
    opening.spooled.cache_clear()


@pytest.mark.parametrize("ending", ["csv", "jsonl", "json", "parquet", "arrow", "feather"])
def test_standard_input(standard_input, write, ending):
    """Its format is seen from its first bytes, and it can be read again."""
    content = write(f"rows.{ending}", ROWS, encoding="utf-16" if ending == "csv" else "utf-8").read_bytes()
    for packing in ("", "gzip", "zstd"):
        standard_input(pyarrow.compress(content, codec=packing, asbytes=True) if packing else content)
        assert columns_of("-") == ["id", "text"]
        assert list(read_rows("-", NEEDED)) == ROWS
    with pytest.raises(FileError, match=r"standard input\b.*: no column 'x'"):
        read_rows("-", {"x": "--x"})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
@pytest.mark.parametrize("name", ["pipe", "rows.jsonl.gz"])
def test_a_named_pipe_is_read_once_and_then_again(write, tmp_path, name):
    """Like ``<(zcat rows.gz)`` of a shell: its format is that of its name, or seen from its first bytes."""
    content = write("given.jsonl", ROWS).read_bytes()
    pipe = tmp_path / "pipes" / name
    pipe.parent.mkdir()
    os.mkfifo(pipe)
    content = gzip.compress(content) if name.endswith(".gz") else content
    writer = threading.Thread(target=pipe.write_bytes, args=(content,))
    writer.start()
    assert columns_of(pipe) == ["id", "text"]
    writer.join()
    assert list(read_rows(pipe, NEEDED)) == ROWS
    assert identity_of(pipe)["size"] == len(content)


@pytest.mark.skipif(not os.path.exists("/dev/fd"), reason="no /dev/fd")  # noqa: PTH110
def test_an_open_file_of_the_shell(write):
    """``fairsum score /dev/stdin < rows.jsonl``: an ordinary file, whose name says nothing."""
    with write("rows.jsonl", ROWS).open("rb") as file:
        assert list(read_rows(f"/dev/fd/{file.fileno()}", NEEDED)) == ROWS
    opening.spooled.cache_clear()


def test_addresses_of_fsspec(write):
    memory = pytest.importorskip("fsspec").filesystem("memory")
    for name in ("rows.csv", "rows.jsonl.zst", "rows.parquet"):
        memory.pipe(f"/{name}", write(name, ROWS).read_bytes())
        assert list(read_rows(f"memory://{name}", NEEDED)) == ROWS
        assert columns_of(f"memory://{name}") == ["id", "text"]
    with pytest.raises(InputError, match=r"memory://none.csv: no such file"):
        read_rows("memory://none.csv", NEEDED)
    with pytest.raises(
        FileError, match=r"nowhere://rows\.csv: cannot read the address \(ValueError: Protocol not known"
    ):
        read_rows("nowhere://rows.csv", NEEDED)
    assert list(read_rows(["memory://rows.csv", write("b.csv", ROWS)], NEEDED)) == ROWS * 2


def test_addresses_of_a_server(write, server):
    """One that gives a file as a whole only, so that Parquet has to wait in a file."""
    pytest.importorskip("aiohttp")
    address, folder = server
    write("rows.csv", ROWS).rename(folder / "rows.csv")
    write("rows.parquet", ROWS).rename(folder / "rows.parquet")
    assert list(read_rows(f"{address}rows.csv?download=true", NEEDED)) == ROWS
    assert list(read_rows(f"{address}rows.parquet", NEEDED)) == ROWS
    with pytest.raises(InputError, match=r"none\.csv: no such file"):
        read_rows(f"{address}none.csv", NEEDED)


def test_packages_that_are_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "s3fs", None)
    with pytest.raises(MissingDependencyError, match=r"s3fs is needed to read s3://b/a\.csv, but .*\[s3\]"):
        read_rows("s3://b/a.csv", NEEDED)
