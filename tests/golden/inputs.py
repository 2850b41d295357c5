"""Small inputs of every family and shape, written to a folder; the same on every machine."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

Row = dict[str, Any]

PLACES = ("harbour", "station", "market")
PRAISE = ("The soup was excellent and hot.", "Friendly staff served us quickly.", "We loved the fresh bread.")
BLAME = ("The soup was cold and bland.", "Rude staff ignored us for an hour.", "Stale bread and a dirty table.")
NEUTRAL = "Prices are average for the neighbourhood."


def reviews(system: str = "first") -> list[Row]:
    """Sets of reviews and a summary of each, by systems that take the first, the last or every second text."""
    rows = []
    for number in range(36):
        good = [PRAISE[(number + place) % 3] for place in range(1 + number % 3)]
        bad = [BLAME[(number + place) % 3] for place in range(1 + (number // 3) % 2)]
        sources = [*good, *bad, *([NEUTRAL] if number % 4 == 0 else [])]
        values = ["positive"] * len(good) + ["negative"] * len(bad) + ["neutral"] * (number % 4 == 0)
        taken = {"first": sources[:2], "last": sources[-2:], "second": sources[::2]}[system]
        rows.append(
            {
                "id": f"{PLACES[number % 3]}-{number:02}",
                "sources": sources,
                "values": values,
                "prediction": "" if number == 7 and system == "first" else " ".join(taken),
                "day": f"day {number // 6}",
                "rouge": round(0.3 + number / 100, 2),
            }
        )
    return rows


TEXTS: list[Row] = [
    {"id": f"{group}-{number}", "prediction": text.format(who), "group": group}
    for group, who in (("women", "She"), ("men", "He"), ("nurses", "The nurse"))
    for number, text in enumerate(
        (
            "{} is a great friend and won a wonderful prize.",
            "{} hates the awful war.",
            "{} sat down with her mother.",
            "{} is a terrible liar." if group == "men" else "{} is a good doctor.",
            "{} told his brother about the good news." if group == "men" else "{} was there.",
        )
    )
]

MATTERS = (
    "We all got food poisoning from the buffet.",
    "Somebody stole the wallet from my room.",
    "There was black mold in the bathroom.",
)


def matters() -> list[Row]:
    """Reviews of hotels; the summary names the serious matter of every second one."""
    rows = []
    for number in range(12):
        matter = MATTERS[number % 3]
        summary = f"Lovely pool. {matter if number % 2 else 'Nobody got sick.'}"
        sources = ["Lovely pool and kind staff.", matter, BLAME[number % 3], "Breakfast has everything."]
        values = ["positive", "negative", "negative", "positive"]
        rows.append({"id": f"hotel-{number:02}", "sources": sources, "values": values, "prediction": summary})
    return rows


def meetings() -> list[Row]:
    """Turns of two speakers; the summary gives every third claim to the wrong one."""
    rows = []
    for number in range(9):
        speaker = "Mr Park" if number % 3 == 0 else "Ms Lee"
        claims = (f"{speaker} said that the rents must fall this year.", "Park said that the school opens in May.")
        rows.append(
            {
                "id": f"meeting-{number}",
                "sources": ["The rents must fall this year.", "The new school opens in May."],
                "values": ["Ms Lee", "Mr Park"],
                "prediction": " ".join(claims),
            }
        )
    return rows


ANN = {"id": 0, "first_name": "Ann", "last_name": "Levin", "group": "female", "is_modified": True}
TOM = {"id": 1, "first_name": "Tom", "last_name": "Hill", "group": "male", "is_modified": True}
EVE = {"id": 1, "first_name": "Eve", "last_name": "Hill", "group": "female", "is_modified": True}
BOB = {"id": 0, "first_name": "Bob", "last_name": "Levin", "group": "male", "is_modified": True}


def news() -> list[Row]:
    """Articles about two persons, in both assignments of gender, with summaries and the names in them."""
    rows = []
    for number in range(12):
        one, other = (ANN, TOM) if number % 2 else (BOB, EVE)
        first, second = (f"{person['first_name']} {person['last_name']}" for person in (one, other))
        she, he = ("she", "he") if number % 2 else ("he", "she")
        text = f"{first} praised the budget and {she} signed it. {second} left the room, and {he} won the vote."
        summaries = (
            (f"{first} praised the budget, said Mark Twain.", [first, "Mark Twain"]),
            (f"{second} won the vote.", [second]),
            (f"{first} and {second} met; {she} signed.", [first, second]),
        )
        summary, names = summaries[(number // 2) % 3]
        rows.append(
            {
                "id": f"input-{number:02}",
                "prediction": summary,
                "sources": text,
                "entities": [one, other],
                "mentions": names,
                "article_id": f"wsj_{number // 4}",
                "pair_id": f"pair-{number // 2}",
                "group": "a" if number % 2 else "b",
            }
        )
    return rows


def variants() -> list[Row]:
    """Summaries of articles in which only the person was changed, two replicates of each input and a control."""
    rows = []
    for number in range(6):
        for variant, name, pronoun in (("female", "Ann Lee", "She"), ("male", "Bob Lee", "He")):
            for replicate in range(2):
                more = " It may rise." if (number + replicate) % 3 == 0 else ""
                warm = " a great success" if variant == "male" and number % 2 else " a plan"
                summary = f"{name} will lead the bank.{more} {pronoun} announced{warm} for shop {number}."
                rows.append(
                    {
                        "id": f"{number}-{variant}-{replicate}",
                        "prediction": summary,
                        "article_id": f"article {number}",
                        "variant": variant,
                        "replicate": replicate,
                        "control": None,
                        "sources": [f"{name} leads the bank. {pronoun} has a plan for shop {number}."],
                        "mentions": [name],
                    }
                )
    return rows


def orders() -> list[Row]:
    """Summaries of the same sources in several orders."""
    rows = []
    for number in range(6):
        texts, values = [PRAISE[number % 3], BLAME[(number + 1) % 3], NEUTRAL], ["positive", "negative", "neutral"]
        for start in range(3):
            turned = [*texts[start:], *texts[:start]]
            rows.append(
                {
                    "id": f"{number}-{start}",
                    "prediction": turned[0] if number % 2 else " ".join(turned[:2]),
                    "article_id": f"set {number}",
                    "variant": f"order {start}",
                    "sources": turned,
                    "values": [*values[start:], *values[:start]],
                }
            )
    return rows


NORMS = """\
word\tvalence\tarousal\tdominance\tjoy\tanger\tsadness\tfear\tdisgust
war\t2\t8\t3\t1\t4\t4\t5\t4
prize\t8\t7\t6\t4\t1\t1\t1\t1
friend\t8\t4\t6\t4\t1\t1\t1\t1
liar\t2\t6\t4\t1\t4\t3\t2\t4
mother\t7\t4\t5\t4\t1\t1\t1\t1
"""

RULES = """\
[check]
rules = ["uer.ci_high < 0.9", "bur < 0.95", 'bur.by_value["negative"] <= 1']
"""

CONFIG = """\
[score]
metrics = "bur"

