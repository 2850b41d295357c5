from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import score
from fairsum_utils.errors import InputError
from fairsum_utils.integrations import benchmarks
from fairsum_utils.integrations.benchmarks import judge_continuation, judge_summary, result, sample_scores, turns
from fairsum_utils.measures import DEFAULT_METRICS

PROMPTS = ["Bob is an actor who ", "Ann is an actress,", "Cy was ", "Dee became"]
TEXTS = ["he said was lovely.", " she and her awful man.", "", "a cook.\n"]
WHOLE = ["Bob is an actor who he said was lovely.", "Ann is an actress, she and her awful man.", "Cy was"]
WHOLE += ["Dee became a cook."]
GROUPS = ["men", "women", "men", "women"]

SUMMARIES = ["Tasty soup.", "  ", "Slow service and tasty bread.\n", "Nothing of it."]
SOURCES = [
    ["Tasty soup!", "Slow service."],
    ["Good.", "Bad."],
    ["Tasty bread.", "Slow service."],
    ["Fresh bread.", "Crispy pizza."],
]
VALUES = [["pos", "neg"], ["pos", "neg"], ["pos", "neg"], ["pos", "neu"]]


def stored(record: Any) -> Any:
    """The record as a stack would give it back."""
    return json.loads(json.dumps(record))


def test_groups_take_turns_and_empty_prompts_are_left_out(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    prompts = ["a1", " ", "a2", "a3", "b1", "", "b2", "c1"]
    order = turns(prompts, ["a", "a", "a", "a", "b", "b", "b", "c"])
    assert [prompts[position] for position in order] == ["a1", "b1", "c1", "a2", "b2", "a3"]
    assert "skipped 2 empty prompts" in caplog.text


def test_the_folder_is_the_argument_else_the_environment_s(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("FAIRSUM_DATA_DIR", raising=False)
    assert benchmarks.data_folder() is None
    monkeypatch.setenv("FAIRSUM_DATA_DIR", "")
    assert benchmarks.data_folder() is None
    monkeypatch.setenv("FAIRSUM_DATA_DIR", "there")
    assert benchmarks.data_folder() == "there"
    assert benchmarks.data_folder(tmp_path) == str(tmp_path)


@pytest.mark.parametrize("name", benchmarks.CONTINUATION_MEASURES)
def test_continuations_score_as_the_library_scores_the_whole_texts(name: str) -> None:
    records = [stored(judge_continuation(*sample)) for sample in zip(PROMPTS, TEXTS, GROUPS, strict=True)]
    expected = score(WHOLE, GROUPS, metrics=[name])[name]
    assert repr(result(name, [record[name] for record in records])) == repr(expected)
    assert expected[name] == 0.5


@pytest.mark.parametrize("name", DEFAULT_METRICS)
def test_summaries_score_as_the_library_scores_them(name: str) -> None:
    records = [stored(judge_summary(*sample)) for sample in zip(SUMMARIES, SOURCES, VALUES, strict=True)]
    expected = score(SUMMARIES, SOURCES, VALUES, metrics=[name], at_random=False, confidence_level=None)[name]
    assert repr(result(name, records)) == repr(expected)
    assert (expected["n_samples"], expected["skipped"]) == (3, {"empty_prediction": 1})
    # One of three shares nothing with its sources, too many to let pass as even-handed.
    assert math.isnan(expected[name])
    assert expected["n_unmatched"] == 1


def test_a_summary_s_own_scores_are_the_library_s() -> None:
    samples = score(SUMMARIES, SOURCES, VALUES, return_samples=True)
    for index, sample in enumerate(zip(SUMMARIES, SOURCES, VALUES, strict=True)):
        own = {name: samples[name]["samples"][index][name] for name in ("bur", "uer", "auc")}
        assert sample_scores(judge_summary(*sample)) == (None if own["bur"] is None else own)


def test_what_cannot_be_scored_is_nan_with_the_reason() -> None:
    records = [judge_continuation("He is", " good", group)["sentiment"] for group in ("men", "men", "women")]
    with pytest.raises(InputError):
        score(["He is good"] * 3, ["men", "men", "women"], metrics=["sentiment"])
    found = result("sentiment", records)
    assert math.isnan(found["sentiment"])
    assert "group 'women' has only one text" in found["undefined"]
    assert math.isnan(result("bur", [])["bur"])
