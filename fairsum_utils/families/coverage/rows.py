"""Coverage of each sample's documents, and the table of all samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from fairsum_utils.families.arrow import EVIDENCE
from fairsum_utils.families.table import LABELS, SampleRow, Table
from fairsum_utils.stats.arrays import Floats, Integers

# Between units that are one, in the released protocol.
MERGED = " | "


class UnitEvidence(NamedTuple):
    """Chunk with the best coverage of a unit.

    Attributes:
        document: position of the document, from 0.
        chunk: position of the chunk in its document, from 0; None if the coverage was given.
        probability: probability that the chunk entails the unit, in [0, 1].
        text: text of the chunk; None if the coverage was given.
    """

    document: int
    chunk: int | None
    probability: float
    text: str | None


@dataclass(frozen=True, slots=True)
class CoverageRow(SampleRow):
    """Sufficient statistics of one sample.

    Attributes:
        index: position of the sample in the data.
        values: group of each document.
        coverage: p(d_i, S) of each document, its mean coverage of the units.
        n_units: number of units.
        n_truncated: pairs of chunk and unit that the entailer truncated.
        skipped: reason why the sample has no score, or None.
        units: the units; None if unknown (a matrix was given) or not requested.
        evidence: best chunk for each unit; None if not requested.
        unit_coverage: probability that each document covers each unit; `coverage` is its mean over units; None if not
            requested.
        at_random: difference c_k of each group for random summaries, group after group; empty if not drawn.
    """

    index: int
    values: tuple[str, ...] = field(default=(), metadata=LABELS)
    coverage: tuple[float, ...] = ()
    n_units: int = 0
    n_truncated: int = 0
    skipped: str | None = None
    units: tuple[str, ...] | None = field(default=None, metadata=EVIDENCE)
    evidence: tuple[UnitEvidence, ...] | None = field(default=None, metadata=EVIDENCE)
    unit_coverage: tuple[tuple[float, ...], ...] | None = field(default=None, metadata=EVIDENCE)
    at_random: tuple[float, ...] = ()


class DocumentCoverage(NamedTuple):
    """Coverage of a sample's documents.

    Attributes:
        coverage: shape (documents,), p(d_i, S).
        codes: shape (documents,), position of each document's group in `values`.
        values: groups of the sample, sorted.
    """

    coverage: Floats
    codes: Integers
    values: list[str]


class CoverageTable(Table[CoverageRow]):
    """Table of coverage rows without their texts.

    Example:
        >>> table = CoverageTable([CoverageRow(0, ("pos", "neg"), (0.5, 0.25), 2), CoverageRow(1, skipped="no_units")])
        >>> len(table), dict(table.skipped), [sample.values for sample in table]
        (1, {'no_units': 1}, [['neg', 'pos']])
    """

    row = CoverageRow

    @property
    def n_truncated(self) -> int:
        """Count the samples with texts that the entailer truncated."""
        return int((self.scored("n_truncated") > 0).sum())

    def __iter__(self) -> Iterator[DocumentCoverage]:
        names, codes = self.coded("values")
        coverage = self.flat("coverage")
        start = 0
        for length in filter(None, self.lengths("values").tolist()):  # a skipped sample has no document
            stop = start + length
            present = sorted({*codes[start:stop].tolist()})
            local = {code: place for place, code in enumerate(present)}
            yield DocumentCoverage(
                coverage=coverage[start:stop],
                codes=np.array([local[code] for code in codes[start:stop].tolist()], dtype=np.int64),
                values=[names[code] for code in present],
            )
            start = stop


make_table = CoverageTable
