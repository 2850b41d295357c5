"""The benchmark of killed runs runs: a few kills."""

from __future__ import annotations

import gzip
import json
import sys
from pathlib import Path

import pytest

from ..conftest import takes_long

pytestmark = pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes where Linux lists them")


@takes_long
def test_a_run_that_is_killed_ends_as_one_that_is_not(repository: Path, monkeypatch, tmp_path, capsys) -> None:
    monkeypatch.syspath_prepend(str(repository / "benchmarks"))
    import bench_kills

    row = {"prediction": "Tasty soup.", "sources": ["Tasty soup!", "Cold bread."], "values": ["pos", "neg"]}
    data, output = tmp_path / "rows.jsonl.gz", tmp_path / "report.json"
    data.write_bytes(gzip.compress(json.dumps(row).encode()))
    bench_kills.main(["--data", str(data), "--kills", "4", "--rows-per-shard", "30", "--output", str(output)])
    for name in ("bench_kills", "harness"):
        sys.modules.pop(name)
    found = json.loads(output.read_text())["kills"]
    assert (found["rows"], found["shards"], found["equal"], found["complete"]) == (240, 8, True, True)
    assert 1 <= sum(found["kills"].values()) <= 4
    assert (found["left_files"], found["left_processes"]) == ([], 0)
    assert "left processes" in capsys.readouterr().out
