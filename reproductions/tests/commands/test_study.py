"""`fairsum study`: the list, a study of files, its outputs, and lines for what is wrong."""

from __future__ import annotations

import json

import pytest

import fairsum_reproductions as studies
from fairsum_reproductions import studies as names

RECORDS = [
    {"id": str(n), "index": n, "dominant": dominant, "p_value": p, "skipped": None}
    for n, (dominant, p) in enumerate([("neg", 0.01), ("neg", 0.5), ("pos", 0.3), ("pos", 0.9), (None, 0.2)])
]


@pytest.fixture
def samples(write_jsonl):
    return write_jsonl(RECORDS, "gpt4.jsonl")


def test_the_list_has_every_study(fairsum):
    status, out, _ = fairsum("study", "list")
    assert status == 0
    assert all(f"\n{name} " in out for name in names())
    _, out, _ = fairsum("study", "list", "--format", "json")
    assert list(json.loads(out)["studies"]) == list(names())


def test_it_prints_writes_and_draws_what_the_call_gives(fairsum, samples, tmp_path):
    output, plot = tmp_path / "study.json", tmp_path / "study.svg"
    line = ("study", "dominance", samples, f"b/yelp={samples}", "--resamples", 50)
    status, out, _ = fairsum(*line, "--output", output, "--plot", plot)
    found = studies.dominance({"gpt4": str(samples), "b/yelp": str(samples)}, n_resamples=50)
    assert status == 0
    assert out == found.report() + "\n"
    document = json.loads(output.read_text())
    assert document["metrics"]["dominance"]["equal_coverage"] == found["equal_coverage"]
    assert document["run"]["command"]["name"] == "study dominance"
    assert document["run"]["inputs"][0]["path"] == str(samples)
    assert document["run"]["settings"]["dominance"]["given"] == {"n_resamples": 50}
    assert plot.read_text() == found.plot().svg + "\n"
    for format, shown in {"markdown": found.to_markdown(), "latex": found.to_latex(), "csv": found.to_csv()}.items():
        assert fairsum(*line, "--format", format)[1] == shown + "\n"
    assert json.loads(fairsum(*line, "--format", "json")[1])["metrics"] == json.loads(output.read_text())["metrics"]


def test_columns_have_options(fairsum, write_jsonl, samples):
    numbers = [{"difference_by_value": {"neg": 0.1, "pos": -0.1}}, {"difference_by_value": {"neg": -0.1, "pos": 0.1}}]
    records = [{"id": str(n), "index": n, "skipped": None, **each} for n, each in enumerate(numbers)]
    told = {"values": ["neg", "pos"], "summary_share": [0.6, 0.4], "desired_share": [0.5, 0.5]}
    baseline = [{"id": str(n), "index": n, "skipped": None, **told} for n in range(2)]
    people = write_jsonl([{"lean": "neg"}, {"lean": "neg"}], "people.jsonl")
    files = write_jsonl(records, "coverage.jsonl"), write_jsonl(baseline, "shares.jsonl"), people
    status, out, _ = fairsum("study", "human_judgement", *files, "--leaning-column", "lean", "--format", "json")
    assert status == 0
    result = json.loads(out)["metrics"]["human_judgement"]
    assert (result["coverage"], result["representation"]) == (0.5, 1.0)


def test_a_study_may_run_an_entailer(fairsum, write_jsonl, tmp_path):
    rows = [{"prediction": "Hot bread. Slow bill.", "sources": ["Hot soup. Cold bread.", "Slow bill."]}]
    of_units = [{"summary": "Hot bread.", "sources": ["Hot soup. Cold bread."], "units": ["Hot bread."]}]
    one = write_jsonl(rows, "gpt4.jsonl")
    line = ("study", "chunk_size", "--entailer", "lexical", "--sizes", "sentence,4", "--format", "json")
    status, out, _ = fairsum(*line, one, f"gpt4/amazon={one}")
    assert status == 0
    # Each sentence: of hot bread no sentence holds both words, and above one half is asked; slow bill is found.
    found = json.loads(out)["metrics"]["chunk_size"]
    assert found["mean"] == {"sentence": 0.5, "4": 1.0}
    assert found["best"] == ["4"]
    assert "chunk_size|entailer:lexical" in found["signature"]
    other = write_jsonl(of_units, "other.jsonl")
    status, out, _ = fairsum(*line, other, "--prediction-column", "summary", "--plot", tmp_path / "sizes.svg")
    assert json.loads(out)["metrics"]["chunk_size"]["mean"] == {"sentence": 0.0, "4": 1.0}
    assert ">each sentence<" in (tmp_path / "sizes.svg").read_text()
    status, _, said = fairsum(*line[:-2], other)
    assert status == 2
    assert "--prediction-column" in said


def test_raters_in_a_table(fairsum, write_jsonl, tmp_path):
    numbers = [{"neg": 0.1, "pos": -0.1}, {"neg": -0.1, "pos": 0.1}]
    records = [
        {"id": str(n), "index": n, "skipped": None, "difference_by_value": each} for n, each in enumerate(numbers)
    ]
    told = {"skipped": None, "values": ["neg", "pos"], "summary_share": [0.6, 0.4], "desired_share": [0.5, 0.5]}
    baseline = [{"id": str(n), "index": n, **told} for n in range(2)]
    people = tmp_path / "people.csv"
    people.write_text('said\n"[""neg"", ""neg"", ""pos""]"\n"[""pos"", ""neg"", ""fair""]"\n')
    files = write_jsonl(records, "coverage.jsonl"), write_jsonl(baseline, "shares.jsonl"), people
    line = ("study", "group_level", *files, "--labels-column", "said", "--groups", 200, "--format", "json")
    status, out, _ = fairsum(*line)
    assert status == 0
    result = json.loads(out)["metrics"]["group_level"]
    # The second summary is fair to people. A group of both has C_neg {0.1, -0.1}: CP names nobody.
    assert (result["n_fair"], result["n_groups"], result["second_order"]) == (1, 200, 1.0)
    assert result["coverage_parity"] + result["named_none"]["coverage_parity"] == pytest.approx(1.0)
    status, _, said = fairsum(*line[:5], "--labels-column", "x")
    assert status == 2
    assert said == "fairsum: error: group_level: judgements[0] has neither 'leaning' nor 'labels'; give one of them\n"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["domnance"], "unknown command 'domnance'; did you mean dominance"),
        (["dominance"], "missing: SAMPLES"),
        (["dominance", "none.jsonl"], "none.jsonl"),
        (["dominance", "{samples}", "a={samples}", "a={samples}"], "are both named a; name them"),
        (["dominance", "{samples}", "--alpha", "2"], "dominance: alpha must"),
        (["dominance", "{samples}", "--output", "{samples}"], ".json"),
        (["dominance", "{samples}", "--plot", "x.gif"], "x.gif"),
        (["entailers", "{samples}"], "entailers: needs runs with at least two entailers, found gpt4"),
        (["overall", "{samples}"], "gpt4.jsonl"),
    ],
)
def test_what_is_wrong_is_one_line(fairsum, samples, words, message, capsys):
    try:
        status, out, said = fairsum("study", *(word.format(samples=samples) for word in words))
    except SystemExit as error:
        status, said, out = error.code, capsys.readouterr().err, ""
    assert (status, out) == (2, "")
    assert message in said
    assert said.count("\n") == 1
