"""Samples by original, the unit of the bootstrap, in the order of the data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.families.table import Table
from fairsum_utils.measures import Measure
from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.stats.sums import Column, Key, Sums, digest_of


def check_given(module: str, index: int, row: Mapping[str, object], sparse: Collection[str]) -> None:
    """Check that a sample has None only in sparse columns."""
    for column, entry in row.items():
        if entry is None and column not in sparse:
            raise InputError(
                f"{module}: sample {index}: {column} is None; give {column} with every sample, or with none"
            )


def redrawn(key: Key) -> Key:
    """Name the sums of a column with samples redrawn within their units.

    Example:
        >>> redrawn(("counterfactual_gap.gap", "controls"))
        ('within.counterfactual_gap.gap', 'controls')
    """
    name, *of = key
    return f"within.{name}", *of


class ScoredOriginals(ABC):
    """Scored samples of a table, ordered by index.

    Attributes:
        order: position of each sample in the table.
        names: names of the originals, in order of first appearance.
        clusters: position of the original of each sample, shape (n,).
    """

    settings: Any  # common settings of the measures

    def __init__(self, table: Table[Any], settings: Measure) -> None:
        self.table, self.settings = table, settings
        self.order = self._ordered()
        articles = self.column("article")
        places = {article: place for place, article in enumerate(dict.fromkeys(articles))}
        self.names: list[str] = list(places)
        self.clusters: Integers = np.array([places[article] for article in articles], dtype=np.int64)

    def _ordered(self) -> npt.NDArray[np.intp]:
        """Order the scored samples by index; reject duplicate rows."""
        index = self.table.numbers("index")
        order = np.argsort(index, kind="stable")
        twice = order[1:][np.diff(index[order]) == 0]
        if len(twice):
            raise InputError(
                f"{self.settings.module}: two rows have the index {index[twice[0]]}; give every sample a different "
                "index"
            )
        return order[self.table.is_scored[order]]

    def __len__(self) -> int:
        """Return the number of samples."""
        return len(self.clusters)

    def column(self, name: str) -> list[Any]:
        """Return the entries of a column."""
        entries = list(self.table.items(name))
        return [entries[place] for place in self.order.tolist()]

    def entries(self, name: str, measure: str) -> list[Any]:
        """Return the entries of a column that a measure needs: no None."""
        entries = self.column(name)
        if None in entries:
            index = self.column("index")[entries.index(None)]
            raise InputError(
                f"{self.settings.module}: sample {index}: {measure} needs {name}, but the row has none; score the "
                f"samples again with {measure}"
            )
        return entries

    def digests(self) -> list[int]:
        """Seeds of the originals, independent of other originals."""
        return list(map(digest_of, self.names))

    @property
    def seed(self) -> int:
        """Seed of all draws."""
        seed: int = self.settings.seed
        return seed

    def sums(self) -> Sums:
        """Make the sums that all measures share: ``samples`` and ``articles``."""
        found = Sums(len(self.names), self.names, n_samples=len(self), skipped=self.table.skipped)
        found.put(("samples",), np.bincount(self.clusters, minlength=len(self.names)))
        found.counts["articles",] = len(self.names)
        return found

    def redraw_later(self, sums: Sums, columns: Mapping[Key, Column]) -> None:
        """Register sums redrawn within units, drawn on demand."""
        if columns and self.settings.confidence_level is not None:
            sums.draw_later(list(map(redrawn, columns)), lambda: self.resampled(list(columns.values())))

    @abstractmethod
    def resampled(self, columns: Sequence[Column]) -> Floats:
        """Sum columns with samples redrawn within their units, shape (B, m)."""

    def _spread(self, columns: Sequence[Column]) -> Floats:
        """Stack columns, shape (n, m), with 0 for missing entries."""
        table = np.zeros((len(self), len(columns)))
        for number, (places, numbers) in enumerate(columns):
            table[slice(None) if places is None else places, number] = numbers
        return table
