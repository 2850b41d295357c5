"""Drawings from the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import read_results
from fairsum_utils.reports.figures import written
from tests.reports._forms import names


def test_score_draws_what_it_saves(fairsum: Any, write_jsonl: Any, demo_rows: Any, tmp_path: Path) -> None:
    path, plot, output = write_jsonl(demo_rows), tmp_path / "a.svg", tmp_path / "a.json"
    assert fairsum("score", path, "--plot", plot, "--output", output)[0] == 0
    assert plot.read_bytes() == written(read_results(output).plot(), "svg", "fairsum")
    assert f"{path}: {len(demo_rows)} samples" in plot.read_text(encoding="utf-8")


def test_compare_draws_what_it_saves(fairsum: Any, write_jsonl: Any, demo_rows: Any, tmp_path: Path) -> None:
    plot, output = tmp_path / "a.svg", tmp_path / "a.json"
    rows = {
        "a": demo_rows,
        "b": demo_rows[::-1],
        "lead": [row | {"prediction": row["sources"][0]} for row in demo_rows],
    }
    files = [write_jsonl(of_system, f"{name}.jsonl") for name, of_system in rows.items()]
    assert fairsum("compare", *files, "--metrics", "uer", "--plot", plot, "--output", output)[0] == 0
    figure = read_results(output).plot()
    assert plot.read_bytes() == written(figure, "svg", "fairsum")
    assert figure.get_suptitle() == "3 systems compared"
    scores, differences = map(names, figure.axes)
    assert sorted(scores) == ["a", "b", "lead"]
    assert differences == ["b", "lead"]  # minus a, the first


@pytest.mark.parametrize(("ending", "start"), [("pdf", b"%PDF")])
def test_the_ending_is_the_format(
    ending: str, start: bytes, fairsum: Any, write_jsonl: Any, demo_rows: Any, tmp_path: Path
) -> None:
    plot = tmp_path / f"a.{ending}"
    assert fairsum("score", write_jsonl(demo_rows), "--plot", plot)[0] == 0
    assert plot.read_bytes().startswith(start)


@pytest.mark.parametrize("command", ["score", "compare"])
@pytest.mark.parametrize(
    ("plot", "message"),
    [("a.eps", ".svg"), ("none/a.svg", "does not exist")],
)
def test_what_cannot_be_drawn_is_refused_before_scoring(
    command: str, plot: str, message: str, fairsum: Any, tmp_path: Path
) -> None:
    files = ["no-such-file.jsonl"] * (1 if command == "score" else 2)
    status, _, text = fairsum(command, *files, "--plot", tmp_path / plot)
    assert status == 2
    assert message in text
    assert len(text.strip().splitlines()) == 1
