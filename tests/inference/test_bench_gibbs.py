"""The benchmark runs: a tiny model, a few prompts."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType

import pytest

from ..conftest import takes_long

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


@takes_long
def test_batches_give_the_same_texts(benchmark: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "report.json"
    benchmark.main(
        ["--size", "tiny", "--prompts", "3", "--iterations", "5", "--device", "cpu", "--output", str(output)]
    )
    tiny = json.loads(output.read_text(encoding="utf-8"))["sizes"]["tiny"]
    assert tiny["equal"]
    assert set(tiny["ways"]) == {"batches", "one by one", "loop"}
    assert "equal" in capsys.readouterr().out
