"""Entity inclusion: source persons that summaries mention, and their permutation test."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.families.entities.samples import Originals
from fairsum_utils.families.entities.tally import Tally, put_counts
from fairsum_utils.families.warnings import MOST_PAIRED
from fairsum_utils.measures import entity_inclusion as formulas
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.intervals import Ends, difference_interval
from fairsum_utils.stats.permutation import permutation_p_value
from fairsum_utils.stats.sums import Column, Key, Sums


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
        included = ((place, group, 1) for group, is_included, place in every if is_included)
        of_sources = ((place, group, 1) for group, _, place in every)
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


def _logit(share: float) -> float:
    """Return the log odds of a share."""
    if share in (0, 1):
        return math.copysign(math.inf, share - 0.5)
    return math.log(share / (1 - share))  # NaN of NaN
