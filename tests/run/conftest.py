"""Samples of every family, jobs on small files, and what makes runs."""

from __future__ import annotations

import json
import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.layout import Layout, choose_columns
from fairsum_utils.io.shapes import Shape
from fairsum_utils.measures import get_measure
from fairsum_utils.run import engines, job, scoring
from fairsum_utils.run.job import CHUNK, Job
from fairsum_utils.run.rows import Run, Worker
from fairsum_utils.run.scoring import ALL, FromRows, Scoring, Share
from fairsum_utils.session import Request

os.environ["RAY_USAGE_STATS_ENABLED"] = "0"  # read when Ray is imported
READING = {"split": None, "encoding": None, "input_format": None}
TASK = CHUNK
"""Samples of a task, which is a file of rows: here eight times as few as elsewhere."""


@pytest.fixture(autouse=True)
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job, "TOGETHER", 1)


@pytest.fixture(autouse=True)
def workers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Start workers before anything is scored; elsewhere a small file needs none."""
    monkeypatch.setattr(scoring, "ALONE", 0.0)


@pytest.fixture
def workers_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Score what workers are sent in this process, since workers take a second each to start."""

    @contextmanager
    def in_this_process(job: Job, workers: int) -> Iterator[Callable[[Any], Callable[[], bytes]]]:
        worker = Worker(pickle.loads(pickle.dumps(job)))
        yield lambda task: partial(worker.score, pickle.loads(pickle.dumps(engines.sendable(task))))

    monkeypatch.setattr(engines, "in_processes", in_this_process)


def rows_of(n: int, **more: Any) -> list[dict[str, Any]]:
    """Summaries of two reviews, which carry the first, the second, both or none of them."""
    texts = ("Tasty soup", "Slow service", "Tasty soup, slow service", " ")
    return [
        {
            "id": f"s{number}",
            "prediction": texts[number % 7 % 4],
            "sources": ["Tasty soup", f"Slow service {number}"],
            "values": ["good", "bad"],
            **more,
        }
        for number in range(n)
    ]


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def job_on(path: Any, measures: Iterable[str] = ("bur", "uer"), **settings: Any) -> Job:
    names = list(measures)
    columns = choose_columns(list(all_columns(names).values()), {})
    layout = Layout(columns, Shape(), by_id="article_ids" in all_columns(names))
    settings = {"confidence_level": 0.9, "n_resamples": 20, **settings}
    requests = tuple(Request(get_measure(name)(**settings)) for name in names)
    return Job(path, layout, READING, requests, "score")


def scored(job: Job, *, only: Share = ALL, **how: Any) -> dict[str, Any]:
    """Score a job, and return its results."""
    with job.session() as session:
        of_job = Scoring(job, session, only=only, **how)
        for _ in of_job.parts():
            pass
        return dict(of_job.results())


def exactly(results: Any) -> str:
    """All digits of the results, without what tells of the run."""
    return json.dumps({name: dict(result) for name, result in results.items()}, sort_keys=True, default=repr)


def of_rows(folder: Path, *, partial: bool = False) -> dict[str, Any]:
    """Compute results from the rows of the only run in a folder."""
    run = Run(str(run_in(folder)), partial=partial)
    with run.job.session() as session:
        of_run = FromRows(run, session)
        for _ in of_run.parts():
            pass
        return dict(of_run.results())


def run_in(folder: Path) -> Path:
    [run] = folder.iterdir()
    return run


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    """A Ray of two processes, to which this one is connected, and which stays."""
    ray = pytest.importorskip("ray", reason="ray is not installed (extra ray)")
    with pytest.MonkeyPatch.context() as patch:  # a runtime_env takes two seconds
        patch.setenv("PYTHONPATH", str(Path(__file__).parent), prepend=os.pathsep)
        ray.init("local", num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.fixture
def rows_file(tmp_path: Path) -> Path:
    return write_rows(tmp_path / "rows.jsonl", rows_of(3 * TASK + 60))


@pytest.fixture
def matchers(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Functions that workers import as any module."""
    monkeypatch.syspath_prepend(str(Path(__file__).parent))
    import _matchers

    return _matchers
