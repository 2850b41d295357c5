"""Distinguishability: the score of each original, and how each of its summaries is classified."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.families.entities.rows import EntityRow, EntityTable
from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.entities.settings import EntitySettings
from fairsum_utils.families.entities.tallies import Tally
from fairsum_utils.families.tally import Figures
from fairsum_utils.measures.distinguishability import (
    REASONS,
    Credits,
    distinguishability,
    mean_scores,
    summary_credits,
)
from fairsum_utils.stats.arrays import Floats, Integers, by_code
from fairsum_utils.stats.sums import Column, Key, Sums


class Distinguishability(Tally):
    """The score of each original, of all its summaries and of those of each group, and how many have one."""

    measure = "distinguishability"
    recorded = ("group", "distinguishable", "article_score", "evidence")
    can_redraw = False  # scores of summaries of one original depend on each other (the paper's table 3)
    interval = "two-point"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"by_group": (-1.0, 1.0)}
    kinds = ("summaries",)

    def _keys(self) -> list[Key]:
        return [(self.name(what), *group) for what in ("score", "originals") for group in self._parts(self.groups)]

    @staticmethod
    def _parts(groups: Sequence[str]) -> list[tuple[str, ...]]:
        """All summaries, and those of each group."""
        return [(), *((group,) for group in groups)]

    @classmethod
    def classify(cls, originals: Originals) -> tuple[Credits, list[str], Integers]:
        """Classify each summary, see `Credits`; also the groups, and the group of each sample as its place."""
        entries = originals.entries("group", cls.measure)
        groups, codes = np.unique(np.array(entries, dtype=object), return_inverse=True)
        vectors = originals.table.vectors(cls.measure, originals.settings.module)
        return summary_credits(vectors, codes, originals.clusters), groups.tolist(), codes

    @classmethod
    def put(cls, sums: Sums, originals: Originals) -> dict[Key, Column]:
        """Add the score of each original that has one, the summaries of each group, and why some have no credit."""
        (credits, reasons), groups, codes = cls.classify(originals)
        clusters = originals.clusters
        by_group = dict(by_code(codes))
        everyone = np.arange(len(codes))
        for part, some in zip(cls._parts(groups), (everyone, *by_group.values()), strict=True):
            known, inverse = np.unique(clusters[some], return_inverse=True)
            of_part = mean_scores(credits[some], inverse, len(known))
            there = np.flatnonzero(~np.isnan(of_part))
            sums.put((cls.name("score"), *part), of_part[there], known[there])
            sums.put((cls.name("originals"), *part), np.ones(len(there)), known[there])
        summaries: dict[Key, Column] = {
            (cls.name("summaries"), groups[code]): Column(places, np.ones(len(places)))
            for code, places in by_group.items()
        }
        originals.put(sums, summaries)
        undefined = Counter(REASONS[code] for code in reasons.tolist() if code)
        sums.counts.update({(cls.name("undefined"), reason): count for reason, count in undefined.items()})
        return {}

    @property
    def n_articles_scored(self) -> int:
        """Originals that have a score."""
        return int(self.sums.total(self.name("originals")))

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compute what has intervals from sums of the columns, see `OriginalsTally`."""
        scores, counts = np.split(sums, 2, axis=-1)
        means = distinguishability(scores, counts)
        return {"score": means[..., 0], "by_group": means[..., 1:]}

    def ratios(self) -> Mapping[str, Sequence[tuple[Floats, Floats]]]:
        """Give the numerator and denominator of means and shares, by original."""
        columns = [self.sums.by_unit(key) for key in self.keys]
        score, *by_group = zip(*np.split(np.array(columns), 2), strict=True)
        return {"score": [score], "by_group": by_group}

    def more(self, figures: Figures) -> dict[str, Any]:
        """Add the figures of this measure."""
        reasons = self.sums.counted(self.name("undefined"))
        return {
            "n_articles_scored": self.n_articles_scored,
            "n_undefined": sum(reasons.values()),
            "undefined_summaries": reasons,
        }

    def counts_by_group(self) -> dict[str, dict[str, int]]:
        """Count the summaries of each group."""
        totals = self._totals(super()._keys()).astype(np.int64).tolist()
        return {group: {"summaries": n} for group, n in zip(self.groups, totals, strict=True)}

    def _lacking(self) -> str:
        return "no original has summaries of several groups and two of one of them"


def compared_summaries(rows: Sequence[EntityRow], settings: EntitySettings) -> dict[int, dict[str, float | None]]:
    """Classify each scored summary by its place, with the score of its original."""
    table = EntityTable(rows)
    originals = Originals(table, settings)
    (credits, _), *_ = Distinguishability.classify(originals)
    scores = mean_scores(credits, originals.clusters, len(originals.names))[originals.clusters]
    found: dict[int, dict[str, float | None]] = {}
    places = table.order(settings.module).tolist()
    for place, *numbers in zip(places, credits.tolist(), scores.tolist(), strict=True):
        known = (None if math.isnan(number) else number for number in numbers)
        found[place] = dict(zip(("distinguishable", "article_score"), known, strict=True))
    return found
