"""Rows of models: their signatures are kept, so that results need no model, and two models are not mixed."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.measures.regard import LABELS
from fairsum_utils.measures.toxicity import KINDS
from fairsum_utils.run import from_rows, score, scoring
from fairsum_utils.run.job import Job
from fairsum_utils.run.rows import Rows, Worker
from fairsum_utils.run.scoring import Scoring

from .._together import measures
from ..conftest import takes_long
from .conftest import TASK, job_on, of_rows, rows_of, run_in, scored, write_rows


@pytest.fixture
def job(tmp_path: Path, tiny_model: Any) -> Job:
    path = write_rows(tmp_path / "rows.jsonl", rows_of(TASK + 20))
    model = {"matcher": "bertscore", "model": str(tiny_model("encoder")), "num_layers": 2, "cache": None}
    return job_on(path, ("bur",), **model)


def refused(*arguments: Any, **options: Any) -> None:
    raise AssertionError("a model is loaded")


def test_no_model_is_loaded_to_make_results(job: Job, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = scored(job)
    assert scored(job, rows=tmp_path / "runs") == expected
    monkeypatch.setattr("fairsum_utils.inference.runner.load_model", refused)
    assert of_rows(tmp_path / "runs") == expected
    assert scored(job, rows=tmp_path / "runs") == expected
    assert "float32" not in expected["bur"]["signature"]


def test_rows_of_another_number_type_are_refused(job: Job) -> None:
    """Of two machines of which one computes in bfloat16: no setting says so, the signature does."""
    [request] = job.requests
    [first, second] = [[chunks] for chunks in job.chunks()]
    ours = Rows.read(Worker(job).score(first))
    other = job._replace(requests=(request.__class__(request.chosen.replace(dtype="bfloat16")),))
    theirs = Rows.read(Worker(other).score(second))
    with job.session() as session:
        ours.take_facts(session)
        with pytest.raises(
            InputError, match=r"bur was scored with .*bfloat16\|.* and with .*; give all machines the same --device and"
        ):
            theirs.take_facts(session)
        Rows.read(Worker(job).score(second)).take_facts(session)


def test_no_signature_is_kept_without_a_model(rows_file: Path) -> None:
    [task, *_] = [[chunks] for chunks in job_on(rows_file).chunks()]
    rows = Rows.read(Worker(job_on(rows_file)).score(task))
    assert rows.signatures is None
    assert rows.given == [["predictions", "sources", "values"]]


@pytest.mark.parametrize("measure", ["toxicity", pytest.param("regard", marks=takes_long)])
def test_models_of_texts(tmp_path: Path, measure: str, tiny_model: Any) -> None:
    labels = {"toxicity": KINDS, "regard": LABELS}[measure]
    model = str(tiny_model("classifier", labels=labels, seed=1))
    texts = [{"prediction": f"Text {number}.", "group": "ab"[number % 2]} for number in range(TASK + 9)]
    path = write_rows(tmp_path / "texts.jsonl", texts)
    call = {"metrics": measures([measure], model=model, cache="none", device="cpu")}
    expected = score(path, **call)
    assert dict(score(path, rows=tmp_path / "runs", **call)) == dict(expected)
    assert dict(from_rows(run_in(tmp_path / "runs"))) == dict(expected)


@pytest.mark.usefixtures("workers_here")
@pytest.mark.parametrize(("n_tasks", "shared", "kept"), [(3, False, True), (4, True, False), (5, True, True)])
def test_workers_start_if_as_much_is_left_as_was_scored_in_the_first_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_tasks: int, shared: bool, kept: bool
) -> None:
    """The clock goes on by a second for each chunk: two of one task each are scored here before the time is over."""
    path = write_rows(tmp_path / "rows.jsonl", rows_of(n_tasks * TASK))
    job = job_on(path)
    expected = scored(job)
    monkeypatch.setattr(scoring, "ALONE", 2.5)
    monkeypatch.setattr(scoring, "time", SimpleNamespace(process_time=count().__next__))
    with job.session() as session:
        of_job = Scoring(job, session, workers=2, rows=tmp_path / "runs" if kept else None)
        for _ in of_job.parts():
            pass
        assert dict(of_job.results()) == expected
    assert of_job.shared is shared
    if kept:
        assert of_rows(tmp_path / "runs") == expected


@pytest.mark.usefixtures("workers_here")
def test_a_task_that_takes_long_is_left_to_workers_at_once(rows_file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    job = job_on(rows_file)
    expected = scored(job)
    monkeypatch.setattr("fairsum_utils.run.job.TOGETHER", 2)
    monkeypatch.setattr(scoring, "ALONE", 1.5)
    monkeypatch.setattr(scoring, "time", SimpleNamespace(process_time=count().__next__))
    with job.session() as session:
        of_job = Scoring(job, session, workers=2)
        assert [len(part.systems[0].ids) for part in of_job.parts()] == [2 * TASK, TASK + 60]
        assert (of_job.shared, dict(of_job.results())) == (True, expected)


@pytest.mark.usefixtures("workers_here")
def test_progress_and_samples_are_counted(tmp_path: Path, rows_file: Path) -> None:
    """Parts come in the order of the file, whoever made their rows."""
    job = job_on(rows_file)
    ids = [f"s{number}" for number in range(3 * TASK + 60)]
    for how in ({}, {"rows": tmp_path / "runs"}, {"rows": tmp_path / "runs"}, {"workers": 2}):
        with job.session() as session:
            of_job = Scoring(job, session, **how)
            assert [name for part in of_job.parts() for name in part.systems[0].ids] == ids
            assert of_job.n_samples == len(ids)
            assert (of_job.store is None) == ("rows" not in how)
