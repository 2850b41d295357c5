"""Results are plain dicts, show themselves in every form, and come back from a file as they were."""

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

from fairsum_utils import combine, compare_systems, compute, read_results, score
from fairsum_utils.errors import InputError, MissingDependencyError
from fairsum_utils.family import families
from fairsum_utils.results import CombinedResults, Comparison, MeasureResult, ScoreResults, SystemComparison
from fairsum_utils.session import Request, Session

FAMILIES = tuple(families())
_BY_VALUE = re.compile("_by_(value|group)$")


def bits(item: Any) -> Any:
    """Plain data in which NaN equals NaN and floats are told by their bits."""
    if isinstance(item, dict):
        return {key: bits(part) for key, part in item.items()}
    if isinstance(item, (list, tuple)):
        return [bits(part) for part in item]
    return item.hex() if isinstance(item, float) else item


@pytest.fixture(scope="module")
def results(examples: ModuleType) -> ScoreResults:
    return examples.of_family("representation")


def test_they_are_dicts_in_every_respect(results: ScoreResults) -> None:
    plain = json.loads(json.dumps(results))
    assert results == plain
    assert repr(results["bur"]) == repr(dict(results["bur"]))
    assert {**results} == plain
    assert dict(**results["uer"]) == plain["uer"]
    assert type(results | {}) is dict
    assert results["bur"]["n_by_value"]["pos"] == 4


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
@pytest.mark.parametrize("part", [lambda one: one, lambda one: one["uer"]], ids=["all", "one"])
def test_copies_and_pickles_keep_what_they_know(results: ScoreResults, again: Any, part: Any) -> None:
    made = again(part(results))
    assert made == part(results)
    assert type(made) is type(part(results))
    assert made.report() == part(results).report()
    assert made.run == part(results).run


def test_an_object_among_the_settings_does_not_stop_pickling(examples: ModuleType) -> None:
    session = Session([Request("uer", settings={"matcher": "ngram", "target": {"pos": 0.5, "neg": 0.5}})])
    made = session.score({"predictions": examples.A, **examples.SUMMARIES})
    assert pickle.loads(pickle.dumps(made)).run.asked["uer"].given["target"] == {"pos": 0.5, "neg": 0.5}


def test_a_row_a_measure(results: ScoreResults) -> None:
    frame = results.to_pandas()
    assert list(frame.columns) == [
        "measure", "score", "low", "high", "n_samples", "n_skipped", "undefined", "signature",
    ]  # fmt: skip
    assert list(frame["measure"]) == ["bur", "uer", "auc", "sof"]
    assert list(frame["score"]) == [results[name][name] for name in results]
    assert [frame["low"][0], frame["high"][0]] == results["bur"]["bur_ci"]
    assert frame["undefined"].isna().all()


def test_without_an_interval_its_ends_are_nan(examples: ModuleType) -> None:
    frame = compute("uer", predictions=examples.A, **examples.SUMMARIES).to_pandas()
    assert frame["low"].isna().all()
    assert frame["high"].isna().all()


def test_a_row_a_comparison(examples: ModuleType) -> None:
    compared = examples.of_comparison()
    frame = compared.to_pandas()
    assert list(frame["measure"]) == ["bur", "uer", "equal_coverage"]
    for place, name in enumerate(compared):
        assert frame["difference"][place] == compared[name]["difference"] == frame["a"][place] - frame["b"][place]
        assert [frame["low"][place], frame["high"][place]] == compared[name]["difference_ci"]


@pytest.mark.parametrize("family", FAMILIES)
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
    # Wilson's interval of 2 of 2 at 95 %: 2 / (2 + 1.96^2) to 1
    assert (row.number, row.high) == (1.0, 1.0)
    assert row.low == pytest.approx(2 / (2 + 1.959964**2), abs=1e-6)
    frame = examples.of_family("entities").by_value()
    (row,) = (
        frame[(frame["measure"] == "entity_inclusion") & (frame["figure"] == "entity_inclusion")].head(1).itertuples()
    )
    assert row.low <= row.number <= row.high


