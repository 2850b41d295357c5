"""Speed, memory and size of the cache of models' results, against the one before it in the same run.

    python benchmarks/bench_cache.py [--results 1000000] [--folder DIR] [--output results.json]

The baseline is the store that SQLite replaced: append-only files, read whole into a dictionary at the start. It did not
wait for the disk, so that a power cut lost what the system had not written yet; "baseline, synced" waits after every
batch, and so promises what SQLite promises.

Every row is a process of its own. What is looked up is compared with what was written.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import shutil
import struct
import tempfile
import time
import zlib
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

from bench_ngram import _peak_megabytes as peak_megabytes
from bench_ngram import environment, write_report

from fairsum_utils.inference.cache import ResultCache

WINDOW = 1 << 13
"""Keys that are looked up together, as a runner does."""

Key = tuple[str, ...]


class Cache(Protocol):
    """What both have in common."""

    def get(self, key: Key) -> bytes | None:
        """What is stored."""

    def put(self, items: Iterable[tuple[Key, bytes]]) -> None:
        """Store a batch."""

    def close(self) -> None:
        """Close the file."""


# The baseline


def digest_of(parts: Iterable[str]) -> bytes:
    """Sixteen bytes that stand for a key."""
    encoded = [part.encode("utf-8", "surrogatepass") for part in parts]
    return blake2b(b"".join(b"%d:%b" % (len(part), part) for part in encoded), digest_size=16).digest()


class Segments:
    """Files of records: magic, payload's length, digest, CRC-32 and payload; all of them in memory."""

    HEADER = struct.Struct("<4sI16sI")
    MAGIC = b"\xfaFS1"

    def __init__(self, folder: Path, fingerprint: str, *, synced: bool = False) -> None:
        self.folder = folder / digest_of([fingerprint]).hex()
        self.synced = synced
        self.results: dict[bytes, bytes] = {}
        self.file: Any = None
        for path in sorted(self.folder.glob("*.segment")):
            self.read(path.read_bytes())

    def read(self, segment: bytes) -> None:
        """All of a file, into memory."""
        start = 0
        while 0 <= start < len(segment):
            magic, length, digest, checksum = self.HEADER.unpack_from(segment, start)
            body = start + self.HEADER.size
            payload = segment[body : body + length]
            if magic == self.MAGIC and zlib.crc32(payload, zlib.crc32(digest, len(payload))) == checksum:
                self.results.setdefault(digest, payload)
                start = body + length
            else:
                start = segment.find(self.MAGIC, start + 1)

    def get(self, key: Key) -> bytes | None:
        """What is stored."""
        return self.results.get(digest_of(key))

    def put(self, items: Iterable[tuple[Key, bytes]]) -> None:
        """Append a batch."""
        new = {digest: payload for key, payload in items if (digest := digest_of(key)) not in self.results}
        if self.file is None:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.file = (self.folder / f"{os.getpid()}.segment").open("xb", buffering=0)
        self.file.write(b"".join(self.record(digest, payload) for digest, payload in new.items()))
        if self.synced:
            os.fsync(self.file.fileno())
        self.results.update(new)

    def record(self, digest: bytes, payload: bytes) -> bytes:
        """A record as it is written."""
        checksum = zlib.crc32(payload, zlib.crc32(digest, len(payload)))
        return self.HEADER.pack(self.MAGIC, len(payload), digest, checksum) + payload

    def close(self) -> None:
        """Close the file that was written."""
        if self.file is not None:
            self.file.close()


STORES: dict[str, Callable[[Path], Cache]] = {
    "baseline": partial(Segments, fingerprint="a model"),
    "baseline, synced": partial(Segments, fingerprint="a model", synced=True),
    "SQLite": partial(ResultCache, fingerprint="a model", module="bench_cache"),
}


# What is kept


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


