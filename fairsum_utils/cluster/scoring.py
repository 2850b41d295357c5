"""Scoring of a job in this process or in stored shards."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, suppress
from functools import partial
from typing import NamedTuple, Self

from fairsum_utils._util.temporary import temporary_folder
from fairsum_utils._util.terminal import bar, is_quiet
from fairsum_utils.cluster.engines import world_size
from fairsum_utils.cluster.job import Job, Scored, bad_samples, facts_of, job_to_json, say_found, score_chunk
from fairsum_utils.cluster.merge import check_finished, check_ids, merged_rows, merged_state
from fairsum_utils.cluster.shards import MANIFEST, Manifest, Shard, cut
from fairsum_utils.cluster.worker import Failed, Outcome, Worker, finished, take_signatures
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.io.names import Name
from fairsum_utils.io.stores import local_path
from fairsum_utils.io.writing import Folder
from fairsum_utils.results import ScoreResults
from fairsum_utils.session import Session
from fairsum_utils.validation import check_count

Engine = Callable[[Job, Sequence[Shard], Folder], Generator[Outcome, None, None]]
"""Function that scores shards in any order and place with `fairsum_utils.cluster.worker.Worker`."""


class ShardsFailed(FairSumError):
    """Failure of some shards; the others are stored in the run folder.

    The message lists input errors once, then other failures with their shard. The exit status is 2 if all failures are
    input errors, otherwise 1.

    Example:
        >>> ShardsFailed([Failed(0, ("rows.jsonl, line 3: not valid JSON",), is_input=True)], 8).lines
        ['rows.jsonl, line 3: not valid JSON']
        >>> ShardsFailed([Failed(6, ("its worker died",))], 8).lines
        ['shard 7 of 8: its worker died', '1 of 8 shards was not scored; run the same command again to finish']
    """

    def __init__(self, failed: Sequence[Failed], n_shards: int) -> None:
        self.failed = sorted(failed)
        others = [each for each in self.failed if not each.is_input]
        self.exit_status = 1 if others else 2
        self.lines = [*dict.fromkeys(error for each in self.failed if each.is_input for error in each.errors)]
        self.lines += [f"shard {each.number + 1} of {n_shards}: {error}" for each in others for error in each.errors]
        if others:
            were = "was" if len(failed) == 1 else "were"
            self.lines.append(
                f"{len(failed)} of {n_shards} shards {were} not scored; run the same command again to finish"
            )
        super().__init__("\n".join(self.lines))


_MINUTE = 60.0
"""Seconds between two lines of a log."""


class Progress:
    """Progress on standard error: a bar in terminals, otherwise lines."""

    def __init__(self, shards: Sequence[Shard], done: Sequence[Shard]) -> None:
        self.n_shards, self.n_rows = len(shards), sum(shard.n_rows for shard in shards)
        self.n_shards_done, self.n_done = len(done), sum(shard.n_rows for shard in done)
        self.failed: list[Failed] = []

    def shown(self, outcomes: Iterable[Outcome]) -> Iterator[Outcome]:
        """Count outcomes as they come, and show them."""
        shown = time.monotonic()
        with bar(unit="samples", total=self.n_rows) as drawn:
            drawn.update(self.n_done)
            for outcome in outcomes:
                if isinstance(outcome, Failed):
                    self.failed.append(outcome)
                else:
                    self.n_shards_done += 1
                    self.n_done += outcome.n_rows
                drawn.update(self.n_done - drawn.n)
                if drawn.disable and not is_quiet() and time.monotonic() - shown >= _MINUTE:
                    shown = time.monotonic()
                    print(f"fairsum: {self.line()}", file=sys.stderr, flush=True)
                yield outcome

    def line(self) -> str:
        """Return the number of finished shards, samples and failures."""
        failed = f", {len(self.failed)} failed" if self.failed else ""
        shards = f"{self.n_shards_done:,} of {self.n_shards:,} shards{failed}"
        return f"{shards}; {self.n_done:,} of {self.n_rows:,} samples"


class Share(NamedTuple):
    """A process's share of the shards: number from 1, and total."""

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a share from a text such as ``3/64``.

        Example:
            >>> Share.read("3/64")
            Share(number=3, of=64)
        """
        number, _, of = text.partition("/")
        if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of)):
            raise InputError(
                f"score: --shard {text}: expected NUMBER/OF from 1/OF to OF/OF, such as 3/64; if your scheduler "
                "counts from 0, add one: --shard $((JOB_COMPLETION_INDEX + 1))/64"
            )
        return cls(int(number), int(of))

    def shards(self, manifest: Manifest) -> tuple[Shard, ...]:
        """Return the shards of this share."""
        return manifest.shards[self.number - 1 :: self.of]


ALL = Share(1, 1)
"""All shards."""


def run(job: Job, folder: Folder, engine: Engine, *, share: Share = ALL, rows_per_shard: int | None = None) -> Manifest:
    """Score the unfinished shards of a job into its folder.

    Nothing is locked: a file appears when it is complete, and every process writes the same content.
    """
    folder.made()
    manifest = _manifest(job, folder, rows_per_shard)
    shards = share.shards(manifest)
    done = set(finished(folder, shards, manifest.digest))
    # Small shards come last, so that all workers finish at about the same time.
    left = sorted((shard for shard in shards if shard not in done), key=lambda shard: -shard.n_rows)
    progress = Progress(shards, list(done))
    with closing(engine(job, left, folder)) as outcomes:
        for outcome in progress.shown(outcomes):
            if isinstance(outcome, Failed) and not outcome.is_input:
                with suppress(InputError):  # the disk may be full
                    outcome.write(folder, manifest.shards[outcome.number])
    if progress.failed:
        raise ShardsFailed(progress.failed, len(manifest.shards))
    _check_facts(job, folder, manifest)
    return manifest


def _manifest(job: Job, folder: Folder, rows_per_shard: int | None) -> Manifest:
    """Return the folder's manifest; the first process writes it."""
    if folder.exists(MANIFEST):
        manifest = Manifest.read(folder)
        _check_facts(job, folder, manifest)
        return manifest
    path = local_path(folder.name)
    names = folder.names() if path is None else [each.name for each in path.iterdir()]
    others = sorted(name for name in names if not name.startswith((".", "input")))
    if others:
        raise InputError(f"{folder}: the folder contains other files, such as {others[0]}; name an empty or new folder")
    facts = facts_of(job)
    shards = cut(job, folder, rows_per_shard)
    manifest = Manifest(facts, job_to_json(job), shards, job.has_states(sum(shard.n_rows for shard in shards)))
    manifest.write(folder)
    return manifest


