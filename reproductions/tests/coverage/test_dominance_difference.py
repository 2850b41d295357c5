"""Sets of documents that different values dominate: by hand, and against a plain loop over the same draws."""

from __future__ import annotations

import json
import math
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import fairsum_utils
from fairsum_reproductions.coverage._dominance import DominanceSettings, dominance_difference
from fairsum_utils import CoverageParity, EqualCoverage
from fairsum_utils.stats.intervals import Moments, mean_interval


def record(dominant: str | None, p_value: float = 1.0, **differences: float) -> dict[str, Any]:
    return {"dominant": dominant, "p_value": p_value, "difference_by_value": differences, "skipped": None}


def difference(samples: list[dict[str, Any]], metric: str, **settings: Any) -> dict[str, Any]:
    return dominance_difference(samples, metric, DominanceSettings(module="dominance", **settings))


def test_equal_coverage_by_hand() -> None:
    p_values = {"neg": [0.01, 0.02, 0.5, 0.9], "neu": [0.5, 0.05, 0.7], "pos": [0.04, 0.9], None: [0.001]}
    samples = [record(name, p) for name, column in p_values.items() for p in column]
    samples.append({"dominant": None, "p_value": None, "difference_by_value": None, "skipped": "no_units"})
    found = difference(samples, "equal_coverage")
    # 2/4, 0/3 (0.05 is not below 0.05), 1/2: the first of the highest against neu.
    assert found["by_dominant_value"] == {
        "neg": {"n_samples": 4, "r_ec": 0.5},
        "neu": {"n_samples": 3, "r_ec": 0.0},
        "pos": {"n_samples": 2, "r_ec": 0.5},
    }
    assert (found["difference"], found["between"], found["value"]) == (0.5, ["neg", "neu"], None)
    assert (found["n_samples"], found["n_undominated"], found["n_skipped"]) == (9, 1, 1)
    assert found["difference_ci"][0] <= 0.5 <= found["difference_ci"][1]
    assert found["lost"] == 0.0
    assert difference(samples, "equal_coverage", alpha=0.06)["by_dominant_value"]["neu"]["r_ec"] == 1 / 3


def test_coverage_parity_by_hand() -> None:
    samples = [
        record("a", a=0.5, b=-0.5),
        record("a", a=0.25, b=0.0, c=-0.25),
        record("b", a=-0.125, b=0.125),
        record("b", a=-0.25, b=0.25),
    ]
    found = difference(samples, "coverage_parity")
    # Set a: C_a = {1/2, 1/4}, C_b = {-1/2}, C_c = {-1/4};  set b: C_a = {-1/8, -1/4}, C_b = {1/8, 1/4}, C_c empty.
    # a: 3/8 + 3/16 = 9/16;  b: 3/16 + 1/2 = 11/16;  c has one set only.
    means = {name: own["mean_extreme_by_value"] for name, own in found["by_dominant_value"].items()}
    assert means["a"] == {"a": 0.375, "b": -0.5, "c": -0.25}
    assert means["b"] == pytest.approx({"a": -0.1875, "b": 0.1875, "c": math.nan}, nan_ok=True)
    assert (found["difference"], found["between"], found["value"]) == (0.6875, ["b", "a"], "b")
    # C_b of set a becomes empty when sample 1 is drawn twice; c does not matter.
    assert found["lost"] == pytest.approx(0.25, abs=0.05)


def test_agrees_with_the_results() -> None:
    generator = random.Random(6)
    values = [generator.choices("abc", k=6) for _ in range(40)]
    coverage = [[[generator.random()] for _ in range(6)] for _ in values]
    measures = [EqualCoverage(max_exact=0, n_permutations=30, alpha=0.3), CoverageParity()]
    found = fairsum_utils.score(
        values=values, coverage=coverage, metrics=measures, confidence_level=None, return_samples=True
    )
    ec = difference(found["equal_coverage"]["samples"], "equal_coverage", alpha=0.3, n_resamples=50)
    for name, own in found["equal_coverage"]["by_dominant_value"].items():
        assert ec["by_dominant_value"][name] == {"n_samples": own["n_samples"], "r_ec": own["r_ec"]}
    cp = difference(found["coverage_parity"]["samples"], "coverage_parity", n_resamples=50)
    for name, own in found["coverage_parity"]["by_dominant_value"].items():
        means = cp["by_dominant_value"][name]["mean_extreme_by_value"]
        assert means == pytest.approx(own["mean_extreme_by_value"], abs=1e-12)
    assert json.loads(json.dumps([ec, cp])) == [ec, cp]


