"""Opening files, standard input and addresses: unpacked, texts as UTF-8, with limits on memory."""

from __future__ import annotations

import atexit
import codecs
import contextlib
import gzip
import io
import os
import shutil
import sys
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import cache, partial
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from fairsum_utils.errors import FairSumError, FileError, InputError
from fairsum_utils.io.locks import temporary_folder
from fairsum_utils.io.names import (
    ENDINGS,
    FORMATS,
    HEAD,
    STANDARD_INPUT,
    TABLES,
    Kind,
    Name,
    check_ending,
    format_of,
    guess_format,
    mistaken,
    packing_of,
    unicode_mark,
)
from fairsum_utils.io.stores import filesystem, guarded, is_address, local_path
from fairsum_utils.validation import check_count

MAX_ROW_BYTES = 64 << 20
"""Default limit of a row."""

_UNPACKED, _RATIO = 1 << 28, 200
"""Bytes that any packed file may unpack to, and how many times its own size."""

ENCODING = "cp1252"
"""Suggested where a text is not UTF-8: that of Windows in Western Europe and America, which Excel writes."""

_BLOCK = 1 << 16

_FETCHED = 1 << 20
"""Bytes fetched ahead at an address; with the 50 MB of some packages, a row group of Parquet would cost those."""


def too_large(where: str, limit: int) -> FileError:
    """Make the error of a row beyond the limit."""
    return FileError(f"{where}: more than {limit:,} bytes in one row; split it, or allow more with --max-row-bytes")


def bounded_lines(file: BinaryIO, where: str, limit: int, first: int = 1) -> Iterator[bytes]:
    """Yield the lines of a file of bytes, with their ends."""
    number = first
    while line := file.readline(limit + 1):
        if len(line) > limit:
            raise too_large(f"{where}, line {number}", limit)
        yield line
        number += 1


def check_unpacked(where: str, n_bytes: int, n_stored: int) -> None:
    """Refuse a file that grows without end when it is unpacked."""
    if n_bytes > max(_UNPACKED, _RATIO * n_stored):
        raise FileError(
            f"{where}: {n_stored:,} bytes of it unpack to more than {n_bytes:,}; if it is what it should be, unpack it "
            "first and read that"
        )


class Part(NamedTuple):
    """Some rows of one of the files that are read.

    Attributes:
        file: Place of the file among them, from 0.
        first: Index of the first row in the file.
        n_rows: Number of rows, at least one.
        begin: First byte, in lines of JSON.
        end: Byte after the last.
        line: Number of the first line, from 1.
    """

    file: int
    first: int
    n_rows: int
    begin: int = 0
    end: int = 0
    line: int = 1


