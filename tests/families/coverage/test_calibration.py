"""The calibration of R_EC runs, and what it compares with is right."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from fairsum_utils.measures.equal_coverage import permutation_test


@pytest.fixture
def script(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(repository / "benchmarks")
    return importlib.import_module("calibrate_coverage")


@pytest.mark.parametrize("shape", [(1, 1), (2, 2), (3, 5), (5, 3), (4, 5)])
@pytest.mark.parametrize("ties", [False, True])
def test_counting_subsets_is_the_exact_test(script: ModuleType, shape: tuple[int, int], ties: bool) -> None:
    codes = np.repeat([0, 1], shape)
    for sample in script.draw(20, shape, seed=4, shift=0.2, ties=ties):
        assert script.exact_p_value(sample, shape[0]) == permutation_test(sample, codes).p_value


def test_by_hand(script: ModuleType) -> None:
    # Of the sums 1, 2, 3, 3, 4, 5 of two of {0, 1, 2, 3} two are as far from 3 as 0 + 1 is.
    assert script.exact_p_value(np.array([0.0, 1.0, 2.0, 3.0]), 2) == 2 / 6


def test_the_report(script: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--samples", "40", "--sets", "1", "--set-size", "5", "--seeds", "2"]
    report = script.main([*options, "--output", str(tmp_path / "results.json")])
    assert json.loads((tmp_path / "results.json").read_text()) == report
    alarms = {(*row["shape"], row["ties"]): row["r_ec"] for row in report["false_alarms"]}
    assert len(alarms) == 8
    assert alarms[2, 2, False] == alarms[2, 2, True] == 0  # of 6 assignments two or more are as far apart
    assert [row["shift"] for row in report["seeds"]] == [0.0, 0.12]
    assert "root mean square" in capsys.readouterr().out
