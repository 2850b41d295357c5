"""What the shards of a run make together: their rows in the order of the file, and their states in one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fairsum_utils.cluster.job import Job, Scored
from fairsum_utils.cluster.manifest import Manifest
from fairsum_utils.cluster.stored import finished, read_rows, read_state
from fairsum_utils.errors import InputError
from fairsum_utils.files.folders import Folder
from fairsum_utils.session import Session

if TYPE_CHECKING:
    from fairsum_utils.state import State

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
    missing = [str(shard.number + 1) for shard in manifest.shards if shard.number not in done]
    if missing:
        some = ", ".join(missing[:_SHOWN]) + (", ..." if len(missing) > _SHOWN else "")
        raise InputError(
            f"{folder}: {len(missing)} of {len(manifest.shards)} shards are not scored or are damaged: {some}; the "
            "command that scores them goes on with them"
        )


_SHOWN = 10


def merged_rows(folder: Folder, manifest: Manifest, job: Job, session: Session) -> Iterator[list[Scored]]:
    """The rows of a run, shard by shard: one entry a system.

    Args:
        folder: of the run.
        manifest: of the run, whose shards are finished.
        job: that was scored.
        session: of the job.

    Raises:
        Damaged: a file is not what was written.
    """
    for shard in manifest.shards:
        yield read_rows(folder, shard, manifest.digest, session, job.n_systems)


def merged_state(folder: Folder, manifest: Manifest) -> State:
    """The sum of the states of a run, one of which is in memory at a time.

    Args:
        folder: of the run.
        manifest: of the run, whose shards are finished.

    Raises:
        Damaged: a file is not what was written.
    """
    from fairsum_utils.state import State

    first, *others = manifest.shards
    state = State.from_bytes(read_state(folder, first, manifest.digest))
    for shard in others:
        state.merge(State.from_bytes(read_state(folder, shard, manifest.digest)))
    return state
