"""Writing rows, files that appear when they are whole, and folders of runs here and on stores."""

import csv
import errno
import io
import json
import os
import pickle
import shutil
import uuid
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet as pq
import pytest

from fairsum_utils.errors import InputError, OutputError
from fairsum_utils.io import opening
from fairsum_utils.io.downloads import identity_of
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.opening import open_seekable, place_of
from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.writing import ENDINGS, check_output, replacing, write_rows

COLUMNS = {"id": "string", "values": "strings"}
ROWS = [{"id": f"é{i}", "values": ["a\nb", '"', ""][: i % 4]} for i in range(600)]


def read(path: Path) -> list[dict[str, Any]]:
    with pyarrow.input_stream(path, compression={".gz": "gzip", ".zst": "zstd"}.get(path.suffix)) as file:
        content = file.read()
    if ".parquet" in path.suffixes:
        rows: list[dict[str, Any]] = pq.read_table(io.BytesIO(content)).to_pylist()
        return rows
    text = content.decode()
    if ".csv" in path.suffixes:
        return [{**row, "values": json.loads(row["values"])} for row in csv.DictReader(io.StringIO(text, newline=""))]
    return [json.loads(line) for line in text.split("\n")[:-1]]


@pytest.mark.parametrize("columns", [COLUMNS, None], ids=["given", "inferred"])
@pytest.mark.parametrize("suffix", ENDINGS)
def test_round_trip_and_equal_bytes(tmp_path: Path, suffix: str, columns: dict[str, str] | None) -> None:
    path = tmp_path / f"rows{suffix}"
    assert write_rows(iter(ROWS), path, columns) == 600
    assert read(path) == ROWS
    other = tmp_path / f"other{suffix}"
    write_rows(ROWS, other, columns)
    assert path.read_bytes() == other.read_bytes()
    if suffix.endswith(".gz"):
        assert path.read_bytes()[3:8] == bytes(5)  # neither a name nor a time
    assert path.stat().st_mode & 0o444
    assert write_rows([], other, columns) == 0
    assert read(other) == []
    if columns and suffix == ".parquet":
        assert pq.read_schema(other).names == [*columns]

    def broken() -> Iterator[dict[str, Any]]:
        yield from ROWS
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_rows(broken(), path, columns)
    assert read(path) == ROWS
    assert {*tmp_path.iterdir()} == {path, other}


@pytest.mark.parametrize("suffix", ENDINGS)
def test_columns_that_some_rows_lack_are_null_and_a_name_may_be_an_ending_alone(tmp_path: Path, suffix: str) -> None:
    assert write_rows([{"id": "a"}, {"values": ["x"], "id": "b"}], tmp_path / f"rows{suffix}") == 2
    assert read(tmp_path / f"rows{suffix}") == [{"id": "a", "values": None}, {"id": "b", "values": ["x"]}]
    write_rows([{"id": "a"}], tmp_path / suffix)
    assert list(read_rows(tmp_path / suffix, {}, lists=())) == [{"id": "a"}]


def test_what_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "d.csv").mkdir()
    for rows, name, message in (
        ([{"id": "a"}, {"id": 1}], "rows.parquet", r"rows\.parquet: a column does not fit this format"),
        ([{"id": b"a"}], "rows.jsonl", r"rows\.jsonl: a column does not fit this format"),
        (ROWS, "rows.txt", r"one of \.jsonl, \.ndjson, \.csv, \.parquet \(\.gz or \.zst may follow\)$"),
        (ROWS, "no/rows.csv", r"rows\.csv: the folder .*no does not exist"),
        (ROWS, "d.csv", r"d\.csv: this is a folder"),
    ):
        with pytest.raises(InputError, match=message):
            write_rows(rows, tmp_path / name)
    assert [path.name for path in tmp_path.iterdir()] == ["d.csv"]


