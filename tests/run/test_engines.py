"""Processes that score: what they are sent, and that they end with one line, or with their parent."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.run.engines import sendable
from fairsum_utils.run.job import Job
from fairsum_utils.run.rows import Rows, Worker

from ..conftest import takes_long
from .conftest import TASK, job_on, rows_of, run_in, scored, write_rows

HERE = Path(__file__).parent


def wait_for(what: Callable[[], Any], seconds: float = 60) -> Any:
    """Wait until a function returns something true."""
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)
    return found


@pytest.fixture
def without_models(monkeypatch: pytest.MonkeyPatch) -> None:
    """Functions take the places of models, of which workers would load one each."""
    monkeypatch.setattr(Job, "uses_model", lambda job, session: False)


@pytest.mark.usefixtures("without_models")
def test_a_killed_worker_ends_the_run_and_the_same_command_goes_on(tmp_path: Path, matchers: ModuleType) -> None:
    n = 14 * TASK
    rows = rows_of(n)
    rows[12 * TASK + 5]["prediction"] = "Deadly soup"
    matcher = matchers.Deadly(tmp_path)
    job = job_on(write_rows(tmp_path / "rows.jsonl", rows), ("bur",), matcher=matcher)
    with pytest.raises(FairSumError) as caught:
        scored(job, workers=2, rows=tmp_path / "runs")
    assert not isinstance(caught.value, InputError)
    assert str(caught.value) == (
        "score: a worker process died, possibly out of memory; with --rows finished rows are kept, and the same "
        "command goes on"
    )
    kept = sorted(file.name for file in run_in(tmp_path / "runs").iterdir())
    assert "rows-000001.parquet" in kept
    assert len(kept) < 13
    matcher.calls()
    (tmp_path / "harmless").touch()
    found = scored(job, rows=tmp_path / "runs")
    again = matcher.calls()
    assert {number // TASK + 1 for number in again}.isdisjoint(int(name[5:11]) for name in kept)
    assert len(list(run_in(tmp_path / "runs").iterdir())) == 14
    assert found == scored(job)


@pytest.mark.usefixtures("workers_here")  # tests/test_errors.py sends errors to other processes
def test_a_bad_sample_in_a_worker_keeps_what_was_finished_before(tmp_path: Path) -> None:
    rows = rows_of(3 * TASK)
    rows[2 * TASK + 7]["values"] = ["good"]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    with pytest.raises(InputError, match=rf"sample {2 * TASK + 7}: .*row {2 * TASK + 8}, id s{2 * TASK + 7}\)$"):
        scored(job_on(path), workers=2, rows=tmp_path / "runs")
    assert len(list(run_in(tmp_path / "runs").iterdir())) == 2


@pytest.mark.usefixtures("without_models")
def test_what_other_processes_cannot_get_is_refused(tmp_path: Path) -> None:
    job = job_on(
        write_rows(tmp_path / "rows.jsonl", rows_of(3)), ("bur",), matcher=lambda texts, summary: [1.0] * len(texts)
    )
    for engine in (None, "ray"):
        with pytest.raises(InputError, match="matcher of bur is a lambda or an inner function, which other processes"):
            scored(job, workers=2, engine=engine)
    assert scored(job)["bur"]["n_samples"] > 0


def test_models_are_not_loaded_by_several_workers(tmp_path: Path) -> None:
    job = job_on(write_rows(tmp_path / "rows.jsonl", rows_of(3)), ("bur",), matcher="bertscore")
    with pytest.raises(InputError, match="--workers 2 would load the model 2 times; omit it"):
        scored(job, workers=2)


def test_a_task_knows_the_places_of_its_samples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pickle

    job = job_on(write_rows(tmp_path / "rows.jsonl", rows_of(5)))
    monkeypatch.setattr("fairsum_utils.run.job.CHUNK", 2)
    task = list(job.chunks())
    sent = pickle.loads(pickle.dumps(sendable(task)))
    assert [[chunk.ids for chunk in chunks] for chunks in sent] == [[["s0", "s1"]], [["s2", "s3"]], [["s4"]]]
    for [chunk], [other] in zip(sent, task, strict=True):
        for place in range(len(chunk.ids)):
            assert chunk.only(place).where() == other.only(place).where()
    worker = Worker(job)
    assert Rows.read(worker.score(sent)).table.column("id").to_pylist() == [f"s{number}" for number in range(5)]
    assert worker.score(sent) == Worker(job).score(sent)  # what it scored before changes nothing


SCRIPT = """
import sys
sys.path.insert(0, {here!r})
import _matchers
from fairsum_utils import BUR
from fairsum_utils.run import score, scoring
from fairsum_utils.run.job import Job

scoring.ALONE = 0.0
Job.uses_model = lambda job, session: False  # a function in place of a model
if {unguarded} or __name__ == "__main__":
    score({rows!r}, [BUR(matcher=_matchers.Slow({folder!r}))], workers=2, rows={folder!r} + "/runs")
"""


def script(tmp_path: Path, rows_file: Path, *, guarded: bool) -> list[str]:
    path = tmp_path / "script.py"
    places = {"here": str(HERE), "rows": str(rows_file), "folder": str(tmp_path)}
    path.write_text(SCRIPT.format(unguarded=not guarded, **places))
    return [sys.executable, "-W", "ignore", str(path)]


def is_alive(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc").exists(), reason="looks for processes where Linux lists them")
@pytest.mark.parametrize("killed_by", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=takes_long)])
def test_no_worker_outlives_its_parent(tmp_path: Path, rows_file: Path, killed_by: signal.Signals) -> None:
    write_rows(rows_file, rows_of(1500))
    parent = subprocess.Popen(script(tmp_path, rows_file, guarded=True), stderr=subprocess.DEVNULL)
    try:
        wait_for(lambda: len(list(tmp_path.glob("called-*"))) == 2)
        workers = [int(path.name.rpartition("-")[2]) for path in tmp_path.glob("called-*")]
        assert all(map(is_alive, workers))
        os.kill(parent.pid, killed_by)
    finally:
        if killed_by == signal.SIGKILL:
            parent.kill()
        parent.wait()
    wait_for(lambda: not any(map(is_alive, workers)), seconds=10)


@takes_long
def test_a_script_without_a_guard_is_refused(tmp_path: Path, rows_file: Path) -> None:
    done = subprocess.run(
        script(tmp_path, rows_file, guarded=False), capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 1
    assert "died before it scored anything; in a script, score under if __name__ == '__main__':" in done.stderr
