"""Long runs: case after case in a process that may hang or crash; damaged files that show a fault are kept."""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import multiprocessing
import signal
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from tests.fuzz import measures, readers
from tests.fuzz.oracles import Found

SECONDS = 20
"""Processor time that a case may take; a case that takes more hangs."""

_SLICE = 0.5
"""Seconds before the next target has its turn."""


def targets(only: Sequence[str] = ()) -> list[str]:
    """Return the names of measures and readers: all, those of a group ("measures", "readers"), or those named."""
    groups = {"measures": list(measures.MEASURES), "readers": [f"reader/{name}" for name in readers.READERS]}
    known = [*groups["measures"], *groups["readers"]]
    chosen: list[str] = []
    for name in only or groups:
        if name not in groups and name not in known:
            raise ValueError(f"there is no target {name!r}; there are measures, readers, {', '.join(known)}")
        chosen += groups.get(name, [name])
    return list(dict.fromkeys(chosen))


class Hang(BaseException):
    """A case takes too long."""


@contextlib.contextmanager
def limited(seconds: float = SECONDS) -> Iterator[None]:
    """Raise `Hang` after so many seconds of processor time; where not even that helps, the process ends."""

    def stop(*_: object) -> None:
        raise Hang(f"more than {seconds} s")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    faulthandler.dump_traceback_later(max(10 * seconds, 120), exit=True)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGPROF, before)


class Failure(NamedTuple):
    """A fault of a case, and the damaged file that shows it."""

    oracle: str
    message: str
    where: str = ""
    file: tuple[str, bytes] | None = None


def run_case(target: str, seed: int, number: int) -> bool | Failure:
    """Draw a case and check it; return whether it gave a result rather than a documented error, or its fault."""
    rng = Random(f"{seed}/{target}/{number}")
    family, _, name = target.partition("/")
    try:
        with limited():
            return readers.run(name, rng) if name else measures.run(family, rng)
    except (Found, Hang) as error:
        frames = traceback.extract_tb((error.__cause__ or error).__traceback__)
        ours = [f"{Path(frame.filename).name}:{frame.lineno}" for frame in frames if "fairsum_utils" in frame.filename]
        oracle = error.oracle if isinstance(error, Found) else "hang"
        return Failure(oracle, str(error), ours[-1] if ours else "", getattr(error, "file", None))


def run(
    names: Sequence[str], seed: int, minutes: float, folder: Path, *, say: Callable[[str], None] = print
) -> dict[str, Counter[str]]:
    """Fuzz for some minutes; return the numbers of cases and of results by target, and of faults by oracle."""
    folder.mkdir(parents=True, exist_ok=True)
    counts: dict[str, Counter[str]] = {"cases": Counter(), "results": Counter(), "found": Counter()}
    until = time.monotonic() + 60 * minutes
    while time.monotonic() < until:
        ours, theirs = multiprocessing.get_context("spawn").Pipe(duplex=False)
        arguments = (list(names), seed, dict(counts["cases"]), until, theirs)
        process = multiprocessing.get_context("spawn").Process(target=_work, args=arguments, daemon=True)
        process.start()
        theirs.close()
        name, number = names[0], 0
        with contextlib.suppress(EOFError):
            while True:
                name, number, done = ours.recv()
                if done is None:  # a case begins
                    continue
                counts["cases"][name] += 1
                counts["results"][name] += done is True
                if isinstance(done, Failure):
                    _tell(name, seed, number, done, folder, counts, say)
        process.join()
        if process.exitcode:
            counts["cases"][name] += 1
            _tell(name, seed, number, Failure("crash", f"status {process.exitcode}"), folder, counts, say)
    return counts


def _tell(
    name: str,
    seed: int,
    number: int,
    failure: Failure,
    folder: Path,
    counts: dict[str, Counter[str]],
    say: Callable[[str], None],
) -> None:
    """Print what was found and how to run it again, and keep its file."""
    counts["found"][failure.oracle] += 1
    say(f"{failure.oracle}: {failure.message[:300]} {failure.where}")
    say(f"    python -m tests.fuzz --seed {seed} --only {name!r} --case {number}")
    if failure.file is not None:
        kept, content = failure.file
        (folder / f"{name.replace('/', '-')}-{seed}-{number}{Path(kept).suffix}").write_bytes(content)


def _work(names: Sequence[str], seed: int, reached: dict[str, int], until: float, pipe: Any) -> None:
    """Run cases of each target in turns until the time is up."""
    import resource

    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
    logging.disable(logging.CRITICAL)
    numbers = Counter(reached)
    while time.monotonic() < until:
        for name in names:
            began = time.process_time()
            while time.process_time() - began < _SLICE and time.monotonic() < until:
                pipe.send((name, numbers[name], None))
                pipe.send((name, numbers[name], run_case(name, seed, numbers[name])))
                numbers[name] += 1
