"""The loading script of counterfactual news, what the versions of `datasets` make of it, and its card."""

import contextlib
import importlib.util
import inspect
import io
import re
from dataclasses import fields
from pathlib import Path

import pytest

from fairsum_utils.corpora.counterfactual_ontonotes import COLUMNS, COMMON, CONFIGURATIONS, OPTIONS
from fairsum_utils.counterfactual.documents import parse_document, write_documents
from fairsum_utils.counterfactual.mini_news import mini_news

datasets = pytest.importorskip("datasets")

FOLDER = Path(__file__).resolve().parents[2] / "datasets" / "counterfactual_ontonotes"
RUNS_SCRIPTS = int(datasets.__version__.split(".")[0]) < 4
CARD = (FOLDER / "README.md").read_text(encoding="utf-8")


@pytest.fixture
def news(tmp_path: Path) -> Path:
    path = tmp_path / "news.jsonl"
    write_documents(mini_news()[:2], path)
    return path


def test_the_script_defines_the_class_itself() -> None:
    path = FOLDER / "counterfactual_ontonotes.py"
    spec = importlib.util.spec_from_file_location("counterfactual_ontonotes_script", path)
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    builders = [v for v in vars(script).values() if inspect.isclass(v) and issubclass(v, datasets.DatasetBuilder)]
    assert [builder.__name__ for builder in builders] == ["CounterfactualOntoNotes"]
    assert set(builders[0].builder_configs) == set(CONFIGURATIONS)


@pytest.mark.skipif(not RUNS_SCRIPTS, reason="this version of datasets runs no scripts")
def test_the_script_runs(news: Path, tmp_path: Path) -> None:
    from fairsum_utils.corpora import iter_rows

    options = {"data_dir": str(news), "cache_dir": str(tmp_path / "hf"), "trust_remote_code": True}
    rows = datasets.load_dataset(str(FOLDER), "gender_local", split="test", **options)
    assert list(rows) == list(iter_rows("counterfactual_ontonotes", "gender_local", data_dir=news))


@pytest.mark.skipif(RUNS_SCRIPTS, reason="this version of datasets runs scripts")
def test_the_script_is_refused(news: Path) -> None:
    with pytest.raises(RuntimeError, match="Dataset scripts are no longer supported"):
        datasets.load_dataset(str(FOLDER), "gender_local", data_dir=str(news))


def test_the_builder_by_name(news: Path, tmp_path: Path) -> None:
    from fairsum_utils.corpora import iter_rows, load_dataset

    options = {"data_dir": news, "names": "both", "n_inputs": 4}
    rows = load_dataset("counterfactual_ontonotes", "gender_local", cache_dir=tmp_path / "hf", split="test", **options)
    assert list(rows) == list(iter_rows("counterfactual_ontonotes", "gender_local", **options))
    assert len(rows[0]["entities"]) == 4
    assert list(rows.features) == list(COLUMNS)


def test_every_option_is_a_field_of_the_configuration() -> None:
    from fairsum_utils.corpora.builder import CounterfactualOntoNotesConfig

    own = {field.name for field in fields(CounterfactualOntoNotesConfig)}
    assert own - {field.name for field in fields(datasets.BuilderConfig)} == {*COMMON, *OPTIONS}


def test_the_card_names_every_configuration_column_and_option() -> None:
    front, body = CARD.removeprefix("---\n").split("\n---\n", 1)
    assert front.split("config_names:\n")[1].splitlines() == [f"- {name}" for name in CONFIGURATIONS]
    for name, configuration in CONFIGURATIONS.items():
        groups = ", ".join(configuration.attributes["group"] or ()) or "none"
        names = {"first": "first", "both": "first and last", None: "none"}[configuration.options.get("names")]
        rows = "" if configuration.rows is None else f"{configuration.rows:,} "
        assert f"| `{name}` | {groups} | {names} | {rows}|" in body
    for column in COLUMNS:
        assert f"| `{column}` |" in body
    for option in OPTIONS:
        assert f"| `{option}` |" in body


def test_the_card_s_document_can_be_read() -> None:
    import json

    [text] = re.findall(r"```json\n(.*?)```", CARD, re.DOTALL)
    document = parse_document(json.loads(text), "card")
    assert [document.text[slice(*mention[:2])] for mention in document.chains[0]] == ["Mr. Lee", "he"]


def test_the_card_s_example_runs() -> None:
    [code] = [code for code in re.findall(r"```python\n(.*?)```", CARD, re.DOTALL) if "inventory" in code]
    [output] = re.findall(r"```\n(480.*?)```", CARD, re.DOTALL)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(code, {})
    assert printed.getvalue() == output
