"""The benchmark runs: one made-up set, once."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from ..conftest import takes_long

for module in ("torch", "transformers", "accelerate"):
    pytest.importorskip(module)
pytest.importorskip("resource", reason="a Unix module")


@takes_long
def test_all_ways_agree(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(repository / "benchmarks"))
    output = tmp_path / "report.json"
    options = "--sets 1 --size tiny --batch-sizes 8 --repeats 1 --device cpu --also bfloat16 --output"
    importlib.import_module("bench_nli").main([*options.split(), str(output)])
    report = json.loads(output.read_text(encoding="utf-8"))
    (tiny,) = report["sizes"]
    ways = {"runner", "runner bfloat16", "pipeline 8", "pipeline 8 bfloat16", "published loop"}
    assert set(tiny["ways"]) == ways
    half = tiny["precisions"]["bfloat16"]
    fast, slow = (tiny["ways"][f"pipeline 8{dtype}"]["pairs_per_second"] for dtype in (" bfloat16", ""))
    assert half["pipeline_is_times_faster"] == pytest.approx(fast / slow)
    assert (tiny["equal"], tiny["best_pipeline"], tiny["sets"]) == (True, "pipeline 8", 1)
    assert tiny["spread"] > 0.01  # else equality would show nothing
    for way in ("runner bfloat16", "pipeline 8 bfloat16"):
        assert 1e-4 < tiny["ways"][way]["largest_difference"] < 0.1  # less precise, but no other model
    assert 0 < tiny["distinct"] <= tiny["pairs"]
    assert tiny["ways"]["runner"]["runner_is_times_faster"] == 1
    assert 0 <= tiny["ways"]["runner"]["padding_share"] < tiny["ways"]["published loop"]["padding_share"] < 1
    assert "best pipeline" in capsys.readouterr().out
