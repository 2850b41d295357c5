"""Coverage of intervals and rejection rates of p-values, exact or simulated."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from fairsum_utils.stats.bootstrap import bootstrap_sums, expanded_interval, paired_p_value, percentile_interval
from fairsum_utils.stats.intervals import Moments, mean_interval, share_interval

from ..conftest import takes_long

pytestmark = takes_long


@pytest.mark.parametrize("p", [0.02, 0.05, 0.2, 0.3, 0.5, 0.95])
@pytest.mark.parametrize("n", [20, 30, 50, 100, 200])
def test_shares_exactly(n: int, p: float) -> None:
    counts = np.arange(n + 1)
    chances = binom.pmf(counts, n, p)
    ends = np.array([share_interval(int(count), n) for count in counts])
    assert chances[(ends[:, 0] <= p) & (p <= ends[:, 1])].sum() >= 0.93
    if n >= 50 and n * min(p, 1 - p) >= 1:
        ideal = (binom.ppf(0.975, n, p) - binom.ppf(0.025, n, p)) / n
        assert chances @ (ends[:, 1] - ends[:, 0]) <= 1.5 * ideal


@pytest.mark.parametrize("n", [20, 50])
@pytest.mark.parametrize(("shape", "truth"), [("uniform", 0.5), ("near 0", 1 / 11), ("mostly 0", 0.04)])
def test_means(shape: str, truth: float, n: int) -> None:
    generator, trials, held = np.random.default_rng(n), 600, 0
    for _ in range(trials):
        scores = generator.random(n) if shape == "uniform" else generator.beta(0.5, 5, n)
        if shape == "mostly 0":
            scores = np.where(generator.random(n) < 0.2, generator.beta(1, 4, n), 0)
        low, high = mean_interval(Moments.of(scores), 0.95, (0.0, 1.0))
        held += low <= truth <= high
    assert held / trials >= 0.93 - 0.01  # one standard error


def test_percentiles_of_many_and_expanded_ones_of_few() -> None:
    generator, trials = np.random.default_rng(3), 1_000
    held = {"many": 0, "few": 0, "few, expanded": 0}
    for trial in range(trials):
        few, many = (
            bootstrap_sums(generator.normal(2.0, size=(n, 1)), n_resamples=400, seed=trial)[:, 0] / n for n in (8, 50)
        )
        intervals = (percentile_interval(many, 0.9), percentile_interval(few, 0.9), expanded_interval(few, 0.9, 8))
        for kind, (low, high) in zip(held, intervals, strict=True):
            held[kind] += low <= 2.0 <= high
    # The standard error of 1,000 trials is 0.01. Percentiles hold what z sqrt(7 / 8) reaches of Student's t of 7: 0.83.
    assert 0.85 < held["many"] / trials < 0.93
    assert 0.79 < held["few"] / trials < 0.86
    assert 0.87 < held["few, expanded"] / trials < 0.93


def test_p_values_where_there_is_no_difference() -> None:
    generator, trials, rejected = np.random.default_rng(5), 400, 0
    for trial in range(trials):
        differences = generator.normal(size=(50, 1))
        replicates = bootstrap_sums(differences, n_resamples=400, seed=trial)[:, 0] / 50
        rejected += paired_p_value(float(differences.mean()), replicates) < 0.1
    assert 0.06 < rejected / trials < 0.16
