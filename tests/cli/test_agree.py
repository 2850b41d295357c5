"""The command `agree`: files, several annotators, reports."""

import json
import subprocess
import sys

import pytest

from fairsum_utils.io.writing import write_rows
from fairsum_utils.stats.agreement import agreement

ROWS = [
    {"label": "male", "a": "male", "b": "male", "all": ["male", "male"]},
    {"label": "female", "a": "female", "b": "neutral", "all": ["female", "neutral"]},
    {"label": "neutral", "a": "neutral", "b": None, "all": ["neutral", None]},
    {"label": "male", "a": "neutral", "b": "neutral", "all": ["neutral", "neutral"]},
]
ORDER = ("--kind", "ordinal", "--order", "male, neutral,female")


def expected():
    result = agreement(
        [row["label"] for row in ROWS],
        [row["all"] for row in ROWS],
        kind="ordinal",
        order=["male", "neutral", "female"],
    )
    return json.loads(json.dumps(result))


def columns(*names):
    return [part for name in names for part in ("--reference-column", name)]


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_columns_of_annotators_or_lists(fairsum, tmp_path, ending):
    path = tmp_path / f"rows.{ending}"
    write_rows(ROWS, path)
    command = ("analyse", "agree", path, "--prediction-column", "label", *ORDER, "--format", "json")
    found = []
    for names in (("a", "b"), ("all",)):
        if names == ("all",) and ending == "csv":
            continue
        status, printed, err = fairsum(*command, *columns(*names))
        assert (status, err) == (0, "")
        found.append(json.loads(printed))
    assert found == [{"file": str(path), **expected()}] * len(found)


def test_report_for_people(fairsum, write_jsonl):
    path = write_jsonl(ROWS)
    command = ("analyse", "agree", path, "--prediction-column", "label", *columns("a"), "--verbose")
    status, printed, _ = fairsum(*command)
    assert status == 0
    assert f"{path}: 4 samples scored, 0 skipped" in printed
    lines = [line.split() for line in printed.splitlines()]
    assert ["accuracy", "0.7500"] in lines
    # neutral: predicted once, rightly; true twice. F1 = 2 / 3.
    assert ["neutral", "1.0000", "0.5000", "0.6667", "1", "2"] in lines
    assert "annotators_alpha is undefined: no item has two ratings." in printed
    assert "signature: kind:nominal|reference:majority" in printed
    _, markdown, _ = fairsum(*command, *ORDER, "--format", "markdown")
    assert "| Spearman's rho" in markdown
    assert "| class " in markdown


def test_results_file(fairsum, write_jsonl, tmp_path):
    output = tmp_path / "agreement.json"
    path = write_jsonl([{"x": 1, "y": 2}, {"x": 2, "y": 3}, {"x": 4, "y": 4}])
    command = ("analyse", "agree", path, "--prediction-column", "x", *columns("y"), "--kind", "interval")
    assert fairsum(*command, "--output", output)[0] == 0
    document = json.loads(output.read_text())
    assert document["n_samples"] == 3
    assert document["annotators_alpha"] is None  # NaN is null
    assert document["undefined"] == {"annotators_alpha": "no item has two ratings"}


RATED = [
    {"id": "a", "gender": "male", "r1": 5, "r2": 5, "r3": 5, "r4": 4},
    {"id": "a", "gender": "female", "r1": 3, "r2": 5, "r3": 5, "r4": 5},
    {"id": "b", "gender": "male", "r1": 5, "r2": 5, "r3": 5, "r4": 5},
    {"id": "b", "gender": "female", "r1": 5, "r2": 5, "r3": 5, "r4": None},
]


@pytest.mark.parametrize("ending", ["jsonl", "csv", "parquet"])
def test_ratings(fairsum, tmp_path, ending):
    path = tmp_path / f"ratings.{ending}"
    write_rows(RATED, path)
    command = ("analyse", "agree", path, "--kind", "rating", *columns("r1", "r2", "r3", "r4"))
    status, printed, err = fairsum(*command, "--value-column", "gender", "--format", "json")
    assert (status, err) == (0, "")
    document = json.loads(printed)
    # By hand in tests/analysis/test_ratings.py.
    assert (document["rating_score"], document["ratings_kappa"]) == (0.25, 11 / 16)
    assert document["by_value"]["male"] == {"unfair": 1 / 8, "mean_rating": 39 / 8, "n_ratings": 8}
    _, printed, _ = fairsum(*command, "--combine", "majority", "--verbose")
    lines = [line.split() for line in printed.splitlines()]
    assert f"{path}: 1 sample scored, 1 skipped (1 no_majority)" in printed
    assert ["unfair", "summaries", "0.0000", "undefined"] in lines  # one summary has no interval
    assert ["mean", "0.2500"] in lines
    assert (
        "chosen: raters are combined by majority: the verdict of more than half of the raters; none for a tie"
        in printed
    )
    assert "signature: combine:majority|fair:5|ci:0.95|resamples:1000|seed:0" in printed


def test_kappa_among_annotators(fairsum, write_jsonl):
    command = (
        "analyse",
        "agree",
        write_jsonl(ROWS),
        "--prediction-column",
        "label",
        *columns("a", "b"),
        "--categories",
        "3",
    )
    _, printed, _ = fairsum(*command)
    # Both agree on two of three: (2/3 - 1/3) / (2/3).
    assert ["Randolph's", "kappa", "among", "annotators", "0.5000"] in [line.split() for line in printed.splitlines()]


def test_predictions_and_ratings_are_not_mixed(fairsum, write_jsonl):
    path = write_jsonl(RATED)
    status, _, err = fairsum("analyse", "agree", path, "--kind", "rating", *columns("r1"), "--prediction-column", "r2")
    assert (status, "--kind rating has no --prediction-column; leave it out" in err) == (2, True)
    status, _, err = fairsum("analyse", "agree", path, *columns("r1"))
    assert (status, "--kind nominal needs --prediction-column" in err) == (2, True)
    status, _, err = fairsum("analyse", "agree", path, "--kind", "rating", *columns("gender"))
    assert (status, "row 0, rater 0: a rating must be a whole number from 1 to 5" in err) == (2, True)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--reference-column", "c"),
            "row 1: no column 'c'; found label, a, b, all. Name the right one with --reference-c",
        ),
        (("--reference-column", "a", "--kind", "interval"), "prediction must be a finite number"),
        (("--reference-column", "a", "--output", "x.txt"), "x.txt: unknown format; the name must end in .json"),
    ],
)
def test_bad_input(fairsum, write_jsonl, options, message):
    status, _, err = fairsum("analyse", "agree", write_jsonl(ROWS), "--prediction-column", "label", *options)
    assert status == 2
    assert message in err


def test_a_warning_is_one_line(write_jsonl, tmp_path):
    """Labels of two vocabularies: no path and no line of code stand before what is said."""
    path = write_jsonl([{"l": "a", "h": "b"}, {"l": "a", "h": "b"}])
    command = [
        sys.executable,
        "-m",
        "fairsum_utils",
        "analyse",
        "agree",
        path,
        "--prediction-column",
        "l",
        "--reference-column",
        "h",
    ]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0
    assert done.stderr == (
        "fairsum: agree: no label is both predicted and a reference; predicted are a, references are b\n"
    )
    assert subprocess.run([*command, "--quiet"], capture_output=True, text=True, cwd=tmp_path).stderr == ""
