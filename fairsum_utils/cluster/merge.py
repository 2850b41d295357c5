"""Merging of finished shards: ordered rows, summed states, checked ids."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import numpy as np

from fairsum_utils.cluster.job import Job, Scored, job_from_json
from fairsum_utils.cluster.shards import Manifest, Shard
from fairsum_utils.cluster.worker import column_of, finished, read_rows, read_state
from fairsum_utils.errors import InputError
from fairsum_utils.families.table import from_arrow
from fairsum_utils.io.groups import check_unique
from fairsum_utils.io.names import list_names
from fairsum_utils.io.tables import parse_json
from fairsum_utils.io.writing import Folder
from fairsum_utils.session import Session
from fairsum_utils.session.systems import Quality
from fairsum_utils.stats.sums import digest_of

if TYPE_CHECKING:
    import pyarrow

    from fairsum_utils.session.state import State

_SHOWN = 10
"""Maximum number of missing shards in a message."""


def check_finished(folder: Folder, manifest: Manifest) -> None:
    """Refuse a run of which shards are missing."""
    done = set(finished(folder, manifest.shards, manifest.digest))
    missing = [shard for shard in manifest.shards if shard not in done]
    if missing:
        some = [f"{shard.number + 1}{_reason(folder, shard)}" for shard in missing[:_SHOWN]]
        more = ", ..." if len(missing) > _SHOWN else ""
        raise InputError(
            f"{folder}: {len(missing)} of {len(manifest.shards)} shards are missing or damaged: "
            f"{', '.join(some)}{more}; run the scoring command again to finish them"
        )


def _reason(folder: Folder, shard: Shard) -> str:
    """Return the reason why a shard was not scored, if known."""
    if folder.exists(shard.failed_name):
        with suppress(ValueError, KeyError, IndexError, TypeError):  # a damaged shard counts as missing
            return f" ({parse_json(folder.read(shard.failed_name).decode())['errors'][0]})"
    return ""


def restored_job(folder: Folder, manifest: Manifest) -> Job:
    """Return the job of a run from its manifest."""
    if manifest.job is None:
        raise InputError(
            f"{folder}: the run has settings that only exist in Python; merge it there with fairsum_utils.cluster.score"
        )
    job = job_from_json(manifest.job)
    if job.others:
        raise InputError(
            f"{folder}: this run is a comparison; merge it with the same fairsum compare --checkpoint command"
        )
    return job


_TOGETHER = 1 << 24
"""Ids whose digests are compared at a time, in 128 MB."""


def check_ids(folder: Folder, manifest: Manifest, job: Job) -> None:
    """Refuse repeated ids."""
    import pyarrow.parquet

    was_cut = all(shard.parts for shard in manifest.shards)  # copied samples were checked when they were read
    if job.others or not was_cut or job.layout.ids_repeat:
        return
    repeated = _repeated(folder, manifest)
    if not repeated:
        return
    names, suspects = list_names(job.path), {}
    for shard in manifest.shards:
        with folder.open(shard.rows_name) as file:
            ids = pyarrow.parquet.read_table(file, columns=["id"]).column("id").to_pylist()
        rows = (f"{names[part.file]}, row {part.first + n + 1}" for part in shard.parts for n in range(part.n_rows))
        suspects.update({row: name for name, row in zip(ids, rows, strict=True) if digest_of(name) in repeated})
    places = list(suspects)
    check_unique(list(suspects.values()), places.__getitem__, several=len(names) > 1)


def _repeated(folder: Folder, manifest: Manifest) -> set[int]:
    """Return the digests of repeated ids, one range at a time."""
    n_ranges = 1 + manifest.n_rows // _TOGETHER
    ends = np.array([place * (1 << 64) // n_ranges for place in range(1, n_ranges)], np.uint64)
    found: set[int] = set()
    for place in range(n_ranges):
        parts = []
        for shard in manifest.shards:
            digests = read_state(folder, shard, manifest.digest).ids
            parts.append(np.split(digests, np.searchsorted(digests, ends))[place].copy())  # a view keeps all
        digests = np.sort(np.concatenate(parts))
        found.update(digests[1:][digests[1:] == digests[:-1]].tolist())
    return found


_AT_ONCE = 1 << 12
"""Rows in memory at a time: objects need much more memory than rows in a file."""


def merged_rows(folder: Folder, manifest: Manifest, job: Job, session: Session) -> Iterator[list[Scored]]:
    """Yield the rows of a run in sample order, in chunks."""
    import pyarrow.parquet

    for shard in manifest.shards:
        content = read_rows(folder, shard, read_state(folder, shard, manifest.digest))
        table = pyarrow.parquet.read_table(pyarrow.BufferReader(content))
        for each, given in zip(session.passes, json.loads(table.schema.metadata[b"given"]), strict=True):
            each.given.update(given)
        qualities = [Quality.from_json(each) for each in json.loads(table.schema.metadata[b"quality"])]
        size = len(table) if job.others else _AT_ONCE
        for first in range(0, len(table), size):
            part = table.slice(first, size)
            yield [_scored(part, system, session, quality) for system, quality in enumerate(qualities)]


def _scored(table: pyarrow.Table, system: int, session: Session, quality: Quality) -> Scored:
    import pyarrow

    columns = (table.column(column_of(system, place)) for place in range(len(session.passes)))
    rows: list[list[Any]] = [
        from_arrow(pyarrow.Table.from_struct_array(column), each.family.table().row)
        for column, each in zip(columns, session.passes, strict=True)
    ]
    return Scored(table.column("id").to_pylist(), rows, quality)


def merged_state(folder: Folder, manifest: Manifest) -> State:
    """Return the summed states of a run, read one at a time."""
    from fairsum_utils.session.state import State

    states = (State.from_bytes(read_state(folder, shard, manifest.digest).sums) for shard in manifest.shards)
    state = next(states)
    for other in states:
        state.merge(other)
    return state
