"""The benchmark runs: three rows, once through."""

from __future__ import annotations

import gzip
import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tests.conftest import takes_long


@pytest.fixture
def benchmark(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    pytest.importorskip("resource", reason="a Unix module")
    monkeypatch.syspath_prepend(repository / "benchmarks")
    return importlib.import_module("bench_ngram")


@pytest.fixture
def three_rows(paper: Any, tmp_path: Path) -> Path:
    path = tmp_path / "three.jsonl.gz"
    columns = zip(paper.predictions, paper.sources, paper.values, strict=True)
    rows = [{"prediction": summary, "sources": texts, "values": values} for summary, texts, values in columns]
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in [*rows, rows[0]])
    return path


@takes_long
def test_against_the_baseline(
    benchmark: ModuleType,
    three_rows: Path,
    shared_data: Path,
    wordnet: Path,
    nltk_pipeline: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    output = tmp_path / "report.json"
    nltk_data, data = shared_data / "nltk", str(three_rows)
    arguments = ["--data", data, "--nltk-data", str(nltk_data), "--wordnet", str(wordnet), "--output", str(output)]
    benchmark.main([*arguments, "--samples", "3", "--streams", "6"])
    report = json.loads(output.read_text(encoding="utf-8"))
    assert set(report) == {"environment", "data", "speed", "streams"}
    assert report["speed"]["samples"] == 3
    assert report["speed"]["identical"] is True
    # 12 source and 6 summary tokens twice, 4 and 4 once.
    assert report["speed"]["tokens_compared"] == 2 * (12 + 6) + 4 + 4
    assert report["streams"][0]["rows"] == 6
    # Two thirds of the rows have a UER of 1/18, a third of 1/4, see test_results.py.
    assert report["streams"][0]["scores"]["uer"] == pytest.approx((2 / 18 + 1 / 4) / 3, abs=1e-15)
    assert "identical" in capsys.readouterr().out
