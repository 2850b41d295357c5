"""What is scored and how: a job that any process can be given, and the rows that it makes of a chunk of samples."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from fairsum_utils._util.secrets import masked
from fairsum_utils.cluster.launched import is_main_process, world_size
from fairsum_utils.errors import InputError
from fairsum_utils.io.columnar import count_rows
from fairsum_utils.io.layout import Chunk, Layout, quality_column, read_chunks, read_systems
from fairsum_utils.io.names import Names
from fairsum_utils.session import Request, Session
from fairsum_utils.session.systems import Quality

__all__ = ["CHUNK", "Job", "Scored", "bad_samples", "say_found", "score_chunk"]

CHUNK = 128
"""Samples that are read and scored together."""


class Scored(NamedTuple):
    """A chunk of samples: their ids, and their rows for each pass of the session; of systems, what else they show."""

    ids: list[str]
    rows: list[list[Any]]
    quality: Quality | None = None


class Job(NamedTuple):
    """What to score and how; small enough to send to a worker.

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
        """How many samples there are, where that is known without reading them."""
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
    """The rows of a chunk of samples.

    Args:
        job: what to score.
        session: of the job.
        chunks: the samples as the file of each system has them.

    Returns:
        One entry a system.

    Raises:
        InputError: a sample is not as described; the message does not say in which row it stands, see `bad_samples`.
    """
    made = session.rows_of_systems([chunk.columns for chunk in chunks], start=chunks[0].start)
    by_file = [[systems[place] for systems in made] for place in range(len(chunks))]
    if not job.others:
        return [Scored(chunks[0].ids, by_file[0])]
    return [Scored(chunk.ids, rows, _quality(job, chunk)) for chunk, rows in zip(chunks, by_file, strict=True)]


def _quality(job: Job, chunk: Chunk) -> Quality:
    others = {name: chunk.columns[quality_column(name).name] for name in job.quality}
    return Quality().add(chunk.columns, others, module=job.module, start=chunk.start)


def bad_samples(job: Job, session: Session, chunks: list[Chunk]) -> Iterator[InputError]:
    """Score samples one by one, to say which are not as described, and where each of them stands.

    Args:
        job: what to score.
        session: of the job.
        chunks: as of `score_chunk`, which has refused them.
    """
    for chunk in chunks:
        for place in range(len(chunk.ids)):
            sample = chunk.only(place)
            try:
                session.rows(sample.columns, start=sample.start, whole=False)
                _quality(job, sample)
            except InputError as error:
                yield InputError(f"{error} ({sample.where()})")