[bur]
tau = 0.5
n_resamples = 20
"""

ARTICLES: list[Row] = [
    {
        "id": "a",
        "text": "Ann Bo said she won. Her mother smiled.",
        "clusters": [[[0, 6], [12, 15], [21, 24]]],
        "names": [{"start": 0, "end": 6, "label": "PERSON"}],
    },
    {
        "id": "b",
        "text": "Carl Ray met his son. He won the game.",
        "clusters": [[[0, 8], [13, 16], [22, 24]]],
        "names": [{"start": 0, "end": 8, "label": "PERSON"}],
    },
    {"id": "c", "text": "It rains. The first woman to lead the team, she left.", "clusters": [], "names": []},
]

LABELS: list[Row] = [
    {
        "label": label,
        "references": [human, second],
        "rating": number % 5,
        "judged": (number * 2) % 5,
        "id": f"s{number // 2}",
        "value": ("pos", "neg")[number % 2],
        "ratings": [5, 5 - number % 3, 5 - number // 5],
    }
    for number, (label, human, second) in enumerate(
        [
            ("male", "male", "male"),
            ("female", "female", "neutral"),
            ("neutral", "neutral", None),
            ("male", "neutral", "neutral"),
            ("female", "female", "female"),
            ("neutral", "male", "neutral"),
        ]
    )
]


def write_inputs(folder: Path) -> None:
    """Write every input file into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = reviews()
    for name, system in (("reviews", "first"), ("last", "last"), ("second", "second")):
        _jsonl(folder / f"{name}.jsonl", reviews(system))
    _reviews_in_other_formats(folder, rows)
    _other_shapes(folder, rows)
    for part in (1, 2):
        _jsonl(folder / f"part-{part}.jsonl", rows[18 * (part - 1) : 18 * part])
    _jsonl(folder / "texts.jsonl", TEXTS)
    _jsonl(folder / "news.jsonl", news())
    _jsonl(folder / "matters.jsonl", matters())
    _jsonl(folder / "meetings.jsonl", meetings())
    _jsonl(folder / "variants.jsonl", variants())
    _jsonl(folder / "orders.jsonl", orders())
    _jsonl(folder / "articles.jsonl", ARTICLES)
    _jsonl(folder / "labels.jsonl", LABELS)
    _jsonl(folder / "chinese.jsonl", [_row("zh", "汤很好喝。", ["汤很好喝，服务很慢。", "面包不新鲜。"])])
    _jsonl(
        folder / "german.jsonl", [_row("de", "Die Suppe war heiß.", ["Die Suppe war sehr heiß.", "Das Brot war alt."])]
    )
    _jsonl(folder / "prompts.jsonl", [{"id": str(n), "prompt": text, "group": "x"} for n, text in enumerate(PRAISE)])
    _jsonl(folder / "ratings.jsonl", _ratings(rows))
    facts = [{"facts": {**Counter(value for n, value in enumerate(row["values"]) if n)}} for row in reviews("second")]
    _jsonl(folder / "facts.jsonl", facts)
    for name, text in (("norms.tsv", NORMS), ("rules.toml", RULES), ("mine.toml", CONFIG)):
        (folder / name).write_text(text, encoding="utf-8")
    _mistakes(folder, rows)
    _raw(folder / "raw")


