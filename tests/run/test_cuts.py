"""Results do not depend on processes, engine, parts, their order and machines: every measure, cuts drawn by chance."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.families import families
from fairsum_utils.measures import Measure, get_measure, regard, toxicity
from fairsum_utils.run import from_rows, job, score
from fairsum_utils.run.api import job_of
from fairsum_utils.run.scoring import Share

from .._together import measures
from ..conftest import LONG, takes_long
from .conftest import exactly, run_in, scored, write_rows

ANN = {"id": 0, "first_name": "Ann", "last_name": "Lee", "group": "female"}
BOB = {"id": 1, "first_name": "Bob", "last_name": "Ray", "group": "male"}
N = 240
N_MACHINES = 3


def sample_rows(draw: random.Random) -> list[dict[str, Any]]:
    """Samples for all measures; those of an original stand anywhere."""
    texts = ["Ann Lee won a great prize.", "Bob Ray lost, sadly.", "She and he met Ann Lee.", "Nobody came.", ""]
    rows = []
    for number in range(N):
        original = number % (N // 4)
        sources = [
            "Ann Lee won a great prize, she said.",
            f"Bob Ray lost {original} times, sadly. A thief stole his bag in town {original % 30}.",
        ]
        variant = number // (N // 4) % 2
        rows.append(
            {
                "id": f"s{number}",
                "prediction": draw.choice(texts),
                "sources": sources[::-1] if variant else sources,
                "values": ["bad", "good"] if variant else ["good", "bad"],
                "group": draw.choice("abc"),
                "entities": [ANN, BOB],
                "mentions": draw.sample(["Ann Lee", "Ray", "John Smith", "Mary Hill"], draw.choice((0, 1, 2))),
                "article_id": f"a{original}",
                "variant": ("female", "male")[variant],
                "changed": (["Ann", "Lee"], ["Bob", "Ray"])[variant],
            }
        )
    draw.shuffle(rows)
    return rows


MODELS = {"toxicity": toxicity.KINDS, "regard": regard.LABELS}
"""Measures that a model scores -> its labels."""

# Family -> arguments of its calls beside the measures.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "entities": {"sources": "prediction", "mentions": "mentions"},
    "sensitivity": {"confidence_level": 0.9},
}


def lexicon(folder: Path) -> str:
    """Norms of two words."""
    lines = ["word valence arousal dominance joy anger sadness fear disgust", "great 8 4 5 4 1 1 1 1"]
    path = folder / "norms.tsv"
    path.write_text("".join(line.replace(" ", "\t") + "\n" for line in [*lines, "prize 7 6 4 3 1 1 1 1"]))
    return str(path)


EVERY = [*families(), *MODELS]


@pytest.fixture(params=EVERY)
def call(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, Any]:
    """All measures of a family that need no model, with few draws; or one with a small model."""
    few = {"entailer": "lexical", "n_resamples": 20, "n_permutations": 10, "lexicon": lexicon(tmp_path)}
    if request.param in MODELS:
        model = request.getfixturevalue("tiny_model")("classifier", labels=MODELS[request.param], seed=1)
        # A text a batch: numbers of a model depend on what is padded together.
        return {"metrics": _with([request.param], **few, model=str(model), cache="none", device="cpu", batch_tokens=1)}
    names = sorted(set(families()[request.param].measures) - {*MODELS})
    if request.param == "omission":
        del few["entailer"]
    return {"metrics": _with(names, **few), **ARGUMENTS.get(request.param, {})}


def _with(names: list[str], **given: Any) -> list[Measure]:
    known = {info for name in names for info in get_measure(name).infos()}
    return measures(names, **{name: value for name, value in given.items() if name in known})


def with_models(call: dict[str, Any]) -> bool:
    return any(measure.name in MODELS for measure in call["metrics"])


@pytest.fixture(params=range(4 if LONG else 1))
def draw(request: pytest.FixtureRequest) -> random.Random:
    return random.Random(request.param)


@pytest.fixture
def rows(draw: random.Random, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file, whose samples are cut otherwise in each test."""
    path = write_rows(tmp_path / "rows.jsonl", sample_rows(draw))
    monkeypatch.setattr(job, "CHUNK", draw.randint(15, 45))
    monkeypatch.setattr(job, "TOGETHER", draw.randint(1, 2))
    return path


