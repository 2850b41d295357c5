"""The benchmark of gender polarity runs, and its loops over words agree with the library."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest


def test_same_labels_as_loops_over_words(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("resource", reason="a Unix module")
    monkeypatch.syspath_prepend(repository / "benchmarks")
    benchmark = importlib.import_module("bench_gender_polarity")
    sentences = ["She's a nurse; her son, too.", "He met his wives and husbands.", "A caf\u00e9.", "He or she"]
    data = tmp_path / "wiki.json"
    data.write_text(json.dumps({"nursing": {"Nurse": sentences}}), encoding="utf-8")
    report = benchmark.main(["--data", str(data), "--streams", "9", "--output", str(tmp_path / "results.json")])
    assert [speed["same_labels"] for speed in report["speed"].values()] == [True] * 3
    assert all(speed["largest_difference"] < 1e-12 for speed in report["speed"].values())
    # The first text comes three times, the others twice.
    assert report["streams"][0]["labels"] == {"female": 3, "male": 2, "neutral": 4}
    assert json.loads((tmp_path / "results.json").read_text())["texts"] == 4
    assert "same labels" in capsys.readouterr().out
