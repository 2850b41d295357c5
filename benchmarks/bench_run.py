"""One process, several, Ray and rows that are kept, on the same samples.

    python benchmarks/bench_run.py --data FILE.jsonl.gz --rows 1000000 [--output results.json]

The rows of `--data`, again and again under new ids, are written as Parquet; whole commands `fairsum score` score them
in turn: in one process, with `--workers`, with `--engine ray`, in one process that keeps rows (`--rows FOLDER`), and
from these rows (`fairsum score FOLDER`, for which the former is needed). Seconds are those of the whole command, its
start included; memory is the most that the command's own process held, the driver, without its workers. The results of
all must be the same to the bit.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from harness import finish, make_parser, read_rows

METRICS = ("bur", "uer", "auc", "sof")
WAYS = ("one process", "workers", "ray", "keeping rows", "from rows")
ROW_GROUP = 10_000

# The command, which says in the last line of standard error what it needed.
MEASURED = """
import json, pathlib, resource, sys, time
from fairsum_utils.cli import main
if main(sys.argv[1:]):
    sys.exit(1)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
status = pathlib.Path("/proc/self/status")
if status.exists():  # on Linux the first figure is at least that of the process that started this one
    peak = int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024
sys.stderr.write("\\n" + json.dumps({"peak_mb": peak, "processor_seconds": time.process_time()}))
"""


def measured(*arguments: str, source: Path | None = None) -> dict[str, Any]:
    """Run a command in its own process; return peak memory and seconds."""
    began = time.perf_counter()
    command = [sys.executable, "-P", "-c", MEASURED, *arguments]
    quietly = os.environ | {"FAIRSUM_QUIET": "1"} | ({} if source is None else {"PYTHONPATH": str(source.resolve())})
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=quietly)
    seconds = time.perf_counter() - began
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)} failed:\n{done.stderr}")
    return json.loads(done.stderr.splitlines()[-1]) | {"seconds": seconds}


def repeated(rows: list[dict[str, Any]], n: int) -> Iterator[dict[str, Any]]:
    """n rows, each with an id of its own."""
    for number, row in enumerate(islice(cycle(rows), n)):
        yield {name: row[name] for name in ("prediction", "sources", "values")} | {"id": str(number)}


def write_parquet(rows: Iterable[dict[str, Any]], path: Path) -> int:
    """Write rows in row groups; how many bytes the file has."""
    import pyarrow
    import pyarrow.parquet

    texts = pyarrow.list_(pyarrow.string())
    columns = {"id": pyarrow.string(), "prediction": pyarrow.string(), "sources": texts, "values": texts}
    schema = pyarrow.schema(list(columns.items()))
    with pyarrow.parquet.ParquetWriter(path, schema, compression="zstd") as writer:
        waiting = iter(rows)
        while some := list(islice(waiting, ROW_GROUP)):
            writer.write_table(pyarrow.Table.from_pylist(some, schema), row_group_size=ROW_GROUP)
    return path.stat().st_size


def bench(rows: list[dict[str, Any]], chosen: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Measure each way's fastest round, and compare its results with the first way's."""
    file, output, kept = folder / "rows.parquet", folder / "results.json", folder / "kept"
    size = write_parquet(repeated(rows, chosen.rows), file)
    score, workers = (str(file), "--metrics", ",".join(METRICS)), ("--workers", str(chosen.workers))
    calls = {
        "one process": score,
        "workers": (*score, *workers),
        "ray": (*score, "--engine", "ray", *workers),
        "keeping rows": (*score, "--rows", str(kept)),
        "from rows": (str(kept),),
    }
    ways: dict[str, dict[str, Any]] = {}
    results: list[Any] = []
    sources = [(name, None) for name in chosen.ways]
    if chosen.before is not None:
        sources = [each for name in chosen.ways for each in ((f"{name} before", chosen.before), (name, None))]
    for name, source in sources * chosen.repeats:
        call = calls[name.removesuffix(" before")]
        if "--rows" in call:
            shutil.rmtree(kept, ignore_errors=True)
        found = measured("score", *call, "--output", str(output), source=source)
        results.append(json.loads(output.read_text(encoding="utf-8"))["metrics"])
        found["equal"] = results[-1] == results[0]
        output.unlink()
        ways[name] = min(found, ways.get(name, found), key=lambda way: way["seconds"])
    slowest = ways.get("one process", found)["seconds"]
    for way in ways.values():
        way |= {"rows_per_second": chosen.rows / way["seconds"], "times_faster": slowest / way["seconds"]}
    return {
        "rows": chosen.rows,
        "bytes": size,
        "bytes_of_rows": sum(path.stat().st_size for path in kept.rglob("*.parquet")),
        "workers": chosen.workers,
        "rounds": chosen.repeats,
        "ways": ways,
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help=".jsonl.gz, each row with sources, values, prediction")
    parser.add_argument("--rows", type=int, default=1_000_000, help="to score (default: 1,000,000)")
    parser.add_argument("--ways", nargs="+", choices=WAYS, default=WAYS)
    parser.add_argument("--workers", type=int, default=2, help="processes, and tasks of Ray (default: 2)")
    parser.add_argument("--before", type=Path, help="checkout of an earlier commit, measured in turn with this one")
    parser.add_argument("--repeats", type=int, default=1, help="rounds, of which the best counts (default: 1)")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        report = bench(read_rows(chosen.data), chosen, Path(folder))
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