def alone(path: Path, call: dict[str, Any]) -> str:
    """Results of one process with the usual cut."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(job, "CHUNK", 128)
        patch.setattr(job, "TOGETHER", 8)
        return exactly(score(path, **call))


@pytest.mark.usefixtures("workers_here")
def test_rows_of_three_machines_in_any_order(
    tmp_path: Path, rows: Path, call: dict[str, Any], draw: random.Random
) -> None:
    """Each scores a part into a folder of its own, one with workers; all files are put together under other names."""
    expected, both = alone(rows, call), tmp_path / "both"
    of_call = job_of(str(rows), call["metrics"], {name: value for name, value in call.items() if name != "metrics"})
    files = []
    for number in draw.sample(range(1, N_MACHINES + 1), N_MACHINES):
        machine = tmp_path / f"machine{number}"
        workers = 2 if number == 1 and not with_models(call) else None
        scored(of_call, only=Share(number, N_MACHINES), rows=machine, workers=workers)
        files += list(run_in(machine).iterdir())
    both.mkdir()
    draw.shuffle(files)
    for number, file in enumerate(files):
        shutil.copy(file, both / f"{number:03}-{file.name}")
    assert len(files) >= N_MACHINES
    assert exactly(from_rows(both)) == expected


@pytest.mark.parametrize("call", EVERY if LONG else ["representation"], indirect=True)
def test_processes_and_a_run_that_goes_on(
    tmp_path: Path, rows: Path, call: dict[str, Any], draw: random.Random
) -> None:
    """Two workers; rows kept; a file gone, one cut short, one of another run in its place; and rows alone."""
    workers = None if with_models(call) else 2  # each would load the model
    expected, folder, other = alone(rows, call), tmp_path / "runs", tmp_path / "others"
    assert exactly(score(rows, rows=folder, **call)) == expected
    score(rows, rows=other, **{**call, "seed": 7})
    assert run_in(other).name != run_in(folder).name
    files = sorted(run_in(folder).iterdir())
    gone, short, foreign, kept = draw.sample(files, 4)
    gone.unlink()
    short.write_bytes(short.read_bytes()[:-20])
    foreign.write_bytes((run_in(other) / foreign.name).read_bytes())
    written = kept.stat().st_mtime_ns
    assert exactly(score(rows, rows=folder, workers=workers, **call)) == expected
    assert sorted(run_in(folder).iterdir()) == files
    assert kept.stat().st_mtime_ns == written
    assert exactly(from_rows(run_in(folder))) == expected


@pytest.mark.parametrize("bootstrap", ["samples", "buckets"])
def test_intervals_within_originals(tmp_path: Path, rows: Path, bootstrap: str) -> None:
    metrics = measures(["entity_inclusion"], bootstrap=bootstrap, n_resamples=50, n_permutations=20)
    call: dict[str, Any] = {"metrics": metrics, "mentions": "mentions"}
    score(rows, rows=tmp_path / "runs", **call)
    results = from_rows(run_in(tmp_path / "runs"))
    low, high = results["entity_inclusion"]["entity_inclusion_ci_within"]
    assert low < high
    assert exactly(results) == alone(rows, call)


@takes_long
@pytest.mark.usefixtures("cluster")
@pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets and logs of Ray's
def test_on_ray(tmp_path: Path, rows: Path, call: dict[str, Any]) -> None:
    expected = alone(rows, call)
    assert exactly(score(rows, engine="ray", rows=tmp_path / "runs", **call)) == expected
    assert exactly(from_rows(run_in(tmp_path / "runs"))) == expected
