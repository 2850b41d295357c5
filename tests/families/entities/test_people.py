"""The known-people table, written by hand and read."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.families.entities.classifier import read_people


@pytest.fixture
def write(tmp_path: Path):
    def write(content: str | bytes, name: str = "dump.xml") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def test_genders(write) -> None:
    rows = "A B\t3\t2\nC D\t0\t1\nTie E\t2\t2\nNone F\t0\t0\nG H\t1\t0\n\nG H\t0\t9\nI J\t1\t0\nI J\t0\t0\n"
    assert read_people(write(f"title\tmale\tfemale\n{rows}", "people.tsv")) == {
        "A B": "male",
        "C D": "female",
        "Tie E": None,
        "None F": None,
        "G H": None,  # a man and a woman
        "I J": "male",  # a man and somebody without a pronoun
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("name\tm\tf\nA\t1\t2\n", "no column 'title', 'male', 'female'; found name, m, f. Expected a table made"),
        ("title\tmale\tfemale\nA B\t1\n", "line 2: 2 fields, but the header has 3"),
        ("title\tmale\tfemale\nA B\t-1\t0\n", "line 2: expected a title and two whole numbers, found list"),
        (f"title\tmale\tfemale\nA B\t{'9' * 5000}\t0\n", "line 2: expected a title and two whole numbers"),
        (b"title\tmale\tfemale\nA\xff\t1\t0\n", "line 2: the text is not UTF-8"),
        ("title\tmale\tfemale\n", "the table has no people; make it again with tools/build_known_people.py"),
    ],
)
def test_bad_tables(write, content: str | bytes, message: str) -> None:
    path = write(content, "people.tsv")
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}(, |: ){message}"):
        read_people(path)
