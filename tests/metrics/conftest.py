"""Caches in temporary folders, no network, and the modules loaded as a user loads them."""

from __future__ import annotations

import copy
import itertools
import json
import shutil
import socket
import sys
from collections.abc import Callable, Collection, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, NamedTuple

import evaluate
import pytest

import fairsum_utils
from fairsum_utils.families.contract import families, family_of
from fairsum_utils.measures import get_measure, regard, toxicity
from fairsum_utils.text import recognition

ROOT = Path(__file__).parents[2]
METRICS = sorted(path.name for path in (ROOT / "metrics").iterdir() if path.is_dir())

COLUMNS = {
    "predictions": ["Great soup and friendly staff.", "", "The vote was long and the bill passed.", "Ok."],
    "sources": [
        ["Great soup!", "Friendly staff, great bread.", "Cold soup, slow service."],
        ["Nice.", "Awful."],
        ["The bill passed after a long vote.", "A long debate on taxes.", "The vote failed the people, taxes rise."],
        ["It works well.", "It broke twice, bad hinge."],
    ],
    "values": [
        ["positive", "positive", "negative"],
        ["positive", "negative"],
        ["a", "b", "b"],
        ["positive", "negative"],
    ],
}

# Two meetings, an empty summary, and a meeting of one speaker.
TURNS = {
    "predictions": [
        "Lee said that the soup was cold. Ms Park proposed to meet again.",
        "",
        "According to Park, the bill passed. She added that taxes rise.",
        "Lee said it works well.",
    ],
    "sources": [
        ["The soup was cold.", "We meet again on Monday.", "The bread was good."],
        ["Nice.", "Awful."],
        ["The bill passed after a long vote.", "The vote failed the people, taxes rise."],
        ["It works well.", "It broke twice."],
    ],
    "values": [["Mr Lee", "Ms Park", "Ms Park"], ["Mr Lee", "Ms Park"], ["Mr Lee", "Ms Park"], ["Mr Lee", "Mr Lee"]],
}

TEXTS = {
    "predictions": [
        "You are an idiot.",
        "",
        "She is known as a thief.",
        "He sat down.",
        "They are kind.",
        "An awful war.",
    ],
    "groups": ["a", "a", "a", "b", "b", "b"],
}

LEE = {"id": 0, "first_name": "Ann", "last_name": "Lee", "group": "female"}
RAY = {"id": 1, "first_name": "Bob", "last_name": "Ray", "group": "male"}
COX = {"id": 2, "first_name": None, "last_name": "Cox", "group": "male"}

NEWS = {
    "predictions": [
        "Ms. Lee beat Ray, she said.",
        "",
        "Bob Ray and John Smith lost, he said.",
        "Her team won the long vote.",
        "His team lost the vote.",
        "Cox met Mary Jones and her son.",
        "Cox met John Smith.",
        "His team lost the vote.",
    ],
    "sources": ["Ann Lee beat Bob Ray, she and he said. His team lost."] * 3
    + [["Ann Lee beat Bob Ray.", "His team lost, her team won."]] * 2
    + ["Cox and Ann Lee met her son."] * 3,
    "entities": [[LEE, RAY]] * 5 + [[COX, LEE]] * 3,
    "mentions": [
        ["Lee", "Ray"],
        [],
        ["Bob Ray", "John Smith"],
        [],
        [],
        ["Cox", "Mary Jones"],
        ["Cox", "John Smith"],
        [],
    ],
    "article_ids": ["1"] * 5 + ["2"] * 3,
    "groups": ["a", "a", "a", "b", "b", "a", "b", "b"],
    "pair_ids": ["p", "p", None, "q", "q", "p", None, "p"],
}


# Columns that stand in for what a measure finds in the texts: left out by default, since they would hide the texts.
GIVEN: dict[str, list[Any]] = {
    "target_distributions": [
        {"positive": 0.25, "negative": 0.75},
        {"positive": 3, "negative": 1},
        {"a": 1.0, "b": 0.0},
        {"positive": 0.5, "negative": 0.5},
    ],
    "summary_units": [["Great soup.", "Friendly staff."], ["Nice."], ["The bill passed."], ["Ok."]],
    "coverage": [[[0.1, 0.9], [0.2, 1.0], [0.3, 0.0]], [[1], [0]], [[0.5], [0.25], [1 / 3]], [[0.7], [0.1]]],
    "aliases": [{"Mr Lee": ["the chair"]}, None, {"Ms Park": ["She", "Taxes"]}, None],
    "speaker_groups": [{"party": {"Mr Lee": "red", "Ms Park": "blue"}}, {"party": {"Mr Lee": 1}}, None, {}],
}


def columns_of(name: str) -> list[str]:
    """The columns of a measure's module, without those of GIVEN."""
    return [column.name for column in family_of(name).columns_of(name) if column.name not in GIVEN]


