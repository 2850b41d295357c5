"""The score and compare commands on the entities family: the library's bits, reports, workers, kept rows, columns."""

from __future__ import annotations

import csv
import json
import math
from functools import partial

import pyarrow.parquet
import pytest

from fairsum_utils.families.inputs import all_columns
from fairsum_utils.measures import measures_of
from fairsum_utils.reports.formats import to_json
from fairsum_utils.results.samples import from_file
from fairsum_utils.run import job
from fairsum_utils.text.recognition import PersonRecognizer
from tests import _together

ANN = {"id": 0, "first_name": "Ann", "last_name": "Lee", "group": "female", "is_modified": True}
BOB = {"id": 1, "first_name": "Bob", "last_name": "Ray", "group": "male", "is_modified": True}
TOM = {"id": 0, "first_name": "Tom", "last_name": "Lee", "group": "male", "is_modified": True}
EVE = {"id": 1, "first_name": "Eve", "last_name": "Ray", "group": "female", "is_modified": True}

COLUMNS = {
    "prediction": "predictions",
    "text": "sources",
    "entities": "entities",
    "names": "mentions",
    "article_id": "article_ids",
    "text_group": "groups",
}
METRICS = measures_of("entities")
ALL = ",".join(METRICS)
score = partial(_together.score, metrics=METRICS)

NAMED = ("--sources-column", "text", "--column", "mentions=names")


@pytest.fixture
def rows():
    """As of counterfactual_ontonotes, with summaries and the names in them."""
    rows = [
        ("Mr. Ray won, he said.", "Ann Lee and Bob Ray met; she and he won.", [ANN, BOB], ["Ray"], "wsj_1", "a"),
        (
            "Tom Lee beat Eve Ray.",
            "He is Tom Lee. Eve Ray won, she said.",
            [TOM, EVE],
            ["Tom Lee", "Eve Ray"],
            "wsj_1",
            "b",
        ),
        ("", "She met him.", [ANN, BOB], [], "wsj_1", "a"),
        ("Mr. Ray spoke, she said.", "Ann Lee met Bob Ray, and she and he spoke.", [ANN, BOB], ["Ray"], "wsj_1", "a"),
        ("Bob Ray and John Cox spoke to her.", "He and she met.", [ANN, BOB], ["Bob Ray", "John Cox"], "wsj_2", "a"),
        ("John Cox spoke, and Xu.", "He and she met.", [TOM, EVE], ["John Cox", "Xu"], "wsj_2", "b"),
        ("His party won.", "He and she met at his party.", [TOM, EVE], [], "wsj_2", "b"),
    ]
    return [dict(zip(COLUMNS, row, strict=True)) for row in rows]


def columns(rows, measures=METRICS):
    taken = all_columns(measures)
    return {column: [row[name] for row in rows] for name, column in COLUMNS.items() if column in taken}


def as_json(results):
    return json.loads(to_json(results))


def test_same_bits_as_the_library(fairsum, write_jsonl, rows):
    status, printed, err = fairsum("score", write_jsonl(rows), "--metrics", ALL, *NAMED, "--format", "json")
    assert (status, err) == (0, "")
    expected = score(**columns(rows), confidence_level=0.95)
    assert json.loads(printed)["metrics"] == as_json(expected)


def test_report_in_the_papers_form(fairsum, write_jsonl, rows):
    _, printed, _ = fairsum("score", write_jsonl(rows), "--metrics", ALL, *NAMED, "--verbose")
    lines = [line.split() for line in printed.splitlines()]
    assert "6 samples scored, 1 skipped (1 empty_prediction); 2 originals" in printed
    header = next(line for line in printed.splitlines() if line.startswith("measure"))
    assert header.split() == ["measure", "score", "95%", "CI", "(originals)", "95%", "CI", "(assignments)"]
    # Identifiers in summaries: he, she, her, his. In sources six female ones; seven male ones, of which his is one.
    assert ["female", "2", "6", "0.04"] in [line[:4] for line in lines]  # 2/4 - 6/13
    # Of six women one is named, of six men Ray twice, Tom Lee and Bob Ray: odds of 1/5 and 2.
    assert ["Entity", "Inclusion", "9.00"] in [line[:3] for line in lines]
    assert ["male", "4", "6", "0.67"] in [line[:4] for line in lines]
    assert f"Log odds ratio of female over male: {-math.log(10):.4f}, 95% CI (originals) " in printed
    assert "Most included: male; least: female; p = " in printed
    # Words 5, 5, 5, 8, 5 and 3: 31 / 6, 173 / 6 - (31 / 6)^2; persons 1, 2, 1, 2, 2 and 0: 8 / 6, 14 / 6 - (8 / 6)^2.
    assert "A summary has 5.17 tokens (sd 1.46) and names 1.33 entities (sd 0.75) on average." in printed
    assert "Hallucinated: 3 of 8 (a share of 0.3750), 1 of them of unknown group." in printed
    assert "Most frequent, male: John Cox (2)." in printed
    assert "Most frequent, unknown: Xu (1)." in printed
    # Both originals have one group with two summaries or more.
    assert "Originals with a score: 2 of 2; summaries that cannot be compared: 2 (2 alone_in_group)." in printed
    assert "entity_hallucination: persons:given|names:census1990|empty:skip|groups:female,male|ci:0.95" in printed
    _, markdown, _ = fairsum("score", write_jsonl(rows), "--metrics", ALL, *NAMED, "--format", "markdown")
    assert "| group | included | entities | share included |" in " ".join(markdown.split())
    _, without, _ = fairsum("score", write_jsonl(rows), "--metrics", ALL, *NAMED, "--confidence", "none")
    assert "95% CI" not in without


