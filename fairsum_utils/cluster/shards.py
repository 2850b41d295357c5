"""Shards of a job, and their manifest in the run folder."""

from __future__ import annotations

import gzip
import json
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, NamedTuple, Self

from fairsum_utils.cluster.job import CHUNK, Job, say_found
from fairsum_utils.errors import FileError, InputError
from fairsum_utils.families.columns import ARTICLE_IDS, SOURCES
from fairsum_utils.io.columnar import group_batches, group_sizes, readable
from fairsum_utils.io.layout import Chunk, as_there, read_chunks
from fairsum_utils.io.names import ENDINGS, list_names
from fairsum_utils.io.opening import Part, Place, bounded_lines, is_stream, open_seekable, open_text, place_of
from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.shapes import are_turns
from fairsum_utils.io.stores import is_web
from fairsum_utils.io.tables import parse_json
from fairsum_utils.io.writing import Folder
from fairsum_utils.validation import check_count

MANIFEST = "manifest.json"

_LAYOUT = 7
"""Layout of the files of a run; others are refused."""


class Shard(NamedTuple):
    """Samples that are scored together.

    Attributes:
        number: Number of the shard, from 0.
        start: Index of its first sample.
        n_rows: Number of samples.
        parts: Ranges of the files; empty if the samples were copied into the folder, see `input_name`.
    """

    number: int
    start: int
    n_rows: int
    parts: tuple[Part, ...] = ()

    @property
    def input_name(self) -> str:
        """Return the name of the copied samples of this shard."""
        return f"input/{self._stem}.json.gz"

    @property
    def rows_name(self) -> str:
        """File of its rows, with their ids."""
        return f"rows/{self._stem}.parquet"

    @property
    def state_name(self) -> str:
        """File of its state, written last: it marks the shard as finished."""
        return f"state/{self._stem}.state"

    @property
    def failed_name(self) -> str:
        """File with the reasons why it could not be scored."""
        return f"failed/{self._stem}.json"

    @property
    def _stem(self) -> str:
        return f"shard={self.number:05}"


_FOLDERS = ("input", "rows", "state", "failed")


def is_run(name: str) -> bool:
    """Return whether a folder contains a run."""
    return not is_web(name) and not name.endswith(ENDINGS) and "*" not in name and Folder(name).exists(MANIFEST)


def is_of_run(folder: str, name: str) -> bool:
    """Return whether a file name collides with a run's own files.

    Example:
        >>> is_of_run("run", "run/manifest.json"), is_of_run("run", "run/results.json")
        (True, False)
    """
    first = Path(os.path.relpath(name, folder)).parts[0]
    return first in (MANIFEST, *_FOLDERS) or (first.startswith(".") and first != os.pardir)


@dataclass(frozen=True)
class Manifest:
    """The facts of a run, its job and its shards.

    Attributes:
        facts: Properties that must not change when a run resumes: files, settings, version.
        job: The job as JSON values, see `fairsum_utils.cluster.job.job_to_json`.
        shards: Shards in the order of the samples.
        has_states: True if results come from the shards' states; otherwise from their rows.
    """

    facts: dict[str, Any]
    job: dict[str, Any] | None
    shards: tuple[Shard, ...]
    has_states: bool

    @property
    def n_rows(self) -> int:
        """Return the number of samples in all shards."""
        return sum(shard.n_rows for shard in self.shards)

    @cached_property
    def digest(self) -> str:
        """Digest of the content, which every file of its shards carries."""
        content = [self.facts, self.job, self.shards, self.has_states]
        return sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()

    def write(self, folder: Folder) -> None:
        """Write it into a folder."""
        content = {"facts": self.facts, "job": self.job, "shards": self.shards, "has_states": self.has_states}
        document = {"layout": _LAYOUT, "digest": self.digest, **content}
        folder.write(MANIFEST, json.dumps(document, indent=1).encode())

    @classmethod
    def read(cls, folder: Folder) -> Self:
        """Read the manifest of a folder."""
        if not folder.exists(MANIFEST):
            raise InputError(
                f"{folder}: this folder has no run; create one with fairsum score FILE --checkpoint {folder}"
            )
        try:
            document = parse_json(folder.read(MANIFEST).decode())
            layout, digest, shards = (document.pop(name) for name in ("layout", "digest", "shards"))
            numbers = (Shard(*each) for each in shards)
            restored = tuple(shard._replace(parts=tuple(Part(*part) for part in shard.parts)) for shard in numbers)
            manifest = cls(shards=restored, **document)
        except (ValueError, KeyError, TypeError, AttributeError):
            layout, digest, manifest = _LAYOUT, "", cls({}, None, (), has_states=False)
        if layout != _LAYOUT:
            raise InputError(
                f"{folder}: another version of fairsum-utils wrote this run; delete the folder and score again: "
                f"fairsum score FILE --checkpoint {folder}"
            )
        if manifest.digest != digest:
            raise InputError(f"{folder}: {MANIFEST} is damaged; delete the folder or name another")
        return manifest


