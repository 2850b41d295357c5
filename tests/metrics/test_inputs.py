"""What goes in: every container works, every bad input is named, and an error leaves the module usable."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

from fairsum_utils import compute
from fairsum_utils.errors import InputError

GOOD = {"prediction": "Nice.", "sources": ["Tasty!", "Cold."], "values": ["pos", "neg"]}

BAD_SAMPLES = [
    ({"prediction": None}, "prediction must be a string, found None; fill it in or remove the sample"),
    ({"sources": "Tasty!"}, "sources must be a list of strings, found str 'Tasty!'; put it in a list"),
    ({"values": ["pos"]}, "sources has 2 texts but values has 1 label; give one group for each source text"),
    ({"prediction": "Go\ud800od."}, "a text contains the lone surrogate '\\ud800', which cannot be stored as UTF-8; "
     'remove it, for example with .encode("utf-8", "replace").decode("utf-8")'),
]  # fmt: skip


def batch(*samples: dict[str, Any]) -> dict[str, list[Any]]:
    return {
        "predictions": [sample["prediction"] for sample in samples],
        "sources": [sample["sources"] for sample in samples],
        "values": [sample["values"] for sample in samples],
    }


def message(call: Callable[..., Any], **arguments: Any) -> str:
    with pytest.raises(InputError) as caught:
        call(**arguments)
    return str(caught.value)


@pytest.mark.parametrize(("wrong", "expected"), BAD_SAMPLES)
def test_bad_sample_is_named_and_nothing_is_added(
    wrong: dict[str, Any], expected: str, load: Callable[..., Any]
) -> None:
    module = load("bur")
    bad = {**GOOD, **wrong}
    assert message(module.add, **bad) == f"bur: sample 0: {expected}"
    assert message(module.compute, **batch(GOOD, GOOD, bad)) == f"bur: sample 2: {expected}"
    module.add(**GOOD)
    module.add_batch(**batch(GOOD, GOOD))
    assert message(module.add, **bad) == f"bur: sample 3: {expected}"
    assert message(module.add_batch, **batch(GOOD, bad)) == f"bur: sample 4: {expected}"
    assert message(module.compute, **batch(bad)) == f"bur: sample 3: {expected}"
    assert len(module) == 3
    assert module.compute() == compute("bur", **batch(GOOD, GOOD, GOOD))


BAD_COLUMNS = [
    ({"predictions": []}, "predictions has 0 samples but sources has 1; every column needs one entry per sample"),
    # A data frame has a length, but iterating it gives its header: one column and one row could be taken for a sample.
    (
        {"predictions": pd.DataFrame({"tasty": ["awful soup"]})},
        "predictions must be a list with one entry per sample, found DataFrame",
    ),
    (
        {"references": ["Nice."]},
        "references are not used, only predictions, sources and values; to combine it with metrics that need "
        "references, use fairsum_utils.combine(['uer', ...])",
    ),
]


@pytest.mark.parametrize(("wrong", "expected"), BAD_COLUMNS)
@pytest.mark.parametrize("way", ["add_batch", "compute"])
def test_bad_columns(wrong: dict[str, Any], expected: str, way: str, load: Callable[..., Any]) -> None:
    module = load("uer")
    assert message(getattr(module, way), **{**batch(GOOD), **wrong}).startswith(f"uer: {expected}")
    assert len(module) == 0
    assert module.compute(**batch(GOOD)) == compute("uer", **batch(GOOD))


BAD_OPTIONAL = [
    ("sof", {"target_distributions": [{"pos": 1.0}]}, "sample 0: target_distributions lacks the group 'neg'"),
    (
        "sof",
        {"target_distributions": [{"pos": 1, "neg": 1, 1: 2}]},
        "sample 0: target_distributions has '1', which is not in va",
    ),
    ("equal_coverage", {"summary_units": [[3]]}, "sample 0: units[0] must be a non-blank string, found int 3"),
    ("equal_coverage", {"coverage": [[[0.5], [1.5]]]}, "sample 0: coverage[1][0] is 1.5; give a probability in [0, 1]"),
    ("omission", {"serious": [[1]]}, "sample 0: serious has 1 entries, but the sample has 2 source texts"),
    ("omission", {"serious_spans": [[[[0, 9]], []]]}, "sample 0: serious_spans[0] has [0, 9], but the text has 6 char"),
    ("misattribution", {"aliases": [{"pos": "chair"}]}, "sample 0: aliases['pos'] must be a list of names, as in"),
    (
        "sof",
        {"target_distributions": [{"pos": 1.0, "neg": 0.0}] * 2},
        "predictions has 1 sample but target_distributio",
    ),
]


@pytest.mark.parametrize(("measure", "column", "expected"), BAD_OPTIONAL)
def test_bad_optional_column_is_refused_when_it_is_added(
    measure: str, column: dict[str, Any], expected: str, load: Callable[..., Any]
) -> None:
    module = load(measure, keep_in_memory=True)
    assert message(module.add_batch, **batch(GOOD), **column).startswith(f"{measure}: {expected}")
    assert message(module.compute, **batch(GOOD), **column).startswith(f"{measure}: {expected}")
    assert len(module) == 0


def test_unknown_inputs(load: Callable[..., Any]) -> None:
    module = load("sof")
    expected = "sof: the column groups applies only to sentiment, toxicity, "
    assert message(module.add, **GOOD, groups=["a"]).startswith(expected)
    assert message(module.add_batch, **batch(GOOD), groups=[["a"]]).startswith(expected)
    assert message(module.add, **GOOD, source=["a"]).startswith("sof: unknown setting 'source'; did you mean sources?")
    assert message(module.add, **GOOD, reference="x").startswith("sof: references are not used, only predictions, ")


BAD_SETTINGS = [
    ("uer", {"tau": 0.8}, "uer: tau applies only to bur, but uer is requested; leave it out, or request bur"),
    ("bur", {"tua": 0.8}, "bur: unknown setting 'tua'; did you mean tau? The settings are tau, matcher, model,"),
    ("bur", {"tau": 1.5}, "bur: tau must be a number in [0, 1], found float 1.5"),
    # These show only when the samples are read.
    ("sof", {"target": {"pos": 1.0}}, "sof: sample 0: the group 'neg' is not in target (pos)"),
    ("sof", {"matcher": lambda texts, summary: [1.0]}, "sof: sample 0: the matcher must return 2 numbers"),
]


@pytest.mark.parametrize("keep_in_memory", [False, True])
@pytest.mark.parametrize(("measure", "settings", "expected"), BAD_SETTINGS)
def test_bad_setting_keeps_what_was_added(
    measure: str, settings: dict[str, Any], expected: str, keep_in_memory: bool, load: Callable[..., Any]
) -> None:
    module = load(measure, keep_in_memory=keep_in_memory)
    module.add(**GOOD)
    module.add_batch(**batch(GOOD))
    found = message(module.compute, **settings)
    assert expected in found
    assert found.startswith(f"{measure}: ")
    assert len(module) == 2
    module.add(**GOOD)
    assert module.compute() == compute(measure, **batch(GOOD, GOOD, GOOD))


def test_interrupted_matcher_keeps_what_was_added(load: Callable[..., Any]) -> None:
    def interrupted(texts: list[str], summary: str) -> list[float]:
        raise KeyboardInterrupt

    module = load("bur")
    module.add(**GOOD)
    with pytest.raises(KeyboardInterrupt):
        module.compute(matcher=interrupted)
    assert module.compute() == compute("bur", **batch(GOOD))
