"""The benchmark runs: a few rows, each way."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from ..conftest import load_script, takes_long
from .conftest import rows_of

pytest.importorskip("resource", reason="a Unix module")


@takes_long
def test_all_ways_give_the_same(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(str(repository / "benchmarks"))
    benchmark = load_script(repository / "benchmarks" / "bench_run.py")
    data, output = tmp_path / "rows.jsonl.gz", tmp_path / "report.json"
    data.write_bytes(gzip.compress("\n".join(map(json.dumps, rows_of(3))).encode()))
    ways = [way for way in benchmark.WAYS if way != "ray"]
    benchmark.main(["--data", str(data), "--rows", "7", "--ways", *ways, "--output", str(output)])
    report = json.loads(output.read_text(encoding="utf-8"))
    assert (report["rows"], list(report["ways"])) == (7, ways)
    for way in report["ways"].values():
        assert way["equal"]
        assert way["rows_per_second"] == pytest.approx(7 / way["seconds"])
        assert 10 < way["peak_mb"] < 1_000
    assert report["ways"]["one process"]["times_faster"] == 1
    assert report["bytes_of_rows"] > 0
    assert "rows per second" in capsys.readouterr().out
