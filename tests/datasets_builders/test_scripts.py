"""The loading scripts: what `datasets` 3 makes of them, and what later versions say. Run it under both."""

import inspect
import json
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.corpora import corpora, iter_rows, load_dataset
from fairsum_utils.counterfactual.documents import mini_news, write_documents
from tests.conftest import load_script

datasets = pytest.importorskip("datasets")

ROOT = Path(__file__).resolve().parents[2] / "datasets"
RUNS_SCRIPTS = int(datasets.__version__.split(".")[0]) < 4
CLASSES = {
    "perspectivesumm": "PerspectiveSumm",
    "coverage_sets": "CoverageSets",
    "bold": "Bold",
    "counterfactual_ontonotes": "CounterfactualOntoNotes",
}
INPUTS: dict[str, tuple[str, dict[str, Any]]] = {
    "perspectivesumm": ("claritin", {}),
    "coverage_sets": ("amazon", {"size": 3, "n_sets": 3}),
    "bold": ("gender", {}),
    "counterfactual_ontonotes": ("gender_local", {"names": "both", "n_inputs": 4}),
}


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """A folder with the input of one configuration of every data set."""
    units = [{"text": "b", "value": {"gender": "female"}}, {"text": "a", "value": {"gender": "male"}}]
    files: dict[str, object] = {"claritin.json": [{"units": units, "model_input": "a || b"}]}
    for name, text in (("prompts/gender_prompt", "Jane Doe is "), ("wikipedia/gender_wiki", "Jane Doe is an actress.")):
        files[f"{name}.json"] = {"American_actresses": {"Jane_Doe": [text]}}
    for name, content in files.items():
        path = tmp_path / "in" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    stars = {"P1": (5, 5, 1), "P2": (3, 3, 5), "P3": (1, 1, 3)}
    reviews = [
        {"asin": product, "overall": given, "reviewText": f"This is review {i} of {product}."}
        for product, each in stars.items()
        for i, given in enumerate(each)
    ]
    lines = (json.dumps(review) + "\n" for review in reviews)
    (tmp_path / "in" / "amazon").mkdir()
    (tmp_path / "in" / "amazon" / "a.json").write_text("".join(lines), encoding="utf-8")
    write_documents(mini_news()[:2], tmp_path / "in" / "news.jsonl")
    return tmp_path / "in"


def folder_of(name: str, inputs: Path) -> str:
    return str(inputs / "amazon" if name == "coverage_sets" else inputs)


def test_the_folders_are_those_of_the_data_sets_and_no_packages() -> None:
    assert {path.name for path in ROOT.iterdir() if path.is_dir()} == set(corpora()) == set(CLASSES)
    assert not list(ROOT.rglob("__init__.py"))  # one would hide the library of that name


@pytest.mark.parametrize("name", CLASSES)
def test_the_script_defines_the_class_itself(name: str) -> None:
    script = load_script(ROOT / name / f"{name}.py")
    builders = [v for v in vars(script).values() if inspect.isclass(v) and issubclass(v, datasets.DatasetBuilder)]
    # loaders take the first builder they meet, so a base class imported by name would hide this one
    assert [builder.__name__ for builder in builders] == [CLASSES[name]]
    assert list(builders[0].builder_configs) == list(corpora()[name].configurations)


@pytest.mark.skipif(not RUNS_SCRIPTS, reason="this version of datasets runs no scripts")
@pytest.mark.parametrize("name", CLASSES)
def test_the_script_runs(name: str, inputs: Path, tmp_path: Path) -> None:
    config, options = INPUTS[name]
    given = {"data_dir": folder_of(name, inputs), **options}
    library = {"cache_dir": str(tmp_path / "hf"), "trust_remote_code": True, "split": "test"}
    rows = datasets.load_dataset(str(ROOT / name), config, **given, **library)
    assert list(rows) == list(iter_rows(name, config, **given))
    assert rows.num_rows >= 1


@pytest.mark.skipif(RUNS_SCRIPTS, reason="this version of datasets runs scripts")
@pytest.mark.parametrize("name", CLASSES)
def test_the_script_is_refused(name: str, inputs: Path) -> None:
    with pytest.raises(RuntimeError, match="Dataset scripts are no longer supported"):
        datasets.load_dataset(str(ROOT / name), INPUTS[name][0], data_dir=str(inputs))


@pytest.mark.parametrize("name", CLASSES)
def test_the_builder_by_name(name: str, inputs: Path, tmp_path: Path) -> None:
    config, options = INPUTS[name]
    given = {"data_dir": folder_of(name, inputs), **options}
    rows = load_dataset(name, config, cache_dir=tmp_path / "hf", split="test", **given)
    assert list(rows) == list(iter_rows(name, config, **given))
    assert list(rows.features) == list(corpora()[name].columns)
