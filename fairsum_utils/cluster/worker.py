"""Scoring of single shards, and their result files."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cached_property, partial
from hashlib import sha256
from io import BytesIO
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple
from zipfile import ZipFile, ZipInfo

import numpy as np

from fairsum_utils._util.secrets import masked
from fairsum_utils.cluster.job import Job, Scored, bad_samples, score_chunk
from fairsum_utils.cluster.shards import Manifest, Shard, shard_chunks
from fairsum_utils.errors import FairSumError, FileError, InputError
from fairsum_utils.families.columns import Column
from fairsum_utils.families.table import to_arrow
from fairsum_utils.io.writing import Folder
from fairsum_utils.session import Session
from fairsum_utils.session.passes import Pass
from fairsum_utils.session.systems import Quality
from fairsum_utils.signature import render_signature
from fairsum_utils.stats.sums import digest_of

if TYPE_CHECKING:
    import numpy.typing as npt
    import pyarrow


class Finished(NamedTuple):
    """The files of a shard are complete.

    Attributes:
        number: Number of the shard.
        n_rows: Number of its samples.
    """

    number: int
    n_rows: int


class Failed(NamedTuple):
    """A shard could not be scored.

    Attributes:
        number: Number of the shard.
        errors: One line each; for invalid input, one per invalid sample.
        is_input: True if the input caused the failure, False if the machine did.
    """

    number: int
    errors: tuple[str, ...]
    is_input: bool = False

    def write(self, folder: Folder, shard: Shard) -> None:
        """Keep the reasons in the folder of the run."""
        folder.write(shard.failed_name, masked(json.dumps(self._asdict())).encode())


Outcome = Finished | Failed


class NotWritten(FairSumError):
    """The output of a shard cannot be written, so the run stops."""

    exit_status = 1


SIGNATURES = "signatures.json"
"""File of a run's folder, written by its first worker with a model."""


def keep_signatures(job: Job, session: Session, folder: Folder) -> None:
    """Load the models; check that all workers have the same ones."""
    if not job.uses_model(session):
        return
    ours = [_signatures(each, [column for column, _ in job.layout.columns]) for each in session.passes]
    if not folder.exists(SIGNATURES):
        folder.write(SIGNATURES, json.dumps(ours).encode())
    for mine, others in zip(ours, json.loads(folder.read(SIGNATURES)), strict=True):
        for measure in mine:
            signature, theirs = (render_signature(each[measure][""]) for each in (mine, others))
            if signature != theirs:
                raise InputError(
                    f"{measure} would be scored with {signature}, but other workers of this run use {theirs}; give "
                    "all workers the same --device and --dtype"
                )


def _signatures(each: Pass, columns: Iterable[Column]) -> dict[str, dict[str, dict[str, object]]]:
    """Return measure -> names of optional columns -> signature with these columns."""
    columns = [column for column in columns if column.name in each.usable]
    needed = {column.name for column in columns if not column.sparse}
    optional = sorted(column.name for column in columns if column.sparse)
    subsets = [some for n in range(len(optional) + 1) for some in combinations(optional, n)]
    return {
        measure: {" ".join(some): each.scorer.signature(measure, {*needed, *some}) for some in subsets}
        for measure in each.measures
    }


def take_signatures(session: Session, folder: Folder) -> None:
    """Let a session name the models of the run without loading them."""
    if folder.exists(SIGNATURES):
        for each, kept in zip(session.passes, json.loads(folder.read(SIGNATURES)), strict=True):
            each.scorer.signature = partial(_kept, kept)  # type: ignore[method-assign]


def _kept(
    signatures: dict[str, dict[str, dict[str, object]]], measure: str, given: Collection[str]
) -> dict[str, object]:
    """Replace `Scorer.signature` by the stored one."""
    stored = signatures[measure]
    optional = max(stored, key=len).split()
    return dict(stored[" ".join(name for name in optional if name in given)])


_MOST = 100
"""Maximum invalid samples before a shard fails."""


