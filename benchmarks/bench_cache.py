"""Speed, memory and size of the cache of models' results.

    python benchmarks/bench_cache.py [--results 1000000] [--folder DIR] [--output results.json]

Every row is a process of its own. What is looked up is compared with what was written.
"""

from __future__ import annotations

import os
import random
import struct
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness import apart, finish, make_parser, peak_megabytes

from fairsum_utils.inference.cache import ResultCache

WINDOW = 1 << 13
"""Keys that are looked up together, as a runner does."""

Key = tuple[str, ...]


def opened(folder: Path) -> ResultCache:
    return ResultCache(folder, "a model", module="bench_cache")


def key(number: int) -> Key:
    """Two texts, as of an entailment model: a chunk of a source and a sentence of a summary."""
    return (
        f"The room was {number} steps from the lift, clean and quiet, and so we slept well.",
        f"Guests slept ({number}).",
    )


def payload(number: int) -> bytes:
    """Four numbers of four bytes."""
    return struct.pack("<4I", number, number + 1, number + 2, number + 3)


# What is measured, each in a process of its own


def write(folder: Path, n: int, batch: int) -> dict[str, float]:
    """Results in batches, each kept before the next one is given."""
    before = peak_megabytes()
    cache, longest = opened(folder), 0.0
    began, busy = time.perf_counter(), time.process_time()
    for start in range(0, n, batch):
        items = [(key(number), payload(number)) for number in range(start, min(start + batch, n))]
        put = time.perf_counter()
        cache.put(items)
        longest = max(longest, time.perf_counter() - put)
    seconds, busy = time.perf_counter() - began, time.process_time() - busy
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {
        "a_second": n / seconds,
        "a_processor_second": n / busy,
        "longest_put_seconds": longest,
        "grown_mb": peak_megabytes() - before,
        "bytes_a_result": size / n,
    }


def read(folder: Path, n: int, asked: int) -> dict[str, float]:
    """The first look-up in a new process, then keys in windows, then some one after the other; half of them are new."""
    before = peak_megabytes()
    began = time.perf_counter()
    cache = opened(folder)
    assert cache.get_many([key(0)]) == [payload(0)]
    start = time.perf_counter() - began
    chance, found, seconds, busy = random.Random(1), 0, 0.0, 0.0
    for _ in range(0, asked, WINDOW):
        numbers = [chance.randrange(2 * n) for _ in range(WINDOW)]
        keys = list(map(key, numbers))
        began, began_busy = time.perf_counter(), time.process_time()
        together = cache.get_many(keys)
        seconds += time.perf_counter() - began
        busy += time.process_time() - began_busy
        assert together == [payload(number) if number < n else None for number in numbers]
        found += WINDOW
    singly = [key(chance.randrange(2 * n)) for _ in range(2_000)]
    began = time.perf_counter()
    for each in singly:
        cache.get_many([each])
    alone = time.perf_counter() - began
    return {
        "start_seconds": start,
        "a_second": found / seconds,
        "a_processor_second": found / busy,
        "singly_a_second": len(singly) / alone,
        "grown_mb": peak_megabytes() - before,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    parser = make_parser(__doc__)
    parser.add_argument("--results", type=int, nargs="*", default=[100_000, 1_000_000], help="how many are kept")
    parser.add_argument("--batch", type=int, default=64, help="results that are put at once")
    parser.add_argument("--folder", type=Path, help="on the disk to measure; default: the system's temporary folder")
    options = parser.parse_args(arguments)
    report: dict[str, Any] = {"batch": options.batch, "runs": []}
    with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
        for n in options.results:
            folder = Path(temporary) / str(n)
            run: dict[str, Any] = {"results": n, "load": os.getloadavg()[0]}
            run["write"] = apart(write, folder, n, options.batch)
            run["read"] = apart(read, folder, n, min(n, 1 << 18))
            report["runs"].append(run)
    finish(report, options.output)


if __name__ == "__main__":
    main()
