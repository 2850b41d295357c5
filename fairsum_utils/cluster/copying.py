"""Columns of files that cannot be read from the middle: copied as they are, in pieces, into the folder of the run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from fairsum_utils.cluster.manifest import Shard
from fairsum_utils.io.columnar import columnar_batches
from fairsum_utils.io.cutting import runs_of
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.opening import Part, Place

if TYPE_CHECKING:
    import pyarrow

__all__ = ["copied", "is_columnar"]


def is_columnar(place: Place) -> bool:
    """Whether a file holds columns of Arrow.

    Args:
        place: of the file or folder.
    """
    return place.is_folder or place.format in (".parquet", ".arrow", ".feather")


def copied(
    folder: Folder,
    places: Sequence[Place],
    columns: Sequence[str],
    split: str | None,
    room: Callable[[int], int],
    together: str | None,
) -> Iterator[Shard]:
    """Shards of files of columns, which are put into the folder.

    Args:
        folder: of the run.
        places: of the files.
        columns: that are read.
        split: name of a split, of a folder that has several.
        room: number of a shard -> about so many samples.
        together: a column: rows of a file that follow one another and have the same in it stay in one shard.

    Raises:
        FileError: a file cannot be read.
    """
    number = start = 0
    for file, place in enumerate(places):
        first = 0
        waiting: list[pyarrow.RecordBatch] = []
        for batch in columnar_batches(place, split, columns):
            waiting.append(batch)
            while (n_rows := _fitting(waiting, room(number), together)) is not None:
                taken, waiting = _parted(waiting, n_rows)
                yield _copy(folder, Shard(number, start, n_rows), file, first, taken)
                number, start, first = number + 1, start + n_rows, first + n_rows
        if n_rows := sum(map(len, waiting)):
            yield _copy(folder, Shard(number, start, n_rows), file, first, waiting)
            number, start = number + 1, start + n_rows


def _fitting(batches: Sequence[pyarrow.RecordBatch], n_rows: int, together: str | None) -> int | None:
    """How many of the rows make a shard of about so many; None while it cannot be told."""
    n_waiting = sum(map(len, batches))
    if n_waiting <= n_rows:
        return None
    if together is None or together not in batches[0].schema.names:
        return n_rows
    runs = runs_of(batch.column(together) for batch in batches)
    return next((row for row in range(n_rows, n_waiting) if not runs.continues(row)), None)


def _parted(
    batches: Sequence[pyarrow.RecordBatch], n_rows: int
) -> tuple[list[pyarrow.RecordBatch], list[pyarrow.RecordBatch]]:
    """The first rows, and the rest."""
    taken, left = [], []
    for batch in batches:
        here = min(n_rows, len(batch))
        n_rows -= here
        taken += [batch.slice(0, here)] if here else []
        left += [batch.slice(here)] if here < len(batch) else []
    return taken, left


def _copy(folder: Folder, shard: Shard, file: int, first: int, batches: Sequence[Any]) -> Shard:
    """Write the rows of a shard; a batch is a row group, for dictionaries of two do not always fit together."""
    import pyarrow
    import pyarrow.parquet

    sink = pyarrow.BufferOutputStream()
    with pyarrow.parquet.ParquetWriter(sink, batches[0].schema, compression="zstd") as writer:
        for batch in batches:
            writer.write_batch(batch)
    content = bytes(sink.getvalue())
    folder.write(shard.copy_name, content)
    part = Part(file, first, shard.n_rows, copy=shard.copy_name)
    return shard._replace(parts=(part,), digest=sha256(content).hexdigest())
