"""The documented training run, with a model that it makes on the spot."""

from __future__ import annotations

import ast

import pytest


def test_the_example_logs_fairness(repository, tmp_path, forked):
    pytest.importorskip("transformers")
    pytest.importorskip("datasets")
    done = forked.start([repository / "examples" / "train_with_fairness.py", "--steps", "2"], tmp_path).wait()
    assert done.returncode == 0, done.stderr
    lines = [line.partition(": ") for line in done.stdout.splitlines() if line.startswith("step ")]
    assert [step for step, _, _ in lines] == ["step 1", "step 2"]
    for _, _, shown in lines:
        numbers = ast.literal_eval(shown)
        assert 0 <= numbers["eval_bur"] <= 1
        assert set(numbers) == {
            f"eval_{name}{value}"
            for name in ("bur", "uer")
            for value in ("", "_by_value/negative", "_by_value/positive")
        }
