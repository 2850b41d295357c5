"""Rows to columns whose sums decide a measure, so that a resampled data set is nothing but other sums."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from fairsum_utils.entities.rows import EntityRow
from fairsum_utils.entities.statistics import most_frequent_names
from fairsum_utils.entities.vectors import stack_counts
from fairsum_utils.errors import InputError
from fairsum_utils.measures._divergence import shares
from fairsum_utils.measures.distinguishability import REASONS, Credits, distinguishability, mean_scores, summary_credits
from fairsum_utils.measures.entity_hallucination import entity_hallucination
from fairsum_utils.measures.entity_inclusion import (
    direction,
    entity_inclusion,
    inclusion_shares,
    largest_log_odds_ratio,
    log_odds_ratio,
)
from fairsum_utils.measures.word_list_inclusion import REFERENCES, share_differences, word_list_inclusion
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.assignments import permutation_p_value, permuted_counts
from fairsum_utils.stats.options import ResamplingOptions
from fairsum_utils.validation import as_float, check_choice, check_count, describe

__all__ = ["TALLIES", "EntityTable", "Options", "Tally", "by_index", "credits_of"]


@dataclass(frozen=True)
class Options(ResamplingOptions):
    """What the measures need besides the rows.

    Args:
        n_permutations: assignments that the test of entity inclusion draws.
        reference: of word list inclusion: ``"source"``, the shares in the sources, or ``"uniform"``.
        continuity: of entity inclusion: what is added to the included and to the other entities of a group, so that
            the odds of a group that is never or always included are finite; None for nothing.

    Raises:
        InputError: an option out of range.
    """

    n_permutations: int = 1000
    reference: str = "source"
    continuity: float | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        check_count(self.module, "n_permutations", self.n_permutations)
        check_choice(self.module, "reference", self.reference, REFERENCES)
        if self.continuity is not None and not 0 < as_float(self.continuity) < math.inf:
            raise InputError(
                f"{self.module}: continuity must be a number above 0, such as 0.5, or None, found "
                f"{describe(self.continuity)}"
            )


def by_index(rows: Iterable[EntityRow], module: str) -> dict[int, EntityRow]:
    """Rows by the index of their sample, in its order.

    Raises:
        InputError: two rows of one sample.
    """
    ordered = sorted(rows, key=lambda row: row.index)
    for row, following in pairwise(ordered):
        if row.index == following.index:
            raise InputError(
                f"{module}: two rows are of sample {row.index}; give every sample of the data an index of its own"
            )
    return {row.index: row for row in ordered}


class EntityTable:
    """The rows of a data set in the order of their index, whatever order they come in.

    Args:
        rows: of one data set.
        name: of the measure.
        module: name used in messages.

    Attributes:
        rows: those that are not skipped.
        skipped: reason -> number of the others.
        articles: the originals, in the order of their first sample.
        clusters: for each row the place of its original, shape (n,).

    Raises:
        InputError: two rows of one index.
    """

    def __init__(self, rows: Iterable[EntityRow], name: str, module: str) -> None:
        ordered = by_index(rows, module).values()
        self.name, self.module = name, module
        self.rows = [row for row in ordered if row.skipped is None]
        self.skipped = Counter(row.skipped for row in ordered if row.skipped is not None)
        places = {article: place for place, article in enumerate(dict.fromkeys(row.article for row in self.rows))}
        self.articles = list(places)
        self.clusters = np.array([places[row.article] for row in self.rows], dtype=np.int64)

    def parts(self, part: str, what: str) -> list[Any]:
        """One part of each row.

        Args:
            part: name of the attribute.
            what: the same in words.

        Raises:
            InputError: a row does not have it.
        """
        for row in self.rows:
            if getattr(row, part) is None:
                raise InputError(
                    f"{self.module}: sample {row.index}: {self.name} needs {what}, and the sample's row has none "
                    f"({part}); score the samples for {self.name}"
                )
        return [getattr(row, part) for row in self.rows]


class Tally(ABC):
    """What one measure takes from the rows.

    Attributes:
        kinds: what is counted of each group.
        groups: those that are compared, in alphabetical order.
        columns: shape (n, m); the measure is a function of their sums.
        clusters: for each row of `columns` the place of its original, shape (n,).
        n_articles: originals that the score is made from.
        within: whether samples can be drawn anew within their originals.
    """

    kinds: tuple[str, ...]
    groups: list[str]
    columns: Floats
    clusters: npt.NDArray[np.int64]
    n_articles: int
    within: bool

    def __init__(self, table: EntityTable, groups: Sequence[str], options: Options) -> None:
        self.table, self.options = table, options
        counts = self._count(table)
        self.groups = sorted(set(groups).union(*chain.from_iterable(counts)))
        self.columns = np.array(
            [[own.get(group, 0) for own in of_row for group in self.groups] for of_row in zip(*counts, strict=True)],
            dtype=np.float64,
        ).reshape(len(table.rows), len(counts) * len(self.groups))
        self.clusters = table.clusters
        self.n_articles = len(table.articles)
        self.within = len(table.rows) > self.n_articles

    @abstractmethod
    def _count(self, table: EntityTable) -> list[list[Mapping[str, int]]]:
        """For each kind, for each row the count by group."""

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
        return {group: dict(zip(self.kinds, own, strict=True)) for group, own in zip(self.groups, table, strict=True)}

    def undefined(self, totals: Floats) -> str:
        """Why the score is NaN."""
        if not self.table.rows:
            return "no sample left to score"
        if len(self.groups) < 2:
            return f"one group only ({self.groups[0]}): nothing to compare" if self.groups else "no group was found"
        return self._undefined(totals)

    @abstractmethod
    def _undefined(self, totals: Floats) -> str:
        """The same, where there are samples and groups."""


class WordLists(Tally):
    """Identifiers in the summaries and, if these are the reference, in the sources."""

    def _count(self, table: EntityTable) -> list[list[Mapping[str, int]]]:
        counts = [table.parts("summary_words", "the identifiers of the summary")]
        if self.options.reference == "source":
            counts.append(table.parts("source_words", "the identifiers of the sources"))
        self.kinds = ("summaries", "sources")[: len(counts)]
        return counts

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        counts = self.counts(sums)
        return {"score": word_list_inclusion(*counts), "by_group": share_differences(*counts)}

    def _undefined(self, totals: Floats) -> str:
        kinds = zip(self.kinds, self.counts(totals), strict=True)
        where = " or in the ".join(kind for kind, own in kinds if not own.any())
        return f"no identifier of any group in the {where}"


class Inclusion(Tally):
    """Entities of the sources, and those of them that the summaries mention."""

    kinds = ("included", "entities")

    def _count(self, table: EntityTable) -> list[list[Mapping[str, int]]]:
        self.entities = table.parts("entities", "the entities of the sources")
        return [
            [Counter(group for group, included in own if included) for own in self.entities],
            [Counter(group for group, _ in own) for own in self.entities],
        ]

    def _shares(self, included: Floats, entities: Floats) -> Floats:
        return inclusion_shares(included, entities, self.options.continuity or 0.0)

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        p = self._shares(*self.counts(sums))
        pairs = np.array([*combinations(range(len(self.groups)), 2)], dtype=np.intp).reshape(-1, 2)
        return {
            "score": entity_inclusion(p),
            "by_group": p,
            "log_odds_ratio": log_odds_ratio(p[..., pairs[:, 0]], p[..., pairs[:, 1]]),
        }

    def details(self, totals: Floats) -> dict[str, Any]:
        most, least = direction(self._shares(*self.counts(totals)))
        return {
            "most_included": None if most is None else self.groups[most],
            "least_included": None if least is None else self.groups[least],
            "p_value": self._p_value(totals),
            "n_ambiguous": sum(row.n_ambiguous for row in self.table.rows),
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
            np.repeat(np.arange(len(self.entities)), [len(own) for own in self.entities]),
            self.clusters,
            n_labels=len(self.groups),
            n_permutations=self.options.n_permutations,
            seed=self.options.seed,
        )
        observed, drawn = (largest_log_odds_ratio(self._shares(own, entities)) for own in (included, replicates))
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

    kinds = ("hallucinated",)

    def _count(self, table: EntityTable) -> list[list[Mapping[str, int]]]:
        self.names = table.parts("hallucinated", "the hallucinated entities of the summary")
        return [[Counter(group for _, group in own if group is not None) for own in self.names]]

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        return {"score": entity_hallucination(sums), "by_group": shares(sums)}

    def details(self, totals: Floats) -> dict[str, Any]:
        n = sum(map(len, self.names))
        n_mentions = sum(self.table.parts("n_mentions", "the number of entities of the summary"))
        return {
            "n_mentions": n_mentions,
            "n_hallucinated": n,
            "n_unclassified": n - int(totals.sum()),
            "hallucinated_share": n / n_mentions if n_mentions else math.nan,
            "most_frequent": most_frequent_names(self.table.rows),
        }

    def _undefined(self, totals: Floats) -> str:
        n = sum(map(len, self.names))
        return f"none of {n} hallucinated entities has a known group" if n else "no entity is hallucinated"


class Distinguishability(Tally):
    """The score of each original, of all its summaries and of those of each group; zero and one columns count them."""

    kinds = ("summaries",)

    def __init__(self, table: EntityTable, groups: Sequence[str], options: Options) -> None:
        super().__init__(table, groups, options)
        codes = self.columns.argmax(axis=1) if self.groups else np.zeros(0, dtype=np.int64)
        self._totals = self.columns.sum(axis=0)
        credit, self.reasons = credits_of(table)
        n = len(table.articles)
        cells = mean_scores(credit, self.clusters * len(self.groups) + codes, n * len(self.groups))
        scores = np.column_stack([mean_scores(credit, self.clusters, n), cells.reshape(n, len(self.groups))])
        defined = ~np.isnan(scores)
        self.columns = np.hstack([np.where(defined, scores, 0.0), defined])
        self.clusters = np.arange(n)
        self.n_articles = int(defined[:, 0].sum())
        self.within = False  # scores of summaries of one original depend on each other (the paper's table 3)

    def _count(self, table: EntityTable) -> list[list[Mapping[str, int]]]:
        return [[{group: 1} for group in table.parts("group", "the group that the whole text is about")]]

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        scores, counts = np.split(sums, 2, axis=-1)
        means = distinguishability(scores, counts)
        return {"score": means[..., 0], "by_group": means[..., 1:]}

    def details(self, totals: Floats) -> dict[str, Any]:
        found = Counter(REASONS[code] for code in self.reasons.tolist() if code)
        return {
            "n_articles_scored": self.n_articles,
            "n_undefined": found.total(),
            "undefined_summaries": dict(sorted(found.items())),
        }

    def counts_by_group(self, totals: Floats) -> dict[str, dict[str, int]]:
        return super().counts_by_group(self._totals)

    def _undefined(self, totals: Floats) -> str:
        return "no original has summaries of several groups and two of one of them"


def credits_of(table: EntityTable) -> Credits:
    """How each summary of a table is classified, in the order of its rows.

    Raises:
        InputError: a row without vector or group, or a vector that is not like the others or not finite.
    """
    codes = {group: code for code, group in enumerate(sorted(set(table.parts("group", "the group of the whole text"))))}
    groups = np.array([codes[row.group] for row in table.rows], dtype=np.int64)
    vectors = table.parts("vector", "the vector of the summary")
    sparse = [isinstance(vector, Mapping) for vector in vectors]
    lengths = [-1 if counts else len(vector) for counts, vector in zip(sparse, vectors, strict=True)]
    for row, length in zip(table.rows, lengths, strict=True):
        if length != lengths[0]:
            kinds = ["counts" if one < 0 else f"an embedding of {one} numbers" for one in (length, lengths[0])]
            raise InputError(
                f"{table.module}: sample {row.index}: its vector is {kinds[0]}, that of sample {table.rows[0].index} "
                f"{kinds[1]}; make all vectors with one representation"
            )
    matrix: Any = stack_counts(vectors) if all(sparse) else np.array(vectors)
    finite = np.isfinite(matrix.data if all(sparse) else matrix)
    if not finite.all():
        bad = np.argwhere(~finite)[0][0]
        place = np.searchsorted(matrix.indptr, bad, "right") - 1 if all(sparse) else bad
        raise InputError(
            f"{table.module}: sample {table.rows[place].index}: its vector has a number that is not finite; embed its "
            "summary again"
        )
    return summary_credits(matrix, groups, table.clusters)


TALLIES: dict[str, type[Tally]] = {
    "word_list_inclusion": WordLists,
    "entity_inclusion": Inclusion,
    "entity_hallucination": Hallucination,
    "distinguishability": Distinguishability,
}
"""Measure -> what it takes from the rows; in the paper's order."""
