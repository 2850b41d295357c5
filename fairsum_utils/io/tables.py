"""Tables of text: comma-separated values and their like, with a header."""

from __future__ import annotations

import csv
import io
import logging
import re
import sys
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from fairsum_utils.errors import FileError
from fairsum_utils.io.columns import Choose, check_columns
from fairsum_utils.io.limits import bounded_lines, too_large
from fairsum_utils.io.lines import as_place, say_not_utf8
from fairsum_utils.io.names import TABLES
from fairsum_utils.io.opening import NOT_PACKED, Place, cut_short, open_text

__all__ = ["read_table", "table_columns", "table_rows"]

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

    Args:
        path: the file, UTF-8 with or without a byte order mark, or UTF-16 with one.
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
    """The rows of a table whose delimiter is found.

    Args:
        place: the table.
        choose: is asked for the columns to read; all are read.

    Raises:
        FileError: see `read_table`.
    """
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
