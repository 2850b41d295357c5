"""Results are plain dicts that copy, pickle and give their numbers in every form."""

from __future__ import annotations

import copy
import json
import math
import pickle
import re
import sys
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest.mock import MagicMock

import pytest

from fairsum_utils import BUR, combine, read_results
from fairsum_utils.families import families
from fairsum_utils.results import CombinedResults, ScoreResults

_BY_VALUE = re.compile("_by_(value|group)$")


@pytest.fixture(scope="module")
def results(examples: ModuleType) -> ScoreResults:
    return examples.of_family("representation")


def test_they_are_dicts_in_every_respect(results: ScoreResults) -> None:
    plain = json.loads(json.dumps(results))
    assert repr(results) == repr(plain)  # NaN is not equal to itself
    assert results["bur"] == plain["bur"]
    assert repr(results["bur"]) == repr(dict(results["bur"]))
    assert repr({**results}) == repr(plain)
    assert dict(**results["uer"]) == plain["uer"]
    assert type(results | {}) is dict
    assert "<svg" not in ScoreResults()._repr_html_()
    assert results["bur"]["n_by_value"]["pos"] == 4


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
@pytest.mark.parametrize("part", [lambda one: one, lambda one: one["uer"]], ids=["all", "one"])
def test_copies_and_pickles_keep_what_they_know(results: ScoreResults, again: Any, part: Any) -> None:
    made = again(part(results))
    assert repr(made) == repr(part(results))
    assert type(made) is type(part(results))
    assert made.report() == part(results).report()
    assert made.run == part(results).run


@pytest.mark.parametrize("family", families())
def test_figures_by_value_are_those_of_the_results(examples: ModuleType, family: str) -> None:
    results = examples.of_family(family)
    frame = results.by_value()
    assert list(frame.columns) == ["measure", "value", "label", "figure", "number", "low", "high"]
    has_figures = (name for name, result in results.items() if any(map(_BY_VALUE.search, result)))
    assert set(frame["measure"]) == {*has_figures}
    for row in frame.itertuples():
        result = results[row.measure]
        if row.label is not None and row.label == row.label:
            assert result[f"{row.figure}_by_group"][row.value][row.label] == row.number
            continue
        by_value = [result[key] for key in (f"{row.figure}_by_value", f"{row.figure}_by_group") if key in result]
        (entries,) = by_value or [{v: counts[row.figure] for v, counts in result["counts_by_group"].items()}]
        assert entries[row.value] == row.number or math.isnan(row.number)


def test_intervals_stand_beside_the_figures_they_are_of(examples: ModuleType) -> None:
    frame = examples.of_family("polarity").by_value().set_index(["measure", "value", "label", "figure"])
    row = frame.loc["gender_polarity", "men", "male", "proportions"]
    # The mid-P interval of 2 of 2 at 95% begins where p^2 / 2 = 0.025.
    assert [row["low"], row["number"], row["high"]] == pytest.approx([0.05**0.5, 1.0, 1.0], abs=1e-9)
    frame = examples.of_family("entities").by_value()
    row = frame[frame["figure"] == "entity_inclusion"].iloc[0]
    assert row["low"] <= row["number"] <= row["high"]


def test_a_combination_comes_back_flat(examples: ModuleType, tmp_path: Path) -> None:
    metrics = combine({"strict": BUR(tau=0.9), "uer": "uer"})
    result = metrics.compute(predictions=examples.A, **examples.SUMMARIES)
    assert isinstance(result, CombinedResults)
    assert result["strict_bur"] == result.measures["strict"]["bur"]
    assert result.numbers()["strict_bur"] == result["strict_bur"]
    assert "BUR" in result.report()
    assert list(result.to_pandas()["measure"]) == ["strict", "uer"]
    result.save(tmp_path / "a.json")
    again = read_results(tmp_path / "a.json")
    assert isinstance(again, CombinedResults)
    assert (again, list(again)) == (result, list(result))


def test_numbers_are_those_of_the_results(results: ScoreResults) -> None:
    numbers = results.numbers()
    assert numbers["uer"] == results["uer"]["uer"]
    assert [numbers["uer_ci/low"], numbers["uer_ci/high"]] == results["uer"]["uer_ci"]
    assert numbers["bur_by_value/pos"] == results["bur"]["bur_by_value"]["pos"]
    assert numbers["uer_n_by_value/pos"] == numbers["uer_n_samples"] == 4
    assert numbers["uer_warnings"] == len(results["uer"]["warnings"]) > 0
    assert results["uer"].numbers() == {name: numbers[name] for name in numbers if name.startswith("uer")}


@pytest.mark.parametrize("family", families())
def test_every_family_has_finite_numbers_alone(examples: ModuleType, family: str) -> None:
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


def test_numbers_of_a_comparison(examples: ModuleType) -> None:
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


@pytest.mark.parametrize("tracker", ["wandb", "mlflow", "torch.utils.tensorboard"])
def test_the_page_logs_the_numbers(
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