def test_every_form_tells_the_same_scores(results: ScoreResults) -> None:
    for written in (results.report(), results.to_markdown(), results.to_latex()):
        assert f"{results['uer']['uer']:.4f}" in written
    assert str(results["uer"]["uer"]) in results.to_csv()
    assert results.report().startswith("in memory: 4 samples scored, 0 skipped")
    assert results["uer"].to_csv() != results.to_csv()


@pytest.mark.parametrize("family", FAMILIES)
def test_what_was_saved_comes_back(examples: ModuleType, family: str, tmp_path: Path) -> None:
    results = examples.of_family(family, return_samples=True)
    results.save(tmp_path / "a.json")
    again = read_results(tmp_path / "a.json")
    assert bits(again) == bits(results)
    assert (type(again), list(again)) == (ScoreResults, list(results))
    assert again.report() == results.report()
    again.save(tmp_path / "b.json")
    assert (tmp_path / "b.json").read_bytes() == (tmp_path / "a.json").read_bytes()


def test_nan_is_null_with_a_reason_and_nan_again(tmp_path: Path) -> None:
    results = score(["", ""], [["Tasty."]] * 2, [["pos"]] * 2, metrics=["bur"], confidence_level=0.95)
    assert math.isnan(results["bur"]["bur"])
    results.save(tmp_path / "a.json")
    written = json.loads((tmp_path / "a.json").read_text())
    assert written["metrics"]["bur"]["bur"] is None
    assert written["metrics"]["bur"]["undefined"]
    assert "/bur/bur" in written["nan"]
    again = read_results(tmp_path / "a.json")
    assert bits(again) == bits(results)
    assert math.isnan(again["bur"]["bur_ci"][0])


def test_null_that_is_none_stays_none(examples: ModuleType, tmp_path: Path) -> None:
    results = examples.of_family("polarity")
    tests = [test for result in results.values() for test in result["tests"].values()]
    none = [test for test in tests if test["test"] is None]
    results.save(tmp_path / "a.json")
    again = [test for result in read_results(tmp_path / "a.json").values() for test in result["tests"].values()]
    assert none
    assert [test["test"] for test in again] == [test["test"] for test in tests]
    assert math.isnan(next(test for test in again if test["test"] is None)["p_value"])


def test_a_comparison_comes_back(examples: ModuleType, tmp_path: Path) -> None:
    compared = examples.of_comparison()
    compared.save(tmp_path / "a.json")
    again = read_results(tmp_path / "a.json")
    assert (type(again), bits(again)) == (Comparison, bits(compared))
    assert again.report() == compared.report()
    assert not hasattr(again, "by_value")  # it has no figures by value


@pytest.fixture(scope="module")
def systems(examples: ModuleType) -> SystemComparison:
    """Three systems by two measures; A is the baseline."""
    texts = {"A": examples.A, "B": examples.B, "same": examples.A}
    return compare_systems(texts, **examples.SUMMARIES, metrics=["bur", "uer"], n_resamples=99)


def test_a_row_a_measure_and_system(systems: SystemComparison) -> None:
    frame = systems.to_pandas()
    assert list(frame.columns) == [
        "measure", "system", "score", "low", "high", "rank",
        "difference", "difference_low", "difference_high", "p_value", "p_value_corrected",
    ]  # fmt: skip
    assert list(zip(frame["measure"], frame["system"], strict=True)) == [
        (measure, system) for measure in ("bur", "uer") for system in ("A", "B", "same")
    ]
    of_b, found = frame.iloc[4], systems["metrics"]["uer"]
    assert [of_b["score"], of_b["low"], of_b["high"]] == [found["systems"]["B"]["score"], *found["systems"]["B"]["ci"]]
    (pair,) = (pair for pair in found["differences"] if pair["a"] == "B")
    assert pair["b"] == "A"
    assert list(of_b["difference":"p_value_corrected"]) == [
        pair["difference"], *pair["difference_ci"], pair["p_value"], pair["p_value_corrected"],
    ]  # fmt: skip
    assert frame[frame["system"] == "A"].loc[:, "difference":].isna().all(axis=None)
    assert list(frame[frame["system"] == "same"]["difference"]) == [0.0, 0.0]


