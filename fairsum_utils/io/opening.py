"""Opening of files, streams and addresses: unpacking, encodings, limits."""

from __future__ import annotations

import atexit
import codecs
import contextlib
import gzip
import io
import itertools
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any, BinaryIO, cast

from fairsum_utils._util.temporary import temporary_folder
from fairsum_utils.errors import FairSumError, FileError, InputError
from fairsum_utils.io.names import (
    CAPTIONS,
    ENDINGS,
    EXCEL,
    FORMATS,
    HEAD,
    NOT_UTF8,
    STANDARD_INPUT,
    TEXTS,
    Name,
    check_ending,
    format_of,
    guess_format,
    mistaken,
    packing_of,
    unicode_mark,
)
from fairsum_utils.io.stores import filesystem, guarded, is_address, local_path
from fairsum_utils.validation import check_choice

_LONGEST = 1 << 30  # maximum bytes of a line

# Limits of compressed files that are unpacked as a whole (Parquet, workbooks, other encodings): bytes, and times the
# packed size. Texts that are read line by line have no limit: only their largest row is in memory.
_UNPACKED, _RATIO = 1 << 28, 200

ENCODING = "cp1252"
"""Suggested encoding if a text is not UTF-8: Windows in Western Europe and America, as written by Excel."""

_BLOCK = 1 << 16

# Bytes fetched ahead at an address. Some packages fetch 50 MB, even for one small Parquet row group.
_FETCHED = 1 << 20


def numbered_lines(file: BinaryIO, where: str) -> Iterator[tuple[int, bytes]]:
    """Yield the numbers of lines, from 1, and their bytes with their ends."""
    for number in itertools.count(1):
        line = file.readline(_LONGEST)
        if len(line) == _LONGEST:
            raise FileError(f"{where}, line {number}: the line is longer than {_LONGEST:,} bytes; split it")
        if not line:
            return
        yield number, line


def check_unpacked(where: str, n_bytes: int, n_stored: int) -> None:
    """Refuse a packed file that would fill the disk or the memory."""
    if n_bytes > max(_UNPACKED, _RATIO * n_stored):
        raise FileError(
            f"{where}: {n_stored:,} packed bytes unpack to more than {n_bytes:,}; if this is intended, unpack the "
            "file first"
        )


@dataclass(frozen=True)
class Place:
    """A file to read; as text, its name in messages.

    Attributes:
        name: file, folder, address or ``-``.
        format: such as ``".csv"``; empty for a folder, and for files without rows.
        packing: such as ``".gz"``; empty if it is not packed.
        encoding: encoding of a text without a byte order mark; None for UTF-8.
        has_quotes: False if quotes in a text table are ordinary characters.
        sheet: name of the sheet of a workbook; None for the first.
    """

    name: str
    format: str = ""
    packing: str = ""
    encoding: str | None = None
    has_quotes: bool = True
    sheet: str | None = None

    def __str__(self) -> str:
        return "standard input" if self.name == STANDARD_INPUT else self.name

    @property
    def is_folder(self) -> bool:
        """Return whether this is a local folder."""
        return not is_address(self.name) and Path(self.name).is_dir()


def as_place(path: Path | Place) -> Place:
    """Turn the path of a file of known make into a place."""
    return path if isinstance(path, Place) else Place(str(path), packing=packing_of(path))


READING = ("split", "sheet", "encoding", "predictions_encoding", "input_format", "quoting")
"""Names of the options that say how files are read."""