class Worker(AbstractContextManager["Worker"]):
    """Scores shards, and keeps scorers and models between them."""

    def __init__(self, job: Job, folder: Folder) -> None:
        self.job, self.folder = job, folder

    @cached_property
    def manifest(self) -> Manifest:
        """Return the manifest of the run."""
        return Manifest.read(self.folder)

    @cached_property
    def session(self) -> Session:
        """Return the job's session with its models, made on first use."""
        session = self.job.session()
        session.make_scorers()
        keep_signatures(self.job, session, self.folder)
        return session

    def score(self, shard: Shard) -> Outcome:
        """Score a shard; write its files or the reasons for failure."""
        rows = _Rows(self.session, self.job.n_systems)
        errors: list[str] = []
        self.session.reset()
        try:
            for chunks in shard_chunks(self.job, shard, self.folder):
                try:
                    rows.add(score_chunk(self.job, self.session, chunks), with_state=self.manifest.has_states)
                except InputError as error:
                    errors += map(str, list(bad_samples(self.job, self.session, chunks)) or [error])
                    if len(errors) >= _MOST:
                        break
        except InputError as error:  # errors of the file itself, which cannot be read further
            errors.append(str(error))
        if errors:
            failed = Failed(shard.number, tuple(errors), is_input=True)
            failed.write(self.folder, shard)
            return failed
        try:
            self._write(shard, rows)
        except (OSError, InputError) as error:
            raise NotWritten(f"{error}; finished shards are kept; run the same command again to continue") from error
        return Finished(shard.number, len(rows.ids))

    def _write(self, shard: Shard, rows: _Rows) -> None:
        """Write the files of a shard; the last one marks it finished."""
        content, state = rows.to_parquet(), b""
        if self.manifest.has_states:
            state = self.session.state().to_bytes()
        self.folder.write(shard.rows_name, content)
        about = json.dumps([self.manifest.digest, shard.number, sha256(content).hexdigest()])
        ids = np.sort(np.array(list(map(digest_of, rows.ids)), dtype="<u8"))
        sink = BytesIO()
        with ZipFile(sink, "w") as file:
            for name, part in (("about", about), ("ids", ids.tobytes()), ("sums", state)):
                file.writestr(ZipInfo(name), part)  # without a time, so that equal shards are equal files
        self.folder.write(shard.state_name, sink.getvalue())
        self.folder.remove(shard.failed_name)

    def close(self) -> None:
        """Release the models."""
        if "session" in self.__dict__:
            self.session.close()

    def __exit__(self, *_: object) -> None:
        self.close()


class _Rows:
    """Rows of a shard in Arrow tables, to save memory."""

    def __init__(self, session: Session, n_systems: int) -> None:
        self.session = session
        self.ids: list[str] = []
        self.tables: list[pyarrow.Table] = []
        self.qualities = [Quality() for _ in range(n_systems)]

    def add(self, scored: Sequence[Scored], *, with_state: bool) -> None:
        import pyarrow

        columns: dict[str, Any] = {"id": pyarrow.array(scored[0].ids, pyarrow.string())}
        for system, chunk in enumerate(scored):
            for place, (rows, each) in enumerate(zip(chunk.rows, self.session.passes, strict=True)):
                columns[column_of(system, place)] = to_arrow(rows, each.family.table().row).to_struct_array()
            if chunk.quality is not None:
                self.qualities[system].merge(chunk.quality)
        self.ids += scored[0].ids
        self.tables.append(pyarrow.table(columns))
        if with_state:
            self.session.add_rows(scored[0].rows, scored[0].ids)

    def to_parquet(self) -> bytes:
        import pyarrow.parquet

        quality = json.dumps([each.to_json() for each in self.qualities])
        given = json.dumps([sorted(each.given) for each in self.session.passes])
        table = pyarrow.concat_tables(self.tables).replace_schema_metadata({"quality": quality, "given": given})
        sink = pyarrow.BufferOutputStream()
        pyarrow.parquet.write_table(table, sink, compression="zstd")
        return bytes(sink.getvalue())


def column_of(system: int, place: int) -> str:
    """Return the column for the rows of a system in a pass."""
    return f"rows-{system}-{place}"


class ShardState(NamedTuple):
    """State file of a shard: SHA-256 of rows, id digests, sums."""

    rows: str
    ids: npt.NDArray[np.uint64]
    sums: bytes


def read_state(folder: Folder, shard: Shard, run: str) -> ShardState:
    """Read the state file of a finished shard."""
    content, where = folder.read(shard.state_name), folder.address(shard.state_name)
    try:
        with ZipFile(BytesIO(content)) as file:  # which checks a CRC-32 of each part
            of_run, number, rows = json.loads(file.read("about"))
            state = ShardState(rows, np.frombuffer(file.read("ids"), "<u8"), file.read("sums"))
    except Exception as error:  # damaged files raise errors of any type
        raise FileError(
            f"{where}: the file is damaged ({error}); run the same command to score the shard again"
        ) from None
    if (of_run, number) != (run, shard.number):
        raise FileError(
            f"{where}: the file belongs to another run or shard; run the same command to score the shard again"
        )
    return state


def read_rows(folder: Folder, shard: Shard, state: ShardState) -> bytes:
    """Read the file with the rows of a finished shard."""
    content = folder.read(shard.rows_name)
    if sha256(content).hexdigest() != state.rows:
        where = folder.address(shard.rows_name)
        raise FileError(f"{where}: the file was changed; run the same command to score the shard again")
    return content


def finished(folder: Folder, shards: Iterable[Shard], run: str) -> Iterator[Shard]:
    """Find the shards that are finished and whole."""
    there = set(folder.names("state"))
    for shard in shards:
        if shard.state_name not in there:
            continue
        try:
            read_rows(folder, shard, read_state(folder, shard, run))
        except FairSumError:
            continue
        yield shard
