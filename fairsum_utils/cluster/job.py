"""Jobs: what is scored and how, as any process can be given it and as JSON has it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from fairsum_utils._util.secrets import masked
from fairsum_utils._version import __version__
from fairsum_utils.cluster.engines import is_main_process, world_size
from fairsum_utils.errors import InputError
from fairsum_utils.families.routing import all_columns
from fairsum_utils.io.columnar import count_rows
from fairsum_utils.io.folders import identity_of
from fairsum_utils.io.layout import Chunk, Layout, quality_column, read_chunks, read_systems
from fairsum_utils.io.names import Names, Several, list_names
from fairsum_utils.io.shapes import Shape
from fairsum_utils.results.record import plain
from fairsum_utils.session import Request, Session
from fairsum_utils.session.systems import Quality

CHUNK = 128
"""Samples that are read and scored together."""


class Scored(NamedTuple):
    """A chunk of samples: their ids, and their rows for each pass of the session; of systems, what else they show."""

    ids: list[str]
    rows: list[list[Any]]
    quality: Quality | None = None


class Job(NamedTuple):
    """A job: files, measures and settings; small enough to send to a worker.

    Attributes:
        path: the file.
        layout: which of its columns holds what.
        reading: how it is read, see `fairsum_utils.io.reading.read_rows`.
        requests: the measures.
        module: name used in messages.
        evidence: keep what decided in the rows.
        others: files of other systems on the same samples, which are scored side by side with the first.
        names: of all these systems, in messages.
        quality: columns of numbers to be averaged for each system.
        sources: file of the samples, if those of the systems hold predictions by id only.
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

    def chunks(self, say: Callable[[str], None] | None = None, size: int = CHUNK) -> Iterator[list[Chunk]]:
        """The samples, some at a time: a chunk of each file; `say` takes a line of what was found in them."""
        if not self.others:
            return ([chunk] for chunk in read_chunks(self.path, self.layout, size, say=say, **self.reading))
        paths = (self.path, *self.others)
        return read_systems(
            paths,
            self.layout,
            size,
            names=self.names,
            module=self.module,
            sources=self.sources,
            say=say,
            **self.reading,
        )

    @property
    def files(self) -> tuple[Names, ...]:
        """All that are read: those of the systems, then those with sources or predictions that stand apart."""
        apart = (self.sources, self.layout.predictions)
        return (self.path, *self.others, *(name for name in apart if name is not None))

    @property
    def n_systems(self) -> int:
        """Files that are scored side by side."""
        return 1 + len(self.others)

    def total(self) -> int | None:
        """Return the number of samples if it is known without reading them."""
        return None if self.layout.shape.group_by else count_rows(self.path, self.reading.get("split"))

    def session(self) -> Session:
        """A session of its requests."""
        return Session(self.requests, module=self.module, distributed=world_size() > 1, evidence=self.evidence)

    def has_states(self, n_samples: int) -> bool:
        """Whether results of so many samples can be made of sums in buckets, which add up; else they take all rows."""
        settings = (call.settings for each in self.session().passes for call in each.calls)
        return not self.others and all(each.sized(n_samples).bootstrap == "buckets" for each in settings)

    def uses_model(self, session: Session) -> bool:
        """Whether a neural model scores the samples."""
        given = {column.name for column, _ in self.layout.columns}
        return any(each.family.uses_model(each.measures, each.settings, given) for each in session.passes)


def say_found(line: str) -> None:
    """Say on standard error what was found in a file; of processes that work together, one says it."""
    from fairsum_utils._util.terminal import printable

    if is_main_process():
        print(f"fairsum: {printable(masked(line))}", file=sys.stderr)


def score_chunk(job: Job, session: Session, chunks: list[Chunk]) -> list[Scored]:
    """The rows of a chunk of samples."""
    made = session.rows_of_systems([chunk.columns for chunk in chunks], start=chunks[0].start)
    by_file = [[systems[place] for systems in made] for place in range(len(chunks))]
    if not job.others:
        return [Scored(chunks[0].ids, by_file[0])]
    return [Scored(chunk.ids, rows, _quality(job, chunk)) for chunk, rows in zip(chunks, by_file, strict=True)]


def _quality(job: Job, chunk: Chunk) -> Quality:
    others = {name: chunk.columns[quality_column(name).name] for name in job.quality}
    return Quality().add(chunk.columns, others, module=job.module, start=chunk.start)


