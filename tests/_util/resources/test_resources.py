"""Shipped tables: read without comments, and each with its source and licence."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from fairsum_utils._util import resources
from fairsum_utils._util.resources import read_lines

FOLDER = Path(resources.__file__).parent


def test_lines_without_comments_and_line_ends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # A comment, a word, nothing, a word with white space around it, a lone carriage return within a line.
    (tmp_path / "words.txt.gz").write_bytes(gzip.compress("# source\nnaïve\n\n a \nb\rc\n".encode()))
    monkeypatch.setattr(resources, "files", lambda _: tmp_path)
    assert read_lines("words.txt.gz") == ["naïve", " a ", "b\rc"]


@pytest.mark.parametrize("table", sorted({path.name for path in FOLDER.glob("*.*")} - {"README.md", "__init__.py"}))
def test_every_table_has_its_source_and_licence(table: str) -> None:
    rows = (FOLDER / "README.md").read_text(encoding="utf-8").split("\n")
    (row,) = (row for row in rows if row.startswith(f"| `{table}` |"))
    assert all(cell.strip() for cell in row.strip("|").split("|"))


def test_a_table_that_is_not_there() -> None:
    with pytest.raises(FileNotFoundError):
        read_lines("nothing.txt.gz")
