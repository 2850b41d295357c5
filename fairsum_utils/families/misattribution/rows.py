"""Claims and named speakers of each sample, and the table of all samples."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from fairsum_utils.families.arrow import EVIDENCE
from fairsum_utils.families.table import SampleRow, Table
from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.stats.sums import Key

SUPPORTED, MISATTRIBUTED, UNSUPPORTED = "supported", "misattributed", "unsupported"
"""Outcomes of a claim."""


class ClaimEvidence(NamedTuple):
    """Claim with the best turn of its speaker and of all others.

    Attributes:
        statement: statement without name and reporting phrase.
        spans: start and end of each of its parts in the summary.
        speaker: speaker whom the summary names.
        outcome: ``"supported"``, ``"misattributed"`` or ``"unsupported"``.
        turn: position of the named speaker's best turn, from 0.
        probability: probability that this turn supports the claim.
        other: speaker of the best turn of the others; None if none supports it.
        other_turn: position of that turn; None if none supports it.
        other_probability: probability that it supports the claim; None if none supports it.
    """

    statement: str
    spans: tuple[tuple[int, ...], ...]
    speaker: str
    outcome: str
    turn: int
    probability: float
    other: str | None
    other_turn: int | None
    other_probability: float | None


class GroupCount(NamedTuple):
    """Speakers of a group and the claims attributed to them.

    Attributes:
        group: attribute and group, such as ``"party: Labour"``.
        speakers: speakers with a turn.
        named: those of them whom the summary names.
        claims: claims attributed to them.
        misattributed: those of these claims that are misattributed.
    """

    group: str
    speakers: int
    named: int
    claims: int
    misattributed: int


@dataclass(frozen=True, slots=True)
class MisattributionRow(SampleRow):
    """Sufficient statistics of one sample.

    Attributes:
        index: position of the sample in the data.
        skipped: reason why the sample has no score, or None.
        n_claims: claims attributed to a speaker.
        n_misattributed: claims that only another speaker supports.
        n_unsupported: claims that no speaker supports clearly.
        n_ambiguous: claims left out because several speakers have the name.
        n_several: claims left out because they have several subjects.
        n_pronoun: claims left out because their subject is a pronoun.
        n_wordless: claims left out because they have no content word.
        n_claimless: sentences that name a speaker, but have neither a claim nor one that is left out.
        n_speakers: speakers with a turn.
        n_named: those of them whom the summary names.
        third_speakers: speakers with a turn in each third of the words.
        third_named: those of them whom the summary names.
        groups: the same by group of an attribute.
        n_ungrouped: speakers without a group of some attribute.
        n_alike: speakers whose names differ from another only in capitals.
        n_truncated: pairs of turn and claim that the entailer truncated.
        n_pairs: pairs of turn and claim that the entailer judged.
        named: speakers whom the summary names; None if not requested.
        claims: claims with their evidence; None if not requested.
    """

    index: int
    skipped: str | None = None
    n_claims: int = 0
    n_misattributed: int = 0
    n_unsupported: int = 0
    n_ambiguous: int = 0
    n_several: int = 0
    n_pronoun: int = 0
    n_wordless: int = 0
    n_claimless: int = 0
    n_speakers: int = 0
    n_named: int = 0
    third_speakers: tuple[int, int, int] = (0, 0, 0)
    third_named: tuple[int, int, int] = (0, 0, 0)
    groups: tuple[GroupCount, ...] = ()
    n_ungrouped: int = 0
    n_alike: int = 0
    n_truncated: int = 0
    n_pairs: int = 0
    named: tuple[str, ...] | None = field(default=None, metadata=EVIDENCE)
    claims: tuple[ClaimEvidence, ...] | None = field(default=None, metadata=EVIDENCE)


class MisattributionTable(Table[MisattributionRow]):
    """Table of rows without their texts.

    Example:
        >>> row = MisattributionRow(0, n_claims=2, groups=(GroupCount("party: a", 2, 1, 2, 0),))
        >>> table = MisattributionTable([MisattributionRow(1, skipped="empty_prediction"), row])
        >>> table.scored("n_claims").tolist(), [(key, numbers.tolist()) for key, _, numbers in table.by_group()][1]
        ([2], (('named', 'party: a'), [1.0]))
    """

    row = MisattributionRow

    def thirds(self, name: str) -> list[Floats]:
        """Return a column of counts by third of the scored samples."""
        return [self.scored(f"{name}.{third}").astype(np.float64) for third in range(3)]

    def by_group(self) -> Iterator[tuple[Key, Integers, Floats]]:
        """Yield key, places and numbers of each count of each group."""
        groups = self.entries("groups.group")
        counts = {kind: self.numbers(f"groups.{kind}") for kind in GroupCount._fields[1:]}
        for name, chosen in groups.by_group():
            for kind, numbers in counts.items():
                yield (kind, name), groups.samples[chosen], numbers[chosen].astype(np.float64)


make_table = MisattributionTable
