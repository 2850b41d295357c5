"""What scoring says of one sample: the coverage from which every coverage measure follows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from fairsum_utils.families.table import evidence as explains

__all__ = ["MERGED", "CoverageRow", "UnitEvidence"]

MERGED = " | "
"""Between units that are one, in the released protocol."""


class UnitEvidence(NamedTuple):
    """What covers a unit best.

    Attributes:
        document: position of the document, from 0.
        chunk: position of the chunk in its document, from 0; None if the coverage was given.
        probability: that the chunk entails the unit, in [0, 1].
        text: of the chunk; None if the coverage was given.
    """

    document: int
    chunk: int | None
    probability: float
    text: str | None


@dataclass(frozen=True, slots=True)
class CoverageRow:
    """The sufficient statistics of one sample. Rows from any number of processes may be put together.

    Attributes:
        index: position of the sample in the data.
        values: the value of each document.
        coverage: p(d_i, S) of each document: the mean over units of the probability that it covers them.
        n_units: units that count.
        n_truncated: pairs of a chunk and a unit that the entailer did not read to their end.
        skipped: why the sample has no score, or None.
        units: the units that count; None if they are not known (a matrix was given) or not asked for.
        evidence: for each unit what covers it best; None if not asked for.
        unit_coverage: for each unit the probability that each document covers it, so that their mean over units is
            `coverage`; None if not asked for.
        at_random: p(d_i, S) of each document for random summaries, document after document; empty if none were drawn.
        content: digest of what the sample is, whatever the system; 0 if not known.
    """

    index: int
    values: tuple[str, ...] = ()
    coverage: tuple[float, ...] = ()
    n_units: int = 0
    n_truncated: int = 0
    skipped: str | None = None
    units: tuple[str, ...] | None = field(default=None, metadata=explains())
    evidence: tuple[UnitEvidence, ...] | None = field(default=None, metadata=explains())
    unit_coverage: tuple[tuple[float, ...], ...] | None = field(default=None, metadata=explains())
    at_random: tuple[float, ...] = ()
    content: int = field(default=0, compare=False)
