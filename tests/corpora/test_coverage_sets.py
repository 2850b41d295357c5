import csv
import gzip
import io
import json
import logging
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.corpora import export_dataset, iter_rows, load_dataset
from fairsum_utils.corpora.coverage_sets import CONFIGURATIONS, open_source
from fairsum_utils.corpora.labelled_tweets import overall_ideology
from fairsum_utils.corpora.rows import Row
from fairsum_utils.errors import DataSourceError, InputError

FACETS = [f"I{i}" for i in range(1, 13)]


def build(config: str, folder: Path, **options: Any) -> list[Row]:
    return list(iter_rows("coverage_sets", config, data_dir=folder, **options))


def about(row: Row) -> dict[str, Any]:
    return dict(json.loads(row["metadata"]))


def texts(rows: Sequence[Row]) -> dict[str, str]:
    """Every text of the sets and its value."""
    return {text: value for row in rows for text, value in zip(row["sources"], row["values"], strict=True)}


def left_out(rows: Sequence[Row]) -> dict[str, int]:
    return dict(about(rows[0])["dropped"]["texts"])


def comma_separated(columns: Sequence[str], *records: Sequence[object]) -> str:
    file = io.StringIO()
    csv.writer(file, lineterminator="\n").writerows([columns, *records])
    return file.getvalue()


class TestAmazon:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        """Three products with three reviews each, of which a sentiment of its own has two; and what is left out."""
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

    def test_rows(self, folder: Path) -> None:
        rows = build("amazon", folder, size=3, n_sets=3)
        assert texts(rows) == {
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
        assert {about(row)["topic"]: about(row)["dominant"] for row in rows} == {
            "P1": "positive",
            "P2": "neutral",
            "P3": "negative",
        }
        assert [row["id"] for row in rows] == ["amazon-0000", "amazon-0001", "amazon-0002"]
        assert {row["attribute"] for row in rows} == {"sentiment"}
        assert left_out(rows) == {"without text": 2, "without a rating": 1, "does not look English": 1}
        first = next(row for row in rows if about(row)["topic"] == "P1")
        ids = dict(zip(first["sources"], about(first)["source_ids"], strict=True))
        assert ids["This is review 2 of P1."] == "Gadgets_5.json.gz:3"
        assert rows[0]["prompt"].startswith("Below is a list of product reviews:\n1. This is review")

    def test_the_fair_prompt(self, folder: Path) -> None:
        plain = build("amazon", folder, size=3, n_sets=3)
        fair = build("amazon", folder, size=3, n_sets=3, prompt="fair")
        assert [row["sources"] for row in fair] == [row["sources"] for row in plain]
        assert f"(in bracket):\n1. ({fair[0]['values'][0]}) {fair[0]['sources'][0]}\n2. (" in fair[0]["prompt"]
        with pytest.raises(InputError, match="amazon: prompt must be one of plain, fair, found str 'x'"):
            build("amazon", folder, prompt="x")

    def test_the_first_reviews_only(self, folder: Path, caplog: pytest.LogCaptureFixture) -> None:
        with pytest.raises(InputError, match="there are: negative 0, neutral 1, positive 1"):
            build("amazon", folder, size=3, n_sets=3, max_reviews=6)
        assert "read the first 6 reviews only; a larger max_reviews reads more" in caplog.text
        caplog.clear()
        assert len(build("amazon", folder, size=3, n_sets=3, max_reviews=13)) == 3  # all there are
        assert caplog.text == ""
        with pytest.raises(InputError, match="amazon: max_reviews must be a whole number of at least 1, found int 0"):
            build("amazon", folder, max_reviews=0)

    def test_a_file_that_is_cut_short(self, folder: Path) -> None:
        path = folder / "Gadgets_5.json.gz"
        path.write_bytes(path.read_bytes()[:-20])
        with pytest.raises(
            DataSourceError, match=r"Gadgets_5\.json\.gz, after line \d+: cannot be unpacked .*cut short"
        ):
            build("amazon", folder)
        path.write_bytes(b"not packed")
        with pytest.raises(DataSourceError, match="after line 0: cannot be unpacked"):
            build("amazon", folder)

    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ('{"overall": 5.0, "asin": "P", "reviewText": "go', "line 2: not valid JSON .*has no line end"),
            ("[1]\n", "line 2: expected a JSON object, found a list"),
            (
                '{"asin": "P", "title": "x", "reviewText": 1}\n',
                "line 2: expected texts reviewText and asin, found the fie",
            ),
            ('{"overall": 5, "reviewText": "x"}\n', "found the fields overall, reviewText. Is this a file of reviews"),
            (
                '{"overall": 6.0, "asin": "P", "reviewText": "x"}\n',
                "line 2: overall is 6.0, expected one of 1, 2, 3, 4, 5",
            ),
            ('{"overall": [5], "asin": "P", "reviewText": "x"}\n', r"line 2: overall is \[5\]"),
            ('{"overall": true, "asin": "P", "reviewText": "x"}\n', "line 2: overall is True"),
            (b'{"overall": 5, "asin": "P", "reviewText": "\xff"}\n', "line 2: not UTF-8"),
        ],
    )
    def test_malformed_lines_are_named(self, tmp_path: Path, line: str | bytes, message: str) -> None:
        good = json.dumps({"overall": 5.0, "asin": "P1", "reviewText": "good"}).encode() + b"\n"
        (tmp_path / "a.json").write_bytes(good + (line.encode() if isinstance(line, str) else line))
        with pytest.raises(DataSourceError, match=message):
            build("amazon", tmp_path)


