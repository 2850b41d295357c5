"""The plugin for pytest, in a pytest of its own."""

from __future__ import annotations

import os
import subprocess
import sys
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


def run(folder: Path, *words: str) -> dict[str, str]:
    """Test -> what became of it; and under an empty name all that was printed."""
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "fairsum_utils.testing", "-rA", "-p", "no:cacheprovider", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1]), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    summary = (line.split() for line in done.stdout.splitlines() if line.startswith(("PASSED", "FAILED")))
    return {"": done.stdout + done.stderr, **{name.partition("::")[2]: outcome for outcome, name, *_ in summary}}


def test_outcomes(folder: Path) -> None:
    found = run(folder)
    printed = found.pop("")
    assert found == {
        "test_pass": "PASSED",
        "test_fail": "FAILED",
        "test_undecided": "FAILED",
        "test_baseline": "PASSED",
        "test_bad_rule": "FAILED",
    }
    assert "uer > 0.05  fail     0.0400  [0.0300, 0.0600]" in printed
    assert "InputError: check: " in printed
    assert "testing.py" not in printed.partition("test_bad_rule")[0]  # the table stands for itself
