from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.corpora.coverage_sets import COVERAGE_SETS
from fairsum_utils.corpora.labelled_tweets import overall_ideology
from fairsum_utils.errors import DataSourceError

FACETS = [f"I{i}" for i in range(1, 13)]


def line(*fields: object) -> str:
    return ",".join(map(str, fields)) + "\n"


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

    @pytest.mark.parametrize(
        ("content", "message"),
        [
            ("topic,tweet\na,b\n", "no column 'I1', .*'I12'; found topic, tweet. Expected a file of MITweet"),
            (line(*COLUMNS) + line("A", "t", "t", 1, 3, *[-1] * 11), "line 2: an ideology is '3'.*Early versions"),
            ((line(*COLUMNS) + line(" ", "t", "t", 1, *[-1] * 12)), "line 2: the topic is empty"),
            ((line(*COLUMNS) + line("A", "t", "t", 1, *[-1] * 11)), "line 2: 15 fields, but the header has 16"),
            (line(*COLUMNS) + 'A,"half a twe', "line 2: unexpected end of data"),
        ],
    )
    def test_malformed_files_are_named(self, tmp_path: Path, content: str, message: str, build: Any) -> None:
        (tmp_path / "MITweet.csv").write_text(content, encoding="utf-8")
        with pytest.raises(DataSourceError, match=rf"MITweet\.csv.*{message}"):
            build("mitweet", tmp_path)

    def test_the_line_that_is_not_utf8(self, tmp_path: Path, build: Any) -> None:
        good = (line(*self.COLUMNS) + line("A", "t", "t", 1, *[-1] * 12)).encode()
        (tmp_path / "MITweet.csv").write_bytes(good + b"A,\xff,t\n")
        with pytest.raises(DataSourceError, match=r"MITweet\.csv, line 3: not UTF-8 \(invalid start byte"):
            build("mitweet", tmp_path)


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

    def test_size_as_in_table_1(self) -> None:
        assert COVERAGE_SETS.configurations["semeval"].options["size"] == 30

    @pytest.mark.parametrize(
        ("lines", "message"),
        [
            (b"1\tA\tt\tUNKNOWN\tx\n", "line 2: the stance is 'UNKNOWN', expected one of FAVOR, AGAINST, NONE"),
            (b"1\tA\tt\tFAV", "line 2: 4 fields, but the header has 5"),
            (b"1\t \tt\tFAVOR\tx\n", "line 2: the target is empty"),
            (b"1\tA\t\x81\tFAVOR\tx\n", "line 2: neither UTF-8 nor Windows-1252"),
        ],
    )
    def test_malformed_lines_are_named(self, tmp_path: Path, lines: bytes, message: str, build: Any) -> None:
        with pytest.raises(DataSourceError, match=message):
            build("semeval", self.write(tmp_path, lines))

    def test_another_header(self, tmp_path: Path, build: Any) -> None:
        (tmp_path / "trainingdata-all-annotations.txt").write_text("Tweet,Target\na,b\n")
        with pytest.raises(DataSourceError, match=r"line 1: the header begins with \['Tweet,Target'\]"):
            build("semeval", tmp_path)
