"""The examples for schedulers: the very files, with what the scheduler would say."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fairsum_utils.cli import main

from ..conftest import takes_long

EXAMPLES = Path(__file__).parents[2] / "examples" / "cluster"
PARTS = 2


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    path = tmp_path_factory.mktemp("examples") / "rows.jsonl"
    summaries = ("Good food.", "Slow service and good food.", "A dark room.", "Food and service in a room.")
    with path.open("w") as file:
        for place in range(1100):
            sample = {
                "id": f"s{place}",
                "prediction": summaries[place % 4],
                "sources": [f"Good food {place}.", "Slow service.", f"A dark room {place % 5}."],
                "values": ["pos", "neg", "neg"],
            }
            file.write(json.dumps(sample) + "\n")
    return path


@pytest.fixture
def fairsum(tmp_path, monkeypatch):
    """Put a command in the path that lists its arguments; return what runs an example and then the real command."""
    command = tmp_path / "bin" / "fairsum"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >"{tmp_path / "arguments"}"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")

    def run(command, record):
        subprocess.run(command, env={**os.environ, **record}, check=True)
        assert main((tmp_path / "arguments").read_text().splitlines()) == 0

    return run


def results_of(arguments, output):
    """What the command writes, in this process."""
    assert main(["score", *arguments, "--output", str(output)]) == 0
    return json.loads(output.read_text())["metrics"]


@pytest.fixture(scope="module")
def expected(rows):
    """What one process makes of the file."""
    return results_of([str(rows), "--metrics", "bur,uer"], rows.with_name("alone.json"))


def from_rows(command, tmp_path):
    """What the command that an example names for the end makes, of the folder of a test."""
    assert re.fullmatch(r"fairsum score \S+/rows --output \S+", command)
    return results_of([str(tmp_path / "rows")], tmp_path / "results.json")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_slurm(rows, expected, tmp_path, fairsum):
    script = EXAMPLES / "slurm_array.sh"
    text = script.read_text()
    assert re.search(r"^#SBATCH --array=1-(\d+)$", text, re.M)[1] == re.search(r"PARTS:-(\d+)", text)[1]
    for task in range(1, PARTS + 1):
        record = {"SLURM_ARRAY_TASK_ID": str(task), "PARTS": str(PARTS)}
        fairsum(["bash", script, rows, tmp_path / "rows", "--metrics", "bur,uer"], record)
    assert from_rows(re.search(r'--wrap "(.*)"', text)[1], tmp_path) == expected


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a shell")
def test_kubernetes(rows, expected, tmp_path, fairsum):
    yaml = pytest.importorskip("yaml")
    text = (EXAMPLES / "kubernetes_job.yaml").read_text()
    job = yaml.safe_load(text)["spec"]
    [container] = job["template"]["spec"]["containers"]
    record = {entry["name"]: entry["value"] for entry in container["env"]}
    assert job["completionMode"] == "Indexed"
    assert job["completions"] == int(record["PARTS"])
    record |= {"FILE": str(rows), "ROWS": str(tmp_path / "rows"), "PARTS": str(PARTS)}
    for pod in range(PARTS):
        record["JOB_COMPLETION_INDEX"] = str(pod)
        fairsum([*container["command"], *container["args"]], record)
    assert from_rows(re.search(r"-- (fairsum score .*)", text)[1], tmp_path) == expected


@takes_long
def test_spark(rows, expected, tmp_path):
    pytest.importorskip("pyspark")
    command = [sys.executable, str(EXAMPLES / "spark.py"), str(rows), str(tmp_path / "rows")]
    record = {**os.environ, "MASTER": "local[2]", "PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(
        [*command, "--parts", str(PARTS), "--metrics", "bur,uer"], env=record, check=True, stdout=subprocess.PIPE
    )
    assert json.loads(done.stdout)["metrics"] == expected
    assert len(list((tmp_path / "rows").glob("*/*.parquet"))) == 2
