"""One way in: the same content gives the same samples, and the same message for a mistake, however it is given."""

import re

import datasets
import pandas as pd
import polars as pl
import pytest

from fairsum_utils import score
from fairsum_utils.errors import InputError
from tests.fuzz.files import content_of


def as_file(ending):
    """Return a writer of rows to a file."""

    def write(rows, path):
        path = path.with_suffix(ending)
        path.write_bytes(content_of(rows, ending))
        return path

    return write


def as_classes(rows, path):
    """A pyarrow table of `datasets`, in which texts of labels are numbers."""
    data = datasets.Dataset.from_list(rows)
    if "party" in data.features:
        data = data.cast_column("party", datasets.ClassLabel(names=sorted({row["party"] or "" for row in rows})))
    return data.data.table.replace_schema_metadata(data.features.arrow_schema.metadata)


WAYS = {
    "CSV": as_file(".csv"),
    "JSON Lines": as_file(".jsonl"),
    "Parquet": as_file(".parquet"),
    "Excel": as_file(".xlsx"),
    "rows": lambda rows, path: rows,
    "columns": lambda rows, path: {name: [row[name] for row in rows] for name in rows[0]},
    "pandas": lambda rows, path: pd.DataFrame(rows),
    "pandas of CSV": lambda rows, path: pd.read_csv(as_file(".csv")(rows, path)),
    "polars": lambda rows, path: pl.DataFrame(rows),
    "classes": as_classes,
    "streaming datasets": lambda rows, path: datasets.Dataset.from_list(rows).to_iterable_dataset(),
}
SPEECHES = [
    ("m1", "Buses first, always.", "Green", "Buses first, or more roads."),
    ("m1", "More roads.", "Auto", "Buses first, or more roads."),
    ("m2", "Trams now.", "Green", "Trams now."),
    ("m1", 'Bikes, said "no one".', "Green", "Buses first, or more roads."),
    ("m2", "Parking\nis late.", "Auto", "Trams now."),
]


def by_turn(**changes):
    """A row a turn; `changes` are column -> number of a row and its entry there."""
    rows = [dict(zip(("id", "speech", "party", "prediction"), row, strict=True)) for row in SPEECHES]
    return changed(rows, changes)


def by_sample(**changes):
    """A row a sample, with lists, and labels that are numbers."""
    rows = [
        {
            "id": name,
            "prediction": next(row[3] for row in SPEECHES if row[0] == name),
            "sources": [row[1] for row in SPEECHES if row[0] == name],
            "values": [len(row[2]) for row in SPEECHES if row[0] == name],
        }
        for name in ("m1", "m2")
    ]
    return changed(rows, changes)


def with_turns(**changes):
    rows = by_turn()
    return changed(
        [
            {
                "id": name,
                "prediction": next(row["prediction"] for row in rows if row["id"] == name),
                "sources": [{"speaker": row["party"], "text": row["speech"]} for row in rows if row["id"] == name],
            }
            for name in ("m1", "m2")
        ],
        changes,
    )


def with_transcripts(**changes):
    rows = with_turns()
    for row in rows:
        row["sources"] = "\n".join(f"{turn['speaker']}: {turn['text']}" for turn in row["sources"])
    return changed(rows, changes)


def changed(rows, changes):
    for name, (number, entry) in changes.items():
        rows[number][name] = entry
    return rows


TURNS = {"group_by": "id", "sources": "speech", "values": "party"}


@pytest.mark.parametrize(
    ("make", "names"),
    [(by_sample, {}), (by_turn, TURNS), (with_turns, {}), (with_transcripts, {"transcript": True})],
)
def test_the_same_samples(tmp_path, make, names):
    expected = {name: [row[name] for row in by_sample()] for name in ("prediction", "sources", "values")}
    if make is not by_sample:
        expected["values"] = [[row[2] for row in SPEECHES if row[0] == name] for name in ("m1", "m2")]
    if make is with_transcripts:
        expected["sources"] = [[" ".join(text.split("\n")) for text in texts] for texts in expected["sources"]]
    columns = {f"{name}s".replace("ss", "s"): column for name, column in expected.items()}
    result = repr(score(columns, metrics="bur"))
    for way, given in WAYS.items():
        assert repr(score(given(make(), tmp_path / "rows"), **names, metrics="bur")) == result, way