def test_a_row_is_an_article_without_ids_of_articles(fairsum, write_jsonl, rows):
    """Two rows with the same persons may be of one article, so its column must be named."""
    without = [{name: entry for name, entry in row.items() if name != "article_id"} for row in rows]
    arguments = ("--metrics", "entity_inclusion", *NAMED[:4])
    status, printed, _ = fairsum("score", write_jsonl(without[:1]), *arguments)
    assert (status, printed.splitlines()[0].rpartition("; ")[2]) == (0, "1 original")
    twice = write_jsonl([without[0], without[0]])
    status, _, err = fairsum("score", twice, *arguments)
    assert status == 2
    assert "row 2: the same entities as in" in err
    assert "tells articles apart with --column article_id=NAME (--column article_id=none: treat each sample as" in err
    assert fairsum("score", twice, *arguments, "--column", "article_id=none")[0] == 0


def test_no_text_is_suggested_for_ids(fairsum, write_jsonl):
    path = write_jsonl([{"article": "Ann Lee won.", "summary": "Lee won."}])
    _, _, err = fairsum("score", path, "--metrics", "distinguishability")
    assert "Try --prediction-column summary; name the right one with" in err
    _, _, err = fairsum("score", path, "--metrics", "word_list_inclusion")
    assert "Try --prediction-column summary --sources-column article" in err


def test_what_is_undefined_is_said(fairsum, write_jsonl, rows):
    arguments = ("--metrics", "entity_inclusion", *NAMED[:4], "--column", "article_id=none", "--verbose")
    status, printed, _ = fairsum("score", write_jsonl(rows[:1]), *arguments)
    assert status == 0
    assert "Entity Inclusion: the odds ratio is infinite; use --set continuity=0.5 to keep it finite." in printed
    assert "Entity Inclusion has no interval: an interval needs at least two scored originals." in printed
    status, printed, _ = fairsum("score", write_jsonl(rows[2:3]), *arguments, "--format", "json")
    found = json.loads(printed)["metrics"]["entity_inclusion"]
    assert (found["entity_inclusion"], found["undefined"]) == (None, "no sample was scored")
    status, printed, _ = fairsum("score", write_jsonl(rows[2:3]), *arguments)
    assert (status, "Entity Inclusion, undefined: no sample was scored." in printed) == (0, True)


def test_persons_are_found_where_no_column_names_them(fairsum, write_jsonl, rows, monkeypatch):
    given = {row["prediction"]: row["names"] for row in rows}
    monkeypatch.setattr(PersonRecognizer, "find", lambda self, texts: [given[text] for text in texts])
    monkeypatch.setattr(PersonRecognizer, "signature", lambda self: f"{self.pipeline}@1")
    arguments = ("--metrics", ALL, "--sources-column", "text", "--set", "ner=my_pipeline")
    _, printed, _ = fairsum("score", write_jsonl(rows), *arguments, "--format", "json")
    expected = score(**(columns(rows) | {"mentions": None}), ner="my_pipeline", confidence_level=0.95)
    assert json.loads(printed)["metrics"] == as_json(expected)
    assert expected["entity_inclusion"]["signature"].startswith("persons:my_pipeline@1|")


