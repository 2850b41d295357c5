"""Order sensitivity: use of sources by position, and fairness by order."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.originals import Gathering
from fairsum_utils.families.sensitivity.matching import MATCHERS, NLI, N, entailed, fields_of, matchers_with
from fairsum_utils.families.sensitivity.orders import PARTS, SCORES, TAU, SetStatistics, identify, ordered_sets
from fairsum_utils.families.sensitivity.samples import GRAIN, Originals, Sample, grains
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.tally import Relabelled, Tally, label_ways, share_reaching, too_many
from fairsum_utils.families.tally import Figures
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures import order_sensitivity as formulas
from fairsum_utils.measures._sensitivity import SensitivityMeasure
from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums
from fairsum_utils.stats.tests import holm

# Reason why a set has no score -> its warning.
_REASONS = {
    "one_order": "{} sets have only one source or one order and therefore no score",
    "unmatched": "{} sets have fewer than two summaries that share a word with their sources and therefore no score",
}
# Most orders of a set whose ways are counted: more alone have too many to take all of them.
_MOST_ORDERS = 10


class OrderSensitivity(Tally):
    """Primacy of sets, gains of groups that come first, and fairness scores by order."""

    measure = "order_sensitivity"
    settings: formulas.OrderSensitivity
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"by_part": (0.0, math.inf)}
    is_tested = True
    salt = 4
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
    def put(cls, sums: Sums, originals: Originals, scorer: SensitivityScorer) -> Mapping[Key, Column]:
        """Add each set's statistics and permutations by matcher, and reasons for missing ones."""
        columns, pulls = Gathering(), Gathering()
        for matcher in matchers_with(originals.settings.matcher):
            sets = list(ordered_sets(originals, cls.measure, matcher))
            traced = [found for each in sets if (found := SetStatistics.of(each, originals)) is not None]
            for each in traced:
                for key, number in each.numbers.items():
                    columns.add((cls.name("numbers"), matcher, *key), [each.original], [number])
                    columns.add((cls.name("counts"), matcher, *key), [each.original], [each.counts.get(key, 1.0)])
                for key, (places, pull) in each.pulls.items():
                    pulls.add((cls.name("numbers"), matcher, *key), places, pull)
            if len(traced) < len(sets):
                sums.counts[(cls.name("unmatched"), matcher)] += len(sets) - len(traced)
            sums.counts[(cls.name("one_order"), matcher)] += len(originals.names) - len(sets)
            keys = sorted({key for each in traced for key in each.traced})
            if keys:
                drawn = [_relabelled(each, keys, originals.names[each.original]) for each in traced]
                named = [(matcher, *key) for key in keys]
                cls.relabel_later(sums, named, originals, drawn)
        columns.put(sums)
        return pulls.columns()

    @classmethod
    def warnings_of(cls, sums: AnySums) -> list[WarningRecord]:
        """Warn about sets without a score from a matcher."""
        found: list[WarningRecord] = []
        matchers = sums.counted(cls.name("one_order"))
        for reason, message in _REASONS.items():
            fewest = min((sums.counts[(cls.name(reason), matcher)] for matcher in matchers), default=0)
            found += WarningRecord.of(reason, fewest, sums.n_distinct("articles"), message)
        return found

    @cached_property
    def values(self) -> list[str]:
        """Groups of sources with a gain."""
        gains = self.name("numbers"), self.settings.matcher, "gain"
        return sorted({key[3] for key in self.sums.columns if key[:3] == gains})

    @property
    def matchers(self) -> tuple[str, ...]:
        """Reported matchers."""
        return matchers_with(self.settings.matcher)

    def columns(self) -> dict[str, list[tuple[str, ...]]]:
        """Return the columns: numbers and counts of primacies, gains and parts."""
        chosen = self.settings.matcher
        of_interest = [
            *((matcher, "primacy") for matcher in self.matchers),
            *((chosen, "gain", value) for value in self.values),
            *((chosen, "part", part) for part in PARTS),
        ]
        return dict.fromkeys(("numbers", "counts"), of_interest)

    @property
    def n_articles_scored(self) -> int:
        """Return the number of sets with a primacy from the chosen matcher."""
        return int(self.total("counts", self.settings.matcher, "primacy"))

    def _mean(self, *key: str) -> float:
        n = self.total("counts", *key)
        return self.total("numbers", *key) / n if n else math.nan

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compute ``score``, and figures by matcher, group and position."""
        found = self._parts(formulas.order_sensitivity(*self.split(sums).values()))
        return {"score": found["by_matcher"][..., self.matchers.index(self.settings.matcher)], **found}

    def _parts(self, of_interest: Floats) -> dict[str, Floats]:
        """Split the columns by statistic."""
        n_matchers, n_values = len(self.matchers), len(self.values)
        parts = np.split(of_interest, [n_matchers, n_matchers + n_values], axis=-1)
        return dict(zip(("by_matcher", "by_value", "by_part"), parts, strict=True))

    def sizes(self) -> Mapping[str, Floats]:
        """Return the number of sets behind each statistic."""
        return self._parts(self.split(self.totals)["counts"])

    def _test(self, *key: str) -> dict[str, Any]:
        return self.test(self.total("numbers", *key), self.total("counts", *key), *key)._asdict()

    def details(self, figures: Figures) -> dict[str, Any]:
        """Return test, matchers, positions, groups that come first, and fairness by order."""
        chosen = self.settings.matcher
        by_matcher = {}
        for place, matcher in enumerate(self.matchers):
            test = self._test(matcher, "primacy")
            by_matcher[matcher] = {
                **figures.entry("by_matcher", place, "primacy"),
                **{key: test[key] for key in _TESTED},
                "parts": {part: self._mean(matcher, "part", part) for part in PARTS},
                "n_articles": int(self.total("counts", matcher, "primacy")),
            }
        return {
            "matcher": chosen,
            **{key: by_matcher[chosen][key] for key in _TESTED},
            "by_matcher": by_matcher,
            "parts": [{"part": part, **figures.entry("by_part", place, "ratio")} for place, part in enumerate(PARTS)],
            "first_values": self._first_values(figures),
            "scores_by_order": {score: self._by_order(score) for score in SCORES},
            "n_articles_scored": self.n_articles_scored,
            "n_one_order": self.count("one_order", chosen),
            "n_unmatched": self.count("unmatched", chosen),
        }

    def _first_values(self, figures: Figures) -> list[dict[str, Any]]:
        chosen = self.settings.matcher
        tests = [self._test(chosen, "gain", value) for value in self.values]
        corrected = holm([test["p_value"] for test in tests])
        return [
            {
                "value": value,
                "first": self._mean(chosen, "share_first", value),
                "later": self._mean(chosen, "share_later", value),
                **figures.entry("by_value", place, "gain"),
                "p_value": tests[place]["p_value"],
                "null_sd": tests[place]["null_sd"],
                "p_value_corrected": corrected[place],
                "n_articles": int(self.total("counts", chosen, "gain", value)),
            }
            for place, value in enumerate(self.values)
        ]

    def _by_order(self, score: str) -> dict[str, Any]:
        """Return a fairness score of each variant, and their range."""
        chosen = self.settings.matcher
        variants = [] if too_many(self.variants) else self.variants
        known = [variant for variant in variants if self.total("counts", chosen, score, variant)]
        found = {variant: self._mean(chosen, score, variant) for variant in known}
        spread = max(found.values()) - min(found.values()) if len(found) > 1 else math.nan
        return {
            "by_variant": found,
            "spread": spread,
            "p_value": self._p_of_spread([(chosen, score, variant) for variant in known], spread),
            "within_sets": self._mean(chosen, "deviation", score),
        }

    def _p_of_spread(self, keys: Sequence[tuple[str, ...]], spread: float) -> float:
        if math.isnan(spread):
            return math.nan
        n = np.array([self.total("counts", *key) for key in keys])
        by_chance, method = self.by_chance(keys)
        return share_reaching(spread - len(self.variants) / GRAIN, np.ptp(by_chance / n, axis=1), method)

    def _undefined(self) -> str:
        if self.count("unmatched", self.settings.matcher):
            return f"no set has two summaries that match its sources (matcher {self.settings.matcher})"
        return "no set has both two sources and two orders, so there is nothing to compare"


_TESTED = ("p_value", "null_sd", "p_method")


def _relabelled(each: SetStatistics, keys: Sequence[Key], name: str) -> Relabelled:
    """Permute the summaries of each set."""
    n_ways = math.factorial(min(each.k, _MOST_ORDERS))
    statistics, ways = partial(_traces, each, keys), partial(label_ways, (1,) * each.k)
    return Relabelled(name, np.arange(each.k), statistics, n_ways, ways, is_drawn=True)


def _traces(scored: SetStatistics, keys: Sequence[Key], orders: Integers) -> Floats:
    """Compute the statistics of a set with permuted summaries, shape (ways, keys)."""
    found = np.zeros((len(orders), len(keys)))
    own = [place for place, key in enumerate(keys) if key in scored.traced]
    matrices = np.stack([scored.traced[keys[place]] for place in own])
    found[:, own] = grains(matrices[:, np.arange(scored.k), orders].sum(axis=-1).T)
    return found


TALLY = OrderSensitivity
