"""The benchmark of the cache runs, on a few results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="a Unix module")


def test_the_cache_is_measured(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(repository / "benchmarks"))
    import bench_cache

    # A pool of processes would import the benchmark by a path that they do not have.
    monkeypatch.setattr(bench_cache, "apart", lambda measure, *arguments: measure(*arguments))
    output = tmp_path / "report.json"
    bench_cache.main(["--results", "300", "--batch", "50", "--folder", str(tmp_path), "--output", str(output)])
    (run,) = json.loads(output.read_text(encoding="utf-8"))["runs"]
    assert run["write"]["bytes_a_result"] > 36  # 16 of the digest, 4 of the checksum, 16 of the payload
    assert all(run[part]["a_second"] > 0 for part in ("write", "read"))
