from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

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
