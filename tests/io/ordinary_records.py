"""Ordinary files of records and transcripts, each as its program writes it."""

import json
from pathlib import Path
from typing import Any

import datasets
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

from tests.io.ordinary_tables import (
    BY_ROW,
    DATA,
    FRAME,
    LONG,
    PLACES,
    RECORDS,
    SAMPLES,
    WIDE,
    Ordinary,
    by_csv,
    lines,
    without,
)

TURNS = [[{"speaker": label, "text": text} for place, text, label, _ in LONG if place == name] for name in PLACES]
BY_TURN = [
    {"id": row["id"], "summary": row["prediction"], "sources": turns} for row, turns in zip(SAMPLES, TURNS, strict=True)
]
SUMMARY = {"predictions": "summary"}
UNNAMED = [{**row, "id": str(number)} for number, row in enumerate(SAMPLES)]
"""Samples of a file without ids."""


def stream(path: Path, rows: list[dict[str, Any]]) -> None:
    table = pa.Table.from_pylist(rows)
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table)


def indented(value: Any) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


NO_IDS = [without(row, "id") for row in SAMPLES]

RECORD_FILES = {
    "JSON Lines": Ordinary("a.jsonl", lines(SAMPLES)),
    "JSON Lines without ids": Ordinary("a.jsonl", lines(NO_IDS), samples=UNNAMED),
    "JSON Lines with a byte order mark": Ordinary("a.jsonl", "\ufeff" + lines(SAMPLES)),
    "ndjson of BigQuery": Ordinary(
        "a.ndjson", lines([{**row, "id": "7"} for row in SAMPLES[:1]]), samples=[{**SAMPLES[0], "id": "7"}]
    ),
    "array of Python": Ordinary("a.json", indented(SAMPLES)),
    "array of the SQLite shell": Ordinary("a.json", "[" + ",\n".join(map(json.dumps, RECORDS)) + "]\n", BY_ROW),
    "objects of jq, one after another": Ordinary("a.json", "\n".join(map(indented, SAMPLES)) + "\n"),
    "records of pandas": Ordinary("a.json", lambda path: WIDE.to_json(path, orient="records")),
    "lines of pandas": Ordinary("a.jsonl", lambda path: WIDE.to_json(path, orient="records", lines=True)),
    "columns of pandas, its default": Ordinary("a.json", WIDE.to_json),
    "split of pandas": Ordinary("a.json", lambda path: WIDE.to_json(path, orient="split")),
    "table of pandas": Ordinary("a.json", lambda path: WIDE.to_json(path, orient="table")),
    "index of pandas": Ordinary("a.json", lambda path: WIDE.to_json(path, orient="index")),
    "answer of a server": Ordinary("a.json", json.dumps({"count": 2, "next": None, "results": SAMPLES})),
    "lines of datasets": Ordinary("a.jsonl", lambda path: DATA.to_json(path)),
    "Parquet of datasets": Ordinary("a.parquet", lambda path: DATA.to_parquet(path)),
    "Parquet of pandas": Ordinary("a.parquet", lambda path: FRAME.to_parquet(path), BY_ROW),
    "Parquet of polars": Ordinary("a.parquet", lambda path: pl.DataFrame(SAMPLES).write_parquet(path)),
    "Parquet with classes": Ordinary(
        "a.parquet",
        lambda path: (
            datasets.Dataset.from_list(RECORDS)
            .cast_column("label", datasets.ClassLabel(names=["neg", "pos"]))
            .to_parquet(path)
        ),
        BY_ROW,
    ),
    "parts of Spark, Parquet": Ordinary(
        "part-*.parquet",
        lambda path: [
            pa.parquet.write_table(pa.Table.from_pylist([row]), path.parent / f"part-{row['id']}.parquet")
            for row in SAMPLES
        ],
    ),
    "Feather": Ordinary("a.feather", lambda path: pa.feather.write_feather(pa.Table.from_pylist(SAMPLES), path)),
    "Arrow stream": Ordinary("a.arrow", lambda path: stream(path, SAMPLES)),
    "saved data set": Ordinary("saved", lambda path: DATA.save_to_disk(path)),
    "saved data set with splits": Ordinary(
        "saved",
        lambda path: datasets.DatasetDict(train=DATA.select([1]), test=DATA).save_to_disk(path),
        reading={"split": "test"},
    ),
    "turns": Ordinary("a.jsonl", lines(BY_TURN), SUMMARY),
    "turns as a structure of lists": Ordinary(
        "a.jsonl",
        lines(
            [
                {**row, "sources": {key: [turn[key] for turn in row["sources"]] for key in ("speaker", "text")}}
                for row in BY_TURN
            ]
        ),
        SUMMARY,
    ),
    "turns of QMSum": Ordinary(
        "a.json",
        json.dumps(
            [
                {
                    "meeting_transcripts": [
                        {"speaker": turn["speaker"], "content": turn["text"]} for turn in row["sources"]
                    ],
                    "general_query_list": [{"query": "Summarize.", "answer": row["summary"]}],
                }
                for row in BY_TURN
            ]
        ),
        {"sources": "meeting_transcripts", "predictions": "general_query_list.0.answer"},
        UNNAMED,
    ),
    "interviews of MediaSum": Ordinary(
        "a.json",
        json.dumps(
            [
                {
                    "id": row["id"],
                    "program": "News",
                    "summary": row["prediction"],
                    "utt": row["sources"],
                    "speaker": row["values"],
                }
                for row in SAMPLES
            ]
        ),
        {"sources": "utt", "values": "speaker", **SUMMARY},
    ),
    "dialogues of DialogSum": Ordinary(
        "a.jsonl",
        lines(
            [
                {
                    "fname": "train_0",
                    "dialogue": "#Person1#: Hi, Mr. Smith.\n#Person2#: I found it: 5 o'clock.",
                    "summary": "They meet.",
                    "topic": "visit",
                }
            ]
        ),
        {"sources": "dialogue", "transcript": True, "id_column": "fname", **SUMMARY},
        [
            {
                "id": "train_0",
                "prediction": "They meet.",
                "sources": ["Hi, Mr. Smith.", "I found it: 5 o'clock."],
                "values": ["#Person1#", "#Person2#"],
            }
        ],
    ),
    "dialogues of SAMSum": Ordinary(
        "a.json",
        json.dumps(
            [
                {
                    "id": "13818513",
                    "summary": "Amanda baked cookies.",
                    "dialogue": "Amanda: I baked  cookies.\r\nJerry: Sure!\r\nAmanda: Tomorrow :-)",
                }
            ]
        ),
        {"sources": "dialogue", "transcript": True, **SUMMARY},
        [
            {
                "id": "13818513",
                "prediction": "Amanda baked cookies.",
                "sources": ["I baked  cookies.", "Sure!", "Tomorrow :-)"],
                "values": ["Amanda", "Jerry", "Amanda"],
            }
        ],
    ),
}

