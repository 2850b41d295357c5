"""A run that is killed again and again: whether it ends with the results of one that is left alone, and at what cost.

    python benchmarks/bench_kills.py --data FILE.jsonl.gz --kills 100 [--output results.json]

A file of rows is scored with two workers, in two shards for each kill. Whenever a shard has been finished, at a random
moment soon after, the process that runs the whole or one of its workers is killed (SIGKILL), drawn by chance; the same
command is started again if need be. The results must be those of a run of one process that nobody disturbs, to the bit,
every shard must be there, and no process may be left.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from harness import finish, make_parser, read_rows

METRICS = "bur,uer,auc,sof"

SCORE = """
import json, sys
from pathlib import Path
from fairsum_utils.cluster import score

if __name__ == "__main__":
    path, folder, metrics, workers, n_rows, output = sys.argv[1:]
    sizes = {"workers": int(workers), "rows_per_shard": int(n_rows)}
    found = score(path, metrics, folder=folder, confidence_level=0.95, **sizes)
    Path(output).write_text(json.dumps(found))
"""


class Victim:
    """A command that is started, killed, and started again.

    Args:
        command: with its arguments.
        folder: of its run.
        seed: of who is killed, and when.
    """

    def __init__(self, command: Sequence[str], folder: Path, seed: int) -> None:
        self.command, self.folder = command, folder
        self.chance = random.Random(seed)
        self.kills: Counter[str] = Counter()
        self.starts = 0

    def run(self, n_kills: int) -> None:
        """Let it come to its end, though it is killed so often.

        Args:
            n_kills: how often, if it takes that long.
        """
        while True:
            process = subprocess.Popen(self.command, start_new_session=True)
            self.starts += 1
            self._kill(process, n_kills)
            if process.wait() == 0:
                return
            if process.returncode != -signal.SIGKILL:
                raise SystemExit(f"the run ended by itself, with status {process.returncode}")

    def _kill(self, process: subprocess.Popen[bytes], n_kills: int) -> None:
        """Kill its workers, until it is the turn of the process itself, or there was enough of it."""
        while process.poll() is None and self.kills.total() < n_kills:
            before = finished(self.folder)
            while process.poll() is None and finished(self.folder) == before:
                time.sleep(0.002)
            time.sleep(self.chance.random() / 20)
            workers = children(process.pid)
            if workers and self.chance.random() < 0.5:
                os.kill(self.chance.choice(workers), signal.SIGKILL)
                self.kills["workers"] += 1
            elif process.poll() is None:
                process.kill()
                self.kills["drivers"] += 1
                return


def finished(folder: Path) -> int:
    """Shards of a run that are finished."""
    return len(list(folder.glob("state/*.state")))


def children(pid: int) -> list[int]:
    """The workers that a process has started."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            is_child = int(place.read_text().rpartition(")")[2].split()[1]) == pid
            if is_child and b"spawn_main" in place.with_name("cmdline").read_bytes():
                found.append(int(place.parent.name))
        except OSError:  # it has ended
            continue
    return found


def left(folder: Path) -> int:
    """Processes that still work in the folder of a run."""
    n = 0
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            n += str(folder).encode() in place.read_bytes() and int(place.parent.name) != os.getpid()
        except OSError:
            continue
    return n


def bench(rows: list[dict[str, Any]], n_kills: int, rows_per_shard: int, seed: int) -> dict[str, Any]:
    """Kill a run so often, and look at what it has made.

    Args:
        rows: that are scored again and again under new ids.
        n_kills: how often.
        rows_per_shard: in one shard; there are two for each kill.
        seed: of who is killed, and when.
    """
    n_rows = 2 * n_kills * rows_per_shard
    with tempfile.TemporaryDirectory(prefix="fairsum-") as made:
        folder = Path(made)
        with (folder / "rows.jsonl").open("w", encoding="utf-8") as file:
            for number, row in enumerate(islice(cycle(rows), n_rows)):
                file.write(json.dumps({**row, "id": f"{number}"}) + "\n")
        (folder / "score.py").write_text(SCORE, encoding="utf-8")

        def command(name: str, workers: int) -> list[str]:
            places = (folder / "score.py", folder / "rows.jsonl", folder / name, METRICS)
            sizes = (workers, rows_per_shard, folder / f"{name}.json")
            return [sys.executable, "-W", "ignore", *map(str, (*places, *sizes))]

        began = time.perf_counter()
        subprocess.run(command("alone", 1), check=True)
        alone = time.perf_counter() - began
        victim = Victim(command("killed", 2), folder / "killed", seed)
        began = time.perf_counter()
        victim.run(n_kills)
        seconds = time.perf_counter() - began
        time.sleep(2)
        return {
            "rows": n_rows,
            "shards": finished(folder / "alone"),
            "kills": dict(victim.kills),
            "starts": victim.starts,
            "seconds": seconds,
            "seconds_alone": alone,
            "equal": (folder / "killed.json").read_bytes() == (folder / "alone.json").read_bytes(),
            "complete": finished(folder / "killed") == finished(folder / "alone"),
            "left_files": [path.name for path in (folder / "killed").rglob(".*.part")],
            "left_processes": left(folder / "killed"),
        }


def main(arguments: Sequence[str] | None = None) -> dict[str, Any]:
    """Measure, print, and write JSON."""
    parser = make_parser(__doc__)
    parser.add_argument("--data", type=Path, required=True, help="rows with sources, values and prediction (.jsonl.gz)")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--rows-per-shard", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(arguments)
    found = bench(read_rows(chosen.data), chosen.kills, chosen.rows_per_shard, chosen.seed)
    return finish({"kills": found}, chosen.output)


if __name__ == "__main__":
    main()
