import json
from pathlib import Path

import pytest

from fairsum_utils.corpora import iter_rows
from fairsum_utils.corpora.fewsum import sentiment
from fairsum_utils.errors import DataSourceError

SHARED = Path(__file__).resolve().parents[2].parent / "shared" / "data"
GOLD = SHARED / "perspectivesumm" / "yelp_gold.json"


def test_reviews_by_file_name_with_csv_quoting(reviews: Path) -> None:
    first, second = iter_rows("perspectivesumm", "yelp", data_dir=reviews)
    assert [first["id"], second["id"]] == ["yelp-a_1", "yelp-b_2"]
    assert first["sources"] == ['A "great"\tplace .', 'good 6" pizza']
    assert (first["values"], second["values"]) == (["pos", "pos"], ["neu", "neg"])
    about = json.loads(first["metadata"])
    assert about == {
        "category": "business",
        "file": "a_1.csv",
        "group_id": "a",
        "origin": "raw",
        "vader": "vaderSentiment",
    }
    ratings = [row["values"] for row in iter_rows("perspectivesumm", "yelp", data_dir=reviews, attribute="rating")]
    assert ratings == [["5", "4"], ["3", "1"]]


def test_gold_summaries(tmp_path: Path) -> None:
    folder = tmp_path / "gold_summs"
    folder.mkdir()
    names = [f"rev{i}" for i in range(1, 9)] + [f"summ{i}" for i in range(1, 4)] + [f"rating{i}" for i in range(1, 9)]
    fields = [f"text {i}" for i in range(1, 9)] + ["s1", "s2", "s3"] + [f"{1 + i % 5}.0" for i in range(8)]
    (folder / "test.csv").write_text(
        "\t".join(["cat", "group_id", *names]) + "\n" + "\t".join(["cloth", "B0", *fields]) + "\n"
    )
    [row] = iter_rows("perspectivesumm", "amazon_gold", data_dir=tmp_path)
    assert row["id"] == "amazon_gold-test-0000"
    assert row["sources"] == fields[:8]
    assert row["references"] == ["s1", "s2", "s3"]
    assert row["values"] == ["1", "2", "3", "4", "5", "1", "2", "3"]
    assert json.loads(row["metadata"])["group_id"] == "B0"
    [row] = iter_rows("perspectivesumm", "yelp_gold", data_dir=tmp_path)
    assert row["values"] == ["neu"] * 8
    (folder / "test.csv").write_text("cat\tgroup_id\trev1\tsumm1\na\tb\tc\td\n")
    with pytest.raises(DataSourceError, match="line 2: there is no column 'rating1'"):
        list(iter_rows("perspectivesumm", "amazon_gold", data_dir=tmp_path))


def test_sentiment_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    from vaderSentiment.vaderSentiment import SentimentIntensityAnalyzer

    scores = {"a": (0.2, 0.1), "b": (0.1, 0.2), "c": (0.1, 0.1), "d": (0.0, 0.0)}

    def polarity_scores(_: object, text: str) -> dict[str, float]:
        positive, negative = scores[text]
        return {"neg": negative, "neu": 0.9, "pos": positive, "compound": -1.0}

    monkeypatch.setattr(SentimentIntensityAnalyzer, "polarity_scores", polarity_scores)
    assert [sentiment(text) for text in "abcd"] == ["pos", "neg", "neg", "neu"]


@pytest.mark.skipif(not GOLD.is_file(), reason="the published file is not here")
def test_agreement_with_the_published_labels() -> None:
    units = [unit for sample in json.loads(GOLD.read_text(encoding="utf-8")) for unit in sample["units"]]
    agree = sum(sentiment(unit["text"]) == unit["value"]["sentiment"] for unit in units)
    assert (agree, len(units)) == (788, 800)


@pytest.mark.skipif(not GOLD.is_file(), reason="the published file is not here")
def test_nltks_port_gives_every_published_label(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = pytest.importorskip("nltk.data")
    from fairsum_utils.corpora import fewsum

    monkeypatch.setattr(data, "path", [str(tmp_path)])
    fewsum._sentiment_of.cache_clear()
    with pytest.raises(DataSourceError, match="vader='nltk' needs NLTK's lexicon"):
        sentiment("x", vader="nltk")
    (tmp_path / "sentiment").mkdir()
    (tmp_path / "sentiment/vader_lexicon.zip").write_bytes((SHARED / "nltk/vader_lexicon.zip").read_bytes())
    units = [unit for sample in json.loads(GOLD.read_text(encoding="utf-8")) for unit in sample["units"]]
    assert all(sentiment(unit["text"], vader="nltk") == unit["value"]["sentiment"] for unit in units)