SPOKEN = {
    "prediction": "Hire or wait.",
    "sources": ["Hire two people.", "No money. None at all."],
    "values": ["Anna Bo", "Ben Cy"],
}
SPEECHES = [{"id": "m1", **SPOKEN}]
APART = ("summaries.csv", "id,prediction\nm1,Hire or wait.\n")


def captions(name: str, text: str) -> Ordinary:
    """Return a folder with one meeting; its summary is in a table."""

    def write(path: Path) -> None:
        path.mkdir()
        (path / name).write_text(text, encoding="utf-8")

    return Ordinary("meetings", write, {}, SPEECHES, apart=APART)


ZOOM = """WEBVTT

1
00:00:01.000 --> 00:00:03.000
Anna Bo: Hire two people.

2
00:00:03.000 --> 00:00:05.000
Ben Cy: No money.

3
00:00:05.000 --> 00:00:06.000
Ben Cy: None at all.
"""
TEAMS = """WEBVTT

7d6b/14-0
00:00:01.010 --> 00:00:03.100
<v Anna Bo>Hire two people.</v>

7d6b/15-0
00:00:03.200 --> 00:00:05.000
<v Ben Cy>No money.
None at all.</v>
"""
WEBEX = """WEBVTT

1 "Anna Bo" (123)
00:00:01.000 --> 00:00:03.000
<v Anna Bo>Hire two people.

2 "Ben Cy" (9)
00:00:03.000 --> 00:00:05.000
<v Ben Cy>No money. None at all.
"""
SUBTITLES = """1
00:00:01,000 --> 00:00:03,000
Anna Bo: Hire two people.

2
00:00:03,000 --> 00:00:05,000
Ben Cy: No money.
None at all.
"""
MINUTES = "[00:01:02] Anna Bo: Hire two people.\n[00:01:09] Ben Cy: No money.\nNone at all."
OTTER = "Anna Bo  0:03\nHire two people.\n\nBen Cy  0:09\nNo money. None at all.\n"

TRANSCRIPTS = {
    "captions of Zoom": captions("m1.vtt", ZOOM),
    "captions of Teams": captions("m1.vtt", TEAMS),
    "captions of Webex": captions("m1.vtt", WEBEX),
    "subtitles": captions("m1.srt", SUBTITLES.replace("\n", "\r\n")),
    "text of Otter": Ordinary(
        "a.csv",
        by_csv([("m1", OTTER, SPOKEN["prediction"])], ("id", "sources", "prediction")),
        {"transcript": True},
        SPEECHES,
    ),
    "minutes with times": Ordinary(
        "a.jsonl",
        lines([{**SPEECHES[0], "sources": MINUTES}]),
        {"transcript": True},
        SPEECHES,
    ),
}
