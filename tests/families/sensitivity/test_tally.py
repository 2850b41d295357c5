"""Relabelling of inputs, and intervals over originals, which heed their number for each pair of variants."""

from __future__ import annotations

import math
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from fairsum_utils import compute
from fairsum_utils.families.sensitivity import relabelling
from fairsum_utils.families.sensitivity.counterfactual_gap import gaps_of
from fairsum_utils.families.sensitivity.relabelling import GRAIN, Relabelled, partitions
from fairsum_utils.stats.bootstrap import expanded_interval

TEXTS = {"f": ("a b c", "a d", "a b"), "m": ("a b e", "c d", "d"), "x": ("c e", "a", "b")}


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
@pytest.mark.parametrize(
    ("measure", "entries", "settings"),
    [("counterfactual_gap", "pairs", {}), ("counterfactual_outcomes", "outcomes", {"outcomes": ("length",)})],
)
def test_of_variants_that_one_original_has_there_is_no_interval(
    measure: str, entries: str, settings: dict[str, Any]
) -> None:
    """Six originals in two variants, the first one in a third."""
    rows = [
        (str(article), variant, control, f"{TEXTS[variant][(article + place) % 3]} w{article % 4}.")
        for article in range(6)
        for variant in ("fmx" if article == 0 else "fm")
        for place, control in enumerate(("", "c"))
    ]
    names = ("article_ids", "variants", "controls", "predictions")
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    result: dict[str, Any] = compute(measure, **columns, confidence_level=0.9, n_resamples=200, **settings)
    if measure == "counterfactual_gap":  # the mean of pairs
        assert "|interval:expanded|" in result["signature"]
        assert all(map(math.isfinite, result[f"{measure}_ci"]))
    else:  # the largest of them
        assert "|interval:corrected|" in result["signature"]
        assert "at least 200 originals, and 6 were scored" in result["undefined"]
    assert [(each["variant_a"], each["variant_b"]) for each in result[entries]] == [("f", "m"), ("f", "x"), ("m", "x")]
    for each in result[entries]:
        ends = [end for key, interval in each.items() if key.endswith("ci") for end in interval]
        assert ends
        assert all(math.isnan(end) == (each["variant_b"] == "x") for end in ends)


@pytest.mark.filterwarnings("ignore::fairsum_utils.errors.ScoreWarning")
def test_the_largest_of_several_pairs_needs_200_originals() -> None:
    """Against the differences in length of each pair of variants, resampled by original."""
    n = 200
    generator = np.random.default_rng(5)
    lengths = {variant: generator.integers(1, most, size=n) for variant, most in (("f", 8), ("m", 8), ("x", 10))}
    rows = [(str(article), variant, "a " * lengths[variant][article]) for article in range(n) for variant in "fmx"]
    articles, variants, predictions = map(list, zip(*rows, strict=True))
    columns = {"predictions": predictions, "article_ids": articles, "variants": variants, "outcomes": ["length"]}
    result = dict(
        compute("counterfactual_outcomes", **columns, n_permutations=20, n_resamples=200, confidence_level=0.9)
    )
    table = np.array([*lengths.values()], dtype=np.float64)
    own = table[:, np.random.default_rng(0).integers(n, size=(200, n))]
    differences = np.array([(own[a] - own[b]).mean(-1) for a, b in ((0, 1), (0, 2), (1, 2))])
    for each, drawn in zip(result["outcomes"], differences, strict=True):
        assert each["difference_ci"] == pytest.approx(expanded_interval(drawn, 0.9, n))
    replicates = np.abs(differences).max(0) / own.std(axis=(0, -1))
    low, high = expanded_interval(replicates, 0.9, n)
    bias = replicates.mean() - result["counterfactual_outcomes"]
    assert bias > 0
    assert result["counterfactual_outcomes_ci"] == pytest.approx([low - 3 * bias, high])
    assert "undefined" not in result


@pytest.mark.parametrize(
    ("counts", "n"),
    # C(4, 2) ways, of which two each pair the same inputs; C(6, 3) / 2; 6! / (2! 2! 2!) / 3!; C(5, 2), all different;
    # 501 ways of 125,250 pairs each, and 12! / (4!)**3 = 34,650 are too many to be listed.
    [((2, 2), 3), ((3, 3), 10), ((2, 2, 2), 15), ((2, 3), 10), ((1, 1, 2), 6), ((1, 500), None), ((4, 4, 4), None)],
)
def test_how_many_ways_there_are(counts: tuple[int, ...], n: int | None) -> None:
    ways = partitions(counts)
    assert (None if ways is None else len(ways)) == n
    for labels in () if ways is None else ways.tolist():
        assert tuple(map(labels.count, range(len(counts)))) == counts


def test_ways_are_drawn_evenly_and_in_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three pairings of two and two inputs, each with a gap of its own; and the six orders of three summaries."""
    pairs = np.array([0.1, 0.3, 0.4, 0.7, 0.2, 0.9])
    relabelled = Relabelled("partitions", "a", [("gap",)], (2, 2), lambda labels: gaps_of(pairs, (2, 2), labels))
    gaps = sorted(relabelled.listed()[:, 0].tolist())
    for most in (3, 2):  # of more ways, orders are drawn
        monkeypatch.setattr(relabelling, "MOST_LISTED", most)
        drawn = relabelled.drawn(6_000, np.random.default_rng(0))
        found, counts = np.unique(drawn.round(9), return_counts=True)
        assert found == pytest.approx(gaps)
        assert counts == pytest.approx(2_000, abs=5 * math.sqrt(6_000 * 2 / 9))
        with monkeypatch.context() as patch:
            patch.setattr(relabelling, "TOGETHER", 20)
            assert (relabelled.drawn(6_000, np.random.default_rng(0)) == drawn).all()
    orders = Relabelled("orders", "a", [("gap",)], (1, 1, 1), lambda labels: labels)
    assert sorted((orders.listed() / GRAIN).tolist()) == list(map(list, permutations(range(3))))
    _, counts = np.unique(orders.drawn(6_000, np.random.default_rng(0)), axis=0, return_counts=True)
    assert counts == pytest.approx(1_000, abs=5 * math.sqrt(6_000 * 5 / 36))
