"""The rows of a data set, ready for the formulas: compact and mergeable."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from fairsum_utils.coverage.scorer import CoverageRow
from fairsum_utils.stats.arrays import Floats

__all__ = ["CoverageTable", "DocumentCoverage"]


class DocumentCoverage(NamedTuple):
    """A scored sample.

    Attributes:
        coverage: shape (documents,), p(d_i, S).
        codes: shape (documents,), the position of each document's value in `values`.
        values: the values present, sorted.
    """

    coverage: Floats
    codes: npt.NDArray[np.int64]
    values: list[str]


class CoverageTable:
    """Scored samples in columns; a document takes twelve bytes, whatever its length.

    Args:
        rows: of `CoverageScorer`, in the order of the data.

    Attributes:
        skipped: reason -> number of samples without a score.
        n_truncated: samples in which the entailer did not read a text to its end.

    Example:
        >>> table = CoverageTable([CoverageRow(0, ("pos", "neg"), (0.5, 0.25), 2), CoverageRow(1, skipped="no_units")])
        >>> len(table), dict(table.skipped), [sample.values for sample in table]
        (1, {'no_units': 1}, [['neg', 'pos']])
    """

    def __init__(self, rows: Iterable[CoverageRow] = ()) -> None:
        self.skipped: Counter[str] = Counter()
        self.n_truncated = 0
        self._names: dict[str, int] = {}
        self._coverage = array("d")
        self._codes = array("i")
        self._stops = array("q")
        self.extend(rows)

    def __len__(self) -> int:
        return len(self._stops)

    def append(self, row: CoverageRow) -> None:
        """Add a sample."""
        if row.skipped is not None:
            self.skipped[row.skipped] += 1
            return
        self.n_truncated += row.n_truncated > 0
        self._coverage.extend(row.coverage)
        self._codes.extend(self._names.setdefault(value, len(self._names)) for value in row.values)
        self._stops.append(len(self._codes))

    def extend(self, rows: Iterable[CoverageRow]) -> None:
        """Add samples."""
        for row in rows:
            self.append(row)

    def values(self) -> list[str]:
        """All values of the data set, sorted."""
        return sorted(self._names)

    def __iter__(self) -> Iterator[DocumentCoverage]:
        names = list(self._names)
        coverage, codes = np.array(self._coverage), np.array(self._codes)
        start = 0
        for stop in self._stops:
            present = sorted({*codes[start:stop].tolist()}, key=names.__getitem__)
            local = {code: place for place, code in enumerate(present)}
            yield DocumentCoverage(
                coverage=coverage[start:stop],
                codes=np.array([local[code] for code in codes[start:stop].tolist()], dtype=np.int64),
                values=[names[code] for code in present],
            )
            start = stop
