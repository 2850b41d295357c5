"""`fairsum reproduce`: numbers of the papers beside what comes out, and the exit status."""

from __future__ import annotations

import json

import pytest

from fairsum_reproductions.reproduction import running
from fairsum_reproductions.reproduction.item import Item, Number, Outcome


@pytest.fixture
def paper(monkeypatch):
    def read(folder):
        text = (folder / "a.txt").read_text()
        return Outcome(text, [Number(text == "yes", True)])

    items = (Item("a word", "table 1", "yes", read, ("a.txt",)), Item("a secret", "table 3", "?", needs=("a licence",)))
    monkeypatch.setattr(running, "items_of", lambda paper: items)


@pytest.mark.usefixtures("paper")
@pytest.mark.parametrize(("text", "verdict", "expected"), [("yes", "equal", 0), ("no", "differs", 1)])
def test_it_prints_and_writes_verdicts(fairsum, tmp_path, text, verdict, expected):
    (tmp_path / "a.txt").write_text(text)
    output = tmp_path / "out.json"
    status, out, _ = fairsum("reproduce", "bold", "--data-dir", tmp_path, "--output", output)
    assert status == expected
    assert f"{text}   {verdict}".split() == out.splitlines()[3].split()[-2:]
    assert ("different verdict than before: a word" in out) == (expected == 1)
    document = json.loads(output.read_text())
    assert [item["verdict"] for item in document["items"]] == [verdict, "not reproduced"]
    assert document["run"]["inputs"][0]["sha256"]


@pytest.mark.usefixtures("paper")
def test_what_is_wrong_is_one_line(fairsum, tmp_path):
    status, _, message = fairsum("reproduce", "bold", "--data-dir", tmp_path)
    assert status == 2
    assert message == f"fairsum reproduce: error: {tmp_path} has none of the published files a.txt\n"
