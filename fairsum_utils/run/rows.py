"""Rows of samples as Parquet files, and the folder of a run."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, partial
from hashlib import sha256
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

from fairsum_utils._util.secrets import masked
from fairsum_utils.errors import FileError, InputError
from fairsum_utils.families.arrow import encoded
from fairsum_utils.families.columns import Column
from fairsum_utils.io.folders import Folder
from fairsum_utils.io.names import ENDINGS
from fairsum_utils.io.samples import Chunk
from fairsum_utils.io.stores import is_web, local_path
from fairsum_utils.run.job import Job, Scored, Task, job_from_json, job_to_json, kinds_of, score_chunk
from fairsum_utils.session import Session
from fairsum_utils.session.passes import Pass
from fairsum_utils.signature import render_signature

if TYPE_CHECKING:
    import pyarrow

_KEY = b"fairsum_rows"
"""Metadata of a file that make its table rows of a run."""

FORMAT = 2
"""Version of the layout of kept files."""

_FILE = re.compile(r"(rows-\d{6,}|\d{6}-of-\d{6})\.parquet")
"""Name of a file of rows, today and in the first layout."""

_SEAL, _UNSEALED = b'"sha256_of_the_rest": "', b"0" * 64
"""Digest of a kept file, in its metadata: damage that Parquet does not see would change numbers."""

_SHOWN = 10
"""Missing tasks that a message names."""


class Worker:
    """Scores tasks, and keeps scorers and models between them."""

    def __init__(self, job: Job) -> None:
        self.job = job

    @cached_property
    def session(self) -> Session:
        """Session of the job, with its scorers."""
        session = self.job.session()
        session.make_scorers()
        return session

    def score(self, task: Sequence[Sequence[Chunk]]) -> bytes:
        """Score a task, and return its rows as Parquet."""
        self.session.reset()
        scored = [score_chunk(self.job, self.session, chunks) for chunks in task]
        return _as_file(to_table(self.job, self.session, scored))


def to_table(job: Job, session: Session, scored: Iterable[Sequence[Scored]]) -> pyarrow.Table:
    """Return the rows of scored samples."""
    import pyarrow

    tables = []
    for systems in scored:
        columns: dict[str, Any] = {"id": encoded(systems[0].ids, str)}
        for system, chunk in enumerate(systems):
            for place, parts in enumerate(chunk.batches):
                columns[_column(system, place)] = pyarrow.chunked_array([part.to_struct_array() for part in parts])
        tables.append(pyarrow.table(columns))
    about = {
        "given": [sorted(each.given) for each in session.passes],
        "signatures": _signatures_of(job, session) if job.uses_model(session) else None,
    }
    return pyarrow.concat_tables(tables).replace_schema_metadata({_KEY: json.dumps(about)})


def _as_file(table: pyarrow.Table) -> bytes:
    import pyarrow.parquet

    sink = pyarrow.BufferOutputStream()
    pyarrow.parquet.write_table(table, sink, compression="zstd")
    return bytes(sink.getvalue())


def _column(system: int, place: int) -> str:
    return f"rows-{system}-{place}"


def _signatures_of(job: Job, session: Session) -> list[dict[str, dict[str, dict[str, object]]]]:
    """Return measure -> optional columns -> signature, of each pass."""
    columns = [column for column, _ in job.layout.columns]
    return [_of_pass(each, columns) for each in session.passes]


def _of_pass(each: Pass, columns: Iterable[Column]) -> dict[str, dict[str, dict[str, object]]]:
    columns = [column for column in columns if column.name in each.usable]
    needed = {column.name for column in columns if not column.sparse}
    optional = sorted(column.name for column in columns if column.sparse)
    subsets = [some for n in range(len(optional) + 1) for some in combinations(optional, n)]
    return {
        measure: {" ".join(some): each.scorer.signature(measure, {*needed, *some}) for some in subsets}
        for measure in each.measures
    }


def _kept(signatures: Any, measure: str, given: Collection[str]) -> dict[str, object]:
    """Replace `Scorer.signature` by the stored one."""
    stored = signatures[measure]
    optional = max(stored, key=len).split()
    return dict(stored[" ".join(name for name in optional if name in given)])


class Rows(NamedTuple):
    """Rows of a task.

    Attributes:
        table: ids, and the rows of each system and pass.
        given: columns that the samples had, of each pass.
        signatures: signatures of the models, of each pass; None without a model.
        about: digest of the run, number of the task, whether it is the last, and job; None for rows that are in no
            folder.
    """

    table: pyarrow.Table
    given: list[list[str]]
    signatures: list[Any] | None
    about: dict[str, Any] | None = None

    @classmethod
    def read(cls, content: bytes) -> Rows:
        """Read the content of a file; raises any error for another one."""
        import pyarrow.parquet

        # `read_table` imports pandas, and threads that are still starting when Python ends abort it.
        table = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(content)).read(use_threads=False)
        metadata = table.schema.metadata
        about = json.loads(metadata[b"run"]) if b"run" in metadata else None
        return cls(table, about=about, **json.loads(metadata[_KEY]))

    def scored(self, session: Session, n_systems: int) -> list[Scored]:
        """Return the samples of each system."""
        import pyarrow

        ids, kinds = self.table.column("id").to_pylist(), kinds_of(session)
        found = []
        for system in range(n_systems):
            columns = [self.table.column(_column(system, place)) for place in range(len(kinds))]
            batches = [list(map(pyarrow.RecordBatch.from_struct_array, column.chunks)) for column in columns]
            found.append(Scored(ids, kinds, batches))
        return found

    def take_facts(self, session: Session) -> None:
        """Tell a session the columns of the samples, and the models.

        Raises:
            InputError: other rows of the session are of another model.
        """
        for place, each in enumerate(session.passes):
            each.given.update(self.given[place])
            if self.signatures is None:
                continue
            ours = self.signatures[place]
            before = getattr(each.scorer.signature, "args", [ours])[0]
            for measure in ours:
                signature, other = (render_signature(kept[measure][""]) for kept in (ours, before))
                if signature != other:
                    raise InputError(
                        f"{measure} was scored with {signature} and with {other}; give all machines the same --device "
                        "and --set dtype"
                    )
            each.scorer.signature = partial(_kept, ours)  # type: ignore[method-assign]


def _sealed(content: bytes) -> bytes:
    """Put the digest of the rest of a file into its metadata."""
    place = content.rindex(_SEAL + _UNSEALED) + len(_SEAL)
    digest = sha256(content).hexdigest().encode()
    return content[:place] + digest + content[place + len(digest) :]


def _read_sealed(content: bytes) -> Rows:
    """Read a file that a store wrote; raises any error for other content."""
    place = content.rindex(_SEAL) + len(_SEAL)
    if _sealed(content[:place] + _UNSEALED + content[place + len(_UNSEALED) :]) != content:
        raise ValueError
    return Rows.read(content)


class Store:
    """Folder with the rows of one run, one file a task.

    Files appear when they are whole. Name and metadata hold the digest of data, settings and version, so that nothing
    of another run is read or overwritten.

    Args:
        folder: folder of all runs.
        job: the job.
        data: digest of the data.
    """

    def __init__(self, folder: Folder, job: Job, data: str) -> None:
        self.digest = sha256(f"{FORMAT} {job.digest} {data}".encode()).hexdigest()[:16]
        self.folder = Folder(folder.made().address(self.digest))
        self.job, self.data = job, data

    def read(self, number: int) -> Rows | None:
        """Return the rows of a task; None if its file is missing or damaged."""
        if not self.folder.exists(_name(number)):
            return None
        try:
            rows = _read_sealed(self.folder.read(_name(number)))
        except Exception:  # damaged files raise errors of any type
            return None
        about = rows.about or {}
        return rows if (about.get("run"), about.get("number")) == (self.digest, number) else None

    def write(self, task: Task, table: pyarrow.Table) -> None:
        """Keep the rows of a task."""
        about = {
            "sha256_of_the_rest": _UNSEALED.decode(),
            "format": FORMAT,
            "run": self.digest,
            "number": task.number,
            "is_last": task.is_last,
            "data": self.data,
            "job": job_to_json(self.job),
        }
        table = table.replace_schema_metadata({**table.schema.metadata, b"run": json.dumps(about).encode()})
        self.folder.write(_name(task.number), _sealed(_as_file(table)))


def _name(number: int) -> str:
    return f"rows-{number:06}.parquet"


def run_in(name: str) -> str | None:
    """Return the folder of a run, or None.

    It is the named one, or the only one in it.

    Raises:
        InputError: the folder holds several runs.
    """
    if is_web(name) or name.endswith(ENDINGS) or "*" in name or name == "-":
        return None
    path = local_path(name)
    if path is not None and not path.is_dir():
        return None
    files = [each for each in Folder(name).names() if _FILE.fullmatch(each.rpartition("/")[2])]
    runs = sorted({each.rpartition("/")[0] for each in files if each.count("/") < 2})
    if not runs:
        return None
    if len(runs) > 1:
        raise InputError(f"{name}: holds {len(runs)} runs; name one of {', '.join(f'{name}/{run}' for run in runs)}")
    return f"{name.rstrip('/')}/{runs[0]}".rstrip("/")


class Run:
    """Rows of a finished run, from any machine.

    Args:
        name: folder of the run.
        partial: go on if parts are missing.

    Raises:
        InputError: parts are missing, repeated, damaged or of another run, or the settings exist only in Python.

    Attributes:
        n_samples: number of samples.
        missing: description of the missing parts; empty if none are.
        data: digest of the data, see `fairsum_utils.run.job.Data`.
    """

    def __init__(self, name: str, *, partial: bool = False) -> None:
        self.folder = Folder(name)
        self.files: dict[int, str] = {}
        self.n_samples = 0
        found = {file: self._about(file) for file in self.folder.names() if file.endswith(".parquet")}
        if not found:
            raise InputError(f"{name}: the folder holds no rows; make them with fairsum score FILE --rows FOLDER")
        one, first = next(iter(found.items()))
        self._read(one)  # its metadata alone may be whole
        for file, about in found.items():
            if about["run"] != first["run"]:
                raise InputError(
                    f"{self.folder.address(file)}: rows of another run than {one}; name the folder of one run, or move "
                    "the file out"
                )
            if about["number"] in self.files:
                raise InputError(
                    f"{name}: {file} and {self.files[about['number']]} hold the same samples; remove one of them"
                )
            self.files[about["number"]] = file
            self.n_samples += about["n_samples"]
        self.missing = self._missing(any(about["is_last"] for about in found.values()))
        if self.missing and not partial:
            raise InputError(
                f"{name}: parts are missing: {self.missing}; score them, or go on without them in Python: "
                f"fairsum_utils.run.from_rows({name!r}, partial=True)"
            )
        if first["job"] is None:
            raise InputError(f"{name}: the run has settings that exist only in Python; score it there again")
        self.job, self.data = job_from_json(first["job"]), str(first["data"])
        if self.job.others:
            raise InputError(f"{name}: these are rows of a comparison; run fairsum compare with --rows again")

    def _about(self, file: str) -> dict[str, Any]:
        """Read what a file says of its rows, without these."""
        import pyarrow.parquet

        try:
            with self.folder.open(file) as opened:
                found = pyarrow.parquet.read_metadata(opened)
            about = {**json.loads(found.metadata[b"run"]), "n_samples": found.num_rows}
        except Exception:  # another file, or a damaged one
            raise self._damaged(file) from None
        if about.get("format") != FORMAT:
            raise InputError(
                f"{self.folder.address(file)}: rows in the layout of another version; score the samples again with "
                "--rows"
            )
        return about

    def _missing(self, has_last: bool) -> str:
        """Describe which numbers have no file."""
        most = max(self.files)
        missing = [str(number) for number in range(1, most) if number not in self.files]
        shown = [*missing[:_SHOWN], *(["..."] if len(missing) > _SHOWN else [])]
        return ", ".join(shown if has_last else [*shown, f"all after {most}"])

    def __iter__(self) -> Iterator[Rows]:
        for number in sorted(self.files):
            yield self._read(self.files[number])

    def _read(self, file: str) -> Rows:
        content = self.folder.read(file)
        try:
            return _read_sealed(content)
        except Exception:  # damaged files raise errors of any type
            raise self._damaged(file) from None

    def _damaged(self, file: str) -> FileError:
        return FileError(f"{self.folder.address(file)}: damaged, or no rows of a run; score this part again")

    def __str__(self) -> str:
        return masked(self.folder.name)
