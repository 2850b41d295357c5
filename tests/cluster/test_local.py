"""Shards in processes that are killed, in company and alone."""

import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from fairsum_utils.cluster.local import TRIES, in_processes
from fairsum_utils.cluster.scoring import ShardsFailed, run

from fairsum_utils.io.writing import Folder

from ..conftest import takes_long
from .conftest import Recording, job_on, merged, result_of, rows_of, wait_for, write_rows

HERE = Path(__file__).parent
TWO = partial(in_processes, 2)


@pytest.fixture
def deadly(monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    import _deadly

    return _deadly


def deadly_job(tmp_path, matcher, word="Deadly", n=60):
    rows = rows_of(n)
    rows[25]["prediction"] = f"{word} soup"
    return job_on(write_rows(tmp_path / "rows.jsonl", rows), settings={"matcher": matcher})


def test_results_are_those_of_one_process_though_a_worker_dies(tmp_path, deadly):
    job, folder = deadly_job(tmp_path, deadly.Deadly(tmp_path, "Deadly", 1)), Folder(tmp_path / "run")
    run(job, folder, TWO, rows_per_shard=25)
    assert len(list(tmp_path.glob("died-*"))) == 1
    assert len(folder.names("rows")) == len(folder.names("state")) == 3
    assert merged(job, folder) == result_of(job)


@takes_long
def test_a_shard_whose_workers_die_is_begun_again_then_named(tmp_path, deadly):
    """Each shard in flight with the deadly one is scored once, and the others go on; the same command mends it."""
    job, folder = deadly_job(tmp_path, deadly.Deadly(tmp_path, "Deadly", TRIES)), Folder(tmp_path / "run")
    first = Recording(TWO)
    with pytest.raises(ShardsFailed) as caught:
        run(job, folder, first, rows_per_shard=10)
    assert (sorted(first.finished), first.failed, caught.value.exit_status) == ([0, 1, 3, 4, 5], [2], 1)
    assert caught.value.lines == [
        "shard 3 of 6: its worker died, possibly out of memory (3 times)",
        "1 of 6 shards was not scored; run the same command again to finish",
    ]
    assert len(list(tmp_path.glob("died-*"))) == TRIES
    assert folder.names("failed") == ["failed/shard=00002.json"]
    for path in [*tmp_path.glob("died-*")][1:]:
        path.unlink()  # it dies in company and once alone, and lives the third time
    second = Recording(TWO)
    run(job, folder, second)
    assert (second.finished, second.failed, folder.names("failed")) == ([2], [], [])
    assert len(list(tmp_path.glob("died-*"))) == TRIES
    assert merged(job, folder) == result_of(job)


SCRIPT = """
import sys
sys.path.insert(0, {here!r})
import _deadly
from functools import partial
from fairsum_utils.cluster.local import in_processes
from fairsum_utils.cluster.scoring import run
from fairsum_utils.io.writing import Folder
from conftest import job_on

if {guarded} or __name__ == "__main__":
    job = job_on({rows!r}, settings={{"matcher": _deadly.Slow({folder!r}, "Deadly", 0)}})
    run(job, Folder({folder!r} + "/run"), partial(in_processes, 2), rows_per_shard=10)
"""


def script(tmp_path, rows_file, *, guarded):
    path = tmp_path / "script.py"
    places = {"here": str(HERE), "rows": str(rows_file), "folder": str(tmp_path)}
    path.write_text(SCRIPT.format(guarded=not guarded, **places))
    return [sys.executable, "-W", "ignore", str(path)]


def is_alive(pid):
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes where Linux lists them")
@pytest.mark.parametrize("killed_by", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=takes_long)])
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


@takes_long
def test_a_script_without_a_guard_is_told_so(tmp_path, rows_file):
    done = subprocess.run(
        script(tmp_path, rows_file, guarded=False), capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 1
    assert 'call score with several workers under if __name__ == "__main__":' in done.stderr
