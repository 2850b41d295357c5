"""Row reader for files, addresses, folders and standard input.

`names` finds the format, `opening` opens the file, `tables` and `columnar` read it, `cells` turns texts such as
"['a', 'b']" into lists; `_list_of` here decides for which cells.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from fairsum_utils.errors import FileError, InputError
from fairsum_utils.io.cells import CellError, parse_cell
from fairsum_utils.io.columnar import columnar_rows
from fairsum_utils.io.columns import Choose, check_columns
from fairsum_utils.io.names import ENDINGS, EXCEL, TABLES, Names, check_ending, list_names
from fairsum_utils.io.opening import Place, is_stream, place_of
from fairsum_utils.io.tables import excel_rows, json_rows, table_rows


class Rows(Iterator[dict[str, Any]]):
    """Rows of one or several files, one after the other."""

    def __init__(self, rows: Iterator[dict[str, Any]], starts: list[tuple[int, Place]]) -> None:
        # For each file so far, the number of rows before it, and its position. Grows while rows are read.
        self._rows, self._starts = rows, starts

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self._rows

    def __next__(self) -> dict[str, Any]:
        return next(self._rows)

    def where(self, number: int) -> str:
        """Return file and row for a row index over all files."""
        before, place = next(start for start in reversed(self._starts) if start[0] <= number)
        return f"{place}, row {number - before + 1}"


def read_rows(
    path: Names,
    needed: Mapping[str, str],
    *,
    others: Collection[str] | None = None,
    lists: Collection[str] = (),
    texts_or_lists: Collection[str] = (),
    split: str | None = None,
    **how: Any,
) -> Rows:
    """Read rows one by one; raise if a file has none.

    `how` has further options of `fairsum_utils.io.opening.READING`.

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
    places = [place_of(name, **how) for name in names]
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
                raise FileError(f"{place}: the file has no rows; at least one is needed")

    rows = all_rows()
    return Rows(itertools.chain([next(rows)], rows), starts)


def columns_of(path: Names, *, split: str | None = None, **how: Any) -> list[str]:
    """Return a file's columns in order; for JSON, the first row's.

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
    next(_rows_of(place_of(name, **how), choose, split), None)
    return found


def check_input(path: Path, endings: Sequence[str] = (), *, remedy: str = "") -> None:
    """Check that a file exists and its name shows a format.

    Example:
        >>> check_input(Path("people.tsv"), [".tsv"], remedy="make it first")
        Traceback (most recent call last):
        ...
        fairsum_utils.errors.InputError: people.tsv: no such file; make it first
    """
    if is_stream(path):
        return
    if path.suffix or path.exists():  # a name without an ending is a folder
        check_ending(path, endings or ENDINGS)
    if not path.is_file():
        raise InputError(f"{path}: no such file{remedy and '; '}{remedy}")


def _rows_of(place: Place, choose: Choose, split: str | None) -> Iterator[dict[str, Any]]:
    """Yield the rows of a file of any format."""
    if place.is_folder:
        return columnar_rows(place, choose, split)
    if split is not None:
        raise InputError(f"{place}: only folders written by save_to_disk have splits; omit --split")
    if place.format in TABLES:
        return table_rows(place, choose)
    if place.format == EXCEL:
        return excel_rows(place, choose)
    return json_rows(place, choose) if "json" in place.format else columnar_rows(place, choose)


def _with_lists(
    place: Place, rows: Iterator[dict[str, Any]], lists: Collection[str], texts_or_lists: Collection[str]
) -> Iterator[dict[str, Any]]:
    """Convert cells with lists from text."""
    is_table = place.format in (*TABLES, EXCEL)
    may_be = texts_or_lists if is_table else ()
    for number, row in enumerate(rows, start=1):
        for name in lists:
            if type(row.get(name)) is str and (is_table or row[name].lstrip()[:1] in ("[", "{")):
                row[name] = _list_of(place, number, name, row[name])
        for name in may_be:
            if str(row.get(name)).startswith("["):
                row[name] = _list_of(place, number, name, row[name])
        yield row


def _list_of(place: Place, number: int, name: str, cell: str) -> Any:
    try:
        return parse_cell(cell)
    except CellError as error:
        raise FileError(
            f'{place}, row {number}: column {name!r} must contain a list such as ["first text", "second text"], '
            f"found {cell[:40]!r}: {error}"
        ) from None
