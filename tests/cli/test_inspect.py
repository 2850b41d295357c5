"""Inspecting: which samples are shown, of a file or of one of samples with their texts, in every family."""

import json

import pytest

from fairsum_utils import compute
from fairsum_utils.reports.worst import worst


def inspected(fairsum, *arguments):
    """The document of the command."""
    status, printed, err = fairsum("inspect", *arguments, "--format", "json")
    assert (status, err) == (0, "")
    return json.loads(printed)


LEXICAL = ("--set", "entailer=lexical")
TEXTS = ["A great, lovely book.", "A terrible, awful book.", "", "A book.", "A bad book."]
PERSONS = [{"first_name": "Ann", "last_name": "Lee", "group": "f"}, {"last_name": "Ray", "group": "m"}]
NEWS = [("Ann Lee won.", ["Ann Lee"]), ("She met Ray.", ["Ray"]), ("He met Mary Poe.", ["Mary Poe"]), ("Nobody.", [])]


def rows_for(name, demo_rows):
    """Rows for a measure, some of them without a score."""
    if name in ("sentiment", "gender_polarity"):
        return [{"id": f"{n}", "prediction": text, "group": "ab"[n % 2]} for n, text in enumerate(TEXTS)]
    if name in ("entity_hallucination", "distinguishability"):
        shared = {"sources": "Ann Lee and he, Ray, met her.", "entities": PERSONS}
        return [
            {"id": f"{n}", "prediction": text, "mentions": names, "group": "fm"[n % 2], "article_id": n // 4, **shared}
            for n, (text, names) in enumerate(NEWS * 2)
        ]
    demo_rows[2]["prediction"] = ""
    return demo_rows


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("bur", ()),
        ("equal_coverage", LEXICAL),
        ("sentiment", ()),
        ("gender_polarity", ()),
        ("entity_hallucination", ("--column", "mentions=mentions")),
        ("distinguishability", ("--column", "mentions=mentions")),
    ],
)
def test_a_file_of_samples_gives_the_same(fairsum, write_jsonl, demo_rows, tmp_path, name, options):
    path, samples = write_jsonl(rows_for(name, demo_rows)), tmp_path / "samples.parquet"
    asked = ("--metrics", name)
    assert fairsum("score", path, *asked, *options, "--samples", samples, "--with-texts")[0] == 0
    calls = ((path, *asked, *options), (samples, *asked))
    expected, found = (inspected(fairsum, *call)["samples"] for call in calls)
    assert [sample["id"] for sample in found] == [sample["id"] for sample in expected]
    assert [sample["severity"] for sample in found] == [sample["severity"] for sample in expected]
    shown = [fairsum("inspect", *call)[1].split("\n\n", 1)[1].split() for call in calls]
    assert shown[0] == shown[1]


@pytest.mark.parametrize("name", ["uer", "coverage_parity"])
def test_the_worst_of_a_file(fairsum, write_jsonl, demo_rows, name):
    lexical = {"entailer": "lexical"} if "_" in name else {}
    columns = {
        f"{column}s".replace("ss", "s"): [row[column] for row in demo_rows]
        for column in ("prediction", "sources", "values")
    }
    result = compute(name, **columns, **lexical, return_samples=True)
    options = ("--metrics", name, "--worst", 3, *(LEXICAL if lexical else ()))
    document = inspected(fairsum, write_jsonl(demo_rows), *options)
    places = worst(name, result["samples"], 3)
    assert [sample["index"] for sample in document["samples"]] == places
    assert document["score"] == result[name]
    for sample in document["samples"]:
        row, record = demo_rows[sample["index"]], result["samples"][sample["index"]]
        assert sample["id"] == row["id"]
        texts = {"predictions": row["prediction"], "sources": row["sources"], "values": row["values"]}
        assert sample["sample"] == texts
        plain = {key: record[key] for key in record if key not in ("matched", "evidence", "units")}
        assert {key: sample["record"][key] for key in plain} == plain


