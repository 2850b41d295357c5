"""The benchmark of combinations runs, and finds the same results in every way."""

from __future__ import annotations

import gzip
import importlib
import json
from pathlib import Path

import pytest


def test_together_and_separate_give_the_same(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("resource", reason="a Unix module")
    monkeypatch.syspath_prepend(repository / "benchmarks")
    benchmark = importlib.import_module("bench_combine")
    monkeypatch.setattr(benchmark, "CASES", {"coverage": benchmark.CASES["coverage"]})
    row = {"prediction": "Tasty soup.", "sources": ["Tasty soup!", "Cold bread."], "values": ["pos", "neg"]}
    data = tmp_path / "sets.jsonl.gz"
    with gzip.open(data, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps({**row, "prediction": text}) + "\n" for text in ("Tasty.", "Cold.", "Bread", "Soup"))
    chosen = ["--data", str(data), "--samples", "3", "--rounds", "1", "--output", str(tmp_path / "results.json")]
    report = benchmark.main(chosen)
    assert report["samples"] == 3
    assert list(report["cases"]["coverage"]) == ["warm", "cold"]
    for found in report["cases"]["coverage"].values():
        assert found["same_results"]
        assert list(found["seconds"]) == ["together", "alone", "separate"]
        assert all(taken > 0 for taken in found["seconds"].values())
    assert json.loads((tmp_path / "results.json").read_text())["rounds"] == 1
    assert "separate times together" in capsys.readouterr().out
