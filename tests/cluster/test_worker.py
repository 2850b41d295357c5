"""The folder of a run keeps the signatures of its models, so that merging loads none."""

from pathlib import Path

import pytest
from fairsum_utils.cluster.job import Job
from fairsum_utils.cluster.scoring import Scoring, in_this_process, run
from fairsum_utils.cluster.shards import Manifest
from fairsum_utils.cluster.worker import SIGNATURES, Worker

from fairsum_utils.errors import InputError
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.layout import Layout, choose_columns
from fairsum_utils.io.shapes import Shape
from fairsum_utils.io.writing import Folder
from fairsum_utils.measures import get_measure
from fairsum_utils.session import Request

ROWS = """\
{"id": "a", "sources": ["Great soup.", "Slow service."], "values": ["pos", "neg"], "prediction": "Good soup."}
{"id": "b", "sources": ["Cold soup.", "Nice staff."], "values": ["neg", "pos"], "prediction": "The staff is slow."}
"""


def job_of(path: Path, measure: str, **settings: object) -> Job:
    columns = [each for each in all_columns([measure]).values() if each.name in ("sources", "values", "predictions")]
    layout = Layout(choose_columns(columns, {}), Shape(module="score"))
    return Job(str(path), layout, {}, (Request(get_measure(measure)(n_resamples=10, **settings)),), "score")


@pytest.fixture
def job(tmp_path, tiny_model):
    path = tmp_path / "rows.jsonl"
    path.write_text(ROWS)
    return job_of(path, "bur", matcher="bertscore", model=str(tiny_model("encoder")), num_layers=2, cache=None)


def test_no_model_is_loaded_to_make_results(job, tmp_path, monkeypatch):
    with job.session() as session, Scoring(job, session) as scoring:
        list(scoring.chunks())
        expected = scoring.results()
    folder = Folder(str(tmp_path / "run"))
    run(job, folder, in_this_process)

    def refused(*arguments, **options):
        raise AssertionError("a model is loaded")

    monkeypatch.setattr("fairsum_utils.inference.runner.load_model", refused)
    with job.session() as session, Scoring.merged(job, session, folder, Manifest.read(folder)) as scoring:
        list(scoring.chunks())
        results = scoring.results()
    assert results == expected
    assert "float32" not in results["bur"]["signature"]


def test_a_worker_that_computes_otherwise_is_refused(job, tmp_path):
    folder = Folder(str(tmp_path / "run"))
    run(job, folder, in_this_process)
    [request] = job.requests
    other = job._replace(requests=(Request(request.chosen.replace(dtype="bfloat16")),))
    with pytest.raises(InputError, match=r"bur would be scored with .* bfloat16\|.*other workers"):
        _ = Worker(other, folder).session


def test_nothing_is_said_where_there_is_no_model(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_text(ROWS)
    folder = Folder(str(tmp_path / "run"))
    run(job_of(path, "bur"), folder, in_this_process)
    assert not folder.exists(SIGNATURES)
