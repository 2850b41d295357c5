"""Runs that are killed, interrupted and ended, as processes of their own: nothing is lost or counted twice."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fairsum_utils._util.terminal import QUIET

from ..conftest import takes_long
from ..faults.harness import limited, processes_of
from .conftest import rows_of, wait_for, write_rows

SCORE = """
import json, sys
from fairsum_utils.cluster import score

if __name__ == "__main__":
    path, folder, workers, n_rows, output = sys.argv[1:]
    sizes = {"workers": int(workers), "rows_per_shard": int(n_rows)}
    found = score(path, "bur,uer", folder=folder, confidence_level=0.95, **sizes)
    open(output, "w").write(json.dumps(found))
"""


@pytest.fixture
def command(tmp_path):
    """A script that scores a file, in shards of so many rows."""
    script = tmp_path / "score.py"
    script.write_text(SCORE)

    def made(path, folder, workers, n_rows, output):
        return [sys.executable, "-W", "ignore", *map(str, (script, path, folder, workers, n_rows, output))]

    return made


def finished(folder):
    return len(list(Path(folder).glob("state/*.state")))


def killed_until_done(command, folder, n_kills, seed):
    """Kill a command after each shard or two, until it comes to its end; how often it was killed."""
    chance, n = random.Random(seed), 0
    while True:
        before = finished(folder)
        process = subprocess.Popen(command, start_new_session=True)
        while process.poll() is None and (n == n_kills or finished(folder) == before):
            time.sleep(0.005)
        time.sleep(chance.random() / 20)
        process.kill()
        if process.wait() == 0:
            return n
        n += 1


@takes_long
@pytest.mark.parametrize(("workers", "n_kills"), [(1, 4), (2, 30)])
def test_a_driver_that_is_killed_at_random_moments(tmp_path, command, workers, n_kills):
    path = write_rows(tmp_path / "rows.jsonl", rows_of(3000))
    whole, folder = tmp_path / "whole.json", tmp_path / "run"
    subprocess.run(command(path, tmp_path / "undisturbed", 1, 60, whole), check=True)
    output = tmp_path / "killed.json"
    assert killed_until_done(command(path, folder, workers, 60, output), folder, n_kills, seed=n_kills) >= min(
        n_kills, 3
    )
    assert output.read_text() == whole.read_text()
    assert (
        json.loads(output.read_text())["bur"]["n_samples"] + json.loads(whole.read_text())["bur"]["n_skipped"] == 3000
    )
    assert finished(folder) == 50


def started(tmp_path, *options, n=40_000):
    path = write_rows(tmp_path / "rows.jsonl", rows_of(n))
    arguments = ["score", path, "--metrics", "bur", "--checkpoint", tmp_path / "run", "--format", "json", *options]
    process = subprocess.Popen(
        [sys.executable, "-m", "fairsum_utils", *map(str, arguments)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(tmp_path), QUIET: ""},
        start_new_session=True,
    )
    return process, arguments


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes where Linux lists them")
@pytest.mark.parametrize("workers", [pytest.param(1, marks=takes_long), 2])
@pytest.mark.parametrize(
    ("sent", "status", "said"),
    [(signal.SIGINT, 130, "interrupted"), pytest.param(signal.SIGTERM, 143, "terminated", marks=takes_long)],
)
def test_a_run_that_is_ended_says_one_line(tmp_path, workers, sent, status, said):
    process, _ = started(tmp_path, "--workers", workers)
    wait_for(lambda: finished(tmp_path / "run") >= 1)
    if sent == signal.SIGINT:
        os.killpg(process.pid, sent)  # as Ctrl-C does
    else:
        os.kill(process.pid, sent)
    printed, err = process.communicate(timeout=20)
    assert (process.returncode, printed, err) == (status, "", f"fairsum: {said}\n")
    wait_for(lambda: not processes_of(process.pid), seconds=10)
    left = [path for path in tmp_path.rglob("*") if path.name.startswith("fairsum-")]
    assert left == []


@takes_long
@pytest.mark.skipif(os.name == "nt", reason="no such limit")
def test_a_file_that_cannot_grow(tmp_path):
    """As on a full disk: the system refuses to write more than some bytes to a file."""
    path = write_rows(tmp_path / "rows.jsonl", rows_of(3000))
    command = [sys.executable, "-m", "fairsum_utils", "score", str(path), "--checkpoint", str(tmp_path / "run")]

    for workers in ("1", "2"):
        done = subprocess.run(
            [*command, "--workers", workers], capture_output=True, text=True, check=False, preexec_fn=limited(4000)
        )
        assert (done.returncode, done.stdout) == (1, "")
        assert "cannot be written (File too large)" in done.stderr
        assert done.stderr.count("\n") == 1
        assert list(tmp_path.rglob("*.part")) == []
    done = subprocess.run([*command, "--format", "json"], capture_output=True, text=True, check=False)
    metrics = json.loads(done.stdout)["metrics"]
    assert (done.returncode, metrics["bur"]["n_samples"] + metrics["bur"]["n_skipped"]) == (0, 3000)
