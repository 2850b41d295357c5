"""False alarms of R_EC with meaningless values, and its dependence on the seed.

    python benchmarks/calibrate_coverage.py [--output results.json]

**False alarms**: the coverages of a sample are drawn without regard to values, so that at most alpha = 0.05 of the
samples may be called unequal. Continuous ones, and twentieths, many of which tie.

**Seeds**: sets of samples with too many assignments to list, where R_EC is computed under several seeds and compared
with the exact one. The exact p-value of two values comes from counting: the sums of all subsets of either half of the
documents, put together in pairs. Without a shift no value is favoured; with one, more p-values lie near alpha.

All numbers are those that `fairsum_utils.score` reports, from given coverages. Nothing is read from disk.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from harness import finish, make_parser

from fairsum_utils.families.coverage.results import ENGINE
from fairsum_utils.families.coverage.rows import CoverageRow, CoverageTable
from fairsum_utils.families.coverage.scorer import CoverageScorer
from fairsum_utils.measures.equal_coverage import EqualCoverage
from fairsum_utils.stats.arrays import Floats

# Documents of either value.
SHAPES = ((2, 2), (4, 4), (3, 5), (10, 10))
# Numbers added to the coverage of the first group's documents.
SHIFTS = (0.0, 0.12)
# 184,756 assignments: too many to list.
LARGE = (10, 10)
ALPHA = 0.05


def draw(n: int, shape: tuple[int, int], seed: int, *, shift: float = 0.0, ties: bool = False) -> Floats:
    """Draw coverages of n samples, the first value's documents first."""
    generator = np.random.default_rng(seed)
    coverage = generator.beta(2, 3, size=(n, sum(shape)))
    coverage[:, : shape[0]] += shift
    return np.round(20 * coverage.clip(0, 1)) / 20 if ties else coverage.clip(0, 1)


def r_ec(samples: Floats, shape: tuple[int, int], seed: int = 0) -> float:
    """R_EC as the library reports it."""
    values = ("a",) * shape[0] + ("b",) * shape[1]
    rows = [CoverageRow(index, values, tuple(sample), 1) for index, sample in enumerate(samples.tolist())]
    settings = EqualCoverage(seed=seed, alpha=ALPHA)
    measures = ["equal_coverage"]
    sums = ENGINE.sums_of(CoverageTable(rows), measures, settings)
    scorer = CoverageScorer(measures, settings)
    return float(ENGINE.results_of(sums, measures, settings, scorer, ["coverage"])["equal_coverage"]["r_ec"])


def exact_p_value(coverage: Floats, n_first: int) -> float:
    """Compute the exact p-value over all subsets of `n_first` documents.

    For two values EC is that distance times a constant.
    """
    n = len(coverage)
    middle = n_first * coverage.mean()
    distance = abs(coverage[:n_first].sum() - middle) - 1e-12
    if distance <= 0:
        return 1.0
    halves = []
    for half in (coverage[: n // 2], coverage[n // 2 :]):
        chosen = np.arange(2 ** len(half))[:, None] >> np.arange(len(half)) & 1
        sizes, sums = chosen.sum(axis=1), chosen @ half
        halves.append([np.sort(sums[sizes == size]) for size in range(len(half) + 1)])
    left, right = halves
    reached = ways = 0
    for size, sums in enumerate(left):
        if 0 <= n_first - size < len(right):
            others = right[n_first - size]
            below = np.searchsorted(others, middle - distance - sums, side="right").sum()
            above = np.searchsorted(others, middle + distance - sums, side="left")
            reached += below + (len(others) - above).sum()
            ways += len(sums) * len(others)
    return float(reached / ways)


def false_alarms(shape: tuple[int, int], n: int, *, ties: bool) -> dict[str, Any]:
    """R_EC of samples in which values mean nothing."""
    found = r_ec(draw(n, shape, seed=1, ties=ties), shape)
    error = 2 * np.sqrt(ALPHA * (1 - ALPHA) / n)
    return {"shape": list(shape), "ties": ties, "samples": n, "r_ec": found, "two_standard_errors": float(error)}


def spread(shift: float, sets: int, n: int, seeds: Sequence[int]) -> dict[str, Any]:
    """Measure the error of R_EC in percentage points, over sets and seeds."""
    errors = []
    for number in range(sets):
        samples = draw(n, LARGE, seed=100 + number, shift=shift)
        exact = np.mean([exact_p_value(sample, LARGE[0]) < ALPHA for sample in samples])
        errors.append([100 * (r_ec(samples, LARGE, seed) - exact) for seed in seeds])
    of_seeds = np.array(errors)
    return {
        "shift": shift,
        "sets": sets,
        "samples": n,
        "seeds": len(seeds),
        "root_mean_square": float(np.sqrt((of_seeds**2).mean())),
        "largest": float(np.abs(of_seeds).max()),
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--samples", type=int, default=20_000, help="samples of each shape without any difference")
    parser.add_argument("--sets", type=int, default=20, help="sets on which seeds are compared")
    parser.add_argument("--set-size", type=int, default=300, help="samples of each")
    parser.add_argument("--seeds", type=int, default=10)
    chosen = parser.parse_args(arguments)
    report = {
        "false_alarms": [false_alarms(shape, chosen.samples, ties=ties) for shape in SHAPES for ties in (False, True)],
        "seeds": [spread(shift, chosen.sets, chosen.set_size, range(chosen.seeds)) for shift in SHIFTS],
    }
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
