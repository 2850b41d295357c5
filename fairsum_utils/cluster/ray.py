"""Scoring of shards on Ray, on this machine or a cluster."""

from __future__ import annotations

import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from fairsum_utils._version import __version__
from fairsum_utils.cluster import ending
from fairsum_utils.cluster.job import Job
from fairsum_utils.cluster.local import DIED, TRIES, score_or_fail
from fairsum_utils.cluster.shards import MANIFEST, Manifest, Shard
from fairsum_utils.cluster.worker import Failed, NotWritten, Outcome, Worker
from fairsum_utils.errors import InputError, require
from fairsum_utils.io.stores import filesystem, is_address
from fairsum_utils.io.writing import Folder
from fairsum_utils.validation import check_count

_OBJECT_STORE = 100_000_000
"""Bytes of shared memory for objects; little is needed, because workers read and write files themselves."""

_ANSWER = 10.0
"""Seconds to wait for a connection to a cluster."""

_MOST_GPUS = 1024

_IN_FLIGHT = 4096
"""Maximum shards submitted to Ray at a time: whenever one ends, Ray checks all of them."""

_SETTINGS = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_TQDM_PATCH_PRINT": "0",  # otherwise Ray replaces Python's print
    "RAY_DEDUP_LOGS_SKIP_REGEX": "^",  # Ray prints notes on dead workers to standard output
    "RAY_task_oom_retries": str(TRIES - 1),  # otherwise a shard that is too large is retried forever
}
"""Variables that are read when Ray is imported."""


@dataclass(frozen=True, kw_only=True)
class OnRay:
    """Has Ray score shards; see `fairsum_utils.cluster.scoring.Engine`.

    If this process is not connected to Ray yet, it connects for this run: to the cluster at `address` or
    ``RAY_ADDRESS``, otherwise to a Ray that is started on this machine and ends with the run.

    Attributes:
        address: Address of a cluster, as for ``ray.init``: ``ray://host:10001``, ``host:6379`` or ``auto``.
        gpus_per_worker: GPUs that a shard needs; may be a fraction, such as 0.5.
        n_workers: Number of parallel shards; None for the maximum that fits.
    """

    address: str | None = None
    gpus_per_worker: float = 0
    n_workers: int | None = None

    def __post_init__(self) -> None:
        if self.n_workers is not None:
            check_count("score", "workers", self.n_workers)
        if not (0 < self.gpus_per_worker < 1 or self.gpus_per_worker in range(_MOST_GPUS + 1)):
            raise InputError(
                f"score: gpus_per_worker must be a whole number or a fraction such as 0.5, found {self.gpus_per_worker}"
            )

    def __call__(self, job: Job, shards: Sequence[Shard], folder: Folder) -> Generator[Outcome, None, None]:
        """Score each shard in a task; retry if a worker dies."""
        if not shards:
            return
        with _connected(self) as (ray, is_alone):
            if is_alone and ray.cluster_resources().get("GPU", 0) < self.gpus_per_worker:
                raise InputError(f"score: this machine does not have {self.gpus_per_worker:g} GPU free for a worker")
            task = ray.remote(max_retries=TRIES - 1, max_calls=0, num_cpus=1, num_gpus=self.gpus_per_worker)(_score)
            expected = _Expected(__version__, str(Path.cwd()), Manifest.read(folder).digest)
            given = ray.put((job, folder, expected))
            waiting, most = list(reversed(shards)), min(self.n_workers or _IN_FLIGHT, _IN_FLIGHT)
            in_flight: dict[Any, Shard] = {}
            try:
                while waiting or in_flight:
                    while waiting and len(in_flight) < most:
                        shard = waiting.pop()
                        in_flight[task.remote(given, shard)] = shard
                    reference = _first_of(ray, in_flight)
                    yield _outcome(ray, reference, in_flight[reference])
                    del in_flight[reference]
            finally:
                for reference in in_flight:
                    ray.cancel(reference, force=True)


def _first_of(ray: Any, in_flight: Iterable[Any]) -> Any:
    """Wait for the first task to end."""
    try:
        [reference], _ = ray.wait(list(in_flight))
    except SystemError as error:  # raised by a signal within Ray's compiled code
        raise error.__cause__ or error from None
    return reference


def _outcome(ray: Any, reference: Any, shard: Shard) -> Outcome:
    try:
        outcome: Outcome = ray.get(reference)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, (InputError, NotWritten)):
            raise error.cause from None
        return Failed(shard.number, (_line(error.cause or error),))
    except ray.exceptions.OutOfMemoryError:
        return Failed(shard.number, (f"its node ran out of memory ({TRIES} times)",))
    except ray.exceptions.RayError:
        return Failed(shard.number, (DIED,))
    return outcome


