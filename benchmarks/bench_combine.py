"""What measures cost together, against one of them and against one after the other, in the same run.

    python benchmarks/bench_combine.py --data yelp_gpt4.jsonl.gz [--output results.json]

The data is ``.jsonl.gz``, each row with ``prediction``, ``sources`` and ``values``. `together` is one call of a
combination, `separate` a call of `fairsum_utils.compute` for each measure, `alone` that of the first one: BUR, or
Equal Coverage. Results are compared to the bit.

Seconds are the processor's, so that waiting for other jobs does not count. Rounds take turns and the best of each
counts. Cold runs are the first call in a process of their own: no table is read and no word is known. In warm runs all
words are known.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from harness import apart, finish, in_turn, make_parser, read_rows, timed

import fairsum_utils

CASES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "scores": (("bur", "uer", "auc", "sof"), {}),
    "scores and intervals": (("bur", "uer", "auc", "sof"), {"confidence_level": 0.95}),
    "scores and samples": (("bur", "uer", "auc", "sof"), {"return_samples": True}),
    "coverage": (("equal_coverage", "coverage_parity"), {"entailer": "lexical"}),
}
"""Case -> measures and their options."""


def read_columns(path: Path, n: int | None) -> dict[str, list[Any]]:
    """The first samples of a file in columns."""
    columns = {"predictions": "prediction", "sources": "sources", "values": "values"}
    rows = read_rows(path, n)
    return {column: [row[field] for row in rows] for column, field in columns.items()}


def ways(case: str, columns: Mapping[str, Any]) -> dict[str, Callable[[], dict[str, Any]]]:
    """Way of scoring -> a call that gives the results."""
    names, options = CASES[case]

    def one(name: str) -> dict[str, Any]:
        result = fairsum_utils.compute(name, **columns, **options)
        return {key if key.startswith(name) else f"{name}_{key}": entry for key, entry in result.items()}

    def separate() -> dict[str, Any]:
        return {key: entry for name in names for key, entry in one(name).items()}

    combination = fairsum_utils.combine(names, **options)
    return {"together": lambda: combination.compute(**columns), "alone": lambda: one(names[0]), "separate": separate}


def scored(call: Callable[[], dict[str, Any]]) -> str:
    return repr(sorted(call().items()))


def run_cold(path: Path, n: int | None, case: str, way: str) -> tuple[float, str]:
    call = ways(case, read_columns(path, n))[way]
    return timed(lambda: scored(call), time.process_time)


def compared(seconds: Mapping[str, Sequence[float]], results: Mapping[str, str]) -> dict[str, Any]:
    """The best time of each way, and how they compare."""
    best = {way: min(of_way) for way, of_way in seconds.items()}
    return {
        "seconds": best,
        "times_one_alone": best["together"] / best["alone"],
        "separate_times_together": best["separate"] / best["together"],
        "same_results": results["together"] == results["separate"],
    }


def measure(path: Path, n: int | None, rounds: int) -> dict[str, Any]:
    """Every case, warm and cold."""
    columns = read_columns(path, n)
    report: dict[str, Any] = {}
    for case in CASES:
        calls = ways(case, columns)
        calls["together"]()  # until all words are known
        warm = in_turn(rounds, {way: partial(scored, call) for way, call in calls.items()}, time.process_time)
        cold = [{way: apart(run_cold, path, n, case, way) for way in calls} for _ in range(rounds)]
        seconds = {way: [of_round[way][0] for of_round in cold] for way in calls}
        results = {way: result for way, (_, result) in cold[-1].items()}
        report[case] = {"warm": compared(*warm), "cold": compared(seconds, results)}
    return report


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help=".jsonl.gz with prediction, sources and values")
    parser.add_argument("--samples", type=int, help="only the first so many")
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args(arguments)
    report = {
        "data": chosen.data.name,
        "samples": len(read_columns(chosen.data, chosen.samples)["values"]),
        "rounds": chosen.rounds,
        "cases": measure(chosen.data, chosen.samples, chosen.rounds),
    }
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
