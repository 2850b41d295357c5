"""The command `diagnose`: files, word lists, reports."""

import json
from functools import partial

import pytest

from fairsum_utils.analysis.diagnosis import diagnose
from fairsum_utils.errors import InputError

TEXTS = ["She saw the baby. Her mother smiled.", "He won the game. His team saw him.", "She met him.", ""]


@pytest.fixture
def fairsum(alone):
    """Run the command: what it printed."""
    return partial(alone, "analyse", "diagnose")


@pytest.fixture
def file(write_jsonl):
    return write_jsonl([{"text": text, "other": 3} for text in TEXTS])


def test_other_columns(fairsum, write_jsonl):
    path = write_jsonl([{"article": text} for text in TEXTS])
    printed = json.loads(fairsum(path, "--text-column", "article", "--format", "json"))
    expected = json.loads(json.dumps(diagnose(TEXTS)))
    assert printed == {"file": str(path), **expected}


def test_report(fairsum, file):
    printed = fairsum(file, "--top", "1", "--verbose")
    assert printed.startswith(f"{file}: 3 samples read, 1 skipped (1 empty_text)\n\n")
    tables = [[line.split() for line in part.splitlines()] for part in printed.split("\n\n")[1:]]
    groups, associated, topics, baselines, signature = tables
    # Female: she, her, mother, she; male: he, his, him, him.
    assert groups[1:] == [["female", "4", "0.5000", "1"], ["male", "4", "0.5000", "1"]]
    assert associated[0] == ["female", "texts", "z", "male", "texts", "z"]
    assert [associated[1][0], associated[1][2]] == ["baby", "game"]
    assert topics[1:] == [
        ["all", "3", "0.5000", "0.5000"],
        ["sport", "1", "0.0000", "1.0000"],
        ["family", "1", "1.0000", "0.0000"],
        ["unknown", "1", "0.5000", "0.5000"],
    ]
    assert baselines[0] == ["word", "list", "inclusion", "uniform", "adjusted"]
    # All sentences fit in.
    assert baselines[2] == ["lead", "0.0000", "0.0000"]
    assert signature == [["signature:", "words:helm|alpha:0.01|seed:0|v:0.1.0"]]


def test_markdown_of_groups_of_ones_own(fairsum, file, tmp_path):
    lists = tmp_path / "lists.json"
    lists.write_text(json.dumps({"young": ["baby"], "many": ["team"], "none": ["nobody"]}), encoding="utf-8")
    printed = fairsum(file, "--word-lists", lists, "--format", "markdown")
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in printed.splitlines()]
    assert ["young", "1", "0.5000", "1"] in rows
    assert ["none", "0", "0.0000", "0"] in rows
    assert "associated.none is undefined: no text has its majority.\n" in printed
    assert "baselines.sexist is undefined: the word lists have no groups female and male.\n" in printed
    assert "sexist |" not in printed


def test_output_and_no_baselines(fairsum, file, tmp_path):
    output = tmp_path / "result.json"
    printed = fairsum(file, "--no-baselines", "--word-lists", "extended", "--output", output)
    written = json.loads(output.read_text(encoding="utf-8"))
    assert written["baselines"] == {}
    assert written["identifiers"] == {"female": 1, "male": 0}
    assert "word list inclusion" not in printed


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("--text-column", "body"),
            r"row 1: no column 'body'; found text, other. Name the right one with --text-column",
        ),
        (("--text-column", "other"), r"diagnose .*rows.jsonl: text 0 must be a string"),
        (("--word-lists", "all"), r"word_lists must be one of helm, extended or a mapping"),
        (("--top", "0"), r"top must be a whole number of at least 1"),
        (("--output", "result.txt"), r"result.txt: unknown format; the name must end in .json"),
    ],
)
def test_bad_options(fairsum, file, arguments, message):
    with pytest.raises(InputError, match=message):
        fairsum(file, *arguments)


def test_bad_word_lists(fairsum, file, tmp_path):
    lists = tmp_path / "lists.json"
    lists.write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"--word-lists: .*lists.json cannot be read as JSON"):
        fairsum(file, "--word-lists", lists)
    lists.write_text('{"a": ["x"], "b": ["x"]}', encoding="utf-8")
    with pytest.raises(InputError, match=r"'x' is in the lists of 'a' and 'b'"):
        fairsum(file, "--word-lists", lists)
