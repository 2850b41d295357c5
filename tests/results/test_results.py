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

from fairsum_utils import combine, compute, read_results
from fairsum_utils.errors import InputError
from fairsum_utils.families import families
from fairsum_utils.results import CombinedResults, MeasureResult, ScoreResults
from fairsum_utils.session import Request, Session

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


def test_an_object_among_the_settings_does_not_stop_pickling(examples: ModuleType) -> None:
    session = Session([Request("uer", settings={"matcher": "ngram", "target": {"pos": 0.5, "neg": 0.5}})])
    made = session.score({"predictions": examples.A, **examples.SUMMARIES})
    assert pickle.loads(pickle.dumps(made)).run.asked["uer"].given["target"] == {"pos": 0.5, "neg": 0.5}


def test_every_form_tells_the_same_scores(results: ScoreResults) -> None:
    for written in (results.report(), results.to_markdown(), results.to_latex()):
        assert f"{results['uer']['uer']:.4f}" in written
    assert str(results["uer"]["uer"]) in results.to_csv()
    assert results.report().startswith("in memory: 4 samples scored, 0 skipped")
    assert results["uer"].to_csv() != results.to_csv()


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
    frame = examples.of_family("polarity").by_value()
    (row,) = frame[
        (frame["measure"] == "gender_polarity")
        & (frame["value"] == "men")
        & (frame["label"] == "male")
        & (frame["figure"] == "proportions")
    ].itertuples()
    # The mid-P interval of 2 of 2 at 95 % begins where p^2 / 2 = 0.025.
    assert (row.number, row.high) == (1.0, 1.0)
    assert row.low == pytest.approx(0.05**0.5, abs=1e-9)
    frame = examples.of_family("entities").by_value()
    (row,) = (
        frame[(frame["measure"] == "entity_inclusion") & (frame["figure"] == "entity_inclusion")].head(1).itertuples()
    )
    assert row.low <= row.number <= row.high


def test_results_are_saved_as_json_only(results: ScoreResults, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.json"):
        results.save(tmp_path / "a.csv")
    with pytest.raises(InputError, match="does not exist"):
        results.save(tmp_path / "none" / "a.json")


def test_a_row_a_measure(results: ScoreResults) -> None:
    frame = results.to_pandas()
    assert list(frame.columns) == [
        "measure", "score", "low", "high", "at_random", "n_samples", "n_skipped", "undefined", "signature",
    ]  # fmt: skip
    assert list(frame["measure"]) == list(results)
    assert list(frame["score"]) == [results[name][name] for name in results]
    assert [frame["low"][0], frame["high"][0]] == results["bur"]["bur_ci"]
    # Four samples do not tell how far a spread over values varies.
    assert frame["undefined"].isna().tolist() == [name != "sof" for name in results]
    assert frame["undefined"][3] == results["sof"]["undefined"]
    assert frame["undefined"][3].startswith("sof_ci: ")
    assert frame[["low", "high"]].isna().all(axis=1).tolist() == [name == "sof" for name in results]
    assert list(frame["at_random"]) == [results[name][f"{name}_at_random"] for name in results]


def test_without_an_interval_its_ends_are_nan(examples: ModuleType) -> None:
    frame = compute("uer", predictions=examples.A, **examples.SUMMARIES).to_pandas()
    assert frame["low"].isna().all()
    assert frame["high"].isna().all()


def test_a_measure_asked_for_twice_is_reported_twice(examples: ModuleType) -> None:
    session = Session([Request("bur"), Request("bur", "strict", {"tau": 1.0})])
    results = session.score({"predictions": examples.A, **examples.SUMMARIES})
    report = results.report()
    assert "in memory (strict): 4 samples" in report
    assert "tau:1.0" in report
    assert "tau:0.8" in report


def test_one_measure_saves_and_reads_as_a_whole(examples: ModuleType, tmp_path: Path) -> None:
    result = compute("uer", predictions=examples.A, **examples.SUMMARIES)
    result.save(tmp_path / "a.json")
    again = read_results(tmp_path / "a.json")
    assert again["uer"] == result
    assert isinstance(again["uer"], MeasureResult)


def test_a_combination_comes_back_flat(examples: ModuleType, tmp_path: Path) -> None:
    metrics = combine({"strict": "bur", "uer": "uer"}, options={"strict": {"tau": 0.9}})
    result = metrics.compute(predictions=examples.A, **examples.SUMMARIES)
    assert isinstance(result, CombinedResults)
    assert result["strict_bur"] == result.measures["strict"]["bur"]
    assert "BUR" in result.report()
    assert list(result.to_pandas()["measure"]) == ["strict", "uer"]
    result.save(tmp_path / "a.json")
    again = read_results(tmp_path / "a.json")
    assert isinstance(again, CombinedResults)
    assert (again, list(again)) == (result, list(result))
