import csv
import errno
import io
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow
import pyarrow.parquet as pq
import pytest

from fairsum_utils.errors import InputError, OutputError
from fairsum_utils.io import writing
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


@pytest.mark.parametrize("suffix", ENDINGS)
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


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".parquet"])
def test_columns_that_some_rows_lack_are_null(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"rows{suffix}"
    assert write_rows([{"id": "a"}, {"values": ["x"], "id": "b"}], path) == 2
    assert read(path) == [{"id": "a", "values": None}, {"id": "b", "values": ["x"]}]


def test_what_a_format_does_not_hold(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"rows\.parquet: a column does not fit this format .*; choose another ending"):
        write_rows([{"id": "a"}, {"id": 1}], tmp_path / "rows.parquet")
    with pytest.raises(InputError, match=r"rows\.jsonl: a column does not fit this format"):
        write_rows([{"id": b"a"}], tmp_path / "rows.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_places_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"one of \.jsonl, \.ndjson, \.csv, \.parquet, each also \.gz or \.zst$"):
        write_rows(ROWS, tmp_path / "rows.txt", COLUMNS)
    with pytest.raises(InputError, match=r"rows\.csv: the folder .*no does not exist; create it first"):
        write_rows(ROWS, tmp_path / "no" / "rows.csv", COLUMNS)
    (tmp_path / "d.csv").mkdir()
    with pytest.raises(InputError, match=r"d\.csv: this is a folder; name a file"):
        write_rows(ROWS, tmp_path / "d.csv", COLUMNS)


def test_outputs_of_an_input(tmp_path: Path) -> None:
    rows = tmp_path / "rows.csv.gz"
    check_output(None, ".json", source=rows)
    check_output(tmp_path / "out.csv", *ENDINGS, source=rows)
    with pytest.raises(InputError, match="this is the input; name another output"):
        check_output(tmp_path / "." / "rows.csv.gz", source=rows)
    with pytest.raises(InputError, match=r"a table of text does not tell which .* lists; end the name in \.csv"):
        check_output(tmp_path / "out.jsonl", *ENDINGS, source=rows)
    for others in ([tmp_path / "x" / ".." / "out.csv"], [None, tmp_path / "out.csv"]):
        (tmp_path / "x").mkdir(exist_ok=True)
        with pytest.raises(InputError, match=r"out\.csv: this is another output too; name another file"):
            check_output(tmp_path / "out.csv", others=others)


def test_no_output_is_an_input(tmp_path: Path) -> None:
    rows = tmp_path / "rows.jsonl"
    rows.write_text("{}")
    (tmp_path / "hard.jsonl").hardlink_to(rows)
    (tmp_path / "soft.jsonl").symlink_to(rows)
    (tmp_path / "saved").mkdir()
    (tmp_path / "saved" / "state.json").write_text("{}")
    for output, read in (
        ("rows.jsonl", tmp_path / "*.jsonl"),
        ("hard.jsonl", rows),
        ("soft.jsonl", str(rows)),
        ("rows.jsonl", tmp_path / "soft.jsonl"),
        ("saved/state.json", tmp_path / "saved"),
    ):
        with pytest.raises(InputError, match="this is the input"):
            check_output(tmp_path / output, inputs=["-", "s3://a/b.csv", read])
    check_output(tmp_path / "saved" / "results.json", inputs=[tmp_path / "saved"])
    (tmp_path / "a.json").symlink_to(tmp_path / "b.json")
    (tmp_path / "b.json").symlink_to(tmp_path / "a.json")
    with pytest.raises(InputError, match="no file or folder can be called so"):
        check_output(tmp_path / "a.json", inputs=[rows])


def test_no_output_is_part_of_a_folder_that_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    model = tmp_path / "model"
    (model / "inner").mkdir(parents=True)
    (model / "config.json").write_text("{}")
    (model / "inner" / "vocab.json").write_text("{}")
    (tmp_path / "link.json").symlink_to(model / "config.json")
    for output in ("model/config.json", "model/inner/vocab.json", "link.json", "model/inner/../config.json"):
        with pytest.raises(InputError, match="this is the input"):
            check_output(tmp_path / output, inputs=[model])
    check_output(model / "results.json", inputs=[model])  # not there, so it is read by nobody
    monkeypatch.chdir(model)
    check_output("config.json", inputs=["."])  # a name of the folder in which one works says little


def test_names_of_two_outputs_differ_by_more_than_capital_letters(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="this is another output too"):
        check_output(tmp_path / "Rows.jsonl", others=[tmp_path / "rows.jsonl"])
    for name in ("Rows.jsonl", "rows.jsonl"):  # which this disk keeps apart, or the second is the first
        (tmp_path / name).touch()
    if len(list(tmp_path.iterdir())) == 2:
        check_output(tmp_path / "Rows.jsonl", others=[tmp_path / "rows.jsonl"])


def test_texts_of_csv_are_read_back_as_they_were_and_formulas_are_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    texts = ["=HYPERLINK(1)", "+1", "-1", "@user hi", "\tx", " =1", "＝1", "'=1", "fine", "a=1"]
    rows = [{"id": str(place), "prediction": text, "values": [text]} for place, text in enumerate(texts)]
    columns: dict[str, Any] = {"id": "string", "prediction": "string", "values": "strings"}
    for given in (columns, None):
        caplog.clear()
        write_rows(rows, tmp_path / "rows.csv", given)
        assert "7 cells of the CSV file begin as formulas do; in a spreadsheet, import them as text" in caplog.text
        assert list(read_rows(tmp_path / "rows.csv", {}, lists=["values"])) == rows
    caplog.clear()
    write_rows(rows, tmp_path / "rows.jsonl", columns)
    write_rows(rows[-3:], tmp_path / "rows.csv", columns)
    assert caplog.text == ""


def test_what_killed_runs_have_left_is_cleared_by_the_next(tmp_path: Path) -> None:
    path, clear_once = tmp_path / "rows.jsonl", writing._clear_once
    dead = [tmp_path / f".fairsum-{name}.part" for name in ("rows.jsonl.abcdefgh", "rows.jsonl.a_c4efgh", "a.abcdefgh")]
    of_others = (".fairsum-rows.jsonl.part", ".rows.jsonl.notes.part", ".movie.mkv.abcdefgh.part")
    others = [tmp_path / name for name in of_others]
    for left in (*dead, *others):
        left.touch()
    clear_once.cache_clear()
    with replacing(path) as temporary:
        clear_once.cache_clear()  # as another process would
        with replacing(path) as second:
            assert {*tmp_path.iterdir()} == {*others, temporary, second}
    assert {*tmp_path.iterdir()} == {*others, path}


def test_a_file_that_cannot_be_written_is_named_not_the_temporary_one(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    path = tmp_path / "folder/rows.jsonl"
    with pytest.raises(OutputError, match=rf"^{path}: cannot be written \(No space left on device\)$"), replacing(path):
        raise OSError(errno.ENOSPC, "No space left on device")
    with pytest.MonkeyPatch.context() as patch:

        def full(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        patch.setitem(writing._WRITERS, ".jsonl", full)
        with pytest.raises(OutputError, match=rf"^{path}: cannot be written \(No space left on device\)$"):
            write_rows([{"id": "a"}], path)
    with pytest.raises(ConnectionError, match="the store"), replacing(path):  # of what is read meanwhile
        raise ConnectionError("the store is gone")
    message = rf"^{path}: cannot be written \(No such file or directory\)$"
    with pytest.raises(OutputError, match=message), replacing(path) as temporary:
        shutil.rmtree(temporary.parent)
    with pytest.raises(OSError, match=message), replacing(path):
        pass
