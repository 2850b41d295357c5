import logging
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.corpora import export_dataset, load_dataset
from fairsum_utils.corpora.coverage_sets import COVERAGE_SETS
from fairsum_utils.errors import DataSourceError, InputError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    lines = [f"{i}\tAtheism\ttweet number {i}\t{'FAVOR' if i % 2 else 'AGAINST'}" for i in range(90)]
    text = "ID\tTarget\tTweet\tStance\n" + "\n".join(lines) + "\n"
    (tmp_path / "semeval2016-task6-trainingdata.txt").write_text(text)
    return tmp_path


OPTIONS: Mapping[str, Any] = {"size": 5, "n_sets": 4, "seed": 3}


def test_mistakes(folder: Path) -> None:
    with pytest.raises(InputError, match="has no configuration 'yelp'; choose one of amazon, mitweet, article_bias"):
        COVERAGE_SETS.open("yelp")
    with pytest.raises(InputError, match="semeval has no attribute 'gender'; choose one of stance"):
        COVERAGE_SETS.open("semeval", attribute="gender", data_dir=folder)
    with pytest.raises(InputError, match="semeval has no option max_reviews; it has attribute, seed, n_sets"):
        COVERAGE_SETS.open("semeval", max_reviews=3, data_dir=folder)
    with pytest.raises(InputError, match="semeval needs data_dir, a folder with trainingdata-all-annotations"):
        COVERAGE_SETS.open("semeval")
    with pytest.raises(DataSourceError, match=r"no input for mitweet .*MITweet\.csv.* Put one of these there\.$"):
        COVERAGE_SETS.open("mitweet", data_dir=folder)
    with pytest.raises(InputError, match="data_dir must be a folder"):
        COVERAGE_SETS.open("mitweet", data_dir=folder / "nowhere")


def test_a_datasets_object(folder: Path, tmp_path: Path, build: Any) -> None:
    pytest.importorskip("datasets")
    pytest.importorskip("sklearn")

    def load(**options: Any) -> Any:
        options = {**OPTIONS, **options}
        cache = tmp_path / "hf"
        return load_dataset("coverage_sets", "semeval", data_dir=folder, split="test", cache_dir=cache, **options)

    assert list(load()) == build("semeval", folder, **OPTIONS)
    assert load().cache_files == load(keep_single_value=False).cache_files
    assert load(prompt="fair")["prompt"] != load()["prompt"]
    with pytest.raises(InputError, match="has no option origin"):
        load(origin="raw")


def test_export(folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    pytest.importorskip("sklearn")
    out = tmp_path / "out"
    with caplog.at_level(logging.WARNING):
        assert export_dataset("coverage_sets", out, data_dir=folder, **OPTIONS) == {"semeval": 4}
    assert "for amazon, mitweet, article_bias, news_stance" in caplog.text
    card = (out / "README.md").read_text(encoding="utf-8")
    assert "pretty_name: Coverage document sets" in card
    assert "| `semeval` | 4 | tweets for and against a target |" in card
    assert "`fairsum data export coverage_sets`" in card


def test_values_are_those_of_table_1() -> None:
    known = COVERAGE_SETS.configurations
    table = {name: (next(iter(c.attributes.items())), c.options["size"]) for name, c in known.items()}
    assert table == {
        "amazon": (("sentiment", ("negative", "neutral", "positive")), 8),
        "mitweet": (("ideology", ("left", "center", "right")), 20),
        "article_bias": (("ideology", ("left", "center", "right")), (4, 8)),
        "semeval": (("stance", ("support", "against")), 30),
        "news_stance": (("stance", ("support", "against")), (4, 8)),
    }
    assert Counter(c.options["n_sets"] for c in known.values()) == {300: 5}