def _reviews_in_other_formats(folder: Path, rows: list[Row]) -> None:
    import pyarrow
    import pyarrow.parquet

    (folder / "reviews.json").write_text(json.dumps(rows), encoding="utf-8")
    columns = ["id", "sources", "values", "prediction"]
    cells = [[json.dumps(row[key]) if isinstance(row[key], list) else row[key] for key in columns] for row in rows]
    _table(folder / "reviews.csv", columns, cells)
    numpy_cells = [
        [row["id"], *(_as_numpy_prints(row[key]) for key in columns[1:3]), row["prediction"]] for row in rows
    ]
    _table(folder / "numpy.csv", columns, numpy_cells)
    table = pyarrow.Table.from_pylist(rows)
    pyarrow.parquet.write_table(table, folder / "reviews.parquet")


def _as_numpy_prints(texts: list[str]) -> str:
    return "[" + " ".join(repr(text) for text in texts) + "]"


def _other_shapes(folder: Path, rows: list[Row]) -> None:
    """A row for each review, lists of turns, and transcripts."""
    pairs = [(row, *pair) for row in rows for pair in zip(row["sources"], row["values"], strict=True)]
    _table(folder / "long.csv", ["place", "review", "stars"], [[row["id"], text, value] for row, text, value in pairs])
    summaries = [[row["id"], row["prediction"]] for row in rows]
    _table(folder / "summaries.csv", ["place", "summary"], summaries)
    turns = [
        {"id": row["id"], "prediction": row["prediction"], "turns": [
            {"speaker": value, "text": text} for text, value in zip(row["sources"], row["values"], strict=True)
        ]}
        for row in rows
    ]  # fmt: skip
    _jsonl(folder / "turns.jsonl", turns)
    transcripts = [
        {"id": row["id"], "prediction": row["prediction"], "meeting": "\n".join(
            f"{value.upper()}: {text}" for text, value in zip(row["sources"], row["values"], strict=True)
        )}
        for row in rows
    ]  # fmt: skip
    _jsonl(folder / "transcripts.jsonl", transcripts)


def _row(name: str, prediction: str, sources: list[str]) -> Row:
    return {"id": name, "prediction": prediction, "sources": sources, "values": ["a", "b"][: len(sources)]}


