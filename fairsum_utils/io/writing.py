"""Writing of rows, atomic replacement of files, and run folders."""

from __future__ import annotations

import contextlib
import csv
import errno
import gzip
import io
import itertools
import json
import logging
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, cast

from fairsum_utils._util.temporary import temporary_folder
from fairsum_utils.errors import FairSumError, FileError, InputError, OutputError
from fairsum_utils.families.arrow import arrow_type
from fairsum_utils.io.cells import is_formula
from fairsum_utils.io.names import (
    TABLES,
    Name,
    check_ending,
    format_of,
    list_names,
    packing_of,
    with_packing,
)
from fairsum_utils.io.opening import is_stream
from fairsum_utils.io.stores import check_writable, local_path, put

logger = logging.getLogger(__name__)

Kind: TypeAlias = Any
# Type of a column: "string", "bool", "strings" (list of strings), field -> kind for a list of dicts; or an annotation.

_BATCH = 256  # rows per write; whole hearings have some 100 kB each


def check_output(
    path: Name | None,
    *endings: str,
    source: Name | Sequence[Name] | None = None,
    inputs: Iterable[Name] = (),
    others: Iterable[Name | None] = (),
) -> None:
    """Check in advance that a file is writable and is no input.

    Example:
        >>> check_output(Path("rows.csv"), ".csv", source=Path("rows.csv"))
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: rows.csv: this is the input; name another output
    """
    if path is None:
        return
    if endings:
        check_ending(path, endings)
    sources = [] if source is None else [source] if isinstance(source, (str, os.PathLike)) else list(source)
    for name in (*sources, *inputs):
        if any(_is_read(path, each) for each in _named(name)):
            raise InputError(f"{path}: this is the input; name another output")
    if any(other is not None and _is_same(path, other) for other in others):
        raise InputError(f"{path}: this is also another output; name another file")
    if format_of(path) != ".csv" and any(format_of(name) in TABLES for name in sources):
        raise InputError(f"{path}: this format does not record which columns are lists; use a name that ends in .csv")
    place = local_path(path)
    if place is None:
        check_writable(os.fspath(path))
    elif place.is_dir():
        raise InputError(f"{path}: this is a folder; name a file")
    elif not (folder := Path(os.path.realpath(place)).parent).is_dir():
        raise InputError(f"{path}: the folder {folder} does not exist; create it first")


def _named(name: Name) -> list[str]:
    """List the files that match a name or pattern."""
    try:
        return list_names(name)
    except InputError:
        return []


def _is_read(name: Name, read: str) -> bool:
    """Return whether a file is, or is inside, an input."""
    path, place = local_path(name), local_path(read)
    if path is None or place is None or not place.is_dir():
        return _is_same(name, read)
    is_inside = path.exists() and place.resolve() in path.resolve().parents
    return is_inside and place.resolve() not in (Path.cwd(), *Path.cwd().parents)


def _is_same(name: Name, other: Name) -> bool:
    """Return whether two names mean the same file."""
    path, place = local_path(name), local_path(other)
    if path is None or place is None:
        return os.fspath(name) == os.fspath(other)
    if path.exists() and place.exists():
        return path.samefile(place)
    return path.resolve() == place.resolve()


@contextlib.contextmanager
def replacing(path: Name) -> Iterator[Path]:
    """Provide a temporary file that replaces the file on success.

    Until then, an older file stays. After an error, the temporary file is removed. A symbolic link stays, and the file
    that it leads to is replaced. A named pipe and other special files get the content at the end.
    """
    place = local_path(path)
    if place is None:
        with _putting(os.fspath(path)) as temporary:
            yield temporary
        return
    if is_stream(path):
        with temporary_folder() as folder:
            temporary = folder / "output"
            temporary.touch()
            yield temporary
            with named_errors(path), temporary.open("rb") as content, place.open("ab") as stream:
                shutil.copyfileobj(content, stream)
        return
    place = Path(os.path.realpath(place))
    with named_errors(path):
        temporary = _temporary_beside(place)
    try:
        with named_errors(path, *_OF_THE_DISK):
            yield temporary
        with named_errors(path):
            _put_in_place(temporary, place)
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)


def _temporary_beside(path: Path) -> Path:
    """Create a temporary file in the same folder."""
    short = path.name if len(os.fsencode(path.name)) < 200 else path.name[:50]  # file names have at most 255 bytes
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".fairsum-{short}.", suffix=".part")
    os.close(handle)
    return Path(name)


def _put_in_place(temporary: Path, path: Path) -> None:
    """Replace a file durably, with ordinary permissions."""
    mask = os.umask(0)  # only the owner can read temporary files
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)
    with temporary.open("r+b") as file:
        os.fsync(file.fileno())
    temporary.replace(path)


# Errors that only the disk causes.
_OF_THE_DISK = (errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EROFS, getattr(errno, "EDQUOT", -1))


@contextlib.contextmanager
def named_errors(path: Name, *numbers: int) -> Iterator[None]:
    """Name the requested file in errors, not the temporary one."""
    try:
        yield
    except OSError as error:
        if isinstance(error, FairSumError) or (numbers and error.errno not in numbers):
            raise
        raise OutputError(f"{path}: cannot write the file ({error.strerror or error})") from error


