"""The loading script: what `datasets` 3 makes of it, and what later versions say. Run it under both."""

import importlib.util
import inspect
import json
from pathlib import Path

import pytest

datasets = pytest.importorskip("datasets")

ROOT = Path(__file__).resolve().parents[2]
SHARED = ROOT.parent / "shared" / "data"
FOLDER = ROOT / "datasets" / "perspectivesumm"
RUNS_SCRIPTS = int(datasets.__version__.split(".")[0]) < 4


@pytest.fixture
def published(tmp_path: Path) -> Path:
    units = [{"text": "b", "value": {"gender": "female"}}, {"text": "a", "value": {"gender": "male"}}]
    (tmp_path / "claritin.json").write_text(json.dumps([{"units": units, "model_input": "a || b"}]), encoding="utf-8")
    return tmp_path


def test_the_folders_are_no_packages() -> None:
    assert not list((ROOT / "datasets").rglob("__init__.py"))  # one would hide the library of that name


def test_the_script_defines_the_class_itself() -> None:
    spec = importlib.util.spec_from_file_location("perspectivesumm_script", FOLDER / "perspectivesumm.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    builders = [v for v in vars(script).values() if inspect.isclass(v) and issubclass(v, datasets.DatasetBuilder)]
    # loaders take the first builder they meet, so a base class imported by name would hide this one
    assert [builder.__name__ for builder in builders] == ["PerspectiveSumm"]
    assert set(builders[0].builder_configs) == set(script.builder.perspectivesumm.CONFIGURATIONS)


@pytest.mark.skipif(not RUNS_SCRIPTS, reason="this version of datasets runs no scripts")
def test_the_script_runs(published: Path, tmp_path: Path) -> None:
    options = {"data_dir": str(published), "cache_dir": str(tmp_path / "hf"), "trust_remote_code": True}
    [row] = datasets.load_dataset(str(FOLDER), "claritin", split="test", **options)
    assert (row["sources"], row["values"]) == (["a", "b"], ["male", "female"])


@pytest.mark.skipif(RUNS_SCRIPTS, reason="this version of datasets runs scripts")
def test_the_script_is_refused(published: Path) -> None:
    with pytest.raises(RuntimeError, match="Dataset scripts are no longer supported"):
        datasets.load_dataset(str(FOLDER), "claritin", data_dir=str(published))


def test_the_builder_by_name(published: Path, tmp_path: Path) -> None:
    from fairsum_utils.corpora import load_dataset

    [row] = load_dataset("perspectivesumm", "claritin", data_dir=published, cache_dir=tmp_path / "hf", split="test")
    assert row["sources"] == ["a", "b"]


def test_the_card_names_every_configuration() -> None:
    from fairsum_utils.corpora.perspectivesumm import CONFIGURATIONS

    card = (FOLDER / "README.md").read_text(encoding="utf-8")
    front, body = card.removeprefix("---\n").split("\n---\n", 1)
    assert front.split("config_names:\n")[1].splitlines() == [f"- {name}" for name in CONFIGURATIONS]
    for name, configuration in CONFIGURATIONS.items():
        assert f"| `{name}` |" in body
        assert configuration.published in body
        if configuration.rows is not None:
            assert f"| {configuration.rows:,} |" in body


@pytest.mark.skipif(not SHARED.is_dir(), reason="the published file is not here")
def test_the_real_file(tmp_path: Path) -> None:
    from fairsum_utils.corpora import load_dataset

    raw = SHARED / "perspectivesumm"
    rows = load_dataset("perspectivesumm", "yelp_gold", data_dir=raw, cache_dir=tmp_path / "hf", split="test")
    assert rows.num_rows == 100
    assert {len(references) for references in rows["references"]} == {3}
