"""Engines that score tasks: processes of this machine, or Ray."""

from __future__ import annotations

import logging
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager, suppress
from multiprocessing.connection import Connection
from typing import TypeAlias

from fairsum_utils.errors import FairSumError, InputError, require
from fairsum_utils.io.samples import Chunk
from fairsum_utils.run.job import Job
from fairsum_utils.run.launch import ENGINES, world_size
from fairsum_utils.run.rows import Worker
from fairsum_utils.session import Session
from fairsum_utils.validation import check_choice, check_count


class WorkerDied(FairSumError):
    """Death of a process although the input is good."""

    exit_status = 1


Chunks: TypeAlias = Sequence[Sequence[Chunk]]
"""Samples of a task, see `fairsum_utils.run.job.Task`."""

Submit: TypeAlias = Callable[[Chunks], Callable[[], bytes]]
"""Begin a task, and return what waits for its rows."""

MOST_WORKERS = 512
"""Processes of one machine."""


def sendable(task: Chunks) -> Chunks:
    """Copy the samples of a task for other processes, with their places."""
    return [[_with_places(chunk) for chunk in chunks] for chunks in task]


def _with_places(chunk: Chunk) -> Chunk:
    indices = range(chunk.start, chunk.start + len(chunk.ids)) if chunk.places is None else chunk.places
    return chunk._replace(place_of={index: chunk.place_of(index) for index in indices}.__getitem__)


@contextmanager
def in_processes(job: Job, workers: int) -> Iterator[Submit]:
    """Score in processes of this machine, which end with this one.

    Raises:
        WorkerDied: a process died.
    """
    context = multiprocessing.get_context("spawn")  # a fork would copy locks that threads hold
    lifeline, here = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, context, initializer=_begin, initargs=(job, lifeline))

    def submit(task: Chunks) -> Callable[[], bytes]:
        with _died():
            future: Future[bytes] = pool.submit(_score, sendable(task))

        def result() -> bytes:
            with _died():
                return future.result()

        return result

    try:
        with _interrupts_ignored(), _died():
            begun = [pool.submit(os.getpid) for _ in range(workers)]
        with _died(" before it scored anything; in a script, score under if __name__ == '__main__':"):
            begun[0].result()
        yield submit
        pool.shutdown()
    finally:
        here.close()
        lifeline.close()
        pool.shutdown(cancel_futures=True)


_MEMORY = ", possibly out of memory; with --rows finished rows are kept, and the same command goes on"


@contextmanager
def _died(when: str = _MEMORY) -> Iterator[None]:
    """Explain the death of a worker."""
    try:
        yield
    except BrokenProcessPool:
        raise WorkerDied(f"score: a worker process died{when}") from None


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


def _begin(job: Job, lifeline: Connection) -> None:
    """Make a process of the pool ready."""
    global _worker
    threading.Thread(target=_end_with, args=(lifeline,), daemon=True).start()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("fairsum_utils.io").disabled = True  # notes about files are printed once
    _worker = Worker(job)


def _end_with(lifeline: Connection) -> None:
    """End this process when the other end of a pipe closes."""
    with suppress(EOFError, OSError):
        lifeline.recv_bytes()
    os._exit(1)


def _score(task: Chunks) -> bytes:
    return _worker.score(task)


@contextmanager
def on_ray(job: Job, address: str | None, gpus: float, workers: int | None) -> Iterator[Submit]:
    """Score on Ray.

    The cluster is that at `address` or $RAY_ADDRESS, else one of this machine, which ends with the run.

    Args:
        job: the job.
        address: address of a cluster, as for ``ray.init``.
        gpus: GPUs of a worker; may be a fraction.
        workers: number of CPUs of a cluster that is begun; None for those of this machine.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray = require("ray", extra="ray", purpose="score on a cluster")
    begun = not ray.is_initialized()
    if begun:
        address = address or os.environ.get("RAY_ADDRESS") or "local"
        alone = {"num_cpus": workers, "include_dashboard": False} if address == "local" else {}
        try:
            with _sigterm_kept():
                ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **alone)
        except Exception as error:
            raise InputError(f"score: no Ray at {address}: {type(error).__name__}: {error}") from error
    try:
        task = ray.remote(num_cpus=1, num_gpus=gpus, max_calls=0)(_score_there)
        given = ray.put(job)

        def submit(chunks: Chunks) -> Callable[[], bytes]:
            reference = task.remote(given, sendable(chunks))

            def result() -> bytes:
                try:
                    found: bytes = ray.get(reference)
                except ray.exceptions.RayTaskError as error:
                    raise error.cause if isinstance(error.cause, FairSumError) else error from None
                except ray.exceptions.RayError as error:
                    raise WorkerDied(f"score: a task failed on Ray: {error}") from None
                return found

            return result

        yield submit
    finally:
        if begun:
            ray.shutdown()


@contextmanager
def _sigterm_kept() -> Iterator[None]:
    """Keep this process's answer to SIGTERM; Ray's exits or aborts."""
    before, ended = signal.getsignal(signal.SIGTERM), False
    try:
        yield
    except SystemExit:
        ended = True
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)
    if ended:
        signal.raise_signal(signal.SIGTERM)


_workers: dict[str, Worker] = {}
"""Worker of this Ray process, by the digest of its job."""


def _score_there(job: Job, task: Chunks) -> bytes:
    """Score in a Ray process, whose models stay in memory."""
    logging.getLogger("fairsum_utils.io").disabled = True
    worker = _workers.setdefault(job.digest, Worker(job))
    return worker.score(task)


def engine_of(
    job: Job,
    session: Session,
    *,
    engine: str | None = None,
    workers: int | None = None,
    address: str | None = None,
    gpus_per_worker: float | None = None,
) -> AbstractContextManager[Submit] | None:
    """Return the context of an engine; None to score in this process.

    Raises:
        InputError: options of Ray without it or beside accelerate launch, settings that other processes cannot get, or
            a model that each process would load.
    """
    if engine is not None:
        check_choice("score", "engine", engine, ENGINES)
        if world_size() > 1:
            raise InputError(f"score: {engine} starts its own processes; run this without accelerate launch")
        if workers is not None:
            check_count("score", "workers", workers)
        gpus = gpus_per_worker or 0
        if not (0 < gpus < 1 or gpus in range(1025)):
            raise InputError(f"score: gpus_per_worker must be a whole number or a fraction such as 0.5, found {gpus}")
        return on_ray(job, address, gpus, workers)
    for name, value in (("address", address), ("gpus_per_worker", gpus_per_worker)):
        if value is not None:
            raise InputError(f'score: {name} needs an engine; add engine="ray" or omit it')
    check_count(job.module, "workers", 1 if workers is None else workers, most=MOST_WORKERS)
    if workers in (None, 1):
        return None
    if job.uses_model(session):
        raise InputError(
            f"{job.module}: --workers {workers} would load the model {workers} times; omit it. For several devices "
            "run: accelerate launch -m fairsum_utils score ..."
        )
    return in_processes(job, workers)
