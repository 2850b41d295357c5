"""Scoring a file in one process or several, in order, and picking up where an interrupted run stopped.

Every worker reads the file itself and scores every n-th chunk, so that no text travels between processes; a worker
waits while its pipe is full, so that memory stays flat.
"""

from __future__ import annotations

import json
import logging
import multiprocessing
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any, NamedTuple

from fairsum_utils.bars import bar
from fairsum_utils.cli.options import is_main_process, world_size
from fairsum_utils.errors import InputError
from fairsum_utils.files.counting import count_rows
from fairsum_utils.files.names import STANDARD_INPUT, Names, list_names
from fairsum_utils.inputs.layout import Chunk, Layout, read_chunks
from fairsum_utils.inputs.systems import quality_column, read_systems
from fairsum_utils.session import Request, Session
from fairsum_utils.systems import Quality
from fairsum_utils.validation import check_count

__all__ = ["Job", "Scored", "scored", "scored_into", "scored_systems"]

CHUNK = 128
"""Samples that are scored, sent and written together."""


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
        reading: how it is read, see `fairsum_utils.files.reading.read_rows`.
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

    def chunks(self, say: Callable[[str], None] | None = None) -> Iterator[list[Chunk]]:
        """The samples, some at a time: a chunk of each file; `say` takes a line of what was found in them."""
        if not self.others:
            return ([chunk] for chunk in read_chunks(self.path, self.layout, CHUNK, say=say, **self.reading))
        paths = (self.path, *self.others)
        return read_systems(
            paths,
            self.layout,
            CHUNK,
            names=self.names,
            module=self.module,
            sources=self.sources,
            say=say,
            **self.reading,
        )

    def total(self) -> int | None:
        """How many samples there are, where that is known without reading them."""
        return None if self.layout.shape.group_by else count_rows(self.path, self.reading.get("split"))

    def session(self) -> Session:
        """A session of its requests."""
        return Session(self.requests, module=self.module, distributed=world_size() > 1, evidence=self.evidence)

    def uses_model(self, session: Session) -> bool:
        """Whether a neural model scores the samples."""
        given = {column.name for column, _ in self.layout.columns}
        return any(each.family.uses_model(each.measures, each.settings, given) for each in session.passes)


def scored(job: Job, session: Session, *, workers: int = 1, checkpoint: Path | None = None) -> Iterator[Scored]:
    """Score a file chunk by chunk, in its order.

    Args:
        job: file, columns and requests.
        session: of the job, for this process; each other one makes its own.
        workers: processes; the result does not depend on their number.
        checkpoint: file that keeps the finished chunks; a run that finds it goes on after them.

    Raises:
        InputError: a sample is not as described, or the checkpoint belongs to another job.
    """
    _prepare(job, session, workers)
    if checkpoint is None:
        for [chunk] in _fresh(job, session, workers, 0):
            yield chunk
        return
    if world_size() > 1:
        raise InputError(f"score: several processes cannot share the checkpoint {checkpoint}; the cache does its work")
    done = 0
    if checkpoint.exists():
        for chunk in _finished_chunks(checkpoint, job, session):
            done += 1
            yield chunk
    else:
        checkpoint.write_bytes(_fingerprint(job))
    with checkpoint.open("ab") as file:
        for [chunk] in _fresh(job, session, workers, done):
            _write(file, chunk, session)
            file.flush()
            yield chunk


def scored_into(
    job: Job, session: Session, *, workers: int = 1, checkpoint: Path | None = None, whole: bool = False
) -> Iterator[list[Scored]]:
    """Score a file, take its rows into the session, and give the chunks of which records can be made by then.

    Args:
        job: file, columns and requests.
        session: of the job.
        workers: processes; the result does not depend on their number.
        checkpoint: file that keeps the finished chunks.
        whole: give all chunks at the end, for records that need the rows of all samples; memory holds them until then.

    Raises:
        InputError: as of `scored`.
    """
    waiting = []
    with bar(unit="samples", total=job.total()) as progress:
        for chunk in scored(job, session, workers=workers, checkpoint=checkpoint):
            session.add_rows(chunk.rows)
            progress.update(len(chunk.ids))
            if whole:
                waiting.append(chunk)
            else:
                yield [chunk]
    if waiting:
        yield waiting


def scored_systems(job: Job, session: Session, *, workers: int = 1) -> Iterator[list[Scored]]:
    """Score the files of several systems side by side, a chunk of each at a time.

    Args:
        job: the files, columns and requests.
        session: of the job, for this process; each other one makes its own.
        workers: processes; the result does not depend on their number.

    Raises:
        InputError: a sample is not as described, or the files do not hold the same ids.
    """
    _prepare(job, session, workers)
    yield from _fresh(job, session, workers, 0)


def _prepare(job: Job, session: Session, workers: int) -> None:
    check_count("score", "workers", workers)
    session.make_scorers()
    if workers > 1 and job.uses_model(session):
        raise InputError(
            f"score: --workers {workers} would load the model {workers} times; leave it out. For several devices run: "
            "accelerate launch -m fairsum_utils score ..."
        )
    if workers > 1 and STANDARD_INPUT in list_names(job.path):
        raise InputError(f"score: --workers {workers} cannot share standard input; save it to a file, or leave it out")


def _fresh(job: Job, session: Session, workers: int, done: int) -> Iterator[list[Scored]]:
    if workers == 1:
        yield from _score_share(job, session, 0, 1, done)
        return
    with _processes(job, workers, done) as connections:
        for number in count(done):
            answer = connections[number % workers].recv()
            if answer is None:
                return
            if isinstance(answer, BaseException):
                raise answer
            yield answer


