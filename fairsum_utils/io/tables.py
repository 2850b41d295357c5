"""Rows of CSV, TSV and Excel files."""

from __future__ import annotations

import contextlib
import csv
import io
import logging
import re
import sys
import warnings
import zipfile
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

from fairsum_utils.errors import FairSumError, FileError, require
from fairsum_utils.io.columns import Choose, NumberedRow, check_columns
from fairsum_utils.io.names import TABLES
from fairsum_utils.io.opening import (
    Place,
    as_place,
    check_unpacked,
    numbered_lines,
    open_seekable,
    open_text,
    wrong_encoding,
)

logger = logging.getLogger(__name__)

_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_SWALLOWED = 3  # minimum number of lines in a record that are taken for rows
_QUOTED = re.compile(r'"[^"]*"?')
_NAMES_DELIMITER = re.compile(r"sep=(.)\r?\n?", re.IGNORECASE)  # as written by Excel


def read_table(
    path: Path | Place, needed: Collection[str], *, what: str = "", **dialect: Any
) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield place and row from a table, without blank lines.

    Lines with only delimiters, which spreadsheets write below a table, are also blank.

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
        yield from ((f"{place}, line {number}", row) for number, row in records)


def table_rows(place: Place, choose: Choose) -> Iterator[NumberedRow]:
    """Yield the rows of a table, with their first lines.

    The first line of the file shows the delimiter.
    """
    csv.field_size_limit(sys.maxsize)
    with open_text(place) as file:
        lines = _decoded(place, file)
        n_blank, first = next(((number, line) for number, line in enumerate(lines) if line.strip()), (0, ""))
        if named := _NAMES_DELIMITER.fullmatch(first):
            records = _Records(place, lines, {"delimiter": named[1]}, before=n_blank + 1)
        else:
            outside, usual = _QUOTED.sub("", first) if place.has_quotes else first, TABLES[place.format]
            delimiter = max((usual, *_DELIMITERS), key=outside.count)  # ties: the usual one
            if delimiter != usual:
                _log_delimiter(str(place), delimiter)
            records = _Records(place, chain([first], lines), {"delimiter": delimiter}, before=n_blank)
        if records.header:
            choose(str(place), records.header)
        yield from records


@cache
def _log_delimiter(place: str, delimiter: str) -> None:
    """Log once which delimiter was found."""
    logger.warning("fairsum: %s: columns are separated by %s", place, _DELIMITERS[delimiter])


