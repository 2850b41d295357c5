"""Rows of text files: JSON lines, arrays of objects, CSV and TSV."""

from __future__ import annotations

import csv
import io
import json
import logging
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from fairsum_utils.errors import FileError
from fairsum_utils.io.columns import Choose, check_columns
from fairsum_utils.io.names import TABLES, packing_of
from fairsum_utils.io.opening import ENCODING, NOT_PACKED, Place, bounded_lines, cut_short, open_text, too_large

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def as_place(path: Path | Place) -> Place:
    """A file of known make as a place."""
    return path if isinstance(path, Place) else Place(str(path), packing=packing_of(path))


def iter_lines(path: Path | Place) -> Iterator[tuple[int, bytes, bool]]:
    r"""Yield (line number from 1, bytes without the line end, whether the line end was there).

    Files are read as bytes and cut at ``\n`` only. Text mode and ``splitlines`` also cut at characters such as
    U+0085 and U+2028, so that one broken byte could tear a row apart. Empty lines at the end of the file are left out.
    A file whose name ends in ``.gz`` or ``.zst`` is unpacked on the way, and a byte order mark is left out.
    """
    place = as_place(path)
    empty = 0
    first = 1 if place.part is None else place.part.line
    number = first - 1
    with open_text(place) as file:
        try:
            for number, line in enumerate(_wanted(place, file), start=first):
                content = line.rstrip(b"\r\n")
                if not content.strip():
                    empty += 1
                    continue
                for skipped in range(number - empty, number):  # not at the end after all
                    yield skipped, b"", True
                empty = 0
                yield number, content, line.endswith(b"\n")
        except NOT_PACKED as error:
            raise cut_short(f"{place}, after line {number}", error) from error


def _wanted(place: Place, file: BinaryIO) -> Iterator[bytes]:
    """The lines of the part that is wanted."""
    limit = place.max_row_bytes
    if place.part is None:
        yield from bounded_lines(file, str(place), limit)
        return
    left = place.part.end - file.seek(place.part.begin)
    lines = bounded_lines(file, str(place), limit, place.part.line)
    while left > 0 and (line := next(lines, b"")):
        left -= len(line)
        yield line


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Make an object, and refuse a key that stands there twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        [(key, n)] = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {key!r} stands {n} times in one object; rename all but the right one")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys)


def parse_json(text: str) -> Any:
    """Read a text of JSON.

    Example:
        >>> parse_json('["a", "\\\\ud83d\\\\ude00"]')
        ['a', '😀']
    """
    try:
        found = _DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if "\\" in text and _SURROGATE.search(text):
        _refuse_halves(found)
    return found


def _refuse_halves(found: Any) -> None:
    """Refuse a lone surrogate, which no file and no terminal can show."""
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start])
        raise ValueError(f"half a character, the lone surrogate {half}; replace it") from None