def test_samples_without_groups_among_others(fairsum, write_jsonl, tmp_path):
    """Measures whose groups are optional score a row whose values are null."""
    sources = ["I got food poisoning.", "Lovely rooms."]
    rows = [
        {"id": id, "prediction": "Fine.", "sources": sources, "values": values}
        for id, values in [("1", ["x", "y"]), ("2", None), ("3", ["x", "y"])]
    ]
    path, samples, asked = write_jsonl(rows), tmp_path / "samples.jsonl", ("--metrics", "omission")
    assert fairsum("score", path, *asked, "--samples", samples, "--with-texts")[0] == 0
    for file in (path, samples):
        status, printed, err = fairsum("inspect", file, *asked, "--id", "1", "--id", "2")
        assert (status, err) == (0, "")
        shown = printed[printed.index("2. 2:") :].splitlines()
        assert any(line.split()[:4] == ["source", "I", "got", "food"] for line in shown)


def test_named_samples_in_the_order_of_the_file(fairsum, write_jsonl, demo_rows):
    path, ids = write_jsonl(demo_rows), [demo_rows[5]["id"], demo_rows[1]["id"]]
    document = inspected(fairsum, path, "--id", ids[0], "--id", ids[1])
    assert [sample["index"] for sample in document["samples"]] == [1, 5]
    status, printed, err = fairsum("inspect", path, "--id", "none")
    assert (status, printed, "has the id 'none'" in err) == (2, "", True)


def test_predictions_that_stand_apart(fairsum, write_jsonl, demo_rows):
    expected = inspected(fairsum, write_jsonl(demo_rows), "--metrics", "uer", "--worst", 2)
    kept = write_jsonl([{key: row[key] for key in ("id", "sources", "values")} for row in demo_rows], "sources.jsonl")
    apart = [{"id": row["id"], "prediction": row["prediction"]} for row in reversed(demo_rows)]
    path = write_jsonl(apart, "predictions.jsonl")
    found = inspected(fairsum, kept, "--predictions", path, "--metrics", "uer", "--worst", 2)
    assert (found["samples"], found["score"]) == (expected["samples"], expected["score"])
    status, _, err = fairsum("inspect", kept, "--predictions", write_jsonl(apart[1:], "fewer.jsonl"))
    assert (status, err.count("\n")) == (2, 1)
    assert f"id {apart[0]['id']!r} has no prediction" in err


def test_what_people_see(fairsum, write_jsonl, demo_rows):
    demo_rows[0]["sources"][0] += " It was long." * 100
    path = write_jsonl(demo_rows)
    _, printed, _ = fairsum("inspect", path, "--worst", 8)
    for text in ("Shown: the 8 worst of 8 samples that can be ranked", " characters)", "matched words"):
        assert text in printed
    assert " characters)" not in fairsum("inspect", path, "--full")[1]
    for format, mark in (("markdown", "| summary |"), ("html", "<td>summary</td>")):
        assert mark in " ".join(fairsum("inspect", path, "--format", format)[1].split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--worst", "0"], "inspect: error: --worst must be a whole number of at least 1"),
        (["--metrics", "uer", "--set", "tau=0.5"], "inspect: error: tau applies only to bur, but uer is requested"),
        (["--metrics", "sentiment", "--group-column", "x"], "no column 'x'"),
    ],
)
def test_bad_options(fairsum, write_jsonl, demo_rows, arguments, message):
    status, printed, err = fairsum("inspect", write_jsonl(demo_rows), *arguments)
    assert (status, printed) == (2, "")
    assert message in err


def test_samples_that_were_scored_for_another_measure(fairsum, write_jsonl, demo_rows, tmp_path):
    samples, write = tmp_path / "samples.jsonl", ("score", write_jsonl(demo_rows), "--metrics", "uer", "--samples")
    fairsum(*write, samples, "--with-texts")
    for asked, message in (
        (("bur",), "these samples were scored for uer, not for bur; use --metrics"),
        (("sentiment",), "these samples were scored for uer, not for sentiment; use --metrics"),
        (("uer", "--set", "k=2"), "are scored already; leave out k"),
    ):
        status, _, err = fairsum("inspect", samples, "--metrics", *asked)
        assert (status, err.count("\n")) == (2, 1)
        assert message in err
    fairsum(*write, samples)
    status, _, err = fairsum("inspect", samples, "--metrics", "uer")
    assert (status, err.count("\n")) == (2, 1)
    assert "these samples have no texts; write them with --with-texts" in err
