"""The family in the calls of the library."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairsum_utils import compute, score
from fairsum_utils.errors import InputError
from fairsum_utils.families.polarity.family import FAMILY
from fairsum_utils.inference.tasks import SequenceClassifier
from fairsum_utils.measures.toxicity import KINDS
from fairsum_utils.reports.polarity import domain_table
from fairsum_utils.session import Request, Session

TEXTS = ["He had a lovely day.", "", "She was awful.", "The war went on.", "A table.", "She is great!"]
GROUPS = ["a", "b", "b", "a", "a", "b"]
OFFLINE = ["sentiment", "gender_polarity"]
HERE = {"device": "cpu", "dtype": "float32", "cache": "none"}


def test_one_call_for_several_measures_is_one_call_for_each(lexicon: Path) -> None:
    settings = {
        "sentiment": {"threshold": 0.6},
        "psycholinguistic_norms": {"lexicon": lexicon},
    }
    names = ["sentiment", "gender_polarity", "psycholinguistic_norms"]
    together = score(TEXTS, GROUPS, metrics=names, return_samples=True, **settings)
    assert list(together) == names
    for name, result in together.items():
        own = settings.get(name, {})
        alone = compute(name, predictions=TEXTS, groups=GROUPS, return_samples=True, **own)
        assert repr(result) == repr(alone)  # NaN included
        assert repr(json.loads(json.dumps(result))) == repr(result)
        assert (result["n_samples"], result["n_skipped"], result["skipped"]) == (5, 1, {"empty_prediction": 1})
        assert [(record["index"], record["group"]) for record in result["samples"]] == list(enumerate(GROUPS))


def test_worked_example() -> None:
    result = compute("gender_polarity", predictions=TEXTS, groups=GROUPS)
    # Of group a one of three texts says "he"; both texts of group b that are not empty say "she".
    assert result["counts_by_group"] == {
        "a": {"male": 1, "female": 0, "neutral": 2},
        "b": {"male": 0, "female": 2, "neutral": 0},
    }
    assert result["gender_polarity"] == 1.0
    assert result["n_unknown"] == 2
    assert domain_table(result)[1]["male_minus_female"] == -1.0


def test_without_groups() -> None:
    result = compute("sentiment", predictions=TEXTS)
    assert result["undefined"] == "no groups given"
    assert result["proportions"] == {"positive": 2 / 5, "negative": 1 / 5, "neutral": 2 / 5}
    assert result["proportions_by_group"] == {}


def test_two_measures_need_no_model_and_no_file() -> None:
    assert list(score(TEXTS, GROUPS, metrics=OFFLINE)) == OFFLINE
    settings = {name: FAMILY.settings(name)() for name in FAMILY.measures}
    models = [name for name in settings if FAMILY.uses_model((name,), settings[name], ("predictions",))]
    assert models == ["toxicity", "regard"]


def test_columns_of_any_kind_are_left_as_they_are() -> None:
    expected = score(TEXTS, GROUPS, metrics=OFFLINE)
    texts, groups = np.array(TEXTS), np.array(GROUPS)
    assert score(texts, groups, metrics=OFFLINE) == score(tuple(TEXTS), tuple(GROUPS), metrics=OFFLINE) == expected
    assert (texts.tolist(), groups.tolist()) == (TEXTS, GROUPS)


def test_groups_are_checked_before_a_model_runs(tiny_model: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("a model ran in vain")

    monkeypatch.setattr(SequenceClassifier, "run", never)
    options = {"model": tiny_model("classifier", labels=KINDS), **HERE}
    with pytest.raises(InputError, match="toxicity: group 'c' has only one text"):
        compute("toxicity", predictions=["x"] * 3, groups=["a", "a", "c"], **options)
    with pytest.raises(InputError, match="toxicity: sample 9999: prediction must be a string, found None"):
        compute("toxicity", predictions=["x"] * 9999 + [None], **options)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"predictions": [], "groups": None}, "sentiment: predictions is an empty list; give at least one sample"),
        ({"predictions": "text"}, "sentiment: predictions must be a list with one entry a sample, found str 'text'"),
        ({"groups": ["a"]}, "sentiment: predictions has 6 samples but groups has 1"),
        ({"groups": "aabbab"}, "sentiment: groups must be a list with one entry a sample, found str"),
        (
            {"groups": ["a", "b", "b", "a", "a", None]},
            "sentiment: sample 5: the group must be a string",
        ),
        (
            {"groups": [*GROUPS[:5], ""]},
            "sentiment: sample 5: the group must be a string that is not empty",
        ),
        (
            {"groups": [*GROUPS[:5], "c"]},
            "sentiment: group 'b' has only one text (and 1 empty), of which",
        ),
        ({"empty": "error"}, "sentiment: sample 1: the prediction is empty; drop it"),
        (
            {"treshold": 0.5},
            "sentiment: unknown setting 'treshold'; did you mean threshold? The settings are threshold",
        ),
        ({"model": "x"}, "sentiment: model is for "),
        ({"module": "x"}, "sentiment: unknown setting 'module'"),
    ],
)
def test_refusals_name_their_measure(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        compute("sentiment", **{"predictions": TEXTS, "groups": GROUPS, **arguments})
    assert str(error.value).startswith(message)


def test_a_group_may_come_in_pieces() -> None:
    expected = score(TEXTS, GROUPS, metrics=OFFLINE)
    with Session([Request(name) for name in OFFLINE]) as session:
        for place, (text, group) in enumerate(zip(TEXTS, GROUPS, strict=True)):
            session.add({"predictions": [text], "groups": [group]}, start=place)
        assert session.results() == expected
    with Session([Request("sentiment")]) as session:
        session.add({"predictions": ["x"], "groups": ["a"]})
        with pytest.raises(InputError, match="sentiment: group 'a' has only one text"):
            session.results()