@contextlib.contextmanager
def _putting(address: str) -> Iterator[Path]:
    """Provide a temporary file to upload; keep it if that fails."""
    with temporary_folder() as folder:
        temporary = folder / (re.sub(r"[^\w.-]", "_", address.rpartition("/")[2])[-100:] or "output")
        temporary.touch()
        yield temporary
        try:
            put(address, temporary)
        except FairSumError as error:
            kept = shutil.move(temporary, tempfile.mkdtemp(prefix="fairsum-"))
            raise FileError(f"{error}; the data is in {kept}") from error


@contextlib.contextmanager
def appending(path: Path) -> Iterator[BinaryIO]:
    """Open a file for bytes after what is there; errors name it."""
    with named_errors(path):
        file = path.open("ab")
    with file, named_errors(path, *_OF_THE_DISK):
        yield file


@contextlib.contextmanager
def open_output(path: Name) -> Iterator[BinaryIO]:
    """Open a file for bytes; ``.gz`` and ``.zst`` names are packed."""
    with replacing(path) as temporary, temporary.open("wb") as file:
        if packing_of(path) == ".gz":
            # no name or time in the header, so equal contents give equal bytes
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                yield cast(BinaryIO, packed)
        elif packing_of(path) == ".zst":
            import pyarrow

            with pyarrow.CompressedOutputStream(file, "zstd") as packed:
                yield cast(BinaryIO, packed)
        else:
            yield file


def write_rows(rows: Iterable[Mapping[str, Any]], path: Name, columns: Mapping[str, Kind] | None = None) -> int:
    """Write rows in the format of the file name; return their number.

    The same rows give the same bytes and can be read back unchanged. In CSV, lists and dicts are written as JSON.
    Texts are unchanged, even if a spreadsheet would run them as formulas; the log counts these.

    Example:
        >>> folder = Path(tempfile.mkdtemp())
        >>> write_rows([{"id": "a", "values": ["x", "y"]}], folder / "rows.csv")
        1
        >>> (folder / "rows.csv").read_text(encoding="utf-8").splitlines()
        ['id,values', 'a,"[""x"", ""y""]"']
    """
    check_output(path, *ENDINGS)
    write = _WRITERS[format_of(path)]
    number = itertools.count()
    if columns is not None:
        with open_output(path) as file:
            write((row for row, _ in zip(rows, number)), file, columns)  # noqa: B905
        return next(number)
    given = list(rows)
    names = dict.fromkeys(name for row in given for name in row)
    full = [{name: row.get(name) for name in names} for row in given]
    nested = {name for row in full for name, cell in row.items() if isinstance(cell, (list, dict))}
    try:
        with open_output(path) as file:
            write(full, file, {name: _NESTED if name in nested else _PLAIN for name in names})
    except OutputError:
        raise
    except (TypeError, ValueError) as error:  # includes pyarrow's own errors
        raise InputError(f"{path}: a column does not fit this format ({error}); choose another ending") from None
    return len(full)


_PLAIN, _NESTED = "plain", "nested"  # kinds of inferred columns: texts and numbers, or lists and dicts


def _write_json_lines(rows: Iterable[Mapping[str, Any]], file: BinaryIO, columns: Mapping[str, Kind]) -> None:
    for row in rows:
        line = json.dumps({column: row[column] for column in columns}, ensure_ascii=False)
        file.write(line.encode() + b"\n")


def _write_csv(rows: Iterable[Mapping[str, Any]], file: BinaryIO, columns: Mapping[str, Kind]) -> None:
    n_formulas = 0
    text = io.TextIOWrapper(file, encoding="utf-8", newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        cells = [
            row[column] if kind in ("string", _PLAIN, str, str | None) else json.dumps(row[column], ensure_ascii=False)
            for column, kind in columns.items()
        ]
        writer.writerow(cells)
        n_formulas += sum(isinstance(cell, str) and is_formula(cell) for cell in cells)
    text.detach()
    if n_formulas:  # escaping would change the data for later readers
        logger.warning(
            "fairsum: %d cells of the CSV file look like formulas; import them as text in a spreadsheet, or write "
            "Parquet or JSON Lines",
            n_formulas,
        )


def _write_parquet(rows: Iterable[Mapping[str, Any]], file: BinaryIO, columns: Mapping[str, Kind]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    if _PLAIN in columns.values() or _NESTED in columns.values():
        pq.write_table(pa.Table.from_pylist(list(rows)), file, compression="zstd")
        return
    schema = pa.schema([(column, _arrow_type(kind)) for column, kind in columns.items()])
    remaining = iter(rows)
    with pq.ParquetWriter(file, schema, compression="zstd") as writer:
        while batch := list(itertools.islice(remaining, _BATCH)):
            writer.write_table(pa.table({c: [row[c] for row in batch] for c in columns}, schema=schema))


def _arrow_type(kind: Kind) -> Any:
    import pyarrow as pa

    if isinstance(kind, Mapping):
        return pa.list_(pa.struct([(field, _arrow_type(inner)) for field, inner in kind.items()]))
    named = {"string": pa.string(), "strings": pa.list_(pa.string()), "bool": pa.bool_()}
    return named[kind] if isinstance(kind, str) else arrow_type(kind)


# Ending of a file's name, without .gz and the like -> writer of rows.
_WRITERS: Mapping[str, Callable[[Iterable[Mapping[str, Any]], BinaryIO, Mapping[str, Kind]], None]] = {
    ".jsonl": _write_json_lines,
    ".ndjson": _write_json_lines,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
}

ENDINGS = with_packing(_WRITERS)
"""Possible endings of output files."""
