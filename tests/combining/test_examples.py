"""The examples that combine measures with other modules, run as a user does, with caches of their own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import fairsum_utils

ROOT = Path(__file__).parents[2]

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


def run(words: list[object], folder: Path, forked: Any) -> list[str]:
    """What a process prints that runs in the repository, with a cache of its own."""
    done = forked.start(words, ROOT, FAIRSUM_CACHE=str(folder)).wait()
    assert done.returncode == 0, done.stderr
    return [*done.stdout.splitlines()]


def test_beside_rouge(tmp_path: Path, forked: Any) -> None:
    pytest.importorskip("rouge_score")
    words = [ROOT / "examples" / "combine_with_rouge.py", "--rouge", "tests/_rouge_module/rouge.py"]
    lines = run(words, tmp_path, forked)
    assert lines[0].split() == ["combine", "evaluate.combine", "tau=1,", "stems"]
    table = {name: list(map(float, numbers)) for name, *numbers in map(str.split, lines[1:6])}
    assert list(table) == ["bur", "uer", "rouge1", "rouge2", "rougeL"]
    for ours, theirs, _ in table.values():
        assert ours == theirs
    # tau is for BUR, stems are for ROUGE.
    assert [strict != ours for ours, _, strict in table.values()] == [True, False, True, True, True]


def test_suite(tmp_path: Path, forked: Any) -> None:
    pytest.importorskip("torch")
    reviews, people, last, n_tasks = run(["-c", SUITE], tmp_path, forked)
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
            assert repr(result[name]) == repr(fairsum_utils.compute(name, **columns)[name])
