"""Reading files: rows of every format, tables with a header, lines, and JSON.

`read_rows` reads the input of all commands, so that they know the same formats and say the same of what is wrong.
A format is one function and its line in `_READERS`.
"""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import sys
import zlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any, TypeAlias, cast

from fairsum_utils.errors import FileError, InputError

__all__ = [
    "ENDINGS",
    "check_columns",
    "check_ending",
    "check_input",
    "format_of",
    "iter_lines",
    "iter_objects",
    "read_json",
    "read_rows",
    "read_table",
    "with_packing",
]

_BATCH = 256
"""Rows of a columnar file that are in memory at a time; whole hearings are some 100 kB each."""

_NOT_PACKED = (EOFError, gzip.BadGzipFile, zlib.error)
"""What unpacking a damaged file raises."""

_Choose: TypeAlias = "Callable[[str, Collection[str]], list[str]]"
"""(place for messages, the columns that are there) -> those to read; raises where one is missing."""


def read_rows(
    path: Path,
    needed: Mapping[str, str],
    *,
    others: Collection[str] | None = None,
    lists: Collection[str] = (),
    texts_or_lists: Collection[str] = (),
    split: str | None = None,
) -> Iterator[dict[str, Any]]:
    """Read rows one by one, at least one; memory does not grow with the file.

    Args:
        path: a file whose name ends in one of `ENDINGS`, or a folder written by the ``save_to_disk`` of ``datasets``.
        needed: column that every row must have -> the option that names it, for messages.
        others: columns to read besides, where they are there; None for all. Formats that are read row by row give all.
        lists: columns that hold JSON in a CSV file.
        texts_or_lists: columns of which a cell in a CSV file is JSON if it begins with ``[``, and else one text.
        split: name of a split, of a folder that has several.

    Returns:
        The rows. The first one is read at once; what is wrong further on raises when it is reached.

    Raises:
        InputError: there is no such file, or its name tells no format.
        FileError: the file cannot be read, is not in its format, lacks a column, or has no row; the message says where.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "rows.csv"
        >>> _ = path.write_text('id,values\\na,"[""pos"", ""neg""]"\\n')
        >>> list(read_rows(path, {"values": "--values-column"}, lists=["values"]))
        [{'id': 'a', 'values': ['pos', 'neg']}]
    """

    def choose(where: str, present: Collection[str]) -> list[str]:
        check_columns(where, needed, present)
        return [name for name in present if others is None or name in needed or name in others]

    if path.is_dir():
        rows = _saved_rows(_saved_folder(path, split), choose)
    else:
        check_input(path)
        rows = _READERS[format_of(path)](path, choose)
        if format_of(path) == ".csv":
            rows = _with_lists(path, rows, lists, texts_or_lists)
    first = next(rows, None)
    if first is None:
        raise FileError(f"{path}: holds no row; give at least one")
    return itertools.chain([first], rows)


def check_input(path: Path, endings: Sequence[str] = (), *, remedy: str = "") -> None:
    """Refuse a file that is not there, or whose name tells no format.

    Args:
        path: name of the file.
        endings: what it may end in; none for `ENDINGS`.
        remedy: what to do if there is no such file, for the message.

    Raises:
        InputError: the file cannot be read.

    Example:
        >>> check_input(Path("people.tsv"), [".tsv"], remedy="make it first")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: people.tsv: no such file; make it first
    """
    if path.suffix or path.exists():  # a name without an ending is that of a folder
        check_ending(path, endings or ENDINGS)
    if not path.is_file():
        raise InputError(f"{path}: no such file{remedy and '; '}{remedy}")


def check_ending(path: Path, endings: Sequence[str]) -> None:
    """Refuse a file name that ends in none of the endings.

    Args:
        path: name of a file, which need not be there.
        endings: such as ``".jsonl"`` and ``".jsonl.gz"``.

    Raises:
        InputError: another ending.

    Example:
        >>> check_ending(Path("results.txt"), [".json"])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: results.txt: unknown format; the name must end in .json
    """
    if not path.name.endswith(tuple(endings)):
        several = "one of " if len(endings) > 1 else ""
        raise InputError(f"{path}: unknown format; the name must end in {several}{', '.join(endings)}")


def check_columns(where: str, needed: Collection[str], present: Collection[str], what: str = "") -> None:
    """Refuse rows that lack a column.

    Args:
        where: opens the message: the file, or the file and the row.
        needed: the columns that must be there; a mapping gives the option that names each, for the message.
        present: the columns that there are.
        what: what the file should be, for the message, such as ``"a file of MITweet"``.

    Raises:
        FileError: a column is missing; the message lists those that are missing and those that are there.

    Example:
        >>> check_columns("a.csv", {"text": "--text-column"}, ["id", "article"])
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.FileError: a.csv: no column 'text'; found id, article. Name the right one with
        --text-column
    """
    if missing := [name for name in needed if name not in present]:
        remedy = f"Expected {what}"
        if isinstance(needed, Mapping):
            remedy = f"Name the right one with {', '.join(dict.fromkeys(needed[name] for name in missing))}"
        raise FileError(
            f"{where}: no column {', '.join(map(repr, missing))}; found {', '.join(map(str, present)) or 'nothing'}. "
            f"{remedy}"
        )


