"""Rows of text files: JSON lines, arrays of objects, CSV and TSV."""

from __future__ import annotations

import codecs
import contextlib
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
from fairsum_utils.io.opening import ENCODING, Place, bounded_lines, open_text, too_large
from fairsum_utils.validation import count

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def as_place(path: Path | Place) -> Place:
    """A file of known make as a place."""
    return path if isinstance(path, Place) else Place(str(path), packing=packing_of(path))


def iter_lines(path: Path | Place) -> Iterator[tuple[int, bytes, bool]]:
    r"""Yield (line number from 1, bytes without the line end, whether the line end was there).

    Files are read as bytes and cut at ``\n`` only. Text mode and ``splitlines`` also cut at characters such as
    U+0085 and U+2028, so that one broken byte could tear a row apart. Empty lines at the end of the file are left out.
    """
    place = as_place(path)
    part, empty = place.part, 0
    first = 1 if part is None else part.line
    with open_text(place) as file:
        left = 0 if part is None else part.end - file.seek(part.begin)
        for number, line in enumerate(bounded_lines(file, str(place), place.max_row_bytes, first), start=first):
            content = line.rstrip(b"\r\n")
            if content.strip():
                for skipped in range(number - empty, number):
                    yield skipped, b"", True
                empty = 0
                yield number, content, line.endswith(b"\n")
            else:
                empty += 1
            left -= len(line)
            if part is not None and left <= 0:
                return


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
    _refuse_halves(text, found)
    return found


def _refuse_halves(text: str, found: Any) -> None:
    """Refuse a lone surrogate, which no file and no terminal can show."""
    if "\\" not in text or not _SURROGATE.search(text):
        return
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


_BLOCK = 1 << 16
_BLANK = re.compile(r"[ \t\r\n]*")
_TAIL = 12
"""Characters at the end of a block in which a number, a name or an escape may be cut."""


def iter_array(place: Place) -> Iterator[tuple[str, Any]]:
    """Yield (place, object) from an array of JSON, from objects that follow one another, or from one that wraps rows.

    Objects are read one at a time: memory grows with the largest, not with the file.
    """
    with open_text(place) as file:
        text = _Ahead(place, file)
        is_array = text.next_sign() == "["
        text.at += is_array
        number = 0
        while (sign := text.next_sign()) not in ("", "]"):
            if number and is_array:
                if sign != ",":
                    raise FileError(f"{place}, after element {number}: expected ',' or ']', found {sign!r}")
                text.at += 1
                text.next_sign()
            number += 1
            where = f"{place}, element {number}"
            found = text.element(where)
            rows = None if is_array or number > 1 or text.next_sign() else _wrapped_rows(where, found)
            yield from [(where, found)] if rows is None else rows
        if is_array and sign != "]":
            raise FileError(f"{place}, after element {number}: the array is not closed; the file may have been cut off")
        text.at += is_array
        if text.next_sign():
            raise FileError(f"{place}, after element {number}: more follows the end of the array; keep one array")


_WRAPPERS = ("data", "rows", "records", "samples", "examples", "items", "results")
"""Keys of lists of rows in an object that wraps them; pandas' ``orient="table"`` has the first."""
_OF_ROWS = {"id", "prediction", "summary", "candidates", "values", "group", "text", "prompt"}
"""Columns of a row, which an object that wraps rows does not have."""


def _wrapped_rows(where: str, found: dict[str, Any]) -> Iterable[tuple[str, Any]] | None:
    """The rows in the only object of a file; None if it is a row itself."""
    lists = [key for key, cell in found.items() if isinstance(cell, list)]
    if not found:
        return None
    is_wrapper = len(lists) == 1 and lists[0] in _WRAPPERS and not found.keys() & _OF_ROWS
    if is_wrapper and all(isinstance(row, dict) for row in found[lists[0]]):
        return [(f"{where}, row {number}", row) for number, row in enumerate(found[lists[0]], start=1)]
    columns = list(found.values())
    is_split = set(lists) == {"columns", "index", "data"}
    if not is_split and not all(isinstance(column, dict) and column.keys() == columns[0].keys() for column in columns):
        return None
    if is_split or list(columns[0]) != [str(number) for number in range(len(columns[0]))]:
        raise FileError(f"{where}: a table of pandas that is not by rows; write it with to_json(orient='records')")
    cells = zip(*(column.values() for column in columns), strict=True)
    return [(f"{where}, row {number}", dict(zip(found, row, strict=True))) for number, row in enumerate(cells, start=1)]


