"""Inspecting: which samples are shown, of a file or of one of samples with their texts, in every family."""

import json

import pytest

import fairsum_utils
from fairsum_utils.reports.worst import worst


def inspected(fairsum, *arguments):
    """The document of the command."""
    status, printed, err = fairsum("inspect", *arguments, "--format", "json")
    assert (status, err) == (0, "")
    return json.loads(printed)


def library(rows, name, **settings):
    columns = {
        column: [row[entry] for row in rows]
        for column, entry in (("predictions", "prediction"), ("sources", "sources"), ("values", "values"))
    }
    return fairsum_utils.compute(name, **columns, **settings, return_samples=True)


@pytest.mark.parametrize("name", ["uer", "coverage_parity"])
def test_the_worst_of_a_file(fairsum, write_jsonl, demo_rows, name):
    lexical = {"entailer": "lexical"} if "_" in name else {}
    options = ("--set", "entailer=lexical") if lexical else ()
    result = library(demo_rows, name, **lexical)
    document = inspected(fairsum, write_jsonl(demo_rows), "--metrics", name, "--worst", 3, *options)
    places = worst(name, result["samples"], 3)
    assert [sample["id"] for sample in document["samples"]] == [demo_rows[place]["id"] for place in places]
    assert [sample["index"] for sample in document["samples"]] == places
    assert document["score"] == result[name]
    for sample in document["samples"]:
        row = demo_rows[sample["index"]]
        texts = {"predictions": row["prediction"], "sources": row["sources"], "values": row["values"]}
        assert sample["sample"] == texts
        expected = result["samples"][sample["index"]]
        assert {key: sample["record"][key] for key in expected if key not in ("matched", "evidence", "units")} == {
            key: entry for key, entry in expected.items() if key not in ("matched", "evidence", "units")
        }


@pytest.mark.parametrize(("name", "ending"), [("bur", "parquet"), ("equal_coverage", "jsonl")])
def test_a_file_of_samples_gives_the_same(fairsum, write_jsonl, demo_rows, tmp_path, name, ending):
    demo_rows[2]["prediction"] = ""
    path, samples = write_jsonl(demo_rows), tmp_path / f"samples.{ending}"
    options = ("--set", "entailer=lexical") if "_" in name else ()
    expected = inspected(fairsum, path, "--metrics", name, *options)
    fairsum("score", path, "--metrics", name, "--samples", samples, "--with-texts", *options)
    found = inspected(fairsum, samples, "--metrics", name)
    assert found["samples"] == expected["samples"]


@pytest.mark.parametrize("name", ["omission"])
def test_samples_without_groups_among_others(fairsum, write_jsonl, tmp_path, name):
    """Measures whose groups are optional score a row whose values are null."""
    sources = ["I got food poisoning.", "Lovely rooms."]
    rows = [
        {"id": id, "prediction": "Fine.", "sources": sources, "values": values}
        for id, values in [("1", ["x", "y"]), ("2", None), ("3", ["x", "y"])]
    ]
    path, samples = write_jsonl(rows), tmp_path / "samples.jsonl"
    for file, title in ((path, "2. 2:"), (samples, "2. 2:")):
        if file == samples:
            assert fairsum("score", path, "--metrics", name, "--samples", samples, "--with-texts")[0] == 0
        status, printed, err = fairsum("inspect", file, "--metrics", name, "--id", "1", "--id", "2")
        assert (status, err) == (0, "")
        shown = printed[printed.index(title) :].splitlines()
        assert any(line.split()[:4] == ["source", "I", "got", "food"] for line in shown)


def test_polarity_and_its_words(fairsum, write_jsonl, tmp_path):
    texts = ["A great, lovely book.", "A terrible, awful book.", "", "A book.", "A bad book."]
    rows = [{"id": str(place), "prediction": text, "group": "ab"[place % 2]} for place, text in enumerate(texts)]
    path, samples = write_jsonl([*rows, {**rows[1], "id": "5"}]), tmp_path / "samples.parquet"
    document = inspected(fairsum, path, "--metrics", "sentiment", "--worst", 3)
    assert [sample["id"] for sample in document["samples"]] == ["1", "5", "4"]
    _, printed, _ = fairsum("inspect", path, "--metrics", "gender_polarity", "--id", "2", "--id", "0")
    assert "1. 0: " in printed
    assert "2. 2: no score: the summary is empty" in printed
    for name in ("gender_polarity", "sentiment"):
        expected = inspected(fairsum, path, "--metrics", name)
        fairsum("score", path, "--metrics", "sentiment,gender_polarity", "--samples", samples, "--with-texts")
        assert inspected(fairsum, samples, "--metrics", name)["samples"] == expected["samples"]


