"""The examples that combine measures with other modules, run as a user does, with caches of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import fairsum_utils

ROOT = Path(__file__).parents[2]

# transformers, which evaluate would import though nothing here needs it, takes long.
WITH_ROUGE = """
import runpy, sys
from importlib.machinery import PathFinder
find = PathFinder.find_spec
def not_hidden(name, path=None, target=None):
    return None if name.partition(".")[0] == "transformers" else find(name, path, target)
PathFinder.find_spec = staticmethod(not_hidden)
sys.argv = ["combine_with_rouge.py", "--rouge", "tests/_rouge_module/rouge.py"]
runpy.run_path("examples/combine_with_rouge.py", run_name="__main__")
"""

SUITE = """
import json, runpy, sys
from evaluate import EvaluationSuite
from fairsum_utils.combining import Combination
score, heard = Combination.compute, []
def compute(combination, **columns):
    result = score(combination, **columns)
    heard.append([columns, {key: it for key, it in result.items() if isinstance(it, float)}])
    return result
Combination.compute = compute
sys.argv, sys.path[0] = ["evaluation_suite.py"], "examples"
runpy.run_path("examples/evaluation_suite.py", run_name="__main__")
print(json.dumps(heard))
print(len(EvaluationSuite.load("examples/evaluation_suite.py").suite))
"""


def run(code: str, folder: Path) -> str:
    places = {name: str(folder / name) for name in ("HF_HOME", "FAIRSUM_CACHE")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, **places, "HF_HUB_OFFLINE": "1", "PYTHONPATH": str(ROOT)},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_beside_rouge(tmp_path: Path) -> None:
    pytest.importorskip("rouge_score")
    lines = run(WITH_ROUGE, tmp_path).splitlines()
    assert lines[0].split() == ["combine", "evaluate.combine", "tau=1,", "stems"]
    table = {name: list(map(float, numbers)) for name, *numbers in map(str.split, lines[1:6])}
    assert list(table) == ["bur", "uer", "rouge1", "rouge2", "rougeL"]
    for ours, theirs, _ in table.values():
        assert ours == theirs
    # tau is for BUR, stems are for ROUGE.
    assert [strict != ours for ours, _, strict in table.values()] == [True, False, True, True, True]


def test_suite(tmp_path: Path, forked: Any) -> None:
    pytest.importorskip("torch")
    done = forked.Forked(["-c", SUITE], ROOT, {"FAIRSUM_CACHE": str(tmp_path)}).wait()
    assert done.returncode == 0, done.stderr
    reviews, people, last, n_tasks = done.stdout.splitlines()
    assert n_tasks == "2"
    heard = json.loads(last)
    assert [sorted(columns) for columns, _ in heard] == [
        ["predictions", "sources", "values"],
        ["groups", "predictions"],
    ]
    assert [len(columns["predictions"]) for columns, _ in heard] == [3, 6]
    assert not any(text.startswith(("Tasty", "As a")) for columns, _ in heard for text in columns["predictions"])
    for line, title, (columns, result), names in (
        (reviews, "reviews", heard[0], ("bur", "uer", "auc", "sof")),
        (people, "people", heard[1], ("sentiment", "gender_polarity")),
    ):
        assert line == f"{title}: {', '.join(f'{name}={result[name]:.4f}' for name in names)}"
        for name in names:
            assert result[name] == fairsum_utils.compute(name, **columns)[name]
