"""Shards of a job, and the manifest that lists them in the folder of a run."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import sha256
from itertools import islice
from typing import Any, NamedTuple, Self

from fairsum_utils.cluster.job import CHUNK, Job, say_found
from fairsum_utils.errors import FileError, InputError
from fairsum_utils.families.columns import ARTICLE_IDS, SOURCES
from fairsum_utils.io.columnar import group_batches, group_sizes, readable
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.layout import Chunk, as_there, read_chunks
from fairsum_utils.io.names import ENDINGS, STANDARD_INPUT, list_names
from fairsum_utils.io.opening import Part, Place, bounded_lines, open_seekable, open_text, place_of
from fairsum_utils.io.reading import read_rows
from fairsum_utils.io.shapes import are_turns
from fairsum_utils.io.stores import is_web, local_path
from fairsum_utils.io.tables import parse_json
from fairsum_utils.validation import check_count

MANIFEST = "manifest.json"

_LAYOUT = 5
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
        """Copy of its samples, if the user's file cannot be read from the middle."""
        return f"input/{self._stem}.jsonl.gz"

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
    """Whether a name is that of a folder with a run."""
    return not is_web(name) and not name.endswith(ENDINGS) and "*" not in name and Folder(name).exists(MANIFEST)


def is_of_run(folder: str, name: str) -> bool:
    """Whether a file would take the place of one that a run keeps in its folder.

    Example:
        >>> is_of_run("run", "run/manifest.json"), is_of_run("run", "run/results.json")
        (True, False)
    """
    path, place = local_path(name), local_path(folder)
    if path is None or place is None:
        inside = name.removeprefix(f"{folder.rstrip('/')}/")
        first = "" if inside == name else inside.partition("/")[0]
    elif place.resolve() in path.resolve().parents:
        first = path.resolve().relative_to(place.resolve()).parts[0]
    else:
        return False
    return first in (MANIFEST, *_FOLDERS) or first.startswith(".")


@dataclass(frozen=True)
class Manifest:
    """The facts of a run, its job and its shards.

    Attributes:
        facts: What must stay the same for a run to go on: files, settings and version.
        job: The job as JSON values, see `fairsum_utils.cluster.job.job_to_json`.
        shards: Shards in the order of the samples.
        has_states: Whether results are made of the shards' states; if not, of their rows.
    """

    facts: dict[str, Any]
    job: dict[str, Any] | None
    shards: tuple[Shard, ...]
    has_states: bool

    @property
    def n_rows(self) -> int:
        """Samples of all shards."""
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
                f"{folder}: this is no folder of a run; fairsum score FILE --checkpoint {folder} makes it one"
            )
        damaged = InputError(f"{folder}: {MANIFEST} is damaged; delete the folder, or name another")
        try:
            document = parse_json(folder.read(MANIFEST).decode())
            layout, digest = document.pop("layout"), document.pop("digest")
        except (ValueError, KeyError, TypeError, AttributeError):
            raise damaged from None
        if layout != _LAYOUT:
            raise InputError(
                f"{folder}: another version of fairsum-utils has written this run; delete the folder and score again: "
                f"fairsum score FILE --checkpoint {folder}"
            )
        try:
            shards = [Shard(*each) for each in document["shards"]]
            shards = [shard._replace(parts=tuple(Part(*part) for part in shard.parts)) for shard in shards]
            manifest = cls(**{**document, "shards": tuple(shards)})
        except (ValueError, KeyError, TypeError):
            raise damaged from None
        if manifest.digest != digest:
            raise damaged
        return manifest


_MOST = {False: 1 << 16, True: 1 << 12}
"""Whether a model scores them, which takes long -> samples in the last shards: what is lost with a worker."""

_LEAST = {False: 4 * CHUNK, True: CHUNK}
"""Whether a model scores them -> samples in the first shards: whole chunks, as one process reads them, for the last
digits of a model depend on what it is given together."""

_OF_A_SIZE = 8
"""Shards of a size, before the next are twice as large."""


