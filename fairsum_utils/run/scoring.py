"""Scoring of a job, here or elsewhere, with or without a folder of rows."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from hashlib import blake2b
from itertools import chain, islice
from typing import Any, NamedTuple, Self

from fairsum_utils._util.terminal import bar
from fairsum_utils.errors import InputError
from fairsum_utils.io.layout import Chunk
from fairsum_utils.io.names import Name
from fairsum_utils.io.writing import Folder
from fairsum_utils.results import ScoreResults
from fairsum_utils.run.engines import engine_of
from fairsum_utils.run.job import Job, Scored, quality_of, say_found, score_chunk
from fairsum_utils.run.launch import world_size
from fairsum_utils.run.rows import Rows, Run, Store, to_table
from fairsum_utils.session import Session
from fairsum_utils.session.systems import Quality

_TOGETHER = 8
"""Chunks of a file of rows; a task."""

_AHEAD = 4
"""Tasks for each worker that are read ahead."""


class Share(NamedTuple):
    """A part of the chunks: number from 1, and number of parts."""

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a part from a text such as ``3/64``.

        Example:
            >>> Share.read("3/64")
            Share(number=3, of=64)
        """
        number, _, of = text.partition("/")
        if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            raise InputError(
                f"score: --only {text}: expected NUMBER/OF from 1/OF to OF/OF, such as 3/64; if your scheduler counts "
                "from 0, add one: --only $((JOB_COMPLETION_INDEX + 1))/64"
            )
        return cls(int(number), int(of))

    def holds(self, chunk: int) -> bool:
        """Check whether a chunk, counted from 1, belongs to this part."""
        return chunk % self.of == self.number % self.of


ALL = Share(1, 1)
"""All chunks."""


class Part(NamedTuple):
    """Scored samples of each system, with their qualities if several systems are compared."""

    systems: list[Scored]
    qualities: list[Quality]


