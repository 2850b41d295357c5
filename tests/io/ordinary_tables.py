"""Ordinary files, each as its program writes it, and how a user reads it."""

import csv
import gzip
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
import pyarrow as pa

LONG = [
    ("cafe", "Tasty soup.", "pos", "Tasty, but slow."),
    ("cafe", "Slow, sadly.", "neg", "Tasty, but slow."),
    ("pool", 'A "nice" view!', "pos", "Nice view."),
    ("pool", "Dirty, cold\npool.", "neg", "Nice view."),
]
FLAT = [tuple(cell.replace("\n", " ").replace('"', "") for cell in row) for row in LONG]
"""The same without line breaks and quotes."""
NAMES = ("place", "text", "label", "summary")
PLACES = ("cafe", "pool")


def sample(place: str, rows: list[Any] = LONG) -> dict[str, Any]:
    mine = [row for row in rows if row[0] == place]
    return {
        "id": place,
        "prediction": mine[0][3],
        "sources": [row[1] for row in mine],
        "values": [row[2] for row in mine],
    }


SAMPLES = [sample(place) for place in PLACES]
FLAT_SAMPLES = [sample(place, FLAT) for place in PLACES]
RECORDS = [dict(zip(NAMES, row, strict=True)) for row in LONG]
BY_ROW = {"group_by": "place", "sources": "text", "values": "label", "predictions": "summary"}


