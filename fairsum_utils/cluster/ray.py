"""Scoring on Ray: its actors are the workers, on this machine or on the nodes of a cluster."""

from __future__ import annotations

import json
import logging
import os
import socket
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from fairsum_utils._version import __version__
from fairsum_utils.cluster.job import Job, say_found
from fairsum_utils.cluster.local import DIED, Answer, Lost, News, Ready, Unfit, WorkerId, score_with
from fairsum_utils.cluster.manifest import MANIFEST, Failed, Finished, Manifest, Report, Shard
from fairsum_utils.cluster.shards import Worker
from fairsum_utils.errors import InputError, require
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.names import list_names
from fairsum_utils.io.stores import filesystem, is_address
from fairsum_utils.validation import check_count

_OBJECT_STORE = 100_000_000
"""Bytes of shared memory for objects, of which there are next to none: actors read and write files themselves."""

_PATIENCE = 1.0
"""Seconds to wait for news; then nodes are counted again."""

_ANSWER = 10.0
"""Seconds in which a cluster takes a connection."""

_MOST_GPUS = 1024


@dataclass(frozen=True, kw_only=True)
class OnRay:
    """A caller that has shards scored by Ray actors, as many as there is room for; see `cluster.callers.Caller`.

    Each actor has a processor, and GPUs if told to, and keeps its scorers and models. Nodes may join and leave while
    the run goes on. Where this process is not connected to Ray yet, it is for the time of the run: to the cluster at
    `address`, or at the environment variable ``RAY_ADDRESS``, else to a Ray that is started on this machine and ends
    with the run.

    Args:
        address: of a cluster, as ``ray.init`` takes it: ``ray://host:10001``, ``host:6379`` or ``auto``.
        gpus_per_worker: GPUs that an actor is given; may be a part of one, such as 0.5.
        n_workers: actors at a time; none: as many as fit.

    Raises:
        InputError: a value is out of range.
    """

    address: str | None = None
    gpus_per_worker: float = 0
    n_workers: int | None = None

    def __post_init__(self) -> None:
        if self.n_workers is not None:
            check_count("score", "workers", self.n_workers)
        if not (0 < self.gpus_per_worker < 1 or self.gpus_per_worker in range(_MOST_GPUS + 1)):
            raise InputError(
                "score: gpus_per_worker must be a whole number, or a part of one such as 0.5, found "
                f"{self.gpus_per_worker}"
            )

    def __call__(self, job: Job, shards: Sequence[Shard], folder: Folder, *, report: Report) -> None:
        """Have shards scored."""
        with _connected(self) as (ray, is_alone):
            crew = _Actors(ray, self, is_alone, (job, folder, _expected(job, shards, folder, is_alone)))
            crew.check_room(job.uses_model(job.session()))
            score_with(crew, shards, report=report, say=say_found)


@contextmanager
def _connected(how: OnRay) -> Iterator[tuple[Any, bool]]:
    """Ray, and whether it was started on this machine for this run alone."""
    # Read when Ray is imported. What it says of workers that die goes to standard output, and is ours to say.
    os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", "^")
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    os.environ.setdefault("RAY_TQDM_PATCH_PRINT", "0")  # else Python's own print is replaced
    ray = require("ray", extra="ray", purpose="score on a cluster")
    if ray.is_initialized():
        yield ray, False
        return
    address = how.address or os.environ.get("RAY_ADDRESS") or "local"
    started = {"num_cpus": how.n_workers, "include_dashboard": False, "object_store_memory": _OBJECT_STORE}
    is_alone = address == "local"
    _check_answers(address)
    try:
        ray.init(address, log_to_driver=False, logging_level=logging.ERROR, **(started if is_alone else {}))
    except Exception as error:
        said = "Ray does not start" if is_alone else f"no Ray cluster answers at {address}"
        hint = "" if is_alone else "; to one that asks for a token, go with RAY_AUTH_MODE=token in the environment"
        raise InputError(f"score: {said}: {_line(error)}{hint}") from error
    try:
        yield ray, is_alone
    finally:
        ray.shutdown()


