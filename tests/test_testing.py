"""The plugin for pytest, in a pytest of its own."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests._gate import uer

TESTS = """
def test_pass(fairsum_check):
    assert fairsum_check("results.json", ["uer < 0.05", "warnings == 0"]).passed

def test_fail(fairsum_check):
    fairsum_check("results.json", "uer > 0.05")

def test_undecided(fairsum_check):
    fairsum_check("results.json", ["uer.ci_high < 0.05"])

def test_baseline(fairsum_check):
    fairsum_check("results.json", "uer - baseline == 0", baseline="results.json")

def test_bad_rule(fairsum_check):
    fairsum_check("results.json", "uer = 1")
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "test_gate.py").write_text(TESTS, encoding="utf-8")
    uer(0.04, (0.03, 0.06)).save(tmp_path / "results.json")
    return tmp_path


class Outcomes:
    """Plugin that keeps the outcome of each test."""

    def __init__(self) -> None:
        self.found: dict[str, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call":
            self.found[report.nodeid.partition("::")[2]] = report.outcome


def test_outcomes(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    outcomes = Outcomes()
    pytest.main(["-p", "fairsum_utils.testing", "-p", "no:cacheprovider"], plugins=[outcomes])
    printed = capsys.readouterr().out
    assert outcomes.found == {
        "test_pass": "passed",
        "test_fail": "failed",
        "test_undecided": "failed",
        "test_baseline": "passed",
        "test_bad_rule": "failed",
    }
    assert "uer > 0.05  fail     0.0400  [0.0300, 0.0600]" in printed
    assert "InputError: check: " in printed
    assert "testing.py" not in printed.partition("test_bad_rule")[0]  # the table stands for itself