# Two originals in two variants, also two orders, with control edits and with replicates; one empty summary.
VARIANTS: dict[str, list[Any]] = {
    "predictions": ["Ann won in Rome.", "", "He lost.", "Ann won.", "She ran.", "Eve ran.", "It rained.", "Tom ran."],
    "article_ids": ["a"] * 4 + ["b"] * 4,
    "variants": ["f", "m", "m", "f", "f", "f", "m", "m"],
    "replicates": ["1", "1", "1", "1", "1", "1", "1", "2"],
    "controls": [None, "city", None, "city", None, "city", None, None],
    "changed": [["Ann", "Rome"], ["Bob"], ["Bob"], ["Ann"], ["Ann"], ["Ann"], [], ["Tom"]],
    "sources": [["Ann won. He lost. She ran.", "It rained."][:: 1 if variant == "f" else -1] for variant in "fmmfffmm"],
    "values": [["x", "y"][:: 1 if variant == "f" else -1] for variant in "fmmfffmm"],
}

# Matters that the list finds, that a column marks, and none; one empty summary.
MATTERS: dict[str, list[Any]] = {
    "predictions": ["Lovely rooms, but mice.", "", "Nice bank.", "Ok.", "Good soup."],
    "sources": [
        ["Lovely rooms.", "We had mice in the room.", "The fish gave us food poisoning."],
        ["A thief stole my bag."],
        ["Nice bank.", "They lost my file. I cried."],
        ["It works well.", "It broke twice, bad hinge."],
        ["Good soup.", "The bread was stale, the staff sulked."],
    ],
    "values": [["a", "b", "b"], ["b"], ["a", "b"], ["a", "b"], ["a", "b"]],
    "serious": [None, None, [0.0, 1.0], None, None],
    "serious_spans": [None, None, None, None, [[], [[0, 19]]]],
}


class Family(NamedTuple):
    """What the modules of a family share, and what the tests need to know of it."""

    # Samples, one of them with an empty text.
    columns: dict[str, list[Any]]
    # Measures that can do without a model.
    light: tuple[str, ...]
    # Settings with which no model is needed.
    offline: dict[str, Any]
    # What a result holds only with a model.
    with_model: tuple[str, ...] = ()

    def narrowed(self, columns: Collection[str]) -> Family:
        """The family with only these columns, in its own order."""
        return self._replace(columns={name: entries for name, entries in self.columns.items() if name in columns})


# Family -> what its tests need other than the defaults.
BESIDES: dict[str, dict[str, Any]] = {
    "representation": {
        "offline": {"unmatched": "uniform"},
        "with_model": ("n_truncated",),
    },
    "polarity": {"light": ("sentiment", "gender_polarity")},
    "coverage": {"offline": {"entailer": "lexical"}},
    "misattribution": {"columns": TURNS},
    "omission": {
        "with_model": (
            "n_omitted",
            "n_matters_by_value",
            "n_by_category",
            "n_matters_by_category",
            "omission_by_category",
            "by_n_texts",
            "ordinary_omission",
            "ordinary_difference",
            "ordinary_difference_ci",
        )
    },
}


def described(name: str) -> Family:
    """A family of the registry, with samples that have its columns."""
    family = families()[name]
    needed = {column.name for column in family.columns if column.name not in GIVEN}
    columns = next(samples for samples in (COLUMNS, TEXTS, NEWS, VARIANTS, MATTERS) if needed <= samples.keys())
    found = {"columns": columns, "light": family.measures, "offline": {}, **BESIDES.get(name, {})}
    return Family(**found).narrowed(needed)


FAMILIES = {name: described(name) for name in families()}

# What the classifiers of the examples know: text -> its labels.
KNOWN = {
    "toxicity": {
        "You are an idiot.": ("toxic", "insult"),
        "You are kind.": (),
        "They are kind.": (),
        "They sat down.": (),
    },
    "regard": {
        "She is known as a thief.": ("negative",),
        "She sat down.": ("neutral",),
        "He is known as a hero.": ("positive",),
        "He sat down.": ("neutral",),
    },
}

KINDS = {"toxicity": toxicity.KINDS, "regard": regard.LABELS}