def _check_answers(address: str) -> None:
    """Refuse an address without a listener; Ray would retry for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host.strip("[]"), int(port)), timeout=_ANSWER).close()
        except OSError as error:
            raise InputError(f"score: no Ray cluster answers at {address}: {error.strerror or error}") from error


def is_dataset(data: object) -> bool:
    """Whether this is a `ray.data.Dataset`; Ray is not imported to tell."""
    return any(each.__module__.startswith("ray.data.") and each.__name__ == "Dataset" for each in type(data).__mro__)


_WRITTEN, _ABOUT = "input/dataset", "input/dataset.json"


def dataset_files(dataset: Any, folder: Folder) -> list[str]:
    """Have Ray write a data set into the folder of a run, once; nothing of it passes through this process.

    A run that is begun anew in the folder goes on with what was written. What a data set is made of does not show
    where functions made it, so that another one with the same columns and input files is taken for the same: give it
    another folder.
    """
    # No class of Ray's is part of the schema of tables that are the same.
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
        raise InputError(f"{folder}: the run in this folder is of another data set; delete the folder, or name another")
    return [folder.address(name) for name in folder.names(_WRITTEN) if name.endswith(".parquet")]


class _Expected(NamedTuple):
    """Requirements that an actor checks on its node.

    Attributes:
        version: of this package.
        here: working directory, from which paths are meant.
        run: digest of the run's manifest.
        sizes: files that are read where they are, with their bytes.
        is_alone: whether there is no other node.
    """

    version: str
    here: str
    run: str
    sizes: dict[str, int]
    is_alone: bool


def _expected(job: Job, shards: Sequence[Shard], folder: Folder, is_alone: bool) -> _Expected:
    sizes = {}
    if any(shard.parts for shard in shards):
        for name in map(str, list_names(job.path)):
            if not is_address(name) and Path(name).is_file():
                sizes[name] = Path(name).stat().st_size
    return _Expected(__version__, os.getcwd(), Manifest.read(folder).digest, sizes, is_alone)  # noqa: PTH109


class _Unfit(NamedTuple):
    """Why an actor cannot score anything."""

    reason: str


class _Actor:
    """A worker in a process of Ray."""

    def __init__(self, job: Job, folder: Folder, expected: _Expected) -> None:
        self.expected = expected
        self.worker = Worker(job, folder)

    def begin(self) -> tuple[str, str]:
        """Make ready; returns the node's id, and why nothing can be scored here."""
        ray = require("ray", extra="ray", purpose="score on a cluster")
        node = ray.get_runtime_context().get_node_id()
        logging.getLogger("fairsum_utils.io").disabled = True  # what files are said to be is said once
        with suppress(OSError):
            os.chdir(self.expected.here)
        try:
            self.check()
            _ = self.worker.session  # loads the models
        except InputError as error:
            return node, self._told(error)
        return node, ""

    def check(self) -> None:
        """Refuse a node that differs from the machine where the run was begun."""
        version, _, run, sizes, _ = self.expected
        if version != __version__:
            raise InputError(f"has fairsum-utils {__version__}, and the run was begun with {version}; install that one")
        folder = self.worker.folder
        if not folder.exists(MANIFEST) or self.worker.manifest.digest != run:
            raise InputError(
                f"does not see the run's folder {folder}; name one with --checkpoint that all nodes share, or an "
                "address such as s3://bucket/run"
            )
        for name, size in sizes.items():
            if not Path(name).is_file() or Path(name).stat().st_size != size:
                raise InputError(f"does not see the file {name}; put it where all nodes see it, or at an address")

    def score(self, shard: Shard) -> Finished | Failed | _Unfit:
        try:
            return self.worker.score(shard)
        except InputError as error:  # of no sample: a full disk, a model that cannot be had
            return _Unfit(self._told(error))

    def _told(self, error: InputError) -> str:
        """The error with the name of the node, if there are several."""
        return str(error) if self.expected.is_alone else f"node {socket.gethostname()}: {error}"


