"""Coverage and width of the interval of position bias, with and without its correction.

    python benchmarks/calibrate_position.py [--data-sets 1000] [--output results.json]

Each of three sentences of a summary comes from a third of the sources at random. Widths are multiples of the distance
between the score's own 2.5% and 97.5% quantiles: of the interval, and of one whose lower end allows for no choice among
several thirds.
"""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from harness import finish, make_parser

from fairsum_utils.families.framing.results import distance_interval
from fairsum_utils.measures.position_bias import position_bias
from fairsum_utils.stats.arrays import Floats

LEVEL = 0.95
SAMPLES = (20, 50, 200)
SENTENCES = 3
SHARES = ((1 / 3, 1 / 3, 1 / 3), (0.45, 0.45, 0.1), (0.6, 0.3, 0.1), (0.8, 0.15, 0.05), (0.9, 0.06, 0.04),
          (0.97, 0.02, 0.01))  # fmt: skip
UNCORRECTED = 1 - 3 * (1 - LEVEL)
"""Level whose lower end, at a third of the error, has the whole error of `LEVEL`."""


def simulate(n: int, shares: tuple[float, ...], data_sets: int, seed: int) -> Floats:
    """Draw the thirds of each summary, shape (data sets, n, 3)."""
    drawn = np.random.default_rng(seed).multinomial(SENTENCES, shares, (data_sets, n))
    return np.asarray(drawn / SENTENCES)


def calibrate(n: int, shares: tuple[float, ...], data_sets: int) -> dict[str, Any]:
    """Measure coverage and widths."""
    sizes, truth = np.ones(n), float(position_bias(shares, 1))
    quantiles = np.quantile(position_bias(simulate(n, shares, 20_000, 1).sum(axis=1), n), [0.025, 0.975])
    ends = []
    for each in simulate(n, shares, data_sets, 2):
        low, high = distance_interval(each, sizes, LEVEL)
        ends.append((low, high, distance_interval(each, sizes, UNCORRECTED)[0]))
    lows, highs, uncorrected = np.array(ends).T
    apart = float(np.ptp(quantiles))
    return {
        "samples": n,
        "shares": shares,
        "truth": truth,
        "held": float(((lows <= truth + 1e-12) & (truth - 1e-12 <= highs)).mean()),
        "width": float((highs - lows).mean() / apart),
        "held_uncorrected": float(((uncorrected <= truth + 1e-12) & (truth - 1e-12 <= highs)).mean()),
        "width_uncorrected": float((highs - uncorrected).mean() / apart),
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--data-sets", type=int, default=1_000, help="simulated ones of each case")
    chosen = parser.parse_args(arguments)
    rows = [calibrate(n, shares, chosen.data_sets) for shares, n in product(SHARES, SAMPLES)]
    return finish({"data_sets": chosen.data_sets, "rows": rows}, chosen.output)


if __name__ == "__main__":
    main()