def place_of(
    name: Name,
    *,
    encoding: str | None = None,
    input_format: str | None = None,
    quoting: str | None = None,
    sheet: str | None = None,
) -> Place:
    """Return the place of a file: name, format, packing and encoding."""
    name = os.fspath(name)
    has_quotes = quoting is None or check_choice("read_rows", "quoting", quoting, ("usual", "none")) == "usual"
    _check_encoding(encoding)
    path = None if name == STANDARD_INPUT else local_path(name)
    if path is not None and path.is_dir():
        return Place(name)
    if path is not None and not path.exists():
        raise InputError(f"{name}: no such file")
    format, packing = format_of(name), packing_of(name)
    if is_stream(name) and format not in FORMATS:
        format, packing = _guess(Place(name))
    if input_format is not None:
        format = f".{input_format.lower().removeprefix('.')}"
        if format not in (*FORMATS, *TEXTS):
            known = ", ".join(known.removeprefix(".") for known in (*FORMATS, *TEXTS))
            raise InputError(f"{name}: unknown format {input_format!r}; --input-format is one of {known}")
    elif format not in (*FORMATS, *CAPTIONS):
        check_ending(name, ENDINGS, ", or name its format with --input-format")
    if sheet is not None and format != EXCEL:
        raise InputError(f"{name}: only workbooks have sheets; omit `sheet`")
    return Place(name, format, packing, encoding, has_quotes, sheet)


def _check_encoding(encoding: str | None) -> None:
    try:
        "a".encode(encoding or "utf-8")
    except (LookupError, ValueError):
        raise InputError(
            f"unknown encoding {encoding!r}; use one that Python knows, such as {ENCODING}, latin-1, utf-16, gb18030 "
            "or shift_jis"
        ) from None


def _guess(place: Place) -> tuple[str, str]:
    """Find the format and the packing of a file without a name."""
    with _unpacked(place) as file:
        format, packing = guess_format(file.peek(HEAD)[:HEAD])
    return (_guess(Place(place.name, packing=packing))[0], packing) if packing and not place.packing else (format, "")


def open_packed(place: Place) -> io.BufferedReader:
    """Open a file without unpacking it."""
    if is_address(place.name):
        fs, path = filesystem(place.name)
        with guarded(place):
            file = fs.open(path, "rb", block_size=_FETCHED, cache_type="readahead")
        return io.BufferedReader(_Stream(file, partial(guarded, place)), _BLOCK)
    try:
        return Path(rereadable(place.name)).open("rb")
    except FileNotFoundError:
        raise InputError(f"{place}: no such file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{place}: cannot open the file ({getattr(error, 'strerror', None) or error})") from None


def is_stream(name: Name) -> bool:
    """Return whether a file can be read only once, such as a named pipe.

    Example:
        >>> is_stream("-"), is_stream("no-such-file"), is_stream(".")
        (True, False, False)
    """
    if os.fspath(name) == STANDARD_INPUT:
        return True
    path = local_path(name)
    if path is None or path.is_dir() or not path.exists():
        return False
    return not path.is_file() or path.parts[:2] == ("/", "dev")  # /dev/stdin may be a file whose name is not known


def rereadable(name: Name) -> Name:
    """Return the name of a file, or of the copy of a stream."""
    return spooled(os.fspath(name)) if is_stream(name) else name


@cache
def spooled(name: str) -> str:
    """Copy a stream to a temporary file, so that it can be reread."""
    stack = contextlib.ExitStack()
    atexit.register(stack.close)
    path = stack.enter_context(temporary_folder()) / "input"
    stream = contextlib.nullcontext(sys.stdin.buffer) if name == STANDARD_INPUT else Path(name).open("rb")  # noqa: SIM115
    with stream as given, path.open("wb") as file:
        shutil.copyfileobj(given, file, _BLOCK)
    return str(path)


class _Stream(io.RawIOBase):
    """A file that raises our errors; `stored` is the packed file."""

    def __init__(
        self, raw: Any, errors: Callable[[], AbstractContextManager[None]], stored: BinaryIO | None = None
    ) -> None:
        self._raw, self._errors, self.stored = raw, errors, stored

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return self.stored is None and bool(self._raw.seekable())

    def readinto(self, buffer: Any) -> int:
        with self._errors():
            block = self._raw.read(len(buffer))
        buffer[: len(block)] = block
        return len(block)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        with self._errors():
            return int(self._raw.seek(offset, whence))

    def tell(self) -> int:
        return int(self._raw.tell())

    def close(self) -> None:
        self._raw.close()
        if self.stored is not None:
            self.stored.close()
        super().close()