class TestMITweet:
    COLUMNS = ("topic", "tweet", "tokenized tweet", "R1", *FACETS)

    def write(self, folder: Path, tweets: Sequence[tuple[str, str, Mapping[int, int]]]) -> None:
        records = [
            [topic, text, text, 1, *(labels.get(facet, -1) for facet in range(1, 13))] for topic, text, labels in tweets
        ]
        (folder / "MITweet.csv").write_text(comma_separated(self.COLUMNS, *records), encoding="utf-8")

    def test_rows(self, tmp_path: Path) -> None:
        left, center, right = {1: 0, 2: 0, 3: 1}, {5: 1}, {11: 2}
        labels = {"A": [left, left, center], "B": [center, center, right], "C": [right, right, left]}
        self.write(
            tmp_path,
            [
                (topic, f"tweet {i}, of\n{topic}", label)
                for topic, given in labels.items()
                for i, label in enumerate(given)
            ]
            + [("A", " ", left)],
        )
        rows = build("mitweet", tmp_path, size=3, n_sets=3)
        assert {about(row)["topic"]: about(row)["dominant"] for row in rows} == {
            "A": "left",
            "B": "center",
            "C": "right",
        }
        assert texts(rows)["tweet 2, of\nC"] == "left"
        assert left_out(rows) == {"without text": 1}
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

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("topic,tweet\na,b\n", "no column 'I1', .*'I12'; found topic, tweet. Expected a file of MITweet"),
            (comma_separated(COLUMNS, ["A", "t", "t", 1, 3, *[-1] * 11]), "line 2: an ideology is '3'.*Early versions"),
            (comma_separated(COLUMNS, [" ", "t", "t", 1, *[-1] * 12]), "line 2: the topic is empty"),
            (comma_separated(COLUMNS, ["A", "t", "t", 1, *[-1] * 11]), "line 2: 15 fields, but the header has 16"),
            (comma_separated(COLUMNS) + 'A,"half a twe', "line 2: unexpected end of data"),
        ],
    )
    def test_malformed_files_are_named(self, tmp_path: Path, content: str, message: str) -> None:
        (tmp_path / "MITweet.csv").write_text(content, encoding="utf-8")
        with pytest.raises(DataSourceError, match=rf"MITweet\.csv.*{message}"):
            build("mitweet", tmp_path)

    def test_the_line_that_is_not_utf8(self, tmp_path: Path) -> None:
        good = comma_separated(self.COLUMNS, ["A", "t", "t", 1, *[-1] * 12]).encode()
        (tmp_path / "MITweet.csv").write_bytes(good + b"A,\xff,t\n")
        with pytest.raises(DataSourceError, match=r"MITweet\.csv, line 3: not UTF-8 \(invalid start byte\)"):
            build("mitweet", tmp_path)


