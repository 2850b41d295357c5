"""The score command: the library's bits, files of samples, and one clear line on bad input."""

import json
import math

import pyarrow.parquet
import pytest

from fairsum_utils.families import all_measures
from fairsum_utils.io.reading import read_rows
from fairsum_utils.reports.formats import to_json
from fairsum_utils.results.record import complete
from fairsum_utils.results.samples import from_file
from tests import _together


def library(rows, **options):
    columns = ([row[name] for row in rows] for name in ("prediction", "sources", "values"))
    return _together.score(*columns, confidence_level=0.95, **options)


def test_same_bits_as_the_library(fairsum, write_jsonl, demo_rows, tmp_path):
    path, output = write_jsonl(demo_rows), tmp_path / "results.json"
    settings = ("tau=0.9", "target={positive=0.25,negative=0.75}", "normalizer=simple", "n_resamples=50")
    arguments = ("--language", "english", "--seed", "3", *(word for each in settings for word in ("--set", each)))
    status, printed, _ = fairsum("score", path, *arguments, "--output", output, "--format", "json")
    assert status == 0
    written = json.loads(output.read_text())
    assert written.pop("run")["command"]["name"] == "score"
    assert written == json.loads(printed)
    target = {"positive": 0.25, "negative": 0.75}
    expected = library(demo_rows, tau=0.9, target=target, normalizer="simple", seed=3, n_resamples=50)
    assert written == json.loads(to_json(complete({"file": str(path), "metrics": expected})))


def test_given_distributions(fairsum, write_jsonl, demo_rows):
    given = [{"positive": 1, "negative": 3} for _ in demo_rows]
    rows = [{**row, "acu": shares} for row, shares in zip(demo_rows, given, strict=True)]
    _, printed, _ = fairsum("score", write_jsonl(rows), "--column", "distribution=acu", "--format", "json")
    result = json.loads(printed)["metrics"]["uer"]
    assert result["uer"] == library(demo_rows, target_distributions=given)["uer"]["uer"]
    assert result["signature"].startswith("matcher:given|norm:fairsumm|")


GOOD = {"id": "x", "prediction": "Tasty.", "sources": ["Tasty!", "Cold."], "values": ["pos", "neg"]}


def test_a_bad_sample_is_named_with_its_row_and_leaves_no_output(fairsum, write_jsonl, tmp_path):
    path = write_jsonl([GOOD, {**GOOD, "id": "second", "prediction": math.nan}])
    status, printed, err = fairsum("score", path, "--samples", tmp_path / "samples.parquet")
    assert (status, printed, err.count("\n")) == (2, "", 1)
    assert "sample 1: prediction must be a string, found NaN" in err
    assert err.endswith("row 2, id second)\n")
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--metrics", "bur,bleu"], f"metrics must be one of {', '.join(all_measures())}"),
        (["--set", "normalizer=simple", "--language", "klingon"], "language must be one of arabic (ar), basque (eu)"),
        (["--set", "target={pos=1}"], "sample 0: the group 'neg' is not in target (pos)"),
        (["--seed", "-1"], "seed must be a whole number of at least 0"),
        (["--workers", "0"], "workers must be a whole number of at least 1"),
        (["--samples", "samples.txt"], "unknown format; the name must end in one of .parquet, .jsonl"),
        (
            ["--metrics", "bur,sentiment"],
            "row 1: no column 'group'; found id, prediction, sources, values. Name the right one with --group-column "
            "(--group-column none: compare nothing)",
        ),
    ],
)
def test_bad_options(fairsum, write_jsonl, arguments, message):
    status, printed, err = fairsum("score", write_jsonl([GOOD]), *arguments)
    assert (status, printed, err.count("\n")) == (2, "", 1)
    assert message in err