def format_of(path: Path) -> str:
    """Return the ending that tells the format of a file, packed or not.

    Example:
        >>> format_of(Path("rows.csv.gz")), format_of(Path("rows.csv"))
        ('.csv', '.csv')
    """
    return (path.with_suffix("") if path.suffix == ".gz" else path).suffix


def with_packing(endings: Iterable[str]) -> tuple[str, ...]:
    """Return endings of file names, each followed by that of the packed file.

    Example:
        >>> with_packing([".jsonl", ".csv"])
        ('.jsonl', '.jsonl.gz', '.csv', '.csv.gz')
    """
    return tuple(ending + packing for ending in endings for packing in ("", ".gz"))


def iter_lines(path: Path) -> Iterator[tuple[int, bytes, bool]]:
    r"""Yield (line number from 1, bytes without the line end, whether the line end was there).

    Files are read as bytes and cut at ``\n`` only. Text mode and ``splitlines`` also cut at characters such as
    U+0085 and U+2028, so that one broken byte could tear a row apart. Empty lines at the end of the file are left out.
    A file whose name ends in ``.gz`` is unpacked on the way.

    Raises:
        FileError: a packed file is damaged or cut short; names the last line that could be read.
    """
    empty: list[int] = []
    number = 0
    with _opened(path) as file:
        try:
            for number, line in enumerate(file, start=1):
                content = line.rstrip(b"\r\n")
                if not content.strip():
                    empty.append(number)
                    continue
                for skipped in empty:  # not at the end after all
                    yield skipped, b"", True
                empty.clear()
                yield number, content, line.endswith(b"\n")
        except _NOT_PACKED as error:
            raise _cut_short(f"{path}, after line {number}", error) from error


def iter_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number from 1, object) from JSON Lines, packed or not; blank lines are passed over.

    Raises:
        FileError: a line is no JSON object in UTF-8, or a packed file is damaged; names the line.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "a.jsonl"
        >>> _ = path.write_text('{"id": "a"}\\n\\n{"id": "b"}\\n')
        >>> list(iter_objects(path))
        [(1, {'id': 'a'}), (3, {'id': 'b'})]
    """
    for number, line, ended in iter_lines(path):
        if not line:
            continue
        try:
            found = json.loads(line)
        except UnicodeDecodeError as error:
            raise FileError(f"{path}, line {number}: not UTF-8 ({error.reason} at byte {error.start})") from None
        except ValueError as error:
            where = f"{error.msg} at column {error.colno}" if isinstance(error, json.JSONDecodeError) else error
            cut = "" if ended else "; it has no line end, so the file may have been cut off while written"
            raise FileError(f"{path}, line {number}: not valid JSON ({where}){cut}") from None
        if not isinstance(found, dict):
            raise FileError(f"{path}, line {number}: expected a JSON object, found a {type(found).__name__}")
        yield number, found


def read_json(path: Path) -> Any:
    """Return what a file of JSON holds.

    Raises:
        FileError: it is not there, or not JSON in UTF-8.
    """
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError) as error:  # UnicodeDecodeError is one too
        raise FileError(f"{path}: cannot be read as JSON in UTF-8 ({error}); fetch or write it again") from error


def read_table(
    path: Path, needed: Collection[str], *, what: str = "", **dialect: Any
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield (place, column -> text) from a table with a header, packed or not; blank lines are passed over.

    Args:
        path: the file, UTF-8 with or without a byte order mark.
        needed: columns that it must have, as `check_columns` takes them; others are passed on.
        what: what the file should be, for the message, such as ``"a file of MITweet"``.
        **dialect: options of `csv.reader`, such as ``delimiter``. It is strict if not told otherwise: quotes that are
            not closed, with which a cut-off file ends, are refused.

    Raises:
        FileError: a column is missing, a record has another number of fields, or the file is no such table; names the
            file and the line.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "a.csv"
        >>> _ = path.write_text("id,text\\n1,good\\n")
        >>> [record for _, record in read_table(path, ["text"], what="a table")]
        [{'id': '1', 'text': 'good'}]
    """
    with _opened(path) as file:
        reader = csv.reader(_decoded(path, file), **{"strict": True, **dialect})
        try:
            header = next(reader, [])
            check_columns(str(path), needed, header, what)
            for fields in reader:
                if not fields:  # a blank line
                    continue
                where = f"{path}, line {reader.line_num}"
                if len(fields) != len(header):
                    raise FileError(f"{where}: {len(fields)} fields, but the header has {len(header)}")
                yield where, dict(zip(header, fields, strict=True))
        except csv.Error as error:
            raise FileError(f"{path}, line {reader.line_num}: {error}; fetch or write it again") from error
        except _NOT_PACKED as error:
            raise _cut_short(f"{path}, after line {reader.line_num}", error) from error


