"""Jobs: files, measures and settings, and the scoring of a part."""

from __future__ import annotations

import inspect
import json
import os
import pickle
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fairsum_utils._util.secrets import masked
from fairsum_utils._version import __version__
from fairsum_utils.errors import InputError
from fairsum_utils.families.arrow import from_arrow, to_arrow
from fairsum_utils.families.inputs import all_columns
from fairsum_utils.families.table import Table
from fairsum_utils.io.downloads import identity_of, state_of
from fairsum_utils.io.layout import Layout, quality_column
from fairsum_utils.io.names import Names, Several, list_names
from fairsum_utils.io.samples import Chunk, read_chunks
from fairsum_utils.io.shapes import Shape
from fairsum_utils.io.stores import local_path
from fairsum_utils.io.systems import read_systems
from fairsum_utils.measures import get_measure
from fairsum_utils.results.record import plain
from fairsum_utils.run.launch import is_main_process, world_size
from fairsum_utils.session import Request, Session
from fairsum_utils.session.quality import Quality

if TYPE_CHECKING:
    import pyarrow

CHUNK = 128
"""Samples that are read and scored together."""

TOGETHER = 8
"""Chunks of a task."""


class Task(NamedTuple):
    """Samples whose rows are kept in one file: chunks of one part a system.

    Attributes:
        number: number of the task, from 1.
        chunks: samples that are scored together.
        is_last: True if no samples follow.
    """

    number: int
    chunks: list[list[Chunk]]
    is_last: bool


@dataclass
class Scored:
    """Scored samples of one system.

    Attributes:
        ids: ids of the samples.
        kinds: table class of each pass.
        batches: rows of each pass, with evidence, in parts.
    """

    ids: list[str]
    kinds: list[type[Table[Any]]]
    batches: list[list[pyarrow.RecordBatch]]

    def tables(self) -> list[Table[Any]]:
        """Return the rows of each pass, without evidence."""
        found = []
        for kind, parts in zip(self.kinds, self.batches, strict=True):
            table, ids = kind(), iter(self.ids)
            for part in parts:
                table.append(part, islice(ids, len(part)))
            found.append(table)
        return found

    @cached_property
    def rows(self) -> list[list[Any]]:
        """Rows of each pass, with evidence, as Python objects."""
        return [
            list(chain.from_iterable(from_arrow(part, kind.row) for part in parts))
            for kind, parts in zip(self.kinds, self.batches, strict=True)
        ]

    @classmethod
    def joined(cls, chunks: Sequence[Scored]) -> Scored:
        """Put chunks of one system together."""
        batches = [list(chain.from_iterable(parts)) for parts in zip(*(chunk.batches for chunk in chunks), strict=True)]
        return cls([name for chunk in chunks for name in chunk.ids], chunks[0].kinds, batches)


class Job(NamedTuple):
    """Files, measures and settings; small enough to send to a worker.

    Attributes:
        path: the file.
        layout: names of its columns.
        reading: options of the reader, see `fairsum_utils.io.reading.read_rows`.
        requests: the measures.
        module: name used in messages.
        evidence: True if rows include the reasons for their scores.
        others: files of other systems on the same samples, scored side by side with the first.
        names: names of all these systems, for messages.
        quality: columns of numbers to be averaged for each system.
        sources: file of the samples, if the systems' files only have predictions by id.
    """

    path: Names
    layout: Layout
    reading: Mapping[str, Any]
    requests: tuple[Request, ...]
    module: str
    evidence: bool = False
    others: tuple[Names, ...] = ()
    names: tuple[str, ...] = ()
    quality: tuple[str, ...] = ()
    sources: Names | None = None

    def chunks(self, say: Callable[[str], None] | None = None) -> Iterator[list[Chunk]]:
        """Read the samples in chunks, one per system; `say` receives notes."""
        if not self.others:
            return ([chunk] for chunk in read_chunks(self.path, self.layout, CHUNK, say=say, **self.reading))
        how = {"names": self.names, "module": self.module, "sources": self.sources, "say": say, **self.reading}
        return read_systems((self.path, *self.others), self.layout, CHUNK, **how)

    def tasks(self, say: Callable[[str], None] | None = None) -> Iterator[Task]:
        """Read the samples in tasks; one more is read ahead, to know the last."""
        chunks = self.chunks(say)
        number, following = 0, list(islice(chunks, TOGETHER))
        while following:
            number, task, following = number + 1, following, list(islice(chunks, TOGETHER))
            yield Task(number, task, is_last=not following)

    @property
    def files(self) -> tuple[Names, ...]:
        """Return all files: the systems', then separate sources or predictions."""
        apart = (self.sources, self.layout.predictions)
        return (self.path, *self.others, *(name for name in apart if name is not None))

    @property
    def n_systems(self) -> int:
        """Return the number of systems."""
        return 1 + len(self.others)

    @property
    def digest(self) -> str:
        """Digest of what rows depend on besides the data."""
        return sha256(json.dumps(facts_of(self), sort_keys=True).encode()).hexdigest()

    def session(self) -> Session:
        """Return a scoring session."""
        return Session(self.requests, module=self.module, distributed=world_size() > 1, evidence=self.evidence)

    def uses_model(self, session: Session) -> bool:
        """Return whether a neural model scores the samples."""
        given = {column.name for column, _ in self.layout.columns}
        return any(each.settings.uses_model(given) for each in session.passes)


