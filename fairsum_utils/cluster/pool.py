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
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from multiprocessing.process import BaseProcess

from fairsum_utils.cluster.crew import DIED, Answer, Lost, News, Ready, Unfit, WorkerId, score_with
from fairsum_utils.cluster.events import Report
from fairsum_utils.cluster.failures import NotWritten
from fairsum_utils.cluster.job import Job, say_found
from fairsum_utils.cluster.manifest import Shard
from fairsum_utils.cluster.shards import Worker
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.io.folders import Folder

__all__ = ["Pool"]

_CONTEXT = multiprocessing.get_context("spawn")
"""Processes that begin anew: a fork would carry over locks that threads of this one hold."""

_NEVER_BEGUN = (
    'what they said stands above. A script that scores with several workers must do so under if __name__ == "__main__":'
)


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
        with _processes(self.n_workers, job, folder) as crew:
            score_with(crew, shards, report=report, say=say_found)


class _Processes:
    """The crew: processes of this machine, each the only one of its executor."""

    def __init__(self, n: int, given: tuple[Job, Folder, Connection]) -> None:
        self.n, self.given = n, given
        self.executors: list[ProcessPoolExecutor] = []
        self.processes: list[BaseProcess] = []
        self.asked: dict[Future[News], WorkerId] = {}
        self.begun: set[WorkerId] = set()

    def room(self) -> int:
        return self.n

    most = room

    def hire(self) -> WorkerId:
        worker = len(self.executors)
        self.executors.append(ProcessPoolExecutor(1, _CONTEXT, initializer=_begin, initargs=self.given))
        with _uninterrupted(signal.SIGINT):
            self.asked[self.executors[worker].submit(Ready, worker)] = worker
        self.processes += (self.executors[worker]._processes or {}).values()
        return worker

    def give(self, worker: WorkerId, shard: Shard) -> None:
        try:
            future = self.executors[worker].submit(_score, worker, shard)
        except BrokenProcessPool as error:  # it died while it had nothing to do
            future = Future()
            future.set_exception(error)
        self.asked[future] = worker

    def dismiss(self, worker: WorkerId) -> None:
        self.executors[worker].shutdown(wait=False, cancel_futures=True)

    def news(self) -> Iterator[News]:
        for future in wait(self.asked, return_when=FIRST_COMPLETED).done:
            worker = self.asked.pop(future)
            news = self.understood(worker, future)
            if isinstance(news, Lost):
                self.dismiss(worker)
            yield news

    def understood(self, worker: WorkerId, future: Future[News]) -> News:
        """What an answer of a process means."""
        try:
            news = future.result()
        except BrokenProcessPool:
            return Lost(worker, DIED if worker in self.begun else _NEVER_BEGUN)
        except NotWritten:
            raise
        except Exception as error:
            return Lost(worker, str(error) if isinstance(error, FairSumError) else f"{type(error).__name__}: {error}")
        self.begun.add(worker)
        return news


@contextmanager
def _processes(n: int, job: Job, folder: Folder) -> Iterator[_Processes]:
    """So many processes, which have all ended afterwards: at once if something is raised."""
    there, here = _CONTEXT.Pipe(duplex=False)
    crew = _Processes(n, (job, folder, there))
    try:
        yield crew
        for executor in crew.executors:
            executor.shutdown()
    finally:
        with _uninterrupted(signal.SIGINT, signal.SIGTERM):  # half of this would be found at the exit
            # A lifeline, on which nothing is ever said: processes stop when its end here closes, as it does with this
            # one.
            here.close()
            there.close()
            for executor in crew.executors:
                executor.shutdown(cancel_futures=True)
            for process in crew.processes:  # an executor that was shut down before does not wait any more
                wait_for([process.sentinel])


@contextmanager
def _uninterrupted(*numbers: signal.Signals) -> Iterator[None]:
    """Meanwhile signals wait, and in processes that are started they wait for ever.

    A terminal interrupts all processes at once. The first one stops the rest, which have nothing to say to it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # or it would be started meanwhile, which ends the waiting
    before = signal.pthread_sigmask(signal.SIG_BLOCK, numbers)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_worker: Worker
"""Of a process of the pool."""


def _begin(job: Job, folder: Folder, lifeline: Connection) -> None:
    """Make a process of the pool ready."""
    global _worker
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # see `_uninterrupted`
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    logging.getLogger("fairsum_utils.io").disabled = True  # what files are said to be is said once
    _worker = Worker(job, folder)


def _end_with(lifeline: Connection) -> None:
    try:
        lifeline.recv_bytes()
    except (EOFError, OSError):
        os._exit(1)


def _score(worker: WorkerId, shard: Shard) -> News:
    try:
        return Answer(worker, _worker.score(shard))
    except InputError as error:  # of no sample: a model that cannot be had
        return Unfit(worker, str(error))
