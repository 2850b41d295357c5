"""The folders of modules and data sets, of a repository and of an installed package."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

import fairsum_utils
from fairsum_utils._util.installation import install_command
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.hub import folders
from fairsum_utils.hub.folders import metric_names
from fairsum_utils.measures import measure_names

ROOT = Path(__file__).parents[2]


def test_every_measure_and_data_set_of_the_repository() -> None:
    assert set(folders.metric_names()) == set(measure_names())
    assert {"bold", "coverage_sets", "perspectivesumm"} <= set(folders.dataset_names())
    assert folders.metric_folder("bur") == folders.metric_folder("fairsum/bur") == ROOT / "metrics" / "bur"
    assert folders.dataset_folder("bold") == folders.dataset_folder("fairsum/bold") == ROOT / "datasets" / "bold"


@pytest.mark.parametrize(
    "name", ["rouge", "", "fairsum/", "other/bur", "../datasets/bold", "fairsum/fairsum/bur", None]
)
def test_unknown_names_say_what_there_is(name: str) -> None:
    with pytest.raises(InputError) as caught:
        folders.metric_folder(name)
    assert str(caught.value) == f"there is no module {name!r}; choose one of {', '.join(folders.metric_names())}"
    with pytest.raises(InputError, match="there is no data set 'bur'; choose one of bold, "):
        folders.dataset_folder("bur")


def test_an_installed_package_uses_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "fairsum_utils"
    shipped = package / "_folders" / "metrics"
    for folder in (shipped / "bur", shipped / "unfinished", tmp_path / "metrics" / "of_another_project"):
        folder.mkdir(parents=True)
        (folder / "app.py").touch()
    (shipped / "bur" / "bur.py").touch()
    (tmp_path / "metrics" / "of_another_project" / "of_another_project.py").touch()
    monkeypatch.setattr(folders, "_PACKAGE", package)
    assert folders.metric_names() == ("bur",)
    assert folders.metric_folder("bur") == shipped / "bur"


def test_a_package_without_folders_says_how_to_get_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "_PACKAGE", tmp_path / "fairsum_utils")
    with pytest.raises(FairSumError, match="was built without its datasets; install it again with: pip install"):
        folders.dataset_folder("bold")


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


def test_modules_load_without_their_extra_and_name_it_when_they_compute(messages: Callable[..., list[str]]) -> None:
    texts = {"predictions": ["You sat.", "We sat."] * 2, "groups": ["a", "a", "b", "b"]}
    news = {name: SAMPLES[name] for name in ("predictions", "sources")}
    calls = [("toxicity", texts), ("equal_coverage", SAMPLES), ("entity_hallucination", news)]
    said = messages(calls, "torch", "spacy")
    for message, (package, extra) in zip(said, [("torch", "neural")] * 2 + [("spacy", "ner")], strict=True):
        assert f"(No module named '{package}'" in message
        assert message.endswith(f"Install it with: {install_command(extra)}")
