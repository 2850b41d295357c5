"""Rows to sums that decide a measure, and such sums to its figures: a resampled data set is nothing but other sums."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from decimal import Context
from itertools import chain, combinations
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.entities.settings import EntitySettings
from fairsum_utils.families.tally import Figures, OriginalsTally
from fairsum_utils.families.warnings import MOST_PAIRED
from fairsum_utils.measures._divergence import shares
from fairsum_utils.measures.entity_hallucination import entity_hallucination
from fairsum_utils.measures.entity_inclusion import (
    direction,
    entity_inclusion,
    inclusion_shares,
    largest_log_odds_ratio,
    log_odds_ratio,
)
from fairsum_utils.measures.word_list_inclusion import share_differences, word_list_inclusion
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.intervals import Method, difference_interval
from fairsum_utils.stats.permutation import permutation_p_value
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums


class Tally(OriginalsTally[EntitySettings]):
    """The sums that one measure takes from the rows, and its figures.

    Args:
        sums: sums of the rows, see `put`.
        settings: settings of the measure.
        groups: groups that are compared besides those of the rows.

    Attributes:
        can_redraw: whether samples can be drawn anew within their originals.
        kinds: names of what is counted of each group.
        groups: groups that are compared, in alphabetical order.
    """

    can_redraw: ClassVar[bool] = True
    interval: ClassVar[Method] = "corrected"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"by_group": (0.0, 1.0)}
    kinds: tuple[str, ...]

    def __init__(self, sums: AnySums, settings: EntitySettings, groups: Sequence[str] = ()) -> None:
        known = chain.from_iterable(sums.of(self.name(kind)) for kind in self.kinds)
        self.groups = sorted({*groups, *known})
        super().__init__(sums, settings)

    def _keys(self) -> list[Key]:
        return [(self.name(kind), group) for kind in self.kinds for group in self.groups]

    @classmethod
    @abstractmethod
    def put(cls, sums: Sums, originals: Originals) -> dict[Key, Column]:
        """Add what the measure needs to sums; columns that can be drawn anew within originals are returned."""

    @classmethod
    def _put_counts(
        cls, sums: Sums, originals: Originals, counted: Mapping[str, Sequence[Mapping[str, int]]]
    ) -> dict[Key, Column]:
        """Add what each sample has of each kind, by group."""
        columns: dict[Key, Column] = {}
        for kind, counts in counted.items():
            by_group: dict[str, list[tuple[int, int]]] = {}
            for place, count in enumerate(counts):
                for group, n in count.items():
                    by_group.setdefault(group, []).append((place, n))
            for group, pairs in sorted(by_group.items()):
                places, numbers = np.array(pairs, dtype=np.int64).T
                columns[cls.name(kind), group] = Column(places, numbers.astype(np.float64))
        originals.put(sums, columns)
        return columns

    @property
    def n_differences(self) -> int:
        """Differences of which the score is the largest."""
        return len(self.groups) * (len(self.groups) - 1) // 2

    @property
    def within(self) -> bool:
        """Whether something comes out otherwise when samples are drawn anew within their originals."""
        n_alone = self.sums.n_samples - self.sums.counts[("paired",)]
        return self.can_redraw and n_alone + self.sums.n_distinct("pairs") > self.n_articles

    def counts(self, sums: Floats) -> list[Floats]:
        """Sums of the columns by kind, each of shape (..., G)."""
        return np.split(sums, len(self.kinds), axis=-1)

    def details(self, figures: Figures) -> dict[str, Any]:
        """Figures and counts by group, and what the measure adds."""
        by_group = {"": figures.statistics["by_group"].tolist()}
        by_group |= {f"_{level}": found["by_group"] for level, found in figures.intervals.items()}
        return {
            **{
                f"{self.measure}_by_group{end}": dict(zip(self.groups, own, strict=True))
                for end, own in by_group.items()
            },
            "counts_by_group": self.counts_by_group(),
            **self.more(figures),
            **({"n_unpaired": self.sums.counts[("unpaired",)]} if "ci_within" in figures.intervals else {}),
        }

    def more(self, figures: Figures) -> dict[str, Any]:
        """Add the figures of one measure; none by default."""
        return {}

    def counts_by_group(self) -> dict[str, dict[str, int]]:
        """Group -> kind -> count."""
        table = np.stack(self.counts(self.totals), axis=-1).astype(np.int64).tolist()
        rows = zip(self.groups, table, strict=True)
        return {group: dict(zip(self.kinds, counts, strict=True)) for group, counts in rows}

    def _undefined(self) -> str:
        if len(self.groups) < 2:
            return f"one group only ({self.groups[0]}): nothing to compare" if self.groups else "no group was found"
        return self._lacking()

    @abstractmethod
    def _lacking(self) -> str:
        """Explain why the score is NaN though there are samples and several groups."""


class WordLists(Tally):
    """Identifiers in the summaries and, if these are the reference, in the sources."""

    measure = "word_list_inclusion"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"by_group": (-1.0, 1.0)}
    recorded = ("summary_words", "source_words")

    def __init__(self, sums: AnySums, settings: EntitySettings, groups: Sequence[str] = ()) -> None:
        self.kinds = self._kinds(settings)
        super().__init__(sums, settings, groups)

    @staticmethod
    def _kinds(settings: EntitySettings) -> tuple[str, ...]:
        return ("summaries", "sources") if settings.reference == "source" else ("summaries",)

    @classmethod
    def put(cls, sums: Sums, originals: Originals) -> dict[Key, Column]:
        """Add the identifiers of each group."""
        kinds = zip(cls._kinds(originals.settings), cls.recorded, strict=False)
        return cls._put_counts(sums, originals, {kind: originals.entries(name, cls.measure) for kind, name in kinds})

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compute what has intervals from sums of the columns, see `OriginalsTally`."""
        counts = self.counts(sums)
        return {"score": word_list_inclusion(*counts), "by_group": share_differences(*counts)}

    def _lacking(self) -> str:
        kinds = zip(self.kinds, self.counts(self.totals), strict=True)
        where = " or in the ".join(kind for kind, counts in kinds if not counts.any())
        return f"no identifier of any group in the {where}"


