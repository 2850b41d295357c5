"""Long runs: cases one after the other in a process of their own, which may hang or crash; what is found is kept."""

from __future__ import annotations

import contextlib
import faulthandler
import json
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

from tests.fuzz import measures, readers, reproducing
from tests.fuzz.oracles import Found

SECONDS = 20
"""Of processor time that a case may take; a case that takes more hangs."""

_SLICE = 0.5
"""Seconds for which a target is stayed with, so that cheap and dear ones take turns."""


def targets(only: Sequence[str] = ()) -> list[str]:
    """What is fuzzed: measures, and files as ``reader/name``.

    Args:
        only: names of measures, ``measures``, ``readers`` or ``reader/...``; none for all.

    Raises:
        ValueError: there is none of the name.
    """
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
        raise Hang

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
    """Something that was found.

    Attributes:
        target: see `targets`.
        seed: of the run.
        number: of the case.
        oracle: that found it.
        message: what was found.
        where: the last line of the package that was at work, if an error was raised.
        case: to reproduce it with; None where it cannot be drawn again.
    """

    target: str
    seed: int
    number: int
    oracle: str
    message: str
    where: str
    case: Any


def run_case(target: str, seed: int, number: int) -> bool | Failure:
    """Draw a case and check it.

    Returns:
        Whether it gave a result, rather than a documented error; or what was found.
    """
    rng = Random(f"{seed}/{target}/{number}")
    family, _, name = target.partition("/")
    try:
        with limited():
            return readers.run(name, rng) if name else measures.run(family, rng)
    except Hang as hang:
        return Failure(target, seed, number, "hang", f"more than {SECONDS} s", _where(hang), None)
    except Found as found:
        cause = found.__cause__
        return Failure(target, seed, number, found.oracle, found.message, _where(cause), found.case)


def _where(error: BaseException | None) -> str:
    frames = traceback.extract_tb(error.__traceback__) if error is not None else []
    ours = [frame for frame in frames if "fairsum_utils" in frame.filename]
    return f"{Path(ours[-1].filename).name}:{ours[-1].lineno}" if ours else ""


class Counts:
    """How many cases were run: by target, those with a result among them, those by oracle that found something."""

    def __init__(self) -> None:
        self.cases: Counter[str] = Counter()
        self.results: Counter[str] = Counter()
        self.found: Counter[str] = Counter()

    def table(self) -> str:
        """A line a target."""
        lines = [f"{name:32} {self.cases[name]:9,} cases {self.results[name]:9,} with a result" for name in self.cases]
        inputs = sum(n for name, n in self.cases.items() if not name.startswith("reader/"))
        files = sum(n for name, n in self.cases.items() if name.startswith("reader/"))
        found = ", ".join(f"{n} {oracle}" for oracle, n in self.found.items()) or "nothing"
        return "\n".join([*lines, f"{inputs:,} inputs and {files:,} damaged files; found: {found}"])


class _Shared:
    """What a worker is at, for whoever looks after it."""

    def __init__(self, context: Any) -> None:
        self.place = context.Value("q", -1, lock=False)
        self.number = context.Value("q", 0, lock=False)


def _work(
    names: Sequence[str], seed: int, starts: dict[str, int], step: int, until: float, pipe: Any, shared: _Shared
) -> None:
    """Run cases in turns until the time is up; tell each slice's counts, and every failure."""
    faulthandler.enable()
    _limit_memory()
    logging.disable(logging.CRITICAL)
    numbers = dict(starts)
    while time.monotonic() < until:
        for place, name in enumerate(names):
            began, cases, results = time.process_time(), 0, 0
            while time.process_time() - began < _SLICE and time.monotonic() < until:
                shared.place.value, shared.number.value = place, numbers[name]
                done = run_case(name, seed, numbers[name])
                numbers[name] += step
                cases += 1
                if isinstance(done, Failure):
                    pipe.send(("found", reproducing.smaller(done)))
                else:
                    results += done
            pipe.send(("done", name, cases, results, numbers[name]))
    pipe.send(("end",))


def _limit_memory() -> None:
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))


