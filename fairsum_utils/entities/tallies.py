"""Rows to columns whose sums decide a measure, so that a resampled data set is nothing but other sums."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, combinations
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.entities.settings import EntitySettings
from fairsum_utils.entities.statistics import most_frequent_names, summary_statistics
from fairsum_utils.entities.table import EntityTable
from fairsum_utils.measures._divergence import shares
from fairsum_utils.measures.distinguishability import REASONS, distinguishability, mean_scores, summary_credits
from fairsum_utils.measures.entity_hallucination import entity_hallucination
from fairsum_utils.measures.entity_inclusion import (
    direction,
    entity_inclusion,
    inclusion_shares,
    largest_log_odds_ratio,
    log_odds_ratio,
)
from fairsum_utils.measures.word_list_inclusion import share_differences, word_list_inclusion
from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.stats.assignments import permutation_p_value, permuted_counts

__all__ = ["TALLIES", "Tally"]


class Tally(ABC):
    """What one measure takes from the rows.

    Args:
        table: of the rows.
        settings: of the measure.
        groups: that are compared besides those that the rows name.

    Attributes:
        measure: its name.
        recorded: what the record of a sample says for it, besides what all say.
        is_tested: whether it draws at random even without intervals.
        kinds: what is counted of each group.
        groups: those that are compared, in alphabetical order.
        columns: shape (n, m); the measure is a function of their sums.
        clusters: for each row of `columns` the place of its original, shape (n,).
        units: for each row of `columns` what it is drawn with within its original, shape (n,): its pair, or itself.
        n_samples: samples that have a score.
        n_articles: their originals.
        n_articles_scored: originals that the score is made from.
        is_paired: whether a sample has a pair.
        n_unpaired: samples without one that share their original.
        within: whether samples can be drawn anew within their originals.
    """

    measure: ClassVar[str]
    recorded: ClassVar[tuple[str, ...]]
    is_tested: ClassVar[bool] = False
    kinds: tuple[str, ...]

    def __init__(self, table: EntityTable, settings: EntitySettings, groups: Sequence[str] = ()) -> None:
        self.table, self.settings = table, settings
        self.n_samples = len(table)
        articles = self._entries("article")
        places = {article: place for place, article in enumerate(dict.fromkeys(articles))}
        self.clusters: Integers = np.array([places[article] for article in articles], dtype=np.int64)
        self.n_articles = self.n_articles_scored = len(places)
        pairs = table.column("pair", settings.module)
        drawn = [place if pair is None else (articles[place], pair) for place, pair in enumerate(pairs)]
        numbers = {unit: number for number, unit in enumerate(dict.fromkeys(drawn))}
        self.units: Integers = np.array([numbers[unit] for unit in drawn], dtype=np.int64)
        in_article = np.bincount(self.clusters)[self.clusters]
        self.n_unpaired = sum(pair is None and n > 1 for pair, n in zip(pairs, in_article.tolist(), strict=True))
        self.is_paired = any(pair is not None for pair in pairs)
        self.within = len(numbers) > self.n_articles
        counts = self._count()
        self.groups = sorted(set(groups).union(*chain.from_iterable(counts)))
        self.columns: Floats = np.array(
            [[count.get(group, 0) for count in row for group in self.groups] for row in zip(*counts, strict=True)],
            dtype=np.float64,
        ).reshape(self.n_samples, len(counts) * len(self.groups))

    def _entries(self, name: str) -> list[Any]:
        """A column of the table, see `EntityTable.entries`."""
        return self.table.entries(name, self.measure, self.settings.module)

    @abstractmethod
    def _count(self) -> list[list[Mapping[str, int]]]:
        """For each kind, for each sample the count by group."""

    def counts(self, sums: Floats) -> list[Floats]:
        """Sums of the columns by kind, each of shape (..., G)."""
        return np.split(sums, len(self.kinds), axis=-1)

    @abstractmethod
    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """What has intervals, from sums of the columns, shape (..., m).

        Returns:
            ``score``, shape (...), ``by_group``, shape (..., G), and what else.
        """

    def details(self, totals: Floats) -> dict[str, Any]:
        """What a result says besides, from the sums over all samples."""
        return {}

    def counts_by_group(self, totals: Floats) -> dict[str, dict[str, int]]:
        """Group -> kind -> count."""
        table = np.stack(self.counts(totals), axis=-1).astype(np.int64).tolist()
        rows = zip(self.groups, table, strict=True)
        return {group: dict(zip(self.kinds, counts, strict=True)) for group, counts in rows}

    def undefined(self, totals: Floats) -> str:
        """Why the score is NaN."""
        if not self.n_samples:
            return "no sample left to score"
        if len(self.groups) < 2:
            return f"one group only ({self.groups[0]}): nothing to compare" if self.groups else "no group was found"
        return self._undefined(totals)

    @abstractmethod
    def _undefined(self, totals: Floats) -> str:
        """Why the score is NaN though there are samples and several groups."""


class WordLists(Tally):
    """Identifiers in the summaries and, if these are the reference, in the sources."""

    measure = "word_list_inclusion"
    recorded = ("summary_words", "source_words")

    def _count(self) -> list[list[Mapping[str, int]]]:
        with_sources = self.settings.reference == "source"
        self.kinds = ("summaries", "sources") if with_sources else ("summaries",)
        return [self._entries(name) for name in self.recorded[: len(self.kinds)]]

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        counts = self.counts(sums)
        return {"score": word_list_inclusion(*counts), "by_group": share_differences(*counts)}

    def _undefined(self, totals: Floats) -> str:
        kinds = zip(self.kinds, self.counts(totals), strict=True)
        where = " or in the ".join(kind for kind, counts in kinds if not counts.any())
        return f"no identifier of any group in the {where}"


class Inclusion(Tally):
    """Entities of the sources, and those of them that the summaries mention."""

    measure = "entity_inclusion"
    recorded = ("n_mentions", "entities", "n_ambiguous", "evidence")
    is_tested = True
    kinds = ("included", "entities")

    def _count(self) -> list[list[Mapping[str, int]]]:
        self.entities = self._entries("entities")
        return [
            [Counter(group for group, included in persons if included) for persons in self.entities],
            [Counter(group for group, _ in persons) for persons in self.entities],
        ]

    def _shares(self, included: Floats, entities: Floats) -> Floats:
        return inclusion_shares(included, entities, self.settings.continuity or 0.0)

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        included, entities = self.counts(sums)
        p = self._shares(included, entities)
        pairs = np.array([*combinations(range(len(self.groups)), 2)], dtype=np.intp).reshape(-1, 2)
        return {
            "score": entity_inclusion(included, entities, self.settings.continuity or 0.0),
            "by_group": p,
            "log_odds_ratio": log_odds_ratio(p[..., pairs[:, 0]], p[..., pairs[:, 1]]),
        }

    def details(self, totals: Floats) -> dict[str, Any]:
        most, least = direction(self._shares(*self.counts(totals)))
        return {
            "most_included": None if most is None else self.groups[most],
            "least_included": None if least is None else self.groups[least],
            "p_value": self._p_value(totals),
            "n_ambiguous": sum(self._entries("n_ambiguous")),
        }

    def _p_value(self, totals: Floats) -> float:
        included, entities = self.counts(totals)
        if len(self.groups) < 2 or not entities.all():
            return math.nan
        places = {group: place for place, group in enumerate(self.groups)}
        flat = list(chain.from_iterable(self.entities))
        replicates = permuted_counts(
            np.array([inside for _, inside in flat], dtype=np.bool_),
            np.array([places[group] for group, _ in flat], dtype=np.int64),
            np.repeat(np.arange(self.n_samples), list(map(len, self.entities))),
            self.clusters,
            n_labels=len(self.groups),
            n_permutations=self.settings.n_permutations,
            seed=self.settings.seed,
        )
        observed, drawn = (largest_log_odds_ratio(self._shares(each, entities)) for each in (included, replicates))
        return permutation_p_value(float(observed), drawn)

    def _undefined(self, totals: Floats) -> str:
        included, entities = self.counts(totals)
        reasons = []
        for group, inside, n in zip(self.groups, included.astype(int), entities.astype(int), strict=True):
            if not n:
                reasons.append(f"the sources have no entity of group {group!r}")
            elif inside in (0, n):
                which, odds = ("all", "infinite") if inside else ("none", "zero")
                reasons.append(f"the odds of group {group!r} are {odds}: {which} of its {n} entities are included")
        remedy = "; continuity=0.5 makes odds finite" if any("odds" in reason for reason in reasons) else ""
        return "; ".join(reasons) + remedy


class Hallucination(Tally):
    """Persons named in the summaries without a match in the sources."""

    measure = "entity_hallucination"
    recorded = ("n_mentions", "hallucinated", "evidence")
    kinds = ("hallucinated",)

    def _count(self) -> list[list[Mapping[str, int]]]:
        self.names = self._entries("hallucinated")
        return [[Counter(group for _, group in strangers if group is not None) for strangers in self.names]]

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        return {"score": entity_hallucination(sums), "by_group": shares(sums)}

    def details(self, totals: Floats) -> dict[str, Any]:
        n = sum(map(len, self.names))
        described = summary_statistics(self.table, module=self.settings.module)
        return {
            "n_mentions": sum(self._entries("n_mentions")),
            "n_hallucinated": n,
            "n_unclassified": n - int(totals.sum()),
            "hallucinated_share": described["hallucinated_share"],
            "most_frequent": most_frequent_names(self.table, module=self.settings.module),
            **{key: number for key, number in described.items() if key.startswith(("mean_", "sd_"))},
        }

    def _undefined(self, totals: Floats) -> str:
        n = sum(map(len, self.names))
        return f"none of {n} hallucinated entities has a known group" if n else "no entity is hallucinated"


class Distinguishability(Tally):
    """The score of each original, of all its summaries and of those of each group; zero and one columns count them.

    Attributes:
        credits: 1 for a summary that is more like those of its own group, 0.5 for a tie, 0 for one that is more like
            the others, shape (n,); NaN where undefined.
    """

    measure = "distinguishability"
    recorded = ("group", "distinguishable", "evidence")
    kinds = ("summaries",)

    def __init__(self, table: EntityTable, settings: EntitySettings, groups: Sequence[str] = ()) -> None:
        super().__init__(table, settings, groups)
        self._totals = self.columns.sum(axis=0)
        codes = self.columns.argmax(axis=1) if self.groups else np.zeros(0, dtype=np.int64)
        vectors = table.vectors(self.measure, settings.module)
        self.credits, self._reasons = summary_credits(vectors, codes, self.clusters)
        n, cells = self.n_articles, self.clusters * len(self.groups) + codes
        by_group = mean_scores(self.credits, cells, n * len(self.groups)).reshape(n, len(self.groups))
        scores = np.column_stack([mean_scores(self.credits, self.clusters, n), by_group])
        defined = ~np.isnan(scores)
        self.columns = np.hstack([np.where(defined, scores, 0.0), defined])
        self.clusters = np.arange(n)
        self.n_articles_scored = int(defined[:, 0].sum())
        self.within = False  # scores of summaries of one original depend on each other (the paper's table 3)

    def _count(self) -> list[list[Mapping[str, int]]]:
        return [[{group: 1} for group in self._entries("group")]]

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        scores, counts = np.split(sums, 2, axis=-1)
        means = distinguishability(scores, counts)
        return {"score": means[..., 0], "by_group": means[..., 1:]}

    def details(self, totals: Floats) -> dict[str, Any]:
        reasons = Counter(REASONS[code] for code in self._reasons.tolist() if code)
        return {
            "n_articles_scored": self.n_articles_scored,
            "n_undefined": reasons.total(),
            "undefined_summaries": dict(sorted(reasons.items())),
        }

    def counts_by_group(self, totals: Floats) -> dict[str, dict[str, int]]:
        return super().counts_by_group(self._totals)

    def _undefined(self, totals: Floats) -> str:
        return "no original has summaries of several groups and two of one of them"


TALLIES = {tally.measure: tally for tally in (WordLists, Inclusion, Hallucination, Distinguishability)}
"""Measure -> what it takes from the rows."""
