"""Scoring a file in one process or several, in order, and picking up where an interrupted run stopped.

Every worker reads the file itself and scores every n-th chunk, so that no text travels between processes; a worker
waits while its pipe is full, so that memory stays flat.
"""

from __future__ import annotations

import json
import multiprocessing
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from multiprocessing.connection import Connection
from pathlib import Path
from typing import IO, Any, NamedTuple

from fairsum_utils.cli.options import is_main_process, world_size
from fairsum_utils.errors import InputError
from fairsum_utils.inputs.layout import Chunk, Layout, read_chunks
from fairsum_utils.session import Request, Session
from fairsum_utils.validation import check_count

__all__ = ["Job", "Scored", "scored"]

CHUNK = 128
"""Samples that are scored, sent and written together."""


class Scored(NamedTuple):
    """A chunk of samples: their ids, and their rows for each pass of the session."""

    ids: list[str]
    rows: list[list[Any]]


class Job(NamedTuple):
    """What to score and how; small enough to send to a worker."""

    path: Path
    layout: Layout
    split: str | None
    requests: tuple[Request, ...]
    module: str
    evidence: bool = False

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
    check_count("score", "workers", workers)
    session.make_scorers()
    if workers > 1 and job.uses_model(session):
        raise InputError(
            f"score: --workers {workers} would load the model {workers} times; leave it out. For several devices run: "
            "accelerate launch -m fairsum_utils score ..."
        )
    if checkpoint is None:
        yield from _fresh(job, session, workers, 0)
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
        for chunk in _fresh(job, session, workers, done):
            _write(file, chunk, session)
            file.flush()
            yield chunk


def _fresh(job: Job, session: Session, workers: int, done: int) -> Iterator[Scored]:
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


def _score_share(job: Job, session: Session, worker: int, workers: int, done: int) -> Iterator[Scored]:
    """The chunks of one worker that are not done yet."""
    say = _say if is_main_process() and worker == 0 else None
    for number, chunk in enumerate(read_chunks(job.path, job.layout, CHUNK, job.split, say)):
        if number >= done and number % workers == worker:
            yield Scored(chunk.ids, _score(job, session, chunk))


def _say(line: str) -> None:
    print(f"fairsum: {line}", file=sys.stderr)


def _score(job: Job, session: Session, chunk: Chunk) -> list[list[Any]]:
    try:
        return session.rows(chunk.columns, start=chunk.start, whole=False)
    except InputError as error:
        if len(chunk.ids) > 1:  # one by one, to say which
            for place in range(len(chunk.ids)):
                _score(job, session, chunk.only(place))
            raise
        raise InputError(f"{error} ({job.path}, {job.layout.unit} {chunk.start + 1}, id {chunk.ids[0]})") from None


def _work(connection: Connection, job: Job, worker: int, workers: int, done: int) -> None:
    try:
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
        **_file_facts(job.path),
        "predictions": None if predictions is None else _file_facts(predictions),
        "shape": str(job.layout.shape),
        "columns": [[column.name, name] for column, name in job.layout.columns],
        "split": job.split,
        "requests": [[request.measure, {**request.settings}] for request in job.requests],
        "evidence": job.evidence,
        "chunk": CHUNK,
    }
    return json.dumps(facts, default=str).encode() + b"\n"


def _file_facts(path: Path) -> dict[str, Any]:
    """A file as it is now."""
    status = path.stat()
    return {"file": str(path.resolve()), "size": status.st_size, "modified": status.st_mtime_ns}


def _write(file: IO[bytes], chunk: Scored, session: Session) -> None:
    """A chunk as Arrow streams, one a pass; the first one carries the ids."""
    import pyarrow.ipc

    from fairsum_utils.family.table import to_arrow

    for place, (rows, each) in enumerate(zip(chunk.rows, session.passes, strict=True)):
        table = to_arrow(rows, each.table.row)
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
                from_arrow(table, each.table.row) for table, each in zip(tables, session.passes, strict=True)
            ]
            yield Scored(json.loads(tables[0].schema.metadata[b"ids"]), rows)
    with checkpoint.open("r+b") as file:
        file.truncate(whole)
