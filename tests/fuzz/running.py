"""One case of a target, which may not hang; a damaged file that shows a fault is kept."""

from __future__ import annotations

import contextlib
import faulthandler
import signal
import traceback
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from fairsum_utils.families import family_of
from tests.conftest import LONG
from tests.fuzz import measures, readers
from tests.fuzz.oracles import Found

SECONDS = 20
"""Processor time that a case may take; a case that takes more hangs."""


def targets() -> list[str]:
    """Return the names of all measures and readers; by day those of one measure of each family and of every third."""
    every = [f"reader/{name}" for name in readers.READERS]
    if LONG:
        return [*measures.MEASURES, *every]
    return [*{family_of(measure): measure for measure in reversed(measures.MEASURES)}.values(), *every[::3]]


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