_MOST = {False: 1 << 16, True: 1 << 12}
"""True if a model scores them -> samples in the last shards, which are lost with a worker."""

_LEAST = {False: 4 * CHUNK, True: CHUNK}
"""Whether a model scores them -> samples in the first shards: whole chunks, as one process reads them, for the last
digits of a model depend on what it is given together."""

_OF_A_SIZE = 8
"""Number of shards of each size; the size doubles after them."""


def rows_in(number: int, *, uses_model: bool = False) -> int:
    """Return the default shard size, the same in every process.

    Example:
        >>> [rows_in(number) for number in (0, 7, 8, 16, 1_000_000)]
        [512, 512, 1024, 2048, 65536]
    """
    most = _MOST[uses_model]
    return min(most, _LEAST[uses_model] << min(number // _OF_A_SIZE, most.bit_length()))


Room = Callable[[int], int]
"""Number of a shard -> approximate number of its samples."""


def cut(job: Job, folder: Folder, rows_per_shard: int | None = None) -> tuple[Shard, ...]:
    """Cut the samples of a job into shards, copying them if necessary."""
    if rows_per_shard is None:
        room: Room = partial(rows_in, uses_model=job.uses_model(job.session()))
    else:
        n_rows = check_count(job.module, "rows_per_shard", rows_per_shard)
        room = lambda number: n_rows  # noqa: E731
    next(job.chunks(say_found, size=1))  # report wrong columns once, before any work
    how = {name: job.reading.get(name) for name in ("encoding", "input_format", "max_row_bytes")}
    places = [place_of(name, **how) for name in list_names(job.path)]
    if not (_stand_alone(job) and all(map(is_cuttable, places))):
        return tuple(_copied(job, folder, room))
    columns = as_there(job.path, job.layout, job.reading).columns
    together = next((name for column, name in columns if column.name == ARTICLE_IDS.name), None)
    return tuple(_in_place(places, together, room))


def _stand_alone(job: Job) -> bool:
    """Return whether each row is an independent sample."""
    shape = job.layout.shape
    if job.others or job.layout.predictions is not None or shape.group_by is not None or shape.transcript:
        return False
    columns = as_there(job.path, job.layout, job.reading).columns
    sources = next((name for column, name in columns if column.name == SOURCES.name), None)
    if sources is None:
        return True
    first = next(read_rows(job.path, {}, others=[sources], **job.reading))
    return not shape.holds_turns and not are_turns(first.get(sources))


_LARGEST = 1 << 15
"""Maximum rows of a Parquet row group; reading a range also reads all rows before it."""

_PER_GROUP = 4
"""Maximum shards that begin in one row group."""


def is_cuttable(place: Place) -> bool:
    """Return whether a file can be read from the middle."""
    if place.is_folder or place.packing or is_stream(place.name) or is_web(place.name):
        return False
    if place.format == ".parquet":
        with _opened(place) as file:
            return max(group_sizes(file), default=0) <= _LARGEST
    if place.format not in (".jsonl", ".ndjson") or place.encoding is not None:
        return False
    with open_text(place) as file:
        return file.seekable()


@contextmanager
def _opened(place: Place) -> Iterator[Any]:
    import pyarrow.parquet

    with (
        readable(str(place), "Parquet file"),
        open_seekable(place) as content,
        pyarrow.parquet.ParquetFile(content) as file,
    ):
        yield file


class _Row(NamedTuple):
    """A row or copied sample: its original, and the minimum shard length."""

    file: int
    number: int
    original: Any
    least: int = 1
    begin: int = 0
    end: int = 0
    line: int = 1
    sample: Any = None


def _rows_of_parquet(file: int, place: Place, together: str | None) -> Iterator[_Row]:
    at = 0
    with _opened(place) as opened:
        columns = [name for name in opened.schema_arrow.names if name == together]
        for group, n_rows in enumerate(group_sizes(opened)):
            batches = group_batches(opened, group, n_rows, columns) if columns and n_rows else ()
            originals = [key for batch in batches for key in batch.column(0).to_pylist()] or [None] * n_rows
            least = -(-n_rows // _PER_GROUP)
            yield from (_Row(file, at + n, original, least) for n, original in enumerate(originals))
            at += n_rows


def _rows_of_lines(file: int, place: Place, together: str | None) -> Iterator[_Row]:
    number = 0
    with open_text(place) as opened:
        begin = opened.tell()
        for line, text in enumerate(bounded_lines(opened, str(place), place.max_row_bytes), start=1):
            end = begin + len(text)
            if not text.isspace():
                yield _Row(file, number, _original(text, together), begin=begin, end=end, line=line)
                number += 1
            begin = end


def _original(line: bytes, together: str | None) -> Any:
    """Return the original of a JSON line; None if missing."""
    if together is None:
        return None
    try:
        row = parse_json(line.decode())
    except ValueError:
        return None  # the reader reports it
    return row.get(together) if isinstance(row, dict) else None


def _packed(rows: Iterable[_Row], room: Room) -> Iterator[list[_Row]]:
    """Pack rows into shards; keep consecutive rows of an original together."""
    number, packed = 0, list[_Row]()
    for row in rows:
        is_full = len(packed) >= max(room(number), row.least)
        if is_full and (row.original is None or row.original != packed[-1].original):
            yield packed
            number, packed = number + 1, []
        packed.append(row)
    if packed:
        yield packed


def _in_place(places: Sequence[Place], together: str | None, room: Room) -> Iterator[Shard]:
    """Make shards of ranges of files."""
    rows = (
        row
        for file, place in enumerate(places)
        for row in (_rows_of_parquet if place.format == ".parquet" else _rows_of_lines)(file, place, together)
    )
    start = 0
    for number, packed in enumerate(_packed(rows, room)):
        parts = []
        for file, group in groupby(packed, key=attrgetter("file")):
            first, *others = group
            last = others[-1] if others else first
            parts.append(Part(file, first.number, 1 + len(others), first.begin, last.end, first.line))
        yield Shard(number, start, len(packed), tuple(parts))
        start += len(packed)


def _copied(job: Job, folder: Folder, room: Room) -> Iterator[Shard]:
    """Copy samples into the folder as shards, with ids, places and columns."""
    start = 0
    for number, packed in enumerate(_packed(_samples(job), room)):
        shard = Shard(number, start, len(packed))
        samples = [row.sample for row in packed]
        try:
            content = json.dumps(samples).encode()
        except TypeError as error:
            raise InputError(
                f"{samples[0][1][0][0]} and later rows: {error}, so processes cannot share the column; write it as "
                "text, or omit --workers and --checkpoint"
            ) from None
        folder.write(shard.input_name, gzip.compress(content, compresslevel=1, mtime=0))
        yield shard
        start += len(packed)


def _samples(job: Job) -> Iterator[_Row]:
    for chunks in job.chunks():
        for place, name in enumerate(chunks[0].ids):
            alone = [chunk.only(place) for chunk in chunks]
            systems = [(each.told_first(), {key: entry for key, [entry] in each.columns.items()}) for each in alone]
            yield _Row(0, 0, systems[0][1].get(ARTICLE_IDS.name), sample=(name, systems))


def shard_chunks(job: Job, shard: Shard, folder: Folder) -> Iterator[list[Chunk]]:
    """Read the samples of a shard in chunks, one per system."""
    if shard.parts:
        chunks = read_chunks(job.path, job.layout, CHUNK, parts=shard.parts, start=shard.start, **job.reading)
        yield from ([chunk] for chunk in chunks)
        return
    try:
        samples = json.loads(gzip.decompress(folder.read(shard.input_name)))
    except (OSError, EOFError, zlib.error):
        where = folder.address(shard.input_name)
        raise FileError(f"{where}: the file is damaged; delete the folder {folder} and start again") from None
    for first in range(0, len(samples), CHUNK):
        part = samples[first : first + CHUNK]
        yield [_chunk(part, shard.start + first, system) for system in range(job.n_systems)]


def _chunk(samples: Sequence[Any], start: int, system: int) -> Chunk:
    where = {start + place: systems[system][0] for place, (_, systems) in enumerate(samples)}
    columns = {name: [systems[system][1][name] for _, systems in samples] for name in samples[0][1][system][1]}
    return Chunk(start, [name for name, _ in samples], columns, where.__getitem__)
