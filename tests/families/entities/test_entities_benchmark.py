"""The benchmark of the news measures runs, and its loops agree with the library."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest


def test_same_numbers_as_plain_loops(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("resource", reason="a Unix module")
    monkeypatch.syspath_prepend(repository / "benchmarks")
    benchmark = importlib.import_module("bench_entities")
    options = ["--articles", "3", "12", "--systems", "2", "--plain", "1", "--output", str(tmp_path / "results.json")]
    report = benchmark.main(options)
    assert [size["inputs"] for size in report["sizes"]] == [60, 240]
    # d and s for each of three measures; scores differ by rounding only.
    assert len(report["bootstrap"]) == 6
    assert all(row["largest_difference"] < 1e-9 for row in report["bootstrap"])
    assert [row["same"] for row in report["distinguishability"].values()] == [True, True]
    assert json.loads((tmp_path / "results.json").read_text()) == report
    assert "largest difference" in capsys.readouterr().out
