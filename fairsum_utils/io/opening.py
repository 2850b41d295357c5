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
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import IO, Any, BinaryIO, NamedTuple, cast

from fairsum_utils.errors import FairSumError, FileError, InputError
from fairsum_utils.io.locks import temporary_folder
from fairsum_utils.io.names import (
    ENDINGS,
    FORMATS,
    HEAD,
    STANDARD_INPUT,
    Kind,
    Name,
    check_ending,
    format_of,
    guess_format,
    mistaken,
    packing_of,
    unicode_mark,
)
from fairsum_utils.io.stores import filesystem, guarded, is_address, is_folder, local_path
from fairsum_utils.validation import check_count

MAX_ROW_BYTES = 64 << 20
"""Largest row that is read if nobody says otherwise."""

_UNPACKED, _RATIO = 1 << 30, 200
"""What is unpacked onto the disk may have so many bytes, or so many times those that it is stored in."""


def check_limit(module: str, max_row_bytes: object) -> int:
    """Check a limit; None gives the default.

    Example:
        >>> check_limit("read_rows", None), check_limit("read_rows", 10)
        (67108864, 10)
    """
    return MAX_ROW_BYTES if max_row_bytes is None else check_count(module, "max_row_bytes", max_row_bytes)


def too_large(where: str, limit: int) -> FileError:
    """The error of a row that is larger than it may be.

    Example:
        >>> str(too_large("rows.jsonl, line 3", 1000))
        'rows.jsonl, line 3: more than 1,000 bytes in one row; split it, or allow more with --max-row-bytes'
    """
    return FileError(f"{where}: more than {limit:,} bytes in one row; split it, or allow more with --max-row-bytes")


def bounded_lines(file: BinaryIO, where: str, limit: int, first: int = 1) -> Iterator[bytes]:
    r"""The lines of a file of bytes, with their ends."""
    number = first
    while line := file.readline(limit + 1):
        if len(line) > limit:
            raise too_large(f"{where}, line {number}", limit)
        yield line
        number += 1


def check_unpacked(where: str, n_bytes: int, n_stored: int) -> None:
    """Refuse what grows without end when it is unpacked."""
    if n_bytes > max(_UNPACKED, _RATIO * n_stored):
        raise FileError(
            f"{where}: {n_stored:,} bytes of it unpack to more than {n_bytes:,}; if it is what it should be, unpack it "
            "first and read that"
        )


def check_rowless(where: str, n_bytes: int, n_stored: int) -> None:
    """Refuse what grows without end when it is unpacked, and holds no row."""
    if n_bytes > max(MAX_ROW_BYTES, _RATIO * n_stored):
        raise FileError(
            f"{where}: {n_stored:,} bytes of it unpack to more than {n_bytes:,} without a row; write the file again "
            "without the blanks"
        )


def bytes_of(cell: Any, limit: int) -> int:
    """About how many bytes a cell holds: its texts, and eight for anything else; counting stops above the limit."""
    n_bytes, waiting = 0, [cell]
    while waiting and n_bytes <= limit:
        item = waiting.pop()
        if isinstance(item, dict):
            waiting += [*item, *item.values()]
        elif isinstance(item, list):
            waiting += item
        else:
            n_bytes += len(item) if isinstance(item, (str, bytes)) else 8
    return n_bytes


class Part(NamedTuple):
    """Some rows of one of the files that are read.

    Attributes:
        file: place of the file among them, from 0.
        first: index of the first row in the file.
        n_rows: how many there are, at least one.
        begin: of lines of JSON: the first byte.
        end: the byte after the last.
        line: number of the first line, from 1.
    """

    file: int
    first: int
    n_rows: int
    begin: int = 0
    end: int = 0
    line: int = 1


ENCODING = "cp1252"
"""Suggested where a text is not UTF-8: that of Windows in Western Europe and America, which Excel writes."""

_BLOCK = 1 << 16