def iter_objects(path: Path | Place) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield (line number from 1, object) from JSON Lines, packed or not; blank lines are passed over.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "a.jsonl"
        >>> _ = path.write_text('{"id": "a"}\\n\\n{"id": "b"}\\n')
        >>> list(iter_objects(path))
        [(1, {'id': 'a'}), (3, {'id': 'b'})]
    """
    place = as_place(path)
    for number, line, ended in iter_lines(place):
        if not line:
            continue
        try:
            found = parse_json(line.decode())
        except UnicodeDecodeError as error:
            raise say_not_utf8(f"{place}, line {number}", error) from None
        except ValueError as error:
            cut = "" if ended else "; it has no line end, so the file may have been cut off while written"
            table = "; if it is a table, end its name in .csv" if number == 1 and line[:1] not in b'{["' else ""
            raise FileError(f"{place}, line {number}: not valid JSON ({_reason(error)}){cut}{table}") from None
        if not isinstance(found, dict):
            array = "; end the name of a file with one array in .json" if number == 1 and type(found) is list else ""
            raise FileError(f"{place}, line {number}: expected a JSON object, found a {type(found).__name__}{array}")
        yield number, found


def _reason(error: ValueError) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg.removesuffix(' at')} at column {error.colno}"
    return str(error)


def say_not_utf8(where: str, error: UnicodeDecodeError) -> FileError:
    """The error of a text that is not UTF-8, with what may help."""
    return FileError(
        f"{where}: not UTF-8 ({error.reason} at byte {error.start}); if it comes from Excel or an older Windows, try "
        f"--encoding {ENCODING}"
    )


def read_json(path: Path) -> Any:
    """Return what a file of JSON holds."""
    try:
        return parse_json(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError) as error:  # UnicodeDecodeError is one too
        raise FileError(f"{path}: cannot be read as JSON in UTF-8 ({error}); fetch or write it again") from error


_BLOCK = 1 << 16  # characters
_BLANK = re.compile(r"[ \t\r\n]*")
_TAIL = 12
"""Characters at the end of what was read so far, in which a number, a name or an escape may be cut."""


def iter_array(place: Place) -> Iterator[tuple[str, Any]]:
    """Yield (place, element) from one array of JSON, or from objects that follow one another, over lines or not.

    Elements are read one at a time: memory grows with the largest, not with the file.
    """
    with open_text(place) as file:
        text = _Ahead(place, file)
        opened = text.next_sign() == "["
        if opened:
            text.skip(1)
        number = 0
        while (sign := text.next_sign()) not in ("", "]"):
            if number and opened:
                if sign != ",":
                    raise FileError(f"{place}, after element {number}: expected ',' or ']', found {sign!r}")
                text.skip(1)
                text.next_sign()
            number += 1
            where = f"{place}, element {number}"
            yield where, text.element(where)
        if opened and sign != "]":
            raise FileError(f"{place}, after element {number}: the array is not closed; the file may have been cut off")
        text.skip(len(sign))
        if (sign and not opened) or text.next_sign():
            raise FileError(f"{place}, after element {number}: more follows the end of the array; keep one array")


class _Ahead:
    """A text of which a part is read ahead."""

    def __init__(self, place: Place, file: Any) -> None:
        self._place, self._file = place, file
        self._text, self._at, self._ended = "", 0, False
        self._left = b""

    def _more(self) -> None:
        """Read as much again as waits, so that an element is tried only as often as its length can double."""
        try:
            waiting = len(self._text) - self._at
            block = self._file.read(max(_BLOCK, min(waiting, self._place.max_row_bytes + 1 - waiting)))
        except NOT_PACKED as error:
            raise cut_short(str(self._place), error) from error
        self._ended = not block
        block = self._left + block
        whole = len(block)
        if not self._ended:  # a character may be cut
            while whole > len(block) - 4 and whole and block[whole - 1] & 0xC0 == 0x80:
                whole -= 1
            whole -= bool(whole and block[whole - 1] >= 0xC0)
        try:
            added = block[:whole].decode()
        except UnicodeDecodeError as error:
            raise say_not_utf8(str(self._place), error) from None
        self._left = block[whole:]
        self._text, self._at = self._text[self._at :] + added, 0

    def next_sign(self) -> str:
        """The next character that is no blank; empty at the end."""
        while True:
            found = _BLANK.match(self._text, self._at)
            self._at = found.end() if found else self._at
            if self._at < len(self._text):
                return self._text[self._at]
            if self._ended:
                return ""
            self._more()

    def skip(self, n: int) -> None:
        self._at += n

    def element(self, where: str) -> Any:
        """The element that begins here."""
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self._at)
            except RecursionError:
                raise FileError(f"{where}: not valid JSON (nested too deeply)") from None
            except json.JSONDecodeError as error:
                cut = error.msg.startswith("Unterminated") or error.pos > len(self._text) - _TAIL
                if cut and not self._ended:
                    if len(self._text) - self._at > self._place.max_row_bytes:
                        raise too_large(where, self._place.max_row_bytes) from None
                    self._more()
                    continue
                late = "; the file may have been cut off while written" if cut else ""
                raise FileError(f"{where}: not valid JSON ({error.msg}){late}") from None
            except ValueError as error:
                raise FileError(f"{where}: not valid JSON ({error})") from None
            if not isinstance(found, dict):
                raise FileError(f"{where}: expected a JSON object, found a {type(found).__name__}")
            if end - self._at > self._place.max_row_bytes:
                raise too_large(where, self._place.max_row_bytes)
            part = self._text[self._at : end]
            if "\\" in part and _SURROGATE.search(part):
                try:
                    _refuse_halves(found)
                except ValueError as error:
                    raise FileError(f"{where}: {error}") from None
            self._at = end
            return found


logger = logging.getLogger(__name__)

_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}

_QUOTED = re.compile(r'"[^"]*"?')
_SAID = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)
"""A line in which Excel says what separates the columns."""


def read_table(
    path: Path | Place, needed: Collection[str], *, what: str = "", **dialect: Any
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield (place, column -> text) from a table with a header, packed or not; blank lines are passed over.

    Lines of nothing but delimiters, which spreadsheets write below a table, are blank too.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "a.csv"
        >>> _ = path.write_text("id,text\\n1,good\\n,\\n")
        >>> [record for _, record in read_table(path, ["text"], what="a table")]
        [{'id': '1', 'text': 'good'}]
    """
    place = as_place(path)
    with open_text(place) as file:
        records = _Records(place, _decoded(place, file), dialect)
        check_columns(str(place), needed, records.header, what)
        yield from records


