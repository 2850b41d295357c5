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

from fairsum_utils.errors import InputError, MissingDependencyError
from fairsum_utils.families import families
from fairsum_utils.results import ScoreResults
from fairsum_utils.session.session import Request, Session

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


def test_without_pandas_one_line_says_so(results: ScoreResults, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(MissingDependencyError, match=r"\[pandas\]"):
        results.to_pandas()
