"""The benchmark runs: a tiny model, a few prompts."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")
pytest.importorskip("accelerate")
pytest.importorskip("resource", reason="a Unix module")


@pytest.fixture
def benchmark(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(repository / "benchmarks"))
    import bench_gibbs

    yield bench_gibbs
    for name in ("bench_gibbs", "harness"):
        sys.modules.pop(name, None)


def test_batches_give_the_same_texts(benchmark: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "report.json"
    benchmark.main(
        ["--size", "tiny", "--prompts", "3", "--iterations", "5", "--device", "cpu", "--output", str(output)]
    )
    tiny = json.loads(output.read_text(encoding="utf-8"))["sizes"]["tiny"]
    assert tiny["equal"]
    assert set(tiny["ways"]) == {"batches", "one by one", "loop"}
    assert tiny["largest_difference_units"] < 25.6  # a tenth of what the sampler allows
    assert tiny["close_share"] < 0.2
    assert 0.3 < tiny["asked_share"] <= 1.2  # two in five are drawn; close ones are asked for twice
    assert "equal" in capsys.readouterr().out
