"""Parts of files that can be read alone: ranges of lines and of Parquet rows."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairsum_utils.io.columnar import group_batches, group_sizes, readable
from fairsum_utils.io.names import STANDARD_INPUT
from fairsum_utils.io.opening import Part, Place, bounded_lines, open_seekable, open_text
from fairsum_utils.io.stores import is_web
from fairsum_utils.io.tables import parse_json

_BATCH = 1 << 16
"""Rows that are looked at together."""


class Runs(NamedTuple):
    """Runs of equal entries in a column of a file.

    Attributes:
        n_rows: of the file.
        same: for each row whether it has; empty without a column.
        first: what the first row has.
        last: what the last row has.
    """

    n_rows: int
    same: npt.NDArray[np.bool_]
    first: Any = None
    last: Any = None

    def continues(self, row: int) -> bool:
        """Whether a row belongs to the one before it."""
        return bool(len(self.same) and self.same[row])


def parquet_shape(place: Place, column: str | None) -> tuple[list[int], Runs]:
    """Return the sizes of the row groups of a Parquet file, and its runs."""
    import pyarrow.parquet

    with (
        readable(str(place), "Parquet file"),
        open_seekable(place) as content,
        pyarrow.parquet.ParquetFile(content) as file,
    ):
        metadata = file.metadata
        groups = group_sizes(file)
        if column is None or column not in file.schema_arrow.names or not metadata.num_rows:
            return groups, Runs(metadata.num_rows, np.zeros(0, np.bool_))
        batches = (group_batches(file, group, _BATCH, [column]) for group in range(len(groups)))
        return groups, runs_of(batch.column(column) for batch in chain.from_iterable(batches))


def runs_of(arrays: Iterable[Any]) -> Runs:
    """Find the runs of equal entries in consecutive Arrow arrays."""
    import pyarrow.compute

    same: list[Any] = []
    first = last = None
    for array in filter(len, arrays):
        begins = not same
        first = array[0].as_py() if begins else first
        same.append([not begins and last is not None and array[0].as_py() == last])
        equal = pyarrow.compute.equal(array.slice(1), array.slice(0, len(array) - 1))
        same.append(equal.fill_null(False).to_numpy(zero_copy_only=False))
        last = array[-1].as_py()
    together = np.concatenate(same).astype(np.bool_)
    return Runs(len(together), together, first, last)


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
    """Whether a file can be read from the middle: lines of JSON, or Parquet with small row groups."""
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
    """The pieces of a file, in their order."""
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
    """Return the entry that keeps rows together; None if missing or unreadable."""
    if together is None:
        return None
    try:
        row = parse_json(line.decode())
    except ValueError:
        return None  # for the reader to say
    return row.get(together) if isinstance(row, dict) else None
