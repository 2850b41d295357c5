"""The command ``python -m tests.fuzz``."""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import sys
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")


def main(words: list[str] | None = None) -> int:
    """Fuzz; returns 1 if anything was found."""
    from tests.fuzz import running

    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="to go on for (default: 60)")
    parser.add_argument(
        "--seed", type=int, help="of all that is drawn; a folder's runs of one seed go on from each other"
    )
    parser.add_argument(
        "--only", default="", metavar="NAME,...", help="measures, readers, or some of them (bur,reader/state)"
    )
    parser.add_argument("--processes", type=int, default=1, help="that work (default: 1)")
    parser.add_argument("--folder", type=Path, default=Path("fuzz-findings"), help="for what is found")
    parser.add_argument("--case", type=int, help="of one target: run this case alone, and raise what it finds")
    options = parser.parse_args(words)
    try:
        names = running.targets([name for name in options.only.split(",") if name])
    except ValueError as error:
        parser.error(str(error))
    if options.case is not None:
        found = running.run_case(names[0], options.seed or 0, options.case)
        print(found)
        return int(isinstance(found, running.Failure))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # what was counted is kept
    seed = secrets.randbits(32) if options.seed is None else options.seed
    print(f"seed {seed}; what is found goes to {options.folder}", flush=True)
    counts = running.run(
        names,
        seed,
        options.minutes,
        options.folder,
        processes=options.processes,
        say=lambda line: print(line, flush=True),
    )
    print(counts.table())
    return int(any(counts.found.values()))


if __name__ == "__main__":
    sys.exit(main())
