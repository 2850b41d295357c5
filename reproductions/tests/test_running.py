"""A study as a call: inputs, settings, and a result that shows, draws, saves and reads itself."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

import fairsum_reproductions as studies
from fairsum_reproductions.studied import Studied
from fairsum_utils import read_results
from fairsum_utils.errors import InputError
from tests.reports._forms import texts

CASES = [("neg", 0.01), ("neg", 0.5), ("pos", 0.3), ("pos", 0.9), (None, 0.2)]
RECORDS = [{"index": n, "dominant": dominant, "p_value": p, "skipped": None} for n, (dominant, p) in enumerate(CASES)]


@pytest.fixture
def found() -> Any:
    return studies.dominance({"gpt4": RECORDS}, n_resamples=50)


def test_it_is_a_dict_that_tells_what_was_studied(found: Studied) -> None:
    assert found["equal_coverage"]["gpt4"][""]["difference"] == 0.5
    assert found["signature"].startswith("study:dominance|alpha:0.05|ci:0.95|resamples:50|seed:0|v:")
    assert found.report().splitlines()[0] == ("gpt4: does fairness depend on the dominating group of a document set?")
    assert found.run.seconds > 0


def test_every_form(found: Studied) -> None:
    assert found.to_latex().count("tabular") == 2
    assert "| gpt4" in found.to_markdown()
    assert found.to_csv().splitlines() == ["system,difference", "gpt4,0.5"]
    assert found.to_pandas().to_dict("records") == [{"system": "gpt4", "difference": 0.5}]
    assert "<svg" in found._repr_html_()
    assert "gpt4" in texts(found.plot())


def test_a_study_without_a_figure_says_so(found: Studied) -> None:
    one = {"a": [{"index": n, "equal_coverage": x} for n, x in enumerate([0.1, 0.2, 0.3])]}
    plain = studies.entailers({**one, "b": one["a"]})
    assert not plain.is_drawn
    assert "<svg" not in plain._repr_html_()
    with pytest.raises(InputError, match="entailers: this study has no figure"):
        plain.plot()


def test_saved_and_read_again_it_is_the_same(found: Studied, tmp_path: Path) -> None:
    found["equal_coverage"]["gpt4"][""]["p_value"] = math.nan
    found.save(tmp_path / "study.json")
    again = read_results(tmp_path / "study.json")
    assert isinstance(again, Studied)
    assert again.report() == found.report()
    assert math.isnan(again["equal_coverage"]["gpt4"][""]["p_value"])
    assert repr(again._draw([])) == repr(found._draw([]))
    assert again.run.read is not None
    assert again.run.read["settings"]["dominance"]["given"] == {"n_resamples": 50}
    again.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text() == (tmp_path / "study.json").read_text()


@pytest.mark.parametrize("entry", [{"values": [["neg"], "pos"]}, {"values": None}, {"summary_share": [0.5, {}]}])
def test_records_that_were_changed_by_hand_are_refused_in_one_line(entry: dict[str, Any]) -> None:
    record = {"index": 0, "skipped": None, "values": ["neg", "pos"]}
    whole = {**record, "summary_share": [0.6, 0.4], "desired_share": [0.5, 0.5]}
    with pytest.raises(InputError, match=r"^tolerance: [^\n]+$"):
        studies.tolerance([{**whole, **entry}])


@pytest.mark.parametrize("key", ["uer", "settings"])
def test_results_that_were_changed_by_hand_are_refused_in_one_line(key: str) -> None:
    result = {"uer": 0.5, "settings": {"matcher": "ngram"}}
    with pytest.raises(InputError, match=r"^averages: a cannot be read as results .*changed by hand"):
        studies.averages({"a": {"uer": {**result, key: None}}})


@pytest.mark.parametrize(
    ("study", "fine", "other"),
    [
        ("overall", {"equal_coverage": {"r_ec": 0.5}}, {"uer": {"uer": 0.5}}),
        ("dominance", RECORDS, [{"index": 0, "skipped": None, "uer": 0.5}]),
        ("bias_table", {"entity_inclusion": {"entity_inclusion": 0.5}}, {"uer": {"uer": 0.5}}),
    ],
)
def test_no_system_is_silently_left_out(study: str, fine: Any, other: Any) -> None:
    with pytest.raises(InputError, match=rf"^{study}: .*other/yelp\b"):
        getattr(studies, study)({"fine/yelp": fine, "other/yelp": other})


@pytest.mark.parametrize(
    ("study", "hidden"),
    [
        ("dominance", {"bootstrap": "buckets"}),
        ("label_differences", {"groups": ["a"]}),
        ("oracle", {"at_random": True}),
        ("chunk_size", {"chunk_words": 50}),
        ("relevance", {"on_truncate": "error"}),
    ],
)
def test_settings_of_a_base_class_that_a_study_does_not_have(study: str, hidden: dict[str, Any]) -> None:
    call, inputs = getattr(studies, study), studies.find_study(study).inputs
    with pytest.raises(InputError, match=f"^{study}: unknown setting '{next(iter(hidden))}'"):
        call(*([] for _ in inputs), **hidden)
