"""What goes into the coverage modules: matrices, units and functions of the caller, and columns left out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from fairsum_utils import compute
from fairsum_utils.errors import InputError

NAMES = ("equal_coverage", "coverage_parity")
VALUES = [["a", "b"], ["a", "a", "b"]]
MATRICES = [[[1.0, 0.5], [0.25, 0.25]], [[0.5], [0.25], [0.0]]]
TEXTS = {"predictions": ["Tasty.", "Soup."], "sources": [["Tasty soup.", "Bread."], ["Soup!", "Bread.", "Price."]]}
GIVEN = {"coverage": MATRICES, "return_samples": True}


@pytest.fixture(params=NAMES)
def module(request: pytest.FixtureRequest, load: Callable[..., Any]) -> Any:
    return load(request.param)


def message(call: Callable[..., Any], **arguments: Any) -> str:
    with pytest.raises(InputError) as caught:
        call(**arguments)
    return str(caught.value)


def test_values_and_matrices_are_enough_whichever_way_they_come(module: Any) -> None:
    expected = repr(compute(module.name, values=VALUES, **GIVEN))
    assert repr(module.compute(values=VALUES, **GIVEN)) == expected
    module.add(values=VALUES[0])
    module.add_batch(values=VALUES[1:])
    assert repr(module.compute(**GIVEN)) == expected
    module.add(values=VALUES[0])
    assert repr(module.compute(values=VALUES[1:], **GIVEN)) == expected
    assert repr(module.compute(values=VALUES, **TEXTS, **GIVEN)) == expected
    assert repr(module.compute(values=VALUES, sources=TEXTS["sources"], **GIVEN)) == expected
    # a: (1 + 0.5) / 2 = 0.75, b: 0.25, all: 0.5. Then a: (0.5 + 0.25) / 2 = 0.375, b: 0, all: 0.25.
    samples = module.compute(values=VALUES, **GIVEN)["samples"]
    assert [sample["difference_by_value"] for sample in samples] == [{"a": 0.25, "b": -0.25}, {"a": 0.125, "b": -0.25}]


def test_values_alone_need_matrices(module: Any) -> None:
    expected = f"{module.name}: missing: predictions, which {module.name} needs; sources, which {module.name} needs. "
    assert message(module.compute, values=VALUES).startswith(expected)
    module.add(values=VALUES[0])
    assert message(module.compute, entailer="lexical").startswith(expected)
    assert len(module) == 1
    assert module.compute(coverage=MATRICES[:1])["n_samples"] == 1


@pytest.mark.parametrize("keep_in_memory", [False, True])
@pytest.mark.parametrize("measure", NAMES)
def test_texts_with_some_samples_only(measure: str, keep_in_memory: bool, load: Callable[..., Any]) -> None:
    module = load(measure, keep_in_memory=keep_in_memory)
    module.add(prediction="Tasty.", sources=["Tasty soup.", "Bread."], values=VALUES[0])
    module.add(values=VALUES[1])
    found = message(module.compute, coverage=MATRICES)
    assert found.startswith(f"{measure}: sample 1 was added without predictions, others with; give predictions with")
    assert len(module) == 2


@pytest.mark.parametrize(
    ("wrong", "expected"),
    [
        ({"values": None}, "values must be a list with one entry a sample, found None"),
        ({"values": ["ab", "c"]}, "sample 0: values must be a list of strings, found str 'ab'; put it in a list"),
        (
            {"values": [["a", 1.5], ["a"]]},
            "sample 0: values[1] must be a string, whole number or boolean, found float 1.5",
        ),
        ({"values": [["a", "b"], None]}, "sample 1: values must be a list of strings, found None"),
        ({"values": [["a", "\ud800"]]}, "sample 0: a text holds the lone surrogate"),
        ({"values": VALUES, "predictions": ["a"]}, "predictions has 1 sample but values has 2"),
        ({"values": VALUES, "predictions": ["a", None]}, "sample 1: prediction must be a string, found None"),
        ({"values": VALUES, "sources": [["a", "b"], ["a"]]}, "sample 1: sources has 1 text but values has 3 labels"),
    ],
)
def test_bad_columns(wrong: dict[str, Any], expected: str, module: Any) -> None:
    if wrong["values"] is None:
        wrong = {**wrong, "predictions": ["Tasty."]}
    assert message(module.compute, **wrong, coverage=MATRICES).startswith(f"{module.name}: {expected}")
    assert len(module) == 0


BAD_SETTINGS = [
    ({"matcher": "ngram"}, "matcher is for bur, "),
    # These show only when the samples are read.
    ({"summary_units": [["Tasty."], []]}, "sample 1: units is an empty list"),
    ({"summary_units": [["Tasty."]]}, "predictions has 2 samples but summary_units has 1"),
    ({"coverage": MATRICES[::-1]}, "sample 0: coverage has 3 rows and 1 columns, but the sample has 2 documents"),
    ({"entailer": lambda premises, hypotheses: [0.5]}, "the entailer callable("),
]


@pytest.mark.parametrize(("settings", "expected"), BAD_SETTINGS)
def test_bad_setting_keeps_what_was_added(settings: dict[str, Any], expected: str, module: Any) -> None:
    columns = {**TEXTS, "values": VALUES}
    module.add_batch(**columns)
    assert message(module.compute, **{"entailer": "lexical", **settings}).startswith(f"{module.name}: {expected}")
    assert len(module) == 2
    assert repr(module.compute(entailer="lexical")) == repr(compute(module.name, **columns, entailer="lexical"))


def test_a_function_judges_and_another_splits(module: Any) -> None:
    def first_letters(premises: list[str], hypotheses: list[str]) -> list[float]:
        return [float(premise[0] == unit[0]) for premise, unit in zip(premises, hypotheses, strict=True)]

    result = module.compute(
        predictions=["A;B"],
        sources=[["Also.", "Better.", "Cheap."]],
        values=[["x", "y", "y"]],
        entailer=first_letters,
        splitter=lambda summary: summary.split(";"),
        return_samples=True,
    )
    sample = result["samples"][0]
    assert sample["units"] == ["A", "B"]
    assert [best["document"] for best in sample["evidence"]] == [0, 1]
    # Documents cover 1/2, 1/2 and 0 of the units: x 1/2, y 1/4, all 1/3.
    assert sample["coverage_by_value"] == pytest.approx({"x": 1 / 2, "y": 1 / 4})