@dataclass(frozen=True)
class Place:
    """One of the files that are read; as a text, its name in messages.

    Attributes:
        name: File, folder, address or ``-``.
        format: Such as ``".csv"``; empty for a folder, and for files without rows.
        packing: Such as ``".gz"``; empty if it is not packed.
        encoding: Encoding of a text without a byte order mark; None for UTF-8.
        part: The wanted rows; None for all.
        max_row_bytes: Limit of a row.
    """

    name: str
    format: str = ""
    packing: str = ""
    encoding: str | None = None
    part: Part | None = None
    max_row_bytes: int = MAX_ROW_BYTES

    def __str__(self) -> str:
        return "standard input" if self.name == STANDARD_INPUT else self.name

    @property
    def first(self) -> int:
        """Index in the file of the first row that is read."""
        return 0 if self.part is None else self.part.first

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder of this machine."""
        return not is_address(self.name) and Path(self.name).is_dir()

    @property
    def is_text(self) -> bool:
        """Whether its rows are lines of text."""
        return self.format in TABLES or "json" in self.format


def place_of(
    name: Name, *, encoding: str | None = None, input_format: str | None = None, max_row_bytes: int | None = None
) -> Place:
    """Return the place of a file: name, format, packing and encoding."""
    name = os.fspath(name)
    limit = MAX_ROW_BYTES if max_row_bytes is None else check_count("read_rows", "max_row_bytes", max_row_bytes)
    _check_encoding(encoding)
    if name == STANDARD_INPUT:
        format, packing = _guess(Place(name))
    else:
        path = local_path(name)
        if path is not None and path.is_dir():
            return Place(name, max_row_bytes=limit)
        if path is not None and not path.is_file():
            raise InputError(f"{name}: no such file")
        format, packing = format_of(name), packing_of(name)
    if input_format is not None:
        format = f".{input_format.lower().removeprefix('.')}"
        if format not in FORMATS:
            known = ", ".join(known.removeprefix(".") for known in FORMATS)
            raise InputError(f"{name}: unknown format {input_format!r}; --input-format is one of {known}")
    elif format not in FORMATS:
        check_ending(name, ENDINGS, "; or say what it is with --input-format")
    return Place(name, format, packing, encoding, max_row_bytes=limit)


def _check_encoding(encoding: str | None) -> None:
    try:
        "a".encode(encoding or "utf-8")
    except (LookupError, ValueError):
        raise InputError(
            f"unknown encoding {encoding!r}; name one that Python knows, such as {ENCODING}, latin-1, utf-16, gb18030 "
            "or shift_jis"
        ) from None


def _guess(place: Place) -> tuple[str, str]:
    """Tell the format and the packing of a file without a name."""
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
        return Path(_spooled_input() if place.name == STANDARD_INPUT else place.name).open("rb")
    except FileNotFoundError:
        raise InputError(f"{place}: no such file") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{place}: cannot be opened ({getattr(error, 'strerror', None) or error})") from None


@cache
def _spooled_input() -> str:
    """Copy standard input to a temporary file, so that it can be read again; gone with the process."""
    held = contextlib.ExitStack()
    atexit.register(held.close)
    path = held.enter_context(temporary_folder()) / "input"
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file, _BLOCK)
    return str(path)


class _Stream(io.RawIOBase):
    """A file whose errors are reported as ours; not seekable where it is unpacked."""

    def __init__(self, raw: Any, errors: Callable[[], AbstractContextManager[None]]) -> None:
        self._raw, self._errors = raw, errors

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._raw.seekable())

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
        super().close()


class _Unpacked(_Stream):
    """An unpacked file, refused if it is damaged or grows without end."""

    def __init__(self, place: Place) -> None:
        self._place, self._stored = place, open_packed(place)
        self._n_bytes = self._n_lines = 0
        raw: Any
        if place.packing == ".gz":
            raw = gzip.GzipFile(fileobj=self._stored)
        else:
            import pyarrow

            raw = pyarrow.CompressedInputStream(pyarrow.PythonFile(self._stored, mode="r"), "zstd")
        super().__init__(raw, self._damaged)

    @contextlib.contextmanager
    def _damaged(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, OSError, zlib.error) as error:
            after = f", after line {self._n_lines}" if self._n_lines and self._place.is_text else ""
            raise FileError(
                f"{self._place}{after}: cannot be unpacked ({error}); the file is cut short or damaged, or not packed: "
                "fetch or write it again"
            ) from error

    def seekable(self) -> bool:
        return False

    def readinto(self, buffer: Any) -> int:
        n_bytes = super().readinto(buffer)
        self._n_bytes += n_bytes
        self._n_lines += bytes(buffer[:n_bytes]).count(b"\n")
        check_unpacked(str(self._place), self._n_bytes, self._stored.tell())
        return n_bytes

    def close(self) -> None:
        super().close()
        self._stored.close()


def _unpacked(place: Place) -> io.BufferedReader:
    return io.BufferedReader(_Unpacked(place), _BLOCK) if place.packing else open_packed(place)


def _open_checked(place: Place) -> tuple[io.BufferedReader, bytes]:
    """Open a file and look at its first bytes; one of another format is refused."""
    file = _unpacked(place)
    try:
        head = file.peek(HEAD)[:HEAD]
        kind = mistaken(head, place.format)
        if kind is not None and not (place.encoding and kind.what.startswith("UTF-16")):
            raise _other(place, kind)
    except FairSumError:
        file.close()
        raise
    return file, head


def _other(place: Place, kind: Kind) -> FileError:
    return FileError(f"{place}: this is {kind.what}; {kind.remedy}")


def open_text(place: Place) -> BinaryIO:
    """Open a text: unpacked, in UTF-8 and without a byte order mark, whatever its encoding."""
    file, head = _open_checked(place)
    length, encoding = unicode_mark(head)
    file.read(length)
    encoding = encoding or place.encoding or "utf-8"
    if codecs.lookup(encoding).name == "utf-8":
        return cast(BinaryIO, file)
    with file:
        return _spooled(_recoded(place, _blocks(file), encoding))


def _recoded(place: Place, blocks: Iterable[bytes], encoding: str) -> Iterator[bytes]:
    """Yield a text in another encoding as UTF-8."""
    decoder, line = codecs.getincrementaldecoder(encoding)(), 1
    for block in chain(blocks, [b""]):
        try:
            text = decoder.decode(block, final=not block)
        except UnicodeError as error:
            if isinstance(error, UnicodeDecodeError):
                line += error.object[: error.start].decode(encoding, "ignore").count("\n")
            raise FileError(
                f"{place}, line {line}: not {encoding} ({getattr(error, 'reason', error)}); name its encoding with "
                "--encoding"
            ) from None
        line += text.count("\n")
        yield text.encode()


def open_seekable(place: Place) -> BinaryIO:
    """Open a file for random access; a packed file or a stream is copied to a temporary file."""
    file, _ = _open_checked(place)
    if file.seekable():
        return cast(BinaryIO, file)
    with file:
        return _spooled(_blocks(file))


def _blocks(file: io.BufferedReader) -> Iterator[bytes]:
    return iter(partial(file.read, _BLOCK), b"")


def _spooled(blocks: Iterable[bytes]) -> BinaryIO:
    """Copy blocks to a temporary file, which its reader closes."""
    spooled = tempfile.TemporaryFile()  # noqa: SIM115 (see above)
    try:
        spooled.writelines(blocks)
    except FairSumError:
        spooled.close()
        raise
    spooled.seek(0)
    return cast(BinaryIO, spooled)
