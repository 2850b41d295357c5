"""The board: ranks that tie where intervals overlap, nothing unlike in one table, hostile names inert."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils import compare, score
from fairsum_utils.cli import main
from fairsum_utils.errors import InputError
from fairsum_utils.integrations.board import Row, board_html, ranks, read_board
from fairsum_utils.integrations.hub import board_contents

SOURCES, VALUES = [["Tasty soup.", "Cold bread."]] * 40, [["pos", "neg"]] * 40
NAN = float("nan")


def write(folder: Path, name: str, summaries: list[str], **settings: Any) -> None:
    n = len(summaries)
    score(summaries, SOURCES[:n], VALUES[:n], metrics=["bur"], **settings).save(folder / f"{name}.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path, "fair", ["Tasty soup, cold bread."] * 40)
    write(tmp_path, "mixed", ["Tasty soup, cold bread.", "Tasty soup."] * 20)
    write(tmp_path, "unfair", ["Tasty soup."] * 40)
    (tmp_path / "fair.html").write_text("<p>page</p>", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("measure", "ends", "expected"),
    [
        ("uer", [(0.1, 0.3), (0.2, 0.4), (0.35, 0.6)], [1, 1, 2]),
        ("uer", [(0.5, 0.6), (0.1, 0.2), (NAN, NAN)], [2, 1, None]),
        # Signed: the distance from 0 counts, and an interval around 0 begins at it.
        ("distinguishability", [(-0.5, -0.4), (-0.1, 0.2), (0.3, 0.4)], [2, 1, 2]),
    ],
)
def test_ranks(measure: str, ends: list[tuple[float, float]], expected: list[int | None]) -> None:
    assert ranks(measure, [Row("a", {f"{measure}_ci": list(pair)}) for pair in ends]) == expected


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)).map(sorted), min_size=1, max_size=6))
def test_overlapping_with_the_best_is_rank_1(ends: list[list[float]]) -> None:
    found = ranks("uer", [Row("a", {"uer_ci": pair}) for pair in ends])
    lowest_end = min(high for _, high in ends)
    assert [rank == 1 for rank in found] == [low <= lowest_end for low, _ in ends]


def test_a_table_for_each_measure_and_its_settings(folder: Path) -> None:
    write(folder, "lenient", ["Tasty soup."] * 40, tau=0.5)
    tables = read_board(folder)
    assert [(measure, [row.system for row in rows]) for (measure, _), rows in tables.items()] == [
        ("bur", ["fair", "mixed", "unfair"]),
        ("bur", ["lenient"]),
    ]
    shown = board_html(folder)
    assert shown.index("fair</td>") < shown.index("mixed</td>") < shown.index("unfair</td>")
    assert '<a href="fair.html">fair</a>' in shown


def test_other_data_are_not_compared(folder: Path) -> None:
    assert "do not compare them" not in board_html(folder)
    write(folder, "short", ["Tasty soup."] * 30)
    assert "different numbers of samples" in board_html(folder)


def test_hostile_names_are_inert(folder: Path) -> None:
    (folder / "fair.json").rename(folder / "<script>alert(1)<").with_suffix(".json")
    (folder / "<script>alert(1)<").rename(folder / "<script>alert(1).json")
    assert "<script>" not in board_html(folder)


def test_the_space_holds_the_results(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    contents = board_contents(folder, "https://host/fairsum.whl")
    assert set(contents) == {
        *("README.md", "app.py", "requirements.txt", "results/fair.html"),
        *(f"results/{name}.json" for name in ("fair", "mixed", "unfair")),
    }
    assert b"sdk: gradio" in contents["README.md"]
    assert b'build_board("results")' in contents["app.py"] or b"build_board('results')" in contents["app.py"]
    compile(contents["app.py"], "app.py", "exec")
    options = ["--dry-run", "--package", "https://host/fairsum.whl"]
    assert main(["publish", "board", str(folder), *options]) == 0
    assert "build_board" in capsys.readouterr().out


def test_it_builds(folder: Path) -> None:
    """In a process of its own: gradio leaves sockets open."""
    pytest.importorskip("gradio")
    code = "import sys; from fairsum_utils.integrations.board import build_board; print(build_board(sys.argv[1]).title)"
    done = subprocess.run([sys.executable, "-c", code, folder], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "fairsum board"


def test_bad_places(tmp_path: Path, folder: Path) -> None:
    (empty := tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="empty has no results; write one file per system"):
        board_html(empty)
    with pytest.raises(InputError, match="neither a folder nor a readable data set"):
        board_html("nobody/none")
    compare(["Tasty soup."], ["Cold bread."], SOURCES[:1], VALUES[:1], metrics=["bur"]).save(folder / "other.json")
    with pytest.raises(InputError, match=r"other\.json has no scores of one system; remove it"):
        board_html(folder)
