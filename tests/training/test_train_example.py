"""The documented training run, with a model that it makes on the spot."""

from __future__ import annotations

import ast

import pytest

from ..conftest import load_script


@pytest.mark.filterwarnings("ignore:'pin_memory':UserWarning")
def test_the_example_logs_fairness(repository, capsys):
    pytest.importorskip("transformers")
    load_script(repository / "examples" / "train_with_fairness.py").main(["--steps", "2"])
    lines = [line.partition(": ") for line in capsys.readouterr().out.splitlines() if line.startswith("step ")]
    assert [step for step, _, _ in lines] == ["step 1", "step 2"]
    for _, _, shown in lines:
        numbers = ast.literal_eval(shown)
        assert 0 <= numbers["eval_bur"] <= 1
        assert set(numbers) == {
            f"eval_{name}{value}"
            for name in ("bur", "uer")
            for value in ("", "_by_value/negative", "_by_value/positive")
        }
