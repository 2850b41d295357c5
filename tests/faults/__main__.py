"""Kill commands at random moments for as long as it takes.

    python -m tests.faults --kills 1000 [--seed N] [--only NAME ...] [--scratch DIR] [--output FILE.json]

Every command that writes is sent SIGKILL, SIGTERM and SIGINT at random moments, several times in a row, and then left
alone. Printed is, for each command and signal: how often it was run to be killed, and was killed before its end; how
many runs came after that, and made what an undisturbed one makes; and what was left: processes, and temporary files
that the next run had to clear. What goes wrong is printed with the number of its round; --round and the same seed
repeat it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from .cases import CASES, Case
from .harness import Bench, Outcome, Services, killed

IN_A_ROW = (3, 15)
"""Least and most kills before a run is left alone."""

WIDTHS = (6, 7, 7, 7, 8, 7)
SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def plan(cases: Sequence[Case], seed: int) -> Iterator[tuple[Case, int, int, int]]:
    """What is done, without end: case, signal, kills in a row, seed. Every case gets every signal, some more often.

    Args:
        cases: that can run.
        seed: of everything that is drawn.
    """
    chance = random.Random(seed)
    turns = [(case, number) for case in cases for number in SIGNALS]
    for place in itertools.count():
        if place < len(turns):
            case, number = turns[place]
        else:
            case, number = chance.choices(turns, [case.share for case, _ in turns])[0]
        yield case, number, chance.randint(*IN_A_ROW), seed * 1_000_003 + place


def table(outcomes: Sequence[Outcome]) -> str:
    """What has become of all."""
    rows: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        rows[outcome.case, outcome.how].append(outcome)
    lines = [f"{'command':<26}{'signal':<9}{'runs':>6}{'kills':>7}{'reruns':>7}{'equal':>7}{'orphans':>8}{'litter':>7}"]
    total = [0] * len(WIDTHS)
    for (case, how), found in sorted(rows.items()):
        counts = [
            sum(len(one.statuses) for one in found),
            sum(one.kills for one in found),
            len(found),
            sum(not one.wrong for one in found),
            sum(one.orphans for one in found),
            sum(one.litter for one in found),
        ]
        total = [before + n for before, n in zip(total, counts, strict=True)]
        lines.append(f"{case:<26}{how:<9}" + _cells(counts))
    return "\n".join([*lines, f"{'all':<35}" + _cells(total)])


def _cells(counts: Sequence[int]) -> str:
    return "".join(f"{n:>{width}}" for n, width in zip(counts, WIDTHS, strict=True))


def main() -> int:
    """Kill, and print what was found; 1 if something is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.faults", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", metavar="NAME", help="cases by their names")
    parser.add_argument("--scratch", type=Path, metavar="DIR", help="folder on a fast disk")
    parser.add_argument("--round", type=int, metavar="N", help="only this round of the plan, to see it again")
    parser.add_argument("--output", type=Path, metavar="FILE.json")
    options = parser.parse_args()
    # A shell has what runs in the background ignore an interruption, and what that starts would ignore it, too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    cases = [case for case in CASES if case.can_run and (not options.only or case.name in options.only)]
    outcomes: list[Outcome] = []
    services = Services()
    with tempfile.TemporaryDirectory(prefix="faults-", dir=options.scratch) as folder:
        bench = Bench(Path(folder), services)
        began, n_kills = time.monotonic(), 0
        for place, (case, number, n, seed) in enumerate(plan(cases, options.seed)):
            if n_kills >= options.kills or (options.round is not None and place > options.round):
                break
            if options.round not in (None, place):
                continue
            outcome = killed(bench, case, number, random.Random(seed), min(n, options.kills - n_kills))
            outcomes.append(outcome)
            n_kills += outcome.kills
            if outcome.wrong:
                print(f"round {place}, {case.name}, {outcome.how}, {outcome.statuses}: {'; '.join(outcome.wrong)}")
            if place % 25 == 24:
                print(f"{n_kills} kills in {place + 1} rounds, {time.monotonic() - began:.0f} s", file=sys.stderr)
                write(options.output, outcomes, options.seed)
            sys.stdout.flush()
    services.close()
    print(table(outcomes))
    write(options.output, outcomes, options.seed)
    return 1 if any(one.wrong for one in outcomes) else 0


def write(path: Path | None, outcomes: Sequence[Outcome], seed: int) -> None:
    """Write what was found so far, if a file is named for it."""
    if path is not None:
        found = [{**asdict(one), "kills": one.kills} for one in outcomes]
        path.write_text(json.dumps({"seed": seed, "rounds": found}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
