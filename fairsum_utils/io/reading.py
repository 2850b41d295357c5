"""Rows of files: the one path from a name, an address, a folder or standard input, for every command.

`names` finds the format, `opening` opens the file, `tables`, `columnar` and `excel` read it, `cells` reads lists.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fairsum_utils.errors import FileError, InputError
from fairsum_utils.io.cells import CellError, parse_cell
from fairsum_utils.io.columnar import columnar_rows
from fairsum_utils.io.columns import Choose, check_columns
from fairsum_utils.io.names import ENDINGS, EXCEL, TABLES, Names, check_ending, list_names
from fairsum_utils.io.opening import Part, Place, place_of
from fairsum_utils.io.tables import excel_rows, json_rows, table_rows


class Rows(Iterator[dict[str, Any]]):
    """Rows of one or several files, one after the other."""

    def __init__(self, rows: Iterator[dict[str, Any]], starts: list[tuple[int, Place]]) -> None:
        # Of each file that was begun: the number of rows before it, and its place. Grows while rows are read.
        self._rows, self._starts = rows, starts

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self._rows

    def __next__(self) -> dict[str, Any]:
        return next(self._rows)

    def where(self, number: int) -> str:
        """File and row of a row that was read, by its number from 0 over all files."""
        before, place = next(start for start in reversed(self._starts) if start[0] <= number)
        return f"{place}, row {number - before + place.first + 1}"


def read_rows(
    path: Names,
    needed: Mapping[str, str],
    *,
    others: Collection[str] | None = None,
    lists: Collection[str] = (),
    texts_or_lists: Collection[str] = (),
    split: str | None = None,
    encoding: str | None = None,
    input_format: str | None = None,
    max_row_bytes: int | None = None,
    parts: Sequence[Part] | None = None,
) -> Rows:
    """Read rows one by one, at least one a file; memory grows with the largest row, not with the file.

    Args:
        path: a file whose name ends in one of `ENDINGS`, an address of one, ``-`` for standard input, or a folder
            written by the ``save_to_disk`` of ``datasets``; or several of them, or a pattern such as
            ``data/*.parquet``, whose rows follow one another.
        needed: column that every row must have -> the option that names it, for messages.
        others: columns to read besides, where they are there; None for all. Formats that are read row by row give all.
        lists: columns that hold lists or dicts, where they are there. Where a cell is a text, as in a CSV file, it is
            JSON, or a list as Python shows it or as NumPy prints it.
        texts_or_lists: columns of which a cell in a table of text is a list if it begins with ``[``, and else one text.
        split: name of a split, of a folder that has several.
        encoding: of texts without a byte order mark; None for UTF-8.
        input_format: such as ``"csv"``; None: as the name tells, or the first bytes of standard input.
        max_row_bytes: a larger row is refused before it is read to its end; None for 64 MB.
        parts: of the files, one after the other, to be read alone: of Parquet, or of lines of JSON that are stored as
            they are; None for all.

    Returns:
        The rows; classes of ``datasets`` have their names. The first row is read at once; what is wrong further on
        raises when it is reached.

    Raises:
        InputError: there is no such file, or its name tells no format.
        FileError: the file cannot be read, is not in its format, lacks a column, has no row or one that is too large;
            the message says where.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "rows.csv"
        >>> _ = path.write_text('id,values\\na,"[""pos"", ""neg""]"\\nb,"[\\'pos\\' \\'neg\\']"\\n')
        >>> list(read_rows(path, {"values": "--values-column"}, lists=["values"]))
        [{'id': 'a', 'values': ['pos', 'neg']}, {'id': 'b', 'values': ['pos', 'neg']}]
    """

    def choose(where: str, present: Collection[str]) -> list[str]:
        check_columns(where, needed, present)
        return [name for name in present if others is None or name in needed or name in others]

    names = list_names(path)
    how: dict[str, Any] = {"encoding": encoding, "input_format": input_format, "max_row_bytes": max_row_bytes}
    if parts is None:
        places = [place_of(name, **how) for name in names]
    else:
        places = [replace(place_of(names[part.file], **how), part=part) for part in parts]
    starts: list[tuple[int, Place]] = []

    def all_rows() -> Iterator[dict[str, Any]]:
        number = 0
        for place in places:
            starts.append((number, place))
            before = number
            rows = _rows_of(place, choose, split)
            for row in _with_lists(place, rows, lists, texts_or_lists):
                number += 1
                yield row
            if number == before:
                raise FileError(f"{place}: holds no row; give at least one")

    rows = all_rows()
    return Rows(itertools.chain([next(rows)], rows), starts)


def columns_of(
    path: Names,
    *,
    split: str | None = None,
    encoding: str | None = None,
    input_format: str | None = None,
    max_row_bytes: int | None = None,
) -> list[str]:
    """The columns of a file, in their order; of JSON those of its first row.

    Args:
        path: as of `read_rows`; of several files the first counts.
        split: as of `read_rows`.
        encoding: as of `read_rows`.
        input_format: as of `read_rows`.
        max_row_bytes: as of `read_rows`.

    Raises:
        InputError: there is no such file, or it cannot be read; see `read_rows`.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "rows.csv"
        >>> _ = path.write_text("id;summary\\n1;Good.\\n")
        >>> columns_of(path)
        ['id', 'summary']
    """
    found: list[str] = []

    def choose(where: str, present: Collection[str]) -> list[str]:
        found.extend(name for name in present if name not in found)
        return []

    name, *_ = list_names(path)
    place = place_of(name, encoding=encoding, input_format=input_format, max_row_bytes=max_row_bytes)
    next(_rows_of(place, choose, split), None)
    return found


def check_input(path: Path, endings: Sequence[str] = (), *, remedy: str = "") -> None:
    """Refuse a file that is not there, or whose name tells no format.

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


def _rows_of(place: Place, choose: Choose, split: str | None) -> Iterator[dict[str, Any]]:
    """The one reader of rows, for every format."""
    if place.is_folder:
        return columnar_rows(place, choose, split)
    if split is not None:
        raise InputError(f"{place}: only a folder of save_to_disk has splits; leave --split out")
    if place.format in TABLES:
        return table_rows(place, choose)
    if place.format == EXCEL:
        return excel_rows(place, choose)
    return json_rows(place, choose) if "json" in place.format else columnar_rows(place, choose)


def _with_lists(
    place: Place, rows: Iterator[dict[str, Any]], lists: Collection[str], texts_or_lists: Collection[str]
) -> Iterator[dict[str, Any]]:
    """Read the lists that cells hold as text."""
    is_table = place.format in (*TABLES, EXCEL)
    if not lists and not (is_table and texts_or_lists):
        yield from rows
        return
    for number, row in enumerate(rows, start=place.first + 1):
        for name in lists:
            if type(row.get(name)) is str and (is_table or row[name].lstrip()[:1] in ("[", "{")):
                row[name] = _list_of(place, number, name, row[name])
        if is_table:
            for name in texts_or_lists:
                if str(row.get(name)).startswith("["):
                    row[name] = _list_of(place, number, name, row[name])
        yield row


def _list_of(place: Place, number: int, name: str, cell: str) -> Any:
    try:
        return parse_cell(cell)
    except CellError as error:
        raise FileError(
            f'{place}, row {number}: column {name!r} must hold a list such as ["first text", "second text"], found '
            f"{cell[:40]!r}: {error}"
        ) from None