@contextlib.contextmanager
def _named_damage(place: Place) -> Iterator[None]:
    """Name a packed file that is damaged."""
    try:
        yield
    except (EOFError, OSError, zlib.error) as error:
        raise FileError(
            f"{place}: cannot unpack the file ({error}); it is cut off, damaged or not packed; download or write it "
            "again"
        ) from error


def _unpacked(place: Place) -> io.BufferedReader:
    stored = open_packed(place)
    if not place.packing:
        return stored
    raw: Any
    if place.packing == ".gz":
        raw = gzip.GzipFile(fileobj=stored)
    else:
        import pyarrow

        raw = pyarrow.CompressedInputStream(pyarrow.PythonFile(stored, mode="r"), "zstd")
    return io.BufferedReader(_Stream(raw, partial(_named_damage, place), stored), _BLOCK)


def _open_checked(place: Place) -> tuple[io.BufferedReader, bytes]:
    """Open a file; reject it if its first bytes show another format."""
    file = _unpacked(place)
    try:
        head = file.peek(HEAD)[:HEAD]
        kind = mistaken(head, place.format)
        if kind is not None and not (place.encoding and kind is NOT_UTF8):
            raise FileError(f"{place}: this is {kind.what}; {kind.remedy}")
    except FairSumError:
        file.close()
        raise
    return file, head


def open_text(place: Place) -> BinaryIO:
    """Open a text file, unpacked and decoded to UTF-8."""
    file, head = _open_checked(place)
    length, encoding = unicode_mark(head)
    if codecs.lookup(encoding or place.encoding or "utf-8").name == "utf-8":
        file.read(length)
        return cast(BinaryIO, file)
    file.close()
    return io.BytesIO(read_text(place).encode())


def read_text(place: Place) -> str:
    """Read a text as a whole, whatever its encoding."""
    file, head = _open_checked(place)
    length, encoding = unicode_mark(head)
    encoding = encoding or place.encoding or "utf-8"
    with file:
        content = b"".join(_blocks(place, file))[length:]
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content[: error.start].decode(encoding, "ignore").count("\n") + 1
        raise wrong_encoding(f"{place}, line {line}", encoding, error) from None
    except UnicodeError as error:  # for example, no byte order mark
        raise wrong_encoding(str(place), encoding, error) from None


def wrong_encoding(where: str, encoding: str, error: UnicodeError) -> FileError:
    """Return the error for a wrong encoding, with advice."""
    if codecs.lookup(encoding).name == "utf-8":
        encoding, hint = "UTF-8", f"if the file comes from Excel or Windows, try --encoding {ENCODING}"
    else:
        hint = "name its encoding with --encoding"
    return FileError(f"{where}: the text is not {encoding} ({getattr(error, 'reason', error)}); {hint}")


def open_seekable(place: Place) -> BinaryIO:
    """Open a file for random access, through a copy if necessary."""
    file, _ = _open_checked(place)
    if file.seekable():
        return cast(BinaryIO, file)
    with file, contextlib.ExitStack() as stack:
        copied = stack.enter_context(tempfile.TemporaryFile())
        copied.writelines(_blocks(place, file))
        copied.seek(0)
        stack.pop_all()
    return cast(BinaryIO, copied)


def _blocks(place: Place, file: io.BufferedReader) -> Iterator[bytes]:
    """Yield the blocks of a file, with a limit on unpacked size."""
    stored = getattr(file.raw, "stored", None)
    n_bytes = 0
    while block := file.read(_BLOCK):
        n_bytes += len(block)
        if stored is not None:
            check_unpacked(str(place), n_bytes, stored.tell())
        yield block
