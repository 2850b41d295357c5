"""Samples of a session: rows in columns, with their ids."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from fairsum_utils.families.notes import count_rows
from fairsum_utils.stats.sums import Sums, digest_of

if TYPE_CHECKING:
    from fairsum_utils.families import Family


class ScoredSamples:
    """Rows of a family in columns, with digests of their ids."""

    def __init__(self, family: Family) -> None:
        self.family = family
        self.table = family.table()
        self._digests = array("Q")  # empty while the indices of all rows are their ids

    def __len__(self) -> int:
        """Number of samples, scored or not."""
        return len(self.table.columns["index"].array)

    def extend(self, rows: Sequence[Any], ids: Iterable[str] | None = None) -> None:
        """Add rows of samples with these ids, or their indices."""
        if ids is not None or self._digests:
            self._name(len(self))
            self._digests.extend(map(digest_of, ids if ids is not None else (str(row.index) for row in rows)))
        self.table.extend(rows)

    def merge(self, other: Self) -> None:
        """Add the rows of another."""
        n, more = len(self), len(other)
        self.table.merge(other.table)
        if self._digests or other._digests:
            other._name(more)
            self._name(n)
            self._digests.extend(other._digests)

    def _name(self, n: int) -> None:
        """Use the indices of the first n rows as ids, if they have none."""
        if not self._digests:
            self._digests.extend(map(digest_of, map(str, self.table.columns["index"].array[:n])))

    def digests(self) -> np.typing.NDArray[np.uint64]:
        """Return the digests of the ids of the scored samples, in order."""
        self._name(len(self))
        return np.asarray(self._digests, dtype=np.uint64)[self.table.is_scored]

    def sums(self, measures: Sequence[str], settings: Any, scorer: Any, *, in_buckets: bool) -> Sums:
        """Sum the columns that measures need, for their bootstrap."""
        sums = self.family.sums(self.table, measures, settings, scorer)
        sums.counts.update(("note", note) for note in self.table.columns["notes"].flat.items())
        sums.counts.update(count_rows(self.table))
        if not in_buckets:
            return sums
        return sums.bucketed(self.digests() if sums.names is None else ())
