"""Runs of inspect-ai itself, in processes of their own: it leaves a handler in the logging of the one it runs in."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import score
from fairsum_utils._util.installation import install_command
from fairsum_utils.errors import MissingDependencyError

# Runs tasks with a model that gives the answers in turn; prints their logs.
RUN = """
import json, sys
from itertools import cycle
from inspect_ai import eval
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from fairsum_utils.integrations import inspect_ai as adapter

def scripted(answers):
    turn = cycle(answers)
    def answer(*_):
        output = ModelOutput.from_content("scripted", next(turn))
        output.usage = ModelUsage()  # else it would count tokens, with a table that it downloads
        return output
    return get_model("mockllm/model", custom_outputs=answer, memoize=False)

for task, arguments, answers, options in json.load(sys.stdin):
    task = getattr(adapter, task)(**arguments)
    [log] = eval(task, model=scripted(answers), display="none", log_dir=".", max_samples=1, **options)
    print(log.model_dump_json())
"""


def start(*words: str, folder: Path, text: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    own = {name: str(folder) for name in ("HF_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
    return subprocess.run(
        [sys.executable, *words],
        input=text,
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env={**os.environ, **own, "HF_HUB_OFFLINE": "1", **environment},
    )


def test_without_the_package_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    with pytest.raises(MissingDependencyError, match=re.escape(install_command("inspect"))):
        runpy.run_module("fairsum_utils.integrations.inspect_ai")


@pytest.fixture(scope="module")
def logs(inputs: Path, small: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What came of runs that share a process."""
    pytest.importorskip("inspect_ai")
    gender = {"config": "gender", "data_dir": str(inputs)}
    claritin = {"config": "claritin", "data_dir": str(inputs), **small}
    bold = ["he left, sad and awful.", " she is lovely.", "\nshe, girl", ", good", "his", "nice."]
    summaries = ["A male tweet, and male.", "Female tweets. ", "", "male, female"]
    runs = {
        "bold": ("bold", gender, bold, {}),
        "perspectivesumm": ("perspectivesumm", claritin, summaries, {"epochs": 2}),
    }
    done = start("-c", RUN, folder=tmp_path_factory.mktemp("runs"), text=json.dumps([*runs.values()]))
    assert done.returncode == 0, done.stderr
    return dict(zip(runs, map(json.loads, done.stdout.splitlines()), strict=True))


def outcome(log: Any) -> tuple[dict[str, float], list[Any]]:
    """Its scores and its samples."""
    assert log["status"] == "success", log["error"]
    [of_scorer] = log["results"]["scores"]
    return {name: found["value"] for name, found in of_scorer["metrics"].items()}, log["samples"]


def answer(sample: Any) -> str:
    text: str = sample["output"]["choices"][0]["message"]["content"]
    return text


def bold_of_library(samples: list[Any]) -> dict[str, Any]:
    texts = [sample["input"] + " " * answer(sample)[:1].isalnum() + answer(sample) for sample in samples]
    return score(texts, [sample["metadata"]["group"] for sample in samples], metrics=["gender_polarity", "sentiment"])


def test_bold_scores_as_the_library(logs: dict[str, Any]) -> None:
    scores, samples = outcome(logs["bold"])
    expected = bold_of_library(samples)
    parts = {
        f"{name}_{group}_{label}": share
        for name, found in expected.items()
        for group, shares in found["proportions_by_group"].items()
        for label, share in shares.items()
    }
    assert scores == {name: found[name] for name, found in expected.items()} | parts
    assert scores["gender_polarity"] > 0 < scores["sentiment"]
    labels = {answer(sample): sample["scores"]["polarity"]["value"] for sample in samples}
    assert labels["he left, sad and awful."] == {"gender_polarity": "male", "sentiment": "negative"}


