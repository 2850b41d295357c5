"""Distinguishability of each original's summaries."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, TypedDict

import numpy as np

from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.entities.tally import Tally
from fairsum_utils.measures import distinguishability as formulas
from fairsum_utils.stats.arrays import Floats, Integers, by_code
from fairsum_utils.stats.sums import Column, Key, Sums


class Compared(TypedDict):
    """Comparison of a summary with the others of its original.

    Attributes:
        distinguishable: 1 if the summary is closer to its own group than to others, 0.5 for a tie, 0 if not; None if it
            cannot be compared.
        article_score: score of the original; None without one.
    """

    distinguishable: float | None
    article_score: float | None


class Distinguishability(Tally):
    """Scores of originals, overall and by group."""

    measure = "distinguishability"
    compared_record = Compared
    recorded = ("group",)
    can_redraw = False  # scores of summaries of one original depend on each other (the paper's table 3)
    interval = "two-point"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"by_group": (-1.0, 1.0)}
    kinds = ("summaries",)

    def columns(self) -> dict[str, list[tuple[str, ...]]]:
        """Return the columns: scores and numbers of originals, overall and by group."""
        parts = [(), *((group,) for group in self.groups)]
        return {"score": parts, "originals": parts}

    @classmethod
    def classify(cls, originals: Originals) -> tuple[formulas.Credits, list[str], Integers]:
        """Classify each summary, see `Credits`, and return the groups."""
        entries = originals.entries("group", cls.measure)
        groups, codes = np.unique(np.array(entries, dtype=object), return_inverse=True)
        vectors = originals.vectors(cls.measure)
        return formulas.summary_credits(vectors, codes, originals.clusters), groups.tolist(), codes

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: Any = None) -> dict[Key, Column]:
        """Add the score of each original and the reasons for missing scores."""
        (credits, reasons), groups, codes = cls.classify(originals)
        of_groups = {(groups[code],): places for code, places in by_code(codes)}
        for part, some in ((), np.arange(len(codes))), *of_groups.items():
            known, inverse = np.unique(originals.clusters[some], return_inverse=True)
            of_part = formulas.mean_scores(credits[some], inverse, len(known))
            there = np.flatnonzero(~np.isnan(of_part))
            sums.put((cls.name("score"), *part), of_part[there], known[there])
            sums.put((cls.name("originals"), *part), np.ones(len(there)), known[there])
        originals.put(
            sums,
            {
                (cls.name("summaries"), *part): Column(places, np.ones(len(places)))
                for part, places in of_groups.items()
            },
        )
        undefined = Counter(formulas.REASONS[code] for code in reasons.tolist() if code)
        sums.counts.update({(cls.name("undefined"), reason): count for reason, count in undefined.items()})
        return {}

    @classmethod
    def compared(cls, originals: Originals, scorer: Any) -> list[Compared]:
        """Classify each summary, and add the score of its original."""
        (credits, _), *_ = cls.classify(originals)
        scores = formulas.mean_scores(credits, originals.clusters, len(originals.names))[originals.clusters]
        known = [[None if math.isnan(n) else n for n in column.tolist()] for column in (credits, scores)]
        return [{"distinguishable": one, "article_score": other} for one, other in zip(*known, strict=True)]

    @property
    def n_articles_scored(self) -> int:
        """Return the number of originals with a score."""
        return int(self.sums.total(self.name("originals")))

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Average over originals, overall and by group."""
        means = formulas.distinguishability(*self.split(sums).values())
        return {"score": means[..., 0], "by_group": means[..., 1:]}

    def ratios(self) -> Mapping[str, Sequence[tuple[Floats, Floats]]]:
        """Return the scores of originals and a mask of those that have one."""
        score, *by_group = zip(*self.by_original().values(), strict=True)
        return {"score": [score], "by_group": by_group}

    def more(self) -> dict[str, Any]:
        """Add the figures of this measure."""
        reasons = self.sums.counted(self.name("undefined"))
        return {
            "n_articles_scored": self.n_articles_scored,
            "n_undefined": sum(reasons.values()),
            "undefined_summaries": reasons,
        }

    def _lacking(self) -> str:
        return "no original has summaries of several groups and two summaries of one group"