class _Records:
    """The records of a table, and its header."""

    def __init__(self, place: Place, lines: Iterator[str], dialect: dict[str, Any], *, before: int = 0) -> None:
        self._place, self._before = place, before
        self._lines = list[str]()  # lines of an incomplete record
        self.line = 1  # the first line of the record
        self.header: list[str] = []
        dialect = {"strict": True, "quoting": csv.QUOTE_MINIMAL if place.has_quotes else csv.QUOTE_NONE, **dialect}
        self._is_strict = dialect["strict"]
        self._reader = csv.reader(self._counted(lines), **dialect)
        self._delimiter: str = dialect.get("delimiter", ",")
        self.header = next(self._fields(), [])
        while len(self.header) > 1 and not self.header[-1]:  # empty columns next to a spreadsheet's table
            self.header.pop()

    @property
    def _last_line(self) -> int:
        return self._reader.line_num + self._before

    def _counted(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield lines, and keep those of the incomplete record."""
        for line in lines:
            self._lines.append(line)
            yield line

    def _fields(self) -> Iterator[list[str]]:
        """Yield the fields of each line that is not blank."""
        try:
            for fields in self._reader:
                n_lines = len(self._lines)
                self.line = self._reader.line_num + self._before - n_lines + 1
                if n_lines >= _SWALLOWED and self._is_strict:
                    self._check_swallowed(self._lines)
                self._lines.clear()
                if fields:
                    yield fields
        except csv.Error as error:
            if "unexpected end" in str(error):
                self.line = self._last_line - len(self._lines) + 1
                raise self._open_quote("the file ends inside the quote") from None
            raise FileError(
                f"{self._place}, line {self._last_line}: {error}; write the file again, or read quotes as ordinary "
                "characters with quoting='none'"
            ) from None

    def _check_swallowed(self, lines: list[str]) -> None:
        """Refuse a record whose lines are rows themselves."""
        rows = [line.rstrip("\r\n").split(self._delimiter) for line in lines]
        whole = [
            len(row) == len(self.header)
            and sum(map(bool, row)) > 1
            and not any(field[:1].isspace() for field in row[1:])  # as after the commas of a sentence
            for row in rows
        ]
        # The quote must open before the last field of the first line, and close after the first of the last line.
        whole[0] = whole[0] and '"' not in rows[0][-1]
        whole[-1] = whole[-1] and '"' not in rows[-1][0]
        if sum(whole) >= _SWALLOWED:
            raise self._open_quote(f"{sum(whole)} lines up to line {self._last_line} look like rows")

    def _open_quote(self, problem: str) -> FileError:
        return FileError(
            f"{self._place}, line {self.line}: a quote that opens here is not closed ({problem}); close it, or read "
            "quotes as ordinary characters with quoting='none'"
        )

    def __iter__(self) -> Iterator[tuple[int, dict[str, str]]]:
        header, width = self.header, len(self.header)
        for fields in self._fields():
            if len(fields) > 1 and not any(fields):  # a blank row of a spreadsheet
                continue
            if len(fields) < width or any(fields[width:]):
                raise self._ragged(fields)
            yield self.line, dict(zip(header, fields[:width], strict=True))

    def _ragged(self, fields: list[str]) -> FileError:
        """Return the error for a row with a wrong number of fields."""
        loose = len(fields) > len(self.header) and self._delimiter != "\t"
        quote = f"; put texts with {self._delimiter!r} in quotes" if loose else ""
        where = f"{self._place}, line {self.line}"
        return FileError(f"{where}: {len(fields)} fields, but the header has {len(self.header)}{quote}")


def _decoded(place: Place, file: BinaryIO) -> Iterator[str]:
    for number, line in numbered_lines(file, str(place)):
        try:
            text = line.decode()
        except UnicodeDecodeError as error:
            raise wrong_encoding(f"{place}, line {number}", "utf-8", error) from None
        if "\r" in text[:-2]:  # old Mac lines end in a carriage return
            yield from io.StringIO(text, newline="")
        else:
            yield text


def excel_rows(place: Place, choose: Choose) -> Iterator[NumberedRow]:
    """Yield the rows of a sheet, without blank ones, with their numbers.

    A cell is a text, number or date. Empty cells, and formulas that were never computed, are None.
    """
    openpyxl = require("openpyxl", extra="excel", purpose=f"read {place}")
    try:
        with open_seekable(place) as file:
            with zipfile.ZipFile(file) as archive:
                sizes = [(each.file_size, each.compress_size) for each in archive.infolist()]
            check_unpacked(str(place), *map(sum, zip(*sizes, strict=True)))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # warnings about styles
                book = openpyxl.load_workbook(file, read_only=True, data_only=True)
            with contextlib.closing(book):
                yield from _rows_of_sheet(place, choose, _sheet(place, book))
    except FairSumError:
        raise
    except Exception as error:  # errors of zip, XML and openpyxl
        raise FileError(f"{place}: cannot read the Excel workbook ({error}); save its sheet as CSV UTF-8") from None


def _sheet(place: Place, book: Any) -> Any:
    """Return the chosen sheet of a workbook, or the first."""
    names = [sheet.title for sheet in book.worksheets]
    if place.sheet is None:
        return book.worksheets[0]
    if place.sheet not in names:
        raise FileError(f"{place}: no sheet {place.sheet!r}; name one with `sheet`: {', '.join(names)}")
    return book.worksheets[names.index(place.sheet)]


def _rows_of_sheet(place: Place, choose: Choose, sheet: Any) -> Iterator[NumberedRow]:
    sheet.reset_dimensions()  # some programs write this wrongly
    header: list[str] = []
    for number, row in enumerate(sheet.iter_rows(values_only=True), start=1):
        cells = list(row)
        while cells and cells[-1] is None:
            cells.pop()
        if not header and cells:
            header = [str("" if name is None else name) for name in cells]
            choose(str(place), header)
        elif len(cells) > len(header):
            raise FileError(f"{place}, row {number}: {len(cells)} cells, but the header has {len(header)}")
        elif cells:
            yield number, dict(zip(header, cells + [None] * (len(header) - len(cells)), strict=True))
