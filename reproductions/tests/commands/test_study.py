"""`fairsum study`: the list, a study of files, its outputs, and lines for what is wrong."""

from __future__ import annotations

import json

import pytest

import fairsum_reproductions as studies
from fairsum_reproductions import studies as names
from fairsum_utils.reports.figures import written
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


def test_the_list_has_every_study(fairsum):
    status, out, _ = fairsum("study", "list")
    assert status == 0
    assert all(f"\n{name} " in out for name in names())
    _, out, _ = fairsum("study", "list", "--format", "json")
    assert list(json.loads(out)["studies"]) == list(names())


def test_it_prints_writes_and_draws_what_the_call_gives(fairsum, samples, tmp_path):
    output, plot = tmp_path / "study.json", tmp_path / "study.svg"
    line = ("study", "dominance", samples, f"b/yelp={samples}", "--set", "n_resamples=50")
    status, out, _ = fairsum(*line, "--output", output, "--plot", plot)
    found = studies.dominance({"gpt4": str(samples), "b/yelp": str(samples)}, n_resamples=50)
    assert status == 0
    assert out == found.report() + "\n"
    document = json.loads(output.read_text())
    assert document["metrics"]["dominance"]["equal_coverage"] == found["equal_coverage"]
    assert document["run"]["command"]["name"] == "study dominance"
    assert document["run"]["inputs"][0]["path"] == str(samples)
    assert document["run"]["settings"]["dominance"]["given"] == {"n_resamples": 50}
    assert plot.read_bytes() == written(found.plot(), "svg", "fairsum")
    for format, shown in {"markdown": found.to_markdown(), "latex": found.to_latex(), "csv": found.to_csv()}.items():
        assert fairsum(*line, "--format", format)[1] == shown + "\n"
    assert json.loads(fairsum(*line, "--format", "json")[1])["metrics"] == json.loads(output.read_text())["metrics"]


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
