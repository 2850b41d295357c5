"""Samples by original, the unit of the bootstrap, in the order of the data."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.families.arrow import Recorded
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
        found.put_distinct("articles", self.names)
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


def sum_originals(
    kind: type[ScoredOriginals],
    tallies: Mapping[str, Any],
    table: Table[Any],
    measures: Sequence[str],
    settings: Any,
    scorer: Any = None,
) -> Sums:
    """Sum a table; its units are originals with all of their samples.

    Args:
        kind: class of the family's originals.
        tallies: measure -> its `fairsum_utils.families.tally.OriginalsTally`.
        table: rows of the samples.
        measures: names of the measures.
        settings: their settings.
        scorer: scorer of the rows.
    """
    originals = kind(table, settings)
    sums, columns = originals.sums(), dict[Key, Column]()
    for name in measures:
        columns |= tallies[name].put(sums, originals, scorer)
    originals.redraw_later(sums, columns)
    return sums


class OriginalsRecords(NamedTuple):
    """Maker of ``recorded`` for families with originals.

    Attributes:
        tally_of: measure -> its `fairsum_utils.families.tally.OriginalsTally`.
        table: table class.
        originals: class of the scored originals of a table.
        scorer: scorer class.
        always: fields of every record.
    """

    tally_of: Callable[[str], Any]
    table: type[Table[Any]]
    originals: type[ScoredOriginals]
    scorer: Callable[..., Any]
    always: Sequence[str]

    def recorded(self, measures: Sequence[str], settings: Any) -> Recorded:
        """Return the keys of a record: fields, and comparisons with other samples."""
        tallies = {name: self.tally_of(name) for name in measures}
        fields = dict.fromkeys((*self.always, *(key for tally in tallies.values() for key in tally.recorded)))
        kinds = {name: tally.compared_record for name, tally in tallies.items() if tally.compared_record is not None}
        if not kinds:
            return Recorded(tuple(fields))
        return Recorded(tuple(fields), list(kinds.values()), partial(self._compared, list(kinds), settings))

    def _compared(self, measures: Sequence[str], settings: Any, rows: Sequence[Any]) -> Sequence[Mapping[str, Any]]:
        """Return what each sample's record has from comparisons with other samples."""
        compared: list[dict[str, Any]] = [{} for _ in rows]
        originals = self.originals(self.table(rows), settings)
        places = originals.order.tolist()
        with closing(self.scorer(measures, settings)) as scorer:
            for name in measures:
                for place, more in zip(places, self.tally_of(name).compared(originals, scorer), strict=True):
                    compared[place].update(more)
        return compared
