"""Shards on the processors of this machine, in processes that may die."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from multiprocessing.process import BaseProcess
from typing import NamedTuple, Protocol

from fairsum_utils.cluster.job import Job, say_found
from fairsum_utils.cluster.manifest import Failed, Finished, NotWritten, Report, Shard, Started
from fairsum_utils.cluster.shards import TRIES, Worker
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.io.folders import Folder

_NODES = 10
"""How often a node may vanish with a shard's worker: machines are taken away, which is no fault of a shard."""

_STILLBORN = 20
"""How many workers in a row may die before they are ready, where one was once ready: some may be killed."""

DIED = "its worker died, perhaps for want of memory"
"""The reason where none is known."""

WorkerId = int


class Ready(NamedTuple):
    """A worker that was asked for is there, with its models."""

    worker: WorkerId


class Unfit(NamedTuple):
    """A worker cannot score anything: it does not see the files, has no model, or cannot write."""

    worker: WorkerId
    reason: str


class Answer(NamedTuple):
    """The answer of a worker about its shard."""

    worker: WorkerId
    event: Finished | Failed


class Lost(NamedTuple):
    """A worker is no more.

    Attributes:
        worker: that was asked for, or was at work.
        reason: one line, such as "its worker died".
        with_node: its whole node is gone, or was taken from us.
    """

    worker: WorkerId
    reason: str
    with_node: bool = False


News = Ready | Unfit | Answer | Lost


class Crew(Protocol):
    """The workers of a cluster."""

    def room(self) -> int:
        """Return how many workers fit on the present nodes."""

    def most(self) -> int:
        """Return how many workers to request; those beyond `room` wait for new nodes."""

    def hire(self) -> WorkerId:
        """Ask for a worker; `Ready` says when it is there."""

    def give(self, worker: WorkerId, shard: Shard) -> None:
        """Have a worker that has nothing to do score a shard."""

    def dismiss(self, worker: WorkerId) -> None:
        """Stop a worker, also a busy one."""

    def news(self) -> Iterable[News]:
        """Wait briefly, and return the news."""


def score_with(crew: Crew, shards: Sequence[Shard], *, report: Report, say: Callable[[str], None]) -> None:
    """Have a crew score shards; as many workers as there is room for, each of them one shard after another.

    A shard whose worker dies is given to another one, after those that wait; one whose workers died `TRIES` times is
    reported as `Failed`. A worker that is unfit is left where it is, so that none is started in its place.
    """
    _Run(crew, shards, report, say).run()


class _Run:
    """Workers, what they are doing, and the shards that wait."""

    def __init__(self, crew: Crew, shards: Sequence[Shard], report: Report, say: Callable[[str], None]) -> None:
        self.crew, self.report, self.say = crew, report, say
        self.waiting = deque(shards)
        self.awaited: set[WorkerId] = set()
        self.idle: list[WorkerId] = []
        self.busy: dict[WorkerId, Shard] = {}
        self.unfit: dict[WorkerId, str] = {}
        self.deaths: Counter[int] = Counter()
        self.vanished: Counter[int] = Counter()
        self.stillborn, self.has_begun = 0, False

    def run(self) -> None:
        try:
            while self.waiting or self.busy:
                self.match_crew()
                self.hand_out()
                for news in self.crew.news():
                    self.take(news)
        finally:
            for worker in [*self.awaited, *self.idle, *self.busy, *self.unfit]:
                self.crew.dismiss(worker)

    def match_crew(self) -> None:
        """Request workers for waiting shards, and dismiss those without work."""
        lacking = len(self.waiting) - len(self.idle) - len(self.awaited)
        at_most = self.crew.most() - sum(map(len, (self.awaited, self.idle, self.busy, self.unfit)))
        for _ in range(min(lacking, at_most)):
            self.awaited.add(self.crew.hire())
        if not self.waiting:
            for worker in [*self.awaited, *self.idle]:
                self.crew.dismiss(worker)
            self.awaited.clear()
            self.idle.clear()

    def hand_out(self) -> None:
        while self.waiting and self.idle:
            worker, shard = self.idle.pop(), self.waiting.popleft()
            self.busy[worker] = shard
            self.crew.give(worker, shard)
            self.report(Started(shard.number))

    def take(self, news: News) -> None:
        """Handle the news of a worker, unless it was dismissed meanwhile."""
        worker = news.worker
        if worker not in self.awaited and worker not in self.busy:
            if isinstance(news, Lost):
                self.unfit.pop(worker, None)
                self.idle = [other for other in self.idle if other != worker]
            return
        self.awaited.discard(worker)
        shard = self.busy.pop(worker, None)
        match news:
            case Ready():
                self.stillborn, self.has_begun = 0, True
                self.idle.append(worker)
            case Answer(event=event):
                self.idle.append(worker)
                self.report(event)
            case Unfit(reason=reason):
                self.leave_out(worker, shard, reason)
            case Lost(reason=reason, with_node=with_node):
                self.replace(shard, reason, with_node)

    def leave_out(self, worker: WorkerId, shard: Shard | None, reason: str) -> None:
        is_new = reason not in self.unfit.values()
        self.unfit[worker] = reason
        if not self.idle and not self.busy and len(self.unfit) >= self.crew.room():
            raise InputError(f"score: {reason}")
        if is_new:
            self.say(reason)
        if shard is not None:
            self.waiting.appendleft(shard)

    def replace(self, shard: Shard | None, reason: str, with_node: bool) -> None:
        if shard is None:
            self.stillborn += not with_node
            # Where none was ever ready, as soon as each has died that there is room for: there is a reason then.
            if self.stillborn >= (_STILLBORN if self.has_begun else max(TRIES, self.crew.room())):
                raise FairSumError(
                    f"score: {self.stillborn} workers in a row died before they could score anything: {reason}"
                )
            return
        counts, least = (self.vanished, _NODES) if with_node else (self.deaths, TRIES)
        counts[shard.number] += 1
        if counts[shard.number] < least:
            self.waiting.append(shard)
        else:
            self.report(Failed(shard.number, (f"{reason} ({least} times)",)))


_CONTEXT = multiprocessing.get_context("spawn")
"""Processes that begin anew: a fork would carry over locks that threads of this one hold."""

_NEVER_BEGUN = (
    'what they said stands above. A script that scores with several workers must do so under if __name__ == "__main__":'
)


class Pool:
    """A caller that keeps some processes at work; see `fairsum_utils.cluster.shards.Caller`.

    A shard whose process dies is begun again, by a new one. No process outlives this one.
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
        """Interpret the answer of a process."""
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
    """Start `n` processes, and end all of them afterwards; at once on an error."""
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