class _Ahead:
    """A text that is read in blocks."""

    def __init__(self, place: Place, file: BinaryIO) -> None:
        self._place, self._file = place, file
        self._text, self.at, self._ended = "", 0, False
        self._decode = codecs.getincrementaldecoder("utf-8")().decode

    def _more(self) -> None:
        """Read as much again as waits, so that an element is tried only as often as its length can double."""
        waiting = len(self._text) - self.at
        block = self._file.read(max(_BLOCK, min(waiting, self._place.max_row_bytes + 1 - waiting)))
        self._ended = not block
        try:
            added = self._decode(block, self._ended)
        except UnicodeDecodeError as error:
            raise say_not_utf8(str(self._place), error) from None
        self._text, self.at = self._text[self.at :] + added, 0

    def next_sign(self) -> str:
        """Find the next character that is not blank; empty at the end."""
        while True:
            self.at = _BLANK.match(self._text, self.at).end()  # type: ignore[union-attr]  # matches nothing too
            if self.at < len(self._text) or self._ended:
                return self._text[self.at : self.at + 1]
            self._more()

    def element(self, where: str) -> dict[str, Any]:
        """Read the object that begins here."""
        limit = self._place.max_row_bytes
        while True:
            try:
                found, end = _DECODER.raw_decode(self._text, self.at)
                _refuse_halves(self._text[self.at : end], found)
                break
            except RecursionError:
                raise FileError(f"{where}: not valid JSON (nested too deeply)") from None
            except ValueError as error:
                at = getattr(error, "pos", 0)
                is_cut = str(error).startswith("Unterminated") or at > len(self._text) - _TAIL
                if not is_cut or self._ended:
                    late = "; the file may have been cut off while written" if is_cut else ""
                    raise FileError(f"{where}: not valid JSON ({getattr(error, 'msg', error)}){late}") from None
                end = len(self._text)
            if end - self.at > limit:
                raise too_large(where, limit)
            self._more()
        if end - self.at > limit:
            raise too_large(where, limit)
        if not isinstance(found, dict):
            raise FileError(f"{where}: expected a JSON object, found a {type(found).__name__}")
        self.at = end
        return found


logger = logging.getLogger(__name__)

_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}

_NAMED = 10
"""Ragged rows that are named, at most."""

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
    """Yield the rows of a table, whose delimiter is told by its first line."""
    csv.field_size_limit(sys.maxsize)
    with open_text(place) as file:
        lines = _decoded(place, file)
        first = next((line for line in lines if line.strip()), "")
        if named := _SAID.fullmatch(first):
            records = _Records(place, lines, {"delimiter": named[1]}, before=1)
        else:
            outside, usual = _QUOTED.sub("", first), TABLES[place.format]
            delimiter = max((usual, *_DELIMITERS), key=outside.count)  # of equals the usual one
            if delimiter != usual:
                _say_delimiter(str(place), delimiter)
            records = _Records(place, chain([first], lines), {"delimiter": delimiter})
        if records.header:
            choose(str(place), records.header)
        for _, row in records:
            yield row


def json_rows(place: Place, choose: Choose) -> Iterator[dict[str, Any]]:
    """The objects of a file of JSON."""
    checked: frozenset[str] | None = None
    objects: Iterator[tuple[Any, dict[str, Any]]] = (
        iter_array(place) if place.format == ".json" else iter_objects(place)
    )
    for number, (_, row) in enumerate(objects, start=place.first + 1):
        if row.keys() != checked:
            choose(f"{place}, row {number}", row)
            checked = frozenset(row)
        yield row


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
            if self._is_ragged(fields):
                raise self._ragged(fields)
            yield self._where(), dict(zip(header, fields[:width], strict=True))

    def _is_ragged(self, fields: list[str]) -> bool:
        width = len(self.header)
        return len(fields) != width and (len(fields) < width or any(fields[width:]))

    def _ragged(self, fields: list[str]) -> FileError:
        """The error of a row with too few or too many fields; names the other such rows."""
        where, width = self._where(), len(self.header)
        loose = len(fields) > width and self._delimiter != "\t"
        quote = f"; texts that hold {self._delimiter!r} need quotes" if loose else ""
        others: list[int] = []
        with contextlib.suppress(FileError):  # found when this one is repaired
            for other in self._fields():
                if any(other) and self._is_ragged(other):
                    others.append(self._reader.line_num + self._before)
        named = ", ".join(map(str, others[:_NAMED])) + (", ..." if len(others) > _NAMED else "")
        also = f" ({count(len(others), 'more line')} like it: {named})" if others else ""
        return FileError(f"{where}: {len(fields)} fields, but the header has {width}{also}{quote}")


def _decoded(place: Place, file: BinaryIO) -> Iterator[str]:
    for number, line in enumerate(bounded_lines(file, str(place), place.max_row_bytes), start=1):
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            raise say_not_utf8(f"{place}, line {number}", error) from None
        if "\r" in text[:-2]:  # a line of an old Mac ends in a carriage return
            yield from io.StringIO(text, newline="")
        else:
            yield text
