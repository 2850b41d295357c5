"""The score and compare commands on the coverage family and on both families at once."""

from __future__ import annotations

import json
from functools import partial

import pyarrow.parquet
import pytest

from fairsum_utils.inference.tasks import SequenceClassifier
from fairsum_utils.measures import measures_of
from fairsum_utils.reports.formats import to_json
from tests import _together

score = partial(_together.score, metrics=measures_of("coverage"))

LEXICAL = ("--metrics", "equal_coverage,coverage_parity", "--set", "entailer=lexical")


def columns(rows):
    return [[row[name] for row in rows] for name in ("prediction", "sources", "values")]


def as_json(results):
    return json.loads(to_json(results))


def test_same_bits_as_the_library(fairsum, write_jsonl, demo_rows):
    status, printed, err = fairsum("score", write_jsonl(demo_rows), *LEXICAL, "--format", "json")
    assert (status, err) == (0, "")
    expected = score(*columns(demo_rows), entailer="lexical", confidence_level=0.95)
    assert json.loads(printed)["metrics"] == as_json(expected)


def test_both_families_in_one_run(fairsum, write_jsonl, demo_rows, tmp_path):
    samples = tmp_path / "samples.jsonl"
    arguments = ("--metrics", "bur,equal_coverage", "--set", "entailer=lexical", "--samples", samples)
    status, printed, _ = fairsum("score", write_jsonl(demo_rows), *arguments, "--format", "json")
    assert status == 0
    metrics = json.loads(printed)["metrics"]
    assert metrics["bur"] == _together.score(*columns(demo_rows), metrics=["bur"], confidence_level=0.95)["bur"]
    expected = score(
        *columns(demo_rows), metrics=["equal_coverage"], entailer="lexical", confidence_level=0.95, return_samples=True
    )["equal_coverage"]
    records = [json.loads(line) for line in samples.read_text().splitlines()]
    assert [record["p_value"] for record in records] == [sample["p_value"] for sample in expected["samples"]]
    assert all({"equal_coverage", "evidence", "bur", "matched"} <= record.keys() for record in records)
    status, printed, _ = fairsum("score", write_jsonl(demo_rows), *arguments)
    assert "BUR (Binary Unfair Rate)" in printed
    assert "Equal Coverage" in printed


def test_report_for_people(fairsum, write_jsonl, demo_rows):
    _, printed, _ = fairsum("score", write_jsonl(demo_rows), *LEXICAL, "--verbose")
    assert "8 samples scored, 0 skipped" in printed
    assert "Expected with random labels: " in printed
    assert "Most overrepresented: " in printed
    assert "entailer:lexical(fairsumm)|units:sentence|chunk:100|protocol:paper" in printed
    _, markdown, _ = fairsum("score", write_jsonl(demo_rows), *LEXICAL, "--format", "markdown", "--confidence", "none")
    assert "| Equal Coverage " in markdown
    assert "CI" not in markdown


def test_settings_reach_the_library(fairsum, write_jsonl, demo_rows):
    arguments = [
        "--set",
        "chunk_words=5",
        "--set",
        "protocol=released",
        "--set",
        "significance=strict",
        "--set",
        "alpha=0.2",
    ]
    arguments += [
        "--set",
        "max_exact=0",
        "--set",
        "n_permutations=50",
        "--set",
        "normalizer=simple",
        "--language",
        "english",
    ]
    arguments += ["--seed", "3", "--set", "n_resamples=40", "--confidence", "0.8", "--set", "empty=error"]
    _, printed, _ = fairsum("score", write_jsonl(demo_rows), *LEXICAL, *arguments, "--format", "json")
    expected = score(
        *columns(demo_rows),
        entailer="lexical",
        chunk_words=5,
        protocol="released",
        significance="strict",
        alpha=0.2,
        max_exact=0,
        n_permutations=50,
        normalizer="simple",
        empty="error",
        seed=3,
        n_resamples=40,
        confidence_level=0.8,
    )
    assert json.loads(printed)["metrics"] == as_json(expected)


