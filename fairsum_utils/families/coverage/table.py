"""The rows of a data set in columns, and the documents' coverage of each scored sample."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from fairsum_utils.families.coverage.rows import CoverageRow
from fairsum_utils.families.table import Table
from fairsum_utils.stats.arrays import Floats, Integers

__all__ = ["CoverageTable", "DocumentCoverage"]


class DocumentCoverage(NamedTuple):
    """A scored sample.

    Attributes:
        coverage: shape (documents,), p(d_i, S).
        codes: shape (documents,), the position of each document's value in `values`.
        values: the values present, sorted.
    """

    coverage: Floats
    codes: Integers
    values: list[str]


class CoverageTable(Table[CoverageRow]):
    """Collects rows; a document takes twelve bytes, 16 more with random summaries, whatever its length.

    Example:
        >>> table = CoverageTable([CoverageRow(0, ("pos", "neg"), (0.5, 0.25), 2), CoverageRow(1, skipped="no_units")])
        >>> len(table), dict(table.skipped), [sample.values for sample in table]
        (1, {'no_units': 1}, [['neg', 'pos']])
    """

    row = CoverageRow

    @property
    def n_truncated(self) -> int:
        """How many samples have texts that the entailer did not read to their end."""
        return int((self.scored("n_truncated") > 0).sum())

    def values(self) -> list[str]:
        """All values of the data set, sorted."""
        return sorted(self.columns["values"].flat.places)

    def __iter__(self) -> Iterator[DocumentCoverage]:
        column = self.columns["values"]
        names = list(column.flat.places)
        coverage, codes = np.array(self.columns["coverage"].flat.array), np.array(column.flat.array)
        start = 0
        for length in filter(None, column.lengths):  # a skipped sample has no document
            stop = start + length
            present = sorted({*codes[start:stop].tolist()}, key=names.__getitem__)
            local = {code: place for place, code in enumerate(present)}
            yield DocumentCoverage(
                coverage=coverage[start:stop],
                codes=np.array([local[code] for code in codes[start:stop].tolist()], dtype=np.int64),
                values=[names[code] for code in present],
            )
            start = stop
