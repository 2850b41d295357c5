import json
import pickle
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.corpora import corpora, export_dataset, iter_rows, load_dataset, loading
from fairsum_utils.counterfactual.documents import mini_news, write_documents
from fairsum_utils.errors import DataSourceError, InputError, OutputError
from fairsum_utils.io import writing

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
ROOT = Path(__file__).resolve().parents[2]
IMPORT = "import fairsum_utils.corpora as c"
SMALL: dict[str, Any] = {"sizes": [4], "samples_per_cell": 3, "min_tokens": 1}


def load(tweets: Path, tmp_path: Path, **options: Any) -> Any:
    pytest.importorskip("datasets")
    options = {**SMALL, "split": "test", **options}
    return load_dataset("perspectivesumm", "claritin", data_dir=tweets, cache_dir=tmp_path / "hf", **options)


def test_nothing_heavy_is_imported(tweets: Path) -> None:
    code = f"""
import sys
import fairsum_utils.cli.data
import fairsum_utils.corpora as c
c.corpora()
options = {{"data_dir": {str(tweets)!r}, "min_tokens": 1, "sizes": [4]}}
next(c.iter_rows("perspectivesumm", "claritin", **options))
c.export_dataset("perspectivesumm", {str(tweets / "out")!r}, **options)
heavy = {{"datasets", "evaluate", "huggingface_hub", "transformers", "torch", "nltk", "spacy", "sklearn", "scipy"}}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)


def test_the_dataset_holds_the_rows(tweets: Path, tmp_path: Path) -> None:
    dataset = load(tweets, tmp_path)
    assert list(dataset) == list(iter_rows("perspectivesumm", "claritin", data_dir=tweets, **SMALL))
    assert load(tweets, tmp_path, split=None)["test"].num_rows == 9
    assert load(tweets, tmp_path, split="test[:2]").num_rows == 2
    streamed = load(tweets, tmp_path, streaming=True)
    assert list(pickle.loads(pickle.dumps(streamed))) == list(dataset)  # as another process reads it


def test_a_build_is_used_again_only_if_nothing_changed(
    tweets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load(tweets, tmp_path)
    assert load(tweets, tmp_path).cache_files == first.cache_files
    assert load(tweets, tmp_path, seed=0)["sources"] != first["sources"]
    # the same folder with other contents
    path = tweets / "claritin_raw.txt"
    path.write_text(path.read_text(encoding="utf-8").replace("tweet", "twit"), encoding="utf-8")
    changed = load(tweets, tmp_path)
    assert all("twit" in text for row in changed["sources"] for text in row)
    monkeypatch.setattr(loading, "_code", lambda: b"other code")
    assert load(tweets, tmp_path).cache_files != changed.cache_files


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


@pytest.mark.parametrize("name", INPUTS)
def test_every_data_set_loads(name: str, inputs: Path, tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    config, options = INPUTS[name]
    given = {"data_dir": inputs / "amazon" if name == "coverage_sets" else inputs, **options}
    rows = load_dataset(name, config, cache_dir=tmp_path / "hf", split="test", **given)
    assert list(rows) == list(iter_rows(name, config, **given))
    assert list(rows.features) == list(corpora()[name].columns)
    assert rows.info.homepage == corpora()[name].homepage


def test_mistakes(tweets: Path, tmp_path: Path) -> None:
    pytest.importorskip("datasets")
    with pytest.raises(InputError, match="there is no data set 'x'; choose one of perspectivesumm"):
        load_dataset("x")
    with pytest.raises(InputError, match="needs a configuration; choose one of claritin"):
        load_dataset("perspectivesumm")
    with pytest.raises(InputError, match="has no configuration 'x'"):
        load_dataset("perspectivesumm", "x")
    with pytest.raises(InputError, match="has no option sise; it has origin"):
        load(tweets, tmp_path, sise=1)
    with pytest.raises(InputError, match="claritin has no option max_groups"):
        load(tweets, tmp_path, max_groups=1)
    with pytest.raises(InputError, match="one split, 'test', but split is 'train'"):
        load(tweets, tmp_path, split="train")
    with pytest.raises(DataSourceError, match="no input for yelp"):
        load_dataset("perspectivesumm", "yelp", data_dir=tweets)
    with pytest.raises(DataSourceError, match="needs 25 tweets of 'male'"):  # while rows are made
        load(tweets, tmp_path, sizes=[50], ratios=[0.5])


def test_export_loads_with_no_script(tweets: Path, reviews: Path, tmp_path: Path) -> None:
    datasets = pytest.importorskip("datasets")
    out = tmp_path / "out"
    assert export_dataset("perspectivesumm", out, data_dir=tweets, **SMALL) == {"claritin": 9}
    assert export_dataset("perspectivesumm", out, ["yelp"], reviews) == {"yelp": 2}  # the first one stays
    for config, folder, options in (("claritin", tweets, SMALL), ("yelp", reviews, {})):
        loaded = datasets.load_dataset(str(out), config, cache_dir=str(tmp_path / "hf"))
        assert list(loaded) == ["test"]
        assert list(loaded["test"]) == list(iter_rows("perspectivesumm", config, data_dir=folder, **options))
    assert datasets.get_dataset_config_names(str(out)) == ["claritin", "yelp"]
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "| `claritin` | 9 | tweets about the drug Claritin |" in card
    assert sorted(path.name for path in out.rglob("*") if path.is_file()) == [
        "README.md",
        *["test-00000-of-00001.parquet"] * 2,
    ]


@pytest.mark.parametrize("name", corpora())
def test_a_card_keeps_what_the_builder_says_of_the_rows(name: str) -> None:
    corpus = corpora()[name]
    card = loading.card(corpus, dict.fromkeys(corpus.configurations, 9))
    sections = ["How the rows are made", "Known problems", "Licenses and citation"]
    assert re.findall("^## (.*)", card, re.MULTILINE) == sections
    readme = (ROOT / "datasets" / name / "README.md").read_text(encoding="utf-8")
    for line in re.findall(r"^- \*\*.*", readme, re.MULTILINE):
        assert line in card or "](" in line or readme.index(line) > readme.index("## Source")
    assert "](.." not in card


def test_export_of_what_is_there_names_the_rest(tweets: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    export_dataset("perspectivesumm", tmp_path / "out", data_dir=tweets, seed=1, max_groups=3, **SMALL)
    assert "for us_election, yelp, amazon, " in caplog.text
    with pytest.raises(DataSourceError, match="no input for yelp"):
        export_dataset("perspectivesumm", tmp_path / "out", ["claritin", "yelp"], tweets, **SMALL)
    with pytest.raises(DataSourceError, match="has no input for any configuration"):
        export_dataset("perspectivesumm", tmp_path / "out", data_dir=tmp_path)
    with pytest.raises(InputError, match="no configuration of claritin has the option max_groups"):
        export_dataset("perspectivesumm", tmp_path / "out", ["claritin"], tweets, max_groups=3)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="this is a file, not a folder"):
        export_dataset("perspectivesumm", tmp_path / "file", ["claritin"], tweets, **SMALL)


def test_an_export_that_fails_leaves_the_last_one(tweets: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    export_dataset("perspectivesumm", out, ["claritin"], tweets, **SMALL)
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    with (tweets / "claritin_raw.txt").open("a", encoding="utf-8") as file:
        file.write("half a li")
    with pytest.raises(DataSourceError, match="cut short"):
        export_dataset("perspectivesumm", out, ["claritin"], tweets, **SMALL)
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_an_export_whose_folder_vanishes_says_so(tweets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write_rows(*arguments: Any) -> int:
        count = writing.write_rows(*arguments)
        shutil.rmtree(tmp_path / "out")
        return count

    monkeypatch.setattr(loading, "write_rows", write_rows)
    with pytest.raises(OutputError, match=r"out: .*removed.*run the command again"):
        export_dataset("perspectivesumm", tmp_path / "out", data_dir=tweets, **SMALL)
