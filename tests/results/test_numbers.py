"""All numbers of results in one flat dict, and the page that shows how to log it."""

from __future__ import annotations

import math
import re
import sys
from pathlib import Path
from types import ModuleType
from unittest.mock import MagicMock

import pytest

from fairsum_utils import BUR, combine
from fairsum_utils.families import families
from fairsum_utils.results import CombinedResults, ScoreResults


def test_numbers_are_those_of_the_results(results: ScoreResults) -> None:
    numbers = results.numbers()
    assert numbers["uer"] == results["uer"]["uer"]
    assert [numbers["uer_ci/low"], numbers["uer_ci/high"]] == results["uer"]["uer_ci"]
    assert numbers["bur_by_value/pos"] == results["bur"]["bur_by_value"]["pos"]
    assert numbers["uer_n_by_value/pos"] == numbers["uer_n_samples"] == 4
    assert numbers["uer_warnings"] == len(results["uer"]["warnings"]) > 0
    assert results["uer"].numbers() == {name: numbers[name] for name in numbers if name.startswith("uer")}


@pytest.mark.parametrize("family", families())
def test_every_family_has_finite_floats_alone(examples: ModuleType, family: str) -> None:
    results = examples.of_family(family)
    numbers = results.numbers()
    assert {type(number) for number in numbers.values()} == {float}
    assert all(map(math.isfinite, numbers.values()))
    defined = [name for name in results if math.isfinite(results[name][name])]
    assert defined
    assert [numbers[name] for name in defined] == [results[name][name] for name in defined]
    assert not [name for name in numbers if re.match(r".*_(settings|samples)/", name)]


def test_undefined_numbers_are_left_out() -> None:
    undefined = {"uer": math.nan, "uer_ci": [math.nan, math.nan], "undefined": "no sample is left", "warnings": []}
    assert ScoreResults({"uer": undefined}).numbers() == {"uer_warnings": 0.0}


def test_a_comparison(examples: ModuleType) -> None:
    found = examples.of_systems()
    numbers = found.numbers()
    for name, result in found.items():
        for system, of in result["systems"].items():
            assert numbers[f"{name}_systems/{system}/score"] == of["score"]
        first, second = result["differences"]
        assert numbers[f"{name}_differences/last - lead/p_value"] == first["p_value"]
        assert numbers[f"{name}_differences/none - lead/difference_ci/low"] == second["difference_ci"][0]


def test_a_combination_has_the_numbers_of_other_modules() -> None:
    rest = {"rouge": {"rouge1": 0.5, "by_type": {"f": 1}}}
    uer = ScoreResults({"uer": {"uer": 0.25, "n_samples": 4}})
    expected = {"uer": 0.25, "uer_n_samples": 4.0, "rouge1": 0.5, "by_type/f": 1.0}
    assert CombinedResults(uer, rest, ["uer", "rouge"]).numbers() == expected
    metrics = combine({"strict": BUR(tau=0.9)})
    result = metrics.compute(predictions=["Tasty."], sources=[["Tasty.", "Awful."]], values=[["pos", "neg"]])
    assert result.numbers()["strict_bur"] == result["strict_bur"] == 1.0


@pytest.mark.parametrize("tracker", ["wandb", "mlflow", "torch.utils.tensorboard"])
def test_the_page_logs_them(
    results: ScoreResults, tracker: str, repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = (repository / "docs/pages/how-to/stacks.md").read_text(encoding="utf-8")
    [code] = re.findall(rf"```python\n((?:from|import) {re.escape(tracker)}\b.*?)```", page, re.S)
    module = MagicMock()
    for package in ("torch", "torch.utils", tracker):  # imports the parents first, which may be missing
        monkeypatch.setitem(sys.modules, package, module)
    exec(compile(code, "stacks.md", "exec"), {"results": results, "step": 7})
    logs = ("log", "log_metrics", "add_scalar")
    logged = [args for name, args, _ in module.mock_calls if name.rpartition(".")[2] in logs]
    assert {} | (dict(args[:2] for args in logged) if len(logged) > 1 else logged[0][0]) == results.numbers()