def table_rows(place: Place, choose: Choose) -> Iterator[dict[str, Any]]:
    """The rows of a table whose delimiter is found."""
    csv.field_size_limit(sys.maxsize)
    with open_text(place) as file:
        records = _found(place, file)
        if records.header:
            choose(str(place), records.header)
        for _, row in records:
            yield dict(row)


def table_columns(place: Place) -> list[str]:
    """The header of a table."""
    with open_text(place) as file:
        return _found(place, file).header


def _found(place: Place, file: BinaryIO) -> _Records:
    """The records of a table, by the delimiter that its first line tells."""
    lines = _decoded(place, file)
    first = next((line for line in lines if line.strip()), "")
    usual = TABLES[place.format]
    if said := _SAID.fullmatch(first):
        return _Records(place, lines, {"delimiter": said[1]}, before=1)
    outside = _QUOTED.sub("", first)
    delimiter = max((usual, *_DELIMITERS), key=outside.count)  # of equals the usual one
    if delimiter != usual:
        _say_delimiter(str(place), delimiter)
    return _Records(place, chain([first], lines), {"delimiter": delimiter})


@cache
def _say_delimiter(place: str, delimiter: str) -> None:
    """Say once what was found."""
    logger.warning("fairsum: %s: columns are separated by %s", place, _DELIMITERS[delimiter])


class _Records:
    """The records of a table, and its header."""

    def __init__(self, place: Place, lines: Iterator[str], dialect: dict[str, Any], *, before: int = 0) -> None:
        self._place, self._before = place, before
        self._waiting = 0  # characters of a record that is not whole
        self._reader = csv.reader(self._counted(lines), **{"strict": True, **dialect})
        self._delimiter: str = dialect.get("delimiter", ",")
        self.header = next(self._fields(), [])
        while len(self.header) > 1 and not self.header[-1]:  # beside a table of a spreadsheet
            self.header.pop()

    def _counted(self, lines: Iterable[str]) -> Iterator[str]:
        """The lines, of which a record may take so many; quotes that are never closed would take all."""
        for line in lines:
            self._waiting += len(line)
            if self._waiting > self._place.max_row_bytes:
                raise too_large(self._where("after line"), self._place.max_row_bytes)
            yield line

    def _where(self, word: str = "line") -> str:
        return f"{self._place}, {word} {self._reader.line_num + self._before}"

    def _fields(self) -> Iterator[list[str]]:
        """The fields of each line that is not blank."""
        try:
            for fields in self._reader:
                self._waiting = 0
                if fields:
                    yield fields
        except csv.Error as error:
            raise FileError(f"{self._where()}: {error}; fetch or write it again") from error

    def __iter__(self) -> Iterator[tuple[str, dict[str, str]]]:
        header, width = self.header, len(self.header)
        blank: list[list[int]] = []  # first and last lines of records without any text; blank at the end of the table
        for fields in self._fields():
            if len(fields) > 1 and not any(fields):
                number = self._reader.line_num
                if blank and blank[-1][1] == number - 1:
                    blank[-1][1] = number
                else:
                    blank.append([number, number])
                continue
            for number in chain.from_iterable(range(first, last + 1) for first, last in blank):
                yield f"{self._place}, line {number + self._before}", dict.fromkeys(header, "")
            blank.clear()
            if len(fields) != width and (len(fields) < width or any(fields[width:])):
                loose = len(fields) > width and self._delimiter != "\t"
                quote = f"; texts that hold {self._delimiter!r} need quotes" if loose else ""
                raise FileError(f"{self._where()}: {len(fields)} fields, but the header has {width}{quote}")
            yield self._where(), dict(zip(header, fields[:width], strict=True))


def _unpacked(place: Place, file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, the first of which may be damaged as well."""
    number = 0
    try:
        for line in bounded_lines(file, str(place), place.max_row_bytes):
            number += 1
            yield line
    except NOT_PACKED as error:
        raise cut_short(f"{place}, after line {number}", error) from error


def _decoded(place: Place, file: BinaryIO) -> Iterator[str]:
    for number, line in enumerate(_unpacked(place, file), start=1):
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            raise say_not_utf8(f"{place}, line {number}", error) from None
        if "\r" in text[:-2]:  # a line of an old Mac ends in a carriage return
            yield from io.StringIO(text, newline="")
        else:
            yield text
