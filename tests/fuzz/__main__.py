"""The command ``python -m tests.fuzz``."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from pathlib import Path

os.environ.setdefault("HF_HUB_OFFLINE", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")


def main(words: list[str] | None = None) -> int:
    """Fuzz; return 1 if anything was found."""
    from tests.fuzz import running

    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="duration (default: 60)")
    parser.add_argument("--seed", type=int, help="seed of all cases")
    parser.add_argument(
        "--only", default="", metavar="NAME,...", help="measures, readers, or some of them (bur,reader/run)"
    )
    parser.add_argument("--folder", type=Path, default=Path("fuzz-findings"), help="folder for damaged files")
    parser.add_argument("--case", type=int, help="number of one case of one target, to run it alone")
    options = parser.parse_args(words)
    try:
        names = running.targets([name for name in options.only.split(",") if name])
    except ValueError as error:
        parser.error(str(error))
    seed = secrets.randbits(32) if options.seed is None else options.seed
    if options.case is not None:
        found = running.run_case(names[0], seed, options.case)
        print(found)
        return int(isinstance(found, running.Failure))
    print(f"seed {seed}", flush=True)
    counts = running.run(names, seed, options.minutes, options.folder, say=lambda line: print(line, flush=True))
    for name, n in counts["cases"].items():
        print(f"{name:32} {n:9,} cases {counts['results'][name]:9,} with a result")
    print(f"found: {dict(counts['found']) or 'nothing'}")
    return int(bool(counts["found"]))


if __name__ == "__main__":
    sys.exit(main())