class Ordinary(NamedTuple):
    """A file, how it is read, and the samples in it.

    Attributes:
        name: name of the file.
        content: its text or bytes, or a function that writes it.
        options: layout and names of columns, as the library takes them.
        samples: expected samples, without ids if the file has none.
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


def joined(delimiter: str, end: str = "\n", rows: list[Any] = FLAT, names: tuple[str, ...] = NAMES) -> str:
    """Return lines without any quotes."""
    return "".join(delimiter.join(row) + end for row in (names, *rows))


def lines(rows: list[Any]) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def sheets(books: dict[str, list[Any]]) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        book = openpyxl.Workbook()
        book.remove(book.active)
        for name, rows in books.items():
            sheet = book.create_sheet(name)
            for row in rows:
                sheet.append(row)
        book.save(path)

    return write


def without(row: dict[str, Any], *names: str) -> dict[str, Any]:
    return {name: cell for name, cell in row.items() if name not in names}


def parts(path: Path) -> None:
    for place in PLACES:
        rows = [row for row in LONG if row[0] == place]
        path.with_name(f"part-{place}.csv").write_text(by_csv(rows), encoding="utf-8")


def of_r(delimiter: str) -> str:
    """Return what write.csv of R writes: row names, and all texts in quotes."""
    rows = [(str(number), *row) for number, row in enumerate(FLAT, start=1)]
    return by_csv(rows, ("", *NAMES), delimiter=delimiter, quoting=csv.QUOTE_ALL)


FRAME = pd.DataFrame(RECORDS)
WIDE = pd.DataFrame(SAMPLES)
DATA = datasets.Dataset.from_list(SAMPLES)
CELLS = [{name: json.dumps(cell) if isinstance(cell, list) else cell for name, cell in row.items()} for row in SAMPLES]
AWKWARD = [(*row[:2], label, row[3]) for row, label in zip(LONG, ("007", "NA", "1.0", "null"), strict=True)]
REVIEWS = [
    ("cafe", "Tasty, but slow.", "Tasty soup.", "pos", "Slow, sadly.", "neg"),
    ("pool", "Nice view.", "Fine.", "pos", "", ""),
]
WIDE_NAMES = ("id", "prediction", "review_1", "label_1", "review_2", "label_2")
BY_COLUMN = {"sources_columns": "review_*", "values_columns": "label_*"}
ONE_TEXT = [SAMPLES[0], {"id": "pool", "prediction": "Nice view.", "sources": ["Fine."], "values": ["pos"]}]

TABLES = {
    "CSV of Python": Ordinary("a.csv", by_csv(), BY_ROW),
    "CSV UTF-8 of Excel, with a byte order mark": Ordinary(
        "a.csv", b"\xef\xbb\xbf" + by_csv(lineterminator="\r\n").encode(), BY_ROW
    ),
    "CSV of Excel in Europe": Ordinary("a.csv", by_csv(delimiter=";", lineterminator="\r\n"), BY_ROW),
    "CSV of Excel in Germany": Ordinary(
        "a.csv",
        "place;text;label;summary\r\nk\xe4se;M\xfcsli.;gut;Teuer\x85\r\n".encode("latin-1"),
        BY_ROW,
        [{"id": "käse", "prediction": "Teuer…", "sources": ["Müsli."], "values": ["gut"]}],
        {"encoding": "cp1252"},
    ),
    "Unicode text of Excel": Ordinary(
        "a.txt", b"\xff\xfe" + by_csv(delimiter="\t").encode("utf-16-le"), BY_ROW, reading={"input_format": "tsv"}
    ),
    "crosstab of Tableau, tabs in a .csv": Ordinary(
        "a.csv", b"\xff\xfe" + by_csv(delimiter="\t", lineterminator="\r\n").encode("utf-16-le"), BY_ROW
    ),
    "reviews of Google Play, UTF-16": Ordinary("a.csv", b"\xff\xfe" + by_csv().encode("utf-16-le"), BY_ROW),
    "separator in the first line": Ordinary(
        "a.csv", "sep=;\r\n" + by_csv(delimiter=";", lineterminator="\r\n"), BY_ROW
    ),
    "all cells in quotes, as LibreOffice does": Ordinary("a.csv", by_csv(quoting=csv.QUOTE_ALL), BY_ROW),
    "TSV without quotes": Ordinary("a.tsv", joined("\t"), BY_ROW, FLAT_SAMPLES),
    "TSV with quotes": Ordinary("a.tsv", by_csv(delimiter="\t", quoting=csv.QUOTE_ALL), BY_ROW),
    "TSV of annotators, with quotes that are characters": Ordinary(
        "a.tsv",
        'place\ttext\tlabel\tsummary\ncafe\t"Tasty" soup, 5" bowl\tpos\tOk.\ncafe\tSlow "service\tneg\tOk.\n',
        BY_ROW,
        [
            {
                "id": "cafe",
                "prediction": "Ok.",
                "sources": ['"Tasty" soup, 5" bowl', 'Slow "service'],
                "values": ["pos", "neg"],
            }
        ],
        {"quoting": "none"},
    ),
    "vertical bars": Ordinary("a.csv", joined("|"), BY_ROW, FLAT_SAMPLES),
    "line ends of old Macs": Ordinary("a.csv", by_csv(FLAT, lineterminator="\r"), BY_ROW, FLAT_SAMPLES),
    "blank rows below the table": Ordinary("a.csv", by_csv() + ",,,\n,,,\n\n", BY_ROW),
    "empty columns beside the table": Ordinary(
        "a.csv", by_csv([(*row, "", "") for row in LONG], (*NAMES, "", "")), BY_ROW
    ),
    "summary in the first row of a place only": Ordinary(
        "a.csv", by_csv([(*row[:3], row[3] if number % 2 == 0 else "") for number, row in enumerate(LONG)]), BY_ROW
    ),
    "rows of places mixed": Ordinary("a.csv", by_csv([LONG[place] for place in (0, 2, 1, 3)]), BY_ROW),
    "CSV packed with gzip": Ordinary("a.csv.gz", gzip.compress(by_csv().encode()), BY_ROW),
    "CSV packed with zstd": Ordinary("a.csv.zst", pa.compress(by_csv().encode(), "zstd", asbytes=True), BY_ROW),
    "labels such as 007 and NA": Ordinary(
        "a.csv", by_csv(AWKWARD), BY_ROW, [sample(place, AWKWARD) for place in PLACES]
    ),
    "pandas, with its index": Ordinary("a.csv", FRAME.to_csv, BY_ROW),
    "pandas, with a named index": Ordinary("a.csv", FRAME.set_index("place").to_csv, BY_ROW),
    "pandas, with tabs": Ordinary("a.tsv", lambda path: FRAME.to_csv(path, sep="\t", index=False), BY_ROW),
    "polars": Ordinary("a.csv", lambda path: pl.DataFrame(RECORDS).write_csv(path), BY_ROW),
    "write.csv of R": Ordinary("a.csv", of_r(","), BY_ROW, FLAT_SAMPLES),
    "write.csv2 of R": Ordinary("a.csv", of_r(";"), BY_ROW, FLAT_SAMPLES),
    "write.table of R, tabs": Ordinary(
        "a.tsv", by_csv(FLAT, delimiter="\t", quoting=csv.QUOTE_ALL), BY_ROW, FLAT_SAMPLES
    ),
    "SQLite in CSV mode": Ordinary("a.csv", by_csv(lineterminator="\r\n"), BY_ROW),
    "answers of Google Forms": Ordinary(
        "a.csv",
        by_csv(
            [("2026/11/03 9:14:55 AM GMT+1", *row[:3]) for row in LONG],
            ("Timestamp", "Which place?", "Your review (max. 500 characters)", "How was it?"),
        ),
        {"group_by": "Which place?", "sources": "Your review (max. 500 characters)", "values": "How was it?"},
        apart=("summaries.csv", 'Which place?,prediction\ncafe,"Tasty, but slow."\npool,Nice view.\n'),
    ),
    "comments of Polis, all one sample": Ordinary(
        "comments.csv",
        "timestamp,datetime,comment-id,author-id,agrees,disagrees,moderated,comment-body,group,summary\n"
        '1762160000,"Mon Nov 03 2026",0,7,3,1,1,"Buses first, please.",a,Buses or roads.\n'
        '1762160001,"Mon Nov 03 2026",1,9,0,2,1,More roads.,b,\n',
        {"group_by": "all", "sources": "comment-body", "values": "group", "predictions": "summary"},
        [
            {
                "id": "all",
                "prediction": "Buses or roads.",
                "sources": ["Buses first, please.", "More roads."],
                "values": ["a", "b"],
            }
        ],
    ),
    "workbook": Ordinary("a.xlsx", sheets({"Sheet1": [NAMES, *LONG]}), BY_ROW),
    "workbook, second sheet": Ordinary(
        "a.xlsx", sheets({"Read me": [("Note",)], "Data": [NAMES, *LONG]}), BY_ROW, reading={"sheet": "Data"}
    ),
    "workbook with blank rows": Ordinary(
        "a.xlsx", sheets({"Sheet1": [NAMES, *LONG[:2], (), *LONG[2:], (None,) * 4]}), BY_ROW
    ),
    "workbook of pandas with lists": Ordinary("a.xlsx", lambda path: WIDE.to_excel(path, index=False)),
    "workbook with numbers": Ordinary(
        "a.xlsx",
        sheets({"Sheet1": [("id", "text", "stars", "summary"), (7, "Good.", 5, "Ok."), (7.0, "Bad.", 1, None)]}),
        {"group_by": "id", "sources": "text", "values": "stars", "predictions": "summary"},
        [{"id": "7", "prediction": "Ok.", "sources": ["Good.", "Bad."], "values": [5, 1]}],
    ),
    "a column a review": Ordinary("a.csv", by_csv(REVIEWS, WIDE_NAMES), BY_COLUMN, ONE_TEXT),
    "a column a review, workbook": Ordinary(
        "a.xlsx",
        sheets({"Sheet1": [WIDE_NAMES, *([cell or None for cell in row] for row in REVIEWS)]}),
        BY_COLUMN,
        ONE_TEXT,
    ),
    "parts of Spark": Ordinary("part-*.csv", parts, BY_ROW),
    "lists as JSON in cells": Ordinary("a.csv", by_csv([tuple(row.values()) for row in CELLS], tuple(CELLS[0]))),
    "lists of pandas": Ordinary("a.csv", lambda path: WIDE.to_csv(path, index=False)),
    "lists of datasets": Ordinary("a.csv", lambda path: DATA.to_csv(path)),
    "arrays of pandas": Ordinary("a.csv", lambda path: DATA.to_pandas().to_csv(path)),
}
