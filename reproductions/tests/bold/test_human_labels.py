"""Labels beside those of people: consensus, kinds, and what is refused."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import pytest

import fairsum_reproductions as studies
from fairsum_reproductions.agreement import krippendorff_alpha
from fairsum_reproductions.bold.human_labels import consensus
from fairsum_utils.errors import InputError


def compared(predictions: Sequence[object], references: Sequence[object], **settings: Any) -> Any:
    rows = [{"prediction": label, "references": of} for label, of in zip(predictions, references, strict=True)]
    return studies.human_labels(rows, **settings)


def test_labels_with_an_order_as_in_table_8() -> None:
    predictions = ["male", "female", "neutral", "male"]
    references = [["male"] * 3, ["female", "female", "male"], ["neutral", "male"], ["neutral"]]
    result = compared(predictions, references, kind="ordinal", order="male, neutral,female")
    assert (result["n_samples"], result["n_skipped"], result["skipped"]) == (3, 1, {"no_majority": 1})
    # Predicted 0 2 0, true 0 2 1: ranks 1.5 3 1.5 and 1 3 2: products .5 + 1 + 0, squares 1.5 and 2.
    assert result["spearman"] == pytest.approx(1.5 / math.sqrt(3))
    assert result["accuracy"] == pytest.approx(2 / 3)
    assert set(result["by_class"]) == {"male", "neutral", "female"}
    assert result["undefined"] == {"precision": "never predicted: neutral"}
    among = [[0, 0, 0], [2, 2, 0], [1, 0], [1]]
    assert result["annotators_alpha"] == krippendorff_alpha(among, "ordinal")["alpha"]
    assert result["alpha"] == krippendorff_alpha([[0, 0], [2, 2], [0, 1]], "ordinal")["alpha"]
    assert result["signature"].startswith("study:human_labels|kind:ordinal|order:male,neutral,female|v:")


def test_consensus_needs_more_than_half() -> None:
    assert consensus(["a", "a", "b", "b"], "nominal") is None
    assert consensus(["a", "a", "b"], "ordinal") == "a"
    assert consensus([1.0, 2.0], "interval") == 1.5


def test_numbers() -> None:
    # Means 1, 2, 4, 3: products of deviations from 2.5: 2.25 + .25 + .75 + .75 = 4 of 5.
    result = compared([1, 2, 3, 4], [[0, 2], ["2"], [4.0], 3], kind="interval")
    assert result["pearson"] == pytest.approx(0.8)
    assert "accuracy" not in result
    assert "spearman" not in compared(["x"], ["x"])


def test_annotators_kappa() -> None:
    # Both agree on one of two, where one of three would by chance.
    result = compared(["x", "y"], [["x", "x"], ["y", "x"]], n_categories=3)
    assert result["annotators_kappa"] == pytest.approx((1 / 2 - 1 / 3) / (2 / 3))
    assert "annotators_kappa" not in compared(["x", "y"], [["x", "x"], ["y", "x"]])
    alone = compared(["x", "y"], ["x", "y"], n_categories=3)
    reasons = dict.fromkeys(("annotators_alpha", "annotators_kappa"), "no item has two ratings")
    assert alone["undefined"] == reasons
    assert alone["alpha"] == 1


def test_report() -> None:
    shown = compared(["male", "female", "neutral", "male"], ["male", "female", "neutral", "neutral"]).report()
    lines = [line.split() for line in shown.splitlines()]
    assert ["accuracy", "0.7500"] in lines
    # neutral: predicted once, rightly; true twice. F1 = 2 / 3.
    assert ["neutral", "1.0000", "0.5000", "0.6667", "1", "2"] in lines
    assert "annotators_alpha is undefined: no item has two ratings." in shown


@pytest.mark.parametrize(
    ("rows", "settings", "message"),
    [
        ([("x", "x")], {"kind": "ratio"}, "kind must be one of nominal, ordinal, interval, found str 'ratio'"),
        ([("x", "x")], {"kind": "interval"}, "row 1: prediction must be a finite number, found str 'x'"),
        ([("1", "x")], {"kind": "ordinal"}, "row 1: a reference must be a finite number, or give the order of the"),
        ([("x", "z")], {"kind": "ordinal", "order": "x,y"}, "row 1: a reference must be one of x, y, found str 'z'"),
        ([("x", "x")], {"order": "x"}, "order applies only to kind='ordinal'"),
        ([("x", "x")], {"kind": "ordinal", "order": ["x", "x"]}, "order must list each label once, found list"),
        ([(1, 1)], {"kind": "interval", "n_categories": 3}, "n_categories applies only to labels, found int 3"),
        ([({}, "x")], {}, "row 1: prediction must be a label, found dict"),
        ([(math.inf, 1)], {"kind": "interval"}, "row 1: prediction must be a finite number, found float inf"),
        ([(None, "x"), ("x", [""])], {}, "no row has a prediction and a reference (1 no_prediction, 1 no_reference)"),
    ],
)
def test_what_cannot_be_compared(rows: Sequence[tuple[Any, Any]], settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        compared(*zip(*rows, strict=True), **settings)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("predictions", "references", "named", "settings"),
    [
        (["POS", "NEG"], ["pos", "neg"], "predicted are NEG, POS, references are neg, pos", {}),
        ([2.0], ["1"], "predicted are 2, references are 1", {"kind": "ordinal"}),
        (["x"], ["y"], "predicted are x, references are y", {"kind": "ordinal", "order": "y,x"}),
    ],
)
def test_labels_that_have_nothing_in_common_give_a_warning(
    predictions: list[Any], references: list[Any], named: str, settings: dict[str, Any]
) -> None:
    with pytest.warns(RuntimeWarning, match=f"human_labels: no label is both predicted and a reference; {named}$"):
        assert compared(predictions, references, **settings)["accuracy"] == 0


def test_one_label_in_common_or_numbers_need_no_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert compared(["x", "y", "z"], ["y", "v", "w"])["accuracy"] == 0
        assert compared([1.5, 2.5], [1, 2], kind="interval")["pearson"] == 1
