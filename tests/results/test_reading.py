"""Results come back from a file as they were; what is none is refused."""

from __future__ import annotations

import json
import math
from pathlib import Path
from types import ModuleType

import pytest

from fairsum_utils import read_results, score
from fairsum_utils.errors import InputError, MissingDependencyError
from fairsum_utils.families import families
from tests._results import bits


@pytest.mark.parametrize("kind", [*families(), "comparison", "systems"])
def test_saved_results_come_back(examples: ModuleType, kind: str, tmp_path: Path) -> None:
    makers = {"comparison": examples.of_comparison, "systems": examples.of_systems}
    results = makers[kind]() if kind in makers else examples.of_family(kind, return_samples=True)
    results.save(tmp_path / "a.json")
    again = read_results(tmp_path / "a.json")
    assert bits(again) == bits(results)
    assert (type(again), list(again)) == (type(results), list(results))
    assert again.report() == results.report()
    assert repr(again._draw([*again])) == repr(results._draw([*results]))
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


def test_infinite_numbers_are_null_with_a_reason_and_infinite_again(tmp_path: Path) -> None:
    n, persons = 20, [{"first_name": "Ann", "group": "f"}, {"first_name": "Bob", "group": "m"}]
    texts, named = ["Bob won."] * n, [["Bob"]] * n
    results = score(texts, entities=[persons] * n, mentions=named, metrics=["entity_inclusion"], confidence_level=0.95)
    results.save(tmp_path / "a.json")
    written = json.loads((tmp_path / "a.json").read_text())
    assert written["metrics"]["entity_inclusion"]["entity_inclusion"] is None
    assert "infinite" in written["metrics"]["entity_inclusion"]["undefined"]
    assert written["nan"] == []
    assert written["inf"] == ["/entity_inclusion/entity_inclusion", "/entity_inclusion/entity_inclusion_ci/1"]
    assert bits(read_results(tmp_path / "a.json")) == bits(results)


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
        ('{"format_version": 1, "inf": 3, "metrics": {"bur": {}}}', "'inf' is no list of places"),
        ('{"format_version": 1, "nan": [{}], "metrics": {"bur": {}}}', "'nan' is no list of places"),
        ('{"metrics": ' + "[" * 200_000, r"is not JSON \(nested too deeply\)"),
        ('{"format_version": 3, "baseline": "x", "metrics": {"bur": {}}}', "cannot be read as results .KeyError"),
        ('{"format_version": 3, "kind": "compare", "metrics": {"bur": {}}}', "cannot be read as results .KeyError"),
        ('{"metrics": {"y": {}}, "run": {"settings": [1]}}', "cannot be read as results .TypeError"),
    ],
)
def test_other_files_are_refused_in_a_line(text: str | None, message: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    if text is not None:
        path.write_text(text)
    with pytest.raises(InputError, match=message) as caught:
        read_results(path)
    assert "\n" not in str(caught.value)


def test_a_saved_study_needs_the_papers_scripts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "study.json"
    path.write_text(json.dumps({"kind": "study", "study": "overall", "file": "a", "metrics": {"overall": {}}}))
    monkeypatch.setattr("importlib.metadata.entry_points", lambda **_: ())
    with pytest.raises(MissingDependencyError, match=r"study\.json.*pip install ./reproductions"):
        read_results(path)
