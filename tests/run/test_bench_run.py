"""The benchmark runs: a few rows, four ways."""

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
    import bench_run

    yield bench_run
    for name in ("bench_run", "harness"):
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
    output, ways = tmp_path / "report.json", [way for way in benchmark.WAYS if way != "ray"]
    benchmark.main(["--data", data, "--rows", "7", "--ways", *ways, "--output", str(output)])
    report = json.loads(output.read_text(encoding="utf-8"))
    assert (report["rows"], list(report["ways"])) == (7, ways)
    for way in report["ways"].values():
        assert way["equal"]
        assert way["rows_per_second"] == pytest.approx(7 / way["seconds"])
        assert 10 < way["peak_mb"] < 1_000
    assert report["ways"]["one process"]["times_faster"] == 1
    assert report["bytes_of_rows"] > 0
    assert "rows per second" in capsys.readouterr().out
