"""Files of finished shards: rows, states and receipts, and what they make together."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fairsum_utils.cluster.job import Job, Scored
from fairsum_utils.cluster.manifest import Manifest, Shard
from fairsum_utils.errors import FairSumError, InputError
from fairsum_utils.families.table import from_arrow, to_arrow
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.groups import check_unique
from fairsum_utils.io.locks import temporary_folder
from fairsum_utils.io.names import list_names
from fairsum_utils.io.tables import parse_json
from fairsum_utils.session import Session
from fairsum_utils.session.systems import Quality
from fairsum_utils.stats.sums import digest_of

if TYPE_CHECKING:
    import pyarrow

    from fairsum_utils.session.state import State


_RECEIPT, _DIGEST, _QUALITY = b"receipt", b"digest", b"quality"
"""What stands in the metadata of the files."""


class Damaged(FairSumError):
    """A file of a shard is not what its receipt says, so that the shard has to be scored again."""


class Receipt(NamedTuple):
    """The receipt of a finished shard.

    Attributes:
        run: digest of the manifest.
        number: of the shard.
        n_rows: samples that were scored.
        rows: SHA-256 of the file of rows.
        seconds: that it took.
    """

    run: str
    number: int
    n_rows: int
    rows: str
    seconds: float


class RowsOfShard:
    """Takes in the rows of a shard, and keeps them as Arrow has them."""

    def __init__(self, session: Session, n_systems: int) -> None:
        self.kinds = [each.family.table().row for each in session.passes]
        self.ids: list[str] = []
        self.tables: list[list[list[pyarrow.Table]]] = [[[] for _ in self.kinds] for _ in range(n_systems)]
        self.qualities = [Quality() for _ in range(n_systems)]

    def add(self, scored: Sequence[Scored]) -> None:
        """Take in a chunk of samples, of each system."""
        self.ids += scored[0].ids
        for system, chunk in enumerate(scored):
            for place, rows in enumerate(chunk.rows):
                self.tables[system][place].append(to_arrow(rows, self.kinds[place]))
            if chunk.quality is not None:
                self.qualities[system].merge(chunk.quality)

    def to_parquet(self) -> bytes:
        """The file of them: ids, and a column of structs for each system and pass."""
        import pyarrow
        import pyarrow.parquet

        columns: dict[str, Any] = {"id": pyarrow.array(self.ids, pyarrow.string())}
        for system, of_system in enumerate(self.tables):
            for place, tables in enumerate(of_system):
                columns[_column(system, place)] = pyarrow.concat_tables(tables).to_struct_array()
        quality = json.dumps([each.to_json() for each in self.qualities])
        table = pyarrow.table(columns).replace_schema_metadata({_QUALITY: quality.encode()})
        sink = pyarrow.BufferOutputStream()
        pyarrow.parquet.write_table(table, sink, compression="zstd")
        return bytes(sink.getvalue())


def _column(system: int, place: int) -> str:
    return f"rows-{system}-{place}"


def write_shard(folder: Folder, shard: Shard, run: str, rows: RowsOfShard, state: bytes | None, seconds: float) -> None:
    """Write what a shard has become; from the last of these files on it is finished."""
    import pyarrow.ipc

    content = rows.to_parquet()
    folder.write(shard.rows_name, content)
    receipt = Receipt(run, shard.number, len(rows.ids), sha256(content).hexdigest(), seconds)
    metadata = {_RECEIPT: json.dumps(receipt._asdict()).encode()}
    metadata[_DIGEST] = _digest(metadata[_RECEIPT], state)
    table = pyarrow.table({"state": pyarrow.array([state], pyarrow.large_binary())}).replace_schema_metadata(metadata)
    sink = pyarrow.BufferOutputStream()
    packed = pyarrow.ipc.IpcWriteOptions(compression="zstd")
    with pyarrow.ipc.new_file(sink, table.schema, options=packed) as writer:
        writer.write_table(table)
    folder.write(shard.state_name, bytes(sink.getvalue()))
    folder.remove(shard.failed_name)


def _digest(receipt: bytes, state: bytes | None) -> bytes:
    return sha256(receipt + b"\n" + (state or b"")).hexdigest().encode()


def read_receipt(folder: Folder, shard: Shard, run: str) -> Receipt:
    """The receipt of a finished shard."""
    return _read_state(folder, shard, run)[0]


def read_state(folder: Folder, shard: Shard, run: str) -> bytes:
    """The state of a finished shard."""
    state = _read_state(folder, shard, run)[1]
    if state is None:
        raise Damaged(f"{folder.address(shard.state_name)}: holds no state")
    return state


def _read_state(folder: Folder, shard: Shard, run: str) -> tuple[Receipt, bytes | None]:
    import pyarrow.ipc

    where = folder.address(shard.state_name)
    try:
        table = pyarrow.ipc.open_file(pyarrow.BufferReader(folder.read(shard.state_name))).read_all()
        metadata = table.schema.metadata
        [state] = table.column("state").to_pylist()
        whole = metadata[_DIGEST] == _digest(metadata[_RECEIPT], state)
        receipt = Receipt(**parse_json(metadata[_RECEIPT].decode()))
    except (pyarrow.ArrowException, OSError, ValueError, KeyError, TypeError) as error:
        raise Damaged(f"{where}: is damaged ({error})") from None
    if not whole:
        raise Damaged(f"{where}: is not what was written")
    if (receipt.run, receipt.number) != (run, shard.number):
        raise Damaged(f"{where}: belongs to another run or shard")
    return receipt, state


def check_rows(folder: Folder, shard: Shard, receipt: Receipt) -> bytes:
    """The file of the rows of a finished shard, as it was written."""
    try:
        content = folder.read(shard.rows_name)
    except (OSError, FairSumError) as error:
        raise Damaged(f"{folder.address(shard.rows_name)}: {error}") from None
    if sha256(content).hexdigest() != receipt.rows:
        raise Damaged(f"{folder.address(shard.rows_name)}: is not what was written")
    return content


def read_rows(folder: Folder, shard: Shard, run: str, session: Session, n_systems: int) -> Iterator[list[Scored]]:
    """The rows of a finished shard, some at a time, one entry a system; of several systems all together."""
    import pyarrow
    import pyarrow.parquet

    content = check_rows(folder, shard, read_receipt(folder, shard, run))
    table = pyarrow.parquet.read_table(pyarrow.BufferReader(content))
    qualities = [Quality.from_json(each) for each in json.loads(table.schema.metadata[_QUALITY])]
    size = _TOGETHER if n_systems == 1 else len(table)
    for first in range(0, len(table), size):
        part = table.slice(first, size)
        ids = part.column("id").to_pylist()
        yield [
            Scored(ids, _rows_in(part, system, session), qualities[system] if n_systems > 1 else None)
            for system in range(n_systems)
        ]


_TOGETHER = 1 << 12
"""Rows that are made at a time: as objects they take many times what they take in a file."""


def _rows_in(table: pyarrow.Table, system: int, session: Session) -> list[list[Any]]:
    """The rows of a system, for each pass."""
    import pyarrow

    return [
        from_arrow(pyarrow.Table.from_struct_array(table.column(_column(system, place))), each.family.table().row)
        for place, each in enumerate(session.passes)
    ]


def finished(folder: Folder, shards: Iterable[Shard], run: str) -> dict[int, Receipt]:
    """The receipts of those shards that are finished and whole: number -> receipt."""
    there = set(folder.names("state"))
    receipts = {}
    for shard in shards:
        if shard.state_name in there:
            try:
                receipts[shard.number] = receipt = read_receipt(folder, shard, run)
                check_rows(folder, shard, receipt)
            except Damaged:
                receipts.pop(shard.number, None)
    return receipts


def check_ids(folder: Folder, manifest: Manifest, job: Job) -> None:
    """Refuse repeated ids; eight bytes an id are kept, on the disk."""
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
    """Return the digests that occur more than once."""
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


def check_finished(folder: Folder, manifest: Manifest) -> None:
    """Refuse a run of which shards are missing."""
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
    """The rows of a run in the order of its samples, some at a time: one entry a system."""
    for shard in manifest.shards:
        yield from read_rows(folder, shard, manifest.digest, session, job.n_systems)


def merged_state(folder: Folder, manifest: Manifest) -> State:
    """The sum of the states of a run, one of which is in memory at a time."""
    from fairsum_utils.session.state import State

    first, *others = manifest.shards
    state = State.from_bytes(read_state(folder, first, manifest.digest))
    for shard in others:
        state.merge(State.from_bytes(read_state(folder, shard, manifest.digest)))
    return state
