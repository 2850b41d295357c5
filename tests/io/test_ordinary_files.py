"""Ordinary files, each as its program writes it, give the samples that are in them."""

import csv
import io
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import datasets
import openpyxl
import pandas as pd
import polars as pl
import pytest

from fairsum_utils.io.layout import layout_for
from fairsum_utils.io.samples import read_chunks
from fairsum_utils.io.shapes import split_shape

LONG = [
    ("cafe", "Tasty soup.", "pos", "Tasty, but slow."),
    ("cafe", "Slow, sadly.", "neg", "Tasty, but slow."),
    ("pool", 'A "nice" view!', "pos", "Nice view."),
    ("pool", "Dirty, cold\npool.", "neg", "Nice view."),
]
NAMES = ("place", "text", "label", "summary")
PLACES = ("cafe", "pool")
REVIEWS = [{"number": str(n), "place": row[0], "text": row[1], "label": row[2]} for n, row in enumerate(LONG)]
BY_ROW = {"group_by": "place", "sources": "text", "values": "label", "predictions": "summary"}


def sample(name: str, rows: list[Any]) -> dict[str, Any]:
    """Return the sample of a place; rows are place, text, label and summary."""
    own = [row for row in rows if row[0] == name]
    texts, labels = ([row[place] for row in own] for place in (1, 2))
    return {"id": name, "prediction": own[0][3], "sources": texts, "values": labels}


SAMPLES = [sample(place, LONG) for place in PLACES]
WIDE = pd.DataFrame(SAMPLES)


class Ordinary(NamedTuple):
    """A file, how it is read, and the samples in it.

    Attributes:
        name: name of the file.
        content: its text or bytes, or a function that writes it.
        options: layout and names of columns, as the library takes them.
        samples: expected samples.
        reading: options of the reader.
        apart: name and text of a file with the predictions.
    """

    name: str
    content: str | bytes | Callable[[Path], Any]
    options: Mapping[str, Any] = MappingProxyType({})
    samples: list[dict[str, Any]] = SAMPLES
    reading: Mapping[str, Any] = MappingProxyType({})
    apart: tuple[str, str] | None = None


def by_csv(rows: list[Any] = LONG, names: tuple[str, ...] = NAMES, **dialect: Any) -> str:
    """Return what the csv module writes."""
    text = io.StringIO(newline="")
    csv.writer(text, **{"lineterminator": "\n", **dialect}).writerows([names, *rows])
    return text.getvalue()