def _ratings(rows: list[Row]) -> list[Row]:
    """Rows as `fairsum study relevance` reads them, and what people found overrepresented."""
    return [
        {
            "id": row["id"],
            "text": " ".join(row["sources"]),
            "prediction": row["prediction"],
            "text_group": ("a", "b")[number % 2],
            "article_id": f"w{number // 2}",
            "leaning": ("positive", "negative", "fair")[number % 3],
            "labels": [("positive", "negative")[number % 2], "fair", "positive"],
        }
        for number, row in enumerate(rows)
    ]


def _mistakes(folder: Path, rows: list[Row]) -> None:
    """Files with the mistakes that people make most."""
    short = rows[:3]
    _jsonl(folder / "no_values.jsonl", [{key: row[key] for key in row if key != "values"} for row in short])
    _jsonl(folder / "ragged.jsonl", [short[0], {**short[1], "values": short[1]["values"][:1]}])
    _jsonl(folder / "not_text.jsonl", [short[0], {**short[1], "prediction": 3}])
    _jsonl(folder / "null.jsonl", [short[0], {**short[1], "values": [None, "positive"]}])
    _jsonl(folder / "all_empty.jsonl", [{**row, "prediction": ""} for row in short])
    (folder / "cut.jsonl").write_text(json.dumps(short[0]) + '\n{"id": "x", "sour', encoding="utf-8")
    (folder / "empty.jsonl").write_text("", encoding="utf-8")


def _raw(folder: Path) -> None:
    """Raw corpora in their publishers' formats, as small as they get."""
    (folder / "corpus").mkdir(parents=True)
    tweets = [(sex, number) for sex, count in (("male", 12), ("female", 16)) for number in range(count)]
    lines = [f"{sex}{n}<||>{sex}<||>{sex} tweet number {n}\n" for sex, n in tweets]
    (folder / "claritin_raw.txt").write_text("".join(lines), encoding="utf-8")
    (folder / "yelp/reviews/val").mkdir(parents=True)
    header = "group_id\treview_text\trating\tcategory\trouge1\trouge2\trougeL\trating_dev\n"
    texts = (("Tasty soup .", "5.0"), ("Terrible .", "1.0"), ("We sat outside .", "3.0"))
    for name in ("a_1", "b_2"):
        body = "".join(f"{name[0]}\t{text}\t{stars}\tbusiness\t0\t0\t0\t0\n" for text, stars in texts)
        (folder / f"yelp/reviews/val/{name}.csv").write_text(header + body, encoding="utf-8")
    for kind in ("prompt", "wiki"):
        end = {"prompt": "", "wiki": "the good."}[kind]
        place = folder / {"prompt": "prompts", "wiki": "wikipedia"}[kind]
        place.mkdir()
        page = {
            "islam": {"Islam": [f"As a religion, Islam emphasizes {end}"]},
            "sikhism": {"Sikh": [f"The Sikhs of {end}"]},
        }
        (place / f"religious_ideology_{kind}.json").write_text(json.dumps(page), encoding="utf-8")
    sep = " +++$+++ "
    turns = [("02-1", "ROE", "one two"), ("02-2", "LEE", "x"), ("02-1", "POE", "three four"), ("02-1", "ROE", "five")]
    court = [
        sep.join([case, str(n), "FALSE", person, "NOT JUSTICE", "NA", "NA", text])
        for n, (case, person, text) in enumerate(turns)
    ]
    (folder / "supreme.conversations.txt").write_text("\n".join(court) + "\n", encoding="utf-8")
    (folder / "supreme.gender.txt").write_text("", encoding="utf-8")
    semeval = folder / "data-all-annotations"
    semeval.mkdir()
    columns = "ID\tTarget\tTweet\tStance\tOpinion towards\tSentiment\n"
    stances = ("FAVOR", "AGAINST", "NONE")
    for number, name in enumerate(("trainingdata", "testdata-taskA", "testdata-taskB")):
        body = "".join(
            f"{number}{n}\tClimate\ttweet {number} {n} on the weather\t{stances[(n + number) % 3]}\tTARGET\tother\n"
            for n in range(12)
        )
        (semeval / f"{name}-all-annotations.txt").write_text(columns + body, encoding="latin-1")


def _jsonl(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def _table(path: Path, columns: list[str], rows: Iterable[list[Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerows([columns, *rows])
