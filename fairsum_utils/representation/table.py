"""The rows of a data set in columns: compact, mergeable, and ready for the formulas."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from fairsum_utils.measures._shares import row_sum
from fairsum_utils.representation.distributions import DistributionRow
from fairsum_utils.stats.arrays import Floats

__all__ = ["DistributionTable"]


class DistributionTable:
    """Collects rows; about 16 bytes a value of a sample, and no text.

    Example:
        >>> table = DistributionTable([DistributionRow(0, ("a", "b"), (3, 1), (1.0, 1.0))])
        >>> p_x, p_y = table.shares()
        >>> p_x.tolist(), p_y.tolist()
        ([[0.75, 0.25]], [[0.5, 0.5]])
    """

    def __init__(self, rows: Iterable[DistributionRow] = ()) -> None:
        self._ids: dict[str, int] = {}
        self._value_ids: array[int] = array("i")
        self._source_tokens: array[int] = array("i")
        self._target_weights: array[float] = array("d")
        self._lengths: array[int] = array("i")
        self._indices: array[int] = array("q")
        self.skipped: Counter[str] = Counter()
        """How many samples have no score, by reason."""
        self.n_unmatched = 0
        """How many samples had no match at all, so that their target distribution is uniform."""
        self.n_truncated = 0
        """How many samples have texts that a neural matcher did not read to their end."""
        self.extend(rows)

    def __len__(self) -> int:
        return len(self._lengths)

    def append(self, row: DistributionRow) -> None:
        """Add one row; a skipped one is counted."""
        if row.skipped is not None:
            self.skipped[row.skipped] += 1
            return
        self._value_ids.extend([self._ids.setdefault(value, len(self._ids)) for value in row.values])
        self._source_tokens.extend(row.source_tokens)
        self._target_weights.extend(row.target_weights)
        self._lengths.append(len(row.values))
        self._indices.append(row.index)
        self.n_unmatched += row.unmatched
        self.n_truncated += row.truncated > 0

    def extend(self, rows: Iterable[DistributionRow]) -> None:
        """Add rows one by one."""
        for row in rows:
            self.append(row)

    def merge(self, other: DistributionTable) -> None:
        """Add the rows of another table, for example of another process. Indices are taken as they are."""
        renumbered = [self._ids.setdefault(value, len(self._ids)) for value in other._ids]
        self._value_ids.extend([renumbered[number] for number in other._value_ids])
        self._source_tokens.extend(other._source_tokens)
        self._target_weights.extend(other._target_weights)
        self._lengths.extend(other._lengths)
        self._indices.extend(other._indices)
        self.skipped += other.skipped
        self.n_unmatched += other.n_unmatched
        self.n_truncated += other.n_truncated

    def parts(self, size: int = 1 << 13) -> Iterator[DistributionTable]:
        """The table in consecutive tables of at most `size` rows, which share its values: bounds what formulas hold."""
        ends = np.concatenate([[0], np.cumsum(self._lengths, dtype=np.int64)])
        for start in range(0, len(self), size):
            stop = min(start + size, len(self))
            flat = slice(int(ends[start]), int(ends[stop]))
            part = DistributionTable()
            part._ids = self._ids
            part._value_ids = self._value_ids[flat]
            part._source_tokens = self._source_tokens[flat]
            part._target_weights = self._target_weights[flat]
            part._lengths = self._lengths[start:stop]
            part._indices = self._indices[start:stop]
            yield part

    def same_sources(self, other: DistributionTable) -> bool:
        """Whether both tables hold the same samples, in the same order, with the same source counts."""
        mine = (self._indices, self._lengths, self._source_tokens, [*self._named()])
        theirs = (other._indices, other._lengths, other._source_tokens, [*other._named()])
        return mine == theirs

    def _named(self) -> Iterator[str]:
        names = list(self._ids)
        return (names[number] for number in self._value_ids)

    def indices(self) -> npt.NDArray[np.int64]:
        """Shape (n,): the position of each scored sample in the data."""
        return np.asarray(self._indices, dtype=np.int64)

    def values(self) -> list[str]:
        """All values of the data set, sorted: the columns of `by_value`."""
        return sorted(self._ids)

    def value_columns(self) -> npt.NDArray[np.int64]:
        """Shape (n, r): for each share the column of its value in `values`; -1 where a sample has fewer values."""
        order = {value: column for column, value in enumerate(self.values())}
        columns = np.array([order[value] for value in self._ids], dtype=np.int64)
        ids = np.asarray(self._value_ids, dtype=np.int64)
        return self._padded(columns[ids] if len(ids) else ids, -1)

    def shares(self) -> tuple[Floats, Floats]:
        """Source and target distribution, p_x and p_y, each of shape (n, r); NaN where a sample has fewer values."""
        source = self._padded(np.asarray(self._source_tokens, dtype=np.float64), np.nan)
        target = self._padded(np.asarray(self._target_weights, dtype=np.float64), np.nan)
        totals = row_sum(target)[:, None]
        present = ~np.isnan(target)
        uniform = np.where(present, 1.0, np.nan) / np.maximum(present.sum(axis=1, keepdims=True), 1)
        p_y = np.divide(target, totals, out=uniform, where=totals > 0)
        return source / row_sum(source)[:, None], p_y

    def desired(self, target: str | Mapping[str, float]) -> Floats:
        """Desired distribution p_g, shape (n, r): ``"ratio"``, ``"equal"``, or shares renormalized over the values
        present in each sample."""
        p_x, _ = self.shares()
        if target == "ratio":
            return p_x
        if isinstance(target, str):
            weights = np.where(np.isnan(p_x), np.nan, 1.0)
        else:
            by_column = np.array([*(target[value] for value in self.values()), np.nan])  # column -1: absent
            weights = by_column[self.value_columns()]
        return np.asarray(weights / row_sum(weights)[:, None])

    def _padded(self, flat: npt.NDArray[Any], fill: float) -> npt.NDArray[Any]:
        lengths = np.asarray(self._lengths, dtype=np.int64)
        width = int(lengths.max(initial=0))
        padded = np.full((len(lengths), width), fill, dtype=flat.dtype)
        padded[np.arange(width) < lengths[:, None]] = flat
        return padded
