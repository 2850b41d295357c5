"""Scoring a shard: the function that every process and every machine of a run calls."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cached_property, partial
from typing import Any, Protocol

from fairsum_utils._util.secrets import masked
from fairsum_utils.cluster.cutting import staged_chunks
from fairsum_utils.cluster.job import CHUNK, Job, bad_samples, score_chunk
from fairsum_utils.cluster.manifest import Failed, Finished, Manifest, NotWritten, Report, Shard, Started
from fairsum_utils.cluster.stored import RowsOfShard, write_shard
from fairsum_utils.errors import InputError
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.layout import Chunk, read_chunks
from fairsum_utils.session import Session
from fairsum_utils.signature import render_signature

SIGNATURES = "signatures.json"
"""File of a run's folder, written by its first worker that has a model."""


def keep_signatures(job: Job, session: Session, folder: Folder) -> None:
    """Load the models of a worker, and say in the folder of the run what they are; where none is needed, do nothing."""
    if not job.uses_model(session):
        return
    given = {column.name for column, _ in job.layout.columns}
    ours = [{measure: each.scorer.signature(measure, given) for measure in each.measures} for each in session.passes]
    if not folder.exists(SIGNATURES):
        folder.write(SIGNATURES, json.dumps(ours).encode())
    for said, told in zip(ours, json.loads(folder.read(SIGNATURES)), strict=True):
        for measure, signature in said.items():
            if render_signature(signature) != render_signature(told[measure]):
                raise InputError(
                    f"{measure} would be scored with {render_signature(signature)}, and other workers of this run "
                    f"score it with {render_signature(told[measure])}; choose --device and --dtype so that all of "
                    "them compute alike"
                )


def take_signatures(session: Session, folder: Folder) -> None:
    """Let a session make results of what was scored elsewhere without loading a model to say its name."""
    if folder.exists(SIGNATURES):
        for each, told in zip(session.passes, json.loads(folder.read(SIGNATURES)), strict=True):
            each.scorer.signature = partial(_kept, told)  # type: ignore[method-assign]


def _kept(signatures: dict[str, dict[str, object]], measure: str, given: Any) -> dict[str, object]:
    """Stand in for `Scorer.signature`."""
    return dict(signatures[measure])


_MOST = 100
"""Samples that are not as described, after which a shard is given up."""


class Worker(AbstractContextManager["Worker"]):
    """Scores shards, and keeps scorers and models between them."""

    def __init__(self, job: Job, folder: Folder) -> None:
        self.job, self.folder = job, folder

    @cached_property
    def manifest(self) -> Manifest:
        """The manifest of the run."""
        return Manifest.read(self.folder)

    @cached_property
    def session(self) -> Session:
        """The session of the job with its models, made on first use."""
        session = self.job.session()
        session.make_scorers()
        keep_signatures(self.job, session, self.folder)
        return session

    def score(self, shard: Shard) -> Finished | Failed:
        """Score a shard, and put its rows and its state into the folder of the run.

        Returns `Finished`; or `Failed` if samples are not as described, each of which is named, also in the folder.
        """
        began = time.perf_counter()
        rows = RowsOfShard(self.session, self.job.n_systems)
        with_state = self.manifest.has_states
        errors: list[str] = []
        self.session.reset()
        try:
            for chunks in shard_chunks(self.job, shard, self.folder):
                try:
                    scored = score_chunk(self.job, self.session, chunks)
                except InputError as error:
                    errors += map(str, list(bad_samples(self.job, self.session, chunks)) or [error])
                    if len(errors) >= _MOST:
                        break
                    continue
                rows.add(scored)
                if with_state:
                    self.session.add_rows(scored[0].rows, scored[0].ids)
        except InputError as error:  # of the file itself, which cannot be read any further
            errors.append(str(error))
        if errors:
            return self._refuse(shard, errors)
        state = self._state() if with_state else None
        seconds = time.perf_counter() - began
        try:
            write_shard(self.folder, shard, self.manifest.digest, rows, state, seconds)
        except (OSError, InputError) as error:
            raise NotWritten(f"{error}; what is finished is kept, and the same command goes on after it") from error
        return Finished(shard.number, len(rows.ids), seconds)

    def _state(self) -> bytes:
        self.session.take_columns(column.name for column, _ in self.job.layout.columns)
        state = self.session.state().to_bytes()
        self.session.reset()
        return state

    def _refuse(self, shard: Shard, errors: list[str]) -> Failed:
        failed = Failed(shard.number, tuple(errors), is_input=True)
        write_failed(self.folder, shard, failed)
        return failed

    def close(self) -> None:
        """Release the models."""
        if "session" in self.__dict__:
            self.session.close()

    def __exit__(self, *_: object) -> None:
        self.close()


def write_failed(folder: Folder, shard: Shard, failed: Failed) -> None:
    """Say in the folder of a run why a shard could not be scored."""
    folder.write(shard.failed_name, masked(json.dumps(failed._asdict())).encode())


def shard_chunks(job: Job, shard: Shard, folder: Folder) -> Iterator[list[Chunk]]:
    """The samples of a shard, some at a time: a chunk of each system."""
    if not shard.parts:
        return staged_chunks(folder, shard, job.n_systems)
    chunks = read_chunks(job.path, job.layout, CHUNK, parts=shard.parts, start=shard.start, **job.reading)
    return ([chunk] for chunk in chunks)


TRIES = 3
"""How often a shard is begun whose worker dies, before the others go on without it."""


class Caller(Protocol):
    """Has shards scored: makes a `Worker(job, folder)` wherever it likes, and calls its `score` with each shard."""

    def __call__(self, job: Job, shards: Sequence[Shard], folder: Folder, *, report: Report) -> None:
        """Have shards scored, in any order."""


def in_this_process(job: Job, shards: Sequence[Shard], folder: Folder, *, report: Report) -> None:
    """Score shards one after the other, here."""
    with Worker(job, folder) as worker:
        for shard in shards:
            report(Started(shard.number))
            report(worker.score(shard))
