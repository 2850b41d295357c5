"""How a Parquet file is laid out: its row groups, and which of its rows belong together."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairsum_utils.io.columnar import group_batches, group_sizes, readable
from fairsum_utils.io.opening import Place, open_seekable

__all__ = ["Runs", "parquet_shape", "runs_of"]


_BATCH = 1 << 16
"""Rows that are looked at together."""


class Runs(NamedTuple):
    """Which rows of a file have the same in a column as the row before them.

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
    """How many rows each row group of a Parquet file has, and which of them belong together.

    Args:
        place: of the file.
        column: rows belong together that follow one another and have the same in it; None, or one that is not there,
            for no rows.

    Raises:
        FileError: the file cannot be read.
    """
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
    """Which entries of arrays of Arrow, one after the other, are the same as the entry before them.

    Args:
        arrays: with at least one entry in all.
    """
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