def test_no_output_is_an_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows, model = tmp_path / "rows.jsonl", tmp_path / "model"
    rows.write_text("{}")
    (tmp_path / "hard.jsonl").hardlink_to(rows)
    (tmp_path / "soft.jsonl").symlink_to(rows)
    (model / "inner").mkdir(parents=True)
    (model / "inner" / "vocab.json").write_text("{}")
    for output, inputs in (
        ("rows.jsonl", tmp_path / "*.jsonl"),
        ("hard.jsonl", rows),
        ("soft.jsonl", str(rows)),
        ("rows.jsonl", tmp_path / "soft.jsonl"),
        ("model/inner/../inner/vocab.json", model),
    ):
        with pytest.raises(InputError, match="this is the input"):
            check_output(tmp_path / output, inputs=["-", "s3://a/b.csv", inputs])
    with pytest.raises(InputError, match="this is the input"):
        check_output(tmp_path / "." / "new.csv.gz", source=tmp_path / "new.csv.gz")
    with pytest.raises(InputError, match=r"\.jsonl: this format does not record which .* lists"):
        check_output(tmp_path / "out.jsonl", *ENDINGS, source=tmp_path / "rows.csv.gz")
    with pytest.raises(InputError, match=r"out\.csv: this is also another output;"):
        check_output(tmp_path / "out.csv", others=[None, tmp_path / "model" / ".." / "out.csv"])
    check_output(None, ".json", source=rows)
    check_output(model / "results.json", inputs=[model])  # not there, so it is not read
    monkeypatch.chdir(model)
    check_output("inner/vocab.json", inputs=["."])  # a name of the working folder says little


def test_a_symbolic_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    """Results may lie on another disk."""
    disk = tmp_path / "disk"
    disk.mkdir()
    (disk / "a.jsonl").write_text("old")
    for link, target in (("a.jsonl", disk / "a.jsonl"), ("new.jsonl", disk / "new.jsonl"), ("twice.jsonl", "a.jsonl")):
        (tmp_path / link).symlink_to(target)
        write_rows([{"id": link}], tmp_path / link)
        assert (tmp_path / link).is_symlink()
    assert json.loads((disk / "a.jsonl").read_text()) == {"id": "twice.jsonl"}
    assert json.loads((disk / "new.jsonl").read_text()) == {"id": "new.jsonl"}
    with pytest.raises(KeyError), replacing(tmp_path / "a.jsonl"):
        raise KeyError
    assert json.loads((disk / "a.jsonl").read_text()) == {"id": "twice.jsonl"}
    (tmp_path / "away.jsonl").symlink_to(tmp_path / "gone" / "a.jsonl")
    with pytest.raises(InputError, match=r"away\.jsonl: the folder .*gone does not exist; create it first"):
        check_output(tmp_path / "away.jsonl")
    assert sorted(path.name for path in disk.iterdir()) == ["a.jsonl", "new.jsonl"]  # and nothing temporary


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes")
def test_what_is_no_file_stays_and_takes_the_content(tmp_path: Path) -> None:
    (tmp_path / "null.jsonl").symlink_to(os.devnull)
    write_rows([{"id": "a"}], tmp_path / "null.jsonl")
    assert Path(os.devnull).is_char_device()
    pipe = tmp_path / "pipe.jsonl"
    os.mkfifo(pipe)
    with ThreadPoolExecutor(1) as reader:
        read = reader.submit(pipe.read_text)
        write_rows([{"id": "a"}], pipe)
        assert json.loads(read.result(10)) == {"id": "a"}
    assert pipe.is_fifo()


def test_texts_of_csv_are_read_back_as_they_were_and_formulas_are_counted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    texts = ["=HYPERLINK(1)", "+1", "-1", "@user hi", "\tx", " =1", "＝1", "a; =1", "'=1", "fine", "a=1"]
    rows = [{"id": str(place), "prediction": text, "values": [text]} for place, text in enumerate(texts)]
    columns: dict[str, Any] = {"id": "string", "prediction": "string", "values": "strings"}
    for given in (columns, None):
        caplog.clear()
        write_rows(rows, tmp_path / "rows.csv", given)
        assert "9 cells of the CSV file look like formulas; import them as text in" in caplog.text
        assert list(read_rows(tmp_path / "rows.csv", {}, lists=["values"])) == rows
    caplog.clear()
    write_rows(rows, tmp_path / "rows.jsonl", columns)
    write_rows(rows[-3:], tmp_path / "rows.csv", columns)
    assert caplog.text == ""


def test_names_of_255_bytes(tmp_path: Path) -> None:
    path = tmp_path / ("e" * 249 + ".jsonl")
    with replacing(path) as ours:
        assert [*tmp_path.iterdir()] == [ours]
    assert [*tmp_path.iterdir()] == [path]


