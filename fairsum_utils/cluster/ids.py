"""Repeated ids across shards, of which each worker sees only its own."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from fairsum_utils.cluster.job import Job
from fairsum_utils.cluster.manifest import Manifest, Shard
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.groups import check_unique
from fairsum_utils.io.locks import temporary_folder
from fairsum_utils.io.names import list_names
from fairsum_utils.stats.sums import digest_of

__all__ = ["check_ids"]


def check_ids(folder: Folder, manifest: Manifest, job: Job) -> None:
    """Refuse repeated ids; eight bytes an id are kept, on the disk.

    Args:
        folder: of the run.
        manifest: of the run, whose shards are finished.
        job: that was scored.

    Raises:
        InputError: an id is repeated.
    """
    is_cut = all(shard.parts for shard in manifest.shards)  # what was read in one go was checked there
    if job.others or not is_cut or job.layout.ids_repeat:
        return
    twice = _twice(folder, manifest)
    suspects = [
        (shard, place, name)
        for shard in (manifest.shards if twice else ())
        for place, name in enumerate(_ids(folder, shard))
        if digest_of(name) in twice
    ]
    names = [name for *_, name in suspects]
    check_unique(names, lambda n: _where(job, *suspects[n][:2]), several=len(list_names(job.path)) > 1)


def _twice(folder: Folder, manifest: Manifest) -> set[int]:
    """What those ids hash to that may come twice."""
    with temporary_folder() as made:
        digests = np.memmap(made / "digests", np.uint64, "w+", shape=(manifest.n_rows,))
        for shard in manifest.shards:
            digests[shard.start : shard.start + shard.n_rows] = [digest_of(name) for name in _ids(folder, shard)]
        digests.sort()
        found = set(map(int, digests[1:][digests[1:] == digests[:-1]]))
        del digests
    return found


def _ids(folder: Folder, shard: Shard) -> Iterator[str]:
    import pyarrow.parquet

    with folder.open(shard.rows_name) as file:
        yield from pyarrow.parquet.read_table(file, columns=["id"]).column("id").to_pylist()


def _where(job: Job, shard: Shard, place: int) -> str:
    """File and row of a sample of a shard."""
    for part in shard.parts:
        if place < part.n_rows:
            return f"{list_names(job.path)[part.file]}, row {part.first + place + 1}"
        place -= part.n_rows
    raise IndexError(place)
