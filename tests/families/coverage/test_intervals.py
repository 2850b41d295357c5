"""Bootstrap intervals and p-values against a plain loop over the same draws, and two systems compared."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm
from scipy.stats import t as student

from fairsum_utils.measures import measures_of
from fairsum_utils.stats import intervals
from fairsum_utils.stats.bootstrap import bootstrap_draws
from tests._together import score
from tests.families.coverage.conftest import Data, Exact

METRICS = measures_of("coverage")


def made() -> Data:
    """Fourteen samples; value c is in three of them only."""
    generator, data = random.Random(0), Data([], [])
    for index in range(14):
        data.values.append(["a", "b", *generator.choices("abc" if index < 3 else "ab", k=4)])
        data.twentieths.append([[generator.randint(0, 20) for _ in range(2)] for _ in range(6)])
    return data


def drawn(n: int, times: int, seed: int) -> list[list[int]]:
    """The samples of each replicate."""
    counts = np.concatenate(list(bootstrap_draws(n, times, seed))).astype(int)
    return [[index for index, count in enumerate(row) for _ in range(count)] for row in counts.tolist()]


def tail_of(n: int) -> float:
    """The tail of the expanded interval of n samples at a level of 0.8."""
    return float(norm.sf(math.sqrt(n / (n - 1)) * student.ppf(0.9, n - 1)))


def p_value(observed: float, replicates: Sequence[float]) -> float:
    """(b + 1) / (m + 1) with replicates moved to a mean of zero."""
    middle = math.fsum(replicates) / len(replicates)
    return (1 + sum(abs(one - middle) >= abs(observed) - 1e-12 for one in replicates)) / (1 + len(replicates))


@pytest.mark.parametrize("protocol", ["paper", "released"])
def test_coverage_parity(protocol: str, monkeypatch: pytest.MonkeyPatch) -> None:
    case = made()
    monkeypatch.setattr(intervals, "FEWEST_FOR_SPREADS", 2)  # exact fractions of 200 samples would take minutes
    options: dict[str, Any] = {"confidence_level": 0.8, "n_resamples": 150, "seed": 4, "protocol": protocol}
    found = score(**case.columns(), metrics=METRICS, **options)["coverage_parity"]
    brute = Exact(case, protocol)
    replicates = [brute.parity([brute.known[i] for i in draw]) for draw in drawn(len(brute.known), 150, 4)]
    whole = [float(parity) for parity, means in replicates if not any(map(math.isnan, means.values()))]
    assert 0 < len(whole) < 150  # some lose value c
    low, high = np.quantile(whole, [tail_of(len(brute.known)), 1 - tail_of(len(brute.known))])
    bias = max(0.0, math.fsum(whole) / len(whole) - found["coverage_parity"])
    assert found["coverage_parity_ci"] == pytest.approx([max(0.0, low - 3 * bias), high], abs=1e-12)
    assert found["coverage_parity_ci_lost"] == (150 - len(whole)) / 150
    for name, mean in brute.parity(brute.known)[1].items():
        own = [float(means[name]) for _, means in replicates if not math.isnan(means[name])]
        assert found["p_value_by_value"][name] == p_value(float(mean), own)
