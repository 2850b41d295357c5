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
from fairsum_utils.errors import DataSourceError, InputError, OutputError
from fairsum_utils.io import writing

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
ROOT = Path(__file__).resolve().parents[2]
SMALL: dict[str, Any] = {"sizes": [4], "samples_per_cell": 3, "min_tokens": 1}


def load(tweets: Path, tmp_path: Path, **options: Any) -> Any:
    pytest.importorskip("datasets")
    options = {**SMALL, "split": "test", **options}
    return load_dataset("perspectivesumm", "claritin", data_dir=tweets, cache_dir=tmp_path / "hf", **options)


READ_AND_EXPORT = """
import sys
import fairsum_utils.cli.data
from fairsum_utils.corpora import corpora, export_dataset, iter_rows
corpora()
given = {"data_dir": sys.argv[1], "min_tokens": 1, "sizes": [4]}
next(iter_rows("perspectivesumm", "claritin", **given))
export_dataset("perspectivesumm", "out", **given)
heavy = {"datasets", "evaluate", "huggingface_hub", "transformers", "torch", "nltk", "spacy", "sklearn", "scipy"}
assert not heavy & set(sys.modules), heavy & set(sys.modules)
"""


def test_nothing_heavy_is_imported(tweets: Path, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-c", READ_AND_EXPORT, tweets], cwd=tmp_path, check=True)


def test_the_dataset_holds_the_rows(tweets: Path, tmp_path: Path) -> None:
    dataset = load(tweets, tmp_path)
    assert list(dataset) == list(iter_rows("perspectivesumm", "claritin", data_dir=tweets, **SMALL))
    assert load(tweets, tmp_path, split=None)["test"].num_rows == 9
    assert load(tweets, tmp_path, split="test[:2]").num_rows == 2
    assert list(load(tweets, tmp_path, streaming=True)) == list(dataset)


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


def builder() -> Any:
    return pytest.importorskip("fairsum_utils.corpora.builder")


@pytest.mark.parametrize("name", corpora())
def test_configurations_have_every_option(name: str) -> None:
    library = set(vars(pytest.importorskip("datasets").BuilderConfig()))
    for config, (key, described) in zip(
        builder().configurations(name), corpora()[name].configurations.items(), strict=True
    ):
        assert (config.name, config.description, config.corpus) == (key, described.about, name)
        options = {option: value for option, value in vars(config).items() if option not in {*library, "corpus"}}
        assert options == dict.fromkeys(corpora()[name].options)


def test_a_streamed_data_set_can_be_sent_to_another_process(tweets: Path, tmp_path: Path) -> None:
    streamed = load(tweets, tmp_path, streaming=True)
    assert list(pickle.loads(pickle.dumps(streamed))) == list(streamed)


def test_a_build_is_used_again_only_if_nothing_changed(tweets: Path, tmp_path: Path) -> None:
    first = load(tweets, tmp_path)
    again = load(tweets, tmp_path)
    assert first.cache_files == again.cache_files
    assert load(tweets, tmp_path, seed=42).cache_files == first.cache_files  # the default, spelt out
    other = load(tweets, tmp_path, seed=0)
    assert other["sources"] != first["sources"]
    assert load(tweets, tmp_path, samples_per_cell=1).num_rows == 3
    # the same folder with other contents
    path = tweets / "claritin_raw.txt"
    path.write_text(path.read_text(encoding="utf-8").replace("tweet", "twit"), encoding="utf-8")
    changed = load(tweets, tmp_path)
    assert all("twit" in text for row in changed["sources"] for text in row)
    # another folder
    folder = tmp_path / "other"
    folder.mkdir()
    (folder / "claritin_raw.txt").write_text(path.read_text(encoding="utf-8").replace("twit", "note"), encoding="utf-8")
    assert all("note" in text for row in load(folder, tmp_path)["sources"] for text in row)
    # a published file that turns up beside the raw one
    sample = {"units": [{"text": "a", "value": {"gender": "male"}}], "model_input": "a"}
    (folder / "claritin.json").write_text(json.dumps([sample]), encoding="utf-8")
    published = load_dataset("perspectivesumm", "claritin", data_dir=folder, cache_dir=tmp_path / "hf", split="test")
    assert published.num_rows == 1


def test_other_code_is_another_build(tweets: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = load(tweets, tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", lambda path: b"changed")
        other = builder()._code_digest.__wrapped__()
    monkeypatch.setattr(builder(), "_code_digest", lambda: other)
    assert load(tweets, tmp_path).cache_files != first.cache_files


@pytest.mark.skipif(not SHARED.is_dir(), reason="the published file is not here")
def test_the_real_file(tmp_path: Path) -> None:
    folder = SHARED / "perspectivesumm"
    rows = load_dataset("perspectivesumm", "yelp_gold", data_dir=folder, cache_dir=tmp_path / "hf", split="test")
    assert rows.num_rows == 100
    assert {len(references) for references in rows["references"]} == {3}


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
