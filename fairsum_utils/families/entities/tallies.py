"""Sums and figures of each entities measure."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from decimal import Context
from functools import cached_property
from itertools import chain, combinations
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.families.entities.names import groups_of_names
from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.tally import OriginalsTally
from fairsum_utils.families.warnings import MOST_PAIRED, only_one
from fairsum_utils.measures import entity_inclusion as formulas
from fairsum_utils.measures._divergence import shares, total_variation
from fairsum_utils.measures._entities import PUBLISHED
from fairsum_utils.measures.entity_hallucination import entity_hallucination
from fairsum_utils.measures.word_list_inclusion import WordListInclusion, share_differences, word_list_inclusion
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.intervals import Ends, Method, difference_interval
from fairsum_utils.stats.permutation import permutation_p_value
from fairsum_utils.stats.sums import Column, Key, Sums

# More digits than a float has.
_PRECISE = Context(prec=60)
# Most hallucinated names that a result lists.
_MOST_NAMED = 10


class Tally(OriginalsTally):
    """Sums of one measure and its figures by group.

    Attributes:
        can_redraw: samples can be redrawn within their originals.
        kinds: names of the counts by group.
        of_sources: count that does not depend on the summaries; empty for none.
    """

    can_redraw: ClassVar[bool] = True
    interval: ClassVar[Method] = "corrected"
    folds: ClassVar[str] = "by_group"
    settings: Any
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"by_group": (0.0, 1.0)}
    kinds: ClassVar[tuple[str, ...]]
    of_sources: ClassVar[str] = ""

    @classmethod
    def counted_kinds(cls, settings: Any) -> tuple[str, ...]:
        """Return the counts the settings require."""
        return cls.kinds

    @cached_property
    def groups(self) -> list[str]:
        """Compared groups, in alphabetical order."""
        return sorted(set().union(*(self.sums.of(self.name(kind)) for kind in self.counted_kinds(self.settings))))

    def columns(self) -> dict[str, list[tuple[str, ...]]]:
        """Return the groups of each count."""
        return {kind: [(group,) for group in self.groups] for kind in self.counted_kinds(self.settings)}

    @property
    def n_differences(self) -> int:
        """Return how many differences the score is the maximum of."""
        return len(self.groups) * (len(self.groups) - 1) // 2

    @property
    def within(self) -> bool:
        """Check whether redrawing samples within originals has an effect."""
        n_alone = self.sums.n_samples - self.sums.counts[("paired",)]
        return self.can_redraw and n_alone + self.sums.n_distinct("pairs") > self.n_articles

    def result(self, scored: Mapping[str, object]) -> dict[str, Any]:
        """Make the result and its signature."""
        if self.within and self.settings.confidence_level is not None:
            drawn = PUBLISHED if self.settings.resampling == PUBLISHED else "pairs"
            scored = {**scored, "within": drawn if self.sums.counts[("paired",)] else None}
        return super().result(scored)

    def details(self) -> dict[str, Any]:
        """Return figures and counts by group."""
        kinds = self.counted_kinds(self.settings)
        counts = {group: {kind: int(self.total(kind, group)) for kind in kinds} for group in self.groups}
        name = f"{self.measure}_by_group"
        figures = {name: self.observed["by_group"].tolist()}
        figures |= {f"{name}_{level}": ends["by_group"] for level, ends in self.intervals.items()}
        return {
            **{key: dict(zip(self.groups, entries, strict=True)) for key, entries in figures.items()},
            "counts_by_group": counts,
            **self.more(),
            **({"n_unpaired": self.sums.counts[("unpaired",)]} if "ci_within" in self.intervals else {}),
        }

    def more(self) -> dict[str, Any]:
        """Add figures of a single measure; none by default."""
        return {}

    def _undefined(self) -> str:
        if len(self.groups) < 2:
            return only_one("group", self.groups) if self.groups else "no group was found"
        return self._lacking()

    def spread_of(self, signed: Floats) -> Floats:
        """Compute the distance of two distributions from their differences by group."""
        return total_variation(signed)

    @abstractmethod
    def _lacking(self) -> str:
        """Explain why the score is NaN or infinite despite samples of several groups."""


def put_counts(sums: Sums, originals: Originals, kind: str, rows: Sequence[Mapping[str, int]]) -> dict[Key, Column]:
    """Add the counts by group of each sample; return those of samples."""
    places: defaultdict[str, list[int]] = defaultdict(list)
    counts: defaultdict[str, list[float]] = defaultdict(list)
    for place, row in enumerate(rows):
        for group, n in row.items():
            places[group].append(place)
            counts[group].append(n)
    columns: dict[Key, Column] = {
        (kind, group): Column(np.array(places[group]), np.array(counts[group])) for group in places
    }
    originals.put(sums, columns)
    return columns


class WordLists(Tally):
    """Identifiers in the summaries and, as a reference, in the sources."""

    measure = "word_list_inclusion"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"by_group": (-1.0, 1.0)}
    recorded = ("summary_words", "source_words")
    kinds = ("summaries", "sources")
    of_sources = "sources"

    @classmethod
    def counted_kinds(cls, settings: WordListInclusion) -> tuple[str, ...]:
        """Return the counts, with sources only if they are the reference."""
        return cls.kinds if settings.reference == "source" else cls.kinds[:1]

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: Any = None) -> dict[Key, Column]:
        """Add the identifiers of each group."""
        columns: dict[Key, Column] = {}
        for kind, field in zip(cls.counted_kinds(originals.settings), cls.recorded, strict=False):
            columns |= put_counts(sums, originals, cls.name(kind), originals.entries(field, cls.measure))
        return columns

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compare the shares of identifiers."""
        counts = self.split(sums).values()
        return {"score": word_list_inclusion(*counts), "by_group": share_differences(*counts)}

    def _lacking(self) -> str:
        where = " and the ".join(kind for kind, counts in self.split(self.totals).items() if not counts.any())
        return f"the {where} contain no identifier of any group"


