import json
import pickle
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.corpora import corpora, load_dataset

datasets = pytest.importorskip("datasets")
builder = pytest.importorskip("fairsum_utils.corpora.builder")

SMALL: dict[str, Any] = {"sizes": [4], "samples_per_cell": 3, "min_tokens": 1}
PUBLISHED = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "perspectivesumm"


def load(tweets: Path, tmp_path: Path, **options: Any) -> Any:
    options = {**SMALL, "split": "test", **options}
    return load_dataset("perspectivesumm", "claritin", data_dir=tweets, cache_dir=tmp_path / "hf", **options)


@pytest.mark.parametrize("name", corpora())
def test_configurations_have_every_option(name: str) -> None:
    library = set(vars(datasets.BuilderConfig()))
    for config, (key, described) in zip(
        builder.configurations(name), corpora()[name].configurations.items(), strict=True
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
    monkeypatch.setattr(builder, "_code_digest", lambda: "changed")
    assert load(tweets, tmp_path).cache_files != first.cache_files


@pytest.mark.skipif(not PUBLISHED.is_dir(), reason="the published file is not here")
def test_the_real_file(tmp_path: Path) -> None:
    rows = load_dataset("perspectivesumm", "yelp_gold", data_dir=PUBLISHED, cache_dir=tmp_path / "hf", split="test")
    assert rows.num_rows == 100
    assert {len(references) for references in rows["references"]} == {3}
