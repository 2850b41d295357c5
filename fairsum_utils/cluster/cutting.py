"""Cutting the samples of a job into shards."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from fairsum_utils.cluster.job import CHUNK, Job, say_found
from fairsum_utils.cluster.manifest import Shard
from fairsum_utils.errors import FileError, InputError
from fairsum_utils.families.columns import ARTICLE_IDS, SOURCES
from fairsum_utils.io.cutting import Piece, is_cuttable, pieces_of
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.layout import Chunk, as_there
from fairsum_utils.io.names import list_names
from fairsum_utils.io.opening import Part, place_of
from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.shapes import are_turns
from fairsum_utils.validation import check_count

if TYPE_CHECKING:
    pass


StagedSample = list[Any]
"""The id of a sample, and for each system where it stands and its columns."""


def samples_of(chunks: Sequence[Chunk]) -> Iterator[StagedSample]:
    """The samples of a chunk of each system."""
    for place, name in enumerate(chunks[0].ids):
        alone = [chunk.only(place) for chunk in chunks]
        yield [name, *([each.told_first(), {key: entry for key, [entry] in each.columns.items()}] for each in alone)]


def stage(folder: Folder, shard: Shard, samples: Iterable[StagedSample]) -> Shard:
    """Put the samples of a shard into the folder of a run."""
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
    """Read the staged input of a shard, and check its digest."""
    content = folder.read(name)
    if sha256(content).hexdigest() != shard.digest:
        raise FileError(f"{folder.address(name)}: is damaged; delete the folder {folder} and start again")
    return content


def staged_chunks(folder: Folder, shard: Shard, n_systems: int) -> Iterator[list[Chunk]]:
    """The samples that `stage` has put into a folder, some at a time: a chunk of each system."""
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


_MOST = {False: 1 << 16, True: 1 << 12}
"""Whether a model scores them, which takes long -> samples in the last shards: what is lost with a worker."""

_OF_A_SIZE = 8
"""Shards of a size, before the next are twice as large."""

_LEAST = {False: 4 * CHUNK, True: CHUNK}
"""Whether a model scores them, which takes long -> samples in the first shards: whole chunks, as one process
reads them, for the last digits of a model depend on what it is given together."""


def rows_in(number: int, *, uses_model: bool = False) -> int:
    """Return the default number of samples of a shard; the first shards are small.

    It depends on nothing else, so that everybody who cuts a file cuts it alike.

    Example:
        >>> [rows_in(number) for number in (0, 7, 8, 16, 1_000_000)]
        [512, 512, 1024, 2048, 65536]
    """
    most = _MOST[uses_model]
    return min(most, _LEAST[uses_model] << min(number // _OF_A_SIZE, most.bit_length()))


def cut(job: Job, folder: Folder, rows_per_shard: int | None = None) -> tuple[Shard, ...]:
    """Cut the samples of a job into shards.

    Lines of JSON and Parquet stay where they are. What cannot be read from the middle is read once, here, and put into
    the folder.
    """
    room = _room(job, rows_per_shard)
    next(job.chunks(say_found, size=1))  # whatever is wrong with the columns is said once, before any work
    places = [place_of(name, **_how(job)) for name in list_names(job.path)]
    if not _stand_alone(job):
        return tuple(_staged(job, folder, room))
    together = _files_of(job).get(ARTICLE_IDS.name)
    if all(map(is_cuttable, places)):
        pieces = (piece for number, place in enumerate(places) for piece in pieces_of(place, number, together, room(0)))
        return tuple(_packed(pieces, room))
    return tuple(_staged(job, folder, room))


def _files_of(job: Job) -> dict[str, str]:
    """Column -> its name in the file."""
    return {column.name: name for column, name in as_there(job.path, job.layout, job.reading).columns}


def _room(job: Job, rows_per_shard: int | None) -> Callable[[int], int]:
    """Number of a shard -> about so many samples."""
    if rows_per_shard is not None:
        n_rows = check_count(job.module, "rows_per_shard", rows_per_shard)
        return lambda number: n_rows
    return partial(rows_in, uses_model=job.uses_model(job.session()))


def _how(job: Job) -> dict[str, Any]:
    return {name: job.reading.get(name) for name in ("encoding", "input_format", "max_row_bytes")}


def _stand_alone(job: Job) -> bool:
    """Whether each row is a sample that can be read without any other."""
    shape = job.layout.shape
    if job.others or job.layout.predictions is not None or shape.group_by is not None or shape.transcript:
        return False
    sources = _files_of(job).get(SOURCES.name)
    if sources is None:
        return True
    first = next(read_rows(job.path, {}, others=[sources], **job.reading))
    return not shape.holds_turns and not are_turns(first.get(sources))


def _packed(pieces: Iterable[Piece], room: Callable[[int], int]) -> Iterator[Shard]:
    """Shards of pieces that follow one another."""
    parts: list[Part] = []
    number = start = n_rows = 0
    last: Any = None
    for piece in pieces:
        is_new_file = bool(parts) and parts[-1].file != piece.part.file
        together = is_new_file and last is not None and piece.first == last
        if parts and not together and n_rows + piece.part.n_rows > room(number):
            yield Shard(number, start, n_rows, tuple(parts))
            number, start, n_rows, parts = number + 1, start + n_rows, 0, []
            is_new_file = False
        if parts and not is_new_file:
            parts[-1] = _joined(parts[-1], piece.part)
        else:
            parts.append(piece.part)
        n_rows += piece.part.n_rows
        last = piece.last
    if parts:
        yield Shard(number, start, n_rows, tuple(parts))


def _joined(part: Part, following: Part) -> Part:
    return part._replace(n_rows=part.n_rows + following.n_rows, end=following.end)


def _staged(job: Job, folder: Folder, room: Callable[[int], int]) -> Iterator[Shard]:
    """Shards of samples that are put into the folder."""
    waiting: list[StagedSample] = []
    number = start = 0
    for chunks in job.chunks():
        for sample in samples_of(chunks):
            if len(waiting) >= room(number) and not _are_together(waiting[-1], sample):
                yield stage(folder, Shard(number, start, len(waiting)), waiting)
                number, start, waiting = number + 1, start + len(waiting), []
            waiting.append(sample)
    if waiting:
        yield stage(folder, Shard(number, start, len(waiting)), waiting)


def _are_together(sample: StagedSample, following: StagedSample) -> bool:
    """Whether two samples are of one original."""
    first, second = (each[1][1].get(ARTICLE_IDS.name) for each in (sample, following))
    return first is not None and first == second
