"""The scored samples of a table by the originals that they were made from, which are the units of every bootstrap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from fairsum_utils.families.entities.rows import EntityTable
from fairsum_utils.families.entities.settings import PUBLISHED, EntitySettings
from fairsum_utils.families.originals import ScoredOriginals
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.stats.bootstrap import resample_each, resample_within
from fairsum_utils.stats.permutation import permuted_counts, permuted_each
from fairsum_utils.stats.sums import Column, Key, Sums

__all__ = ["Originals"]

_SPREAD = 1 << 24
"""Most numbers of samples that are laid out with those that are 0: 128 MB."""


class Originals(ScoredOriginals[EntityTable, EntitySettings]):
    """The samples of a table that have a score, and what they are drawn with.

    Args:
        table: the rows of a data set.
        settings: of the measures; seeded and sized.

    Attributes:
        names: of the originals, in the order in which samples name them.
        clusters: for each sample the place of its original, shape (n,).
        units: for each sample what it is drawn with within its original, shape (n,): its pair, or itself.
        has_pair: whether a sample has a pair, shape (n,).

    Raises:
        InputError: two rows of one sample.
    """

    def __init__(self, table: EntityTable, settings: EntitySettings) -> None:
        super().__init__(table, settings)
        pairs = self.column("pair")
        self._pairs = {
            f"{self.names[cluster]}\0{pair}"
            for cluster, pair in zip(self.clusters, pairs, strict=True)
            if pair is not None
        }
        drawn = [
            place if pair is None else (cluster, pair)
            for place, (cluster, pair) in enumerate(zip(self.clusters.tolist(), pairs, strict=True))
        ]
        numbers = {unit: number for number, unit in enumerate(dict.fromkeys(drawn))}
        self.units: Integers = np.array([numbers[unit] for unit in drawn], dtype=np.int64)
        self.has_pair: Bools = np.array([pair is not None for pair in pairs], dtype=np.bool_)

    def sums(self) -> Sums:
        """Sums that hold what all measures say, to which they add theirs.

        Returns:
            A column ``samples``; names ``articles`` and ``pairs``; counts ``paired`` and ``unpaired``, those samples
            without a pair that share their original.
        """
        found = super().sums()
        found.put_distinct("pairs", self._pairs)
        in_article = np.bincount(self.clusters, minlength=len(self.names))
        found.counts = Counter(
            {
                ("paired",): int(self.has_pair.sum()),
                ("unpaired",): int((~self.has_pair & (in_article[self.clusters] > 1)).sum()),
            }
        )
        return found

    def put(self, sums: Sums, columns: Mapping[Key, Column]) -> None:
        """Add columns of whole numbers, summed up within each original.

        Args:
            sums: to which they are added.
            columns: the numbers of some samples.
        """
        for key, (places, numbers) in columns.items():
            known, inverse = np.unique(self.clusters[slice(None) if places is None else places], return_inverse=True)
            by_original = np.bincount(inverse, numbers)
            there = np.flatnonzero(by_original)
            sums.put(key, by_original[there], known[there])

    def resampled(self, columns: Sequence[Column]) -> Floats:
        """Sums of columns when the samples of each original are drawn anew, those of a pair as one.

        Where buckets are drawn, each original draws by itself, so that what parts of the data give adds up; one without
        pairs then draws as if there were none at all.

        Args:
            columns: m of them, whole numbers of some samples.

        Returns:
            Shape (B, m).
        """
        return self._resampled(self.laid_out(columns))

    def laid_out(self, columns: Sequence[Column]) -> Any:
        """Columns side by side, shape (n, m); a sparse matrix of so many that they would take too much room.

        Args:
            columns: m of them, of some samples.
        """
        n = len(self)
        if n * len(columns) <= _SPREAD:
            return self._spread(columns)
        from scipy.sparse import csc_matrix

        rows = [np.arange(n) if column.places is None else column.places for column in columns]
        ends = np.cumsum([0, *map(len, rows)])
        numbers = np.concatenate([column.numbers for column in columns])
        return csc_matrix((numbers, np.concatenate(rows), ends), shape=(n, len(columns))).tocsr()

    def _resampled(self, columns: Any) -> Floats:
        settings = self.settings
        spared = 0 if settings.resampling == PUBLISHED else 1
        if settings.bootstrap is None:
            return resample_within(
                columns,
                self.clusters,
                self.units if self.has_pair.any() else None,
                n_spared=spared,
                n_resamples=settings.n_resamples,
                seed=settings.seed,
            )
        n_spared = np.zeros(len(self.names), dtype=np.int64)
        n_spared[self.clusters[self.has_pair]] = spared
        return resample_each(
            columns,
            self.clusters,
            self.units,
            self.digests(),
            n_spared=n_spared,
            n_resamples=settings.n_resamples,
            seed=self.seed,
        )

    def permuted(self, chosen: Bools, labels: Integers, samples: Integers, n_labels: int) -> Floats:
        """How many of the chosen persons are of each group under random groups, see `permuted_counts`.

        Args:
            chosen: whether a person is chosen, shape (p,).
            labels: the group of each, shape (p,).
            samples: the sample of each, shape (p,), not decreasing.
            n_labels: number of groups.

        Returns:
            Shape (B, n_labels); where buckets are drawn, what parts of the data give adds up.
        """
        settings = self.settings
        columns = chosen, labels, samples, self.clusters
        n = settings.n_permutations
        if settings.bootstrap is None:
            return permuted_counts(*columns, n_labels=n_labels, n_permutations=n, seed=settings.seed)
        return permuted_each(*columns, self.digests(), n_labels=n_labels, n_permutations=n, seed=self.seed)