class Inclusion(Tally):
    """Source persons, and those that the summaries mention."""

    measure = "entity_inclusion"
    settings: formulas.EntityInclusion
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {
        "by_group": (0.0, 1.0),
        "log_odds_ratio": (-math.inf, math.inf),
    }
    recorded = ("n_mentions", "entities", "n_ambiguous")
    is_tested = True
    folds = "log_odds_ratio"
    kinds = ("included", "entities")
    of_sources = "entities"

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: Any = None) -> dict[Key, Column]:
        """Add the source persons, the included ones and the permutations of the test."""
        persons = originals.entries("entities", cls.measure)
        sums.counts[(cls.name("ambiguous"),)] = sum(originals.entries("n_ambiguous", cls.measure))
        every = [(group, is_included, place) for place, own in enumerate(persons) for group, is_included in own]
        groups, codes = np.unique(np.array([group for group, *_ in every], dtype=object), return_inverse=True)
        inside, samples = (np.array([each[part] for each in every], dtype=kind) for part, kind in ((1, bool), (2, int)))
        sums.draw_later(
            [(cls.name("permuted"), group) for group in groups.tolist()],
            lambda: originals.permuted(inside, codes, samples, len(groups)),
        )
        included = [Counter(group for group, is_included in own if is_included) for own in persons]
        of_sources = [Counter(group for group, _ in own) for own in persons]
        return put_counts(sums, originals, cls.name("included"), included) | put_counts(
            sums, originals, cls.name("entities"), of_sources
        )

    def ratios(self) -> Mapping[str, Sequence[tuple[Floats, Floats]]]:
        """Return numerator and denominator of each mean and share, by original."""
        if self.settings.continuity:  # then a share is no ratio of sums
            return {}
        return {"by_group": list(zip(*self.by_original().values(), strict=True))}

    def _over_originals(self, statistic: str, replicates: Floats, level: float) -> list[list[float]]:
        """Compute intervals over originals, including log odds ratios that never vary or are infinite.

        If all or none of a group are included, its log odds have one finite end, and so has the interval of a ratio:
        the difference of the ends, which is at least as wide as its level asks.
        """
        found = super()._over_originals(statistic, replicates, level)
        if statistic != "log_odds_ratio":
            return found
        shares = self._shares(self.totals)
        odds = [_logit(share) for share in shares.tolist()]
        if not (np.isnan(found).any() or np.isinf(odds).any()):
            return found
        by_group = super()._over_originals("by_group", shares[None], level)
        ends = [(_logit(low), _logit(high)) for low, high in by_group]
        for place, (a, b) in enumerate(self.pairs):
            if math.isinf(odds[a]) or math.isinf(odds[b]):
                found[place] = [ends[a][0] - ends[b][1], ends[a][1] - ends[b][0]]
            elif math.isnan(found[place][0]):
                apart = difference_interval(odds[a], ends[a], odds[b], ends[b])
                found[place] = list(apart) if all(map(math.isfinite, apart)) else found[place]
        return found

    def spread_of(self, signed: Floats) -> Floats:
        """Compute the largest odds ratio minus 1 from the log odds ratios."""
        if not signed.shape[-1]:
            return np.full(signed.shape[:-1], np.nan)
        return np.asarray(np.expm1(np.abs(signed).max(axis=-1)))

    def _folded(self, ends: Sequence[float]) -> Ends:
        """Return the interval of the odds ratio minus 1, given that of its logarithm."""
        low, high = super()._folded(ends)
        return math.expm1(low), math.expm1(high)

    def _shares(self, sums: Floats) -> Floats:
        included, entities = self.split(sums).values()
        return formulas.inclusion_shares(included, entities, self.settings.continuity or 0.0)

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compute the statistics with intervals from sums of the columns, see `OriginalsTally`."""
        included, entities = self.split(sums).values()
        p, pairs = self._shares(sums), np.array(self.pairs, dtype=np.intp).reshape(-1, 2)
        return {
            "score": formulas.entity_inclusion(included, entities, self.settings.continuity or 0.0),
            "by_group": p,
            "log_odds_ratio": formulas.log_odds_ratio(p[..., pairs[:, 0]], p[..., pairs[:, 1]]),
        }

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs of groups to compare; with many groups, the most different pair."""
        if len(self.groups) <= MOST_PAIRED:
            return list(combinations(range(len(self.groups)), 2))
        p = self._shares(self.totals)
        known = np.flatnonzero(~np.isnan(p))
        if not len(known):
            return []
        first, second = sorted((int(known[p[known].argmax()]), int(known[p[known].argmin()])))
        return [(first, second)] if first != second else []

    def more(self) -> dict[str, Any]:
        """Add the figures of this measure."""
        most, least = formulas.direction(self._shares(self.totals))
        ratios = [
            {"group_a": self.groups[a], "group_b": self.groups[b]}
            | self.figure("log_odds_ratio", place, "log_odds_ratio")
            for place, (a, b) in enumerate(self.pairs)
        ]
        return {
            "log_odds_ratios": ratios,
            "most_included": None if most is None else self.groups[most],
            "least_included": None if least is None else self.groups[least],
            "p_value": self._p_value(),
            "n_ambiguous": self.count("ambiguous"),
        }

    def _p_value(self) -> float:
        included, entities = self.split(self.totals).values()
        if len(self.groups) < 2:
            return math.nan
        drawn = self.drawn([(self.name("permuted"), group) for group in self.groups], self.settings.n_permutations)
        every = np.vstack([included, drawn])
        ratios = formulas.largest_log_odds_ratio(
            self._shares(np.hstack([every, np.broadcast_to(entities, every.shape)]))
        )
        return permutation_p_value(float(ratios[0]), ratios[1:])

    def _lacking(self) -> str:
        return "the odds ratio is infinite; use continuity=0.5 to keep it finite"