def test_all_pairs_have_no_differences_in_the_rows_of_systems(examples: ModuleType) -> None:
    texts = {"A": examples.A, "B": examples.B}
    found = compare_systems(texts, **examples.SUMMARIES, metrics=["uer"], pairs=True, n_resamples=9)
    assert found.to_pandas().loc[:, "difference":].isna().all(axis=None)


def test_many_systems_are_drawn(systems: SystemComparison) -> None:
    assert [panel.title for panel in systems.plot("uer").panels] == ["UER", "UER: difference from A"]
    assert len(systems.plot().panels) == 4
    with pytest.raises(InputError, match="plot: there is no 'systems' among the results; found bur, uer"):
        systems.plot("systems")
    assert "UER: difference from A" in systems._repr_html_()


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))])
def test_many_systems_stay_what_they_are(systems: SystemComparison, again: Any) -> None:
    made = again(systems)
    assert (type(made), bits(made), made.run) == (SystemComparison, bits(systems), systems.run)
    assert made.report() == systems.report()


def test_many_systems_come_back(systems: SystemComparison, tmp_path: Path) -> None:
    systems.save(tmp_path / "a.json")
    saved = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert saved["kind"] == "compare_systems"
    assert saved["run"]["inputs"][0]["rows"] == 4
    again = read_results(tmp_path / "a.json")
    assert (type(again), bits(again)) == (SystemComparison, bits(systems))
    assert again.report() == systems.report()
    assert again.plot().svg == systems.plot().svg
    again.save(tmp_path / "b.json")
    assert json.loads((tmp_path / "b.json").read_text(encoding="utf-8")) == saved


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


def test_a_measure_asked_for_twice_is_reported_twice(examples: ModuleType) -> None:
    session = Session([Request("bur"), Request("bur", "strict", {"tau": 1.0})])
    results = session.score({"predictions": examples.A, **examples.SUMMARIES})
    report = results.report()
    assert "in memory (strict): 4 samples" in report
    assert "tau:1.0" in report
    assert "tau:0.8" in report


def test_what_the_command_prints_can_be_read(tmp_path: Path) -> None:
    printed = {
        "file": "a.jsonl",
        "metrics": {"bur": {"bur": None, "bur_ci": [None, 1.0], "n_samples": 0, "n_skipped": 1}},
    }
    path = tmp_path / "a.json"
    path.write_text(json.dumps(printed))
    again = read_results(path)
    assert again.title == "a.jsonl"
    assert math.isnan(again["bur"]["bur"])
    assert math.isnan(again["bur"]["bur_ci"][0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (None, "there is no file"),
        ("{", "is not JSON"),
        ("[]", "has no metrics"),
        ('{"metrics": {"bur": 1}}', "holds no result under 'bur'"),
        ('{"metrics": {"x": {"y": 1}}}', "no result of a measure"),
        ('{"format_version": 99, "metrics": {}}', "is of format 99"),
        ('{"format_version": 1, "nan": ["/bur/x/3"], "metrics": {"bur": {}}}', "was changed by hand"),
        ('{"format_version": 1, "nan": 3, "metrics": {"bur": {}}}', "'nan' is no list of places"),
        ('{"format_version": 1, "nan": [{}], "metrics": {"bur": {}}}', "'nan' is no list of places"),
        ('{"metrics": ' + "[" * 200_000, r"is not JSON \(nested too deeply\)"),
        ('{"baseline": "x", "metrics": {"bur": {}}}', "cannot be read as results .KeyError"),
        ('{"kind": "compare", "metrics": {"bur": {}}}', "cannot be read as results .KeyError"),
        ('{"metrics": {"y": {}}, "run": {"settings": []}}', "cannot be read as results .AttributeError"),
    ],
)
def test_what_is_no_result_is_refused_in_a_line(text: str | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_results(path)
    assert "\n" not in str(caught.value)


def test_results_are_saved_as_json_only(results: ScoreResults, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"\.json"):
        results.save(tmp_path / "a.csv")
    with pytest.raises(InputError, match="does not exist"):
        results.save(tmp_path / "none" / "a.json")


def test_without_pandas_one_line_says_so(results: ScoreResults, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(MissingDependencyError, match=r"\[pandas\]"):
        results.to_pandas()
