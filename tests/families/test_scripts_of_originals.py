"""The benchmarks and calibrations of measures over originals run, and agree with their own plain loops."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from tests.conftest import takes_long

CALIBRATION = "--runs 2 --within-runs 2 --originals 6 --single 200 --single-sets 40"


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
def test_the_report(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, options: str) -> None:
    pytest.importorskip("resource", reason="a Unix module")
    monkeypatch.syspath_prepend(repository / "benchmarks")
    report = importlib.import_module(name).main([*options.split(), "--output", str(tmp_path / "results.json")])
    assert json.loads((tmp_path / "results.json").read_text()) == report
    assert all(row["largest_difference"] < 1e-9 for row in report.get("bootstrap", ()))
    assert all(row["same"] for row in report.get("distinguishability", {}).values())
    for row in report.get("rows", ()):
        assert all(0 <= row[key] <= 1 for key in ("rejected", "covers", "held_pairs", "held_singly") if key in row)