class TestSemEval:
    HEADER = "ID\tTarget\tTweet\tStance\tOpinion towards\n"

    def write(self, folder: Path, lines: bytes, name: str = "trainingdata-all-annotations.txt") -> Path:
        (folder / name).write_bytes(self.HEADER.encode() + lines)
        return folder

    def test_rows(self, tmp_path: Path) -> None:
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
        assert texts(rows) == {
            "He said “no”": "support",
            "God is": "against",
            "no God": "support",
            "Café too hot": "against",
            "fine": "against",
            "act": "support",
        }
        assert {about(row)["topic"]: about(row)["dominant"] for row in rows} == {
            "Atheism": "support",
            "Climate": "against",
        }
        assert left_out(rows) == {"without a stance": 1}
        assert any(row["prompt"].endswith("focus on information about Climate.") for row in rows)

    def test_size_as_in_table_1(self) -> None:
        assert CONFIGURATIONS["semeval"].options["size"] == 30

    @pytest.mark.parametrize(
        ("lines", "message"),
        [
            (b"1\tA\tt\tUNKNOWN\tx\n", "line 2: the stance is 'UNKNOWN', expected one of FAVOR, AGAINST, NONE"),
            (b"1\tA\tt\tFAV", "line 2: 4 fields, but the header has 5"),
            (b"1\t \tt\tFAVOR\tx\n", "line 2: the target is empty"),
            (b"1\tA\t\x81\tFAVOR\tx\n", "line 2: neither UTF-8 nor Windows-1252"),
        ],
    )
    def test_malformed_lines_are_named(self, tmp_path: Path, lines: bytes, message: str) -> None:
        with pytest.raises(DataSourceError, match=message):
            build("semeval", self.write(tmp_path, lines))

    def test_another_header(self, tmp_path: Path) -> None:
        (tmp_path / "trainingdata-all-annotations.txt").write_text("Tweet,Target\na,b\n")
        with pytest.raises(DataSourceError, match=r"line 1: the header begins with \['Tweet,Target'\]"):
            build("semeval", tmp_path)


class TestArticleBias:
    def write(self, folder: Path, name: str, **fields: object) -> Path:
        article = {"topic": "elections", "bias": 0, "bias_text": "left", "date": "2016-09-20", "ID": name, **fields}
        path = folder / "data" / "jsons" / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(article), encoding="utf-8")
        return folder

    def test_events(self, tmp_path: Path) -> None:
        pytest.importorskip("sklearn")
        leading = {
            "storm": ("2016-09-20", "left"),
            "court": ("2016-09-21", "center"),
            "strike": ("2016-12-01", "right"),
        }
        for event, (day, most) in leading.items():
            for i, side in enumerate([most, most, "left" if most == "right" else "right"]):
                text = f"{event} {event}s {event}ed article number{event}{i}"
                self.write(tmp_path, f"{event}{i}", date=day, bias_text=side, content_original=text)
        # the same words a month later are another event, and too few for a set
        self.write(tmp_path, "late", date="2016-10-20", content_original="storm storms stormed article late")
        self.write(tmp_path, "undated", date="", content_original="storm")
        self.write(tmp_path, "empty", content_original="\n")
        rows = build("article_bias", tmp_path, size=[3, 4], n_sets=3)
        assert {row["sources"][0].split()[0]: about(row)["dominant"] for row in rows} == {
            "storm": "left",
            "court": "center",
            "strike": "right",
        }
        assert all(len({text.split()[0] for text in row["sources"]}) == 1 for row in rows)
        assert left_out(rows) == {
            "without a date": 1,
            "without text": 1,
            "too few similar texts for another set": 1,
        }
        assert sorted(about(rows[0])["source_ids"])[0][:-1] == rows[0]["sources"][0].split()[0]

    @pytest.mark.parametrize(
        ("fields", "message"),
        [
            ({"bias_text": "far left"}, "bias_text is 'far left', expected one of left, center, right"),
            ({"date": "20 Sep"}, "date is '20 Sep', expected one such as 2016-09-20"),
            ({"topic": ""}, "the topic is empty"),
            ({"ID": None}, "expected an article of Article-Bias-Prediction, but the text 'ID' is missing"),
        ],
    )
    def test_malformed_articles_are_named(self, tmp_path: Path, fields: Mapping[str, Any], message: str) -> None:
        self.write(tmp_path, "a", **{"content_original": "x", **fields})
        with pytest.raises(DataSourceError, match=rf"a\.json: {message}"):
            build("article_bias", tmp_path)

    def test_files_that_are_no_articles(self, tmp_path: Path) -> None:
        path = self.write(tmp_path, "a") / "data/jsons/a.json"
        for content, message in (
            (b'{"topic": "x', "read as JSON in UTF-8"),
            (b"[]", "found list"),
            (b"\xff", "as JSON"),
        ):
            path.write_bytes(content)
            with pytest.raises(DataSourceError, match=rf"a\.json: .*{message}"):
                build("article_bias", tmp_path)

    def test_options_that_cannot_be(self, tmp_path: Path) -> None:
        self.write(tmp_path, "a", content_original="x")
        for options in ({"window_days": -1}, {"similarity": 2}, {"similarity": "x"}):
            with pytest.raises(InputError, match=next(iter(options))):
                build("article_bias", tmp_path, **options)


