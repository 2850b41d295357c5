"""What goes into the polarity modules: texts, and groups for all of them or for none; models, and a table of norms."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.errors import InputError

TEXTS = ["A great day.", "An awful war.", "He sat down.", "", "She won a prize."]
GROUPS = ["a", "b", "a", "b", "b"]
BOTH = {"predictions": TEXTS, "groups": GROUPS}


@pytest.fixture(params=["sentiment", "gender_polarity"])
def module(request: pytest.FixtureRequest, load: Callable[..., Any]) -> Any:
    return load(request.param)


def message(call: Callable[..., Any], **arguments: Any) -> str:
    with pytest.raises(InputError) as caught:
        call(**arguments)
    return str(caught.value)


def test_groups_or_none_whichever_way_they_come(module: Any) -> None:
    for groups in (GROUPS, None):
        expected = repr(compute(module.name, predictions=TEXTS, groups=groups, return_samples=True))
        labels = groups or [None] * len(TEXTS)
        assert repr(module.compute(predictions=TEXTS, groups=groups, return_samples=True)) == expected
        for text, group in zip(TEXTS, labels, strict=True):
            module.add(prediction=text, group=group)
        assert repr(module.compute(return_samples=True)) == expected
        module.add(predictions=TEXTS[0], groups=labels[0])
        module.add_batch(predictions=TEXTS[1:3], groups=groups and groups[1:3])
        rest = {"predictions": TEXTS[3:], "groups": groups and groups[3:]}
        assert repr(module.compute(**rest, return_samples=True)) == expected


@pytest.mark.parametrize("keep_in_memory", [False, True])
def test_groups_with_some_samples_only(keep_in_memory: bool, load: Callable[..., Any]) -> None:
    module = load("sentiment", keep_in_memory=keep_in_memory)
    module.add(prediction="A great day.", group="a")
    module.add(prediction="An awful war.")
    found = message(module.compute, predictions=["He sat down."], groups=["a"])
    assert found.startswith("sentiment: sample 1 was added without groups, others with; give groups with every sample")
    assert len(module) == 2


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"predictions": None}, "predictions must be a list with one entry a sample, found None"),
        ({"predictions": "A day."}, "predictions must be a list with one entry a sample, found str 'A day.'"),
        ({"predictions": [], "groups": []}, "predictions is an empty list; give at least one sample"),
        ({"groups": ["a"]}, "predictions has 5 samples but groups has 1; give every column one entry a sample"),
        ({"groups": "ababb"}, "groups must be a list with one entry a sample, found str 'ababb'"),
        ({"predictions": [*TEXTS[:4], None]}, "sample 4: prediction must be a string, found None; fill it in or drop"),
        ({"predictions": [*TEXTS[:4], b"A day."]}, "sample 4: prediction must be a string, found bytes b'A day.'"),
        ({"predictions": [*TEXTS[:4], "\ud800"]}, "sample 4: a text holds the lone surrogate '\\ud800'"),
        (
            {"groups": ["a", "b", "a", "b", 1.5]},
            "sample 4: the group must be a string that is not empty, whole number or boolean, found float 1.5",
        ),
        (
            {"groups": ["a", "b", "a", "b", " "]},
            "sample 4: the group must be a string that is not empty, whole number or boolean, found str ' '",
        ),
        ({"groups": ["a", "b", "a", "b", float("nan")]}, "sample 4: the group must be a string that is not empty"),
        ({"groups": ["a", "b", "a", "b", "\ud800"]}, "sample 4: a text holds the lone surrogate '\\ud800'"),
        ({"references": TEXTS}, "needs no references; give predictions and groups"),
        ({"sources": [["A day."]] * 5}, "the column sources is for bur, "),
    ],
)
@pytest.mark.parametrize("way", ["add_batch", "compute"])
def test_bad_columns(wrong: dict[str, Any], expected: str, way: str, module: Any) -> None:
    assert message(getattr(module, way), **{**BOTH, **wrong}).startswith(f"{module.name}: {expected}")
    assert len(module) == 0
    assert repr(module.compute(**BOTH)) == repr(compute(module.name, **BOTH))


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"tau": 0.8}, "tau is for bur, and only "),
        ({"threshold": 0}, "threshold must be above 0 and at most 1, found int 0"),
        # These show only when the samples are read.
        ({"empty": "error"}, "sample 3: the prediction is empty; drop it, or choose empty='skip'"),
    ],
)
def test_bad_setting_keeps_what_was_added(settings: dict[str, Any], expected: str, module: Any) -> None:
    module.add_batch(**BOTH)
    assert message(module.compute, **settings).startswith(f"{module.name}: {expected}")
    assert len(module) == 5
    assert repr(module.compute()) == repr(compute(module.name, **BOTH))


def test_a_group_needs_two_texts(module: Any) -> None:
    module.add_batch(**BOTH)
    found = message(module.compute, predictions=["A day."], groups=["c"])
    assert found.startswith(f"{module.name}: group 'c' has only one text, of which no proportion can be told")
    assert len(module) == 5
    found = message(module.compute, predictions=["", ""], groups=["c", "c"])
    assert found.startswith(f"{module.name}: group 'c' has no text (and 2 empty)")
    assert module.compute()["n_samples"] == 4


@pytest.mark.parametrize("measure", ["toxicity", "regard"])
def test_classifier(measure: str, taught: Callable[[str], Path], load: Callable[..., Any], tmp_path: Path) -> None:
    module = load(measure)
    long = {"predictions": ["He sat down. " * 60, "He sat down."] * 2, "groups": ["a", "a", "b", "b"]}
    settings = {"model": str(taught(measure)), "cache": str(tmp_path / "cache"), "device": "cpu"}
    with pytest.warns(UserWarning, match="longer than"):
        result = module.compute(**long, **settings)
    assert (result["n_truncated"], result["n_samples"]) == (2, 4)
    assert list((tmp_path / "cache").iterdir()) != []
    module.add_batch(**long)
    assert message(module.compute, **{**settings, "cache": "none", "on_truncate": "error"}).startswith(f"{measure}: ")
    found = message(module.compute, model=str(tmp_path / "nothing"))
    assert re.search(rf"^{measure}: .*nothing.*sentiment", found)
    found = message(module.compute, **settings, label_map={"nice": next(iter(result["proportions"]))})
    assert re.search(rf"^{measure}: .*has the labels .*'nice'.*label_map", found)
    assert len(module) == 4


def test_norms_need_a_table(lexicon: str, load: Callable[..., Any], tmp_path: Path) -> None:
    module = load("psycholinguistic_norms")
    module.add_batch(**BOTH)
    assert message(module.compute).startswith("psycholinguistic_norms: lexicon must be given")
    absent = str(tmp_path / "nothing.tsv")
    assert "nothing.tsv' cannot be read" in message(module.compute, lexicon=absent)
    assert repr(module.compute(lexicon=lexicon)) == repr(compute("psycholinguistic_norms", **BOTH, lexicon=lexicon))


def test_vectors_of_the_user(load: Callable[..., Any], tmp_path: Path) -> None:
    module = load("gender_polarity")
    path = tmp_path / "vectors.txt"
    path.write_text("2 2\nshe 1.0", encoding="utf-8")  # cut off
    module.add_batch(**BOTH)
    assert "vectors.txt" in message(module.compute, method="wavg", embeddings=str(path))
    found = message(module.compute, embeddings=str(path))
    assert "embeddings is for the methods wavg and max, found str " in found
    assert len(module) == 5
