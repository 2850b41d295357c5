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

import argparse
import gzip
import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from bench_ngram import environment, write_report

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
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file][:n]
    columns = {"predictions": "prediction", "sources": "sources", "values": "values"}
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


def timed(call: Callable[[], dict[str, Any]]) -> tuple[float, str]:
    start = time.process_time()
    result = call()
    return time.process_time() - start, repr(sorted(result.items()))


def run_cold(path: Path, n: int | None, case: str, way: str) -> tuple[float, str]:
    command = [sys.executable, __file__, "--data", str(path), "--one-cold", case, way]
    command += [] if n is None else ["--samples", str(n)]
    seconds, result = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return seconds, result


def best_of(rounds: int, calls: Mapping[str, Callable[[], tuple[float, str]]]) -> dict[str, Any]:
    """The best time of each call, the calls taking turns, and how they compare."""
    seconds: dict[str, list[float]] = {way: [] for way in calls}
    results: dict[str, str] = {}
    for _ in range(rounds):
        for way, call in calls.items():
            taken, results[way] = call()
            seconds[way].append(taken)
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
        report[case] = {
            "warm": best_of(rounds, {way: lambda call=call: timed(call) for way, call in calls.items()}),  # type: ignore[misc]
            "cold": best_of(
                rounds,
                {way: lambda case=case, way=way: run_cold(path, n, case, way) for way in calls},  # type: ignore[misc]
            ),
        }
    return report


def print_report(report: dict[str, Any]) -> None:
    print(report["environment"]["machine"], report["environment"]["versions"])
    print(f"\n{report['samples']:,} samples", end="")
    print("   seconds together   alone   separate   together : alone   separate : together   same bits")
    for case, by_state in report["cases"].items():
        for state, found in by_state.items():
            seconds = found["seconds"]
            shown = "".join(f"{seconds[way]:>9.3f}" for way in ("together", "alone", "separate"))
            print(f"{case:>22}, {state}{shown}", end="")
            print(f"{found['times_one_alone']:>12.2f}{found['separate_times_together']:>12.2f}", end="")
            print(f"{found['same_results']!s:>10}")


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = argparse.ArgumentParser(description="Measures together, against one and against one after the other.")
    parser.add_argument("--data", type=Path, required=True, help=".jsonl.gz with prediction, sources and values")
    parser.add_argument("--samples", type=int, help="only the first so many")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--output", type=Path, help="write the report as JSON")
    parser.add_argument("--one-cold", nargs=2, help=argparse.SUPPRESS)
    chosen = parser.parse_args(arguments)
    if chosen.one_cold:
        case, way = chosen.one_cold
        print(json.dumps(timed(ways(case, read_columns(chosen.data, chosen.samples))[way])))
        return {}
    report = {
        "environment": environment(),
        "data": chosen.data.name,
        "samples": len(read_columns(chosen.data, chosen.samples)["values"]),
        "rounds": chosen.rounds,
        "cases": measure(chosen.data, chosen.samples, chosen.rounds),
    }
    print_report(report)
    write_report(report, chosen.output)
    return report


if __name__ == "__main__":
    main()