def say_found(line: str) -> None:
    """Print a note about a file from the main process."""
    from fairsum_utils._util.terminal import printable

    if is_main_process():
        print(f"fairsum: {printable(masked(line))}", file=sys.stderr)


def score_chunk(job: Job, session: Session, chunks: Sequence[Chunk]) -> list[Scored]:
    """Score a chunk of samples, one entry a system.

    Raises:
        InputError: a sample is invalid; the message names its place in the file.
    """
    try:
        made = session.rows_of_systems([chunk.columns for chunk in chunks], start=chunks[0].start)
    except InputError as mistake:
        raise (_first_mistake(session, chunks) or mistake) from None
    kinds = kinds_of(session)
    found = []
    for place, chunk in enumerate(chunks):
        batches = [[to_arrow(rows[place], kind.row)] for rows, kind in zip(made, kinds, strict=True)]
        found.append(Scored(chunk.ids, kinds, batches))
    return found


def kinds_of(session: Session) -> list[type[Table[Any]]]:
    """Return the table class of each pass."""
    return [each.family.table for each in session.passes]


def qualities_of(job: Job, chunks: Sequence[Sequence[Chunk]]) -> list[Quality]:
    """Measure lengths and quality of each of several systems' scored samples."""
    return [_quality(job, of_system) for of_system in zip(*chunks, strict=True)] if job.others else []


def _quality(job: Job, chunks: Iterable[Chunk]) -> Quality:
    quality = Quality()
    for sample in (chunk.only(place) for chunk in chunks for place in range(len(chunk.ids))):
        others = {name: sample.columns[quality_column(name).name] for name in job.quality}
        try:
            quality.add(sample.columns, others, module=job.module, start=sample.start)
        except InputError as error:
            raise InputError(f"{error} ({sample.where()})") from None
    return quality


class Data:
    """Files of a job, which must not change while they are read.

    Args:
        job: the job.
    """

    def __init__(self, job: Job) -> None:
        self.job = job
        self._names = [name for each in job.files for name in list_names(each)]
        self._here = [name for name in self._names if local_path(name) is not None]
        self._before = self._states(self._names)

    @property
    def digest(self) -> str:
        """Digest of the files and of how they are read."""
        facts = [self.job.reading, *map(identity_of, self._names)]
        return sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()

    def changed(self, *, everywhere: bool = False) -> str | None:
        """Return a local file, or any, that has changed; None without one."""
        now = self._states(self._names if everywhere else self._here)
        return next((name for name, state in now.items() if state != self._before[name]), None)

    def _states(self, names: Iterable[str]) -> dict[str, Any]:
        return {name: state_of(name) for name in names}


def _first_mistake(session: Session, chunks: Sequence[Chunk]) -> InputError | None:
    """Score samples one by one to find the first invalid one."""
    for chunk in chunks:
        for place in range(len(chunk.ids)):
            sample = chunk.only(place)
            try:
                session.rows(sample.columns, start=sample.start, whole=False)
            except InputError as error:
                return InputError(f"{error} ({sample.where()})")
    return None


