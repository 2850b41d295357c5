"""The coverage paper's data sets from their files."""

from __future__ import annotations

import gzip
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.corpora.coverage_sets import COVERAGE_SETS, overall_ideology
from fairsum_utils.errors import DataSourceError, InputError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Folder with three usable products, and texts to be left out."""
    ratings = {"P1": [5.0, 4.0, 1.0], "P2": [3.0, 3.0, 5.0], "P3": [1.0, 2.0, 3.0]}
    reviews: list[dict[str, Any]] = [
        {"overall": rating, "asin": product, "reviewText": f" This is review {i} of {product}.\n", "verified": True}
        for product, given in ratings.items()
        for i, rating in enumerate(given)
    ]
    reviews += [
        {"overall": 5.0, "asin": "P1"},
        {"overall": 5.0, "asin": "P1", "reviewText": " "},
        {"asin": "P1", "reviewText": "No rating here"},
        {"overall": 5.0, "asin": "P1", "reviewText": "Muy bueno, me encanta"},
    ]
    lines = "".join(json.dumps(review) + "\n" for review in reviews)
    (tmp_path / "Gadgets_5.json.gz").write_bytes(gzip.compress(lines.encode()))
    return tmp_path


def test_rows(folder: Path, build: Any) -> None:
    rows = build("amazon", folder, size=3, n_sets=3)
    assert rows.texts == {
        "This is review 0 of P1.": "positive",
        "This is review 1 of P1.": "positive",
        "This is review 2 of P1.": "negative",
        "This is review 0 of P2.": "neutral",
        "This is review 1 of P2.": "neutral",
        "This is review 2 of P2.": "positive",
        "This is review 0 of P3.": "negative",
        "This is review 1 of P3.": "negative",
        "This is review 2 of P3.": "neutral",
    }
    assert rows.dominant == {
        "P1": "positive",
        "P2": "neutral",
        "P3": "negative",
    }
    assert [row["id"] for row in rows] == ["amazon-0000", "amazon-0001", "amazon-0002"]
    assert {row["attribute"] for row in rows} == {"sentiment"}
    assert rows.left_out == {"without text": 2, "without a rating": 1, "does not look English": 1}
    first = next(row for row in rows if json.loads(row["metadata"])["topic"] == "P1")
    ids = dict(zip(first["sources"], json.loads(first["metadata"])["source_ids"], strict=True))
    assert ids["This is review 2 of P1."] == "Gadgets_5.json.gz:3"
    assert rows[0]["prompt"].startswith("Below is a list of product reviews:\n1. This is review")


def test_the_fair_prompt(folder: Path, build: Any) -> None:
    plain = build("amazon", folder, size=3, n_sets=3)
    fair = build("amazon", folder, size=3, n_sets=3, prompt="fair")
    assert [row["sources"] for row in fair] == [row["sources"] for row in plain]
    assert f"(in bracket):\n1. ({fair[0]['values'][0]}) {fair[0]['sources'][0]}\n2. (" in fair[0]["prompt"]


FACETS = [f"I{i}" for i in range(1, 13)]


class TestMITweet:
    COLUMNS = ("topic", "tweet", "tokenized tweet", "R1", *FACETS)

    def test_rows(self, tmp_path: Path, build: Any, write_csv: Any) -> None:
        left, center, right = {1: 0, 2: 0, 3: 1}, {5: 1}, {11: 2}
        labels = {"A": [left, left, center], "B": [center, center, right], "C": [right, right, left]}
        tweets = [
            (topic, f"tweet {i}, of\n{topic}", label)
            for topic, given in labels.items()
            for i, label in enumerate(given)
        ]
        records = [
            [topic, text, text, 1, *(label.get(facet, -1) for facet in range(1, 13))]
            for topic, text, label in [*tweets, ("A", " ", left)]
        ]
        write_csv(tmp_path / "MITweet.csv", self.COLUMNS, *records)
        rows = build("mitweet", tmp_path, size=3, n_sets=3)
        assert rows.dominant == {
            "A": "left",
            "B": "center",
            "C": "right",
        }
        assert rows.texts["tweet 2, of\nC"] == "left"
        assert rows.left_out == {"without text": 1}
        assert {row["attribute"] for row in rows} == {"ideology"}
        assert any("Below is a list of tweets about A:\n1. tweet" in row["prompt"] for row in rows)

    @pytest.mark.parametrize(
        ("facets", "ideology"),
        [
            (["left"], "left"),
            (["left", "left", "right"], "left"),
            (["left", "right"], "center"),
            (["left", "left", "center", "right"], "center"),  # half of them is not most
            (["right", "center"], "center"),
            (["right", "right", "center"], "right"),
            ([], "center"),
        ],
    )
    def test_most_facets(self, facets: list[str], ideology: str) -> None:
        assert overall_ideology(facets) == ideology


class TestSemEval:
    HEADER = "ID\tTarget\tTweet\tStance\tOpinion towards\n"

    def write(self, folder: Path, lines: bytes, name: str = "trainingdata-all-annotations.txt") -> Path:
        (folder / name).write_bytes(self.HEADER.encode() + lines)
        return folder

    def test_rows(self, tmp_path: Path, build: Any) -> None:
        training = "\n".join(
            [
                "1\tAtheism\tHe said “no”\tFAVOR\tx",
                "2\tAtheism\tGod is\tAGAINST\tx",
                "3\tAtheism\tno God\tFAVOR\tx",
                "4\tAtheism\tlunch\tNONE\tx",
            ]
        )
        test = b"5\tClimate\tCaf\xe9 too hot\tAGAINST\tx\r\n6\tClimate\tfine\tAGAINST\tx\n7\tClimate\tact\tFAVOR\tx\n"
        self.write(self.write(tmp_path, training.encode()), test, "testdata-taskA-all-annotations.txt")
        rows = build("semeval", tmp_path, size=3, n_sets=2)
        assert rows.texts == {
            "He said “no”": "support",
            "God is": "against",
            "no God": "support",
            "Café too hot": "against",
            "fine": "against",
            "act": "support",
        }
        assert rows.dominant == {
            "Atheism": "support",
            "Climate": "against",
        }
        assert rows.left_out == {"without a stance": 1}
        assert any(row["prompt"].endswith("focus on information about Climate.") for row in rows)


def write(folder: Path, name: str, **fields: object) -> Path:
    article = {"topic": "elections", "bias": 0, "bias_text": "left", "date": "2016-09-20", "ID": name, **fields}
    path = folder / "data" / "jsons" / f"{name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(article), encoding="utf-8")
    return folder


def test_events(tmp_path: Path, build: Any) -> None:
    pytest.importorskip("sklearn")
    leading = {
        "storm": ("2016-09-20", "left"),
        "court": ("2016-09-21", "center"),
        "strike": ("2016-12-01", "right"),
    }
    for event, (day, most) in leading.items():
        for i, side in enumerate([most, most, "left" if most == "right" else "right"]):
            text = f"{event} {event}s {event}ed article number{event}{i}"
            write(tmp_path, f"{event}{i}", date=day, bias_text=side, content_original=text)
    # the same words a month later are another event, and too few for a set
    write(tmp_path, "late", date="2016-10-20", content_original="storm storms stormed article late")
    write(tmp_path, "undated", date="", content_original="storm")
    write(tmp_path, "empty", content_original="\n")
    rows = build("article_bias", tmp_path, size=[3, 4], n_sets=3)
    assert {row["sources"][0].split()[0]: json.loads(row["metadata"])["dominant"] for row in rows} == {
        "storm": "left",
        "court": "center",
        "strike": "right",
    }
    assert all(len({text.split()[0] for text in row["sources"]}) == 1 for row in rows)
    assert rows.left_out == {
        "without a date": 1,
        "without text": 1,
        "too few similar texts for another set": 1,
    }
    assert sorted(json.loads(rows[0]["metadata"])["source_ids"])[0][:-1] == rows[0]["sources"][0].split()[0]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"bias_text": "far left"}, "bias_text is 'far left', expected one of left, center, right"),
        ({"date": "20 Sep"}, "date is '20 Sep', expected one such as 2016-09-20"),
        ({"topic": ""}, "the topic is empty"),
        ({"ID": None}, "expected an article of Article-Bias-Prediction, but the text 'ID' is missing"),
    ],
)
def test_malformed_articles_are_named(tmp_path: Path, fields: Mapping[str, Any], message: str, build: Any) -> None:
    write(tmp_path, "a", **{"content_original": "x", **fields})
    with pytest.raises(DataSourceError, match=rf"a\.json: {message}"):
        build("article_bias", tmp_path)


def test_articles_are_cut_once_sets_are_drawn(tmp_path: Path, build: Any) -> None:
    pytest.importorskip("sklearn")
    for event, most in {"storm": "left", "court": "center", "strike": "right"}.items():
        for i, side in enumerate([most, most, "left" if most == "right" else "right"]):
            text = f"{event} {event}s\n{event}ed article number{event}{i}{' more' * (i == 0)}"
            write(tmp_path, f"{event}{i}", date="2016-09-20", bias_text=side, content_original=text)
    options = {"size": 3, "n_sets": 3}
    whole = build("article_bias", tmp_path, **options)
    assert "texts_cut" not in json.loads(whole[0]["metadata"])
    for cut_from, part in (("beginning", slice(-5, None)), ("end", slice(5))):
        rows = build("article_bias", tmp_path, **options, cut_words=5, cut_from=cut_from)
        # The same sets in the same order: what is cut plays no part in how they are made.
        for row, before in zip(rows, whole, strict=True):
            assert [text.split() for text in row["sources"]] == [text.split()[part] for text in before["sources"]]
            assert all(" ".join(text.split()) in row["prompt"] for text in row["sources"])
            assert json.loads(row["metadata"]).pop("texts_cut") == 1
        assert any("\n" in text for row in rows for text in row["sources"])  # white space stays as it was
    assert build("article_bias", tmp_path, **options, cut_words=6) != whole  # it says that none was cut


def words(number: int, name: str) -> str:
    return " ".join([name, *["word"] * (number - 1)])


EMERGENT = ("claimId", "claimHeadline", "articleId", "articleVersion", "articleBody", "articleStance")


@pytest.fixture
def fnc(tmp_path: Path, write_csv: Any) -> None:
    stances = [("Cat barks", 1, "agree"), ("Cat barks", 2, "agree"), ("Cat barks", 3, "disagree")]
    stances += [("Cat barks", 4, "discuss"), ("Dog meows", 1, "unrelated"), ("Cat barks", 5, "agree")]
    bodies = [(i, words(80, f"body{i}") + "\n") for i in range(1, 5)] + [(5, words(601, "long"))]
    write_csv(tmp_path / "train_stances.csv", ("Headline", "Body ID", "Stance"), *stances)
    write_csv(tmp_path / "train_bodies.csv", ("Body ID", "articleBody"), *bodies)


@pytest.fixture
def emergent(tmp_path: Path, write_csv: Any) -> None:
    records = [
        ("c1", "Claim: Cow flies", "a1", 1, words(80, "old"), "for"),
        ("c1", "Claim: Cow flies", "a1", 2, words(80, "new"), "against"),
        ("c1", "Claim: Cow flies", "a1", 3, "", "for"),
        ("c1", "Claim: Cow flies", "a2", 1, words(80, "second"), "against"),
        ("c1", "Claim: Cow flies", "a3", 1, words(80, "third"), "for"),
        ("c1", "Claim: Cow flies", "a4", 1, words(80, "fourth"), "observing"),
        ("c1", "Claim: Cow flies", "a5", 1, words(74, "short"), "for"),
    ]
    (tmp_path / "emergent").mkdir()
    write_csv(tmp_path / "emergent/url-versions-2015-06-14.csv", EMERGENT, *records)


@pytest.mark.usefixtures("fnc", "emergent")
def test_all_that_is_there(tmp_path: Path, build: Any, write_csv: Any) -> None:
    snippets = [f"0_{{{words(60, f'one{i}')}}}1_{{{words(20, f'two{i}')}}}" for i in range(3)]
    records = [
        ("1", "Moon is cheese", snippets[0], "agree"),
        ("2", "Moon is cheese", snippets[1], "refute"),
        ("3", "Moon is cheese", words(80, "plain"), "refute"),
        ("4", "Moon is cheese", snippets[2], "nostance"),
    ]
    columns = ("ID", "Claim", "Snippets (ETS)", "Stance")
    write_csv(tmp_path / "snopes_corpus_2.csv", columns, *records)
    with pytest.raises(InputError, match="support 1, against 2"):  # FNC; Emergent and Snopes
        build("news_stance", tmp_path, size=3, n_sets=6)
    rows = build("news_stance", tmp_path, size=3, n_sets=2)
    assert rows.left_out == {"neither supports nor opposes the claim": 4, "not 75 to 600 words": 2}
    values = {text.split()[0]: value for text, value in rows.texts.items()}
    cat = {"body1": "support", "body2": "support", "body3": "against"}
    cow = {"new": "against", "second": "against", "third": "support"}
    moon = {"one0": "support", "one1": "against", "plain": "against"}
    assert values in ({**cat, **cow}, {**cat, **moon})
    claims = {json.loads(row["metadata"])["topic"] for row in rows}
    assert claims in ({"Cat barks", "Cow flies"}, {"Cat barks", "Moon is cheese"})
    assert all(f'against a claim, "{json.loads(row["metadata"])["topic"]}":' in row["prompt"] for row in rows)
    assert build("news_stance", tmp_path, size=3, n_sets=2, min_words=74, max_words=601).left_out == {
        "neither supports nor opposes the claim": 4,
        "too few similar texts for another set": 2,
    }


@pytest.mark.usefixtures("fnc")
def test_bodies_and_stances_belong_together(tmp_path: Path, build: Any) -> None:
    (tmp_path / "train_bodies.csv").write_text("Body ID,articleBody\n1,x\n")
    with pytest.raises(DataSourceError, match=r"line 3: train_bodies\.csv has no body '2'"):
        build("news_stance", tmp_path)
    (tmp_path / "train_bodies.csv").unlink()
    with pytest.raises(DataSourceError, match=r"the texts are in train_bodies\.csv, missing in the same folder"):
        build("news_stance", tmp_path)
    (tmp_path / "train_stances.csv").rename(tmp_path / "train_bodies.csv")
    with pytest.raises(DataSourceError, match="the stances of these texts are missing"):
        build("news_stance", tmp_path)


@pytest.mark.usefixtures("fnc")
def test_malformed_files_are_named(tmp_path: Path, build: Any, write_csv: Any) -> None:
    path = tmp_path / "train_stances.csv"
    for record, message in (
        (("Cat", 1, "maybe"), "line 2: the stance is 'maybe', expected one of agree, disagree, discuss, unrelated"),
        ((" ", 1, "agree"), "line 2: the claim is empty"),
    ):
        write_csv(path, ("Headline", "Body ID", "Stance"), record)
        with pytest.raises(DataSourceError, match=message):
            build("news_stance", tmp_path)
    write_csv(path, ("Headline", "Body ID"))
    with pytest.raises(DataSourceError, match=r"no column 'Stance'; .*Expected the stances of FNC-1, with labels"):
        build("news_stance", tmp_path)
    path.unlink()
    emergent = tmp_path / "url-versions-2015-06-14.csv"
    write_csv(emergent, EMERGENT, ("c", "Cow", "a", "first", "x", "for"))
    with pytest.raises(DataSourceError, match="line 2: articleVersion is 'first', expected a number"):
        build("news_stance", tmp_path)
    write_csv(emergent, EMERGENT[:3])
    with pytest.raises(DataSourceError, match=r"no column 'articleVersion', 'articleBody', .*Expected url-versions"):
        build("news_stance", tmp_path)


@pytest.mark.usefixtures("fnc")
@pytest.mark.parametrize(
    ("config", "options", "message"),
    [
        ("amazon", {"prompt": "x"}, "amazon: prompt must be one of plain, fair, found str 'x'"),
        ("amazon", {"max_reviews": 0}, "amazon: max_reviews must be a whole number of at least 1, found int 0"),
        ("article_bias", {"window_days": -1}, "window_days"),
        ("article_bias", {"similarity": 2}, "similarity"),
        ("article_bias", {"cut_words": 0}, "cut_words"),
        ("article_bias", {"cut_words": 5, "cut_from": "middle"}, "cut_from"),
        ("article_bias", {"cut_from": "end"}, "cut_from=end applies only to truncated articles; set cut_words"),
        ("news_stance", {"max_words": 5}, "max_words is 5 and min_words is 75: no text can have both"),
        ("news_stance", {"min_words": 0}, "min_words must be a whole number of at least 1, found int 0"),
    ],
)
def test_options_that_cannot_be(tmp_path: Path, config: str, options: dict[str, Any], message: str, build: Any) -> None:
    write(tmp_path, "a", content_original="x")
    with pytest.raises(InputError, match=message):
        build(config, tmp_path, **options)


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