def test_given_units_and_matrices(fairsum, write_jsonl, demo_rows, tmp_path):
    rows = [{**row, "units": ["Great soup.", "Slow service."]} for row in demo_rows]
    arguments = (*LEXICAL, "--format", "json")
    _, printed, _ = fairsum("score", write_jsonl(rows), *arguments, "--column", "units=units")
    expected = score(
        *columns(rows), summary_units=[row["units"] for row in rows], entailer="lexical", confidence_level=0.95
    )
    assert json.loads(printed)["metrics"] == as_json(expected)

    matrices = [[[0.25 * (place % 3), 0.5] for place, _ in enumerate(row["sources"])] for row in rows]
    path = tmp_path / "rows.parquet"
    rows = [{**row, "matrix": matrix} for row, matrix in zip(rows, matrices, strict=True)]
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    # The default entailer is a model, which a given matrix does not need.
    metrics = ("--metrics", "equal_coverage", "--column", "coverage=matrix")
    status, printed, _ = fairsum("score", path, *metrics, "--format", "json")
    assert status == 0
    expected = score(*columns(rows), coverage=matrices, metrics=["equal_coverage"], confidence_level=0.95)
    assert json.loads(printed)["metrics"] == as_json(expected)


def test_samples_as_parquet_even_if_the_first_is_skipped(fairsum, write_jsonl, demo_rows, tmp_path):
    demo_rows[0]["prediction"] = ""
    path = tmp_path / "samples.parquet"
    status, _, _ = fairsum("score", write_jsonl(demo_rows), *LEXICAL, "--samples", path)
    assert status == 0
    records = pyarrow.parquet.read_table(path).to_pylist()
    assert [record["skipped"] for record in records] == ["empty_prediction"] + [None] * 7
    expected = score(*columns(demo_rows), entailer="lexical", return_samples=True)["equal_coverage"]["samples"]
    for record, sample in list(zip(records, expected, strict=True))[1:]:
        assert dict(record["difference_by_value"]) == sample["difference_by_value"]
        assert record["evidence"] == sample["evidence"]


def test_a_model_cold_and_warm(fairsum, write_jsonl, demo_rows, nli_model, tmp_path, monkeypatch):
    path = write_jsonl(demo_rows)
    arguments = (
        "--metrics",
        "equal_coverage,coverage_parity",
        "--set",
        f"entailer={nli_model}",
        "--cache",
        tmp_path / "cache",
    )
    arguments += ("--device", "cpu", "--set", "dtype=float32", "--set", "batch_tokens=2000", "--format", "json")
    status, printed, _ = fairsum("score", path, *arguments)
    assert status == 0
    expected = score(*columns(demo_rows), entailer=nli_model, cache="none", batch_tokens=2000, confidence_level=0.95)
    scores = json.loads(printed)["metrics"]
    for name, result in expected.items():
        assert scores[name][name] == pytest.approx(result[name], abs=1e-6)
        assert scores[name]["signature"] == result["signature"]

    def forward(self, inputs):
        raise AssertionError("a warm run does no forward pass")

    monkeypatch.setattr(SequenceClassifier, "forward", forward)
    assert fairsum("score", path, *arguments)[:2] == (0, printed)


