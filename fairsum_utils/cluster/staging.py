"""Samples of files that cannot be read from the middle: read once, and put into the folder of the run."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Any

from fairsum_utils.cluster.job import CHUNK
from fairsum_utils.cluster.manifest import Shard
from fairsum_utils.errors import FileError, InputError
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.layout import Chunk

__all__ = ["StagedSample", "check_input", "samples_of", "stage", "staged_chunks"]

StagedSample = list[Any]
"""The id of a sample, and for each system where it stands and its columns."""


def samples_of(chunks: Sequence[Chunk]) -> Iterator[StagedSample]:
    """The samples of a chunk of each system.

    Args:
        chunks: of the same samples.
    """
    for place, name in enumerate(chunks[0].ids):
        alone = [chunk.only(place) for chunk in chunks]
        yield [name, *([each.told_first(), {key: entry for key, [entry] in each.columns.items()}] for each in alone)]


def stage(folder: Folder, shard: Shard, samples: Iterable[StagedSample]) -> Shard:
    """Put the samples of a shard into the folder of a run.

    Args:
        folder: of the run.
        shard: to be.
        samples: of it.

    Returns:
        The shard, with the digest of what was written.

    Raises:
        InputError: a column holds something that is no text, number, list or mapping.
    """
    import pyarrow

    sink = pyarrow.BufferOutputStream()
    with pyarrow.CompressedOutputStream(sink, "zstd") as packed:
        for sample in samples:
            try:
                line = json.dumps(sample)
            except TypeError as error:
                raise InputError(
                    f"{sample[1][0]}, id {sample[0]}: {error}, so that processes cannot share it; write the column as "
                    "text, or leave out --workers and --checkpoint"
                ) from None
            packed.write(line.encode() + b"\n")
    content = bytes(sink.getvalue())
    folder.write(shard.input_name, content)
    return shard._replace(digest=sha256(content).hexdigest())


def check_input(folder: Folder, shard: Shard, name: str) -> bytes:
    """What was put into the folder of a run for a shard.

    Args:
        folder: of the run.
        shard: of its manifest.
        name: of the file.

    Raises:
        FileError: it is not what was put there.
    """
    content = folder.read(name)
    if sha256(content).hexdigest() != shard.digest:
        raise FileError(f"{folder.address(name)}: is damaged; delete the folder {folder} and start again")
    return content


def staged_chunks(folder: Folder, shard: Shard, n_systems: int) -> Iterator[list[Chunk]]:
    """The samples that `stage` has put into a folder, some at a time: a chunk of each system.

    Args:
        folder: of the run.
        shard: of its manifest.
        n_systems: that are scored side by side.

    Raises:
        FileError: they are not what was put there.
    """
    import pyarrow

    content = check_input(folder, shard, shard.input_name)
    with pyarrow.CompressedInputStream(pyarrow.BufferReader(content), "zstd") as packed:
        samples = [json.loads(line) for line in packed.read().splitlines()]
    for first in range(0, len(samples), CHUNK):
        yield _chunks(samples[first : first + CHUNK], shard.start + first, n_systems)


def _chunks(samples: list[StagedSample], start: int, n_systems: int) -> list[Chunk]:
    ids = [sample[0] for sample in samples]
    chunks = []
    for system in range(1, n_systems + 1):
        where = {start + place: sample[system][0] for place, sample in enumerate(samples)}
        names = samples[0][system][1]
        columns = {name: [sample[system][1][name] for sample in samples] for name in names}
        chunks.append(Chunk(start, ids, columns, where.__getitem__))
    return chunks
