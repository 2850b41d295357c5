"""The calibration and the benchmark run, and say what they measure."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from ...conftest import takes_long


@pytest.fixture
def scripts(repository: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, ModuleType]:
    monkeypatch.syspath_prepend(repository / "benchmarks")
    return {name: importlib.import_module(name) for name in ("calibrate_sensitivity",)}


def test_the_summarizer_treats_variants_alike(scripts: dict[str, ModuleType]) -> None:
    script = scripts["calibrate_sensitivity"]
    case = script.CASES[1]._replace(replicates=1)
    weights = script.inputs(case, 60, np.random.default_rng(0))
    assert weights.shape == (60, 2, 3, 10)
    samples = script.simulate(case, weights, script.summarize, np.random.default_rng(1))
    assert len(samples) == 60 * 2 * 3
    assert {sample.variant for sample in samples if "Mary Smith" in sample.prediction} == {"female"}
    result = script.score(samples, script.SensitivitySettings(n_permutations=199))
    assert result["floor"] == "controls"
    assert abs(result["counterfactual_gap"]) < 0.05 < result["within"]


@takes_long
@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_the_reports(scripts: dict[str, ModuleType], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = [
        "--runs",
        "2",
        "--within-runs",
        "2",
        "--originals",
        "6",
        "--single",
        "200",
        "--fisco",
        "20",
        "--single-sets",
        "40",
        "--output",
        str(tmp_path / "results.json"),
    ]
    report = scripts["calibrate_sensitivity"].main(options)
    assert json.loads((tmp_path / "results.json").read_text()) == report
    for row in report["rows"]:
        assert {*row["covers_by_originals"]} == {"6", "12", "20", "40", "100"}
        for held in row["covers_by_originals"].values():
            assert 0 <= held["percentile"] <= held["expanded"] <= 1
        assert {floor: {*held} for floor, held in row["covers_within"].items()} == {
            "controls": {"2", "3", "5"}, "replicates": {"2", "3", "5"},
        }  # fmt: skip
    assert [row["noise"] for row in report["rows"]] == ["low", "medium", "high"]
    assert all(0 <= row[key] <= 1 for row in report["rows"] for key in ("rejected", "covers"))
    # Ten summaries of one input a variant: whatever an edit does to an input, FiSCo's test calls bias.
    assert all(row["rejected, Welch, one input"] > row["rejected, Welch, ten inputs"] for row in report["rows"])
    assert report["two_kinds"]["0.05"] >= report["two_kinds"]["0.001"] > 0
    assert [row["noise"] for row in report["outcomes"]] == ["low", "medium", "high"]
    assert [row["sources_taken"] for row in report["orders"]] == [1, 3, 6]
    assert all(0 <= row[key] <= 1 for row in report["outcomes"] + report["orders"] for key in ("rejected", "covers"))
    assert "sources taken" in capsys.readouterr().out
