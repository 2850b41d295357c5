"""`fairsum study`: a study of files, its outputs, and lines for what is wrong."""

from __future__ import annotations

import json

import pytest

import fairsum_reproductions as studies
from fairsum_utils.results.columns import MARK, SampleColumns
from fairsum_utils.results.record import describe_settings

RECORDS = [
    {"id": str(n), "index": n, "dominant": dominant, "p_value": p, "skipped": None}
    for n, (dominant, p) in enumerate([("neg", 0.01), ("neg", 0.5), ("pos", 0.3), ("pos", 0.9), (None, 0.2)])
]


@pytest.fixture
def samples(write_jsonl):
    columns = SampleColumns({"equal_coverage": describe_settings("equal_coverage", {}, {})})
    usual = {**dict.fromkeys(columns.types), "difference_by_value": {"neg": 0.1, "pos": -0.1}, MARK: columns.mark}
    rows = [usual | record for record in RECORDS]
    return write_jsonl(rows, "gpt4.jsonl")


def test_it_prints_and_writes_what_the_call_gives(fairsum, samples, tmp_path):
    output = tmp_path / "study.json"
    line = ("study", "dominance", samples, f"b/yelp={samples}", "--set", "n_resamples=50")
    status, out, _ = fairsum(*line, "--output", output, "--format", "csv")
    found = studies.dominance({"gpt4": str(samples), "b/yelp": str(samples)}, n_resamples=50)
    assert (status, out) == (0, found.to_csv() + "\n")
    document = json.loads(output.read_text())
    assert document["metrics"]["dominance"]["equal_coverage"] == found["equal_coverage"]
    assert document["run"]["command"]["name"] == "study dominance"
    assert document["run"]["inputs"][0]["path"] == str(samples)
    assert document["run"]["settings"]["dominance"]["given"] == {"n_resamples": 50}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["domnance"], "unknown command 'domnance'; did you mean dominance"),
        (["dominance"], "missing: SAMPLES"),
        (["dominance", "none.jsonl"], "none.jsonl"),
        (["dominance", "{samples}", "a={samples}", "a={samples}"], "are both named a; name them"),
        (["dominance", "{samples}", "--set", "alpha=2"], "alpha must"),
        (["dominance", "{samples}", "--output", "{samples}"], ".json"),
        (["dominance", "{samples}", "--plot", "x.gif"], "x.gif"),
        (["entailers", "{samples}"], "entailers: error: needs runs with at least two entailers, found gpt4"),
        (["overall", "{samples}"], "gpt4.jsonl"),
    ],
)
def test_what_is_wrong_is_one_line(fairsum, samples, words, message, capsys):
    try:
        status, out, text = fairsum("study", *(word.format(samples=samples) for word in words))
    except SystemExit as error:
        status, text, out = error.code, capsys.readouterr().err, ""
    assert (status, out) == (2, "")
    assert message in text
    assert text.count("\n") == 1
