"""The simulation of power runs, on made-up data that is what it says."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def rules(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(repository / "benchmarks")
    return importlib.import_module("power_of_rules")


def test_rules_have_the_power_that_is_promised(rules: ModuleType, tmp_path: Path) -> None:
    population = rules.Population()
    assert population.truth("bur", 0.1) == pytest.approx(0.1)
    assert population.truth("uer", 0.24) == pytest.approx(0.24 * (0.25 + 1 / 12) / 2)
    flags = ["--data-sets", "40", "--cases", "1", "--data", "shares", "outcomes", "--pilot", "600"]
    report = rules.main([*flags, "--output", str(tmp_path / "report.json")])
    assert json.loads((tmp_path / "report.json").read_text()) == report
    assert [row["data"] for row in report["rows"]] == ["shares", "outcomes"]
    for row in report["rows"]:
        assert row["pass"] + row["fail"] + row["undecided"] == pytest.approx(1)
        assert row["reached"] >= 0.5  # 0.8 less 4.7 standard errors
