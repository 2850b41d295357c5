"""Writing files: rows of every format, in batches, and under a temporary name until the file is whole."""

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
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, cast

from fairsum_utils.errors import FairSumError, FileError, InputError, OutputError
from fairsum_utils.io.cells import is_formula
from fairsum_utils.io.locks import PARTS, clear_left, held, part_of, temporary_folder
from fairsum_utils.io.names import TABLES, Name, check_ending, format_of, list_names, packing_of, with_packing
from fairsum_utils.io.stores import check_writable, local_path, put

logger = logging.getLogger(__name__)

Kind: TypeAlias = "str | Mapping[str, str]"
"""What a column holds: "string", "bool", "strings" (a list of strings), or field -> kind for a list of dicts."""

_BATCH = 256
"""Rows that are written together; whole hearings are some 100 kB each."""


def check_output(
    path: Name | None,
    *endings: str,
    source: Name | Sequence[Name] | None = None,
    inputs: Iterable[Name] = (),
    others: Iterable[Name | None] = (),
) -> None:
    """Refuse a file that cannot be written, or would be written over what is read, before any work is done.

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
        raise InputError(f"{path}: this is another output too; name another file")
    if format_of(path) != ".csv" and any(format_of(name) in TABLES for name in sources):
        raise InputError(f"{path}: a table of text does not tell which columns are lists; end the name in .csv")
    place = local_path(path)
    if place is None:
        check_writable(os.fspath(path))
        return
    if place.is_dir():
        raise InputError(f"{path}: this is a folder; name a file")
    if not place.parent.is_dir():
        raise InputError(f"{path}: the folder {place.parent.resolve()} does not exist; create it first")


_OF_SAVED = ("state.json", "dataset_info.json", "dataset_dict.json")
"""Files of a data set that ``save_to_disk`` has written, besides those with its rows."""


def _named(name: Name) -> list[str]:
    """The files of a name or pattern; none where there is none."""
    try:
        return list_names(name)
    except InputError:
        return []


def _is_read(name: Name, read: Name) -> bool:
    """Whether a file is an input, or part of an input that is a folder: a saved data set, a model, raw data."""
    path, place = local_path(name), local_path(read)
    if path is None or place is None or not place.is_dir():
        return _is_same(name, read)
    if not path.exists() or place.resolve() not in path.resolve().parents:
        return False
    if any((place / each).exists() for each in _OF_SAVED):
        return path.name in _OF_SAVED or path.suffix == ".arrow"
    return place.resolve() not in (Path.cwd(), *Path.cwd().parents)  # anything may lie in the working folder


def _is_same(name: Name, other: Name) -> bool:
    """Whether two names are of one file, which need not exist."""
    path, place = local_path(name), local_path(other)
    if path is None or place is None:
        return os.fspath(name) == os.fspath(other)
    if path.exists() and place.exists():
        return path.samefile(place)
    names = [str(path.resolve()), str(place.resolve())]
    if not path.exists() and not place.exists():  # the disk may not distinguish capital letters
        names = [each.casefold() for each in names]
    return names[0] == names[1]


@contextlib.contextmanager
def replacing(path: Name) -> Iterator[Path]:
    """Give a temporary file that takes the place of a file, or is put at an address, at the end.

    Until then an older file stays. On an error the temporary file vanishes; after a kill it lies beside the file until
    the next run writes in that folder.

    Args:
        path: Path or address of the file.

    Yields:
        The temporary file, which is empty.

    Raises:
        OutputError: the file cannot be written.
    """
    place = local_path(path)
    if place is None:
        with _putting(os.fspath(path)) as temporary:
            yield temporary
        return
    with contextlib.ExitStack() as stack:
        with _named_errors(path):
            _clear_once(place.parent.absolute())
            temporary = stack.enter_context(held(lambda: part_of(place)))
        try:
            with _named_errors(path, *_OF_THE_DISK):
                yield temporary
            with _named_errors(path):
                _put_in_place(temporary, place)
        finally:
            with contextlib.suppress(OSError):  # its folder may be gone, and what was raised says more
                temporary.unlink(missing_ok=True)


@cache
def _clear_once(folder: Path) -> None:
    """Clear the temporary files of killed processes when this process first writes in a folder."""
    clear_left(folder, PARTS)


def _put_in_place(temporary: Path, path: Path) -> None:
    """Replace a file; the new one is ordinary, and outlives a power cut where the system can."""
    mask = os.umask(0)  # temporary files can be read by their owner only
    os.umask(mask)
    temporary.chmod(0o666 & ~mask)
    with temporary.open("r+b") as file:
        os.fsync(file.fileno())
    temporary.replace(path)
    with contextlib.suppress(OSError):  # Windows opens no folders
        handle = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


_OF_THE_DISK = (
    errno.ENOSPC,
    errno.EFBIG,
    errno.EIO,
    errno.EROFS,
    getattr(errno, "EDQUOT", -1),
    getattr(errno, "ESTALE", -1),
)
"""Errors of writing, whatever else the writer does meanwhile."""


@contextlib.contextmanager
def _named_errors(path: Name, *numbers: int) -> Iterator[None]:
    """Name the file that cannot be written, not the temporary one; with `numbers` only for these errors."""
    try:
        yield
    except OSError as error:
        if isinstance(error, FairSumError) or (numbers and error.errno not in numbers):
            raise
        raise OutputError(f"{path}: cannot be written ({error.strerror or error})") from error


@contextlib.contextmanager
def _putting(address: str) -> Iterator[Path]:
    """Give a temporary file that is put at an address at the end, and kept if that fails."""
    with temporary_folder() as folder:
        temporary = folder / (re.sub(r"[^\w.-]", "_", address.rpartition("/")[2])[-100:] or "output")
        temporary.touch()
        yield temporary
        try:
            put(address, temporary)
        except FairSumError as error:
            kept = shutil.move(temporary, tempfile.mkdtemp(prefix="fairsum-"))
            raise FileError(f"{error}; what was to be written there is kept in {kept}") from error


@contextlib.contextmanager
def open_output(path: Name) -> Iterator[BinaryIO]:
    """Open a file for bytes, packed if its name ends in ``.gz`` or ``.zst``; it appears when it is complete."""
    with replacing(path) as temporary, temporary.open("wb") as file:
        if packing_of(path) == ".gz":
            # no name and no time in the header, or equal contents would not be equal bytes
            with gzip.GzipFile(filename="", mode="wb", fileobj=file, mtime=0) as packed:
                yield cast(BinaryIO, packed)
        elif packing_of(path) == ".zst":
            import pyarrow

            with pyarrow.CompressedOutputStream(file, "zstd") as packed:
                yield cast(BinaryIO, packed)
        else:
            yield file


def write_rows(rows: Iterable[Mapping[str, Any]], path: Name, columns: Mapping[str, Kind] | None = None) -> int:
    """Write rows to a file whose name says how, and which appears when it is complete; an older one stays until then.

    The same rows give the same bytes, and are read back as they were. In a CSV file a column of lists or dicts holds
    JSON; its texts stand as they are, also those that a spreadsheet would take for formulas, which the log counts.

    Args:
        rows: the rows; read one batch at a time if the columns are given.
        path: ends in one of `ENDINGS`; may be an address.
        columns: column -> what it holds. None: as the rows tell, which are then held in memory; where a row lacks a
            column of another's it is null, in CSV empty.

    Returns:
        How many rows were written.

    Raises:
        InputError: the file cannot be written, or a row holds something that the format does not.

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
    except (TypeError, ValueError) as error:  # pyarrow's own are among them
        raise InputError(f"{path}: a column does not fit this format ({error}); choose another ending") from None
    return len(full)


_PLAIN, _NESTED = "plain", "nested"
"""Kinds of inferred columns: of texts and numbers, or of lists and dicts."""


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
            row[column] if kind in ("string", _PLAIN) else json.dumps(row[column], ensure_ascii=False)
            for column, kind in columns.items()
        ]
        writer.writerow(cells)
        n_formulas += sum(isinstance(cell, str) and is_formula(cell) for cell in cells)
    text.detach()
    if n_formulas:  # a sign before them would change data that are read again
        logger.warning(
            "fairsum: %d cells of the CSV file begin as formulas do; in a spreadsheet, import them as text, or write "
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
    return {"string": pa.string(), "strings": pa.list_(pa.string()), "bool": pa.bool_()}[kind]


_WRITERS: Mapping[str, Callable[[Iterable[Mapping[str, Any]], BinaryIO, Mapping[str, Kind]], None]] = {
    ".jsonl": _write_json_lines,
    ".ndjson": _write_json_lines,
    ".csv": _write_csv,
    ".parquet": _write_parquet,
}
"""Ending of a file's name, without that of its packing -> writer of rows."""

ENDINGS = with_packing(_WRITERS)
"""What the name of a file to be written may end in."""
