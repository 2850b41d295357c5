"""Word list inclusion: identifiers of groups in summaries and sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.entities.tally import Tally, put_counts
from fairsum_utils.measures.word_list_inclusion import WordListInclusion, share_differences, word_list_inclusion
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.sums import Column, Key, Sums


class WordLists(Tally):
    """Identifiers in the summaries and, as a reference, in the sources."""

    measure = "word_list_inclusion"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"by_group": (-1.0, 1.0)}
    recorded = ("summary_words", "source_words")
    kinds = ("summaries", "sources")

    @classmethod
    def counted_kinds(cls, settings: WordListInclusion) -> tuple[str, ...]:
        """Return the counts, with sources only if they are the reference."""
        return cls.kinds if settings.reference == "source" else cls.kinds[:1]

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: Any = None) -> dict[Key, Column]:
        """Add the identifiers of each group."""
        columns: dict[Key, Column] = {}
        for kind, field in zip(cls.counted_kinds(originals.settings), cls.recorded, strict=False):
            rows = enumerate(originals.entries(field, cls.measure))
            counts = ((place, group, n) for place, row in rows for group, n in row.items())
            columns |= put_counts(sums, originals, cls.name(kind), counts)
        return columns

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compare the shares of identifiers."""
        counts = self.split(sums).values()
        return {"score": word_list_inclusion(*counts), "by_group": share_differences(*counts)}

    def _lacking(self) -> str:
        where = " and the ".join(kind for kind, counts in self.split(self.totals).items() if not counts.any())
        return f"the {where} contain no identifier of any group"