def words(number: int, name: str) -> str:
    return " ".join([name, *["word"] * (number - 1)])


class TestNewsStance:
    EMERGENT = ("claimId", "claimHeadline", "articleId", "articleVersion", "articleBody", "articleStance")

    def write_fnc(self, folder: Path) -> None:
        stances = [("Cat barks", 1, "agree"), ("Cat barks", 2, "agree"), ("Cat barks", 3, "disagree")]
        stances += [("Cat barks", 4, "discuss"), ("Dog meows", 1, "unrelated"), ("Cat barks", 5, "agree")]
        bodies = [(i, words(80, f"body{i}") + "\n") for i in range(1, 5)] + [(5, words(601, "long"))]
        (folder / "train_stances.csv").write_text(comma_separated(("Headline", "Body ID", "Stance"), *stances))
        (folder / "train_bodies.csv").write_text(comma_separated(("Body ID", "articleBody"), *bodies))

    def write_emergent(self, folder: Path) -> None:
        records = [
            ("c1", "Claim: Cow flies", "a1", 1, words(80, "old"), "for"),
            ("c1", "Claim: Cow flies", "a1", 2, words(80, "new"), "against"),
            ("c1", "Claim: Cow flies", "a1", 3, "", "for"),
            ("c1", "Claim: Cow flies", "a2", 1, words(80, "second"), "against"),
            ("c1", "Claim: Cow flies", "a3", 1, words(80, "third"), "for"),
            ("c1", "Claim: Cow flies", "a4", 1, words(80, "fourth"), "observing"),
            ("c1", "Claim: Cow flies", "a5", 1, words(74, "short"), "for"),
        ]
        (folder / "emergent").mkdir()
        (folder / "emergent/url-versions-2015-06-14.csv").write_text(comma_separated(self.EMERGENT, *records))

    def test_all_that_is_there(self, tmp_path: Path) -> None:
        self.write_fnc(tmp_path)
        self.write_emergent(tmp_path)
        snippets = [f"0_{{{words(60, f'one{i}')}}}1_{{{words(20, f'two{i}')}}}" for i in range(3)]
        records = [
            ("1", "Moon is cheese", snippets[0], "agree"),
            ("2", "Moon is cheese", snippets[1], "refute"),
            ("3", "Moon is cheese", words(80, "plain"), "refute"),
            ("4", "Moon is cheese", snippets[2], "nostance"),
        ]
        columns = ("ID", "Claim", "Snippets (ETS)", "Stance")
        (tmp_path / "snopes_corpus_2.csv").write_text(comma_separated(columns, *records))
        with pytest.raises(InputError, match="support 1, against 2"):  # FNC; Emergent and Snopes
            build("news_stance", tmp_path, size=3, n_sets=6)
        rows = build("news_stance", tmp_path, size=3, n_sets=2)
        assert left_out(rows) == {"neither supports nor opposes the claim": 4, "not 75 to 600 words": 2}
        values = {text.split()[0]: value for text, value in texts(rows).items()}
        cat = {"body1": "support", "body2": "support", "body3": "against"}
        cow = {"new": "against", "second": "against", "third": "support"}
        moon = {"one0": "support", "one1": "against", "plain": "against"}
        assert values in ({**cat, **cow}, {**cat, **moon})
        claims = {about(row)["topic"] for row in rows}
        assert claims in ({"Cat barks", "Cow flies"}, {"Cat barks", "Moon is cheese"})
        assert all(f'against a claim, "{about(row)["topic"]}":' in row["prompt"] for row in rows)
        assert left_out(build("news_stance", tmp_path, size=3, n_sets=2, min_words=74, max_words=601)) == {
            "neither supports nor opposes the claim": 4,
            "too few similar texts for another set": 2,
        }

    def test_every_evidence_sentence_is_read(self, tmp_path: Path) -> None:
        sentences = [("agree", "0_{A first.} 1_{And\na second.}"), ("agree", "0_{B}"), ("refute", "0_{C}")]
        records = [("claim x", snippets, stance) for stance, snippets in sentences]
        records += [
            ("claim y", f"0_{{{stance} {i}}}", stance) for i, stance in enumerate(["agree", "refute", "refute"])
        ]
        path = tmp_path / "ukp_snopes_corpus/datasets_raw/snopes_corpus_2.csv"
        path.parent.mkdir(parents=True)
        path.write_text(comma_separated(("Claim", "Snippets", "Stance"), *records))
        found = texts(build("news_stance", tmp_path, size=3, n_sets=2, min_words=1))
        assert found["A first. And\na second."] == "support"
        path.write_text(comma_separated(("Claim", "Stance"), ("x", "agree")))
        with pytest.raises(
            DataSourceError, match=r"no column 'Snippets'; found Claim, Stance\. Expected snopes_corpus"
        ):
            build("news_stance", tmp_path)

    def test_bodies_and_stances_belong_together(self, tmp_path: Path) -> None:
        self.write_fnc(tmp_path)
        (tmp_path / "train_bodies.csv").write_text("Body ID,articleBody\n1,x\n")
        with pytest.raises(DataSourceError, match=r"line 3: train_bodies\.csv has no body '2'"):
            build("news_stance", tmp_path)
        (tmp_path / "train_bodies.csv").unlink()
        with pytest.raises(DataSourceError, match=r"the texts are in train_bodies\.csv, which is not beside it"):
            build("news_stance", tmp_path)
        (tmp_path / "train_stances.csv").rename(tmp_path / "train_bodies.csv")
        with pytest.raises(DataSourceError, match="these are texts without their stances"):
            build("news_stance", tmp_path)

    def test_malformed_files_are_named(self, tmp_path: Path) -> None:
        self.write_fnc(tmp_path)
        path = tmp_path / "train_stances.csv"
        for record, message in (
            (("Cat", 1, "maybe"), "line 2: the stance is 'maybe', expected one of agree, disagree, discuss, unrelated"),
            ((" ", 1, "agree"), "line 2: the claim is empty"),
        ):
            path.write_text(comma_separated(("Headline", "Body ID", "Stance"), record))
            with pytest.raises(DataSourceError, match=message):
                build("news_stance", tmp_path)
        path.write_text(comma_separated(("Headline", "Body ID")))
        with pytest.raises(DataSourceError, match=r"no column 'Stance'; .*Expected the stances of FNC-1, with labels"):
            build("news_stance", tmp_path)
        path.unlink()
        emergent = tmp_path / "url-versions-2015-06-14.csv"
        emergent.write_text(comma_separated(self.EMERGENT, ("c", "Cow", "a", "first", "x", "for")))
        with pytest.raises(DataSourceError, match="line 2: articleVersion is 'first', expected a number"):
            build("news_stance", tmp_path)
        emergent.write_text(comma_separated(self.EMERGENT[:3]))
        with pytest.raises(DataSourceError, match=r"no column 'articleVersion', .*articleBody.*Expected url-versions"):
            build("news_stance", tmp_path)

    def test_options_that_cannot_be(self, tmp_path: Path) -> None:
        self.write_fnc(tmp_path)
        with pytest.raises(InputError, match="max_words is 5 and min_words is 75: no text can have both"):
            build("news_stance", tmp_path, max_words=5)
        with pytest.raises(InputError, match="min_words must be a whole number of at least 1, found int 0"):
            build("news_stance", tmp_path, min_words=0)


