"""Names of several files, and patterns of them."""

import json

import pytest

from fairsum_utils.errors import FileError, InputError
from fairsum_utils.io.reading import read_rows


def test_several_files_and_patterns(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for number, name in enumerate(["b.jsonl", "a.jsonl", "c.jsonl"]):
        rows = [{"n": f"{name}{place}"} for place in range(number + 1)]
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows))
    rows = read_rows("*.jsonl", {"n": "--n"})
    assert [row["n"] for row in rows] == ["a.jsonl0", "a.jsonl1", "b.jsonl0", "c.jsonl0", "c.jsonl1", "c.jsonl2"]
    assert [rows.where(number) for number in (0, 1, 2, 3, 5)] == [
        *("a.jsonl, row 1", "a.jsonl, row 2", "b.jsonl, row 1", "c.jsonl, row 1", "c.jsonl, row 3"),
    ]
    assert len(list(read_rows([tmp_path / "a.jsonl", "[bc].jsonl"], {"n": "--n"}))) == 6
    (tmp_path / "[b].jsonl").write_text('{"n": "odd"}\n')
    assert [row["n"] for row in read_rows("[b].jsonl", {"n": "--n"})] == ["odd"]
    (tmp_path / "c.jsonl").write_text('{"m": 1}\n')
    with pytest.raises(FileError, match=r"^c\.jsonl, row 1: no column 'n'; found m"):
        list(read_rows(["a.jsonl", "c.jsonl"], {"n": "--n"}))
    with pytest.raises(InputError, match=r"^x\*\.csv: no file has such a name$"):
        read_rows("x*.csv", {})