def run(
    names: Sequence[str],
    seed: int,
    minutes: float,
    folder: Path,
    *,
    processes: int = 1,
    say: Callable[[str], None] = print,
) -> Counts:
    """Fuzz for some minutes.

    Args:
        names: see `targets`.
        seed: of all that is drawn; a run of the same seed goes on where the last one in the folder stopped.
        minutes: to go on for.
        folder: keeps what was found, and how far each seed has come.
        processes: that work.
        say: takes lines for people.
    """
    folder.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + 60 * minutes
    counts = Counts()
    reached = _read_reached(folder, seed)
    crew = [_Worker(list(names), seed, reached, place, processes, until) for place in range(processes)]
    told = time.monotonic()
    try:
        while any(worker.is_at_work for worker in crew):
            for worker in crew:
                for failure in worker.listen(counts, reached):
                    path, is_new = reproducing.save(failure, folder)
                    counts.found[failure.oracle] += 1
                    if is_new:
                        what = f"{failure.oracle}: {failure.message[:200]} {failure.where}"
                        say(f"{failure.target} {failure.number}: {what} -> {path}")
            if time.monotonic() - told > 60:
                told = time.monotonic()
                total, found = sum(counts.cases.values()), sum(counts.found.values())
                say(f"{total:,} cases, {found} found, {(until - told) / 60:.0f} min to go")
                _write_reached(folder, seed, reached)
    finally:
        for worker in crew:
            worker.stop()
        _write_reached(folder, seed, reached)
        with (folder / "runs.jsonl").open("a", encoding="utf-8") as file:
            line = {
                "seed": seed,
                "minutes": minutes,
                "cases": counts.cases,
                "results": counts.results,
                "found": counts.found,
            }
            file.write(json.dumps(line) + "\n")
    return counts


class _Worker:
    """A process that works, and is started again where a case has killed it."""

    def __init__(
        self, names: list[str], seed: int, starts: dict[str, int], place: int, step: int, until: float
    ) -> None:
        self.context = multiprocessing.get_context("spawn")
        self.names, self.seed, self.place, self.step, self.until = names, seed, place, step, until
        self.numbers = {name: _from(starts.get(name, 0), place, step) for name in names}
        self.is_at_work = True
        self._start()

    def _start(self) -> None:
        self.pipe, theirs = self.context.Pipe(duplex=False)
        self.shared = _Shared(self.context)
        arguments = (self.names, self.seed, self.numbers, self.step, self.until, theirs, self.shared)
        self.process = self.context.Process(target=_work, args=arguments, daemon=True)
        self.process.start()
        theirs.close()

    def listen(self, counts: Counts, reached: dict[str, int]) -> Iterator[Failure]:
        """What the process has found meanwhile."""
        while self.is_at_work and self.pipe.poll(0.2):
            try:
                kind, *said = self.pipe.recv()
            except EOFError:
                yield self._crashed(counts)
                return
            if kind == "found":
                yield said[0]
            elif kind == "done":
                name, cases, results, number = said
                counts.cases[name] += cases
                counts.results[name] += results
                self.numbers[name] = number
                reached[name] = max(reached.get(name, 0), number)
            else:
                self.is_at_work = False

    def _crashed(self, counts: Counts) -> Failure:
        """A case has ended the process; the next one goes on after it."""
        self.process.join()
        name, number = self.names[self.shared.place.value], self.shared.number.value
        code = self.process.exitcode
        self.numbers[name] = number + self.step
        counts.cases[name] += 1
        if time.monotonic() < self.until:
            self._start()
        else:
            self.is_at_work = False
        oracle = "hang" if code == 1 else "crash"
        return Failure(name, self.seed, number, oracle, f"the process ended with status {code}", "", None)

    def stop(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()


def _from(number: int, place: int, step: int) -> int:
    """The first number from here on that is this worker's."""
    return number + (place - number) % step


def _read_reached(folder: Path, seed: int) -> dict[str, int]:
    path = folder / f"reached-{seed}.json"
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def _write_reached(folder: Path, seed: int, reached: dict[str, int]) -> None:
    path = folder / f"reached-{seed}.json"
    part = path.with_suffix(".part")
    part.write_text(json.dumps(reached), encoding="utf-8")
    part.replace(path)
