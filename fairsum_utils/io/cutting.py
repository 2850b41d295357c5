"""Cutting files into pieces that can be read without what comes before them, where their format allows it."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any, NamedTuple

from fairsum_utils.io.limits import bounded_lines
from fairsum_utils.io.lines import parse_json
from fairsum_utils.io.names import STANDARD_INPUT
from fairsum_utils.io.opening import Place, open_text
from fairsum_utils.io.parts import Part
from fairsum_utils.io.row_groups import parquet_shape
from fairsum_utils.io.stores import is_web

__all__ = ["Piece", "is_cuttable", "pieces_of"]

_USUAL = 128
"""Rows in a piece, where there are so many."""

_PER_GROUP = 4
"""Pieces of a row group of Parquet at most: whoever reads one has to read what comes before it in its group."""

_MOST = 1 << 13
"""Rows in a piece of Parquet at most."""


class Piece(NamedTuple):
    """Rows that are kept together.

    Attributes:
        part: of the file.
        first: what the first row has in the column that keeps rows together; None where there is none.
        last: what the last row has there.
    """

    part: Part
    first: Any = None
    last: Any = None


def is_cuttable(place: Place) -> bool:
    """Whether a file can be read from the middle: lines of JSON as they are, or Parquet with row groups that are small.

    Args:
        place: of the file.

    Raises:
        FileError: it cannot be read.
    """
    if place.is_folder or place.packing or place.name == STANDARD_INPUT or is_web(place.name):
        return False
    if place.format == ".parquet":
        groups, _ = parquet_shape(place, None)
        return max(groups, default=0) <= _PER_GROUP * _MOST
    if place.format not in (".jsonl", ".ndjson") or place.encoding is not None:
        return False
    with open_text(place) as file:
        return file.seekable()


def pieces_of(place: Place, number: int, together: str | None, n_rows: int = _USUAL) -> Iterator[Piece]:
    """The pieces of a file, in their order.

    Args:
        place: of the file, which `is_cuttable`.
        number: of the file among those that are read.
        together: a column: rows that follow one another and have the same in it stay in one piece.
        n_rows: about so many in a piece, if that is fewer than usual.

    Raises:
        FileError: the file cannot be read.
    """
    cut = _of_parquet if place.format == ".parquet" else _of_lines
    return cut(place, number, together, min(n_rows, _USUAL))


def _of_parquet(place: Place, number: int, together: str | None, least: int) -> Iterator[Piece]:
    groups, key = parquet_shape(place, together)
    at = 0
    for size, stop in zip(groups, itertools.accumulate(groups), strict=True):
        step = least if least < _USUAL else max(least, -(-size // _PER_GROUP))
        while at < stop:
            end = min(at + step, stop)
            while end < key.n_rows and key.continues(end):
                end += 1
            yield Piece(Part(number, at, end - at), key.first, key.last)
            at = end


def _of_lines(place: Place, number: int, together: str | None, least: int) -> Iterator[Piece]:
    with open_text(place) as file:
        begin = at = file.tell()
        first = n_rows = 0
        line_of_begin = 1
        head = last = b""
        for line_number, line in enumerate(bounded_lines(file, str(place), place.max_row_bytes), start=1):
            if n_rows >= least and not line.isspace() and not _are_together(last, line, together):
                part = Part(number, first, n_rows, begin, at, line_of_begin)
                yield Piece(part, _key(head, together), _key(last, together))
                first, n_rows, begin, line_of_begin = first + n_rows, 0, at, line_number
            at += len(line)
            if not line.isspace():
                head, last = line if not n_rows else head, line
                n_rows += 1
        if n_rows:
            part = Part(number, first, n_rows, begin, at, line_of_begin)
            yield Piece(part, _key(head, together), _key(last, together))


def _are_together(line: bytes, following: bytes, together: str | None) -> bool:
    key = _key(following, together)
    return key is not None and key == _key(line, together)


def _key(line: bytes, together: str | None) -> Any:
    """What a row has in the column that keeps rows together; None where it has nothing, or cannot be read."""
    if together is None:
        return None
    try:
        row = parse_json(line.decode())
    except ValueError:
        return None  # for the reader to say
    return row.get(together) if isinstance(row, dict) else None