_OF_A_MACHINE = {"device", "batch_tokens", "cache"}
"""Settings that change no number and may differ between the processes of a run."""


def facts_of(job: Job) -> dict[str, Any]:
    """Return what rows depend on besides the data: version, columns and settings."""
    facts = {
        "version": __version__,
        "columns": [[column.name, name] for column, name in job.layout.columns],
        "shape": _shape(job.layout.shape),
        "n_systems": job.n_systems,
        "evidence": job.evidence,
        "measures": [[request.measure, request.label, _settings(request)] for request in job.requests],
    }
    return dict(json.loads(json.dumps(facts, default=str)))


def _settings(request: Request) -> dict[str, Any]:
    """Return the effective settings, with defaults filled in."""
    names = request.chosen.infos().keys() - _OF_A_MACHINE
    return {name: _fact(getattr(request.chosen, name)) for name in sorted(names)}


def _fact(value: Any) -> Any:
    """Return a setting as JSON, with digests of files and long texts."""
    # Unlike `Path.is_file`, it accepts any text, such as a prompt that is too long for a file name.
    if isinstance(value, (str, Path)) and os.path.isfile(value):  # noqa: PTH113
        return [str(value), identity_of(value)]
    text = json.dumps(value, default=_fact_of_python)
    return text if len(text) <= _LONG else sha256(text.encode()).hexdigest()


def _fact_of_python(value: Any) -> Any:
    """Return the state and code of an object that only Python has."""
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    if isinstance(value, Mapping):
        return dict(value)
    digest = sha256()
    with suppress(pickle.PicklingError, AttributeError, TypeError):  # lambdas stay in this process
        digest.update(pickle.dumps(value))
    with suppress(OSError, TypeError):  # no source at a prompt
        digest.update(inspect.getsource(value if hasattr(value, "__qualname__") else type(value)).encode())
    return [plain(value), digest.hexdigest()]


_LONG = 200


def _shape(shape: Shape) -> dict[str, Any]:
    return {name: getattr(shape, name) for name in Shape.infos()}


def job_to_json(job: Job) -> dict[str, Any] | None:
    """Return a job as JSON values; None if a setting needs Python."""
    layout = job.layout
    document = {
        **job._asdict(),
        "path": _names(job.path),
        "layout": {
            "columns": [[column.name, name, column.sparse] for column, name in layout.columns],
            "shape": _shape(layout.shape),
            "by_id": layout.by_id,
            "predictions": _names(layout.predictions),
        },
        "requests": [
            [request.measure, request.label, request.chosen.given(), request.given and dict(request.given)]
            for request in job.requests
        ],
        "others": [_names(name) for name in job.others],
        "names": list(map(masked, job.names)),
        "sources": _names(job.sources),
    }
    try:
        return dict(json.loads(json.dumps(document, default=_path)))
    except TypeError:
        return None


def _path(value: Any) -> str:
    if isinstance(value, Path):
        return str(value)
    raise TypeError


def _names(names: Names | None) -> str | list[str] | None:
    """Return file names without passwords or signatures."""
    if names is None:
        return None
    return masked(os.fspath(names)) if isinstance(names, (str, os.PathLike)) else [masked(os.fspath(n)) for n in names]


def job_from_json(document: Mapping[str, Any]) -> Job:
    """Restore a job from the document of `job_to_json`."""
    requests = tuple(
        Request(get_measure(name)(**settings), label, given) for name, label, settings, given in document["requests"]
    )
    known = all_columns([request.measure for request in requests])
    laid = document["layout"]
    columns = tuple(
        ((known.get(name) or quality_column(in_file))._replace(sparse=sparse), in_file)
        for name, in_file, sparse in laid["columns"]
    )
    shape = Shape.make(laid["shape"], module=document["module"])
    restored = {
        "path": _several(document["path"]),
        "layout": Layout(columns, shape, laid["by_id"], _several(laid["predictions"])),
        "requests": requests,
        "others": tuple(map(_several, document["others"])),
        "names": tuple(document["names"]),
        "quality": tuple(document["quality"]),
        "sources": _several(document["sources"]),
    }
    return Job(**{**document, **restored})


def _several(names: Any) -> Any:
    """Restore names from the output of `_names`."""
    return Several(names) if isinstance(names, list) else names
