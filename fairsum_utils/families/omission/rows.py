"""Matters of each sample, and the table of all samples."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import compress
from typing import NamedTuple

from fairsum_utils.families.arrow import EVIDENCE
from fairsum_utils.families.table import SampleRow, Table


class Matter(NamedTuple):
    """Serious matter of a sample.

    Attributes:
        category: category of the list; ``"given"`` or ``"found"`` for marked or found sentences without an entry.
        entry: entries of the list that its sentences hold, joined by commas; may be empty.
        is_omitted: no trace of the matter was found in the summary.
        n_texts: number of source texts that raise it.
        values: groups of these texts, sorted; empty without groups.
        to_read: sentence that raises it, if no trace was found by an entailer that does not read meaning; else empty.
    """

    category: str
    entry: str
    is_omitted: bool
    n_texts: int
    values: tuple[str, ...]
    to_read: str = ""


class MatterEvidence(NamedTuple):
    """Sentences behind a matter, and its trace.

    Attributes:
        texts: position of the source text of each sentence, from 0.
        starts: position of the first character of each sentence in its text.
        sentences: the sentences.
        trace: sentence of the summary that traces the matter; None if it is omitted.
        named: the trace names an entry of the matter; if not, it entails a sentence.
        probability: largest probability that the summary entails one of the sentences; None if no pair was judged.
    """

    texts: tuple[int, ...]
    starts: tuple[int, ...]
    sentences: tuple[str, ...]
    trace: str | None
    named: bool
    probability: float | None


@dataclass(frozen=True, slots=True)
class OmissionRow(SampleRow):
    """Sufficient statistics of one sample.

    Attributes:
        index: position of the sample in the data.
        matters: serious matters of the sources.
        n_ordinary: ordinary sentences that were drawn.
        n_ordinary_omitted: those that the summary does not entail.
        n_pairs: pairs of sentences that the entailer judged.
        n_truncated: pairs that it truncated.
        skipped: reason why the sample has no score, or None.
        evidence: sentences of each matter; None if not requested.
        ordinary: ordinary sentences that were drawn; None if not requested.
        at_random: score of each random extract; empty if none was drawn.
    """

    index: int
    matters: tuple[Matter, ...] = ()
    n_ordinary: int = 0
    n_ordinary_omitted: int = 0
    n_pairs: int = 0
    n_truncated: int = 0
    skipped: str | None = None
    evidence: tuple[MatterEvidence, ...] | None = field(default=None, metadata=EVIDENCE)
    ordinary: tuple[str, ...] | None = field(default=None, metadata=EVIDENCE)
    at_random: tuple[float, ...] = ()


class OmissionTable(Table[OmissionRow]):
    """Table of omission rows without their texts, but for sentences to read.

    Example:
        >>> matter = Matter("violence", "threat", True, 1, ("neg",))
        >>> table = OmissionTable([OmissionRow(0, (matter,)), OmissionRow(1, skipped="no_serious_matter")])
        >>> len(table), dict(table.skipped), [len(matters) for matters in table.matters()]
        (1, {'no_serious_matter': 1}, [1])
    """

    row = OmissionRow

    def labels(self) -> Counter[str]:
        """Count the groups of texts with a serious matter."""
        return self.counted("matters.values")

    def matters(self) -> Iterator[tuple[Matter, ...]]:
        """Return the matters of each scored sample."""
        return compress(self.items("matters"), self.is_scored)


make_table = OmissionTable
