"""Scoring on Ray: one begun for the run, one that is there, and one that is not."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fairsum_utils.errors import FairSumError, InputError

from ..conftest import takes_long
from .conftest import TASK, job_on, of_rows, rows_of, run_in, scored, write_rows

ray = pytest.importorskip("ray", reason="ray is not installed (extra ray)")

pytestmark = pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets and logs of Ray's


@pytest.mark.usefixtures("cluster")
def test_results_and_rows_are_those_of_one_process(tmp_path: Path, rows_file: Path) -> None:
    job = job_on(rows_file, ("bur", "uer", "auc", "sof"))
    expected = scored(job)
    assert scored(job, engine="ray", rows=tmp_path / "runs") == expected
    assert of_rows(tmp_path / "runs") == expected
    files = sorted(run_in(tmp_path / "runs").iterdir())
    files[1].unlink()
    assert scored(job, engine="ray", rows=tmp_path / "runs") == expected
    assert sorted(run_in(tmp_path / "runs").iterdir()) == files
    assert ray.is_initialized(), "what others have connected stays so"


@pytest.mark.usefixtures("cluster")
def test_invalid_samples_are_named_as_elsewhere(tmp_path: Path) -> None:
    rows = rows_of(TASK + 60)
    rows[TASK + 5]["values"] = ["good"]
    path = write_rows(tmp_path / "rows.jsonl", rows)
    with pytest.raises(InputError) as here:
        scored(job_on(path))
    with pytest.raises(InputError) as there:
        scored(job_on(path), engine="ray")
    assert str(there.value) == str(here.value)


@pytest.mark.usefixtures("cluster")
def test_functions_of_two_runs_are_not_mixed(tmp_path: Path, rows_file: Path, matchers: ModuleType) -> None:
    """Processes of Ray stay, and keep what they have scored with; objects of one class are told apart."""
    made = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        made.append(matchers.Counting(tmp_path / name))
        scored(job_on(rows_file, ("bur",), matcher=made[-1]), engine="ray")
    assert sorted(made[0].calls()) == sorted(made[1].calls()) != []


@takes_long
@pytest.mark.usefixtures("cluster")
def test_a_task_that_kills_its_process_ends_with_one_line(tmp_path: Path, matchers: ModuleType) -> None:
    rows = rows_of(2 * TASK)
    rows[TASK + 5]["prediction"] = "Deadly soup"
    path = write_rows(tmp_path / "rows.jsonl", rows)
    job = job_on(path, ("bur",), matcher=matchers.Deadly(tmp_path))
    with pytest.raises(FairSumError, match=r"^score: a task failed on Ray: "):
        scored(job, engine="ray", rows=tmp_path / "runs")
    (tmp_path / "harmless").touch()
    assert scored(job, engine="ray", rows=tmp_path / "runs") == scored(job)


@pytest.mark.parametrize("address", ["127.0.0.1:9"])
def test_a_cluster_that_does_not_answer(rows_file: Path, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_answer(*arguments: Any, **options: Any) -> None:
        raise ConnectionError("Connection refused")

    monkeypatch.setattr(ray, "init", no_answer)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(InputError, match=f"^score: no Ray at {address}: ConnectionError: Connection refused$"):
        scored(job_on(rows_file), engine="ray", address=address)