class Scoring:
    """Scorer of a job's samples.

    Args:
        job: the job.
        session: session that takes in the rows of a single system.
        workers: number of processes; None for one, or with an engine for as many as fit.
        engine: ``"ray"``, or None for processes of this machine.
        rows: folder that keeps the rows; a run that is repeated goes on.
        only: part of the chunks to score, with a folder.

    Attributes:
        n_samples: samples so far.
        store: folder of the run; None without one, or before `parts`.
    """

    def __init__(
        self,
        job: Job,
        session: Session,
        *,
        workers: int | None = None,
        engine: str | None = None,
        address: str | None = None,
        gpus_per_worker: float | None = None,
        rows: Name | None = None,
        only: Share = ALL,
    ) -> None:
        session.make_scorers()
        self.job, self.session, self.only = job, session, only
        self.n_samples = 0
        self.store: Store | None = None
        self._digests: list[bytes] = []
        self._folder = None if rows is None else Folder(rows)
        self._most = _AHEAD * (workers or 64)
        if rows is not None:
            for request in job.requests:
                request.chosen.check_picklable(job.module)
        if rows is not None and world_size() > 1:
            raise InputError(
                f"{job.module}: several processes cannot share the folder {rows}; omit it, because the cache already "
                "keeps finished work"
            )
        self._engine = engine_of(
            job, session, engine=engine, workers=workers, address=address, gpus_per_worker=gpus_per_worker
        )

    def parts(self) -> Iterator[Part]:
        """Yield all scored samples in order; one system's are added to the session."""
        if self._folder is not None:
            self._digests = [_digest_of(task) for task in _tasks_of(self.job)]
            data = blake2b(b"".join(self._digests), digest_size=16).hexdigest()
            self.store = Store(self._folder, self.job, data, len(self._digests))
        with ExitStack() as opened, bar(unit="samples", total=self.job.total()) as progress:
            submit = None if self._engine is None else opened.enter_context(self._engine)
            for waiting in _ahead(self._tasks(), lambda task: self._begin(submit, *task), self._most if submit else 0):
                for part in waiting():
                    self.n_samples += len(part.systems[0].ids)
                    progress.update(len(part.systems[0].ids))
                    if not self.job.others:
                        self.session.add_tables(part.systems[0].tables())
                    yield part

    def _tasks(self) -> Iterator[tuple[int, list[list[Chunk]]]]:
        number = 0
        for number, task in enumerate(_tasks_of(self.job, say_found), 1):
            if self.only.holds(number):
                if self.store is not None and [_digest_of(task)] != self._digests[number - 1 : number]:
                    raise self._changed()
                yield number, task
        if self.store is not None and number != self.store.n_chunks:
            raise self._changed()

    def _changed(self) -> InputError:
        return InputError(f"{self.job.module}: a file has changed while it was read; score it again")

    def _begin(self, submit: Any, number: int, task: list[list[Chunk]]) -> Callable[[], Iterator[Part]]:
        """Begin a task; return a function that waits for its samples."""
        stored = None if self.store is None else self.store.read(number)
        texts = task if self.job.others else []  # for the lengths and quality of scored samples
        if stored is not None:
            return lambda: self._of_rows(stored, texts)
        if submit is not None:
            wait = submit(task)
            return lambda: self._of_content(number, wait(), texts)
        return lambda: self._here(number, task)

    def _here(self, number: int, task: list[list[Chunk]]) -> Iterator[Part]:
        """Score in this process."""
        if self.store is None:
            for chunks in task:
                yield Part(score_chunk(self.job, self.session, chunks), quality_of(self.job, chunks))
            return
        scored = [score_chunk(self.job, self.session, chunks) for chunks in task]
        self.store.write(number, to_table(self.job, self.session, scored))
        for systems, chunks in zip(scored, task, strict=True):
            yield Part(systems, quality_of(self.job, chunks))

    def _of_content(self, number: int, content: bytes, texts: list[list[Chunk]]) -> Iterator[Part]:
        rows = Rows.read(content)
        if self.store is not None:
            self.store.write(number, rows.table)
        yield from self._of_rows(rows, texts)

    def _of_rows(self, rows: Rows, texts: list[list[Chunk]]) -> Iterator[Part]:
        rows.take_facts(self.session)
        merged = [Quality() for _ in self.job.names]
        for chunks in texts:
            for whole, quality in zip(merged, quality_of(self.job, chunks), strict=True):
                whole.merge(quality)
        yield Part(rows.scored(self.session, self.job.n_systems), merged)

    def results(self) -> ScoreResults:
        """Return the results of all samples, after all parts were read."""
        return self.session.results()


class FromRows:
    """Samples of a finished run; nothing is scored."""

    def __init__(self, run: Run, session: Session) -> None:
        self.job, self.session, self._run = run.job, session, run
        self.n_samples = 0

    def parts(self) -> Iterator[Part]:
        """Yield the samples in the order of the data."""
        for rows in self._run:
            rows.take_facts(self.session)
            [scored] = rows.scored(self.session, 1)
            self.n_samples += len(scored.ids)
            self.session.add_tables(scored.tables())
            yield Part([scored], [])

    def results(self) -> ScoreResults:
        """Return the results of all samples, after all parts were read."""
        return self.session.results()


def _ahead(tasks: Iterable[Any], begin: Callable[[Any], Any], most: int) -> Iterator[Any]:
    """Begin tasks ahead, at most so many, and yield them in order."""
    waiting: deque[Any] = deque()
    for task in tasks:
        waiting.append(begin(task))
        if len(waiting) > most:
            yield waiting.popleft()
    yield from waiting


def _tasks_of(job: Job, say: Callable[[str], None] | None = None) -> Iterator[list[list[Chunk]]]:
    """Read all samples in tasks."""
    chunks = job.chunks(say)
    while task := list(islice(chunks, _TOGETHER)):
        yield task


def _digest_of(task: list[list[Chunk]]) -> bytes:
    """Return a digest of the samples of a task."""
    digest = blake2b(digest_size=16)
    for chunk in chain.from_iterable(task):
        digest.update(repr((chunk.ids, sorted(chunk.columns.items()))).encode("utf-8", "surrogatepass"))
    return digest.digest()