def rows_in(number: int, *, uses_model: bool = False) -> int:
    """Return the default number of samples of a shard, so that every process cuts a file alike.

    Example:
        >>> [rows_in(number) for number in (0, 7, 8, 16, 1_000_000)]
        [512, 512, 1024, 2048, 65536]
    """
    most = _MOST[uses_model]
    return min(most, _LEAST[uses_model] << min(number // _OF_A_SIZE, most.bit_length()))


def cut(job: Job, folder: Folder, rows_per_shard: int | None = None) -> tuple[Shard, ...]:
    """Cut the samples of a job into shards; what cannot be read from the middle is copied into the folder."""
    if rows_per_shard is None:
        room: Callable[[int], int] = partial(rows_in, uses_model=job.uses_model(job.session()))
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
    size = min(room(0), CHUNK)
    pieces = (piece for number, place in enumerate(places) for piece in _pieces(place, number, size, together))
    return tuple(_packed(pieces, room))


def _stand_alone(job: Job) -> bool:
    """Whether each row is a sample that can be read without any other."""
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
"""Rows of a row group of Parquet at most; to read a range of it, what comes before has to be read."""

_PER_GROUP = 4
"""Parts of a row group at most."""


def is_cuttable(place: Place) -> bool:
    """Whether a file can be read from the middle: lines of JSON, or Parquet with small row groups."""
    if place.is_folder or place.packing or place.name == STANDARD_INPUT or is_web(place.name):
        return False
    if place.format == ".parquet":
        return max(_groups(place), default=0) <= _LARGEST
    if place.format not in (".jsonl", ".ndjson") or place.encoding is not None:
        return False
    with open_text(place) as file:
        return file.seekable()


def _groups(place: Place) -> list[int]:
    with _opened(place) as file:
        return group_sizes(file)


@contextmanager
def _opened(place: Place) -> Iterator[Any]:
    import pyarrow.parquet

    with (
        readable(str(place), "Parquet file"),
        open_seekable(place) as content,
        pyarrow.parquet.ParquetFile(content) as file,
    ):
        yield file


class _Piece(NamedTuple):
    """A small range of a file, and the original of its first and of its last sample; None if unknown."""

    part: Part
    first: Any = None
    last: Any = None


def _pieces(place: Place, number: int, size: int, together: str | None) -> Iterator[_Piece]:
    """Small consecutive ranges of a file, the one of this number; none ends between two samples of an original."""
    return (_pieces_of_rows if place.format == ".parquet" else _pieces_of_lines)(place, number, size, together)


def _pieces_of_rows(place: Place, number: int, size: int, together: str | None) -> Iterator[_Piece]:
    at, last = 0, None
    with _opened(place) as file:
        columns = [name for name in file.schema_arrow.names if name == together]
        for group, n_rows in enumerate(group_sizes(file)):
            batches = group_batches(file, group, n_rows, columns) if columns and n_rows else ()
            keys = [key for batch in batches for key in batch.column(0).to_pylist()] or [None] * n_rows
            step, first = max(size, -(-n_rows // _PER_GROUP)), 0
            while first < n_rows:
                stop = first + 1 if _is_same(last, keys[first]) else min(first + step, n_rows)
                while stop < n_rows and _is_same(keys[stop - 1], keys[stop]):
                    stop += 1
                yield _Piece(Part(number, at + first, stop - first), keys[first], keys[stop - 1])
                first, last = stop, keys[stop - 1]
            at += n_rows


def _pieces_of_lines(place: Place, number: int, size: int, together: str | None) -> Iterator[_Piece]:
    with open_text(place) as file:
        begin = end = file.tell()
        first, n_rows, line = 0, 0, 1
        head = last = b""

        def piece() -> _Piece:
            return _Piece(Part(number, first, n_rows, begin, end, line), _key(head, together), _key(last, together))

        for at, text in enumerate(bounded_lines(file, str(place), place.max_row_bytes), start=1):
            is_row = not text.isspace()
            if is_row and n_rows >= size and not _is_same(_key(last, together), _key(text, together)):
                yield piece()
                first, n_rows, begin, line = first + n_rows, 0, end, at
            end += len(text)
            if is_row:
                head, last = head if n_rows else text, text
                n_rows += 1
        if n_rows:
            yield piece()


def _key(line: bytes, together: str | None) -> Any:
    """The original of a line of JSON; None if there is none."""
    if together is None:
        return None
    try:
        row = parse_json(line.decode())
    except ValueError:
        return None  # for the reader to say
    return row.get(together) if isinstance(row, dict) else None


def _is_same(one: Any, other: Any) -> bool:
    return one is not None and one == other


def _packed(pieces: Iterable[_Piece], room: Callable[[int], int]) -> Iterator[Shard]:
    """Make shards of consecutive pieces; samples of an original that follow one another stay together."""
    packed: list[Part] = []
    number = start = n_rows = 0
    original = None
    for part, first, last in pieces:
        if packed and n_rows + part.n_rows > room(number) and not _is_same(original, first):
            yield Shard(number, start, n_rows, tuple(packed))
            number, start, n_rows, packed = number + 1, start + n_rows, 0, []
        if packed and packed[-1].file == part.file:
            packed[-1] = packed[-1]._replace(n_rows=packed[-1].n_rows + part.n_rows, end=part.end)
        else:
            packed.append(part)
        n_rows, original = n_rows + part.n_rows, last
    if packed:
        yield Shard(number, start, n_rows, tuple(packed))


def _copied(job: Job, folder: Folder, room: Callable[[int], int]) -> Iterator[Shard]:
    """Make shards of samples that are copied into the folder."""
    samples = (sample for chunks in job.chunks() for sample in _samples(chunks))
    number = start = 0
    following = next(samples, None)
    while following is not None:
        copied = [following, *islice(samples, room(number) - 1)]
        for following in samples:
            if not _is_same(_original(copied[-1]), _original(following)):
                break
            copied.append(following)
        else:
            following = None
        shard = Shard(number, start, len(copied))
        content = b"".join(map(_line, copied))
        folder.write(shard.input_name, gzip.compress(content, compresslevel=1, mtime=0))
        yield shard
        number, start = number + 1, start + len(copied)


CopiedSample = list[Any]
"""The id of a sample, and for each system its place in the file and its columns."""


def _samples(chunks: Sequence[Chunk]) -> Iterator[CopiedSample]:
    for place, name in enumerate(chunks[0].ids):
        alone = [chunk.only(place) for chunk in chunks]
        yield [name, *([each.told_first(), {key: entry for key, [entry] in each.columns.items()}] for each in alone)]


def _original(sample: CopiedSample) -> Any:
    return sample[1][1].get(ARTICLE_IDS.name)


def _line(sample: CopiedSample) -> bytes:
    try:
        return json.dumps(sample).encode() + b"\n"
    except TypeError as error:
        raise InputError(
            f"{sample[1][0]}, id {sample[0]}: {error}, so that processes cannot share it; write the column as "
            "text, or leave out --workers and --checkpoint"
        ) from None


def shard_chunks(job: Job, shard: Shard, folder: Folder) -> Iterator[list[Chunk]]:
    """Read the samples of a shard, some at a time: a chunk of each system."""
    if shard.parts:
        chunks = read_chunks(job.path, job.layout, CHUNK, parts=shard.parts, start=shard.start, **job.reading)
        yield from ([chunk] for chunk in chunks)
        return
    try:
        lines = gzip.decompress(folder.read(shard.input_name)).splitlines()
    except (OSError, EOFError, zlib.error):
        where = folder.address(shard.input_name)
        raise FileError(f"{where}: is damaged; delete the folder {folder} and start again") from None
    for first in range(0, len(lines), CHUNK):
        samples = [json.loads(line) for line in lines[first : first + CHUNK]]
        yield [_chunk(samples, shard.start + first, system) for system in range(1, job.n_systems + 1)]


def _chunk(samples: list[CopiedSample], start: int, system: int) -> Chunk:
    where = {start + place: sample[system][0] for place, sample in enumerate(samples)}
    names = samples[0][system][1]
    columns = {name: [sample[system][1][name] for sample in samples] for name in names}
    return Chunk(start, [sample[0] for sample in samples], columns, where.__getitem__)