def _decoded(path: Path, file: IO[bytes]) -> Iterator[str]:
    for number, line in enumerate(file, start=1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise FileError(f"{path}, line {number}: not UTF-8 ({error.reason})") from None
        yield from io.StringIO(text, newline="")  # a line of an old Mac ends in a carriage return


def _opened(path: Path) -> IO[bytes]:
    return cast("IO[bytes]", gzip.open(path)) if path.suffix == ".gz" else path.open("rb")


def _cut_short(where: str, error: Exception) -> FileError:
    return FileError(
        f"{where}: cannot be unpacked ({error}); the file is cut short or damaged, or not packed: fetch or write it "
        "again"
    )


def _json_rows(path: Path, choose: _Choose) -> Iterator[dict[str, Any]]:
    checked: frozenset[str] | None = None
    for number, (_, row) in enumerate(iter_objects(path), start=1):
        if row.keys() != checked:
            choose(f"{path}, row {number}", row)
            checked = frozenset(row)
        yield row


def _csv_rows(path: Path, choose: _Choose) -> Iterator[dict[str, Any]]:
    csv.field_size_limit(sys.maxsize)
    for number, (_, row) in enumerate(read_table(path, ()), start=1):
        if number == 1:
            choose(f"{path}, row 1", row)
        yield dict(row)


def _with_lists(
    path: Path, rows: Iterator[dict[str, Any]], lists: Collection[str], texts_or_lists: Collection[str]
) -> Iterator[dict[str, Any]]:
    """Read the JSON that the cells of a CSV file hold."""
    for number, row in enumerate(rows, start=1):
        for name in (*lists, *(name for name in texts_or_lists if row[name].startswith("["))):
            try:
                row[name] = json.loads(row[name])
            except ValueError:
                raise FileError(
                    f"{path}, row {number}: column {name!r} must hold a JSON list such as "
                    f'["first text", "second text"], found {row[name][:40]!r}'
                ) from None
        yield row


def _parquet_rows(path: Path, choose: _Choose) -> Iterator[dict[str, Any]]:
    import pyarrow
    import pyarrow.parquet

    try:
        content = io.BytesIO(gzip.decompress(path.read_bytes())) if path.suffix == ".gz" else path
        with pyarrow.parquet.ParquetFile(content) as file:
            columns = choose(str(path), file.schema_arrow.names)
            for batch in file.iter_batches(batch_size=_BATCH, columns=columns):
                yield from batch.to_pylist()
    except _NOT_PACKED as error:
        raise _cut_short(str(path), error) from error
    except (pyarrow.ArrowException, OSError) as error:
        raise FileError(f"{path}: not a readable Parquet file ({error})") from None


_READERS: Mapping[str, Callable[[Path, _Choose], Iterator[dict[str, Any]]]] = {
    ".jsonl": _json_rows,
    ".ndjson": _json_rows,
    ".csv": _csv_rows,
    ".parquet": _parquet_rows,
}
"""Ending of a file's name, without that of its packing -> reader of its rows."""

ENDINGS = with_packing(_READERS)
"""What the name of a file of rows may end in."""


def _saved_folder(path: Path, split: str | None) -> Path:
    """Return the folder that holds the rows of a saved data set."""
    if (path / "dataset_dict.json").is_file():
        splits = read_json(path / "dataset_dict.json")["splits"]
        if split is None and len(splits) == 1:
            split = splits[0]
        if split is None or split not in splits:
            raise InputError(
                f"{path}: choose one of its splits with --split: {', '.join(splits)}; or give the folder of one, such "
                f"as {path / splits[0]}"
            )
        path /= split
    if not (path / "state.json").is_file():
        raise InputError(f"{path}: a folder must be a data set written by save_to_disk; it has no state.json")
    return path


def _saved_rows(path: Path, choose: _Choose) -> Iterator[dict[str, Any]]:
    import pyarrow
    import pyarrow.ipc

    for entry in read_json(path / "state.json")["_data_files"]:
        try:
            with pyarrow.memory_map(str(path / entry["filename"])) as source:
                stream = pyarrow.ipc.open_stream(source)
                columns = choose(str(path), stream.schema.names)
                for batch in stream:
                    for start in range(0, len(batch), _BATCH):
                        yield from batch.select(columns).slice(start, _BATCH).to_pylist()
        except (pyarrow.ArrowException, OSError) as error:
            raise FileError(f"{path}: not a readable saved data set ({error})") from None
