"""Sentiments and positions of each sample, and their table."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from fairsum_utils.families.arrow import EVIDENCE
from fairsum_utils.families.table import LABELS, SampleRow, Table
from fairsum_utils.stats.arrays import Floats

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
    places: tuple[tuple[int, ...], ...]


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

    def positions(self, name: str = "positions") -> PositionColumns:
        """Return the positions of the scored summaries, or those of another column."""
        thirds, tenths = (self.flat(f"{name}.{part}") for part in ("thirds", "tenths"))
        return PositionColumns(thirds.reshape(-1, 3), tenths.reshape(-1, N_TENTHS), self.scored(f"{name}.mean"))


make_table = FramingTable
