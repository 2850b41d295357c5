"""Scoring a job as one likes: here and now, or in shards that a folder keeps; with the same rows and results."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack
from typing import Self

from fairsum_utils._util.terminal import bar
from fairsum_utils.cluster.engines import world_size
from fairsum_utils.cluster.job import Job, Scored, bad_samples, say_found, score_chunk
from fairsum_utils.cluster.manifest import Manifest
from fairsum_utils.cluster.running import run
from fairsum_utils.cluster.shards import Caller, in_this_process, take_signatures
from fairsum_utils.cluster.stored import check_finished, check_ids, merged_rows, merged_state
from fairsum_utils.errors import InputError
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.locks import temporary_folder
from fairsum_utils.io.names import Name
from fairsum_utils.results import ScoreResults
from fairsum_utils.session import Session
from fairsum_utils.validation import check_count

MOST_WORKERS = 512
"""Processes of one machine."""


def caller_of(job: Job, session: Session, workers: int) -> Caller:
    """Choose the caller that scores the shards of a job on this machine."""
    check_count(job.module, "workers", workers, most=MOST_WORKERS)
    if workers == 1:
        return in_this_process
    if job.uses_model(session):
        raise InputError(
            f"{job.module}: --workers {workers} would load the model {workers} times; leave it out. For several "
            "devices run: accelerate launch -m fairsum_utils score ..."
        )
    from fairsum_utils.cluster.local import Pool

    return Pool(workers)


class Scoring(AbstractContextManager["Scoring"]):
    """Scores the samples of a job, in this process or in shards, and gives rows and results.

    Attributes:
        n_samples: that were given away so far, or were merged.
    """

    def __init__(
        self,
        job: Job,
        session: Session,
        *,
        workers: int = 1,
        folder: Name | None = None,
        rows_per_shard: int | None = None,
        caller: Caller | None = None,
    ) -> None:
        session.make_scorers()
        self.job, self.session = job, session
        self.n_samples = 0
        is_one = workers == 1 and caller is None
        self._caller = caller or caller_of(job, session, workers)
        self._rows_per_shard = rows_per_shard
        self._manifest: Manifest | None = None
        self._open = ExitStack()
        if folder is not None and world_size() > 1:
            raise InputError(
                f"{job.module}: several processes cannot share the checkpoint {folder}; the cache does its work"
            )
        if folder is None and not is_one:
            folder = self._open.enter_context(temporary_folder())
        self._folder = None if folder is None else Folder(folder)

    @classmethod
    def merged(cls, job: Job, session: Session, folder: Folder, manifest: Manifest) -> Self:
        """The samples of a run that is done; nothing is scored."""
        check_finished(folder, manifest)
        scoring = cls(job, session)
        scoring._folder, scoring._manifest = folder, manifest
        return scoring

    def chunks(self, *, rows: bool = True) -> Iterator[list[Scored]]:
        """Score all samples, and give them in their order, some at a time: one entry a system."""
        if self._folder is None:
            scored = self._here()
        else:
            if self._manifest is None:
                self._manifest = run(self.job, self._folder, self._caller, rows_per_shard=self._rows_per_shard)
            check_ids(self._folder, self._manifest, self.job)
            take_signatures(self.session, self._folder)
            if self._manifest.has_states and not rows:
                self.n_samples = self._manifest.n_rows
                return
            scored = merged_rows(self._folder, self._manifest, self.job, self.session)
        for systems in scored:
            self.n_samples += len(systems[0].ids)
            if not self.job.others and not (self._manifest and self._manifest.has_states):
                self.session.add_rows(systems[0].rows, systems[0].ids)
            yield systems

    def _here(self) -> Iterator[list[Scored]]:
        """The samples, scored in this process."""
        with bar(unit="samples", total=self.job.total()) as progress:
            for chunks in self.job.chunks(say_found):
                try:
                    scored = score_chunk(self.job, self.session, chunks)
                except InputError:
                    for error in bad_samples(self.job, self.session, chunks):
                        raise error from None
                    raise
                progress.update(len(scored[0].ids))
                yield scored

    def results(self) -> ScoreResults:
        """The results of all samples, once they have been given away."""
        self.session.take_columns(column.name for column, _ in self.job.layout.columns)
        if self._folder is not None and self._manifest is not None and self._manifest.has_states:
            return self.session.results(state=merged_state(self._folder, self._manifest))
        return self.session.results()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