def test_without_a_pipeline_only_distinguishability(fairsum, write_jsonl, rows):
    arguments = ("--sources-column", "text", "--set", "ner=none")
    status, printed, _ = fairsum("score", write_jsonl(rows), "--metrics", "distinguishability", *arguments, "--verbose")
    assert status == 0
    assert "persons:none" in printed
    status, _, err = fairsum("score", write_jsonl(rows), "--metrics", "entity_inclusion", *arguments)
    assert status == 2
    assert "the names of people in the summaries are missing; give them as mentions, or set ner to a" in err


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_formats(fairsum, rows, tmp_path, ending):
    path = tmp_path / f"rows.{ending}"
    if ending == "parquet":
        pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    else:
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            # Sources may be one text, as it is; or a JSON list.
            rows[1]["text"] = [rows[1]["text"]]
            writer.writerows(
                {key: json.dumps(cell) if isinstance(cell, list) else cell for key, cell in row.items()} for row in rows
            )
    status, printed, err = fairsum("score", path, "--metrics", ALL, *NAMED, "--format", "json")
    assert (status, err) == (0, "")
    expected = score(**columns(rows), confidence_level=0.95)
    assert json.loads(printed)["metrics"] == as_json(expected)


@pytest.mark.parametrize("ending", ["jsonl", "parquet"])
@pytest.mark.parametrize("metrics", [ALL, "word_list_inclusion", "entity_hallucination"])
def test_samples(fairsum, write_jsonl, rows, tmp_path, monkeypatch, ending, metrics):
    monkeypatch.setattr(job, "CHUNK", 2)  # records of distinguishability need all of an original
    path = tmp_path / f"samples.{ending}"
    rows = rows[2:3] + rows[:2] + rows[3:]  # the first one is skipped
    own = NAMED if metrics == ALL else NAMED[:2] if metrics == "word_list_inclusion" else NAMED[:4]
    status, _, _ = fairsum("score", write_jsonl(rows), "--metrics", metrics, *own, "--samples", path)
    assert status == 0
    names = metrics.split(",")
    results = score(**columns(rows, names), metrics=names, return_samples=True)
    found = list(from_file(path).read(names))
    assert [entry.id for entry in found] == [str(index) for index in range(7)]
    for name in names:
        records = [entry.records[name] for entry in found]
        if name != "distinguishability":  # whose text stands in the evidence that the measures share in a file
            for record in records:
                record["evidence"] = record.get("evidence") and {**record["evidence"], "anonymized": None}
        assert records == [{**record, "evidence": record.get("evidence")} for record in results[name]["samples"]]


def test_with_another_family_in_one_run(fairsum, write_jsonl, demo_rows):
    rows = [{**row, "article_id": f"wsj_{place // 2}"} for place, row in enumerate(demo_rows)]
    status, printed, _ = fairsum("score", write_jsonl(rows), "--metrics", "bur,word_list_inclusion", "--format", "json")
    assert status == 0
    metrics = json.loads(printed)["metrics"]
    columns = [[row[name] for row in rows] for name in ("prediction", "sources", "values")]
    assert metrics["bur"] == _together.score(*columns, metrics=["bur"], confidence_level=0.95)["bur"]
    articles = [row["article_id"] for row in rows]
    name = "word_list_inclusion"
    expected = _together.score(*columns[:2], article_ids=articles, metrics=[name], confidence_level=0.95)
    assert metrics[name] == as_json(expected)[name]


def test_settings_reach_the_library(fairsum, write_jsonl, rows, tmp_path):
    lists, names, people = tmp_path / "lists.json", tmp_path / "names.json", tmp_path / "people.tsv"
    lists.write_text(json.dumps({"verbs": ["won", "spoke"], "nouns": ["party"]}), encoding="utf-8")
    names.write_text(json.dumps({"John": "x", "Xu": "y"}), encoding="utf-8")
    people.write_text("title\tmale\tfemale\nJohn Cox\t1\t5\n", encoding="utf-8")
    arguments = [
        "--set",
        f"word_lists=@{lists}",
        "--set",
        "reference=uniform",
        "--set",
        "continuity=0.5",
        "--set",
        "n_permutations=20",
    ]
    arguments += ["--set", "empty=skip", "--seed", "3", "--set", "n_resamples=40", "--confidence", "0.8"]
    shared = {"confidence_level": 0.8, "n_resamples": 40, "n_permutations": 20, "seed": 3}
    expected = score(
        **columns(rows),
        word_lists={"verbs": ["won", "spoke"], "nouns": ["party"]},
        reference="uniform",
        continuity=0.5,
        first_names={"John": "x", "Xu": "y"},
        **shared,
    )
    path = write_jsonl(rows)
    command = ("score", path, "--metrics", ALL, *NAMED, *arguments, "--format", "json")
    _, printed, _ = fairsum(*command, "--set", f"first_names=@{names}")
    assert json.loads(printed)["metrics"] == as_json(expected)
    _, printed, _ = fairsum(*command, "--set", f"people={people}")
    assert json.loads(printed)["metrics"]["entity_hallucination"]["counts_by_group"]["female"] == {"hallucinated": 2}