class Hallucination(Tally):
    """Persons in the summaries without a match in the sources."""

    measure = "entity_hallucination"
    recorded = ("n_mentions", "hallucinated")
    kinds = ("hallucinated",)

    @property
    def fair(self) -> float:
        """Return the even share of a group."""
        return 1 / len(self.groups)

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: Any = None) -> dict[Key, Column]:
        """Add hallucinated persons by group, name counts and summary lengths."""
        names = originals.entries("hallucinated", cls.measure)
        strangers = list(chain.from_iterable(names))
        for kind, column in (("tokens", "n_tokens"), ("entities", "n_mentions")):
            numbers = originals.entries(column, cls.measure)
            sums.counts[(cls.name(kind),)] = sum(numbers)
            sums.counts[(cls.name(f"{kind}_squared"),)] = sum(n * n for n in numbers)
        sums.counts[(cls.name("hallucinated"),)] = len(strangers)
        sums.named[cls.measure] = Counter((name,) if group is None else (name, group) for name, group in strangers)
        known = [Counter(group for _, group in own if group is not None) for own in names]
        for group in groups_of_names(originals.settings.first_names):  # also those that no one has
            sums.put((cls.name("hallucinated"), group), np.zeros(0), np.zeros(0, dtype=np.int64))
        return put_counts(sums, originals, cls.name("hallucinated"), known)

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compare the shares of hallucinated persons."""
        return {"score": entity_hallucination(sums), "by_group": shares(sums)}

    def ratios(self) -> Mapping[str, Sequence[tuple[Floats, Floats]]]:
        """Return hallucinated persons by group and in total, by original."""
        [by_group] = self.by_original().values()
        return {"by_group": [(numbers, by_group.sum(axis=0)) for numbers in by_group]}

    def more(self) -> dict[str, Any]:
        """Add counts of persons, the most frequent names, and the lengths of summaries."""
        n, n_mentions = self.count("hallucinated"), self.count("entities")
        return {
            "n_mentions": n_mentions,
            "n_hallucinated": n,
            "n_unclassified": n - int(self.totals.sum()),
            "hallucinated_share": n / n_mentions if n_mentions else math.nan,
            "most_frequent": _ranked(self.sums.named.get(self.measure) or {}),
            **self._described("tokens"),
            **self._described("entities"),
        }

    def _described(self, what: str) -> dict[str, float]:
        """Return mean and standard deviation over the samples."""
        n, total, squares = self.sums.n_samples, self.count(what), self.count(f"{what}_squared")
        if not n:
            return {f"mean_{what}": math.nan, f"sd_{what}": math.nan}
        root = _PRECISE.sqrt(_PRECISE.create_decimal(n * squares - total**2))
        return {f"mean_{what}": total / n, f"sd_{what}": float(_PRECISE.divide(root, n))}

    def _lacking(self) -> str:
        n = self.count("hallucinated")
        return f"none of {n} invented persons has a known group" if n else "the summaries invent no person"


def _ranked(counts: Mapping[Key, int]) -> list[dict[str, Any]]:
    """List the most frequent names, ties in alphabetical order."""
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:_MOST_NAMED]
    return [{"name": name, "group": group[0] if group else None, "count": n} for (name, *group), n in ordered]


def _logit(share: float) -> float:
    """Return the log odds of a share."""
    if share in (0, 1):
        return math.copysign(math.inf, share - 0.5)
    return math.log(share / (1 - share))  # NaN of NaN
