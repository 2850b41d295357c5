"""The command `agree`: files, several annotators, reports."""

import json
import subprocess
import sys

import pytest

from fairsum_utils.files.writing import write_rows
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
    command = ("agree", path, "--prediction-column", "label", *ORDER, "--format", "json")
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
    command = ("agree", path, "--prediction-column", "label", *columns("a"))
    status, printed, _ = fairsum(*command)
    assert status == 0
    assert f"{path}: 4 samples scored, 0 skipped" in printed
    lines = [line.split() for line in printed.splitlines()]
    assert ["accuracy", "0.7500"] in lines
    # neutral: predicted once, rightly; true twice. F1 = 2 / 3.
    assert ["neutral", "1.0000", "0.5000", "0.6667", "1", "2"] in lines
    assert "undefined: annotators_alpha (nothing has two ratings)" in printed
    assert "signature: kind:nominal|reference:majority" in printed
    _, markdown, _ = fairsum(*command, *ORDER, "--format", "markdown")
    assert "| Spearman's rho" in markdown
    assert "| class " in markdown


def test_results_file(fairsum, write_jsonl, tmp_path):
    output = tmp_path / "agreement.json"
    path = write_jsonl([{"x": 1, "y": 2}, {"x": 2, "y": 3}, {"x": 4, "y": 4}])
    command = ("agree", path, "--prediction-column", "x", *columns("y"), "--kind", "interval")
    assert fairsum(*command, "--output", output)[0] == 0
    document = json.loads(output.read_text())
    assert document["n_samples"] == 3
    assert document["annotators_alpha"] is None  # NaN is null
    assert document["undefined"] == {"annotators_alpha": "nothing has two ratings"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--reference-column", "c"),
            "row 1: no column 'c'; found label, a, b, all. Name the right one with --reference-c",
        ),
        (("--reference-column", "a", "--kind", "interval"), "prediction must be a finite number, found str 'male'"),
        (("--reference-column", "a", "--output", "x.txt"), "x.txt: unknown format; the name must end in .json"),
    ],
)
def test_bad_input(fairsum, write_jsonl, options, message):
    status, _, err = fairsum("agree", write_jsonl(ROWS), "--prediction-column", "label", *options)
    assert status == 2
    assert message in err


def test_a_warning_is_one_line(write_jsonl, tmp_path):
    """Labels of two vocabularies: no path and no line of code stand before what is said."""
    path = write_jsonl([{"l": "a", "h": "b"}, {"l": "a", "h": "b"}])
    command = [
        sys.executable,
        "-m",
        "fairsum_utils",
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