def bad_samples(job: Job, session: Session, chunks: list[Chunk]) -> Iterator[InputError]:
    """Score samples one by one, to say which are not as described, and where each of them stands."""
    for chunk in chunks:
        for place in range(len(chunk.ids)):
            sample = chunk.only(place)
            try:
                session.rows(sample.columns, start=sample.start, whole=False)
                _quality(job, sample)
            except InputError as error:
                yield InputError(f"{error} ({sample.where()})")


_OF_A_MACHINE = ("device", "batch_tokens", "cache")
"""Settings that change no number, and may differ from one process of a run to the next."""


def facts_of(job: Job) -> dict[str, Any]:
    """Collect what must not change between two starts of a run."""
    layout = job.layout
    return {
        "version": __version__,
        "files": _identities(job.path),
        "other_files": [_identities(name) for name in job.files[1:]],
        "columns": [[column.name, name] for column, name in layout.columns],
        "shape": _shape(layout.shape),
        "reading": dict(job.reading),
        "measures": [[request.measure, request.label, _told(request.settings)] for request in job.requests],
    }


def _identities(names: Names) -> list[dict[str, Any]]:
    return [identity_of(name).to_dict() for name in list_names(names)]


def _told(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Settings that change numbers: as they are where they are short, and what a file holds that they name."""
    return {name: _short(value) for name, value in settings.items() if name not in _OF_A_MACHINE}


def _short(value: Any) -> Any:
    # Unlike `Path.is_file` it takes any text, such as a prompt, which is too long for a name.
    if isinstance(value, (str, Path)) and os.path.isfile(value):  # noqa: PTH113
        return [str(value), identity_of(value).to_dict()]
    text = json.dumps(value, default=plain)
    return json.loads(text) if len(text) <= _LONG else sha256(text.encode()).hexdigest()


_LONG = 200


def _shape(shape: Shape) -> dict[str, Any]:
    return {name: getattr(shape, name) for name in Shape.infos()}


def job_to_json(job: Job) -> dict[str, Any] | None:
    """A job as JSON has it; None where a setting is something that only Python has."""
    layout = job.layout
    document = {
        "path": _names(job.path),
        "layout": {
            "columns": [[column.name, name, column.sparse] for column, name in layout.columns],
            "shape": _shape(layout.shape),
            "by_id": layout.by_id,
            "predictions": None if layout.predictions is None else _names(layout.predictions),
        },
        "reading": dict(job.reading),
        "requests": [
            [request.measure, request.label, dict(request.settings), request.given and dict(request.given)]
            for request in job.requests
        ],
        "module": job.module,
        "evidence": job.evidence,
        "others": [_names(name) for name in job.others],
        "names": list(map(masked, job.names)),
        "quality": job.quality,
        "sources": None if job.sources is None else _names(job.sources),
    }
    try:
        text = json.dumps(document, default=_path)
    except TypeError:
        return None
    return dict(json.loads(text))


def _path(value: Any) -> str:
    if isinstance(value, Path):
        return str(value)
    raise TypeError


def _names(names: Names) -> str | list[str]:
    """Names as they were given, with patterns; of an address no password and no signature."""
    return masked(os.fspath(names)) if isinstance(names, (str, os.PathLike)) else [masked(os.fspath(n)) for n in names]


def job_from_json(document: Mapping[str, Any]) -> Job:
    """Restore a job from the document of `job_to_json`."""
    requests = tuple(Request(*each) for each in document["requests"])
    known = all_columns([request.measure for request in requests])
    laid = document["layout"]
    columns = tuple(
        ((known.get(name) or quality_column(in_file))._replace(sparse=sparse), in_file)
        for name, in_file, sparse in laid["columns"]
    )
    shape = Shape(**laid["shape"], module=document["module"])
    layout = Layout(columns, shape, laid["by_id"], _named(laid["predictions"]))
    return Job(
        _named(document["path"]),
        layout,
        document["reading"],
        requests,
        document["module"],
        evidence=document["evidence"],
        others=tuple(map(_named, document["others"])),
        names=tuple(document["names"]),
        quality=tuple(document["quality"]),
        sources=_named(document["sources"]),
    )


def _named(names: Any) -> Any:
    """Restore names from the output of `_names`."""
    return Several(names) if isinstance(names, list) else names
