"""Drawings from the command line."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import read_results


def test_score_draws_what_it_saves(fairsum: Any, write_jsonl: Any, demo_rows: Any, tmp_path: Path) -> None:
    path, plot, output = write_jsonl(demo_rows), tmp_path / "a.svg", tmp_path / "a.json"
    assert fairsum("score", path, "--plot", plot, "--output", output)[0] == 0
    assert plot.read_text(encoding="utf-8") == f"{read_results(output).plot().svg}\n"
    assert f"{path}: {len(demo_rows)} samples" in (ET.fromstring(plot.read_text(encoding="utf-8"))[1].text or "")


def test_compare_draws_what_it_saves(fairsum: Any, write_jsonl: Any, demo_rows: Any, tmp_path: Path) -> None:
    plot, output = tmp_path / "a.svg", tmp_path / "a.json"
    rows = {
        "a": demo_rows,
        "b": demo_rows[::-1],
        "lead": [row | {"prediction": row["sources"][0]} for row in demo_rows],
    }
    files = [write_jsonl(of_system, f"{name}.jsonl") for name, of_system in rows.items()]
    assert fairsum("compare", *files, "--metrics", "uer", "--plot", plot, "--output", output)[0] == 0
    drawn = plot.read_text(encoding="utf-8")
    assert drawn == f"{read_results(output).plot().svg}\n"
    assert "3 systems compared" in drawn
    labels = [group.get("data-label") for group in ET.fromstring(drawn).iter() if group.get("class") == "row"]
    assert sorted(labels[:3]) == ["a", "b", "lead"]
    assert labels[3:] == ["b", "lead"]  # minus a, the first


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize(
    ("plot", "message"),
    [("a.eps", ".svg"), ("none/a.svg", "does not exist"), ("a.png", "[plot]")],
)
def test_what_cannot_be_drawn_is_refused_before_scoring(
    command: str, plot: str, message: str, fairsum: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    files = ["no-such-file.jsonl"] * (1 if command == "score" else 2)
    status, _, said = fairsum(command, *files, "--plot", tmp_path / plot)
    assert status == 2
    assert message in said
    assert len(said.strip().splitlines()) == 1
