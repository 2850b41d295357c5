"""Shared parts of the benchmarks: arguments, clocks, rounds, processes and reports."""

from __future__ import annotations

import argparse
import gzip
import json
import multiprocessing
import os
import platform
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from fairsum_utils._version import __version__

ROOT = Path(__file__).resolve().parents[1]
# Clocks to choose from; a machine that is always shared is measured better by the processor's.
CLOCKS = {"wall": time.perf_counter, "cpu": time.process_time}

Clock = Callable[[], float]
Row = dict[str, Any]


def make_parser(doc: str | None) -> argparse.ArgumentParser:
    """Make a parser with the script's docstring and the common option."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=Path, help="write the report as JSON")
    return parser


def read_rows(path: Path, n: int | None = None) -> list[Row]:
    """Read the first rows of a .jsonl.gz file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines][:n]


# Measuring


def timed(call: Callable[[], Any], clock: Clock = time.perf_counter) -> tuple[float, Any]:
    """Time a call, and return its result."""
    start = clock()
    found = call()
    return clock() - start, found


def in_turn(
    rounds: int, calls: Mapping[str, Callable[[], Any]], clock: Clock = time.perf_counter
) -> tuple[dict[str, list[float]], dict[str, Any]]:
    """Time each call in each round, so that load affects all alike."""
    seconds: dict[str, list[float]] = {name: [] for name in calls}
    results: dict[str, Any] = {}
    for _ in range(rounds):
        for name, call in calls.items():
            taken, results[name] = timed(call, clock)
            seconds[name].append(taken)
    return seconds, results


def apart(function: Callable[..., Any], *arguments: object) -> Any:
    """Call a function in a new process, for its own memory and caches."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(function, arguments)


def peak_megabytes() -> float:
    """Return this process's peak memory; ru_maxrss would include the parent's on Linux."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    for line in lines:
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / (1 << 10)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)


# Reports


def finish(report: Mapping[str, Any], output: Path | None, packages: tuple[str, ...] = ("nltk",)) -> dict[str, Any]:
    """Add time and machine to a report, print it, and write it as JSON."""
    whole = {"environment": environment(packages), **report}
    print_report(whole)
    write_report(whole, output)
    return whole


def write_report(report: dict[str, Any], output: Path | None) -> None:
    """Write a report as JSON, if a file is named."""
    if output is not None:
        output.write_text(json.dumps(report, indent=2) + "\n", encoding="utf-8")


def environment(packages: tuple[str, ...] = ("nltk",)) -> dict[str, Any]:
    """Date, revision, versions and machine."""
    git = ["git", "-C", str(ROOT)]
    revision = subprocess.run([*git, "rev-parse", "HEAD"], capture_output=True, text=True, check=False)
    changed = subprocess.run(
        [*git, "status", "--porcelain", "fairsum_utils"], capture_output=True, text=True, check=False
    )
    versions = {"python": platform.python_version(), "fairsum-utils": __version__}
    for name in ("numpy", *packages):
        try:
            versions[name] = version(name)
        except PackageNotFoundError:
            versions[name] = "not installed"
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": revision.stdout.strip() or None,
        "changed_since": bool(changed.stdout.strip()),
        "versions": versions,
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} cores, {_processor()}",
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or "unknown processor"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else "unknown processor"


def print_report(report: Mapping[str, Any]) -> None:
    """Print the machine, then rows as tables and other entries as lines."""
    print(report["environment"]["machine"], report["environment"]["versions"])
    for name, entry in report.items():
        if name == "environment":
            continue
        if isinstance(entry, Mapping) and entry and all(isinstance(row, Mapping) for row in entry.values()):
            entry = [{"": key, **row} for key, row in entry.items()]
        rows = [entry] if isinstance(entry, Mapping) else entry
        if isinstance(rows, list) and rows and all(isinstance(row, Mapping) for row in rows):
            print(f"\n{name}\n{table([_flat(row) for row in rows])}")
        elif rows != []:
            print(f"{name}: {_shown(rows)}")


def table(rows: list[dict[str, Any]]) -> str:
    """Lay rows out below their keys.

    Example:
        >>> print(table([{"way": "loop", "seconds": 2.0}, {"way": "library", "seconds": 0.125}]))
        way      seconds
        loop           2
        library    0.125
    """
    heads = list(dict.fromkeys(key for row in rows for key in row))
    lines = [heads, *([_shown(row.get(head, "")) for head in heads] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join([line[0].ljust(widths[0]), *map(str.rjust, line[1:], widths[1:])]).rstrip() for line in lines
    )


def _flat(row: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Flatten a row with nested mappings."""
    flat: dict[str, Any] = {}
    for key, entry in row.items():
        name = f"{before} {key}".strip().replace("_", " ")
        flat |= _flat(entry, name) if isinstance(entry, Mapping) else {name: entry}
    return flat


def _shown(entry: object) -> str:
    """Format an entry: numbers with four digits, large ones with more."""
    if isinstance(entry, bool) or not isinstance(entry, (int, float, list, tuple)):
        return str(entry)
    if isinstance(entry, (list, tuple)):
        return ", ".join(map(_shown, entry))
    return f"{entry:,.0f}" if isinstance(entry, int) or abs(entry) >= 1000 else f"{entry:.4g}"