class TestTheDataSet:
    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        lines = [f"{i}\tAtheism\ttweet number {i}\t{'FAVOR' if i % 2 else 'AGAINST'}" for i in range(90)]
        text = "ID\tTarget\tTweet\tStance\n" + "\n".join(lines) + "\n"
        (tmp_path / "semeval2016-task6-trainingdata.txt").write_text(text)
        return tmp_path

    OPTIONS: Mapping[str, Any] = {"size": 5, "n_sets": 4, "seed": 3}

    def test_mistakes(self, folder: Path) -> None:
        with pytest.raises(
            InputError, match="has no configuration 'yelp'; choose one of amazon, mitweet, article_bias"
        ):
            open_source("yelp")
        with pytest.raises(InputError, match="semeval has no attribute 'gender'; choose one of stance"):
            open_source("semeval", attribute="gender", data_dir=folder)
        with pytest.raises(InputError, match="semeval has no option max_reviews; it has attribute, seed, n_sets"):
            open_source("semeval", max_reviews=3, data_dir=folder)
        with pytest.raises(InputError, match="semeval needs data_dir, a folder with trainingdata-all-annotations"):
            open_source("semeval")
        with pytest.raises(DataSourceError, match=r"no input for mitweet .*MITweet\.csv.* Put one of these there\.$"):
            open_source("mitweet", data_dir=folder)
        with pytest.raises(InputError, match="data_dir must be a folder"):
            open_source("mitweet", data_dir=folder / "nowhere")

    def test_a_datasets_object(self, folder: Path, tmp_path: Path) -> None:
        pytest.importorskip("datasets")
        pytest.importorskip("sklearn")

        def load(**options: Any) -> Any:
            options = {**self.OPTIONS, **options}
            cache = tmp_path / "hf"
            return load_dataset("coverage_sets", "semeval", data_dir=folder, split="test", cache_dir=cache, **options)

        assert list(load()) == build("semeval", folder, **self.OPTIONS)
        assert load().cache_files == load(keep_single_value=False).cache_files
        assert load(prompt="fair")["prompt"] != load()["prompt"]
        with pytest.raises(InputError, match="has no option origin"):
            load(origin="raw")

    def test_export(self, folder: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        pytest.importorskip("sklearn")
        out = tmp_path / "out"
        with caplog.at_level(logging.WARNING):
            assert export_dataset("coverage_sets", out, data_dir=folder, **self.OPTIONS) == {"semeval": 4}
        assert "for amazon, mitweet, article_bias, news_stance" in caplog.text
        card = (out / "README.md").read_text(encoding="utf-8")
        assert "pretty_name: Coverage document sets" in card
        assert "| `semeval` | 4 | tweets for and against a target |" in card
        assert "`fairsum data export coverage_sets`" in card

    def test_nothing_heavy_is_imported(self) -> None:
        code = "import sys, fairsum_utils.corpora.coverage_sets, fairsum_utils.cli.data\n"
        code += "assert not {'sklearn', 'scipy', 'datasets', 'torch'} & set(sys.modules)"
        subprocess.run([sys.executable, "-c", code], check=True)

    def test_values_are_those_of_table_1(self) -> None:
        table = {name: (next(iter(c.attributes.items())), c.options["size"]) for name, c in CONFIGURATIONS.items()}
        assert table == {
            "amazon": (("sentiment", ("negative", "neutral", "positive")), 8),
            "mitweet": (("ideology", ("left", "center", "right")), 20),
            "article_bias": (("ideology", ("left", "center", "right")), (4, 8)),
            "semeval": (("stance", ("support", "against")), 30),
            "news_stance": (("stance", ("support", "against")), (4, 8)),
        }
        assert Counter(c.options["n_sets"] for c in CONFIGURATIONS.values()) == {300: 5}
