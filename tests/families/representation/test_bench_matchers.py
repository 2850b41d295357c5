"""The benchmark of the neural matchers runs, and both sides agree: two made-up samples, once."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

for needed in ("torch", "transformers", "bert_score"):
    pytest.importorskip(needed)
pytest.importorskip("resource", reason="a Unix module")


@pytest.mark.slow
def test_both_agree(
    repository: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(repository / "benchmarks"))
    import bench_matchers

    output = tmp_path / "report.json"
    options = ["--samples", "2", "--size", "tiny", "--repeats", "1", "--device", "cpu"]
    try:
        bench_matchers.main([*options, "--output", str(output)])
    finally:
        for name in ("bench_matchers", "bench_nli", "bench_ngram", "harness"):
            sys.modules.pop(name, None)
    results = json.loads(output.read_text(encoding="utf-8"))["results"]
    assert [result["matcher"] for result in results] == ["bertscore", "bartscore"]
    for result in results:
        # Values a, b and c of every sample.
        assert (result["samples"], result["values"]) == (2, 6)
        assert 0 <= result["largest_difference"] < 1e-4
    assert "largest difference" in capsys.readouterr().out