def test_perspectivesumm_scores_as_the_library_over_all_epochs(logs: dict[str, Any]) -> None:
    scores, samples = outcome(logs["perspectivesumm"])
    columns = ([sample["metadata"][name] for sample in samples] for name in ("sources", "values"))
    expected = score([answer(sample) for sample in samples], *columns, return_samples=True)
    parts = {
        f"{name}_{value}": own for name, found in expected.items() for value, own in found[f"{name}_by_value"].items()
    }
    assert scores == {name: found[name] for name, found in expected.items()} | parts
    assert min(scores[name] for name in expected) > 0
    [of_scorer] = logs["perspectivesumm"]["results"]["scores"]
    assert (of_scorer["scored_samples"], of_scorer["unscored_samples"]) == (14, 4)
    for index, sample in enumerate(samples):
        own = sample["scores"]["representation"]
        if answer(sample):
            assert own["value"] == {name: expected[name]["samples"][index][name] for name in ("bur", "uer", "auc")}
        else:
            assert own["reason"] == "empty_prediction"


def test_the_command_finds_the_task_and_runs_a_model_of_theirs(inputs: Path, tiny_model: Any, tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    folder = tiny_model("causal", max_tokens=512)
    words = (
        f"-m inspect_ai eval fairsum_utils/bold -T config=gender --model hf/tiny -M model_path={folder} -M device=cpu"
    )
    words += " --display plain --log-format json --log-dir logs"
    done = start(*words.split(), folder=tmp_path, FAIRSUM_DATA_DIR=str(inputs))
    assert done.returncode == 0, done.stdout + done.stderr
    [file] = (tmp_path / "logs").glob("*.json")
    log = json.loads(file.read_text(encoding="utf-8"))
    scores, samples = outcome(log)
    assert {name: scores[name] for name in ("gender_polarity", "sentiment")} == {
        name: found[name] for name, found in bold_of_library(samples).items()
    }
    config = log["plan"]["config"]
    found = [config[name] for name in ("max_tokens", "temperature", "top_p", "top_k")]
    assert found == [20, 1.0, 0.95, 40]


# Scores the log of a task that knows nothing of fairsum; prints the scores.
SCORE_LOG = """
import json
from inspect_ai import Task, eval, score
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate
from fairsum_utils.integrations.inspect_ai import fairness

def answer(messages, *_):
    output = ModelOutput.from_content("scripted", messages[-1].text)
    output.usage = ModelUsage()
    return output

texts = ["Tasty soup.", "Tasty soup, cold bread.", ""]
metadata = {"sources": ["Tasty soup.", "Cold bread."], "values": ["pos", "neg"], "groups": "a"}
samples = [Sample(input=text or " ", metadata=metadata) for text in texts]
model = get_model("mockllm/model", custom_outputs=answer, memoize=False)
[log] = eval(Task(MemoryDataset(samples), solver=generate()), model=model, display="none", log_dir=".")
for scorer in (fairness("bur"), fairness("sof"), fairness("sentiment")):
    done = score(log, scorer, action="overwrite", display="none")
    [found] = done.results.scores
    values = [sample.scores["fairness"].value for sample in done.samples]
    print(json.dumps([{name: metric.value for name, metric in found.metrics.items()}, values]))
"""


def test_every_measure_scores_an_existing_log(tmp_path: Path) -> None:
    pytest.importorskip("inspect_ai")
    done = start("-c", SCORE_LOG, folder=tmp_path)
    assert done.returncode == 0, done.stderr
    bur, sof, sentiment = map(json.loads, done.stdout.splitlines())
    expected = score(
        ["Tasty soup.", "Tasty soup, cold bread.", ""],
        [["Tasty soup.", "Cold bread."]] * 3,
        [["pos", "neg"]] * 3,
        metrics=["bur", "sof"],
    )
    assert bur[1] == [1.0, 0.0, "no score"]
    assert [bur[0]["bur_ci_low"], bur[0]["bur_ci_high"]] == expected["bur"]["bur_ci"]
    assert bur[0]["bur"] == expected["bur"]["bur"] == 0.5
    assert bur[0]["bur_at_random"] == expected["bur"]["bur_at_random"]
    assert sof[0]["sof"] == expected["sof"]["sof"]
    assert sentiment[1] == ["no score"] * 3
