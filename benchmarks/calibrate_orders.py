"""What order sensitivity says of summarizers that do not heed the order, and of such that do.

    nice python benchmarks/calibrate_orders.py [--runs 1000] [--output results.json]

A set has eight sources of twelve words, three in five of which all sets share, and is summarized in six random orders.

- A summarizer that takes some of the sources at random, by weights that differ between sources but not between orders:
  its p-values are to be uniform (the Kolmogorov-Smirnov test of them, and how many are at most 0.05), and its 95 %
  intervals are to hold 0 in 95 of 100 data sets; for three levels of noise, which are three sizes of a summary, and for
  12 and 40 sets.
- One that takes the first three sources of some sets, and random ones of the others: how often p is at most 0.05, by
  the share of such sets and their number.

Seconds of a run are told beside. Nothing is read from disk.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench_ngram import environment, write_report
from scipy.stats import kstest

from fairsum_utils import score
from fairsum_utils.corpora.orders import Orders

MEASURE = "order_sensitivity"
WORDS = [f"w{number}" for number in range(400)]
STOCK = ["the", "food", "was", "and", "service", "here"]
N_SOURCES, LENGTH, STOCK_SHARE, N_ORDERS = 8, 12, 0.6, 6

Summarizer = Callable[[Sequence[str]], str]


def make_sets(n: int, rng: random.Random) -> list[dict[str, Any]]:
    def source() -> str:
        return " ".join(rng.choice(STOCK if rng.random() < STOCK_SHARE else WORDS) for _ in range(LENGTH)) + "."

    values = ["pos", "neg"] * (N_SOURCES // 2)
    return [
        {"id": str(number), "sources": [source() for _ in range(N_SOURCES)], "values": values} for number in range(n)
    ]


def by_weights(taken: int, rng: random.Random) -> Summarizer:
    """Sources at random; the weight of a source follows from its text, so it is the same in every order."""

    def summarize(sources: Sequence[str]) -> str:
        weighed = sorted(sources, key=lambda text: rng.random() ** (1 + len(set(text.split())) % 4))
        chosen = set(weighed[-taken:])
        return " ".join(text for text in sources if text in chosen)

    return summarize


def lead_in(share: float, rng: random.Random) -> Summarizer:
    """The first three sources with this probability, else three at random."""
    at_random = by_weights(3, rng)
    return lambda sources: " ".join(sources[:3]) if rng.random() < share else at_random(sources)


def run(n_sets: int, summarize: Summarizer, rng: random.Random, **settings: Any) -> dict[str, Any]:
    rows = list(Orders(make_sets(n_sets, rng), n_orders=N_ORDERS, seed=rng.randrange(2**31)).rows())
    return score(
        predictions=[summarize(row["sources"]) for row in rows],
        article_ids=[row["article_id"] for row in rows],
        variants=[row["variant"] for row in rows],
        sources=[row["sources"] for row in rows],
        values=[row["values"] for row in rows],
        metrics=MEASURE,
        **settings,
    )[MEASURE]


def unbiased(taken: int, n_runs: int, n_sets: int) -> dict[str, Any]:
    """Uniformity of p and coverage of intervals where the order does not matter."""
    rng = random.Random(taken)
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


def power(share: float, n_sets: int, n_runs: int) -> dict[str, Any]:
    rng = random.Random(round(1000 * share) + n_sets)
    results = [run(n_sets, lead_in(share, rng), rng, n_permutations=400) for _ in range(n_runs)]
    found = {"lexical": 0, "ngram": 0}
    for result in results:
        for matcher in found:
            found[matcher] += result["by_matcher"][matcher]["p_value"] <= 0.05
    return {
        "lead_share": share,
        "sets": n_sets,
        "mean": sum(result[MEASURE] for result in results) / n_runs,
        **{f"power_{matcher}": count / n_runs for matcher, count in found.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=1_000)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    report = {
        "environment": environment(),
        "unbiased": [unbiased(taken, options.runs, n_sets) for n_sets in (12, 40) for taken in (1, 3, 6)],
        "power": [power(share, n, max(20, options.runs // 10)) for share in (0.05, 0.1, 0.2, 0.4) for n in (12, 50)],
    }
    write_report(report, options.output)


if __name__ == "__main__":
    main()