def test_a_file_that_cannot_be_written_is_named_not_the_temporary_one(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder/rows.jsonl"
    with pytest.raises(OutputError, match=r": cannot write the file \(No space left on device\)$"), replacing(path):
        raise OSError(errno.ENOSPC, "No space left on device")
    with pytest.raises(ConnectionError, match="the store"), replacing(path):  # of what is read meanwhile
        raise ConnectionError("the store is gone")
    message = rf"^{path}: cannot write the file \(No such file or directory\)$"
    with pytest.raises(OutputError, match=message), replacing(path) as temporary:
        shutil.rmtree(temporary.parent)
    with pytest.raises(OSError, match=message), replacing(path):
        pass


@pytest.fixture(params=["here", "file", "memory", "s3"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Folder:
    if request.param == "s3":
        return Folder(f"{request.getfixturevalue('s3')}/deep/run/")
    places = {"here": tmp_path / "run", "file": f"file://{tmp_path}/run/", "memory": f"memory://{uuid.uuid4().hex}/run"}
    return Folder(places[request.param])


def test_files_of_a_folder(folder: Folder, tmp_path: Path) -> None:
    assert folder.names() == []
    assert not folder.exists("state/a=1.arrow")
    folder.write("state/a=1.arrow", b"old")
    (tmp_path / "made").write_bytes(b"0123456789")
    folder.write("state/a=1.arrow", tmp_path / "made")
    folder.write("rows/b [x]#1.parquet", b"")
    folder.write("manifest.json", b"{}")
    assert folder.names() == ["manifest.json", "rows/b [x]#1.parquet", "state/a=1.arrow"]
    assert folder.exists("manifest.json")
    assert not folder.exists("state")
    assert folder.read("rows/b [x]#1.parquet") == b""
    with folder.open("state/a=1.arrow") as file:
        file.seek(-3, 2)
        assert (file.read(), file.seek(2), file.read(3)) == (b"789", 2, b"234")
    again = pickle.loads(pickle.dumps(folder))
    assert (again, again.read("state/a=1.arrow")) == (folder, b"0123456789")
    assert not str(folder).endswith("/")
    for reader in (folder.read, folder.open):
        with pytest.raises(InputError, match=r"state/b\.arrow: no such file$"):
            reader("state/b.arrow")
    for name in ("", "/etc/passwd", "../a", "a/../../b"):
        with pytest.raises(ValueError, match="is not a file name"):
            folder.write(name, b"")


def test_a_write_that_fails_leaves_the_old_file(tmp_path: Path) -> None:
    folder = Folder(tmp_path / "run")
    folder.write("a", b"old")
    with pytest.raises(OutputError, match=r"a: cannot write the file \(No such file or directory\)"):
        folder.write("a", tmp_path / "none")
    assert folder.read("a") == b"old"
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="file: this is a file, not a folder"):
        Folder(tmp_path / "file").made()
    with pytest.raises(InputError, match="cannot write the file"):
        Folder(tmp_path / "file").write("a", b"")


def test_what_cannot_be_a_folder_of_a_run() -> None:
    with pytest.raises(InputError, match=r"^http://localhost/run.*: web addresses are read-only"):
        Folder("http://localhost/run").made()
    with pytest.raises(InputError, match=r"^hf://.*: every file written here would become a commit"):
        Folder("hf://datasets/a/b").made()


def test_row_groups_of_a_store_are_fetched_alone(
    object_store: Any, s3: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opening, "_FETCHED", 1 << 14)
    noise = os.urandom(1 << 20)
    table = pyarrow.table({"bytes": [noise[start : start + (1 << 10)] for start in range(0, len(noise), 1 << 10)]})
    pq.write_table(table, tmp_path / "big.parquet", row_group_size=64, compression="none")
    folder = Folder(s3)
    folder.write("big.parquet", tmp_path / "big.parquet")
    before = object_store.fetched
    with open_seekable(place_of(folder.address("big.parquet"))) as file:
        group = pq.ParquetFile(file).read_row_group(8)
    assert group.equals(table.slice(8 * 64, 64))
    assert object_store.fetched - before < len(noise) / 2


def test_the_identity_of_files_and_folders_is_that_of_their_content(tmp_path: Path) -> None:
    path = tmp_path / "saved" / "a.jsonl"
    path.parent.mkdir()
    found = []
    for content in (b"aaaa", b"aaab", b"", b"aaaa"):
        path.write_bytes(content)
        os.utime(path, ns=(0, 0))
        found.append((identity_of(path), identity_of(path.parent)))
    assert found[0] == found[3]
    assert len({repr(each) for each in found}) == 3
    assert found[0][0]["size"] == 4
    path.rename(path.with_name("b.jsonl"))
    assert identity_of(path.parent) != found[0][1]
    with pytest.raises(InputError, match="none: no such file"):
        identity_of(tmp_path / "none")