@contextmanager
def _connected(how: OnRay) -> Iterator[tuple[Any, bool]]:
    """Connect to Ray; return it, and whether this run started it."""
    for name, value in _SETTINGS.items():
        os.environ.setdefault(name, value)
    ray = require("ray", extra="ray", purpose="score on a cluster")
    if ray.is_initialized():
        yield ray, False
        return
    address = how.address or os.environ.get("RAY_ADDRESS") or "local"
    started = {"num_cpus": how.n_workers, "include_dashboard": False, "object_store_memory": _OBJECT_STORE}
    is_alone = address == "local"
    _check_answers(address)
    with _ending() if is_alone and os.name == "posix" else nullcontext():
        try:
            with _sigterm_kept():
                ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **(started if is_alone else {}))
        except Exception as error:
            failure = "Ray does not start" if is_alone else f"no Ray cluster answers at {address}"
            hint = "" if is_alone else "; if the cluster requires a token, set RAY_AUTH_MODE=token"
            raise InputError(f"score: {failure}: {_line(error)}{hint}") from error
        try:
            yield ray, is_alone
        finally:
            ray.shutdown()


@contextmanager
def _ending() -> Iterator[None]:
    """Kill Ray's remaining processes at the end, even after a crash."""
    psutil = require("psutil", extra="ray", purpose="find Ray's processes")
    packages = Path(psutil.__path__[0]).parent
    command = [sys.executable, "-P", ending.__file__, str(os.getpid()), str(packages)]
    pipe, null = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdin=pipe, stdout=null, stderr=null, start_new_session=True):
        yield


@contextmanager
def _sigterm_kept() -> Iterator[None]:
    """Keep the SIGTERM handler, which Ray replaces."""
    handler = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, handler)


def _check_answers(address: str) -> None:
    """Refuse an address without a listener; Ray would retry for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER).close()
        except OSError as error:
            raise InputError(f"score: no Ray cluster answers at {address}: {error.strerror or error}") from error


class _Expected(NamedTuple):
    """Worker requirements: version, working directory and manifest digest."""

    version: str
    here: str
    run: str


_workers: dict[str, Worker] = {}
"""Digest of a run -> worker of this process."""


def _score(given: tuple[Job, Folder, _Expected], shard: Shard) -> Outcome:
    """Score a shard in a Ray process, with models kept in memory."""
    job, folder, expected = given
    if expected.run not in _workers:
        try:
            worker = Worker(job, folder)
            _prepare(worker, expected)
            _ = worker.session
        except InputError as error:
            raise InputError(f"score: node {socket.gethostname()}: {error}") from None
        _workers[expected.run] = worker
    return score_or_fail(_workers[expected.run], shard)


def _prepare(worker: Worker, expected: _Expected) -> None:
    """Check that a node matches the machine that began the run."""
    logging.getLogger("fairsum_utils.io").disabled = True  # notes about files are printed once
    with suppress(OSError):
        os.chdir(expected.here)
    if expected.version != __version__:
        raise InputError(
            f"has fairsum-utils {__version__}, but the run was begun with {expected.version}; install the same version"
        )
    if not worker.folder.exists(MANIFEST) or worker.manifest.digest != expected.run:
        raise InputError(
            f"cannot see the run's folder {worker.folder}; give --checkpoint a folder that all nodes share, or an "
            "address such as s3://bucket/run"
        )


def is_dataset(data: object) -> bool:
    """Return whether this is a `ray.data.Dataset`, without importing Ray."""
    return any(each.__module__.startswith("ray.data.") and each.__name__ == "Dataset" for each in type(data).__mro__)


_WRITTEN, _ABOUT = "input/dataset", "input/dataset.json"


def dataset_files(dataset: Any, folder: Folder) -> list[str]:
    """Write a Ray data set into the run folder, once.

    Another data set with the same columns and input files counts as the same, because the functions that made it are
    unknown. Use another folder for it.
    """
    # Ray's own schema classes differ between equal tables.
    schema = [[name, str(kind)] for name, kind in zip(dataset.schema().names, dataset.schema().types, strict=True)]
    about = {"columns": schema, "files": sorted(dataset.input_files())}
    if not folder.exists(_ABOUT):
        place, store = folder.made().address(_WRITTEN), None
        if is_address(place):
            store, place = filesystem(place)
        options, ordered = dataset.context.execution_options, dataset.context.execution_options.preserve_order
        options.preserve_order = True
        try:
            dataset.write_parquet(place if store else str(Path(place).absolute()), filesystem=store, mode="overwrite")
        finally:
            options.preserve_order = ordered
        folder.write(_ABOUT, json.dumps(about).encode())
    elif json.loads(folder.read(_ABOUT)) != about:
        raise InputError(f"{folder}: the run in this folder has another data set; delete the folder or name another")
    return [folder.address(name) for name in folder.names(_WRITTEN) if name.endswith(".parquet")]


def _line(error: BaseException) -> str:
    """Return an error of Ray or a task as one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[-1][:300]}" if lines else type(error).__name__
