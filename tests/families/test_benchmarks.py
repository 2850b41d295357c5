"""The benchmarks and calibrations run, and agree with their own plain loops."""

from __future__ import annotations

import gzip
import importlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import takes_long

CALIBRATION = "--runs 2 --within-runs 2 --originals 6 --single 200 --single-sets 40"


@pytest.fixture
def report_of(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs a script with its options, and reads its report."""
    pytest.importorskip("resource", reason="a Unix module")
    monkeypatch.syspath_prepend(repository / "benchmarks")

    def run(name: str, *options: object) -> Any:
        importlib.import_module(name).main([*map(str, options), "--output", str(tmp_path / "results.json")])
        return json.loads((tmp_path / "results.json").read_text())

    return run


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("calibrate_entities", "--data-sets 2 --originals 8"),
        pytest.param("bench_entities", "--articles 3 12 --systems 2 --plain 1", marks=takes_long),
        pytest.param("calibrate_sensitivity", CALIBRATION, marks=takes_long),
        pytest.param("power_of_sensitivity", "--pools 1 --data-sets 2 --biases dropping", marks=takes_long),
    ],
)
def test_measures_over_originals(report_of: Callable[..., Any], name: str, options: str) -> None:
    report = report_of(name, *options.split())
    assert all(row["largest_difference"] < 1e-9 for row in report.get("bootstrap", ()))
    assert all(row["same"] for row in report.get("distinguishability", {}).values())
    for row in report.get("rows", ()):
        assert all(0 <= row[key] <= 1 for key in ("rejected", "covers", "held_pairs", "held_singly") if key in row)


@takes_long
@pytest.mark.usefixtures("nltk_pipeline")
def test_shared_words(
    report_of: Callable[..., Any], paper: Any, shared_data: Path, wordnet: Path, tmp_path: Path
) -> None:
    columns = zip(paper.predictions, paper.sources, paper.values, strict=True)
    rows = [{"prediction": summary, "sources": texts, "values": values} for summary, texts, values in columns]
    with gzip.open(tmp_path / "three.jsonl.gz", "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in [*rows, rows[0]])
    data = ["--data", tmp_path / "three.jsonl.gz", "--nltk-data", shared_data / "nltk", "--wordnet", wordnet]
    report = report_of("bench_ngram", *data, "--samples", 3, "--streams", 6)
    # 12 source and 6 summary tokens twice, 4 and 4 once.
    assert report["speed"]["tokens_compared"] == 2 * (12 + 6) + 4 + 4
    assert (report["speed"]["samples"], report["speed"]["identical"]) == (3, True)
    # Two thirds of the rows have a UER of 1/18, a third of 1/4.
    assert report["streams"][0]["scores"]["uer"] == pytest.approx((2 / 18 + 1 / 4) / 3, abs=1e-15)
