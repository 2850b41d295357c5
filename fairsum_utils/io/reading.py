"""Row reader for files, addresses, folders and standard input.

`names` finds the format, `opening` opens the file, `tables` and `columnar` read it.
"""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from fairsum_utils.errors import FileError, InputError
from fairsum_utils.io.cells import is_notation, list_in
from fairsum_utils.io.columnar import columnar_rows
from fairsum_utils.io.columns import Choose, NumberedRow, check_columns
from fairsum_utils.io.names import CAPTIONS, ENDINGS, EXCEL, TABLES, TEXTS, Names, check_ending, list_names
from fairsum_utils.io.objects import json_rows
from fairsum_utils.io.opening import Place, is_stream, place_of, read_text
from fairsum_utils.io.tables import excel_rows, table_rows
from fairsum_utils.io.transcripts import cut_transcript


class Rows(Iterator[dict[str, Any]]):
    """Rows of a table, with their places for messages.

    Example:
        >>> rows = Rows([{"id": 7}, {"id": 8}], "score: the table")
        >>> next(rows), rows.where(0)
        ({'id': 7}, 'score: the table, row 0')
    """

    def __init__(self, rows: Iterable[dict[str, Any]], label: str, jumps: list[tuple[int, str, int]] | None = None):
        # Index of a row, its file and its number there, where these do not follow from the row before; grows while
        # rows are read.
        self._rows, self._jumps = iter(rows), [(0, f"{label}, row", 0)] if jumps is None else jumps

    def __iter__(self) -> Iterator[dict[str, Any]]:
        return self._rows

    def __next__(self) -> dict[str, Any]:
        return next(self._rows)

    def changed(self, change: Callable[[dict[str, Any], str], dict[str, Any]]) -> Rows:
        """Return the rows after a change, which gets the place of each, too."""
        rows = (change(row, self.where(index)) for index, row in enumerate(self._rows))
        return Rows(rows, "", self._jumps)

    def where(self, index: int) -> str:
        """Return the table and the number of a row."""
        start, place, number = self._jumps[bisect_right(self._jumps, index, key=lambda jump: jump[0]) - 1]
        return f"{place} {number + index - start}"


def read_rows(
    path: Names,
    needed: Mapping[str, str],
    *,
    others: Collection[str] | None = None,
    lists: Collection[str] = (),
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

    places = list(_places(path, how))
    jumps: list[tuple[int, str, int]] = []
    counter = itertools.count()

    def rows_of(place: Place) -> Iterator[dict[str, Any]]:
        kind, expected = f"{place}, {'line' if place.format in TABLES else 'row'}", 0
        is_table = place.format in (*TABLES, EXCEL)
        for number, row in _rows_of(place, choose, split):
            index = next(counter)
            if number != expected:
                jumps.append((index, kind, number))
            expected = number + 1
            for name in lists:
                if isinstance(cell := row.get(name), str) and (is_table or is_notation(cell)):
                    row[name] = list_in(cell, name, partial("{} {}".format, kind, number))
            yield row
        if not expected:
            raise FileError(f"{place}: the file has no rows; at least one is needed")

    rows = itertools.chain.from_iterable(map(rows_of, places))
    return Rows(itertools.chain([next(rows)], rows), "", jumps)


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

    next(_rows_of(next(_places(path, how)), choose, split), None)
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


def _places(path: Names, how: Mapping[str, Any]) -> Iterator[Place]:
    """Yield the files of names; a folder of texts has one place a text."""
    how = {name: value for name, value in how.items() if name != "predictions_encoding"}
    for name in list_names(path):
        place = place_of(name, **how)
        files = sorted(file for file in Path(name).iterdir() if file.name[0] != ".") if place.is_folder else []
        if files and all(file.suffix.lower() in TEXTS for file in files):
            yield from (place_of(file, **{**how, "input_format": file.suffix}) for file in files)
        else:
            yield place


def _text_row(place: Place, choose: Choose) -> Iterator[NumberedRow]:
    """Yield the only row of a file that is one text; captions are turns."""
    row: dict[str, Any] = {"id": Path(place.name).name.partition(".")[0]}
    try:
        if place.format in CAPTIONS:
            texts, speakers = cut_transcript(read_text(place))
            pairs = zip(speakers, texts, strict=True)
            row["sources"] = [{"speaker": speaker, "text": text} for speaker, text in pairs]
        else:
            row["text"] = read_text(place)
    except InputError as error:
        raise type(error)(str(error) if str(error).startswith(str(place)) else f"{place}: {error}") from None
    wanted = choose(str(place), row)
    yield 1, {name: cell for name, cell in row.items() if name in wanted}


def _rows_of(place: Place, choose: Choose, split: str | None) -> Iterator[NumberedRow]:
    """Yield the numbered rows of a file of any format."""
    if split is not None and not place.is_folder:
        raise InputError(f"{place}: only folders written by save_to_disk have splits; omit --split")
    if place.format in TABLES:
        return table_rows(place, choose)
    if place.format == EXCEL:
        return excel_rows(place, choose)
    if place.format in TEXTS:
        return _text_row(place, choose)
    if "json" in place.format:
        return json_rows(place, choose)
    return enumerate(columnar_rows(place, choose, split), start=1)


class Source(Protocol):
    """A table that can be read several times: a file, or one in memory."""

    @property
    def label(self) -> str:
        """Name of the table for messages, such as ``turns.csv``."""

    @property
    def names(self) -> Sequence[str]:
        """Names of its columns."""

    def rows(self, needed: Mapping[str, str], *, others: Collection[str] | None = None) -> Rows:
        """Read rows, with the needed columns, which must exist, and `others`; None for all."""


class Files(NamedTuple):
    """Files as a source.

    Attributes:
        path: their names.
        how: options of `read_rows`.
    """

    path: Names
    how: Mapping[str, Any] = {}

    @property
    def label(self) -> str:
        """Names of the files."""
        return str(self.path)

    @property
    def names(self) -> list[str]:
        """Columns of the first file, empty if it cannot be read."""
        try:
            return columns_of(self.path, **self.how)
        except InputError:  # the reader reports it
            return []

    def rows(self, needed: Mapping[str, str], *, others: Collection[str] | None = None) -> Rows:
        """Read rows, see `read_rows`."""
        return read_rows(self.path, needed, others=others, **self.how)
