"""Every command reads the same formats, and says the same of what it cannot read."""

import json
import re

import pytest

from fairsum_utils.counterfactual.documents import document_fields, mini_news, write_documents
from fairsum_utils.io.names import FORMATS
from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.writing import write_rows

SUMMARIES = {"prediction": "Tasty.", "sources": ["Tasty soup.", "Awful bread."], "values": ["pos", "neg"]}
CLUSTERS = {
    "text": "Ann Bo said she won.",
    "clusters": [[[0, 6], [12, 15]]],
    "names": [{"start": 0, "end": 6, "label": "PERSON"}],
}
# Command -> a row that it reads, and its options. The last one would run a model: it stops at a column of the file.
COMMANDS = {
    "score": (SUMMARIES, ("--metrics", "bur", "--format", "json")),
    "compare": (SUMMARIES, ("AGAIN", "--labels", "a,b", "--metrics", "bur", "--format", "json")),
    "data annotate": (CLUSTERS, ("--entities-column", "names", "--output", "people.jsonl")),
    "generate": ({"prompt": "a", "finish": "b"}, ("--model", "./nowhere", "--output", "texts.jsonl")),
}


@pytest.fixture
def run(fairsum, tmp_path, monkeypatch):
    """Run a command on a file: its status and what it said, without the name of the file and the place in it."""
    monkeypatch.chdir(tmp_path)

    def run(command, path):
        file = path.relative_to(tmp_path)
        options = [file if option == "AGAIN" else option for option in COMMANDS[command][1]]
        status, *messages = fairsum(*command.split(), file, *options)
        return status, *(re.sub(rf"{re.escape(path.name)}(, row 1)?", "FILE", text) for text in messages)

    return run


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["given.csv", "given.parquet", "given.jsonl.gz", "saved"])
def test_every_command_reads_every_format(run, tmp_path, capsys, command, name):
    rows = [{"id": name} | COMMANDS[command][0] for name in "ab"]
    path, plain = tmp_path / name, tmp_path / "expected.jsonl"
    write_rows(rows, plain)
    if name == "saved":
        pytest.importorskip("datasets").Dataset.from_list(rows).save_to_disk(path)
        capsys.readouterr()  # what saving says
    else:
        write_rows(rows, path)
    status, *message = expected = run(command, plain)
    assert status == (2 if command == "generate" else 0), message
    if command == "generate":
        assert "there is a column 'finish' already" in message[1]
    assert run(command, path) == expected


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_refuses_the_same(run, tmp_path, command):
    (tmp_path / "empty.jsonl").touch()
    (tmp_path / "rows.doc").touch()
    (tmp_path / "saved").mkdir()
    for name, message in (
        ("empty.jsonl", "FILE: the file has no rows; at least one is needed"),
        ("rows.doc", "FILE: unknown format; the name must end in one of " + ", ".join(FORMATS)),
        ("none.csv.gz", "FILE: no such file"),
        ("saved", "FILE: this folder is not a data set written by"),
    ):
        status, printed, err = run(command, tmp_path / name)
        assert (status, printed) == (2, "")
        assert re.match(f"fairsum {command}: error: {message}", err)
        assert err.count("\n") == 1


def test_data_sets_are_built_of_documents(fairsum, tmp_path):
    documents, path = tmp_path / "corpus" / "news.jsonl.gz", tmp_path / "rows.csv"
    documents.parent.mkdir()
    write_documents(mini_news(), documents)
    build = ("data", "build", "counterfactual_ontonotes", "--config", "original", "--data-dir")
    for given in (documents, documents.parent):
        status, printed, _ = fairsum(*build, given, "--output", path)
        assert (status, json.loads(printed)["rows"]) == (0, len(mini_news()))
    rows = read_rows(path, {}, lists=["entities"])
    assert [row["text"] for row in rows] == [document_fields(document)["text"] for document in mini_news()]
