from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import BUR, check, combine, compute, score
from fairsum_utils.errors import InputError
from fairsum_utils.results import CombinedResults
from tests._gate import entries, scored, uer
from tests._results import FAMILIES, LEVEL, SUMMARIES, A, of_comparison, of_family, of_systems


def refusal(results: Any) -> str:
    with pytest.raises(InputError) as raised:
        check(results, "warnings == 0")
    message = str(raised.value)
    assert len(message.splitlines()) == 1
    return message


RULES: dict[Any, list[str]] = {
    of_family: ["uer < 0.1", "bur.ci_high < 0.9", "warnings == 1", "n_samples == 4", "uer.by_value.pos < 1"],
    of_comparison: ["uer.difference < 0", "bur.difference_ci_high < 0.9", "warnings == 1"],
    of_systems: ["uer.lead < 0.1", "bur.last.difference_ci_high < 0.9", "uer.last.lead > 0", "warnings == 1"],
}


@pytest.mark.parametrize("of", RULES)
def test_in_memory_in_a_file_or_as_its_document(of: Any, tmp_path: Path) -> None:
    results, rules = of("representation") if of is of_family else of(), RULES[of]
    path = tmp_path / "results.json"
    results.save(path)
    document = json.loads(path.read_text(encoding="utf-8"))
    expected = check(results, rules).verdicts
    for form in (path, str(path), document, pickle.loads(pickle.dumps(results)), [results]):
        assert check(form, rules).verdicts == expected


@pytest.mark.parametrize("family", FAMILIES)
def test_every_measure_has_a_score_and_ends(family: str) -> None:
    results = of_family(family)
    for label in results:
        checked = check(results, [f"{label} <= 1", f"{label}.ci_high <= 1", f"{label}.n_samples > 0"])
        assert checked.verdicts[0].found == results[label][label]
        if f"{label}_ci" in results[label]:
            end = results[label][f"{label}_ci"][1]
            assert checked.verdicts[1].found == pytest.approx(end, rel=1e-15, nan_ok=True)
            if math.isnan(end):
                assert checked.verdicts[1].outcome == "undecided"
                assert results[label]["undefined"] in checked.verdicts[1].reason


def test_one_measure_and_plain_dicts() -> None:
    result = compute("uer", predictions=A, **SUMMARIES, **LEVEL)
    expected = check(score(A, **SUMMARIES, **LEVEL), "uer.ci_high < 1").verdicts
    for form in (result, dict(result), {"uer": dict(result)}, {"metrics": {"uer": dict(result)}}):
        assert check(form, "uer.ci_high < 1").verdicts == expected


def test_labels_and_other_modules_of_a_combination(tmp_path: Path) -> None:
    strict = combine({"bur@0.9": BUR(tau=0.9), "bur": "bur"})
    results = strict.compute(predictions=A, **SUMMARIES)
    rouge = {"rouge": {"rouge1": 0.4, "rougeL": math.nan}}
    with_rouge = CombinedResults(results.measures, rouge, ["bur@0.9", "rouge", "bur"])
    with_rouge.save(tmp_path / "both.json")
    for form in (with_rouge, tmp_path / "both.json"):
        checked = check(form, ['"bur@0.9".n_samples == 4', "rouge.rouge1 >= 0.4", "rouge.rougeL < 1", "n_samples == 4"])
        assert [verdict.outcome for verdict in checked.verdicts] == ["pass", "pass", "undecided", "pass"]


def test_several_results_with_other_labels(tmp_path: Path) -> None:
    scored(bur=entries("bur", 0.3, n=50)).save(tmp_path / "bur.json")
    checked = check([uer(0.1), tmp_path / "bur.json"], ["bur == 0.3", "n_samples == 50"])
    assert checked.passed
    assert checked.title == f"the results, {tmp_path / 'bur.json'}"
    assert "'uer' is in two of the results" in refusal([uer(0.1), uer(0.2)])
    scored(bur=entries("bur", 0.3)).save(tmp_path / "other.json")
    both = [tmp_path / "bur.json", tmp_path / "other.json"]
    assert f"'bur' is in {both[0]} and {both[1]}; check them separately" in refusal(both)


@pytest.mark.parametrize(
    ("results", "said"),
    [
        (None, "the results must be results, or the path of a file with them, found None"),
        (0.5, "found float 0.5"),
        ([], "results are an empty list"),
        ({}, "is no result of a measure"),
        ({"x": {"y": 1}}, "'x' is no result of a measure"),
        ({"metrics": {"uer": 3}}, "holds no result under 'uer'"),
        ({"metrics": {"uer": {"uer": 1, "warnings": [3]}}}, "cannot be read as results (TypeError"),
        ({"metrics": {"uer": {}}, "baseline": None}, "is a comparison by an earlier version"),
        ("no-such-file.json", "there is no file no-such-file.json"),
    ],
)
def test_what_are_no_results(results: Any, said: str) -> None:
    assert said in refusal(results)


def test_what_has_no_scores_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text('{"metrics": {}}')
    with pytest.raises(InputError, match="has no scores; use a file from fairsum score or fairsum compare"):
        check(path, "warnings == 0")