def test_equals_a_plain_bootstrap(replicates: Callable[..., list[list[int]]]) -> None:
    generator = random.Random(8)
    sets = {name: [generator.random() for _ in range(12)] for name in "abc"}  # equally many
    samples = [record(name, p) for name, column in sets.items() for p in column]
    found = difference(samples, "equal_coverage", alpha=0.5, n_resamples=300, seed=4, confidence_level=0.8)
    rates = {name: sum(p < 0.5 for p in column) / 12 for name, column in sets.items()}
    seeds = np.random.SeedSequence(4).generate_state(3).tolist()
    drawn = {
        name: [sum(c * (p < 0.5) for c, p in zip(counts, column, strict=True)) / 12 for counts in draws]
        for (name, column), draws in zip(sets.items(), (replicates(12, 300, seed) for seed in seeds), strict=True)
    }
    assert found["difference"] == pytest.approx(max(rates.values()) - min(rates.values()), abs=1e-12)
    high, low = found["between"]
    assert (rates[high], rates[low]) == (max(rates.values()), min(rates.values()))
    # The ends of the rates make those of their difference: distances to them are squared and added.
    flags = {name: np.array([float(p < 0.5) for p in sets[name]]) for name in (high, low)}
    ends = {name: mean_interval(Moments.of(flags[name]), 0.8, (0.0, 1.0)) for name in (high, low)}
    below = math.hypot(rates[high] - ends[high][0], ends[low][1] - rates[low])
    above = math.hypot(ends[high][1] - rates[high], rates[low] - ends[low][0])
    expected = [found["difference"] - below, found["difference"] + above]
    assert found["difference_ci"] == pytest.approx(expected, abs=1e-12)
    assert list(map(type, found["difference_ci"])) == [float, float]
    assert -1 <= expected[0] < expected[1] <= 1
    pair = [one - other for one, other in zip(drawn[high], drawn[low], strict=True)]
    assert found["difference_ci"] == pytest.approx(np.quantile(pair, [0.1, 0.9]), abs=0.15)  # twelve sets each
    largest = [
        max(moved) - min(moved) for moved in ([drawn[name][i] - rates[name] for name in sets] for i in range(300))
    ]
    reached = sum(one >= found["difference"] - 1e-12 for one in largest)
    assert found["p_value"] == (1 + reached) / 301


def test_clearly_different_and_clearly_not() -> None:
    even = [record(name, p) for name in "ab" for p in [0.01, 0.9] * 20]
    found = difference(even, "equal_coverage")
    assert (found["difference"], found["p_value"], found["between"]) == (0.0, 1.0, ["a", "b"])
    # Sets of the same size have draws of their own: with shared ones every replicate would give 0.
    assert found["difference_ci"][0] < 0 < found["difference_ci"][1]
    apart = [record(name, p) for name, p in [("a", 0.01), ("b", 0.9)] * 20]
    assert difference(apart, "equal_coverage", n_resamples=99)["p_value"] == 1 / 100


@pytest.mark.parametrize("metric", ["equal_coverage", "coverage_parity"])
@pytest.mark.parametrize("names", [["a", "a"], [None, None]])
def test_nothing_to_compare(metric: str, names: list[str | None]) -> None:
    found = difference([record(name, 0.5, a=0.5, b=-0.5) for name in names], metric)
    assert math.isnan(found["difference"])
    assert found["undefined"] == "nothing to compare: needs sets dominated by different groups"


def test_refused(refusal: Callable[..., str]) -> None:
    samples = [record("a")]
    assert refusal(difference, samples, "bur").startswith(
        "dominance: metric must be one of equal_coverage, coverage_parity, found str 'bur'"
    )
    assert refusal(difference, [], "equal_coverage").startswith("dominance: samples is an empty")
    assert refusal(difference, [{"dominant": "a", "skipped": None}], "equal_coverage").startswith(
        "dominance: samples[0] has no 'p_value'"
    )
    assert refusal(difference, samples, "equal_coverage", alpha=2).startswith("dominance: alpha")