PLACE = re.compile(r"(?:score: the table|\S*/rows(?:\.\w+)?)(?:, (?:row|line) \d+)?")
"""Where a mistake is."""
MISTAKES = [
    (by_turn(), {**TURNS, "predictions": "sumary"}, "PLACE: no column 'sumary'; found id, speech, party, prediction. "),
    (by_turn(), {**TURNS, "values": "partei"}, "PLACE: no column 'partei'; found id, speech, party, prediction. Try "),
    (by_turn(), {**TURNS, "group_by": "topic"}, "PLACE: no column 'topic'; found id, speech, party, prediction. Name"),
    (by_sample(), {"id_column": "idd"}, "PLACE: no column 'idd'; found id, prediction, sources, values. Try id_col"),
    (by_turn(), {}, (
        "PLACE: no column 'sources', 'values'; found id, speech, party, prediction. Name the right one with `sources`, "
        "`values`"
    )),
    (by_turn(), {"sources": "speech", "values": "party"}, (
        "PLACE: 'speech' must contain a list, found one text; if each row has one source text, name the column that "
        "identifies its sample with `group_by`"
    )),
    (by_turn(party=(1, "['Auto']")), TURNS, (
        "PLACE (id 'm1'): 'party' must contain the value of one text, found list ['Auto']; put each text in its own row"
    )),
    (by_turn(party=(3, "")), TURNS, "score: sample 0: PLACE (id 'm1'): 'party' is empty; name the group, or choose"),
    (by_turn(speech=(3, "")), TURNS, "PLACE (id 'm1'): 'speech' is empty; fill it in or remove the row"),
    (by_turn(prediction=(3, "Bikes.")), TURNS, (
        "PLACE (id 'm1'): 'prediction' is 'Bikes.', but 'Buses first, or more roads.' in PLACE; use the same entry in"
    )),
    (by_sample(id=(1, "m1")), {}, "PLACE: id 'm1' was used before. Give every sample its own"),
    (by_sample(values=(1, [5])), {}, "score: sample 1: sources has 2 texts but values has 1 label; give one group"),
    (by_sample(prediction=(1, "[{'summary_text': 'Soup.'}]")), {}, (
        "score: sample 1: prediction must be a string, found list [{'summary_text': 'Soup.'}]; fill it in or remove"
    )),
    (with_turns(sources=(1, [{"speaker": "", "text": "Trams."}])), {}, "score: sample 1: values[0] is empty; name"),
    (with_turns(), {"value_key": "who"}, "PLACE, id m1: sources[0] has no 'who', found speaker, text; add it to every"),
    (with_transcripts(sources=(1, "Minutes\nAnn: Yes.")), {"transcript": True}, (
        "PLACE, id m2: the transcript begins with text before the first speaker, str 'Minutes'; begin every turn with"
    )),
    (by_turn(), {**TURNS, "predictions": {"m1": "Buses."}}, "PLACE: id 'm2' has no prediction in predictions; add it"),
]  # fmt: skip
"""Rows, names and the message."""


@pytest.mark.parametrize(("rows", "names", "message"), MISTAKES)
def test_the_same_message(tmp_path, rows, names, message):
    for way in ("CSV", "JSON Lines", "Excel", "rows", "pandas", "polars"):
        with pytest.raises(InputError) as error:
            score(WAYS[way](rows, tmp_path / "rows"), **names, metrics="bur,uer")
        assert PLACE.sub("PLACE", str(error.value)).startswith(message), way
        assert "\n" not in str(error.value)


def test_numbers_of_rows_are_those_of_the_file(tmp_path):
    for way, place in {
        "CSV": "rows.csv, line 5",  # line 1 is the header
        "JSON Lines": "rows.jsonl, row 4",
        "Parquet": "rows.parquet, row 4",
        "Excel": "rows.xlsx, row 5",
        "pandas": "score: the table, row 3",
    }.items():
        with pytest.raises(InputError, match=re.escape(f"{place} (id 'm1'): 'party' is empty")):
            score(WAYS[way](by_turn(party=(3, "")), tmp_path / "rows"), **TURNS)