def test_compare(fairsum, write_jsonl, demo_rows):
    other = [{**row, "prediction": row["sources"][0]} for row in demo_rows]
    paths = write_jsonl(demo_rows, "a.jsonl"), write_jsonl(other, "b.jsonl")
    _, printed, _ = fairsum("compare", *paths, *LEXICAL, "--format", "json")
    predictions, sources, values = columns(demo_rows)
    expected = _together.compare(
        predictions,
        columns(other)[0],
        sources,
        values,
        labels="ab",
        metrics=measures_of("coverage"),
        entailer="lexical",
    )
    assert json.loads(printed)["metrics"] == as_json(expected)
    _, printed, _ = fairsum("compare", *paths, "--metrics", "uer,equal_coverage", "--set", "entailer=lexical")
    assert "8 samples compared, 0 skipped" in printed
    other[2]["values"] = other[2]["values"][::-1]
    status, _, err = fairsum("compare", paths[0], write_jsonl(other, "b.jsonl"), *LEXICAL)
    assert status == 2
    assert f"the sources or values of id {demo_rows[2]['id']!r} differ between a and b" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--set", "entailer=lexical"],
            "entailer applies only to equal_coverage, coverage_parity, ",
        ),
        (
            [*LEXICAL, "--set", "tau=0.9"],
            "tau applies only to bur, but equal_coverage, coverage_parity are requested",
        ),
        ([*LEXICAL, "--set", "protocol=draft"], "protocol must be one of paper, released"),
        ([*LEXICAL, "--set", "empty=uniform"], "empty must be one of skip, error"),
        ([*LEXICAL, "--set", "chat_model=x"], "chat_model applies only to --set splitter=llm, found 'x'"),
        ([*LEXICAL, "--set", "splitter=llm"], "--set splitter=llm needs chat_model"),
        ([*LEXICAL, "--set", "splitter=clause"], 'splitter must be "sentence"'),
        ([*LEXICAL, "--column", "coverage=matrix"], "no column 'matrix'"),
        (
            [*LEXICAL, "--set", "entailment_label=yes"],
            "entailment_label applies only to an entailer that is a model",
        ),
        (["--metrics", "equal_coverage", "--set", "entailer=./nothing"], "--set entailer=lexical"),
        (["--metrics", "equal_coverage", "--workers", "2"], "would load the model 2 times"),
        ([*LEXICAL, "--set", "alpha=2"], "alpha must be a number in [0, 1]"),
    ],
)
def test_bad_options(fairsum, write_jsonl, demo_rows, arguments, message, monkeypatch):
    if "./nothing" in arguments:
        pytest.importorskip("torch")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    status, printed, err = fairsum("score", write_jsonl(demo_rows), *arguments)
    assert (status, printed) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_bad_samples_name_the_row(fairsum, write_jsonl, demo_rows):
    demo_rows[5]["sources"][1] = " "
    path = write_jsonl(demo_rows)
    status, printed, err = fairsum("score", path, *LEXICAL)
    assert (status, printed) == (2, "")
    assert "score: error: sample 5: sources[1] is empty" in err
    assert err.rstrip().endswith(f"row 6, id {demo_rows[5]['id']})")


@pytest.mark.parametrize(("matcher", "kind"), [("bertscore", "encoder"), ("bartscore", "seq2seq")])
def test_a_neural_matcher(fairsum, write_jsonl, demo_rows, tiny_model, tmp_path, matcher, kind):
    model = tiny_model(kind, max_tokens=512)
    own = {"num_layers": 1, "rescale": False} if matcher == "bertscore" else {}
    flags = ["--set", "num_layers=1", "--set", "rescale=false"] if own else []
    arguments = (
        "--set",
        f"matcher={matcher}",
        "--set",
        f"model={model}",
        *flags,
        "--set",
        "temperature=0.2",
        "--cache",
        tmp_path / "cache",
    )
    samples = tmp_path / "samples.parquet"
    status, printed, _ = fairsum("score", write_jsonl(demo_rows), *arguments, "--samples", samples, "--format", "json")
    assert status == 0
    expected = _together.score(
        *columns(demo_rows),
        matcher=matcher,
        model=model,
        **own,
        temperature=0.2,
        cache=str(tmp_path / "cache"),
        confidence_level=0.95,
        return_samples=True,
    )
    for name, result in json.loads(printed)["metrics"].items():
        assert result == as_json({key: entry for key, entry in expected[name].items() if key != "samples"})
    records = pyarrow.parquet.read_table(samples).to_pylist()
    assert [record["scores"] for record in records] == [sample["scores"] for sample in expected["bur"]["samples"]]