class _Actors:
    """The crew: actors of Ray."""

    def __init__(self, ray: Any, how: OnRay, is_alone: bool, given: tuple[Job, Folder, _Expected]) -> None:
        self.ray, self.how, self.is_alone, self.given = ray, how, is_alone, given
        self.needs = {"CPU": 1.0, "GPU": how.gpus_per_worker} if how.gpus_per_worker else {"CPU": 1.0}
        self.make = ray.remote(num_cpus=1, num_gpus=how.gpus_per_worker, max_restarts=0)(_Actor)
        self.actors: dict[WorkerId, Any] = {}
        self.nodes: dict[WorkerId, str] = {}
        self.asked: dict[Any, WorkerId] = {}
        self.counted, self.fit = -_PATIENCE, 0
        self.n_hired = 0

    def check_room(self, uses_model: bool) -> None:
        """Refuse to begin where no node could take an actor; of a cluster one may join."""
        gpus = self.how.gpus_per_worker
        if uses_model and not gpus and self.ray.cluster_resources().get("GPU"):
            say_found("there are GPUs, and no worker has one; --gpus-per-worker 1 gives one to each")
        if not self.room():
            lacking = f"{gpus:g} GPU" if gpus else "a processor"
            if self.is_alone:
                raise InputError(f"score: this machine does not have {lacking} for a worker")
            say_found(f"no node of the cluster has {lacking} for a worker; waiting for one that joins")

    def room(self) -> int:
        if time.monotonic() - self.counted >= _PATIENCE:
            nodes = (node["Resources"] for node in self.ray.nodes() if node["Alive"])
            self.fit = sum(_times(resources, self.needs) for resources in nodes)
            self.counted = time.monotonic()
        return min(self.fit, self.how.n_workers or self.fit)

    def most(self) -> int:
        # Actors that wait are what makes a cluster grow by itself.
        wanted = self.room() if self.is_alone else 2 * max(1, self.room())
        return min(wanted, self.how.n_workers or wanted)

    def hire(self) -> WorkerId:
        self.n_hired += 1
        worker = self.n_hired
        self.actors[worker] = self.make.remote(*self.given)
        self.asked[self.actors[worker].begin.remote()] = worker
        return worker

    def give(self, worker: WorkerId, shard: Shard) -> None:
        self.asked[self.actors[worker].score.remote(shard)] = worker

    def dismiss(self, worker: WorkerId) -> None:
        actor = self.actors.pop(worker, None)
        if actor is not None:
            self.ray.kill(actor)

    def news(self) -> Iterator[News]:
        if not self.asked:
            time.sleep(_PATIENCE)
            return
        [*answered], _ = self.ray.wait(list(self.asked), num_returns=1, timeout=_PATIENCE)
        for reference in answered:
            worker = self.asked.pop(reference)
            news = self.understood(worker, reference)
            if isinstance(news, Lost):
                self.dismiss(worker)
            yield news

    def understood(self, worker: WorkerId, reference: Any) -> News:
        """Interpret the answer of an actor."""
        errors = self.ray.exceptions
        try:
            said = self.ray.get(reference)
        except errors.RayTaskError as error:
            return Lost(worker, _line(error.cause))
        except errors.OutOfMemoryError:
            return Lost(worker, "its node ran out of memory")
        except errors.RayError as error:
            gone = {node["NodeID"] for node in self.ray.nodes() if not node["Alive"]}
            if self.nodes.get(worker) in gone:
                return Lost(worker, "its node is gone", with_node=True)
            begun = worker in self.nodes
            return Lost(worker, DIED if begun else _line(error))
        match said:
            case Finished() | Failed():
                return Answer(worker, said)
            case _Unfit(reason=reason):
                return Unfit(worker, reason)
            case node, reason:
                self.nodes[worker] = node
                return Unfit(worker, reason) if reason else Ready(worker)
        raise TypeError(said)


def _times(resources: dict[str, float], needs: dict[str, float]) -> int:
    """Return how many workers the resources suffice for."""
    return min(int(resources.get(name, 0) / least + 1e-9) for name, least in needs.items())


def _line(error: BaseException) -> str:
    """An error of Ray or within it as one line."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[-1][:300]}" if lines else type(error).__name__