_LEAST, _MOST = 1 << 16, 1 << 22
"""Bytes that are fetched at once at an address after a jump, and at most while one goes on from there: twice as many
each time. With the 50 MB of some packages, a row group would cost those."""

NOT_PACKED = (EOFError, gzip.BadGzipFile, zlib.error)
"""What unpacking a damaged file raises."""


@dataclass(frozen=True)
class Place:
    """One of the files that are read; as a text it is what messages call it.

    Attributes:
        name: file, folder, address or ``-``.
        format: such as ``".csv"``; empty for a folder, and for a text that is none of rows.
        packing: such as ``".gz"``; empty if it is not packed.
        encoding: of a text without a byte order mark; None for UTF-8.
        part: the rows that are wanted; None for all.
        max_row_bytes: a larger row is refused.
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
        return not is_address(self.name) and is_folder(self.name)


def place_of(
    name: Name, *, encoding: str | None = None, input_format: str | None = None, max_row_bytes: int | None = None
) -> Place:
    """Return the place of a file: name, format, packing and encoding."""
    name = os.fspath(name)
    limit = check_limit("read_rows", max_row_bytes)
    _check_encoding(encoding)
    if name != STANDARD_INPUT:
        local_path(name)  # a name that no file can have is said here
    if Place(name).is_folder:
        return Place(name, max_row_bytes=limit)
    packing = packing_of(name)
    if name == STANDARD_INPUT:
        guessed, packing = _guess(Place(name, encoding=encoding))
    elif input_format is None:
        _check_known(name)
        guessed = format_of(name)
    else:
        guessed = ""
    if not is_address(name) and name != STANDARD_INPUT and not Path(name).is_file():
        raise InputError(f"{name}: no such file")
    format = guessed if input_format is None else f".{input_format.lower().removeprefix('.')}"
    if format not in FORMATS:
        known = ", ".join(known.removeprefix(".") for known in FORMATS)
        raise InputError(f"{name}: unknown format {input_format!r}; --input-format is one of {known}")
    return Place(name, format, packing, encoding, max_row_bytes=limit)


def _check_known(name: str) -> None:
    """Refuse a file whose name tells no format, and say what it is if that can be seen."""
    path = Path(name)
    if not is_address(name) and not path.suffix and not path.exists():
        return  # the name of a folder that is not there
    try:
        check_ending(name, ENDINGS)
    except InputError as error:
        kind = None
        if not is_address(name) and path.is_file():
            with open_packed(Place(name)) as file:
                kind = mistaken(file.peek(HEAD)[:HEAD], "")
        if kind is not None:
            raise _other(Place(name), kind) from None
        raise InputError(f"{error}; or say what it is with --input-format") from None


def _check_encoding(encoding: str | None) -> None:
    if encoding is None:
        return
    try:
        codecs.lookup(encoding)
        with contextlib.suppress(UnicodeDecodeError):  # of more than one byte
            b"a".decode(encoding)
    except (LookupError, ValueError):
        raise InputError(
            f"unknown encoding {encoding!r}; name one that Python knows, such as {ENCODING}, latin-1, utf-16, gb18030 "
            "or shift_jis"
        ) from None


def _guess(place: Place) -> tuple[str, str]:
    """The format and packing of what has no name."""
    with open_packed(place) as file:
        format, packing = guess_format(file.peek(HEAD)[:HEAD])
    if packing:
        with _unpacked(Place(place.name, packing=packing)) as file:
            format, _ = guess_format(file.peek(HEAD)[:HEAD])
    return format, packing


def open_packed(place: Place) -> io.BufferedReader:
    """Open a file without unpacking it."""
    try:
        if is_address(place.name):
            return io.BufferedReader(_Remote(place), _BLOCK)
        path = _spooled_input() if place.name == STANDARD_INPUT else place.name
        return Path(path).open("rb")
    except FileNotFoundError:
        raise InputError(f"{place}: no such file") from None
    except (OSError, ValueError) as error:
        if isinstance(error, FairSumError):
            raise
        raise InputError(f"{place}: cannot be opened ({getattr(error, 'strerror', None) or error})") from None


@cache
def _spooled_input() -> str:
    """A temporary file with all of standard input, so that it can be read more than once; gone with the process."""
    held = contextlib.ExitStack()
    atexit.register(held.close)
    path = held.enter_context(temporary_folder()) / "input"
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file, _BLOCK)
    return str(path)


class _Remote(io.RawIOBase):
    """A file at an address, of which ranges are fetched if its server knows them; whatever goes wrong is one line."""

    def __init__(self, place: Place) -> None:
        self._place = place
        fs, path = filesystem(place.name)
        with guarded(place):
            self._file = fs.open(path, "rb", block_size=_MOST, cache_type="none")
        self._is_whole = not self._file.seekable()
        self._at = self._start = 0
        self._held = b""
        self._ahead = _LEAST // 2

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return bool(self._file.seekable())

    def readinto(self, buffer: Any) -> int:
        with guarded(self._place):
            block = self._file.read(len(buffer)) if self._is_whole else self._range(len(buffer))
        buffer[: len(block)] = block
        return len(block)

    def _range(self, n_bytes: int) -> bytes:
        """The next bytes, at most so many; none at the end."""
        end = self._start + len(self._held)
        if not self._start <= self._at < end:
            self._ahead = min(2 * self._ahead, _MOST) if self._at == end else _LEAST
            self._file.seek(self._at)
            self._held, self._start = self._file.read(max(n_bytes, self._ahead)), self._at
        offset = self._at - self._start
        block = self._held[offset : offset + n_bytes]
        self._at += len(block)
        return block

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        with guarded(self._place):
            if whence == io.SEEK_CUR:
                offset, whence = offset + self._at, io.SEEK_SET
            self._at = int(self._file.seek(offset, whence))
        return self._at

    def tell(self) -> int:
        return self._at

    def close(self) -> None:
        if not self.closed and hasattr(self, "_file"):
            self._file.close()
        super().close()


def _unpacked(place: Place) -> io.BufferedReader:
    file = open_packed(place)
    if place.packing == ".gz":
        return _Unpacked(gzip.GzipFile(fileobj=file), file, str(place))
    if place.packing == ".zst":
        return _Unpacked(_Zst(file), file, str(place))
    return file


class _Unpacked(io.BufferedReader):
    """An unpacked stream that closes its file."""

    def __init__(self, raw: Any, stored: IO[bytes], where: str) -> None:
        super().__init__(_Watched(raw, stored, where), _BLOCK)
        self._stored = stored

    @property
    def n_stored(self) -> int:
        """Bytes of the file that were read so far."""
        return self._stored.tell()

    def seekable(self) -> bool:
        return False  # but from the start

    def close(self) -> None:
        super().close()
        self._stored.close()


class _Watched(io.RawIOBase):
    """An unpacked stream, refused if it goes on and on without a row."""

    def __init__(self, raw: Any, stored: IO[bytes], where: str) -> None:
        self._raw, self._stored, self._where = raw, stored, where
        self._n_bytes = self._begin = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        n_bytes: int = self._raw.readinto(buffer)
        if bytes(buffer[:n_bytes]).strip(_NO_ROW):
            self._n_bytes, self._begin = 0, self._stored.tell()
        else:
            self._n_bytes += n_bytes
            check_rowless(self._where, self._n_bytes, self._stored.tell() - self._begin)
        return n_bytes

    def close(self) -> None:
        self._raw.close()
        super().close()


_NO_ROW = b" \t\r\n\0,;\"'"
"""Signs that make no row, whatever the format and the encoding."""


class _Zst(io.RawIOBase):
    """A zstd stream as a Python file; damage raises EOFError as in `gzip`."""

    def __init__(self, stored: IO[bytes]) -> None:
        import pyarrow

        self._stream = pyarrow.CompressedInputStream(pyarrow.PythonFile(stored, mode="r"), "zstd")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            block = self._stream.read(len(buffer))
        except OSError as error:
            raise EOFError(str(error)) from None
        buffer[: len(block)] = block
        return len(block)


def cut_short(where: str, error: Exception) -> FileError:
    """The error of a packed file that is damaged."""
    return FileError(
        f"{where}: cannot be unpacked ({error}); the file is cut short or damaged, or not packed: fetch or write it "
        "again"
    )


def _other(place: Place, kind: Kind) -> FileError:
    return FileError(f"{place}: this is {kind.what}; {kind.remedy}")


def _checked_head(place: Place, file: io.BufferedReader) -> bytes:
    """The first bytes of a file; one that is not of its format is closed and refused."""
    try:
        head = file.peek(HEAD)[:HEAD]
        kind = mistaken(head, place.format)
        if kind is not None and not (place.encoding and kind.what.startswith("UTF-16")):
            raise _other(place, kind)
    except NOT_PACKED as error:
        file.close()
        raise cut_short(str(place), error) from error
    except FairSumError:
        file.close()
        raise
    return head


def open_text(place: Place) -> BinaryIO:
    """Open a text: unpacked, in UTF-8 and without a byte order mark, whatever it is stored as."""
    file = _unpacked(place)
    length, encoding = unicode_mark(_checked_head(place, file))
    file.read(length)
    encoding = encoding or place.encoding or "utf-8"
    if codecs.lookup(encoding).name == "utf-8":
        return cast(BinaryIO, file)
    return cast(BinaryIO, io.BufferedReader(_Recoded(place, file, encoding), _BLOCK))


class _Recoded(io.RawIOBase):
    """A text in UTF-8 that is stored in another encoding."""

    def __init__(self, place: Place, file: IO[bytes], encoding: str) -> None:
        self._place, self._file, self._encoding = place, file, encoding
        self._decoder = codecs.getincrementaldecoder(encoding)()
        self._waiting = b""
        self._line = 1
        self._first = True

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        ended = False
        while not self._waiting and not ended:
            block = self._file.read(_BLOCK)
            ended = not block
            self._waiting = self._decoded(block, ended).encode()
        part, self._waiting = self._waiting[: len(buffer)], self._waiting[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)

    def _decoded(self, block: bytes, ended: bool) -> str:
        try:
            text = self._decoder.decode(block, ended)
        except UnicodeError as error:
            line = self._line
            if isinstance(error, UnicodeDecodeError):
                line += error.object[: error.start].decode(self._encoding, "ignore").count("\n")
            raise FileError(
                f"{self._place}, line {line}: not {self._encoding} ({getattr(error, 'reason', error)}); name its "
                "encoding with --encoding"
            ) from None
        self._line += text.count("\n")
        if self._first and text:
            self._first, text = False, text.removeprefix("\ufeff")
        return text

    def close(self) -> None:
        self._file.close()
        super().close()


def open_seekable(place: Place) -> BinaryIO:
    """Open a file in which one can go back and forth; what is packed or comes as a stream waits in a temporary file."""
    file = _unpacked(place)
    _checked_head(place, file)
    if file.seekable():
        return cast(BinaryIO, file)
    spooled = tempfile.TemporaryFile()  # noqa: SIM115 (its reader closes it)
    try:
        with file:
            n_bytes = 0
            while block := file.read(_BLOCK):
                n_bytes += spooled.write(block)
                if isinstance(file, _Unpacked):
                    check_unpacked(str(place), n_bytes, file.n_stored)
    except NOT_PACKED as error:
        spooled.close()
        raise cut_short(str(place), error) from error
    except FairSumError:
        spooled.close()
        raise
    spooled.seek(0)
    return cast(BinaryIO, spooled)
