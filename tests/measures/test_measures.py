"""What measures there are: read from their files, without importing them."""

from __future__ import annotations

import importlib
import math
import subprocess
import sys
from pathlib import Path

import pytest

from fairsum_utils import measures
from fairsum_utils.measures import Measure, get_formula, get_measure, measure_names, measures_of

FAMILIES = {
    "representation": ("bur", "uer", "auc", "sof"),
    "coverage": ("equal_coverage", "coverage_parity"),
    "polarity": ("sentiment", "toxicity", "regard", "gender_polarity", "psycholinguistic_norms"),
    "entities": ("word_list_inclusion", "entity_inclusion", "entity_hallucination", "distinguishability"),
    "sensitivity": ("counterfactual_gap", "counterfactual_outcomes", "counterfactual_pairs", "order_sensitivity"),
}


def test_names_are_those_of_the_files_in_alphabetical_order() -> None:
    files = {path.stem for path in Path(measures.__file__).parent.glob("[!_]*.py")}
    assert measure_names() == tuple(sorted(files))


@pytest.mark.parametrize("family", FAMILIES)
def test_measures_of_a_family_in_the_order_of_its_paper(family: str) -> None:
    assert measures_of(family) == FAMILIES[family]
    assert [get_measure(name).place for name in FAMILIES[family]] == [*range(1, len(FAMILIES[family]) + 1)]
    assert {get_measure(name).family for name in FAMILIES[family]} == {family}


def test_every_measure_has_a_family() -> None:
    assert sorted(name for names in FAMILIES.values() for name in names) == [*measure_names()]


@pytest.mark.parametrize("name", measure_names())
def test_what_is_read_is_what_the_file_says(name: str) -> None:
    imported = importlib.import_module(f"fairsum_utils.measures.{name}").MEASURE
    assert get_measure(name) == imported
    assert isinstance(imported, Measure)
    assert [*map(type, get_measure(name))] == [str, str, str, float, float, bool, int, str, str]
    assert imported.averages in ("shares", "scores", "")
    assert imported.tests in ("greater", "other", "any", "")
    assert (imported.name, imported.low < imported.high) == (name, True)


@pytest.mark.parametrize("name", measure_names())
def test_the_number_under_a_name_is_computed_by_the_function_of_that_name(name: str) -> None:
    formula = get_formula(name)
    assert (formula.__module__, formula.__name__) == (f"fairsum_utils.measures.{name}", name)
    assert all(part in str(formula.__doc__) for part in ("Args:", "Returns:", "NaN", "Source: ", ">>> "))


def test_infinity_is_read() -> None:
    assert get_measure("entity_inclusion").high == math.inf


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
        "from fairsum_utils.measures import get_measure, measure_names\n"
        "print(*map(get_measure, measure_names()))\n"
        "fairsum_utils.validation.check_sample('bur', 0, 'a', ['b'], ['c'])\n"
        "assert not {name for name in sys.modules if name == 'numpy' or name.startswith('fairsum_utils.measures.')}"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
