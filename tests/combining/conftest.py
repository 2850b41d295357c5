"""Samples for all measures, what each gives alone, and other modules to score beside them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType
from typing import Any

import evaluate
import pytest

import fairsum_utils
from fairsum_utils.families import all_measures
from fairsum_utils.families.inputs import all_columns

ROOT = Path(__file__).parents[2]

LEE = {"first_name": "Ann", "last_name": "Lee", "group": "female"}
RAY = {"first_name": "Bob", "last_name": "Ray", "group": "male"}

SAMPLES: dict[str, list[Any]] = {
    "predictions": ["Ms. Lee praised the kind staff, she said.", "", "Ray called the soup awful. He left.", "Ray won."],
    "references": ["Lee liked the staff.", "Both came.", "Ray disliked the soup.", "Ray won the cup."],
    "sources": [
        ["Ann Lee praised the kind staff.", "Bob Ray waited, and he left."],
        ["She came.", "He came."],
        ["Bob Ray called the soup awful.", "Ann Lee praised the soup.", "She stayed, he left."],
        ["Bob Ray won.", "Ann Lee lost."],
    ],
    "values": [["pos", "neg"], ["pos", "neg"], ["neg", "pos", "pos"], ["pos", "neg"]],
    "groups": ["a", "b", "b", "b"],
    "entities": [[LEE, RAY]] * 4,
    "mentions": [["Lee"], [], ["Ray"], ["Ray"]],
    "article_ids": ["1", "1", "2", "2"],
    "variants": ["f", "m", "f", "m"],
}
SAMPLES = {name: column * 2 for name, column in SAMPLES.items()}  # two texts of each group at least

COLUMNS = {name: tuple(column for column in all_columns([name]) if column in SAMPLES) for name in all_measures()}
# Originals of order_sensitivity have the same sources throughout, which these have not.
LIGHT = [name for name in COLUMNS if name not in ("toxicity", "regard", "order_sensitivity")]
REPRESENTATION = ("bur", "uer", "auc", "sof")


def columns_of(*names: str) -> dict[str, list[Any]]:
    """The samples, with the columns that these measures need."""
    return {column: SAMPLES[column] for name in names for column in COLUMNS[name]}


def own(result: dict[str, Any], label: str) -> dict[str, Any]:
    """The part of a result that a measure has in a combination."""
    return {key: entry for key, entry in result.items() if key == label or key.startswith(f"{label}_")}


def alone(name: str, label: str | None = None, /, **options: Any) -> dict[str, Any]:
    """What the measure gives by itself, with its name, or the label that it has, in front of every key."""
    columns = {column: options.pop(column) for column in [*options] if column in SAMPLES} or columns_of(name)
    return named(fairsum_utils.compute(name, **columns, **options), name, label or name)


def named(result: dict[str, Any], name: str, label: str) -> dict[str, Any]:
    has_name = label == name
    return {
        key if has_name and (key == name or key.startswith(f"{name}_")) else f"{label}_{key}": entry
        for key, entry in result.items()
    }


def same_bits(one: Any, other: Any) -> bool:
    """Equal, NaN and types included, whatever the order of the keys."""
    return repr(sorted(one.items())) == repr(sorted(other.items()))


@pytest.fixture
def make(tmp_path: Path) -> Callable[..., Any]:
    """A module from its script, without evaluate's cache of modules."""

    def load(script: str, **options: Any) -> Any:
        path = ROOT / script
        found = ModuleType(path.stem)
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), found.__dict__)
        [kind] = (it for it in vars(found).values() if inspect.isclass(it) and issubclass(it, evaluate.Metric))
        return kind(cache_dir=mkdtemp(dir=tmp_path), **options)  # evaluate waits a second for a folder in use

    return load


@pytest.fixture
def rouge(make: Callable[..., Any]) -> Any:
    pytest.importorskip("rouge_score")
    return make("tests/_rouge_module/rouge.py")


@pytest.fixture
def sacrebleu(make: Callable[..., Any]) -> Any:
    pytest.importorskip("sacrebleu")
    return make("tests/_sacrebleu_module/sacrebleu.py")


@pytest.fixture
def fake(tmp_path: Path) -> Callable[..., Any]:
    """A module that gives what it is told to give, and remembers what it was given."""

    def make_fake(name: str, result: dict[str, Any], columns: Sequence[str] = ("predictions", "references")) -> Any:
        import datasets

        class Fake(evaluate.Metric):
            def _info(self) -> Any:
                features = datasets.Features(dict.fromkeys(columns, datasets.Value("string")))
                return evaluate.MetricInfo(description="", citation="", inputs_description="", features=features)

            def _compute(self, **given: Any) -> Any:
                self.given = given
                return result

        Fake.__name__ = name.capitalize()
        return Fake(cache_dir=str(tmp_path))

    return make_fake
