"""What the shards of a run make together: their rows in the order of the file, and their states in one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

from fairsum_utils.cluster.job import Job, Scored
from fairsum_utils.cluster.manifest import Manifest, Shard
from fairsum_utils.cluster.stored import finished, read_rows, read_state
from fairsum_utils.errors import InputError
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.tables import parse_json
from fairsum_utils.session import Session

if TYPE_CHECKING:
    from fairsum_utils.session.state import State

__all__ = ["check_finished", "merged_rows", "merged_state"]


def check_finished(folder: Folder, manifest: Manifest) -> None:
    """Refuse a run of which shards are missing.

    Args:
        folder: of the run.
        manifest: of the run.

    Raises:
        InputError: some are not finished, or are damaged; the message says which.
    """
    done = finished(folder, manifest.shards, manifest.digest)
    missing = [shard for shard in manifest.shards if shard.number not in done]
    if missing:
        reasons = _reasons(folder, missing)
        some = [f"{shard.number + 1}{reasons.get(shard.number, '')}" for shard in missing[:_SHOWN]]
        more = ", ..." if len(missing) > _SHOWN else ""
        raise InputError(
            f"{folder}: {len(missing)} of {len(manifest.shards)} shards are not scored or are damaged: "
            f"{', '.join(some)}{more}; the command that scores them goes on with them"
        )


_SHOWN = 10


def _reasons(folder: Folder, shards: Iterable[Shard]) -> dict[int, str]:
    """Why shards could not be scored, of those that say it."""
    there, reasons = set(folder.names("failed")), {}
    for shard in shards:
        if shard.failed_name in there:
            with suppress(ValueError, KeyError, IndexError, TypeError):  # damaged: the shard is missing all the same
                reasons[shard.number] = f" ({parse_json(folder.read(shard.failed_name).decode())['errors'][0]})"
    return reasons


def merged_rows(folder: Folder, manifest: Manifest, job: Job, session: Session) -> Iterator[list[Scored]]:
    """The rows of a run in the order of its samples, some at a time: one entry a system.

    Args:
        folder: of the run.
        manifest: of the run, whose shards are finished.
        job: that was scored.
        session: of the job.

    Raises:
        Damaged: a file is not what was written.
    """
    for shard in manifest.shards:
        yield from read_rows(folder, shard, manifest.digest, session, job.n_systems)


def merged_state(folder: Folder, manifest: Manifest) -> State:
    """The sum of the states of a run, one of which is in memory at a time.

    Args:
        folder: of the run.
        manifest: of the run, whose shards are finished.

    Raises:
        Damaged: a file is not what was written.
    """
    from fairsum_utils.session.state import State

    first, *others = manifest.shards
    state = State.from_bytes(read_state(folder, first, manifest.digest))
    for shard in others:
        state.merge(State.from_bytes(read_state(folder, shard, manifest.digest)))
    return state
