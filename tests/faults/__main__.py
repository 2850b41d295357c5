"""Kill commands at random moments for as long as it takes.

    python -m tests.faults --kills 1000 [--seed N] [--only NAME ...] [--scratch DIR] [--output FILE.json]

Every command that writes is sent SIGKILL, SIGTERM and SIGINT at random moments, once or several times in a row, and then
left alone. Printed is, for each command and signal, how often it was killed, how many runs then made what an undisturbed
one makes, and what was left: processes, and temporary files that the next run had to clear. What went wrong is written
to the file, with the seed that makes it happen again.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from .cases import CASES, Case
from .harness import Bench, Outcome, Services, killed

SIGNALS = (signal.SIGKILL, signal.SIGTERM, signal.SIGINT)


def plan(cases: Sequence[Case], n_kills: int, seed: int) -> list[tuple[Case, int, int, int]]:
    """What is done: case, signal, kills in a row, seed. Every case is killed by every signal, some more often.

    Args:
        cases: that can run.
        n_kills: of all together.
        seed: of everything that is drawn.
    """
    chance = random.Random(seed)
    turns = [(case, number) for case in cases for number in SIGNALS]
    planned: list[tuple[Case, int, int, int]] = []
    left = n_kills
    while left > 0:
        if len(planned) < len(turns):
            case, number = turns[len(planned)]
        else:
            case, number = chance.choices(turns, [case.share for case, _ in turns])[0]
        n = min(left, chance.choice((1, 1, 2, 3)))
        planned.append((case, number, n, seed * 1_000_003 + len(planned)))
        left -= n
    return planned


def table(outcomes: Sequence[Outcome]) -> str:
    """What has become of all."""
    rows: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        rows[outcome.case, outcome.how].append(outcome)
    lines = [f"{'command':<26}{'signal':<9}{'kills':>6}{'ended':>7}{'reruns':>7}{'equal':>7}{'orphans':>8}{'litter':>7}"]
    total = [0] * 6
    for (case, how), found in sorted(rows.items()):
        counts = [
            sum(len(one.statuses) for one in found),
            sum(status not in (0, 1) for one in found for status in one.statuses),
            len(found),
            sum(not one.wrong for one in found),
            sum(one.orphans for one in found),
            sum(one.litter for one in found),
        ]
        total = [before + n for before, n in zip(total, counts, strict=True)]
        lines.append(f"{case:<26}{how:<9}" + _cells(counts))
    return "\n".join([*lines, f"{'all':<35}" + _cells(total)])


def _cells(counts: Sequence[int]) -> str:
    return "".join(f"{n:>{width}}" for n, width in zip(counts, (6, 7, 7, 7, 8, 7), strict=True))


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
    parser.add_argument(
        "--fresh", type=int, default=5, metavar="N", help="every N-th round starts afresh, others fork (default: 5)"
    )
    parser.add_argument("--output", type=Path, metavar="FILE.json")
    options = parser.parse_args()
    cases = [case for case in CASES if case.can_run and (not options.only or case.name in options.only)]
    planned = plan(cases, options.kills, options.seed)
    outcomes: list[Outcome] = []
    services = Services()
    with tempfile.TemporaryDirectory(prefix="faults-", dir=options.scratch) as folder:
        bench = Bench(Path(folder), services)
        began = time.monotonic()
        for place, (case, number, n, seed) in enumerate(planned):
            if options.round not in (None, place):
                continue
            nest = None if place % options.fresh == 0 else bench.nest(case)
            outcome = killed(bench, case, number, random.Random(seed), n, nest=nest)
            outcomes.append(outcome)
            if outcome.wrong:
                print(f"round {place}, {case.name}, {outcome.how}, {outcome.statuses}: {'; '.join(outcome.wrong)}")
            if place % 25 == 24:
                print(f"{place + 1} of {len(planned)} rounds, {time.monotonic() - began:.0f} s", file=sys.stderr)
            sys.stdout.flush()
        bench.close()
    services.close()
    print(table(outcomes))
    wrong = [{**asdict(one), "round": place} for place, one in enumerate(outcomes) if one.wrong]
    if options.output is not None:
        document = {"seed": options.seed, "kills": options.kills, "rounds": [asdict(one) for one in outcomes]}
        options.output.write_text(json.dumps({**document, "wrong": wrong}, indent=1) + "\n", encoding="utf-8")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
