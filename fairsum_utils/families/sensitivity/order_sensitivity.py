"""Order sensitivity: use of sources by position, and fairness by order."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.sensitivity.matching import MATCHERS, NLI, N, entailed, fields_of, matchers_with
from fairsum_utils.families.sensitivity.orders import PARTS, SCORES, TAU, add_set, identify, ordered_sets
from fairsum_utils.families.sensitivity.relabelling import GRAIN, share_reaching
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.tally import Collected, Tally, too_many
from fairsum_utils.families.warnings import CountWarning
from fairsum_utils.measures import order_sensitivity as formulas
from fairsum_utils.measures._sensitivity import SensitivityMeasure
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.sums import Key, Sums

_TESTED = ("p_value", "null_sd", "p_method")


class OrderSensitivity(Tally):
    """Primacy of sets, gains of groups that come first, and fairness scores by order.

    Its figures are ``primacy`` of each matcher; ``gain``, ``share_first`` and ``share_later`` of each group too;
    ``part`` of each position; each of `SCORES` of each variant, and their ``deviation``.
    """

    measure = "order_sensitivity"
    settings: formulas.OrderSensitivity
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"parts": (0.0, math.inf)}
    ways = "orders"
    salt = 4
    warned = (
        CountWarning(
            "one_order",
            "{} sets have only one source or one order and therefore no score",
            "order_sensitivity.one_order",
            "articles",
        ),
        CountWarning(
            "unmatched",
            "{} sets have fewer than two summaries that share a word with their sources and therefore no score",
            "order_sensitivity.unmatched",
            "articles",
        ),
    )
    recorded = ("source_values", *(fields_of(matcher)[0] for matcher in (*MATCHERS, NLI)))

    @classmethod
    def check(cls, settings: SensitivityMeasure, sample: Sample) -> None:
        """Check that a sample has sources."""
        if sample.sources is None:
            raise InputError(
                f"{settings.module}: sample {sample.index}: sources is None; give every sample its sources"
            )

    @classmethod
    def read(cls, scorer: SensitivityScorer, samples: Sequence[Sample]) -> Iterable[Mapping[str, Any]]:
        """Read the shares of each source in a summary, by matcher."""
        given = [(sample.prediction, sample.sources or (), sample.values or ()) for sample in samples]
        texts = [(prediction, sources) for prediction, sources, _ in given]
        by_matcher = {name: [match(*each) for each in texts] for name, match in MATCHERS.items()}
        if scorer.settings.matcher == NLI:
            by_matcher[NLI] = entailed(texts, scorer.entailer())
        for place, (_, sources, values) in enumerate(given):
            found: dict[str, Any] = {"source_ids": identify(sources, values), "source_values": values}
            for name, matched in by_matcher.items():
                numbers = (None if each is None else tuple(each.tolist()) for each in matched[place])
                found |= dict(zip(fields_of(name), numbers, strict=True))
            yield found

    @classmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """Return n-gram length, BUR's tolerance and the model."""
        asks = scorer.settings.matcher == NLI
        named = {"matcher": f"{NLI}({scorer.entailer().name})"} if asks else {}
        return {**named, "n": N, "tau": TAU}

    @classmethod
    def collect(cls, found: Collected, sums: Sums, scorer: SensitivityScorer) -> None:
        """Add each set's figures by matcher, and reasons for missing ones."""
        originals = found.originals
        for matcher in matchers_with(originals.settings.matcher):
            sets = list(ordered_sets(originals, cls.measure, matcher))
            n_scored = sum(add_set(found, matcher, each) for each in sets)
            sums.counts[cls.name("unmatched"), matcher] += len(sets) - n_scored
            sums.counts[cls.name("one_order"), matcher] += len(originals.names) - len(sets)
        for reason in map(cls.name, ("unmatched", "one_order")):
            sums.counts[reason,] = min(sums.counted(reason).values())  # whatever the matcher

    @cached_property
    def values(self) -> list[str]:
        """Groups of sources with a gain."""
        gains = self.name("sum"), "gain", self.settings.matcher
        return sorted({key[3] for key in self.sums.columns if key[:3] == gains})

    @cached_property
    def matchers(self) -> tuple[str, ...]:
        """Reported matchers, the chosen one first."""
        chosen = self.settings.matcher
        return (chosen, *(matcher for matcher in matchers_with(chosen) if matcher != chosen))

    @cached_property
    def averaged(self) -> list[Key]:
        """Primacies, gains and parts."""
        chosen = self.settings.matcher
        return [
            *(("primacy", matcher) for matcher in self.matchers),
            *(("gain", chosen, value) for value in self.values),
            *(("part", chosen, part) for part in PARTS),
        ]

    @property
    def n_articles_scored(self) -> int:
        """Return the number of sets with a primacy from the chosen matcher."""
        return self.n("primacy", self.settings.matcher)

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Average over sets, with ``parts`` apart, whose limits differ."""
        return self._apart(super().statistics(sums))

    def sizes(self) -> Mapping[str, Floats]:
        """Return the number of sets behind each statistic."""
        return self._apart(super().sizes())

    def _apart(self, found: Mapping[str, Floats]) -> dict[str, Floats]:
        means, parts = np.split(found["means"], [-len(PARTS)], axis=-1)
        return {**found, "means": means, "parts": parts}

    def details(self) -> dict[str, Any]:
        """Return test, matchers, positions, groups that come first, and fairness by order."""
        chosen = self.settings.matcher
        primacies = self.tested([("primacy", matcher) for matcher in self.matchers], "primacy", *_TESTED)
        by_matcher = {
            matcher: {**entry, "parts": {part: self.mean("part", matcher, part) for part in PARTS}}
            for matcher, entry in zip(self.matchers, primacies, strict=True)
        }
        gains = self.tested([("gain", chosen, value) for value in self.values], "gain")
        shares = {"first": "share_first", "later": "share_later"}
        return {
            "matcher": chosen,
            **{key: by_matcher[chosen][key] for key in _TESTED},
            "by_matcher": {matcher: by_matcher[matcher] for matcher in matchers_with(chosen)},
            "parts": [{"part": part, **self.figure("parts", place, "ratio")} for place, part in enumerate(PARTS)],
            "first_values": [
                {"value": value, **{key: self.mean(share, chosen, value) for key, share in shares.items()}, **gain}
                for value, gain in zip(self.values, gains, strict=True)
            ],
            "scores_by_order": {score: self._by_order(score) for score in SCORES},
            "n_articles_scored": self.n_articles_scored,
            "n_one_order": self.count("one_order", chosen),
            "n_unmatched": self.count("unmatched", chosen),
        }

    def _by_order(self, score: str) -> dict[str, Any]:
        """Return a fairness score of each variant, and their range."""
        chosen = self.settings.matcher
        variants = [] if too_many(self.variants) else self.variants
        found = {variant: self.mean(score, chosen, variant) for variant in variants if self.n(score, chosen, variant)}
        spread = max(found.values()) - min(found.values()) if len(found) > 1 else math.nan
        return {
            "by_variant": found,
            "spread": spread,
            "p_value": self._p_of_spread([(score, chosen, variant) for variant in found], spread),
            "within_sets": self.mean("deviation", chosen, score),
        }

    def _p_of_spread(self, keys: Sequence[Key], spread: float) -> float:
        if math.isnan(spread):
            return math.nan
        n = np.array([self.total("n", *key) for key in keys])
        by_chance, method = self.by_chance(keys)
        return share_reaching(spread - len(self.variants) / GRAIN, np.ptp(by_chance / n, axis=1), method)

    def _undefined(self) -> str:
        if self.count("unmatched", self.settings.matcher):
            return f"no set has two summaries that match its sources (matcher {self.settings.matcher})"
        return "no set has both two sources and two orders, so there is nothing to compare"
