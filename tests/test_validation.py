"""Every bad input with its message."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import numpy as np
import pytest

from fairsum_utils._util.installation import install_command
from fairsum_utils.errors import InputError, MissingDependencyError, require
from fairsum_utils.validation import (
    NoLabel,
    as_label,
    check_choice,
    check_columns,
    check_count,
    check_distribution,
    check_fraction,
    check_group,
    check_sample,
    check_seed,
    describe,
    is_unlabelled,
    labels_of,
)

NAN, HUGE = float("nan"), 10**400


@pytest.mark.parametrize(
    ("item", "words"),
    [
        (None, "None"),
        (NAN, "NaN"),
        (np.nan, "NaN"),
        (3, "int 3"),
        ("x", "str 'x'"),
        (b"ok", "bytes b'ok'"),
        (["a"], "list ['a']"),
        ("y" * 100, f"str '{'y' * 56}..."),
    ],
)
def test_describe(item: object, words: str) -> None:
    assert describe(item) == words


@pytest.mark.parametrize(
    ("prediction", "sources", "values", "message"),
    [
        (None, ["a"], ["v"], "prediction must be a string, found None; fill it in or remove the sample"),
        (NAN, ["a"], ["v"], "prediction must be a string, found NaN; fill it in or remove the sample"),
        (7, ["a"], ["v"], "prediction must be a string, found int 7; convert it to a string,"),
        (b"s", ["a"], ["v"], "prediction must be a string, found bytes b's'; decode it,"),
        ("s", "a", ["v"], "sources must be a list of strings, found str 'a'; put it in a list"),
        ("s", None, ["v"], "sources must be a list of strings, found None; give a list of strings"),
        ("s", {"a"}, ["v"], "sources must be a list of strings, found set {'a'}"),
        ("s", [], [], "sources is an empty list; give at least one source text"),
        ("s", ["a", None], ["v", "w"], "sources[1] must be a string, found None"),
        ("s", [b"a"], ["v"], "sources[0] must be a string, found bytes b'a'; decode it,"),
        ("s", ["a"], "v", "values must be a list of strings, found str 'v'; put it in a list"),
        ("s", ["a"], [None], "values[0] is None; name the group, or choose unlabelled='drop'"),
        ("s", ["a"], [1.5], "values[0] must be a string, whole number or boolean, found float 1.5; convert it to"),
        ("s", ["a", "b"], ["v"], "sources has 2 texts but values has 1 label; give one group for each source"),
        ("s", ["a"], ["v", "w"], "sources has 1 text but values has 2 labels; give one group for each source"),
        (10**400, ["a"], ["b"], "convert it to a string"),
        ("s", "['a', 'b']", ["v"], "this looks like a list from a CSV file: use the command"),
    ],
)
def test_bad_samples(prediction: Any, sources: Any, values: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        check_sample("uer", 12, prediction, sources, values)
    assert str(error.value).startswith("uer: sample 12: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"predictions": ["a"], "sources": [["a"], ["b"]]}, "predictions has 1 sample but sources has 2; every column"),
        ({"predictions": ["a"] * 3, "sources": [["a"]]}, "predictions has 3 samples but sources has 1"),
        ({"predictions": []}, "predictions is an empty list; give at least one sample"),
        ({"predictions": "a"}, "predictions must be a list with one entry per sample, found str 'a'"),
        ({"predictions": None}, "predictions must be a list with one entry per sample, found None"),
        ({"predictions": iter("a")}, "predictions must be a list with one entry per sample, found str_"),
        *(
            ({"predictions": unordered}, "must be a list with one entry per sample")
            for unordered in ({"a": 1}, {"a"}, {"a": 1}.keys(), np.array("a"))
        ),
    ],
)
def test_bad_columns(columns: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        check_columns("bur", **columns)
    assert str(error.value).startswith("bur: ")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("check", "expected", "wrong"),
    [
        (
            partial(check_fraction, "bur", "it"),
            "a number in [0, 1]",
            [-0.1, 1.1, NAN, math.inf, True, None, "0.8", 1j, HUGE],
        ),
        (partial(check_count, "bur", "it"), "a whole number of at least 1", [0, -1, 1.5, 2.0, True, None, "1", NAN]),
        (partial(check_seed, "bur"), "a whole number of at least 0", [-1, 0.5, True, "0", NAN]),
        (
            partial(check_choice, "bur", "it", choices=("skip", "error")),
            "one of skip, error",
            ["none", "", None, ["skip"]],
        ),
    ],
)
def test_bad_values_of_settings(check: Callable[[Any], Any], expected: str, wrong: list[Any]) -> None:
    for item in wrong:
        with pytest.raises(InputError) as error:
            check(item)
        name = "seed" if expected.endswith("least 0") else "it"
        assert str(error.value) == f"bur: {name} must be {expected}, found {describe(item)}"


def test_a_typo_gets_a_suggestion() -> None:
    with pytest.raises(InputError, match=r"found str 'SKIP'; did you mean skip\?$"):
        check_choice("bur", "it", "SKIP", ("skip", "error"))


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ({}, "must be a non-empty mapping from group to share, found dict {}"),
        ([0.5, 0.5], "must be a non-empty mapping from group to share, found list [0.5, 0.5]"),
        ({1.5: 0.5}, "groups must be a string, whole number or boolean, found float 1.5; use str()"),
        ({1: 0.5, "1": 0.5}, "'1' appears twice, as a string and as another type; keep one"),
        ({"a": -0.1}, "the share of 'a' must be a finite number of at least 0, found float -0.1"),
        ({"a": NAN}, "the share of 'a' must be a finite number of at least 0, found NaN"),
        ({"a": True}, "the share of 'a' must be a finite number of at least 0, found bool True"),
        ({"a": 10**400}, "the share of 'a' must be a finite number of at least 0, found int 1000"),
    ],
)
def test_bad_distributions(shares: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        check_distribution("bur: target", shares)
    assert str(error.value).startswith("bur: target")
    assert message in str(error.value)


def test_a_missing_package_is_named_with_its_command() -> None:
    with pytest.raises(MissingDependencyError) as error:
        require("no_such_package_here", extra="llm", purpose="ask a model")
    assert "no_such_package_here is needed to ask a model" in str(error.value)
    assert install_command("llm") in str(error.value)


@pytest.mark.parametrize(
    ("item", "label"),
    [
        ("pos\r\n", "pos"),
        (np.str_("\tAnna Lee\u00a0"), "Anna Lee"),
        ("5.0", "5.0"),
        ("Nan", "Nan"),
        (0, "0"),
        (np.int64(-3), "-3"),
        (True, "True"),
        (np.bool_(False), "False"),
        (np.float64(-3), "-3"),
        (np.float32(5), "5"),
        *((nothing, None) for nothing in ("", " \n", "NaN ", "<NA>", NAN, None)),
        *((wrong, None) for wrong in (1.5, 1e300, b"pos", ("pos",))),
        pytest.param(10**5000, None, id="huge"),
        pytest.param(Fraction(10**400, 3), None, id="fraction"),
    ],
)
def test_labels(item: Any, label: str | None) -> None:
    assert as_label(item) == label
    assert type(as_label(item)) in (str, type(None))
    assert is_unlabelled(item) == (label is None and (item is None or isinstance(item, str) or item != item))
    sample = ("bur", 3, "s", ["a"], [item])
    if label is None:
        problem = "is (None|NaN|empty|str)" if is_unlabelled(item) else "must be a string, whole number or boolean"
        with pytest.raises(InputError, match=rf"bur: sample 3: values\[0\] {problem}"):
            check_sample(*sample)
        with pytest.raises(InputError, match="the group must be a non-empty string, whole number or boolean"):
            check_group("x", "group", item)
    else:
        assert check_sample(*sample) == labels_of([item]) == [label]


def test_labels_in_tensors() -> None:
    torch = pytest.importorskip("torch")
    assert as_label(torch.tensor(3)) == as_label(torch.tensor(3.0)) == as_label(torch.tensor([3, 4])[0]) == "3"
    assert as_label(torch.tensor(True)) == "True"
    assert as_label(torch.tensor(1.5)) is None
    assert is_unlabelled(torch.tensor(float("nan")))
    assert check_sample("bur", 0, "s", ["a", "b"], torch.tensor([0.0, 1.0])) == ["0", "1"]
    assert check_sample("bur", 0, "s", ["a", "b"], np.array([0.0, 1.0])) == ["0", "1"]


def test_a_label_that_knows_its_row_names_it() -> None:
    with pytest.raises(InputError, match=r"^bur: sample 0: reviews.csv, row 7: 'who' is empty; name the group, or "):
        check_sample("bur", 0, "s", ["a", "b"], ["x", NoLabel("reviews.csv, row 7: 'who'")])
