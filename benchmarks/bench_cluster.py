"""One process, several and Ray on the same rows, and merging of many states.

    python benchmarks/bench_cluster.py --data FILE.jsonl.gz --rows 1000000 [--output results.json]

**Ways**: the rows of `--data`, again and again under new ids, are written as Parquet; whole commands `fairsum score`
score them in turn: in one process, with `--workers`, and with `--engine ray`. Seconds are those of the whole command,
its start included; memory is the most that the command's own process held, the driver, without its workers. The results
of all must be the same to the bit.

**States**: a process merges the states of 1,000 shards of 100,000 rows each, read from files one after the other as
`fairsum score --merge` does, and makes the results. Twenty of the states are different, the others come again; each is
a real one, of the rows of `--data` under ids of its own. The result must have as many samples as all states together.
"""

from __future__ import annotations

import argparse
import json
import os
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
ROW_GROUP = 10_000

# A program that says in the last line of standard error what it needed; its work binds `said`.
MEASURED = """
import json, pathlib, resource, sys, time
began = time.perf_counter()
{work}
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1 << 20 if sys.platform == "darwin" else 1 << 10)
status = pathlib.Path("/proc/self/status")
if status.exists():  # on Linux the first figure is at least that of the process that started this one
    peak = int(status.read_text().partition("VmHWM:")[2].split()[0]) / 1024
sys.stderr.write("\\n" + json.dumps({{"peak_mb": peak, "processor_seconds": time.process_time(), "said": said}}))
"""

SCORE = """
said = None
from fairsum_utils.cli import main
if main(sys.argv[1:]):
    sys.exit(1)
"""

MERGE = """
from itertools import cycle, islice
from pathlib import Path
from fairsum_utils.measures import get_measure
from fairsum_utils.session import Request, Session
from fairsum_utils.session.state import State

folder, n_states, *measures = sys.argv[1:]
files = islice(cycle(sorted(Path(folder).iterdir())), int(n_states))
state = State.from_bytes(next(files).read_bytes())
for file in files:
    state.merge(State.from_bytes(file.read_bytes()))
merged = time.perf_counter() - began
with Session([Request(get_measure(name)(confidence_level=0.95)) for name in measures]) as session:
    results = session.results(state)
said = {"merge_seconds": merged, "n_samples": [result["n_samples"] for result in results.values()]}
"""


def measured(work: str, *arguments: str, source: Path | None = None) -> dict[str, Any]:
    """Run a program in its own process; return peak memory, output and seconds."""
    began = time.perf_counter()
    command = [sys.executable, "-P", "-c", MEASURED.format(work=work), *arguments]
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


def bench_ways(rows: list[dict[str, Any]], chosen: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Measure each way's fastest round, and compare its results with the first way's."""
    file, output = folder / "rows.parquet", folder / "results.json"
    size = write_parquet(repeated(rows, chosen.rows), file)
    workers = ["--workers", str(chosen.workers)]
    options = {"one process": [], "workers": workers, "ray": ["--engine", "ray", *workers]}
    ways: dict[str, dict[str, Any]] = {}
    results: list[Any] = []
    sources = [(name, None) for name in chosen.ways]
    if chosen.before is not None:
        sources = [each for name in chosen.ways for each in ((f"{name} before", chosen.before), (name, None))]
    for name, source in sources * chosen.repeats:
        command = ("score", str(file), "--metrics", ",".join(METRICS), "--output", str(output))
        found = measured(SCORE, *command, *options[name.removesuffix(" before")], source=source)
        results.append(json.loads(output.read_text(encoding="utf-8"))["metrics"])
        found["equal"] = results[-1] == results[0]
        output.unlink()
        ways[name] = min(found, ways.get(name, found), key=lambda way: way["seconds"])
    slowest = ways.get("one process", found)["seconds"]
    for way in ways.values():
        way |= {"rows_per_second": chosen.rows / way["seconds"], "times_faster": slowest / way["seconds"]}
    return {"rows": chosen.rows, "bytes": size, "workers": chosen.workers, "rounds": chosen.repeats, "ways": ways}


def bench_states(rows: list[dict[str, Any]], chosen: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Measure merging the states of many shards."""
    from fairsum_utils.measures import get_measure
    from fairsum_utils.session import Request, Session

    states = folder / "states"
    states.mkdir()
    columns = {"predictions": "prediction", "sources": "sources", "values": "values"}
    with Session([Request(get_measure(name)(confidence_level=0.95)) for name in METRICS]) as session:
        scored = session.rows({name: [row[key] for row in rows] for name, key in columns.items()})
        for number in range(chosen.distinct):
            session.reset()
            for start in range(0, chosen.shard_rows, len(rows)):
                n = min(len(rows), chosen.shard_rows - start)
                ids = [f"{number}-{start + place}" for place in range(n)]
                session.add_rows([made[:n] for made in scored], ids)
            session.take_columns(columns)
            (states / f"{number:05}.arrow").write_bytes(session.state().to_bytes())
    sizes = [file.stat().st_size for file in states.iterdir()]
    found = measured(MERGE, str(states), str(chosen.states), *METRICS)
    n_samples = chosen.states * chosen.shard_rows
    return {
        "states": chosen.states,
        "samples": n_samples,
        "bytes_a_state": sum(sizes) / len(sizes),
        "seconds": found["seconds"],
        "merge_seconds": found["said"]["merge_seconds"],
        "processor_seconds": found["processor_seconds"],
        "peak_mb": found["peak_mb"],
        "complete": set(found["said"]["n_samples"]) == {n_samples},
    }


def main(arguments: list[str] | None = None) -> dict[str, Any]:
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help=".jsonl.gz, each row with sources, values, prediction")
    parser.add_argument("--rows", type=int, default=1_000_000, help="to score; 0 for none (default: 1,000,000)")
    parser.add_argument(
        "--ways", nargs="+", choices=("one process", "workers", "ray"), default=["one process", "workers", "ray"]
    )
    parser.add_argument("--workers", type=int, default=2, help="processes, and actors of Ray (default: 2)")
    parser.add_argument("--before", type=Path, help="checkout of an earlier commit, measured in turn with this one")
    parser.add_argument("--repeats", type=int, default=1, help="rounds, of which the best counts (default: 1)")
    parser.add_argument("--states", type=int, default=1_000, help="to merge; 0 for none (default: 1,000)")
    parser.add_argument("--shard-rows", type=int, default=100_000, help="rows of a state (default: 100,000)")
    parser.add_argument("--distinct", type=int, default=20, help="states that differ (default: 20)")
    chosen = parser.parse_args(arguments)
    rows = read_rows(chosen.data)
    report: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        if chosen.rows:
            report["ways"] = bench_ways(rows, chosen, Path(folder))
        if chosen.states:
            report["states"] = bench_states(rows, chosen, Path(folder))
    return finish(report, chosen.output)


if __name__ == "__main__":
    main()
