"""Jobs on small files, cut into smaller shards."""

import json
import time

import pytest
from fairsum_utils.cluster.job import Job
from fairsum_utils.cluster.scoring import Scoring, in_this_process
from fairsum_utils.cluster.shards import Manifest
from fairsum_utils.cluster.worker import Failed

from fairsum_utils.families.inputs import all_columns
from fairsum_utils.io.layout import Layout, choose_columns
from fairsum_utils.io.shapes import Shape
from fairsum_utils.measures import get_measure
from fairsum_utils.session import Request

READING = {"split": None, "encoding": None, "input_format": None, "max_row_bytes": None}


def rows_of(n, **more):
    """Summaries of two reviews, which carry the first, the second or both of them."""
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


def write_rows(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def job_on(path, measures=("bur", "uer"), *, reading=READING, shape=None, settings=None, **more):
    columns = choose_columns(list(all_columns(measures).values()), {})
    layout = Layout(columns, shape or Shape(), by_id="article_ids" in all_columns(measures))
    settings = {"confidence_level": 0.95, **(settings or {})}
    requests = tuple(Request(get_measure(name)(**settings)) for name in measures)
    return Job(path, layout, reading, requests, "score", **more)


def result_of(job):
    """The results of one process, without shards."""
    with job.session() as session, Scoring(job, session) as scoring:
        for _ in scoring.chunks():
            pass
        return dict(scoring.results())


def merged(job, folder):
    """The results of a finished run."""
    with job.session() as session, Scoring.merged(job, session, folder, Manifest.read(folder)) as scoring:
        for _ in scoring.chunks():
            pass
        return dict(scoring.results())


class Recording:
    """An engine that keeps the outcomes of another, and is interrupted after so many shards."""

    def __init__(self, engine=in_this_process, most=1000):
        self.engine, self.most = engine, most
        self.finished, self.failed = [], []

    def __call__(self, job, shards, folder):
        for outcome in self.engine(job, shards, folder):
            (self.failed if isinstance(outcome, Failed) else self.finished).append(outcome.number)
            yield outcome
            if len(self.finished) == self.most:
                raise KeyboardInterrupt


def wait_for(what, seconds=60):
    """Wait until a function returns something true."""
    end = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)
    return found


@pytest.fixture
def rows_file(tmp_path):
    return write_rows(tmp_path / "rows.jsonl", rows_of(100))
