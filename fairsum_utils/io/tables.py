"""Rows of JSON Lines, JSON, CSV, TSV and Excel files."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import logging
import re
import sys
import textwrap
import warnings
import zipfile
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias

from fairsum_utils.errors import FairSumError, FileError, require
from fairsum_utils.io.columns import Choose, check_columns
from fairsum_utils.io.names import TABLES, packing_of
from fairsum_utils.io.opening import (
    Place,
    check_unpacked,
    numbered_lines,
    open_seekable,
    open_text,
    read_text,
    wrong_encoding,
)
from fairsum_utils.validation import count

logger = logging.getLogger(__name__)

NumberedRow: TypeAlias = tuple[int, dict[str, Any]]
"""The number of a row in its file, as an editor or a spreadsheet shows it, and its cells."""

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


def as_place(path: Path | Place) -> Place:
    """Turn the path of a file of known make into a place."""
    return path if isinstance(path, Place) else Place(str(path), packing=packing_of(path))


def iter_lines(path: Path | Place) -> Iterator[tuple[int, bytes, bool]]:
    r"""Yield line number from 1, bytes, and whether the line ended.

    Files are read as bytes and cut only at ``\n``. Text mode and ``splitlines`` also cut at characters such as U+0085
    and U+2028, so one broken byte could split a row. Empty lines at the end of the file are dropped.
    """
    place = as_place(path)
    n_blank = 0
    with open_text(place) as file:
        for number, line in numbered_lines(file, str(place)):
            content = line.rstrip(b"\r\n")
            if content.strip():
                yield from ((skipped, b"", True) for skipped in range(number - n_blank, number))
                yield number, content, line.endswith(b"\n")
                n_blank = 0
            else:
                n_blank += 1


def shortened(entry: object) -> str:
    """Shorten an entry for a message."""
    return textwrap.shorten(repr(entry), 60, placeholder="...'" if isinstance(entry, str) else "...")


def _unique_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object; reject repeated keys."""
    found = dict(pairs)
    if len(found) < len(pairs):
        [(key, n)] = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"the key {key!r} appears {n} times in {shortened(found)}; rename all but one")
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys)


def parse_json(text: str) -> Any:
    """Read a text of JSON; repeated keys and lone surrogates are refused.

    Example:
        >>> parse_json('["a", "\\\\ud83d\\\\ude00"]')
        ['a', '😀']
    """
    try:
        found = _DECODER.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if "\\" in text and _SURROGATE.search(text):
        _refuse_halves("", found)
    return found


