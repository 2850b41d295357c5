"""Labels and counts of each text, and their table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from fairsum_utils.families.arrow import EVIDENCE
from fairsum_utils.families.reading import FOREIGN
from fairsum_utils.families.table import LABELS, SampleRow, Table
from fairsum_utils.stats.arrays import by_code
from fairsum_utils.stats.sums import Key


class Word(NamedTuple):
    """Decisive word.

    Attributes:
        dimension: dimension that it decided, if a text has several; else None.
        word: spelling that was looked up.
        score: its contribution.
    """

    dimension: str | None
    word: str
    score: float


@dataclass(frozen=True, slots=True)
class PolarityRow(SampleRow):
    """Sufficient statistics of one text.

    Attributes:
        index: position of the text in the data.
        group: group of the text; None if there are no groups.
        labels: labels of the text.
        scores: numbers that decide the labels.
        counts: further counts.
        evidence: decisive words; None if a model decides or evidence was not requested.
        skipped: reason why the text has no label, or None.
    """

    index: int
    group: str | None = field(default=None, metadata=LABELS)
    labels: tuple[str, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict, metadata=EVIDENCE)
    counts: Mapping[str, int] = field(default_factory=dict)
    evidence: tuple[Word, ...] | None = field(default=None, metadata=EVIDENCE)
    skipped: str | None = None


class PolarityTable(Table[PolarityRow]):
    """Table of polarity rows without their texts.

    Example:
        >>> rows = [PolarityRow(0, "a", ("male",)), PolarityRow(1, "a", ("male",)), PolarityRow(2, "b")]
        >>> PolarityTable(rows).counts()["labelled", "male", "a"]
        2
    """

    row = PolarityRow

    def counts(self) -> Counter[Key]:
        """Count texts.

        Returns:
            ``texts``, ``empty``, ``foreign`` and ``labelled`` by label, each by group unless there is none; ``counted``
            by the further counts of rows.
        """
        known, groups = self.coded("group")
        keys: list[Key] = [*((name,) for name in known), ()]  # the last, at -1, is that of no group
        counts = Counter[Key]()
        reasons = np.array([reason or "" for reason in self.items("skipped")])
        for name, reason in (("texts", ""), ("empty", "empty_prediction"), ("foreign", FOREIGN)):
            those = reasons == reason
            for place, n in zip(*np.unique(groups[those], return_counts=True), strict=True):
                counts[name, *keys[place]] = int(n)
        labels = self.entries("labels")
        pairs = np.column_stack([labels.codes, groups[self.is_scored][labels.samples]])
        for (label, place), n in zip(*np.unique(pairs, axis=0, return_counts=True), strict=True):
            counts["labelled", labels.names[label], *keys[place]] = int(n)
        whats, codes = self.coded("counts.key")
        for code, places in by_code(codes):
            counts["counted", whats[code]] = int(self.numbers("counts.value")[places].sum())
        return counts


make_table = PolarityTable
