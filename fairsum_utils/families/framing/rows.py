"""Sentiments and positions of each sample, and their table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.families.table import EVIDENCE, LABELS, SampleRow, Table
from fairsum_utils.measures.framing import CLASSES
from fairsum_utils.stats.arrays import Bools, Floats, Integers

N_TENTHS = 10


class Match(NamedTuple):
    """Best source sentences of a summary sentence.

    Attributes:
        overlap: share of its content words in each of them; 0 if it has no match.
        n_best: number of these source sentences, ties included; 0 if it has no match.
        places: position of the text among the sources and of the sentence in it, for the first few ties.
    """

    overlap: float
    n_best: int
    places: tuple[tuple[int, int], ...]


class Positions(NamedTuple):
    """Shares of a summary from the parts of its sources.

    Attributes:
        thirds: share from each third of the source words.
        tenths: share from each tenth.
        mean: mean position in the source words, from 0 (beginning) to 1 (end).
    """

    thirds: tuple[float, ...]
    tenths: tuple[float, ...]
    mean: float


@dataclass(frozen=True, slots=True)
class FramingRow(SampleRow):
    """Sufficient statistics of one sample.

    Attributes:
        index: position of the sample in the data.
        skipped: reason why the sample has no score, or None.
        source: mean sentiment of the source sentences (framing).
        summary: mean sentiment of the summary's sentences (framing).
        lowest: lowest sentiment of a source sentence (framing).
        highest: highest sentiment of a source sentence (framing).
        values: groups of the sources, sorted (framing).
        by_value: mean sentiment of each group's sentences (framing).
        drawn: mean sentiment of each random extract (framing), or its share from each third (position bias).
        n_words: number of source words (position bias).
        positions: positions of the summary's content (position bias); none or one.
        drawn_positions: mean positions of the random extracts (position bias); none or one.
        n_sentences: number of sentences of the summary.
        n_unmatched: summary sentences without a matching source sentence (position bias).
        n_truncated: sentences that the model truncated (framing).
        summary_scores: sentiment of each summary sentence; None if not requested.
        source_scores: sentiment of each sentence of each source; None if not requested.
        matches: match of each summary sentence; None if not requested.
    """

    index: int
    skipped: str | None = None
    source: float = 0.0
    summary: float = 0.0
    lowest: float = 0.0
    highest: float = 0.0
    values: tuple[str, ...] = field(default=(), metadata=LABELS)
    by_value: tuple[float, ...] = ()
    drawn: tuple[float, ...] = ()
    n_words: int = 0
    positions: Positions | None = None
    drawn_positions: Positions | None = None
    n_sentences: int = 0
    n_unmatched: int = 0
    n_truncated: int = 0
    summary_scores: tuple[float, ...] | None = field(default=None, metadata=EVIDENCE)
    source_scores: tuple[tuple[float, ...], ...] | None = field(default=None, metadata=EVIDENCE)
    matches: tuple[Match, ...] | None = field(default=None, metadata=EVIDENCE)


class PositionColumns(NamedTuple):
    """Positions of several summaries, one row each.

    Attributes:
        thirds: shape (n, 3).
        tenths: shape (n, 10).
        mean: shape (n,).
    """

    thirds: Floats
    tenths: Floats
    mean: Floats


class FramingTable(Table[FramingRow]):
    """Table of rows of one measure, without their texts.

    Example:
        >>> table = FramingTable([FramingRow(0, source=0.5, summary=-0.5), FramingRow(1, "empty_prediction")])
        >>> len(table), table.scored("summary").tolist()
        (1, [-0.5])
    """

    row = FramingRow

    def drawn(self) -> tuple[int, Floats]:
        """Return the number of samples with random extracts, and these extracts."""
        column = self.columns["drawn"]
        n = int(np.count_nonzero(column.lengths))
        return n, np.asarray(column.flat.array).reshape(n, -1) if n else np.empty((0, 0))

    def is_mixed(self, classify: Callable[[Floats], Integers]) -> Bools:
        """Mask of scored samples with a positive and a negative source sentence."""
        lowest, highest = (classify(self.scored(name)) for name in ("lowest", "highest"))
        return np.asarray((lowest == 0) & (highest == len(CLASSES) - 1))

    def groups(self) -> tuple[list[str], Integers, Integers, Floats]:
        """Return the groups, and of each entry group, scored sample and sentiment."""
        column = self.columns["values"]
        lengths = np.asarray(column.lengths, dtype=np.int64)[self.is_scored]
        samples = np.repeat(np.arange(len(lengths)), lengths)
        codes = np.asarray(column.flat.array, dtype=np.int64)
        return list(column.flat.places), codes, samples, np.asarray(self.columns["by_value"].flat.array)

    def positions(self) -> PositionColumns:
        """Return the positions of the scored summaries."""
        return _columns(self.columns["positions"].flat)

    def drawn_positions(self) -> PositionColumns:
        """Return the mean positions of the random extracts of each sample that has some."""
        return _columns(self.columns["drawn_positions"].flat)


def _columns(store: Any) -> PositionColumns:
    thirds, tenths, mean = store.parts
    return PositionColumns(
        np.asarray(thirds.flat.array).reshape(-1, 3),
        np.asarray(tenths.flat.array).reshape(-1, N_TENTHS),
        np.asarray(mean.array),
    )


make_table = FramingTable