def test_samples_as_parquet(fairsum, write_jsonl, demo_rows, tmp_path):
    demo_rows[0]["prediction"] = ""
    path = tmp_path / "samples.parquet"
    assert fairsum("score", write_jsonl(demo_rows), "--metrics", "bur", "--samples", path)[0] == 0
    records = pyarrow.parquet.read_table(path).to_pylist()
    assert [record["id"] for record in records] == [row["id"] for row in demo_rows]
    expected = library(demo_rows, metrics=["bur"], return_samples=True)["bur"]["samples"]
    for key in ("bur", "skipped", "matched"):
        assert [record[key] for record in records] == [record.get(key) for record in expected]
    assert not list(tmp_path.glob("*.partial"))


def test_samples_with_texts_are_those_without_and_their_texts(fairsum, write_jsonl, demo_rows, tmp_path):
    demo_rows[1]["prediction"] = ""
    path, samples = write_jsonl(demo_rows), tmp_path / "samples.jsonl"

    def written(*options):
        assert fairsum("score", path, "--samples", samples, *options)[0] == 0
        return [json.loads(line) for line in samples.read_text().splitlines()]

    plain, with_texts = written(), written("--with-texts")
    for record, before, row in zip(with_texts, plain, demo_rows, strict=True):
        texts = {"predictions": row["prediction"], "sources": row["sources"], "values": row["values"]}
        assert record == {**before, "sample": texts}
    kept = ("--with-texts", "--rows", tmp_path / "runs")
    assert fairsum("score", path, *kept[1:])[0] == 0  # keeps what samples need, too
    assert written(*kept) == with_texts


FAMILIES = {
    "representation": ("bur,uer", ("values", "ratio", "skipped")),
    "coverage": ("equal_coverage", ("values", "coverage_by_value", "evidence", "skipped")),
    "polarity": ("sentiment", ("group", "labels")),
    "entities": ("word_list_inclusion", ("article", "summary_words", "skipped")),
}


def test_samples_of_several_families_are_those_of_each(fairsum, write_jsonl, demo_rows, tmp_path):
    rows = [{**row, "group": "ab"[n % 2], "article_id": n // 2} for n, row in enumerate(demo_rows)]
    rows[0]["prediction"] = ""
    path, samples = write_jsonl(rows), tmp_path / "samples.parquet"

    def written(metrics, *options):
        coverage = ("--set", "entailer=lexical") if "equal_coverage" in metrics else ()
        status, _, err = fairsum("score", path, "--samples", samples, "--metrics", metrics, *coverage, *options)
        assert (status, err) == (0, "")
        read = from_file(samples)
        return list(read.read(read.labels))

    every = ",".join(metrics for metrics, _ in FAMILIES.values())
    together = written(every, "--with-texts")
    assert {"representation.values", "coverage.values", "entities.skipped", "labels"} <= {*next(read_rows(samples, {}))}
    for metrics, keys in FAMILIES.values():
        alone = written(metrics)
        assert {*keys} <= alone[0].records[metrics.partition(",")[0]].keys()
        assert {*keys} <= next(read_rows(samples, {})).keys()  # without a prefix
        for one, other in zip(together, alone, strict=True):
            assert (one.id, {name: one.records[name] for name in other.records}) == (other.id, other.records)


def test_a_study_reads_the_records_of_its_family(fairsum, write_jsonl, tmp_path):
    """Values in another order than the alphabet's: once the shares of one group stood beside the name of the other."""
    row = {
        "prediction": "Tasty soup and kind staff here.",
        "sources": ["Tasty soup and kind staff.", "A long cold wait outside tonight."],
        "values": ["zpos", "aneg"],
    }
    path, samples = write_jsonl([row] * 20), tmp_path / "samples.jsonl"
    asked = ("score", path, "--set", "entailer=lexical", "--samples", samples, "--metrics")
    assert fairsum(*asked, "equal_coverage,bur,uer", "--with-texts")[0] == 0
    study = ("study", "value_ratios", samples, "--format", "json")
    found = json.loads(fairsum(*study)[1])["metrics"]["value_ratios"]["systems"]["samples"]["by_value"]
    assert {value: each["underrepresented"] for value, each in found.items()} == {"aneg": 1.0, "zpos": 0.0}