@pytest.mark.parametrize(
    ("name", "ending"),
    [("word_list_inclusion", "jsonl"), ("entity_hallucination", "parquet"), ("distinguishability", "parquet")],
)
def test_entities_and_their_persons(fairsum, write_jsonl, tmp_path, name, ending):
    persons = [{"first_name": "Ann", "last_name": "Lee", "group": "f"}, {"last_name": "Ray", "group": "m"}]
    rows = [
        {
            "id": f"{place}", "prediction": text, "sources": "Ann Lee and he, Ray, met her.", "entities": persons,
            "mentions": mentions, "group": "fm"[place % 2], "article_id": place // 4,
        }
        for place, (text, mentions) in enumerate(
            [("Ann Lee won.", ["Ann Lee"]), ("She met Ray.", ["Ray"]), ("He met Mary Poe.", ["Mary Poe"]),
             ("Nobody.", [])] * 2
        )
    ]  # fmt: skip
    path, samples = write_jsonl(rows), tmp_path / f"samples.{ending}"
    options = ("--column", "mentions=mentions", "--metrics", name)
    document = inspected(fairsum, path, *options)
    severities = [tuple(sample["severity"].values()) for sample in document["samples"]]
    assert severities == sorted(severities, reverse=True)
    status, printed, _ = fairsum("inspect", path, *options)
    assert status == 0
    assert "Ann Lee and he, Ray, met her." in printed or name in ("entity_inclusion", "distinguishability")
    status, _, err = fairsum(
        "score", path, "--column", "mentions=mentions", "--metrics", name, "--samples", samples, "--with-texts"
    )
    assert (status, err) == (0, "")
    found = inspected(fairsum, samples, "--metrics", name)["samples"]
    assert [(sample["id"], sample["severity"]) for sample in found] == [
        (sample["id"], sample["severity"]) for sample in document["samples"]
    ]
    _, again, _ = fairsum("inspect", samples, "--metrics", name)
    assert again.split("\n\n", 1)[1].split() == printed.split("\n\n", 1)[1].split()


def test_named_samples_in_the_order_of_the_file(fairsum, write_jsonl, demo_rows):
    ids = [demo_rows[5]["id"], demo_rows[1]["id"]]
    document = inspected(fairsum, write_jsonl(demo_rows), "--id", ids[0], "--id", ids[1])
    assert [sample["index"] for sample in document["samples"]] == [1, 5]
    status, printed, err = fairsum("inspect", write_jsonl(demo_rows), "--id", "none")
    assert (status, printed) == (2, "")
    assert "has the id 'none'" in err


def test_predictions_that_stand_apart(fairsum, write_jsonl, demo_rows):
    expected = inspected(fairsum, write_jsonl(demo_rows), "--metrics", "uer", "--worst", 2)
    kept = write_jsonl([{key: row[key] for key in ("id", "sources", "values")} for row in demo_rows], "sources.jsonl")
    apart = [{"id": row["id"], "prediction": row["prediction"]} for row in reversed(demo_rows)]
    path = write_jsonl(apart, "predictions.jsonl")
    found = inspected(fairsum, kept, "--predictions", path, "--metrics", "uer", "--worst", 2)
    assert found["samples"] == expected["samples"]
    assert found["score"] == expected["score"]
    status, _, err = fairsum("inspect", kept, "--predictions", write_jsonl(apart[1:], "fewer.jsonl"))
    assert (status, len(err.strip().splitlines())) == (2, 1)
    assert f"id {apart[0]['id']!r} has no prediction" in err


def test_what_people_see(fairsum, write_jsonl, demo_rows):
    demo_rows[0]["sources"][0] += " It was long." * 100
    path = write_jsonl(demo_rows)
    _, printed, _ = fairsum("inspect", path, "--worst", 8)
    assert "Shown: the 8 worst of 8 samples that can be ranked" in printed
    assert " characters)" in printed
    assert "matched words" in printed
    assert " characters)" not in fairsum("inspect", path, "--full")[1]
    for format, mark in (("markdown", "| summary |"), ("html", "<td>summary</td>")):
        assert mark in " ".join(fairsum("inspect", path, "--format", format)[1].split())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--worst", "0"], "inspect: error: --worst must be a whole number of at least 1"),
        (
            ["--metrics", "uer", "--set", "tau=0.5"],
            "inspect: error: tau applies only to bur, but uer is requested",
        ),
        (["--metrics", "sentiment", "--group-column", "x"], "no column 'x'"),
    ],
)
def test_bad_options(fairsum, write_jsonl, demo_rows, arguments, message):
    status, printed, err = fairsum("inspect", write_jsonl(demo_rows), *arguments)
    assert (status, printed) == (2, "")
    assert message in err


def test_samples_that_were_scored_for_another_measure(fairsum, write_jsonl, demo_rows, tmp_path):
    samples = tmp_path / "samples.jsonl"
    fairsum("score", write_jsonl(demo_rows), "--metrics", "uer", "--samples", samples, "--with-texts")
    for name in ("bur", "sentiment", "equal_coverage", "entity_inclusion"):
        status, _, err = fairsum("inspect", samples, "--metrics", name)
        assert (status, err.count("\n")) == (2, 1)
        assert f"these samples were scored for uer, not for {name}; use --metrics" in err
    status, _, err = fairsum("inspect", samples, "--metrics", "uer", "--set", "k=2")
    assert (status, err.count("\n")) == (2, 1)
    assert "are scored already; leave out k" in err
    fairsum("score", tmp_path / "rows.jsonl", "--metrics", "uer", "--samples", samples)
    status, _, err = fairsum("inspect", samples, "--metrics", "uer")
    assert (status, err.count("\n")) == (2, 1)
    assert "these samples have no texts; write them with --with-texts" in err
