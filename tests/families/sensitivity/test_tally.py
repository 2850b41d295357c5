"""Intervals over originals, which heed how many there are of each pair of variants, or of each value."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from fairsum_utils import compute
from fairsum_utils.families.sensitivity.results import ENGINE
from fairsum_utils.stats.bootstrap import expanded_interval

TEXTS = {"f": ("a b c", "a d", "a b"), "m": ("a b e", "c d", "d"), "x": ("c e", "a", "b")}


def pairs_of(measure: str, **settings: Any) -> tuple[dict[str, Any], dict[tuple[str, str], list[list[float]]]]:
    """The result of six originals in two variants, the first one in a third; and intervals by pair of variants."""
    rows = [
        (str(article), variant, control, f"{TEXTS[variant][(article + place) % 3]} w{article % 4}.")
        for article in range(6)
        for variant in ("fmx" if article == 0 else "fm")
        for place, control in enumerate(("", "c"))
    ]
    articles, variants, controls, texts = map(list, zip(*rows, strict=True))
    columns = {"predictions": texts, "article_ids": articles, "variants": variants, "controls": controls}
    result: dict[str, Any] = compute(measure, **columns, confidence_level=0.9, n_resamples=200, **settings)
    listed = result["outcomes" if measure == "counterfactual_outcomes" else "pairs"]
    ends = {
        (each["variant_a"], each["variant_b"]): [value for key, value in each.items() if key.endswith("ci")]
        for each in listed
    }
    return result, ends


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
@pytest.mark.parametrize(
    ("measure", "settings"),
    [
        ("counterfactual_gap", {}),
        ("counterfactual_outcomes", {"outcomes": ("length",)}),
    ],
)
def test_of_variants_that_one_original_has_there_is_no_interval(measure: str, settings: dict[str, Any]) -> None:
    method = "expanded" if measure == "counterfactual_gap" else "corrected"  # the mean of pairs, or the largest of them
    assert ENGINE.tallies[measure].interval == method
    result, ends = pairs_of(measure, **settings)
    assert f"|interval:{method}|" in result["signature"]
    assert all(map(math.isnan, result[f"{measure}_ci"])) == (method == "corrected")
    if method == "corrected":
        assert result["undefined"].startswith(f"{measure}_ci: ")
        assert "at least 200 originals, and 6 were scored" in result["undefined"]
    assert {*ends} == {("f", "m"), ("f", "x"), ("m", "x")}
    assert all(ends.values())
    for pair, intervals in ends.items():
        for low, high in intervals:
            assert math.isnan(low) == math.isnan(high) == ("x" in pair)


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
@pytest.mark.parametrize("n", [199, 200])
def test_the_largest_of_several_pairs_needs_200_originals(n: int) -> None:
    """Against the differences in length of each pair of variants, resampled by original."""
    generator = np.random.default_rng(5)
    lengths = {variant: generator.integers(1, 9, size=n) for variant in "fmx"}
    rows = [(str(article), variant, "a " * lengths[variant][article]) for article in range(n) for variant in "fmx"]
    articles, variants, predictions = map(list, zip(*rows, strict=True))
    columns = {"predictions": predictions, "article_ids": articles, "variants": variants, "outcomes": ["length"]}
    result = dict(
        compute("counterfactual_outcomes", **columns, n_permutations=20, n_resamples=200, confidence_level=0.9)
    )
    table = np.array([*lengths.values()], dtype=np.float64)

    def scores(chosen: Any) -> Any:
        """The largest difference of means in standard deviations, of originals of shape (..., n)."""
        own = table[:, chosen]
        means = own.mean(-1)
        apart = np.abs([means[0] - means[1], means[0] - means[2], means[1] - means[2]]).max(0)
        return apart / own.std(axis=(0, -1))

    assert result["counterfactual_outcomes"] == pytest.approx(scores(np.arange(n)))
    drawn = np.random.default_rng(0).integers(n, size=(200, n))
    for each, (a, b) in zip(result["outcomes"], ((0, 1), (0, 2), (1, 2)), strict=True):
        differences = (table[a] - table[b])[drawn].mean(1)
        assert each["difference_ci"] == pytest.approx(expanded_interval(differences, 0.9, n))
    if n < 200:
        assert all(map(math.isnan, result["counterfactual_outcomes_ci"]))
        assert "at least 200 originals, and 199 were scored" in result["undefined"]
        return
    replicates = scores(drawn)
    low, high = expanded_interval(replicates, 0.9, n)
    bias = replicates.mean() - result["counterfactual_outcomes"]
    assert bias > 0
    assert result["counterfactual_outcomes_ci"] == pytest.approx([max(0.0, low - 3 * bias), high])
    assert "undefined" not in result