def lines(rows: list[Any]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def book(sheets: dict[str, list[Any]]) -> Callable[[Path], None]:
    """Return a writer of a workbook."""

    def write(path: Path) -> None:
        made = openpyxl.Workbook()
        made.remove(made.active)
        for name, rows in sheets.items():
            sheet = made.create_sheet(name)
            for row in rows:
                sheet.append(row)
        made.save(path)

    return write


def summaries(column: str = "id", n: int = 2) -> tuple[str, str]:
    """Return a file of predictions."""
    return "summaries.csv", by_csv([(row["id"], row["prediction"]) for row in SAMPLES[:n]], (column, "prediction"))


AWKWARD = [(*row[:2], label, row[3]) for row, label in zip(LONG, ("007", "NA", "1.0", "null"), strict=True)]
ASKED = ("Timestamp", "Which place?", "Your review (max. 500 characters)", "How was it?")
POLIS = """\
timestamp,comment-id,agrees,comment-body,group,summary
1762160000,0,3,"Buses first, please.",a,Buses or roads.
1762160001,1,0,More roads.,b,
"""
COLUMNS = {"columns": [*SAMPLES[0]], "data": [[*row.values()] for row in SAMPLES]}
STARS = [("id", "text", "stars", "summary"), (7, "Good.", 5, "Ok."), (7.0, "Bad.", 1, None)]

TABLES = {
    "CSV UTF-8 of Excel, with a byte order mark": Ordinary(
        "a.csv", b"\xef\xbb\xbf" + by_csv(lineterminator="\r\n").encode(), BY_ROW
    ),
    "Unicode text of Excel": Ordinary(
        "a.txt", b"\xff\xfe" + by_csv(delimiter="\t").encode("utf-16-le"), BY_ROW, reading={"input_format": "tsv"}
    ),
    "crosstab of Tableau, tabs in a .csv": Ordinary(
        "a.csv", b"\xff\xfe" + by_csv(delimiter="\t", lineterminator="\r\n").encode("utf-16-le"), BY_ROW
    ),
    "labels such as 007 and NA": Ordinary("a.csv", by_csv(AWKWARD), BY_ROW, [sample(name, AWKWARD) for name in PLACES]),
    "pandas, with its index": Ordinary("a.csv", pd.DataFrame(LONG, columns=NAMES).to_csv, BY_ROW),
    "write.csv2 of R, with row names": Ordinary(
        "a.csv",
        by_csv([(n, *row) for n, row in enumerate(LONG)], ("", *NAMES), delimiter=";", quoting=csv.QUOTE_ALL),
        BY_ROW,
    ),
    "answers of Google Forms": Ordinary(
        "a.csv",
        by_csv([("2026/11/03 9:14:55 AM GMT+1", *row[:3]) for row in LONG], ASKED),
        {"group_by": ASKED[1], "sources": ASKED[2], "values": ASKED[3]},
        apart=summaries(ASKED[1]),
    ),
    "comments of Polis, all one sample": Ordinary(
        "comments.csv",
        POLIS,
        {"group_by": "all", "sources": "comment-body", "values": "group", "predictions": "summary"},
        [sample("all", [("all", "Buses first, please.", "a", "Buses or roads."), ("all", "More roads.", "b", "")])],
    ),
    "workbook, second sheet": Ordinary(
        "a.xlsx", book({"Read me": [("Note",)], "Data": [NAMES, *LONG]}), BY_ROW, reading={"sheet": "Data"}
    ),
    "workbook with numbers": Ordinary(
        "a.xlsx",
        book({"Sheet1": STARS}),
        {**BY_ROW, "group_by": "id", "values": "stars"},
        [sample("7", [("7", "Good.", 5, "Ok."), ("7", "Bad.", 1, "Ok.")])],
    ),
    "a column a review": Ordinary(
        "a.csv",
        "id,prediction,review_1,label_1,review_2,label_2\np,Nice.,Fine.,pos,Cold.,neg\nq,Ok.,Good.,pos,,\n",
        {"sources_columns": "review_*", "values_columns": "label_*"},
        [
            sample("p", [("p", "Fine.", "pos", "Nice."), ("p", "Cold.", "neg", "")]),
            sample("q", [("q", "Good.", "pos", "Ok.")]),
        ],
    ),
    "arrays of pandas": Ordinary("a.csv", lambda path: datasets.Dataset.from_list(SAMPLES).to_pandas().to_csv(path)),
}

TURNS = [[{"speaker": label, "text": text} for place, text, label, _ in LONG if place == name] for name in PLACES]
CUT = [{key: [turn[key] for turn in turns] for key in ("speaker", "text")} for turns in TURNS]
WEBEX = """WEBVTT

1 "pos" (123)
00:00:01.000 --> 00:00:03.000
<v pos>Tasty soup.

2 "neg" (9)
00:00:03.000 --> 00:00:05.000
<v neg>Slow, sadly.
"""


def meetings(path: Path) -> None:
    """Write a folder with a transcript a sample."""
    path.mkdir()
    (path / "cafe.vtt").write_text(WEBEX, encoding="utf-8")


RECORDS = {
    "columns of pandas, its default": Ordinary("a.json", WIDE.to_json),
    **{
        f"{orient} of pandas": Ordinary("a.json", lambda path, orient=orient: WIDE.to_json(path, orient=orient))
        for orient in ("split", "table", "index")
    },
    "Parquet of polars": Ordinary("a.parquet", lambda path: pl.DataFrame(SAMPLES).write_parquet(path)),
    "turns as a structure of lists": Ordinary(
        "a.jsonl",
        lines([{"id": row["id"], "prediction": row["prediction"], "sources": CUT[n]} for n, row in enumerate(SAMPLES)]),
    ),
    "turns of QMSum": Ordinary(
        "a.json",
        json.dumps(
            [
                {
                    "meeting_transcripts": [{"speaker": turn["speaker"], "content": turn["text"]} for turn in turns],
                    "general_query_list": [{"query": "Summarize.", "answer": row["prediction"]}],
                }
                for row, turns in zip(SAMPLES, TURNS, strict=True)
            ]
        ),
        {"sources": "meeting_transcripts", "predictions": "general_query_list.0.answer"},
        [{**row, "id": str(number)} for number, row in enumerate(SAMPLES)],
    ),
    "captions of Webex": Ordinary("meetings", meetings, {}, SAMPLES[:1], apart=summaries(n=1)),
}


def of_label_studio(row: dict[str, Any]) -> dict[str, Any]:
    chosen = {"value": {"choices": [row["label"]]}, "from_name": "label", "to_name": "text", "type": "choices"}
    data = {"place": row["place"], "text": row["text"]}
    return {"id": row["number"], "data": data, "annotations": [{"id": 1, "result": [chosen]}]}


def of_openai(row: dict[str, Any]) -> dict[str, Any]:
    choice = {"index": 0, "message": {"role": "assistant", "content": row["prediction"]}, "finish_reason": "stop"}
    return {"custom_id": row["id"], "error": None, "response": {"status_code": 200, "body": {"choices": [choice]}}}


def nested(**more: Any) -> list[dict[str, Any]]:
    """Return samples whose columns are in parts of a row."""
    return [
        {"id": row["id"], "input": {key: row[key] for key in ("sources", "values")}, "out": [row["prediction"]], **more}
        for row in SAMPLES
    ]


NESTED = {"sources": "input.sources", "values": "input.values", "predictions": "out.0"}
ANSWER = "response.body.choices.0.message.content"
EXPORTS = {
    "batch of OpenAI": Ordinary(
        "a.jsonl",
        lines([{key: row[key] for key in ("id", "sources", "values")} for row in SAMPLES]),
        {"predictions": ANSWER, "predictions_id_column": "custom_id"},
        apart=("answers.jsonl", lines(list(map(of_openai, SAMPLES)))),
    ),
    "table of MLflow": Ordinary("eval_results_table.json", json.dumps(COLUMNS)),
    "table of Weights & Biases": Ordinary(
        "a.table.json", json.dumps({"_type": "table", "column_types": {}, **COLUMNS, "ncols": 4, "nrows": 2})
    ),
    "samples of lm-eval": Ordinary("samples_task.jsonl", lines(nested(filter="none")), NESTED),
    "log of inspect": Ordinary(
        "2026-11-03_log.json",
        json.dumps({"version": 2, "eval": {"task": "x"}, "plan": {}, "samples": nested(), "reductions": [{}]}),
        NESTED,
    ),
    "results of promptfoo": Ordinary(
        "a.json",
        json.dumps({"evalId": "1", "results": {"version": 3, "prompts": [{}], "results": nested()}, "config": {}}),
        NESTED,
    ),
    "annotations of Label Studio": Ordinary(
        "a.json",
        json.dumps(list(map(of_label_studio, REVIEWS))),
        {"group_by": "data.place", "sources": "data.text", "values": "annotations.0.result.0.value.choices.0"},
        apart=summaries(),
    ),
    "data set of Argilla": Ordinary(
        "a.parquet",
        lambda path: datasets.Dataset.from_list(
            [{"text": row["text"], "place": row["place"], "label.responses": [row["label"]]} for row in REVIEWS]
        ).to_parquet(path),
        {"group_by": "place", "sources": "text", "values": "label.responses.0"},
        apart=summaries(),
    ),
    "documents of MongoDB": Ordinary(
        "a.jsonl",
        lines([{**row, "id": None, "_id": {"$oid": row["id"]}} for row in SAMPLES]),
        {"id_column": "_id.$oid"},
    ),
    "posts of the API of X": Ordinary(
        "a.json",
        json.dumps({"data": REVIEWS, "includes": {"users": [{"id": "1"}]}, "meta": {"result_count": 4}}),
        {"group_by": "place", "sources": "text", "values": "label"},
        apart=summaries("place"),
    ),
}
ORDINARY = {**TABLES, **RECORDS, **EXPORTS}


@pytest.mark.parametrize("name", ORDINARY)
def test_samples(tmp_path: Path, name: str) -> None:
    file = ORDINARY[name]
    path, apart = tmp_path / file.name, None
    if callable(file.content):
        file.content(path)
    else:
        path.write_bytes(file.content.encode() if isinstance(file.content, str) else file.content)
    if file.apart is not None:
        apart = tmp_path / file.apart[0]
        apart.write_text(file.apart[1], encoding="utf-8")
    shape, named = split_shape("score", file.options)
    layout = layout_for(["bur"], named, shape, predictions=apart)
    found = []
    for chunk in read_chunks(str(path), layout, 1, **file.reading):
        columns = {column: entries[0] for column, entries in chunk.columns.items()}
        found.append({"id": chunk.ids[0], "prediction": columns.pop("predictions"), **columns})
    assert found == file.samples