def _refuse_halves(where: str, found: Any) -> None:
    """Refuse a lone surrogate, which no file and no terminal can show."""
    try:
        json.dumps(found, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        half = ascii(error.object[error.start])
        opening = f"{where}: " if where else ""
        raise FileError(f"{opening}the lone surrogate {half} is half a character; replace it") from None


def _not_json(where: str, error: ValueError, hint: str = "") -> FileError:
    reason: object = error
    if isinstance(error, json.JSONDecodeError):
        line = f"line {error.lineno}, " if error.lineno > 1 else ""
        reason = f"{error.msg.removesuffix(' at')} at {line}column {error.colno}"
    return FileError(f"{where}: not valid JSON ({reason}){hint}")


_CUT = "the file may be incomplete"


def iter_objects(path: Path | Place) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line number and object from JSON Lines, without blank lines.

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
        where = f"{place}, line {number}"
        try:
            found = parse_json(line.decode())
        except UnicodeDecodeError as error:
            raise wrong_encoding(where, "utf-8", error) from None
        except ValueError as error:
            cut = "" if ended else f"; the line has no end, so {_CUT}"
            table = "; if it is a table, rename it to end in .csv" if number == 1 and line[:1] not in b'{["' else ""
            raise _not_json(where, error, f"{cut}{table}") from None
        if not isinstance(found, dict):
            array = (
                "; if the file is one array, rename it to end in .json" if number == 1 and type(found) is list else ""
            )
            raise FileError(f"{where}: expected a JSON object, found a {type(found).__name__}{array}")
        yield number, found


def read_json(path: Path) -> Any:
    """Return the content of a JSON file."""
    try:
        return parse_json(path.read_bytes().decode("utf-8-sig"))
    except (OSError, ValueError) as error:  # includes UnicodeDecodeError
        raise FileError(
            f"{path}: cannot read the file as JSON in UTF-8 ({error}); download or write it again"
        ) from error


def json_rows(place: Place, choose: Choose) -> Iterator[NumberedRow]:
    """Yield the objects of a file of JSON, with their lines or numbers."""
    checked: frozenset[str] | None = None
    objects = (
        enumerate((row for _, row in iter_array(place)), start=1) if place.format == ".json" else iter_objects(place)
    )
    for number, row in objects:
        if row.keys() != checked:
            choose(f"{place}, row {number}", row)
            checked = frozenset(row)
        yield number, row


def iter_array(place: Place) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield place and object from a JSON file of rows.

    The rows are an array, inside an object, or one after another.
    """
    text = read_text(place)
    values = list(_values_in(place, text))
    is_array = len(values) == 1 and isinstance(values[0], list)
    inner = _wrapped_rows(str(place), values[0]) if len(values) == 1 and isinstance(values[0], dict) else None
    has_halves = _SURROGATE.search(text) is not None
    for number, row in enumerate(values[0] if is_array else values if inner is None else inner, start=1):
        where = f"{place}, {'element' if inner is None else 'row'} {number}"
        if not isinstance(row, dict):
            raise FileError(f"{where}: expected a JSON object, found a {type(row).__name__}")
        if has_halves:
            _refuse_halves(where, row)
        yield where, row


def _values_in(place: Place, text: str) -> Iterator[Any]:
    """Yield the values of a text of JSON, mostly one."""
    at = 0
    while at < len(text):
        try:
            found, at = _DECODER.raw_decode(text, _after_blanks(text, at))
        except RecursionError:
            raise FileError(f"{place}: not valid JSON (nested too deeply)") from None
        except ValueError as error:
            is_cut = str(error).startswith("Unterminated") or getattr(error, "pos", 0) >= len(text)
            raise _not_json(str(place), error, f"; {_CUT}" if is_cut else "") from None
        yield found
        at = _after_blanks(text, at)


_BLANK = re.compile(r"[ \t\r\n]*")


def _after_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    return len(text) if found is None else found.end()


# Keys of lists of rows in an object that wraps them; pandas' ``orient="table"`` has the first.
_WRAPPERS = ("data", "rows", "records", "samples", "examples", "items", "results")
# Columns of a row; an object that wraps rows has none of them.
_OF_ROWS = {"id", "prediction", "summary", "candidates", "values", "group", "text", "prompt"}


def _wrapped_rows(where: str, found: dict[str, Any]) -> Iterable[Any] | None:
    """Return the rows inside an object; None if it is a row."""
    if not found:
        return None
    lists = {key: cell for key, cell in found.items() if isinstance(cell, list)}
    if {"columns", "data"} <= lists.keys():  # pandas' split, tables of MLflow and Weights & Biases
        return _split_rows(where, lists["columns"], lists["data"])
    named = [key for key in _WRAPPERS if key in lists]
    if len(named) == 1 and not found.keys() & _OF_ROWS and all(map(_are_objects, lists.values())):
        return lists[named[0]]
    if isinstance(inner := found.get("results"), dict) and "results" in inner:  # promptfoo
        return _wrapped_rows(where, inner)
    parts = list(found.values())
    if not _are_objects(parts) or any(each.keys() != parts[0].keys() for each in parts):
        return None
    if _are_numbers(parts[0]):  # pandas' columns
        cells = zip(*(column.values() for column in parts), strict=True)
        return (dict(zip(found, row, strict=True)) for row in cells)
    if _are_numbers(found):  # pandas' index
        return parts
    raise FileError(f"{where}: this pandas table is not stored by rows; write it with to_json(orient='records')")


def _are_objects(rows: list[Any]) -> bool:
    return all(isinstance(row, dict) for row in rows)


def _are_numbers(keys: Iterable[str]) -> bool:
    """Check for the default index of pandas."""
    return all(key == str(number) for number, key in enumerate(keys))


def _split_rows(where: str, columns: list[Any], data: list[Any]) -> Iterator[dict[str, Any]]:
    """Yield the rows of an object with columns and data apart."""
    for number, row in enumerate(data, start=1):
        if not isinstance(row, list) or len(row) != len(columns):
            raise FileError(f"{where}, row {number}: expected a list of {len(columns)} cells under 'data'")
        yield dict(zip(columns, row, strict=True))


_DELIMITERS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_SWALLOWED = 3  # minimum number of lines in a record that are taken for rows
_NAMED = 10  # maximum number of ragged rows in a message
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
        for number, row in records:
            yield f"{place}, line {number}", row


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
            if self._is_ragged(fields):
                raise self._ragged(fields)
            yield self.line, dict(zip(header, fields[:width], strict=True))

    def _is_ragged(self, fields: list[str]) -> bool:
        return len(fields) < len(self.header) or any(fields[len(self.header) :])

    def _ragged(self, fields: list[str]) -> FileError:
        """Return the error for rows with a wrong number of fields."""
        where, width = f"{self._place}, line {self.line}", len(self.header)
        loose = len(fields) > width and self._delimiter != "\t"
        quote = f"; put texts with {self._delimiter!r} in quotes" if loose else ""
        others: list[int] = []
        with contextlib.suppress(FileError):  # reported after this one is repaired
            others += (self.line for other in self._fields() if any(other) and self._is_ragged(other))
        named = ", ".join(map(str, others[:_NAMED])) + (", ..." if len(others) > _NAMED else "")
        also = f" ({count(len(others), 'more line')} like it: {named})" if others else ""
        return FileError(f"{where}: {len(fields)} fields, but the header has {width}{also}{quote}")


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