_DIFFERENCES = {
    "version": "was begun with fairsum-utils {before}, but this is {now}",
    "files": "used another file, or the file has changed",
}
"""Fact -> message if it differs; the others are settings."""


def _check_facts(job: Job, folder: Folder, manifest: Manifest) -> None:
    """Refuse to go on with a run that is of something else."""
    for name, now in facts_of(job).items():
        before = manifest.facts.get(name)
        if now != before:
            differs = _DIFFERENCES.get(name, "used other measures, settings or columns")
            differs = differs.format(before=before, now=now)
            raise InputError(f"{folder}: the run in this folder {differs}; delete the folder or name another")


MOST_WORKERS = 512
"""Processes of one machine."""


def engine_of(job: Job, session: Session, workers: int) -> Engine:
    """Choose the engine for the shards of a job."""
    check_count(job.module, "workers", workers, most=MOST_WORKERS)
    if workers == 1:
        return in_this_process
    if job.uses_model(session):
        raise InputError(
            f"{job.module}: --workers {workers} would load the model {workers} times; omit it. For several devices "
            "run: accelerate launch -m fairsum_utils score ..."
        )
    from fairsum_utils.cluster.local import in_processes

    return partial(in_processes, workers)


def in_this_process(job: Job, shards: Sequence[Shard], folder: Folder) -> Generator[Outcome, None, None]:
    """Score shards one after the other."""
    with Worker(job, folder) as worker:
        yield from map(worker.score, shards)


class Scoring(AbstractContextManager["Scoring"]):
    """Scorer of a job's samples, in this process or in shards.

    Attributes:
        n_samples: Samples submitted so far, or merged.
    """

    def __init__(
        self,
        job: Job,
        session: Session,
        *,
        workers: int = 1,
        folder: Name | None = None,
        rows_per_shard: int | None = None,
        engine: Engine | None = None,
    ) -> None:
        session.make_scorers()
        self.job, self.session = job, session
        self.n_samples = 0
        is_one = workers == 1 and engine is None
        self._engine = engine or engine_of(job, session, workers)
        self._rows_per_shard = rows_per_shard
        self._manifest: Manifest | None = None
        self._open = ExitStack()
        if folder is not None and world_size() > 1:
            raise InputError(
                f"{job.module}: several processes cannot share the checkpoint {folder}; omit it, because the cache "
                "already keeps finished work"
            )
        if folder is None and not is_one:
            folder = self._open.enter_context(temporary_folder())
        self._folder = None if folder is None else Folder(folder)

    @classmethod
    def merged(cls, job: Job, session: Session, folder: Folder, manifest: Manifest) -> Self:
        """Give the samples of a run that is done; nothing is scored."""
        check_finished(folder, manifest)
        scoring = cls(job, session)
        scoring._folder, scoring._manifest = folder, manifest
        return scoring

    def chunks(self, *, rows: bool = True) -> Iterator[list[Scored]]:
        """Yield all scored samples in order, in chunks by system."""
        if self._folder is None:
            scored = self._here()
        else:
            if self._manifest is None:
                self._manifest = run(self.job, self._folder, self._engine, rows_per_shard=self._rows_per_shard)
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
        """Score the samples in this process."""
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
        """Return the results of all samples, after all chunks were read."""
        if self._folder is not None and self._manifest is not None and self._manifest.has_states:
            return self.session.results(state=merged_state(self._folder, self._manifest))
        return self.session.results()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()
