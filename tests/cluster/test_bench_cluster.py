"""The benchmark runs: a few rows, two ways, three states."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from ..conftest import takes_long

pytest.importorskip("resource", reason="a Unix module")

ROWS = [
    {"prediction": "Tasty soup.", "sources": ["Tasty soup!", "Cold bread."], "values": ["pos", "neg"]},
    {"prediction": "Cold bread.", "sources": ["Warm bread.", "Cold soup."], "values": ["pos", "neg"]},
    {"prediction": "Slow.", "sources": ["Quick service.", "Slow service."], "values": ["pos", "neg"]},
]


@pytest.fixture
def benchmark(repository: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    monkeypatch.syspath_prepend(str(repository / "benchmarks"))
    import bench_cluster

    yield bench_cluster
    for name in ("bench_cluster", "harness"):
        sys.modules.pop(name, None)


@pytest.fixture
def data(tmp_path: Path) -> str:
    path = tmp_path / "rows.jsonl.gz"
    path.write_bytes(gzip.compress("\n".join(map(json.dumps, ROWS)).encode()))
    return str(path)


@takes_long
def test_all_ways_give_the_same(
    benchmark: ModuleType, data: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "report.json"
    options = ["--rows", "7", "--ways", "one process", "workers", "--states", "0", "--output", str(output)]
    benchmark.main(["--data", data, *options])
    report = json.loads(output.read_text(encoding="utf-8"))["ways"]
    assert (report["rows"], list(report["ways"])) == (7, ["one process", "workers"])
    for way in report["ways"].values():
        assert way["equal"]
        assert way["rows_per_second"] == pytest.approx(7 / way["seconds"])
        assert 10 < way["peak_mb"] < 1_000
    assert report["ways"]["one process"]["times_faster"] == 1
    assert "rows per second" in capsys.readouterr().out


def test_states_are_all_there(benchmark: ModuleType, data: str, capsys: pytest.CaptureFixture[str]) -> None:
    # Five states of four rows each, of which two are different.
    options = ["--rows", "0", "--states", "5", "--shard-rows", "4", "--distinct", "2"]
    report = benchmark.main(["--data", data, *options])["states"]
    assert (report["states"], report["samples"], report["complete"]) == (5, 20, True)
    assert 0 < report["merge_seconds"] < report["seconds"]
    assert "merge seconds" in capsys.readouterr().out