class Inclusion(Tally):
    """Entities of the sources, and those of them that the summaries mention."""

    measure = "entity_inclusion"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {
        "by_group": (0.0, 1.0),
        "log_odds_ratio": (-math.inf, math.inf),
    }
    recorded = ("n_mentions", "entities", "n_ambiguous", "evidence")
    is_tested = True
    kinds = ("included", "entities")

    @classmethod
    def put(cls, sums: Sums, originals: Originals) -> dict[Key, Column]:
        """Add the persons of each group and those of them that are included; the test's are drawn when asked for."""
        persons = originals.entries("entities", cls.measure)
        sums.counts[(cls.name("ambiguous"),)] = sum(originals.entries("n_ambiguous", cls.measure))
        groups = sorted({group for own in persons for group, _ in own})
        sums.draw_later(
            [(cls.name("permuted"), group) for group in groups], lambda: _permuted(originals, persons, groups)
        )
        included = [Counter(group for group, is_included in own if is_included) for own in persons]
        entities = [Counter(group for group, _ in own) for own in persons]
        return cls._put_counts(sums, originals, {"included": included, "entities": entities})

    def ratios(self) -> Mapping[str, Sequence[tuple[Floats, Floats]]]:
        """Give the numerator and denominator of means and shares, by original."""
        if self.settings.continuity:  # then a share is no ratio of sums
            return {}
        columns = ([self.sums.by_unit((self.name(kind), group)) for group in self.groups] for kind in self.kinds)
        return {"by_group": list(zip(*columns, strict=True))}

    def _over_originals(self, statistic: str, replicates: Floats, level: float) -> list[list[float]]:
        """Intervals over originals; a log odds ratio that never varies has that of two shares drawn apart."""
        found = super()._over_originals(statistic, replicates, level)
        if statistic != "log_odds_ratio" or not np.isnan(found).any():
            return found
        shares = self._shares(*self.counts(self.totals))
        odds = [_logit(share) for share in shares.tolist()]
        by_group = super()._over_originals("by_group", shares[None], level)
        ends = [(_logit(low), _logit(high)) for low, high in by_group]
        apart = [difference_interval(odds[a], ends[a], odds[b], ends[b]) for a, b in self.pairs]
        return [
            list(other) if math.isnan(own[0]) and all(map(math.isfinite, other)) else own
            for own, other in zip(found, apart, strict=True)
        ]

    def _shares(self, included: Floats, entities: Floats) -> Floats:
        return inclusion_shares(included, entities, self.settings.continuity or 0.0)

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compute what has intervals from sums of the columns, see `OriginalsTally`."""
        included, entities = self.counts(sums)
        p = self._shares(included, entities)
        pairs = np.array(self.pairs, dtype=np.intp).reshape(-1, 2)
        return {
            "score": entity_inclusion(included, entities, self.settings.continuity or 0.0),
            "by_group": p,
            "log_odds_ratio": log_odds_ratio(p[..., pairs[:, 0]], p[..., pairs[:, 1]]),
        }

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Places of the groups whose odds are compared: of all pairs, or of many groups the two that differ most."""
        if len(self.groups) <= MOST_PAIRED:
            return list(combinations(range(len(self.groups)), 2))
        p = self._shares(*self.counts(self.totals))
        known = np.flatnonzero(~np.isnan(p))
        if not len(known):
            return []
        first, second = sorted((int(known[p[known].argmax()]), int(known[p[known].argmin()])))
        return [(first, second)] if first != second else []

    def more(self, figures: Figures) -> dict[str, Any]:
        """Add the figures of this measure."""
        most, least = direction(self._shares(*self.counts(self.totals)))
        return {
            "log_odds_ratios": [
                {
                    "group_a": self.groups[a],
                    "group_b": self.groups[b],
                    **figures.entry("log_odds_ratio", place, "log_odds_ratio"),
                }
                for place, (a, b) in enumerate(self.pairs)
            ],
            "most_included": None if most is None else self.groups[most],
            "least_included": None if least is None else self.groups[least],
            "p_value": self._p_value(),
            "n_ambiguous": self.sums.counts[(self.name("ambiguous"),)],
        }

    def _p_value(self) -> float:
        included, entities = self.counts(self.totals)
        if len(self.groups) < 2 or not entities.all():
            return math.nan
        drawn = self.drawn([(self.name("permuted"), group) for group in self.groups], self.settings.n_permutations)
        observed, replicates = (largest_log_odds_ratio(self._shares(each, entities)) for each in (included, drawn))
        return permutation_p_value(float(observed), replicates)

    def _lacking(self) -> str:
        included, entities = self.counts(self.totals)
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

    @classmethod
    def put(cls, sums: Sums, originals: Originals) -> dict[Key, Column]:
        """Add the hallucinated persons of each group, how often each name stands, and what summaries look like."""
        tokens, mentions = (originals.entries(name, cls.measure) for name in ("n_tokens", "n_mentions"))
        names = originals.entries("hallucinated", cls.measure)
        numbers = {
            "tokens": sum(tokens),
            "tokens_squared": sum(n * n for n in tokens),
            "entities": sum(mentions),
            "entities_squared": sum(n * n for n in mentions),
            "hallucinated": sum(map(len, names)),
        }
        sums.counts.update({(cls.name(what),): n for what, n in numbers.items()})
        strangers = chain.from_iterable(names)
        sums.named[cls.measure] = Counter((name,) if group is None else (name, group) for name, group in strangers)
        known = [Counter(group for _, group in own if group is not None) for own in names]
        return cls._put_counts(sums, originals, {"hallucinated": known})

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compute what has intervals from sums of the columns, see `OriginalsTally`."""
        return {"score": entity_hallucination(sums), "by_group": shares(sums)}

    def ratios(self) -> Mapping[str, Sequence[tuple[Floats, Floats]]]:
        """Give the numerator and denominator of means and shares, by original."""
        by_group = [self.sums.by_unit(key) for key in self.keys]
        return {"by_group": [(numbers, np.sum(by_group, axis=0)) for numbers in by_group]}

    def _count(self, what: str) -> int:
        return self.sums.counts[(self.name(what),)]

    def more(self, figures: Figures) -> dict[str, Any]:
        """Add the figures of this measure."""
        n, n_mentions = self._count("hallucinated"), self._count("entities")
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
        """Mean and deviation over the samples, rounded once."""
        n, total, squares = self.sums.n_samples, self._count(what), self._count(f"{what}_squared")
        if not n:
            return {f"mean_{what}": math.nan, f"sd_{what}": math.nan}
        root = _PRECISE.sqrt(_PRECISE.create_decimal(n * squares - total**2))
        return {f"mean_{what}": total / n, f"sd_{what}": float(_PRECISE.divide(root, n))}

    def _lacking(self) -> str:
        n = self._count("hallucinated")
        return f"none of {n} hallucinated entities has a known group" if n else "no entity is hallucinated"


_PRECISE = Context(prec=60)
"""More digits than a float has."""
_MOST_NAMED = 10
"""Most hallucinated names that a result lists."""


def _ranked(counts: Mapping[Key, int]) -> list[dict[str, Any]]:
    """List the most frequent names, ties in alphabetical order; a name of two groups stands twice."""
    ordered = sorted(counts.items(), key=lambda entry: (-entry[1], entry[0]))[:_MOST_NAMED]
    return [{"name": name, "group": group[0] if group else None, "count": n} for (name, *group), n in ordered]


def _permuted(originals: Originals, persons: Sequence[Sequence[tuple[str, bool]]], groups: Sequence[str]) -> Floats:
    """Count the included persons of each group under random groups, shape (permutations, groups)."""
    codes = {group: code for code, group in enumerate(groups)}
    labels = np.array([codes[group] for own in persons for group, _ in own], dtype=np.int64)
    inside = np.array([is_included for own in persons for _, is_included in own], dtype=np.bool_)
    samples = np.repeat(np.arange(len(originals)), list(map(len, persons)))
    return originals.permuted(inside, labels, samples, len(groups))


def _logit(share: float) -> float:
    """The logarithm of the odds of a share."""
    return math.log(share / (1 - share)) if 0 < share < 1 else math.copysign(math.inf, share - 0.5)
