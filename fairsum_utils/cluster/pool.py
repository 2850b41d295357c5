"""Shards on the processors of this machine: processes of `concurrent.futures`, each of which can die alone.

One executor of one process for each worker, rather than one of all: when a process is killed, its executor says so, and
it is known which shard it had; the others do not notice.
"""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from fairsum_utils.cluster.callers import TRIES
from fairsum_utils.cluster.events import Failed, Finished, Report, Started
from fairsum_utils.cluster.failures import NotWritten
from fairsum_utils.cluster.job import Job
from fairsum_utils.cluster.manifest import Shard
from fairsum_utils.cluster.shards import Worker
from fairsum_utils.errors import FairSumError
from fairsum_utils.files.folders import Folder

__all__ = ["Pool"]

_CONTEXT = multiprocessing.get_context("spawn")
"""Processes that begin anew: a fork would carry over locks that threads of this one hold."""


class Pool:
    """A caller that keeps some processes at work; see `fairsum_utils.cluster.callers.Caller`.

    A shard whose process dies is begun again, by a new one. No process outlives this one.

    Args:
        n_workers: processes.
    """

    def __init__(self, n_workers: int) -> None:
        self.n_workers = n_workers

    def __call__(self, job: Job, shards: Sequence[Shard], folder: Folder, *, report: Report) -> None:
        """Have shards scored."""
        waiting, deaths = deque(shards), Counter[int]()
        at_work: dict[Future[Finished | Failed], tuple[_Seat, Shard]] = {}
        with _seats(min(self.n_workers, len(shards)), job, folder) as idle:
            while waiting or at_work:
                while waiting and idle:
                    seat, shard = idle.pop(), waiting.popleft()
                    at_work[seat.submit(shard)] = seat, shard
                    report(Started(shard.number))
                for future in wait(at_work, return_when=FIRST_COMPLETED).done:
                    seat, shard = at_work.pop(future)
                    idle.append(seat)
                    outcome = seat.outcome(future, shard, deaths)
                    if outcome is None:
                        waiting.appendleft(shard)
                    else:
                        report(outcome)


@contextmanager
def _seats(n: int, job: Job, folder: Folder) -> Iterator[list[_Seat]]:
    """Places of so many processes, which have all ended afterwards: at once if something is raised."""
    seats: list[_Seat] = []
    try:
        with _lifeline() as lifeline:
            starts = _Starts()
            seats += [_Seat((job, folder, lifeline), starts) for _ in range(n)]
            yield list(seats)
            for seat in seats:
                seat.executor.shutdown()
    finally:
        for seat in seats:
            seat.executor.shutdown(cancel_futures=True)


class _Starts:
    """Counts processes that end before they do anything: a few may be killed, but if all do, there is a reason."""

    def __init__(self) -> None:
        self._most, self._n_false = TRIES, 0

    def count(self, *, has_begun: bool) -> None:
        """Take in how a process has started.

        Raises:
            FairSumError: several in a row have not.
        """
        if has_begun:
            self._most, self._n_false = _MOST_FALSE_STARTS, 0
            return
        self._n_false += 1
        if self._n_false >= self._most:
            raise FairSumError(
                "no worker could be started; what it said stands above. A script that scores with several workers must "
                'do so under if __name__ == "__main__":'
            )


_MOST_FALSE_STARTS = 20
"""In a row, once one process has begun: it can be done here."""


class _Seat:
    """A place at which one process works; when it dies, another takes it."""

    def __init__(self, given: tuple[Job, Folder, Connection], starts: _Starts) -> None:
        self._given, self._starts = given, starts
        self._start()

    def _start(self) -> None:
        self.executor = ProcessPoolExecutor(1, _CONTEXT, initializer=_begin, initargs=self._given)
        self._ready = self.executor.submit(_is_ready)

    def submit(self, shard: Shard) -> Future[Finished | Failed]:
        return self.executor.submit(_score, shard)

    def outcome(
        self, future: Future[Finished | Failed], shard: Shard, deaths: Counter[int]
    ) -> Finished | Failed | None:
        """What has become of a shard; None if it is to be begun again."""
        try:
            outcome = future.result()
            self._starts.count(has_begun=True)
            return outcome
        except BrokenProcessPool:
            has_begun = self._ready.exception() is None
            self._starts.count(has_begun=has_begun)
            self.executor.shutdown(wait=False)
            self._start()
            if not has_begun:
                return None
            said = "its worker died, perhaps for want of memory"
        except NotWritten:
            raise
        except Exception as error:
            said = str(error) if isinstance(error, FairSumError) else f"{type(error).__name__}: {error}"
        deaths[shard.number] += 1
        return Failed(shard.number, (f"{said} ({TRIES} times)",)) if deaths[shard.number] >= TRIES else None


@contextmanager
def _lifeline() -> Iterator[Connection]:
    """A pipe on which nothing is ever said: all processes stop when its other end closes, as it does with this one."""
    there, here = _CONTEXT.Pipe(duplex=False)
    try:
        yield there
    finally:
        here.close()
        there.close()


_worker: Worker
"""Of a process of the pool."""


def _begin(job: Job, folder: Folder, lifeline: Connection) -> None:
    """Make a process of the pool ready."""
    global _worker
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # of a terminal it goes to all processes; the first one stops the rest
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    logging.getLogger("fairsum_utils.files").disabled = True  # what files are said to be is said once
    _worker = Worker(job, folder)


def _end_with(lifeline: Connection) -> None:
    try:
        lifeline.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)


def _is_ready() -> bool:
    return True


def _score(shard: Shard) -> Any:
    return _worker.score(shard)