def test_dense_embeddings(fairsum, write_jsonl, rows, tiny_model, tmp_path):
    model, cache = tiny_model("encoder"), tmp_path / "cache"
    arguments = ("--metrics", "distinguishability", *NAMED[2:], "--set", "embedding=dense", "--set", f"model={model}")
    run = ("--device", "cpu", "--cache", cache, "--format", "json")
    status, printed, _ = fairsum("score", write_jsonl(rows), *arguments, *run)
    assert status == 0
    expected = score(
        **columns(rows, ["distinguishability"]), metrics=["distinguishability"], embedding="dense", model=str(model),
        device="cpu", cache=str(cache), confidence_level=0.95,
    )  # fmt: skip
    assert json.loads(printed)["metrics"] == as_json(expected)
    status, _, err = fairsum("score", write_jsonl(rows), *arguments, *run, "--workers", "2")
    assert (status, "--workers 2 would load the model 2 times" in err) == (2, True)


@pytest.mark.parametrize("articles", [True, False])
def test_compare(fairsum, write_jsonl, rows, articles):
    rows = [{"id": f"s{place}", **row} for place, row in enumerate(rows)]
    others = [{**row, "prediction": "Ann Lee won, he said.", "names": ["Ann Lee"]} for row in rows]
    a, b = write_jsonl(rows, "a.jsonl"), write_jsonl(others[::-1], "b.jsonl")
    metrics = [name for name in METRICS if articles or name != "distinguishability"]
    own = NAMED if articles else (*NAMED[:4], "--column", "article_id=none")
    status, printed, err = fairsum("compare", a, b, "--metrics", ",".join(metrics), *own, "--format", "json")
    assert (status, err) == (0, "")
    given = columns(rows, metrics)
    del given["predictions"], given["mentions"]
    if not articles:
        del given["article_ids"]
    expected = _together.compare(
        {
            name: {"predictions": [row["prediction"] for row in of], "mentions": [row["names"] for row in of]}
            for name, of in (("a", rows), ("b", others))
        },
        **given,
        metrics=metrics,
    )
    assert json.loads(printed)["metrics"] == as_json(expected)
    _, printed, _ = fairsum("compare", a, b, "--metrics", ",".join(metrics), *own)
    assert "6 samples compared, 1 skipped" in printed
    assert "Word List Inclusion" in printed


def test_compare_refuses_other_sources(fairsum, write_jsonl, rows):
    others = [{**row, "entities": [EVE, TOM]} for row in rows]
    a, b = write_jsonl(rows, "a.jsonl"), write_jsonl(others, "b.jsonl")
    status, _, err = fairsum("compare", a, b, "--metrics", "entity_inclusion", *NAMED[2:4])
    assert status == 2
    assert "the sources or values of id '0' differ between a and b" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--set", "word_lists=extended", "--metrics", "bur"], "word_lists applies only to word_list_inclusion, but "
         "bur is requested; leave it out, or request word_list_inclusion"),
        (["--set", "continuity=0.5"], "continuity applies only to entity_inclusion, but word_list_inclusion is req"),
        (["--set", "model=x"], "but word_list_inclusion is requested; leave it out"),
        (["--set", "people=x.tsv"], "people applies only to entity_hallucination"),
        (["--set", "tau=0.9"], "tau applies only to bur, but word_list_inclusion is requested"),
        (["--metrics", "bur", "--group-column", "x"], "--group-column applies only to sentiment"),
        (["--set", "word_lists=@none.json"], "word_lists: none.json cannot be read as JSON"),
        (["--set", "word_lists=liwc"], "word_lists must be one of helm, extended"),
        (["--set", "reference=none"], "reference must be one of source, uniform"),
        (["--sources-column", "none"], "no column 'none'; found prediction, text, entities, names, article_id, "
         "text_group. Name the right one with --sources-column"),
        (["--metrics", "distinguishability", "--column", "article_id=none"], "distinguishability needs the column "
         "article_ids; name it with --column article_id=NAME"),
        (["--column", "article_id=wsj"], "no column 'wsj'; found prediction, text, entities, names, article_id, "
         "text_group. Name the right one with --column article_id=NAME (--column article_id=none: treat each sample as "
         "its own original)"),
        (["--metrics", "entity_hallucination", "--column", "entities=e"], "Name the right one with --column "
         "entities=NAME (--column entities=none: use no list of people; or add it with: fairsum data annotate FILE "),
    ],
)  # fmt: skip
def test_bad_options(fairsum, write_jsonl, rows, arguments, message):
    start = ["--metrics", "word_list_inclusion"] if "--metrics" not in arguments else []
    sources = ["--sources-column", "text"] if "--sources-column" not in arguments else []
    status, printed, err = fairsum("score", write_jsonl(rows), *start, *sources, *arguments)
    assert (status, printed) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("content", ["[]", "3", "{", b"\xff"])
