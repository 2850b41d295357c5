"""The simulations of monitor and power run, on made-up data that is what they say."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest


@pytest.fixture
def monitor(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(repository / "benchmarks")
    return importlib.import_module("calibrate_monitor")


@pytest.fixture
def rules(repository: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(repository / "benchmarks")
    return importlib.import_module("power_of_rules")


def test_every_kind_of_samples_shifts_as_far(monitor: ModuleType) -> None:
    for kind in monitor.KINDS.values():
        generator = np.random.default_rng(0)
        before, after = (draw(generator, 200_000) for draw in (kind.before, kind.after))
        assert after.mean() - before.mean() == pytest.approx(monitor.SHIFT, abs=0.006)
        assert 0 <= min(before.min(), after.min()) <= max(before.max(), after.max()) <= kind.high
        assert not kind.is_share or set(after) == {0, 1}


def test_what_results_tell_is_what_samples_are(monitor: ModuleType) -> None:
    scores = np.random.default_rng(0).beta(1, 3, 400)
    told = monitor.told(scores, is_share=False)
    assert (told.n, told.mean) == (400, pytest.approx(scores.mean()))
    assert told.variance() == pytest.approx(scores.var(), rel=0.15)
    assert monitor.told(np.array([1.0, 0, 0, 0]), is_share=True) == (4, 0.25, 0.75)


def test_few_streams_are_simulated(monitor: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--streams", "8", "--kinds", "bur 0.05", "uer", "--baselines", "1000", "--sizes", "200"]
    report = monitor.main([*flags, "--output", str(tmp_path / "report.json")])
    assert json.loads((tmp_path / "report.json").read_text()) == report
    assert [row["kind"] for row in report["rows"]] == ["bur 0.05", "uer"]
    for row in report["rows"]:
        assert row["false_alarms"] <= 2  # of 8: 5% are 0.4
        assert 1 <= row["delay_median"] <= 6
    assert "bur 0.05" in capsys.readouterr().out


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
