"""What measures there are, and what their files say about them."""

from __future__ import annotations

import importlib
import math
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils.families import families
from fairsum_utils.measures import Figures, Measure, get_about, get_formula, get_measure, measure_names, measures_of

MEASURES = [get_measure(name) for name in measure_names()]


@pytest.mark.parametrize("family", families())
def test_measures_of_a_family_in_the_order_of_its_paper(family: str) -> None:
    members = sorted((measure.place, measure.name) for measure in MEASURES if measure.family == family)
    assert [place for place, _ in members] == [*range(1, len(members) + 1)]
    assert measures_of(family) == tuple(name for _, name in members) != ()


WORST = '''
"""Worst Shortfall: the largest shortfall of a group."""

from fairsum_utils.measures import About
from fairsum_utils.measures._representation import RepresentationMeasure
from fairsum_utils.stats.arrays import quotient

__all__ = ["ABOUT", "WorstShortfall", "worst_shortfall"]


class WorstShortfall(RepresentationMeasure):
    """The largest shortfall of a group from its desired share."""

    name, title, place, averages = "worst_shortfall", "Worst Shortfall", 99, "scores"

    def per_sample(self, p_y, p_g):
        return self.per_group(p_y, p_g).max(axis=-1)


def worst_shortfall(shortfalls, n):
    return quotient(shortfalls, n)


ABOUT = About("mean of the largest shortfalls", lambda: ["Of one summary: 0.1000."], "Use uer.")
'''
"""A measure that a file adds to those of the package, without any other change."""

FRONTS = """
import sys
import pytest
from click.shell_completion import ShellComplete
from fairsum_utils import measures
measures.__path__.append(sys.argv[1])
from fairsum_utils import api, run
from fairsum_utils.cli import run_command
from fairsum_utils.cli.app import app
from fairsum_utils.cli.options import MEASURE_OPTIONS
from fairsum_utils.integrations import lm_eval
sample = {"sources": ["Good soup.", "Cold bread."], "values": ["a", "b"]}
[metrics] = [option for option in MEASURE_OPTIONS if option.name == "metrics"]
completion = ShellComplete(app, {}, "fairsum", "_FAIRSUM_COMPLETE")
assert "worst_shortfall" in api.all_measures()
default = ("bur", "uer", "auc", "sof")
assert [call.__kwdefaults__["metrics"] for call in (api.score, api.compare)] == [default] * 2
assert (run.score.__defaults__[0], tuple(metrics.default.split(","))) == (default, default)
assert tuple(lm_eval.process_summary(sample, ["Soup."])) == default
for before in (["score", "--metrics"], ["explain"]):
    assert [each.value for each in completion.get_completions(before, "worst")] == ["worst_shortfall"]
run_command(["explain"])
columns = {name: [entry] for name, entry in sample.items()} | {"predictions": ["Good soup."]}
print("=====", api.score(columns, metrics=["worst_shortfall"], return_samples=True).report())
# The front `load` needs a folder in metrics/.
options = ["-q", "-n", "0", "--assert=plain", "-k", "worst_shortfall and not front", sys.argv[2]]
print("=====", int(pytest.main(options)))
"""
"""Add the file to the registry, use the measure, and run the contract test on it."""