def _score_share(job: Job, session: Session, worker: int, workers: int, done: int) -> Iterator[list[Scored]]:
    """The chunks of one worker that are not done yet."""
    say = _say if is_main_process() and worker == 0 else None
    for number, chunks in enumerate(job.chunks(say)):
        if number >= done and number % workers == worker:
            yield _score(job, session, chunks)


def _say(line: str) -> None:
    print(f"fairsum: {line}", file=sys.stderr)


def _score(job: Job, session: Session, chunks: list[Chunk]) -> list[Scored]:
    """The rows of a chunk of each file."""
    try:
        made = session.rows_of_systems([chunk.columns for chunk in chunks], start=chunks[0].start)
        by_file = [[systems[place] for systems in made] for place in range(len(chunks))]
        if not job.others:
            return [Scored(chunks[0].ids, by_file[0])]
        return [Scored(chunk.ids, rows, _quality(job, chunk)) for chunk, rows in zip(chunks, by_file, strict=True)]
    except InputError:
        _say_where(job, session, chunks)
        raise


def _quality(job: Job, chunk: Chunk) -> Quality:
    others = {name: chunk.columns[quality_column(name).name] for name in job.quality}
    return Quality().add(chunk.columns, others, module=job.module, start=chunk.start)


def _say_where(job: Job, session: Session, chunks: list[Chunk]) -> None:
    """Score samples one by one, to say which is not as described, and where."""
    for chunk in chunks:
        for place in range(len(chunk.ids)):
            sample = chunk.only(place)
            try:
                session.rows(sample.columns, start=sample.start, whole=False)
                _quality(job, sample)
            except InputError as error:
                raise InputError(f"{error} ({sample.where()})") from None


def _work(connection: Connection, job: Job, worker: int, workers: int, done: int) -> None:
    try:
        logging.getLogger("fairsum_utils.files").disabled = worker > 0  # what files are said to be is said once
        for chunk in _score_share(job, job.session(), worker, workers, done):
            connection.send(chunk)
        connection.send(None)
    except (BrokenPipeError, KeyboardInterrupt):
        pass  # the parent stopped listening
    except Exception as error:
        connection.send(error if isinstance(error, InputError) else RuntimeError(f"{type(error).__name__}: {error}"))


@contextmanager
def _processes(job: Job, workers: int, done: int) -> Iterator[list[Connection]]:
    started, connections = [], []
    try:
        for worker in range(workers):
            here, there = multiprocessing.Pipe(duplex=False)
            process = multiprocessing.Process(target=_work, args=(there, job, worker, workers, done), daemon=True)
            process.start()
            there.close()
            started.append(process)
            connections.append(here)
        yield connections
    finally:
        for process in started:
            process.terminate()
            process.join()
        for connection in connections:
            connection.close()


def _fingerprint(job: Job) -> bytes:
    """The first line of a checkpoint, what it is good for: this file as it is now, scored this way."""
    predictions = job.layout.predictions
    facts = {
        "files": _file_facts(job.path),
        "predictions": None if predictions is None else _file_facts(predictions),
        "shape": str(job.layout.shape),
        "columns": [[column.name, name] for column, name in job.layout.columns],
        "reading": dict(job.reading),
        "requests": [[request.measure, {**request.settings}] for request in job.requests],
        "evidence": job.evidence,
        "chunk": CHUNK,
    }
    return json.dumps(facts, default=str).encode() + b"\n"


def _file_facts(names: Names) -> list[tuple[str, int, int]]:
    """Name, size and time of the last change of files."""
    facts = []
    for name in list_names(names):
        path = Path(name)
        if not path.exists():
            raise InputError(f"score: --checkpoint needs files of this machine that stay as they are, but reads {name}")
        facts.append((str(path.resolve()), path.stat().st_size, path.stat().st_mtime_ns))
    return facts


def _write(file: IO[bytes], chunk: Scored, session: Session) -> None:
    """A chunk as Arrow streams, one a pass; the first one carries the ids."""
    import pyarrow.ipc

    from fairsum_utils.family.table import to_arrow

    for place, (rows, each) in enumerate(zip(chunk.rows, session.passes, strict=True)):
        table = to_arrow(rows, each.family.table().row)
        if not place:
            table = table.replace_schema_metadata({"ids": json.dumps(chunk.ids)})
        with pyarrow.ipc.new_stream(file, table.schema) as stream:
            stream.write_table(table)


def _finished_chunks(checkpoint: Path, job: Job, session: Session) -> Iterator[Scored]:
    """Chunks of an earlier run; a last one that was cut off while being written is removed."""
    import pyarrow

    from fairsum_utils.family.table import from_arrow

    with checkpoint.open("rb") as file:
        first = file.readline()
        if first != _fingerprint(job):
            raise InputError(
                f"{checkpoint}: this checkpoint belongs to another file or other options; delete it or name another"
            )
        size, whole = checkpoint.stat().st_size, file.tell()
        while whole < size:
            try:
                tables = [pyarrow.ipc.open_stream(file).read_all() for _ in session.passes]
            except (pyarrow.ArrowInvalid, OSError, EOFError):
                break
            whole = file.tell()
            rows: list[list[Any]] = [
                from_arrow(table, each.family.table().row) for table, each in zip(tables, session.passes, strict=True)
            ]
            yield Scored(json.loads(tables[0].schema.metadata[b"ids"]), rows)
    with checkpoint.open("r+b") as file:
        file.truncate(whole)