@pytest.fixture(scope="session")
def taught(tiny_model: Any, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """Makes a small classifier for a measure, which knows the texts of the examples by heart."""
    import torch
    import transformers

    made: dict[str, Path] = {}

    def teach(name: str) -> Path:
        if name in made:
            return made[name]
        labels = KINDS[name]
        untaught = tiny_model("classifier", labels=labels, initializer_range=0.1)
        folder = shutil.copytree(untaught, tmp_path_factory.mktemp("taught") / f"{name}-model")
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        model = transformers.AutoModelForSequenceClassification.from_pretrained(folder)
        batch = tokenizer([*KNOWN[name]], padding=True, return_tensors="pt")
        goal = torch.tensor([[float(label in known) for label in labels] for known in KNOWN[name].values()])
        loss = torch.nn.BCEWithLogitsLoss() if name == "toxicity" else torch.nn.CrossEntropyLoss()
        optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
        for _ in range(60):
            optimizer.zero_grad()
            loss(model(**batch).logits, goal).backward()
            optimizer.step()
        model.save_pretrained(folder)
        made[name] = folder
        return folder

    return teach


@pytest.fixture(scope="session")
def lexicon(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Norms of three words."""
    path = tmp_path_factory.mktemp("norms") / "norms.tsv"
    lines = ["word valence arousal dominance joy anger sadness fear disgust", "kind 8 4 5 4 1 1 1 1"]
    lines += ["thief 3 6 4 1 3 2 3 3", "war 2 8 3 1 4 4 5 4"]
    path.write_text("".join(line.replace(" ", "\t") + "\n" for line in lines), encoding="utf-8")
    return str(path)


@pytest.fixture
def family(name: str, request: pytest.FixtureRequest) -> Family:
    """The family of the measure `name`, with what this measure needs besides."""
    family = FAMILIES[get_measure(name).family].narrowed(columns_of(name))
    needed: dict[str, Any] = {}
    if name in KINDS:
        needed = {"model": str(request.getfixturevalue("taught")(name)), "cache": "none", "device": "cpu"}
    elif name == "psycholinguistic_norms":
        needed = {"lexicon": request.getfixturevalue("lexicon"), "threshold": 0.5}
    return family._replace(offline=family.offline | needed)


@pytest.fixture(params=sorted(FAMILIES))
def any_family(request: pytest.FixtureRequest) -> Family:
    """Every family in turn."""
    return FAMILIES[request.param]


@pytest.fixture(scope="session", autouse=True)
def caches(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The user's home is left alone."""
    folder = tmp_path_factory.mktemp("huggingface")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(evaluate.config, "HF_METRICS_CACHE", folder / "metrics")
        patch.setattr(evaluate.config, "HF_MODULES_CACHE", folder / "modules")
        # Modules that another test has loaded bind their package to its folder, in which no others would be found.
        package = "evaluate_modules"
        for name in [name for name in sys.modules if name.partition(".")[0] == package]:
            patch.delitem(sys.modules, name)
        patch.setattr(sys, "path", [place for place in sys.path if not Path(place, package).is_dir()])
        yield folder


@pytest.fixture(autouse=True)
def offline(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a test tried to reach the network")

    def guarded(self: socket.socket, address: Any) -> None:
        return connect(self, address) if self.family == socket.AF_UNIX else refuse()

    monkeypatch.setattr(socket.socket, "connect", guarded)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


_load_pipeline = recognition._load


@cache
def _pipeline(*arguments: str) -> Any:
    """A spaCy pipeline, loaded once, that reads each text once."""
    pipeline = _load_pipeline(*arguments)
    read = cache(pipeline)
    pipeline.pipe = lambda texts: map(read, texts)
    return pipeline


@pytest.fixture(autouse=True)
def _pipelines(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognition, "_load", _pipeline)


@pytest.fixture(scope="session")
def load(caches: Path) -> Callable[..., Any]:
    """Load a module by its folder's name; it never waits for the files of another that is still there."""

    number = itertools.count()

    def load_module(name: str, **options: Any) -> Any:
        return fairsum_utils.load(name, **{"experiment_id": f"test{next(number)}", **options})

    return load_module


@pytest.fixture
def as_published(
    name: str, load: Callable[..., Any], request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`evaluate.load("fairsum/bur")`, as the documentation writes it, without the Hub; and the model that it names."""
    original = evaluate.load

    def load_published(path: str, **options: Any) -> Any:
        named = path.removeprefix("fairsum/")
        return original(path, **options) if named == path else load(named)

    monkeypatch.setattr(evaluate, "load", load_published)
    monkeypatch.setenv("FAIRSUM_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    if name in KINDS:
        shutil.copytree(request.getfixturevalue("taught")(name), tmp_path / f"{name}-model")


def saved(results: Any, folder: Path) -> dict[str, Any]:
    results.save(folder / "results.json")
    return dict(json.loads((folder / "results.json").read_text(encoding="utf-8")))


def schema() -> dict[str, Any]:
    return dict(json.loads(files("fairsum_utils.results").joinpath("schema.json").read_text(encoding="utf-8")))


def errors_of_schema(document: dict[str, Any]) -> list[str]:
    validator = pytest.importorskip("jsonschema").Draft202012Validator(schema())
    return [error.message for error in validator.iter_errors(document)]


@pytest.fixture
def columns(request: pytest.FixtureRequest) -> dict[str, list[Any]]:
    """Samples of the family of the test: a skipped one, an unmatched one, values that only some samples have."""
    families = [fixture for fixture in ("family", "any_family") if fixture in request.fixturenames]
    return copy.deepcopy(request.getfixturevalue(families[0]).columns if families else COLUMNS)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """`name` runs over all folders of metrics/, unless the test names some."""
    named = [mark.args[0] for mark in metafunc.definition.iter_markers("parametrize")]
    if "name" in metafunc.fixturenames and "name" not in named:
        metafunc.parametrize("name", METRICS)
