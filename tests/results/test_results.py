"""Results are plain dicts that copy, pickle and show themselves in every form."""

from __future__ import annotations

import copy
import json
import math
import pickle
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from fairsum_utils import BUR, combine, read_results
from fairsum_utils.families import families
from fairsum_utils.results import CombinedResults, ScoreResults

_BY_VALUE = re.compile("_by_(value|group)$")


def test_they_are_dicts_in_every_respect(results: ScoreResults) -> None:
    plain = json.loads(json.dumps(results))
    assert repr(results) == repr(plain)  # NaN is not equal to itself
    assert results["bur"] == plain["bur"]
    assert repr(results["bur"]) == repr(dict(results["bur"]))
    assert repr({**results}) == repr(plain)
    assert dict(**results["uer"]) == plain["uer"]
    assert type(results | {}) is dict
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
    assert "BUR" in result.report()
    assert list(result.to_pandas()["measure"]) == ["strict", "uer"]
    result.save(tmp_path / "a.json")
    again = read_results(tmp_path / "a.json")
    assert isinstance(again, CombinedResults)
    assert (again, list(again)) == (result, list(result))
