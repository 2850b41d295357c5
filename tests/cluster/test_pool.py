"""Processes of this machine: results of one, deaths of workers, and no worker that outlives its parent."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fairsum_utils.cluster.callers import Failed, Finished, Started
from fairsum_utils.cluster.events import Event
from fairsum_utils.cluster.failures import ShardsFailed
from fairsum_utils.cluster.manifest import Manifest
from fairsum_utils.cluster.pool import Pool
from fairsum_utils.cluster.running import run
from fairsum_utils.cluster.scoring import Scoring
from fairsum_utils.io.folders import Folder

from .conftest import job_on, result_of, rows_of, write_rows

HERE = Path(__file__).parent


@pytest.fixture
def deadly(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    import _deadly

    return _deadly


def merged(job, folder):
    with job.session() as session, Scoring.merged(job, session, folder, Manifest.read(folder)) as scoring:
        for _ in scoring.chunks():
            pass
        return dict(scoring.results())


def test_results_are_those_of_one_process(rows_file, tmp_path):
    job, folder = job_on(rows_file), Folder(tmp_path / "run")
    run(job, folder, Pool(3), rows_per_shard=9)
    assert merged(job, folder) == result_of(job)
    assert len(folder.names("rows")) == len(folder.names("state")) == 12


def test_a_shard_whose_worker_is_killed_is_begun_again(tmp_path, deadly):
    rows = rows_of(60)
    rows[25]["prediction"] = "Deadly soup"
    path = write_rows(tmp_path / "rows.jsonl", rows)
    job = job_on(path, settings={"matcher": deadly.Deadly(tmp_path, "Deadly", 2)})
    events: list[Event] = []
    manifest = run(job, Folder(tmp_path / "run"), Recording(Pool(2), events), rows_per_shard=10)
    assert len(list(tmp_path.glob("died-*"))) == 2
    assert sorted(event.number for event in events if isinstance(event, Finished)) == [*range(6)]
    assert [event.number for event in events if isinstance(event, Started)].count(2) == 3
    assert merged(job, Folder(tmp_path / "run")) == result_of(job)
    assert manifest.n_rows == 60


class Recording:
    """A caller that keeps what another reports."""

    def __init__(self, caller, events):
        self.caller, self.events = caller, events

    def __call__(self, job, shards, folder, *, report):
        def both(event):
            self.events.append(event)
            report(event)

        self.caller(job, shards, folder, report=both)


def test_a_shard_that_kills_three_workers_is_named_and_the_others_go_on(tmp_path, deadly):
    rows = rows_of(60)
    rows[25]["prediction"] = "Deadly soup"
    job = job_on(write_rows(tmp_path / "rows.jsonl", rows), settings={"matcher": deadly.Deadly(tmp_path, "Deadly", 3)})
    folder = Folder(tmp_path / "run")
    with pytest.raises(ShardsFailed) as caught:
        run(job, folder, Pool(2), rows_per_shard=10)
    assert caught.value.exit_status == 1
    assert caught.value.lines == [
        "shard 3 of 6: its worker died, perhaps for want of memory (3 times)",
        "1 of 6 shards was not scored; the same command goes on with it",
    ]
    assert len(folder.names("state")) == 5
    assert folder.names("failed") == ["failed/shard=00002.json"]
    events: list[Event] = []
    run(job, folder, Recording(Pool(2), events))  # its fourth worker lives
    assert [event.number for event in events if isinstance(event, Finished)] == [2]
    assert folder.names("failed") == []
    assert merged(job, folder) == result_of(job)


def test_what_no_input_explains_is_tried_again_and_named(tmp_path, deadly):
    rows = rows_of(30)
    rows[25]["prediction"] = "Broken soup"
    job = job_on(write_rows(tmp_path / "rows.jsonl", rows), settings={"matcher": deadly.Broken(tmp_path, "Broken", 0)})
    events: list[Event] = []
    with pytest.raises(ShardsFailed, match=r"shard 3 of 3: RuntimeError: the device is lost \(3 times\)"):
        run(job, Folder(tmp_path / "run"), Recording(Pool(2), events), rows_per_shard=10)
    assert sum(isinstance(event, Failed) for event in events) == 1
    assert sum(isinstance(event, Finished) for event in events) == 2


SCRIPT = """
import sys
sys.path.insert(0, {here!r})
import _deadly
from fairsum_utils.cluster.pool import Pool
from fairsum_utils.cluster.running import run
from fairsum_utils.io.folders import Folder
from conftest import job_on

if {guarded} or __name__ == "__main__":
    job = job_on({rows!r}, settings={{"matcher": _deadly.Slow({folder!r}, "Deadly", 0)}})
    run(job, Folder({folder!r} + "/run"), Pool(2), rows_per_shard=10)
"""


def script(tmp_path, rows_file, *, guarded):
    path = tmp_path / "script.py"
    places = {"here": str(HERE), "rows": str(rows_file), "folder": str(tmp_path)}
    path.write_text(SCRIPT.format(guarded=not guarded, **places))
    return [sys.executable, "-W", "ignore", str(path)]


def wait_for(what, seconds=60):
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def is_alive(pid):
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes where Linux lists them")
@pytest.mark.parametrize("killed_by", [signal.SIGKILL, signal.SIGTERM])
def test_no_worker_outlives_its_parent(tmp_path, rows_file, killed_by):
    parent = subprocess.Popen(script(tmp_path, rows_file, guarded=True))
    try:
        wait_for(lambda: len(list(tmp_path.glob("at-work-*"))) == 2)
        workers = [int(path.name.rpartition("-")[2]) for path in tmp_path.glob("at-work-*")]
        assert all(map(is_alive, workers))
        os.kill(parent.pid, killed_by)
    finally:
        parent.kill()
        parent.wait()
    wait_for(lambda: not any(map(is_alive, workers)), seconds=10)


def test_a_script_without_a_guard_is_told_so(tmp_path, rows_file):
    done = subprocess.run(
        script(tmp_path, rows_file, guarded=False), capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 1
    assert 'must do so under if __name__ == "__main__":' in done.stderr
