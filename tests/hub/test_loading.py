"""Modules by name: from any folder, with `evaluate`'s options, and what a missing package says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

import fairsum_utils
from fairsum_utils._util.installation import install_command
from fairsum_utils.errors import InputError
from fairsum_utils.hub.folders import metric_names

# Packages are hidden as if they were not installed, and the network is shut.
PREAMBLE = """
import json, socket, sys
from importlib.machinery import PathFinder
hidden, (folder,) = set(sys.argv[1].split(",")), sys.argv[2:]
find = PathFinder.find_spec
def not_hidden(name, path=None, target=None):
    return None if name.partition(".")[0] in hidden else find(name, path, target)
PathFinder.find_spec = staticmethod(not_hidden)
def refuse(*_, **__):
    raise AssertionError("something tried to reach the network")
socket.socket.connect = socket.getaddrinfo = refuse
import fairsum_utils
"""
SAMPLES: dict[str, Any] = {
    "predictions": ["Great soup and friendly staff.", "Ok."],
    "sources": [["Great soup!", "Friendly staff.", "Cold soup, slow service."], ["It works well.", "It broke, ok."]],
    "values": [["pos", "pos", "neg"], ["pos", "neg"]],
}
LOAD = f"""
samples = {SAMPLES}
import evaluate
results = [loaded.compute(**samples) for loaded in (fairsum_utils.load("bur"), fairsum_utils.load("fairsum/bur"))]
kept = fairsum_utils.load("bur", keep_in_memory=True, cache_dir=folder + "/own")
added = fairsum_utils.load("bur", config_name="mine", experiment_id="one", cache_dir=folder + "/own")
added.add_batch(**samples)
files = [path.name for path in __import__("pathlib").Path(folder, "own").rglob("*.arrow")]
first, second = (
    fairsum_utils.load("bur", num_process=2, process_id=n, experiment_id="both", cache_dir=folder) for n in (0, 1)
)
every = [fairsum_utils.load(name).name for name in fairsum_utils.hub.folders.metric_names()]
print(json.dumps({{
    "results": [*results, kept.compute(**samples), added.compute()],
    "files": files,
    "options": [added.config_name, added.experiment_id, first.num_process, second.process_id],
    "every": every,
}}))
"""


@pytest.fixture
def run(light: Any, tmp_path: Path) -> Callable[..., CompletedProcess[str]]:
    """Runs code in an empty folder, without some packages."""
    (tmp_path / "empty").mkdir()

    def done(code: str, *hidden: str) -> CompletedProcess[str]:
        words = ["-c", PREAMBLE + code, ",".join(hidden), tmp_path]
        own = {"HF_HOME": str(tmp_path / "huggingface"), "FAIRSUM_CACHE": str(tmp_path / "cache")}
        ended: CompletedProcess[str] = light.start(words, tmp_path / "empty", **own).wait()
        return ended

    return done


def test_from_any_folder_with_evaluate_s_options(run: Callable[..., CompletedProcess[str]]) -> None:
    done = run(LOAD, "transformers")  # which evaluate would import, and that takes long
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found["results"] == [json.loads(json.dumps(fairsum_utils.compute("bur", **SAMPLES)))] * 4
    assert found["files"] == ["one-1-0.arrow"]  # of the module that stores samples, in the folder it was given
    assert found["options"] == ["mine", "one", 2, 1]
    assert found["every"] == list(metric_names())


def test_unknown_module() -> None:
    with pytest.raises(InputError, match="there is no module 'rouge'; choose one of auc, bur, "):
        fairsum_utils.load("rouge")


def test_a_revision_cannot_be_chosen() -> None:
    with pytest.raises(InputError) as caught:
        fairsum_utils.load("fairsum/bur", revision="v0.0.9")
    assert str(caught.value) == (
        "load: revision 'v0.0.9' cannot be had, since bur is loaded from the installed package; for the Hub's use "
        'evaluate.load("fairsum/bur", revision=...)'
    )


CATCH = """
for name, columns in calls:
    try:
        fairsum_utils.load(name).compute(**columns)
    except ImportError as error:
        print(json.dumps([type(error).__name__, str(error)]))
"""


@pytest.fixture
def messages(run: Callable[..., CompletedProcess[str]]) -> Callable[..., list[str]]:
    """Gives what each call says without some packages."""

    def of(calls: list[tuple[str, dict[str, Any]]], *missing: str) -> list[str]:
        done = run(f"calls = {calls}{CATCH}", *missing, "transformers")
        assert done.returncode == 0, done.stderr
        kinds, said = zip(*map(json.loads, done.stdout.splitlines()), strict=True)
        assert kinds == ("MissingDependencyError",) * len(calls)
        return list(said)

    return of


@pytest.mark.parametrize("missing", ["evaluate", "datasets"])
def test_without_evaluate_the_extra_is_named(missing: str, messages: Callable[..., list[str]]) -> None:
    assert messages([("bur", SAMPLES)], missing) == [
        f"evaluate is needed to load the module bur and cannot be imported (No module named '{missing}'). "
        f"Install it with: {install_command('hub')}"
    ]


def test_modules_load_without_their_extra_and_name_it_when_they_compute(messages: Callable[..., list[str]]) -> None:
    texts = {"predictions": ["You sat.", "We sat."] * 2, "groups": ["a", "a", "b", "b"]}
    news = {name: SAMPLES[name] for name in ("predictions", "sources")}
    calls = [("toxicity", texts), ("equal_coverage", SAMPLES), ("entity_hallucination", news)]
    said = messages(calls, "torch", "spacy")
    for message, (package, extra) in zip(said, [("torch", "neural")] * 2 + [("spacy", "ner")], strict=True):
        assert f"(No module named '{package}'" in message
        assert message.endswith(f"Install it with: {install_command(extra)}")
