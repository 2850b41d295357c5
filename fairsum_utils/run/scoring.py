"""Scoring of a job, here or elsewhere, with or without a folder of rows."""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import chain, islice
from typing import Any, NamedTuple, Self

from fairsum_utils._util.terminal import bar
from fairsum_utils.errors import InputError
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.names import STANDARD_INPUT, Name
from fairsum_utils.io.samples import Chunk
from fairsum_utils.results import ScoreResults
from fairsum_utils.run.engines import Submit, engine_of
from fairsum_utils.run.job import Data, Job, Scored, Task, qualities_of, say_found, score_chunk
from fairsum_utils.run.launch import world_size
from fairsum_utils.run.rows import Rows, Run, Store, to_table
from fairsum_utils.session import Session
from fairsum_utils.session.quality import Quality

_AHEAD = 4
"""Tasks for each worker that are read ahead."""

ALONE = 2.0
"""Processor time of this process before workers start; their start takes one or two seconds."""


class Share(NamedTuple):
    """A part of the tasks: number from 1, and number of parts."""

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

    def holds(self, task: int) -> bool:
        """Check whether a task, counted from 1, belongs to this part."""
        return task % self.of == self.number % self.of


ALL = Share(1, 1)
"""All tasks."""


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
        only: part of the tasks to score, with a folder.

    Attributes:
        n_samples: number of samples so far.
        shared: True if other processes scored samples.
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
        self.n_samples, self.shared = 0, False
        self.store: Store | None = None
        self._data: Data | None = None
        self._folder = None if rows is None else Folder(rows)
        self._most = _AHEAD * (workers or 64)
        self._engine = engine_of(
            job, session, engine=engine, workers=workers, address=address, gpus_per_worker=gpus_per_worker
        )
        self._alone = math.inf if self._engine is None else ALONE if engine is None else 0.0
        if rows is not None or self._engine is not None:
            for request in job.requests:
                request.chosen.check_picklable(job.module)
        if rows is not None and world_size() > 1:
            raise InputError(
                f"{job.module}: several processes cannot share the folder {rows}; omit it, because the cache already "
                "keeps finished work"
            )

    def parts(self) -> Iterator[Part]:
        """Yield all scored samples in order; one system's are added to the session."""
        self._data = data = Data(self.job)
        if self._folder is not None:
            self.store = Store(self._folder, self.job, data.digest)
        with ExitStack() as opened, bar(unit="samples") as self._bar:
            for part in self._scored(self._tasks(data), opened):
                self.n_samples += len(part.systems[0].ids)
                self._bar.update(self.n_samples - self._bar.n)
                if not self.job.others:
                    self.session.add_tables(part.systems[0].tables())
                yield part

    def has_same_files(self) -> bool:
        """Return whether the files are those that were read."""
        return self._data is None or self._data.changed(everywhere=True) is None

    def _tasks(self, data: Data) -> Iterator[Task]:
        """Read the tasks to score, of files that have not changed."""
        for task in self.job.tasks(say_found):
            self._refuse(data.changed())
            if self.only.holds(task.number):
                yield task
        self._refuse(data.changed(everywhere=True))

    def _refuse(self, changed: str | None) -> None:
        if changed is not None:
            raise InputError(f"{self.job.module}: {changed} has changed while it was read; score it again")

    def _scored(self, tasks: Iterator[Task], opened: ExitStack) -> Iterator[Part]:
        """Score here for a while, then with the engine if as much is left."""
        end, n_here = time.process_time() + self._alone, 0
        for task in tasks:
            if (stored := self._stored(task)) is not None:
                yield self._part(stored, task.chunks)
                continue
            scored = list(self._here(task, end))
            if len(scored) < len(task.chunks):
                tasks = chain([task], tasks)
                break
            n_here += 1
            yield self._finished(task, scored)
        enough, submit = max(n_here, 1), None
        left = list(islice(tasks, enough))
        if self._engine is not None and len(left) == enough:
            submit, self.shared = opened.enter_context(self._engine), True
        begin = partial(self._begin, submit)
        yield from (finish() for finish in _ahead(chain(left, tasks), begin, self._most if self.shared else 0))

    def _stored(self, task: Task) -> Rows | None:
        return None if self.store is None else self.store.read(task.number)

    def _begin(self, submit: Submit | None, task: Task) -> Callable[[], Part]:
        """Begin a task; return a function that waits for its samples."""
        texts = task.chunks if self.job.others else []  # for the lengths and quality of scored samples
        if (stored := self._stored(task)) is not None:
            return lambda: self._part(stored, texts)
        if submit is None:
            return lambda: self._finished(task, list(self._here(task)))
        wait, numbered = submit(task.chunks), task._replace(chunks=texts)

        def received() -> Part:
            rows = Rows.read(wait())
            if self.store is not None:
                self.store.write(numbered, rows.table)
            return self._part(rows, texts)

        return received

    def _here(self, task: Task, end: float = math.inf) -> Iterator[list[Scored]]:
        """Score chunks in this process until a moment."""
        for chunks in task.chunks:
            if time.process_time() >= end:
                return
            yield score_chunk(self.job, self.session, chunks)
            self._bar.update(len(chunks[0].ids))

    def _finished(self, task: Task, scored: list[list[Scored]]) -> Part:
        if self.store is not None:
            self.store.write(task, to_table(self.job, self.session, scored))
        systems = [Scored.joined(of_system) for of_system in zip(*scored, strict=True)]
        return Part(systems, qualities_of(self.job, task.chunks))

    def _part(self, rows: Rows, texts: list[list[Chunk]]) -> Part:
        rows.take_facts(self.session)
        return Part(rows.scored(self.session, self.job.n_systems), qualities_of(self.job, texts))

    def results(self) -> ScoreResults:
        """Return the results of all samples, after all parts were read."""
        return self.session.results()


class FromRows:
    """Samples of a finished run; nothing is scored."""

    def __init__(self, run: Run, session: Session) -> None:
        self.job, self.session, self._run = run.job, session, run
        self.n_samples = 0

    def has_same_files(self) -> bool:
        """Return whether the files are those that were scored."""
        try:
            return STANDARD_INPUT not in self.job.files and Data(self.job).digest == self._run.data
        except InputError:  # there is none
            return False

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
