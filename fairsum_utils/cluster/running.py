"""A run in a folder: who is at work there, what is done, and what is left to do."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any, NamedTuple, Self

from fairsum_utils.cluster.callers import Caller
from fairsum_utils.cluster.cutting import cut
from fairsum_utils.cluster.describing import facts_of, job_to_json
from fairsum_utils.cluster.events import Event, Failed
from fairsum_utils.cluster.failures import ShardsFailed
from fairsum_utils.cluster.job import Job
from fairsum_utils.cluster.manifest import MANIFEST, Manifest, Shard
from fairsum_utils.cluster.progress import Progress
from fairsum_utils.cluster.shards import write_failed
from fairsum_utils.cluster.stored import finished
from fairsum_utils.errors import InputError
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.locks import Held, Lock
from fairsum_utils.io.stores import local_path

__all__ = ["ALL", "Share", "run"]


class Share(NamedTuple):
    """Which of the shards of a run a process does.

    Attributes:
        number: of the share, from 1.
        of: how many shares there are.
    """

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Self:
        """A share from a text such as ``3/64``.

        Args:
            text: of the command line.

        Raises:
            InputError: it is not of this form, or there is no such share.

        Example:
            >>> Share.read("3/64")
            Share(number=3, of=64)
            >>> Share.read("0/64")
            Traceback (most recent call last):
            ...
            fairsum_utils.errors.InputError: score: --shard 0/64: shards count from 1, up to 64/64; where a scheduler
            counts from 0, add one: --shard $((JOB_COMPLETION_INDEX + 1))/64
        """
        number, slash, of = text.partition("/")
        if not (slash and number.isdecimal() and of.isdecimal()):
            raise InputError(f"score: --shard {text}: expected NUMBER/OF, such as 3/64")
        share = cls(int(number), int(of))
        if not share.number:
            raise InputError(
                f"score: --shard {text}: shards count from 1, up to {of}/{of}; where a scheduler counts from 0, add "
                f"one: --shard $((JOB_COMPLETION_INDEX + 1))/{of}"
            )
        if share.number > share.of:
            raise InputError(f"score: --shard {text}: there is no such shard; the last is {of}/{of}")
        return share

    def shards(self, manifest: Manifest) -> tuple[Shard, ...]:
        """Its shards."""
        return manifest.shards[self.number - 1 :: self.of]

    @property
    def lock(self) -> str:
        """Name of the lock that keeps it for one process."""
        return "" if self == ALL else f"{self.number}-of-{self.of}"


ALL = Share(1, 1)
"""All shards."""


def run(job: Job, folder: Folder, caller: Caller, *, share: Share = ALL, rows_per_shard: int | None = None) -> Manifest:
    """Score what is not scored yet of a job, in a folder that keeps it.

    Args:
        job: what to score and how.
        folder: of the run; made if it is not there.
        caller: has shards scored.
        share: of the shards; others may be done by other processes, at the same time.
        rows_per_shard: about so many samples; None for `fairsum_utils.cluster.cutting.rows_in`.

    Returns:
        The manifest of the run; the shards of the share are finished.

    Raises:
        InputError: another run is at work in the folder, or has left there what is not of this job; or a file cannot
            be read.
        ShardsFailed: some shards could not be scored.
    """
    with folder.locked(share.lock) as lock:
        manifest = _agree(job, folder, share, rows_per_shard)
        shards = share.shards(manifest)
        done = finished(folder, shards, manifest.digest)
        left = [shard for shard in shards if shard.number not in done]
        left.sort(key=lambda shard: -shard.n_rows)  # the last to be begun are small, so that all workers end together
        n_done = sum(receipt.n_rows for receipt in done.values())
        with Progress(shards, len(done), n_done) as progress:
            if left:
                caller(job, left, folder, report=_Report(folder, manifest, progress, lock))
        if progress.failed:
            raise ShardsFailed(progress.failed, len(manifest.shards))
        _check_facts(job, folder, manifest)
    return manifest


class _Report:
    """Shows events, and keeps in the folder what has failed; stops a run whose folder another has taken over."""

    def __init__(self, folder: Folder, manifest: Manifest, progress: Progress, lock: Lock) -> None:
        self.folder, self.manifest, self.progress, self.lock = folder, manifest, progress, lock

    def __call__(self, event: Event) -> None:
        self.lock.check()
        self.progress(event)
        if isinstance(event, Failed) and not event.is_input:
            with suppress(InputError):  # the disk may be full
                write_failed(self.folder, self.manifest.shards[event.number], event)


def _agree(job: Job, folder: Folder, share: Share, rows_per_shard: int | None) -> Manifest:
    """The manifest of the folder; made by one of those that share the work."""
    if folder.exists(MANIFEST):
        manifest = Manifest.read(folder)
        _check_facts(job, folder, manifest)
        return manifest
    with _turn(folder):
        if folder.exists(MANIFEST):  # another share has made it
            return _agree(job, folder, share, rows_per_shard)
        _check_empty(folder)
        facts = _as_json(facts_of(job))
        shards = cut(job, folder, rows_per_shard)
        manifest = Manifest(facts, job_to_json(job), shards, job.has_states(sum(shard.n_rows for shard in shards)))
        manifest.write(folder)
    return manifest


def _check_empty(folder: Folder) -> None:
    """Refuse a folder that is in use for something else.

    Raises:
        InputError: it holds files.
    """
    path = local_path(folder.name)
    names = folder.names() if path is None else [each.name for each in path.iterdir()]
    others = sorted(name for name in names if not name.startswith((".", "input")))
    if others:
        raise InputError(f"{folder}: holds other files, such as {others[0]}; name an empty folder, or a new one")


@contextmanager
def _turn(folder: Folder) -> Iterator[None]:
    """Keep the manifest of a folder for one process; others wait."""
    with ExitStack() as held:
        while True:
            try:
                held.enter_context(folder.locked("manifest"))
                break
            except Held:
                time.sleep(1)
        yield


def _as_json(facts: dict[str, Any]) -> dict[str, Any]:
    return dict(json.loads(json.dumps(facts, default=str)))


_SAID = {
    "version": "was begun with fairsum-utils {before}, and this is {now}",
    "files": "is of a file that has changed since, or of another",
    "other_files": "is of files that have changed since, or of others",
}
"""Fact -> what is said where it differs; of the others it is a setting."""


def _check_facts(job: Job, folder: Folder, manifest: Manifest) -> None:
    """Refuse to go on with a run that is of something else.

    Raises:
        InputError: it is.
    """
    facts = _as_json(facts_of(job))
    for name, now in facts.items():
        before = manifest.facts.get(name)
        if now != before:
            said = _SAID.get(name, "is of other measures, settings or columns").format(before=before, now=now)
            raise InputError(f"{folder}: the run in this folder {said}; delete the folder, or name another")
