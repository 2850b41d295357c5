"""What order sensitivity says of summarizers that do not heed the order.

    nice python benchmarks/calibrate_orders.py [--runs 1000] [--output results.json]

A set has eight sources of twelve words, three in five of which all sets share, and is summarized in six random orders.
A summarizer takes some of the sources at random, by weights that differ between sources but not between orders: its
p-values are to be uniform (the Kolmogorov-Smirnov test of them, and how many are at most 0.05), and its 95 % intervals
are to hold 0 in 95 of 100 data sets; for three levels of noise, which are three sizes of a summary. How often intervals
hold by the number of sets is told of data sets drawn from many sets, whose mean is the truth. How summarizers are found
that do heed the order, `power_of_sensitivity.py` says.

Seconds of a run are told beside. Nothing is read from disk.
"""

from __future__ import annotations

import random
import time
from typing import Any

import numpy as np
from harness import finish, make_parser
from made_summaries import Summarizer, by_weights, in_orders, make_sets
from scipy.stats import kstest

from fairsum_utils import score
from fairsum_utils.families.sensitivity.results import sums_of
from fairsum_utils.families.sensitivity.rows import SensitivityTable
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.settings import SensitivitySettings
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.bootstrap import bootstrap_sums, expanded_interval, percentile_interval

MEASURE = "order_sensitivity"
SIZES, DRAWN = (6, 12, 20, 40), 1_000


def run(n_sets: int, summarize: Summarizer, rng: random.Random, **settings: Any) -> dict[str, Any]:
    """The result of a data set."""
    return score(in_orders(make_sets(n_sets, rng), summarize, rng), metrics=MEASURE, **settings)[MEASURE]


def unbiased(taken: int, n_runs: int, n_sets: int = 12) -> dict[str, Any]:
    """Uniformity of p and coverage of intervals where the order does not matter."""
    rng = random.Random(100 + taken)
    start = time.perf_counter()
    results = [run(n_sets, by_weights(taken, rng), rng, confidence_level=0.95, n_resamples=400) for _ in range(n_runs)]
    seconds = (time.perf_counter() - start) / n_runs
    p_values = [result["p_value"] for result in results]
    intervals = [result[f"{MEASURE}_ci"] for result in results]
    return {
        "sources_taken": taken,
        "sets": n_sets,
        "runs": n_runs,
        "ks_p": float(kstest(p_values, "uniform").pvalue),
        "rejected_at_5": sum(p <= 0.05 for p in p_values) / n_runs,
        "gain_rejected_at_5": sum(result["first_values"][0]["p_value"] <= 0.05 for result in results) / n_runs,
        "mean": sum(result[MEASURE] for result in results) / n_runs,
        "interval_holds_0": sum(low <= 0 <= high for low, high in intervals) / n_runs,
        "seconds_a_run": seconds,
    }


def primacies(taken: int, n_sets: int) -> Floats:
    """Of each set by itself."""
    rng, settings = random.Random(50 + taken), SensitivitySettings()
    columns = in_orders(make_sets(n_sets, rng), by_weights(taken, rng), rng)
    scorer = SensitivityScorer((MEASURE,), settings)
    sums = sums_of(SensitivityTable(scorer.rows(scorer.read(columns))), [MEASURE], settings, scorer)
    there = sums.by_unit((f"{MEASURE}.counts", settings.matcher, "primacy")) > 0
    return sums.by_unit((f"{MEASURE}.numbers", settings.matcher, "primacy"))[there]


def covers_by_sets(taken: int, n_single: int) -> dict[str, dict[str, float]]:
    """How often either interval holds the mean of many sets, where a data set is some of them at random."""
    numbers, generator = primacies(taken, n_single), np.random.default_rng(taken)
    found = {}
    for n in SIZES:
        held = np.zeros(2)
        for trial in range(DRAWN):
            some = generator.choice(numbers, n)
            replicates = bootstrap_sums(some[:, None], n_resamples=1000, seed=trial)[:, 0] / n
            ends = np.array([expanded_interval(replicates, 0.95, n), percentile_interval(replicates, 0.95)])
            held += (ends[:, 0] <= numbers.mean()) & (numbers.mean() <= ends[:, 1])
        found[str(n)] = dict(zip(("expanded", "percentile"), (held / DRAWN).tolist(), strict=True))
    return found


def main() -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--single", type=int, default=2_500, help="sets from which data sets are drawn")
    options = parser.parse_args()
    rows = [
        {**unbiased(taken, options.runs), "covers_by_sets": covers_by_sets(taken, options.single)}
        for taken in (1, 3, 6)
    ]
    finish({"unbiased": rows}, options.output)


if __name__ == "__main__":
    main()
