"""The command `rerank`: files, columns, counts and refusals."""

from __future__ import annotations

import json

import pytest

from fairsum_utils.errors import InputError
from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.writing import write_rows
from fairsum_utils.training import preference_pairs

SOURCES, VALUES = ["Tasty soup.", "Awful bread."], ["pos", "neg"]
ROWS = [
    {
        "id": "a",
        "prompt": "Sum up a.",
        "candidates": ["Tasty.", "Tasty bread.", ""],
        "sources": SOURCES,
        "values": VALUES,
    },
    {
        "id": "b",
        "prompt": "Sum up b.",
        "candidates": ["Soup, bread.", "Tasty bread."],
        "sources": SOURCES,
        "values": VALUES,
    },
    {"id": "c", "prompt": "Sum up c.", "candidates": ["Tasty.", "Soup."], "sources": SOURCES, "values": ["pos", "pos"]},
]


@pytest.fixture
def run(alone):
    """Run the command by itself: what it prints."""
    return lambda *arguments: json.loads(alone("analyse", "rerank", *arguments))


@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz", "parquet", "csv"])
def test_best_of_each_row(run, write_jsonl, tmp_path, ending):
    path, output = write_jsonl(ROWS), tmp_path / f"best.{ending}"
    if ending in ("parquet", "csv"):
        path = tmp_path / f"rows.{ending}"
        write_rows(ROWS, path)
    printed = run(path, "--output", output)
    rows = list(read_rows(output, {}, lists=("candidates", "sources", "values", "rerank_index", "rerank_fairness")))
    assert [{name: row[name] for name in ROWS[0]} for row in rows] == ROWS
    assert [row["prediction"] for row in rows] == ["Tasty bread.", "Soup, bread.", "Tasty."]
    assert [row["rerank_index"] for row in rows] == [1, 0, 0]
    assert [row["rerank_fairness"] for row in rows] == [[0.75, 1.0, 0.0], [1.0, 1.0], [None, None]]
    assert {row["rerank"] for row in rows} == {printed.pop("signature")}
    assert printed == {
        "rows": 3,
        "n_candidates": 7,
        "n_undefined": 1,
        "n_first_kept": 2,
        "fairness_of_first": 0.875,
        "fairness_of_best": 1.0,
        "output": str(output),
    }


def test_pairs(run, write_jsonl, tmp_path):
    pairs = tmp_path / "pairs.jsonl"
    printed = run(write_jsonl(ROWS), "--output", tmp_path / "best.jsonl", "--pairs", pairs, "--prompt-column", "prompt")
    assert (printed["pairs"], printed["n_ties"], printed["n_without_pair"]) == (1, 1, 1)
    columns = {f"{name}": [row[name] for row in ROWS] for name in ("candidates", "sources", "values")}
    expected = preference_pairs([row["prompt"] for row in ROWS], **columns).rows
    assert list(read_rows(pairs, {})) == expected
    assert expected[0]["chosen"] == "Tasty bread."
    run(
        write_jsonl(ROWS),
        *("--output", tmp_path / "best.jsonl", "--pairs", pairs, "--prompt-column", "prompt", "--margin", "0.5"),
    )
    assert pairs.read_text() == ""


def test_other_columns_and_measure(run, write_jsonl, tmp_path):
    rows = [{"drafts": row["candidates"], "docs": SOURCES, "labels": VALUES, "prediction": "old"} for row in ROWS]
    output = tmp_path / "best.jsonl"
    printed = run(
        write_jsonl(rows),
        *("--output", output, "--candidates-column", "drafts", "--sources-column", "docs", "--values-column", "labels"),
        *("--prediction-column", "fairest", "--metrics", "equal_coverage", "--entailer", "lexical"),
    )
    assert printed["signature"].startswith("fairness:equal_coverage|entailer:lexical(fairsumm)|")
    # By hand, as in the tests of the library: one word of one document 0.5, one word of each 0.5.
    best = [(row["prediction"], row["fairest"], row["rerank_fairness"]) for row in read_rows(output, {})]
    assert best[0] == ("old", "Tasty.", [0.5, 0.5, 0.0])


def test_options_reach_the_measure(run, write_jsonl, tmp_path):
    printed = run(
        write_jsonl(ROWS), "--output", tmp_path / "x.jsonl", "--metrics", "bur", "--tau", "0.5", "--target", "equal"
    )
    assert "|target:equal|tau:0.5|" in printed["signature"]


def test_revision_is_of_whichever_model_runs(run, write_jsonl, tmp_path):
    """Of bertscore's, and of the entailer's: both refuse it where none of their models runs."""
    for options, users in (
        (("--metrics", "uer"), "matcher='bertscore' or matcher='bartscore'"),
        (("--metrics", "equal_coverage", "--entailer", "lexical"), "an entailer that is a model"),
    ):
        with pytest.raises(InputError, match=f"revision applies only to {users}"):
            run(write_jsonl(ROWS), "--output", tmp_path / "x.jsonl", "--revision", "v2", *options)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--metrics", "sof"), "rerank: sof is defined for a whole data set"),
        (("--metrics", "coverage_parity"), "not for one summary; choose one of bur, "),
        (("--entailer", "lexical"), "--entailer applies only to equal_coverage, coverage_parity, "),
        (("--candidates-column", "drafts"), "row 1: no column 'drafts'; found id, prompt, candidates"),
        (("--candidates-column", "prompt"), "sample 0: candidates must be a list of at least one summary"),
        (("--pairs", "pairs.jsonl"), "--pairs and --prompt-column go together"),
        (("--margin", "-1"), "--margin must be a number in [0, 1]"),
        (("--prediction-column", "id"), "there is a column 'id' already; rename it, or name another"),
        (
            ("--pairs", "pairs.csv", "--prompt-column", "prompt"),
            "a CSV file does not tell which of its columns are lists; use .jsonl or .parquet",
        ),
        (("--output", "rows.jsonl"), "rows.jsonl: this is the input"),
        (("--pairs", "best.jsonl", "--prompt-column", "prompt"), "this is also another output; name another file"),
        (("--matcher", "bertscore", "--model", "./none", "--device", "cpu"), "the folder does not exist"),
    ],
)
def test_refused(run, write_jsonl, tmp_path, monkeypatch, options, message):
    if "--matcher" in options:
        pytest.importorskip("bert_score")
    monkeypatch.chdir(tmp_path)
    write_jsonl(ROWS)
    with pytest.raises(InputError) as error:
        run("rows.jsonl", "--output", "best.jsonl", *options)
    assert message in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == ["rows.jsonl"]