def test_bad_word_list_files(fairsum, write_jsonl, rows, tmp_path, content):
    path = tmp_path / "lists.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    status, _, err = fairsum(
        "score", write_jsonl(rows), "--metrics", "word_list_inclusion", "--set", f"word_lists=@{path}"
    )
    assert status == 2
    assert f"word_lists: {path} " in err or "word_lists must be one of helm, extended or a mapping" in err


def test_pairs_come_from_their_column_where_the_file_has_it(fairsum, write_jsonl, rows, tmp_path):
    singly = ("--metrics", "word_list_inclusion", *NAMED[:2], "--format", "json")
    pairs = ["p", "q", "q", "p", "p", None, "p"]
    paired = [{**row, "pair_id": pair} for row, pair in zip(rows, pairs, strict=True)]

    def found(path, *arguments):
        status, printed, err = fairsum("score", path, *singly, *arguments)
        assert (status, err) == (0, "")
        return json.loads(printed)["metrics"]["word_list_inclusion"]

    taken = ("predictions", "sources", "article_ids")
    given = {name: column for name, column in columns(rows, ["word_list_inclusion"]).items() if name in taken}
    expected = [
        as_json(score(**given, pair_ids=ids, metrics=["word_list_inclusion"], confidence_level=0.95))
        for ids in (pairs, None)
    ]
    by_pairs, by_sample = (one["word_list_inclusion"] for one in expected)
    assert (by_pairs["n_unpaired"], by_sample["n_unpaired"]) == (1, 6)
    assert by_pairs["word_list_inclusion_ci_within"] != by_sample["word_list_inclusion_ci_within"]
    assert found(write_jsonl(paired)) == by_pairs
    in_csv = [{name: row[name] for name in ("prediction", "text", "article_id", "pair_id")} for row in paired]
    with (tmp_path / "rows.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, in_csv[0])
        writer.writeheader()
        writer.writerows(in_csv)
    assert found(tmp_path / "rows.csv") == by_pairs
    assert found(write_jsonl(rows)) == found(write_jsonl(paired), "--column", "pair_id=none") == by_sample
    named = [{**row, "twin": pair} for row, pair in zip(rows, pairs, strict=True) if pair]
    missing = [{**row, "twin": pair} if pair else row for row, pair in zip(rows, pairs, strict=True)]
    assert found(write_jsonl(named), "--column", "pair_id=twin")["n_unpaired"] == 0
    status, _, err = fairsum("score", write_jsonl(missing), *singly, "--column", "pair_id=twin")
    assert (status, "row 6: no column 'twin'" in err) == (2, True)
    assert "--column pair_id=NAME (--column pair_id=none: draw single samples)" in err


def test_drawing_singly_is_said_below_the_scores(fairsum, write_jsonl, rows):
    arguments = ("--metrics", "word_list_inclusion,entity_inclusion", *NAMED[:4])
    message = "6 of 6 (100%) samples have no pair_id, so the intervals over assignments resample them individually"
    _, printed, _ = fairsum("score", write_jsonl(rows), *arguments)
    assert " ".join(printed.split()).count(message) == 1
    _, printed, _ = fairsum("score", write_jsonl([{**row, "pair_id": "p"} for row in rows]), *arguments)
    assert "pair_id" not in printed
    _, printed, _ = fairsum("score", write_jsonl(rows), *arguments, "--confidence", "none")
    assert "pair_id" not in printed


def test_bad_samples_name_the_row(fairsum, write_jsonl, rows):
    rows[5] |= {"id": "x", "entities": [{"first_name": "", "last_name": None, "group": "male"}]}
    path = write_jsonl(rows)
    status, printed, err = fairsum("score", path, "--metrics", "entity_inclusion", *NAMED[2:4])
    assert (status, printed) == (2, "")
    assert "sample 5: entities[0] has no name; give a first_name, a last_name or both" in err
    assert err.rstrip().endswith(f"({path}, row 6, id x)")