def test_a_new_measure_needs_no_list_and_changes_no_default(tmp_path: Path, repository: Path) -> None:
    folder = tmp_path / "measures"
    folder.mkdir()
    (folder / "worst_shortfall.py").write_text(WORST, encoding="utf-8")
    contract = repository / "tests" / "families" / "test_contract.py"
    command = [sys.executable, "-W", "ignore", "-c", FRONTS, str(folder), str(contract)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    explained, report, contract_holds = done.stdout.split("=====")
    assert "worst_shortfall" in explained
    # "Good" is a stop word: b has two of three words of the sources, and none of the summary's.
    assert re.search(r"Worst Shortfall +0\.67 ", report)
    assert int(contract_holds) == 0  # also if no test were chosen it would not be


@pytest.mark.parametrize("name", measure_names())
def test_each_file_defines_one_measure_and_its_settings(name: str) -> None:
    measure, module = get_measure(name), importlib.import_module(f"fairsum_utils.measures.{name}")
    defined = [each for each in vars(module).values() if isinstance(each, type) and each.__module__ == module.__name__]
    assert [each for each in defined if issubclass(each, Measure)] == [measure]
    assert measure.__name__ in module.__all__
    assert measure.__doc__
    assert (measure.name, measure.called, measure.low < measure.high) == (name, name, True)
    assert measure.averages in ("shares", "scores", "")
    assert all(isinstance(figures, Figures) for figures in measure.figures)


@pytest.mark.parametrize("name", measure_names())
def test_the_number_under_a_name_is_computed_by_the_function_of_that_name(name: str) -> None:
    formula = get_formula(name)
    assert (formula.__module__, formula.__name__) == (f"fairsum_utils.measures.{name}", name)
    assert [part for part in ("Args:", "Returns:", "NaN", "Source: ", ">>> ") if part not in str(formula.__doc__)] == []


def test_an_unknown_measure() -> None:
    with pytest.raises(KeyError, match="fairness"):
        get_measure("fairness")
    with pytest.raises(KeyError, match="fairness"):
        get_formula("fairness")
    assert measures_of("fairness") == ()


def test_listing_and_checking_need_no_numpy() -> None:
    code = (
        "import sys\n"
        "import fairsum_utils.errors, fairsum_utils.signature, fairsum_utils.validation\n"
        "from fairsum_utils.measures import measure_names\n"
        "print(*measure_names())\n"
        "fairsum_utils.validation.check_sample('bur', 0, 'a', ['b'], ['c'])\n"
        "assert 'numpy' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", measure_names())
def test_the_example_of_explain_by_hand(name: str) -> None:
    found = re.search(r"([\d.]+)\.$", get_about(name).example()[-1])
    assert found is not None
    by_hand = importlib.import_module(f"tests.measures.test_{name}").EXPLAINED
    assert float(found[1]) == pytest.approx(by_hand, abs=5e-5)


OVER_SAMPLES = ("bur", "uer", "auc", "framing", "misattribution", "omission", "order_sensitivity", "counterfactual_gap")


@pytest.mark.parametrize("name", OVER_SAMPLES)
def test_a_mean_is_the_sum_over_the_number(name: str) -> None:
    formula = get_formula(name)
    # (1/8 + 0 + 1/4 + 1/8) / 4 = 1/8; of none, nothing; several sums side by side.
    assert float(formula(1 / 8 + 0 + 1 / 4 + 1 / 8, 4)) == 1 / 8
    assert math.isnan(formula(0.0, 0))
    assert formula([0.0, 1.0], 2).tolist() == [0.0, 0.5]


LLM = {"entailer": "lexical", "splitter": "llm", "chat_model": "x"}


@pytest.mark.parametrize(
    ("name", "settings", "given", "expected"),
    [
        ("bur", {}, (), False),
        ("bur", {"matcher": "bertscore"}, (), True),
        ("bur", {"matcher": "bertscore"}, ("target_distributions",), False),
        ("equal_coverage", {}, (), True),
        ("equal_coverage", {}, ("coverage",), False),
        ("equal_coverage", {"entailer": "lexical"}, (), False),
        ("equal_coverage", LLM, (), True),
        ("omission", {}, (), False),
        ("omission", {"finder": "some/model"}, (), True),
        ("omission", {"finder": len}, (), False),
        ("omission", {"entailer": "some/model"}, (), True),
        ("framing", {}, (), False),
        ("framing", {"model": len}, (), False),
        ("framing", {"model": "some/model"}, (), True),
    ],
)
def test_where_a_model_is_used(name: str, settings: dict[str, Any], given: tuple[str, ...], expected: bool) -> None:
    assert get_measure(name)(**settings).uses_model({"values", *given}) is expected
