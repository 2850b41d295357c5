"""`--track` of score and compare: what the tracker is given, and what is refused before anything is scored."""

from __future__ import annotations

import json
import sys
from unittest.mock import MagicMock

import pytest


@pytest.fixture
def tracked(monkeypatch):
    """A stand-in of tensorboardX: the scalars and texts that were written, by name; and the folder."""
    module = MagicMock()
    monkeypatch.setitem(sys.modules, "tensorboardX", module)
    writer = module.SummaryWriter.return_value

    def found():
        numbers = {call.args[0]: call.args[1] for call in writer.add_scalar.call_args_list}
        texts = {call.args[0]: call.args[1] for call in writer.add_text.call_args_list}
        return numbers, texts, module.SummaryWriter.call_args.args[0]

    return found


ROWS = [
    {"id": "s1", "prediction": "Tasty bread.", "sources": ["Tasty soup.", "Awful bread."], "values": ["pos", "neg"]},
    {"id": "s2", "prediction": "Tasty.", "sources": ["Tasty soup.", "Awful bread."], "values": ["pos", "neg"]},
    {"id": "s3", "prediction": "", "sources": ["Tasty soup.", "Awful bread."], "values": ["pos", "neg"]},
]


def test_score(fairsum, write_jsonl, tracked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write_jsonl(ROWS)
    plain = fairsum("score", path, "--metrics", "uer", "--format", "json")[1]
    status, out, err = fairsum("score", path, "--metrics", "uer", "--format", "json", "--track", "tensorboard")
    assert (status, out, err.splitlines()[-1].split(":")[0]) == (0, plain, "tensorboard")
    numbers, texts, folder = tracked()
    assert numbers["fairness/uer"] == json.loads(out)["metrics"]["uer"]["uer"]
    assert numbers["fairness/uer_skipped/empty_prediction"] == 1
    assert folder == f"runs/{path.stem}"
    [header, _, row] = texts["fairness/worst_samples"].splitlines()
    assert [cell.strip() for cell in row.strip("|").split("|")] == ["uer", "s2", "0.2500"]
    assert "text" not in header


@pytest.mark.parametrize("workers", ["1", "2"])
def test_texts_and_name(fairsum, write_jsonl, tracked, tmp_path, monkeypatch, workers):
    monkeypatch.chdir(tmp_path)
    options = ("--track", "tensorboard", "--track-texts", "--run-name", "bart", "--workers", workers)
    fairsum("score", write_jsonl(ROWS), "--metrics", "uer,sof", *options)
    _, texts, folder = tracked()
    assert folder == "runs/bart"
    assert "Tasty." in texts["fairness/worst_samples"]
    assert "Tasty bread." not in texts["fairness/worst_samples"]


def test_samples_files_do_not_change(fairsum, write_jsonl, tracked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = write_jsonl(ROWS)
    written = []
    for more in ((), ("--track", "tensorboard")):
        output = tmp_path / f"samples{len(more)}.jsonl"
        fairsum("score", path, "--metrics", "uer", "--samples", output, *more)
        written.append(output.read_text())
    assert written[0] == written[1]


def test_compare(fairsum, write_jsonl, tracked, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    a, b = (tmp_path / f"{name}.jsonl" for name in ("before.v1", "after"))
    for path in (a, b):
        path.write_bytes(write_jsonl(ROWS).read_bytes())
    assert fairsum("compare", a, b, "--metrics", "uer", "--track", "tensorboard")[0] == 0
    numbers, texts, folder = tracked()
    assert numbers["fairness/uer_difference"] == 0.0
    assert folder == "runs/before-after"
    assert "fairness/worst_samples" not in texts


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--track", "wandbb"), "score: error: track: unknown tracker 'wandbb'; did you mean wandb? The trackers are "),
        (("--track-texts",), "score: error: --track-texts applies only with --track; name a tracker"),
        (("--run-name", "x"), "score: error: --run-name applies only with --track; name a tracker"),
    ],
)
def test_refused_before_the_file_is_read(fairsum, options, message):
    status, out, err = fairsum("score", "no-such-file.jsonl", *options)
    assert (status, out) == (2, "")
    assert err.startswith(f"fairsum {message}")
    assert err.count("\n") == 1


def test_texts_that_are_not_read_are_not_tracked(fairsum, monkeypatch):
    monkeypatch.setattr("fairsum_utils.integrations.tracking.require_tracker", lambda name: None)
    options = ("--track", "tensorboard", "--track-texts", "--metrics", "equal_coverage", "--entailer", "lexical")
    others = ("--coverage-column", "coverage", "--prediction-column", "none")
    status, _, err = fairsum("score", "no-such-file.jsonl", *options, *others)
    assert status == 2
    assert "--track-texts needs the texts" in err


def test_a_missing_tracker_is_told_first(fairsum, monkeypatch):
    monkeypatch.setitem(sys.modules, "mlflow", None)
    status, _, err = fairsum("score", "no-such-file.jsonl", "--track", "mlflow")
    assert (status, err.count("\n")) == (2, 1)
    assert err.startswith("fairsum score: error: mlflow is needed to track results with mlflow, but cannot be imported")
    assert "[mlflow]" in err
