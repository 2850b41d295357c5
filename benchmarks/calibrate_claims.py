"""Coverage and width of two intervals of misattribution: two-point and Wilson.

    python benchmarks/calibrate_claims.py [--data-sets 2000] [--output results.json]

A meeting has 1 to 20 claims. Each meeting draws its rate from a beta distribution, so its claims are correlated.
Widths are multiples of the distance between the estimator's own 2.5% and 97.5% quantiles.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from harness import finish, make_parser

from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.bootstrap import student_reach
from fairsum_utils.stats.intervals import Moments, mean_interval

LEVEL = 0.95
MEETINGS = (5, 20, 50, 200)
RATES = (0.01, 0.05, 0.2, 0.5)
CORRELATIONS = (0.0, 0.05, 0.2, 0.5)


def simulate(n: int, rate: float, correlation: float, data_sets: int, seed: int) -> tuple[Floats, Floats]:
    """Draw misattributed and all claims of each meeting, shape (data sets, n)."""
    generator = np.random.default_rng(seed)
    claims = generator.integers(1, 21, (data_sets, n))
    rates = np.full((data_sets, n), rate)
    if correlation:
        both = 1 / correlation - 1
        rates = generator.beta(rate * both, (1 - rate) * both, (data_sets, n))
    return generator.binomial(claims, rates).astype(np.float64), claims.astype(np.float64)


def wilson(moved: Floats, claims: Floats) -> tuple[float, float]:
    """Compute Wilson's interval with a design effect of at least 1."""
    moments, reach = Moments.of(moved, claims), student_reach(LEVEL, len(claims))
    share, n = moments.mean, float(claims.sum())
    independent = share * (1 - share) / n
    if independent:
        n /= max(1.0, moments.variance / (moments.n - 1) / independent)
    middle = (share + reach**2 / (2 * n)) / (1 + reach**2 / n)
    apart = reach / (1 + reach**2 / n) * float(np.sqrt(share * (1 - share) / n + reach**2 / (4 * n**2)))
    return max(0.0, middle - apart), min(1.0, middle + apart)


def two_point(moved: Floats, claims: Floats) -> tuple[float, float]:
    """Compute the interval of the library."""
    return mean_interval(Moments.of(moved, claims), LEVEL, (0.0, 1.0))


def calibrate(n: int, rate: float, correlation: float, data_sets: int) -> dict[str, Any]:
    """Measure coverage and width of both intervals."""
    moved, claims = simulate(n, rate, correlation, 20_000, seed=1)
    low, high = np.quantile(moved.sum(axis=1) / claims.sum(axis=1), [0.025, 0.975])
    found: dict[str, Any] = {"meetings": n, "rate": rate, "correlation": correlation}
    sets = list(zip(*simulate(n, rate, correlation, data_sets, seed=2), strict=True))
    for name, interval in (("two_point", two_point), ("wilson", wilson)):
        lows, highs = np.array([interval(*each) for each in sets]).T
        found[f"{name}_held"] = float(((lows <= rate) & (rate <= highs)).mean())
        found[f"{name}_width"] = float((highs - lows).mean() / (high - low))
    return found


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--data-sets", type=int, default=2_000, help="simulated ones of each case")
    chosen = parser.parse_args(arguments)
    rows = [calibrate(*case, chosen.data_sets) for case in product(MEETINGS, RATES, CORRELATIONS)]
    return finish({"data_sets": chosen.data_sets, "rows": rows}, chosen.output)


if __name__ == "__main__":
    main()