def write(name: str, folder: Path, n: int, batch: int) -> dict[str, float]:
    """Results in batches, each kept before the next one is given."""
    before = peak_megabytes()
    cache, longest = STORES[name](folder), 0.0
    began, busy = time.perf_counter(), time.process_time()
    for start in range(0, n, batch):
        items = [(key(number), payload(number)) for number in range(start, min(start + batch, n))]
        put = time.perf_counter()
        cache.put(items)
        longest = max(longest, time.perf_counter() - put)
    seconds, busy = time.perf_counter() - began, time.process_time() - busy
    cache.close()
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {
        "a_second": n / seconds,
        "a_processor_second": n / busy,
        "longest_put_seconds": longest,
        "grown_mb": peak_megabytes() - before,
        "bytes_a_result": size / n,
    }


def read(name: str, folder: Path, n: int, asked: int) -> dict[str, float]:
    """The first look-up in a new process, then keys in windows, then some one after the other; half of them are new."""
    before = peak_megabytes()
    began = time.perf_counter()
    cache = STORES[name](folder)
    assert cache.get(key(0)) == payload(0)
    start = time.perf_counter() - began
    chance, found, seconds, busy = random.Random(1), 0, 0.0, 0.0
    for _ in range(0, asked, WINDOW):
        numbers = [chance.randrange(2 * n) for _ in range(WINDOW)]
        keys = list(map(key, numbers))
        began, began_busy = time.perf_counter(), time.process_time()
        together = cache.get_many(keys) if isinstance(cache, ResultCache) else list(map(cache.get, keys))
        seconds += time.perf_counter() - began
        busy += time.process_time() - began_busy
        assert together == [payload(number) if number < n else None for number in numbers]
        found += WINDOW
    singly = [key(chance.randrange(2 * n)) for _ in range(20_000)]
    began = time.perf_counter()
    for each in singly:
        cache.get(each)
    alone = time.perf_counter() - began
    cache.close()
    return {
        "start_seconds": start,
        "a_second": found / seconds,
        "a_processor_second": found / busy,
        "singly_a_second": len(singly) / alone,
        "grown_mb": peak_megabytes() - before,
    }


def convert(name: str, folder: Path, n: int, asked: int) -> dict[str, float]:
    """The first look-up where there are results of the baseline."""
    before = peak_megabytes()
    began = time.perf_counter()
    cache = STORES[name](folder)
    assert cache.get(key(0)) == payload(0)
    seconds = time.perf_counter() - began
    numbers = random.Random(2).choices(range(n), k=asked)
    assert all(cache.get(key(number)) == payload(number) for number in numbers)
    cache.close()
    return {"seconds": seconds, "grown_mb": peak_megabytes() - before}


def apart(measure: Callable[..., dict[str, float]], *arguments: object) -> dict[str, float]:
    """Measured in a new process."""
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(measure, arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=int, nargs="*", default=[100_000, 1_000_000], help="how many are kept")
    parser.add_argument("--batch", type=int, default=64, help="results that are put at once")
    parser.add_argument("--folder", type=Path, help="on the disk to measure; default: the system's temporary folder")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args(arguments)
    report: dict[str, Any] = {"environment": environment(), "batch": options.batch, "runs": []}
    with tempfile.TemporaryDirectory(dir=options.folder) as temporary:
        for n in options.results:
            for name in STORES:
                folder = Path(temporary) / name
                run: dict[str, Any] = {"store": name, "results": n, "load": os.getloadavg()[0]}
                run["write"] = apart(write, name, folder, n, options.batch)
                run["read"] = apart(read, name, folder, n, min(n, 1 << 18))
                report["runs"].append(run)
                print(json.dumps(run), flush=True)
            taken = apart(convert, "SQLite", Path(temporary) / "baseline", n, 1000)
            report["runs"].append({"store": "SQLite, from the baseline's files", "results": n, "convert": taken})
            print(json.dumps(report["runs"][-1]), flush=True)
            for name in STORES:
                shutil.rmtree(Path(temporary) / name)
    write_report(report, options.output)


if __name__ == "__main__":
    main()
