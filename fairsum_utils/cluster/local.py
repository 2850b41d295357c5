"""Score shards in processes of this machine, which may die."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection

from fairsum_utils.cluster.job import Job
from fairsum_utils.cluster.shards import Shard
from fairsum_utils.cluster.worker import Failed, Outcome, Worker
from fairsum_utils.errors import FairSumError
from fairsum_utils.io.writing import Folder

TRIES = 3
"""Number of attempts to score a shard if its worker dies."""

DIED = f"its worker died, possibly out of memory ({TRIES} times)"

_CONTEXT = multiprocessing.get_context("spawn")
"""Start method of processes: a fork would copy locks held by threads."""


def in_processes(n_workers: int, job: Job, shards: Sequence[Shard], folder: Folder) -> Generator[Outcome, None, None]:
    """Score shards in several processes.

    After a process has died, the shards in progress run again one at a time, to find the one that kills it.
    """
    waiting = deque(shards)
    while waiting:
        n = min(n_workers, len(waiting))
        with _pool(n, job, folder) as pool:
            in_flight = yield from _until_one_dies(pool, n, waiting)
        for shard in in_flight:
            yield _alone(job, shard, folder)


def _until_one_dies(pool: ProcessPoolExecutor, n: int, waiting: deque[Shard]) -> Generator[Outcome, None, list[Shard]]:
    """Score shards until one process dies; return the unfinished ones."""
    in_flight: dict[Future[Outcome], Shard] = {}
    try:
        while waiting or in_flight:
            while waiting and len(in_flight) < n:
                future = pool.submit(_score, waiting[0])
                in_flight[future] = waiting.popleft()
            for future in wait(in_flight, return_when=FIRST_COMPLETED).done:
                outcome = future.result()
                del in_flight[future]
                yield outcome
    except BrokenProcessPool:
        pass
    return list(in_flight.values())


def _alone(job: Job, shard: Shard, folder: Folder) -> Outcome:
    for _ in range(TRIES - 1):
        with _pool(1, job, folder) as pool, suppress(BrokenProcessPool):
            return pool.submit(_score, shard).result()
    return Failed(shard.number, (DIED,))


@contextmanager
def _pool(n: int, job: Job, folder: Folder) -> Iterator[ProcessPoolExecutor]:
    """Start worker processes, and end them all afterwards."""
    lifeline, here = _CONTEXT.Pipe(duplex=False)
    pool = ProcessPoolExecutor(n, _CONTEXT, initializer=_begin, initargs=(job, folder, lifeline))
    try:
        with _interrupts_ignored():
            begun = [pool.submit(os.getpid) for _ in range(n)]
        try:
            begun[0].result()
        except BrokenProcessPool:
            raise FairSumError(
                "score: a worker died before it scored anything; see its error above. In a script, call score with "
                'several workers under if __name__ == "__main__":'
            ) from None
        yield pool
        pool.shutdown()
    finally:
        here.close()
        lifeline.close()
        pool.shutdown(cancel_futures=True)


@contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Ignore Ctrl-C here and in processes started meanwhile."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_worker: Worker
"""Worker of this pool process."""


def _begin(job: Job, folder: Folder, lifeline: Connection) -> None:
    """Make a process of the pool ready."""
    global _worker
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("fairsum_utils.io").disabled = True  # notes about files are printed once
    _worker = Worker(job, folder)


def _end_with(lifeline: Connection) -> None:
    """End this process when the other end of a pipe closes."""
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(1)


def _score(shard: Shard) -> Outcome:
    return score_or_fail(_worker, shard)


def score_or_fail(worker: Worker, shard: Shard) -> Outcome:
    """Score a shard; return unexpected errors instead of raising them."""
    try:
        return worker.score(shard)
    except FairSumError:
        raise
    except Exception as error:
        return Failed(shard.number, (f"{type(error).__name__}: {error}",))
