"""A run in a folder: who is at work there, its progress, and what is left to do."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import Any, NamedTuple, Self

from fairsum_utils._util.terminal import bar, is_quiet
from fairsum_utils.cluster.cutting import cut
from fairsum_utils.cluster.job import Job, facts_of, job_to_json
from fairsum_utils.cluster.manifest import MANIFEST, Event, Failed, Finished, Manifest, Shard, ShardsFailed
from fairsum_utils.cluster.shards import Caller, write_failed
from fairsum_utils.cluster.stored import finished
from fairsum_utils.errors import InputError
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.locks import Held
from fairsum_utils.io.stores import local_path

_MINUTE = 60.0
"""Seconds between two lines."""


class Progress(AbstractContextManager["Progress"]):
    """Counts what is done, and shows it on standard error.

    Attributes:
        failed: what could not be scored.
    """

    def __init__(self, shards: Iterable[Shard], n_shards_done: int = 0, n_done: int = 0) -> None:
        sizes = [shard.n_rows for shard in shards]
        self.n_shards, self.n_rows = len(sizes), sum(sizes)
        self.n_shards_done, self.n_done, self.n_before = n_shards_done, n_done, n_done
        self.failed: list[Failed] = []
        self._began = time.monotonic()
        self._ended = threading.Event()
        self._bar = bar(unit="samples", total=self.n_rows)
        self._bar.update(n_done)

    def __call__(self, event: Event) -> None:
        """Take an event in."""
        if isinstance(event, Finished):
            self.n_shards_done += 1
            self.n_done += event.n_rows
            self._bar.update(event.n_rows)
        elif isinstance(event, Failed):
            self.failed.append(event)
        self._bar.set_postfix_str(self._shards())

    def line(self) -> str:
        """Shards done and failed, rows a second, time left."""
        speed = (self.n_done - self.n_before) / max(time.monotonic() - self._began, 1e-9)
        said = f"{self._shards()}; {self.n_done:,} of {self.n_rows:,} samples, {speed:,.0f} a second"
        return f"{said}, {_time((self.n_rows - self.n_done) / speed)} left" if speed else said

    def _shards(self) -> str:
        failed = f", {len(self.failed)} failed" if self.failed else ""
        return f"{self.n_shards_done:,} of {self.n_shards:,} shards{failed}"

    def _say(self) -> None:
        while not self._ended.wait(_MINUTE):
            print(f"fairsum: {self.line()}", file=sys.stderr, flush=True)

    def __enter__(self) -> Self:
        if self._bar.disable and not is_quiet():
            threading.Thread(target=self._say, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        self._bar.close()


def _time(seconds: float) -> str:
    """A time for a log.

    Example:
        >>> _time(42), _time(125), _time(7300), _time(200_000)
        ('42 s', '2 min', '2 h 2 min', '2 d 8 h')
    """
    minutes, hours, days = seconds / 60, seconds / 3600, seconds / 86400
    if minutes < 2:
        return f"{seconds:.0f} s"
    if hours < 2:
        return f"{minutes:.0f} min"
    return f"{int(hours)} h {minutes % 60:.0f} min" if days < 2 else f"{int(days)} d {hours % 24:.0f} h"


class Share(NamedTuple):
    """The share of a process in the shards of a run.

    Attributes:
        number: of the share, from 1.
        of: how many shares there are.
    """

    number: int
    of: int

    @classmethod
    def read(cls, text: str) -> Self:
        """A share from a text such as ``3/64``.

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
    """Score what is not scored yet of a job, in a folder that keeps it."""
    with folder.locked(share.lock):
        manifest = _agree(job, folder, share, rows_per_shard)
        shards = share.shards(manifest)
        done = finished(folder, shards, manifest.digest)
        left = [shard for shard in shards if shard.number not in done]
        left.sort(key=lambda shard: -shard.n_rows)  # the last to be begun are small, so that all workers end together
        n_done = sum(receipt.n_rows for receipt in done.values())
        with Progress(shards, len(done), n_done) as progress:

            def report(event: Event) -> None:
                progress(event)
                if isinstance(event, Failed) and not event.is_input:
                    with suppress(InputError):  # the disk may be full
                        write_failed(folder, manifest.shards[event.number], event)

            if left:
                caller(job, left, folder, report=report)
        if progress.failed:
            raise ShardsFailed(progress.failed, len(manifest.shards))
        _check_facts(job, folder, manifest)
    return manifest


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
    """Refuse a folder that is in use for something else."""
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
            with suppress(Held):
                held.enter_context(folder.locked("manifest"))
                break
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
    """Refuse to go on with a run that is of something else."""
    facts = _as_json(facts_of(job))
    for name, now in facts.items():
        before = manifest.facts.get(name)
        if now != before:
            said = _SAID.get(name, "is of other measures, settings or columns").format(before=before, now=now)
            raise InputError(f"{folder}: the run in this folder {said}; delete the folder, or name another")
