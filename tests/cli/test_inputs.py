"""What every command reads and never writes over."""

import io
import json
import sys
from types import SimpleNamespace

import pytest

from fairsum_utils.io import opening

ROWS = [
    {"id": str(n), "prediction": "Tasty soup.", "sources": ["Tasty soup!", "Slow service."], "values": ["pos", "neg"]}
    for n in range(3)
]
BUR = ("--metrics", "bur", "--format", "json", "--confidence", "none")


def scores(printed):
    return json.loads(printed)["metrics"]["bur"]


def test_standard_input_and_several_files(fairsum, write_jsonl, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    path = write_jsonl(ROWS)
    write_jsonl([row | {"id": f"more {place}"} for place, row in enumerate(ROWS[:2])], "more.jsonl")
    _, printed, _ = fairsum("score", path, *BUR)
    expected = scores(printed)
    opening.spooled.cache_clear()
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(path.read_bytes())))
        for _ in range(2):  # the second comes from the folder
            status, printed, _ = fairsum("score", "-", *BUR, "--rows", "runs")
            assert (status, scores(printed)) == (0, expected)
    opening.spooled.cache_clear()
    for names in (("rows.jsonl", "more.jsonl"), ("*.jsonl",)):
        status, printed, _ = fairsum("score", *names, *BUR)
        assert (status, scores(printed)["n_samples"]) == (0, 5)
        assert json.loads(printed)["file"] == ", ".join(names)
    write_jsonl([ROWS[0] | {"id": "x"}, ROWS[1] | {"id": "y", "values": ["pos", None]}], "more.jsonl")
    assert fairsum("score", "rows.jsonl", "more.jsonl", *BUR)[2].endswith(
        "leave out texts without a label (more.jsonl, row 2, id y)\n"
    )


def test_labels_that_are_no_strings(fairsum, write_jsonl):
    _, printed, _ = fairsum("score", write_jsonl([row | {"values": ["1", "True"]} for row in ROWS]), *BUR)
    status, again, _ = fairsum("score", write_jsonl([row | {"values": [1, True]} for row in ROWS]), *BUR)
    assert (status, scores(again)) == (0, scores(printed))
    assert set(scores(again)["n_by_value"]) == {"1", "True"}


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("score rows.jsonl --samples rows.jsonl", "rows.jsonl: this is the input; name another output"),
        ("score rows.jsonl --samples link.jsonl", "link.jsonl: this is the input"),
        ("generate rows.jsonl --model m --output rows.jsonl", "rows.jsonl: this is the input"),
        ("data annotate rows.jsonl --output rows.jsonl", "rows.jsonl: this is the input"),
        ("data build perspectivesumm --config claritin --data-dir raw --output raw/a.csv", "this is the input"),
        (
            "score rows.jsonl --metrics word_list_inclusion --set word_lists=@lists.json --output lists.json",
            "lists.json: this is the input",
        ),
        ("score rows.jsonl --samples x.jsonl --rows x.jsonl", "x.jsonl: this is another output too"),
        ("score rows.jsonl --rows ./out.json --output out.json", "this is another output too"),
        ("score rows.jsonl --rows rows.jsonl", "rows.jsonl: this is a file, not a folder; name another"),
    ],
)
def test_no_command_writes_over_what_it_reads(fairsum, write_jsonl, monkeypatch, tmp_path, command, message):
    monkeypatch.chdir(tmp_path)
    before = write_jsonl(ROWS).read_bytes()
    (tmp_path / "link.jsonl").symlink_to("rows.jsonl")
    (tmp_path / "lists.json").write_text('{"a": ["soup"], "b": ["service"]}')
    (tmp_path / "raw").mkdir()
    (tmp_path / "raw" / "a.csv").write_text("tweet,party\n")
    status, printed, err = fairsum(*command.split())
    assert (status, printed) == (2, "")
    assert message in err
    assert (tmp_path / "rows.jsonl").read_bytes() == before
