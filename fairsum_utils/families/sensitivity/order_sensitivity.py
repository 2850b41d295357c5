"""Order sensitivity: what summaries draw on by place, by which value came first, and fairness scores by order."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.cautions import Caution
from fairsum_utils.families.sensitivity.comparing import get_entailer
from fairsum_utils.families.sensitivity.gathering import too_many
from fairsum_utils.families.sensitivity.matching import MATCHERS, NLI, N, entailed, matchers_with
from fairsum_utils.families.sensitivity.order_statistics import PARTS, SCORES, TAU, SetStatistics
from fairsum_utils.families.sensitivity.ordered_sets import identify, ordered_sets
from fairsum_utils.families.sensitivity.originals import GRAIN, Originals, grains
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.settings import SensitivitySettings
from fairsum_utils.families.sensitivity.tally import Intervals, Tally
from fairsum_utils.families.sensitivity.ways import MOST_EXACT, all_orders, random_orders
from fairsum_utils.measures.order_sensitivity import order_sensitivity
from fairsum_utils.stats.arrays import Floats, Integers
from fairsum_utils.stats.permutation import TOLERANCE, null_sd, permutation_p_value
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums, digest_of
from fairsum_utils.stats.tests import holm
from fairsum_utils.text.languages import check_script

__all__ = ["TALLY", "OrderSensitivity"]

_REASONS = {
    "one_order": "{} sets have one source or one order only, and no score",
    "unmatched": "{} sets have fewer than two orders whose summary has any words of its sources, and no score",
}
"""Why a set has no score -> what is to be said of such sets."""
_BOTH = ("numbers", "counts")
_OFFLINE = "matcher='lexical'"


class OrderSensitivity(Tally):
    """The primacy of sets, the gains of values that come first, and fairness scores by order."""

    measure = "order_sensitivity"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {"by_part": (0.0, math.inf)}
    is_tested = True
    recorded = ("source_values", *(f"{matcher}_shares" for matcher in (*MATCHERS, NLI)))

    @classmethod
    def asks_model(cls, settings: SensitivitySettings) -> bool:
        """Whether a model says which source entails what."""
        return settings.matcher == NLI

    @classmethod
    def check(cls, settings: SensitivitySettings, sample: Sample) -> None:
        """Refuse a sample without sources, and texts whose words nobody can cut."""
        if sample.sources is None:
            raise InputError(
                f"{settings.module}: sample {sample.index}: sources is None; give sources with every sample"
            )
        check_script(settings.module, sample.index, "the summary", sample.prediction)
        for source in sample.sources:
            check_script(settings.module, sample.index, "a source", source)

    @classmethod
    def read(cls, scorer: SensitivityScorer, samples: Sequence[Sample]) -> Iterable[Mapping[str, Any]]:
        """What each summary has of each source, by every matcher."""
        given = [(sample.prediction, sample.sources or (), sample.values or ()) for sample in samples]
        texts = [(prediction, sources) for prediction, sources, _ in given]
        by_matcher = {name: [match(*each) for each in texts] for name, match in MATCHERS.items()}
        if cls.asks_model(scorer.settings):
            by_matcher[NLI] = entailed(texts, get_entailer(scorer, offline=_OFFLINE))
        for place, (_, sources, values) in enumerate(given):
            found: dict[str, Any] = {"source_ids": identify(sources, values), "source_values": values}
            for name, matched in by_matcher.items():
                shares, coverage = matched[place]
                found[f"{name}_shares"] = None if shares is None else tuple(shares.tolist())
                found[f"{name}_coverage"] = tuple(coverage.tolist())
            yield found

    @classmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """How many words an n-gram has, the tolerance of BUR, and of a model its name."""
        asks = cls.asks_model(scorer.settings)
        named = {"matcher": f"{NLI}({get_entailer(scorer, offline=_OFFLINE).name})"} if asks else {}
        return {**named, "n": N, "tau": TAU}

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: SensitivityScorer) -> Mapping[Key, Column]:
        """Add what each set has by each matcher, the sums under permutations, and why others have nothing."""
        columns: dict[Key, list[tuple[int, float]]] = defaultdict(list)
        pulls: dict[Key, list[tuple[Integers, Floats]]] = defaultdict(list)
        for matcher in matchers_with(originals.settings.matcher):
            sets = list(ordered_sets(originals, cls.measure, matcher))
            traced = []
            for each in sets:
                scored = SetStatistics.of(each, originals)
                if scored is None:
                    sums.counts[(cls.name("unmatched"), matcher)] += 1
                    continue
                traced.append(scored)
                for key, number in scored.numbers.items():
                    columns[(cls.name("numbers"), matcher, *key)].append((each.original, number))
                    columns[(cls.name("counts"), matcher, *key)].append((each.original, scored.counts.get(key, 1.0)))
                for key, (places, pull) in scored.pulls.items():
                    pulls[(cls.name("numbers"), matcher, *key)].append((places, pull))
            sums.counts[(cls.name("one_order"), matcher)] += len(originals.names) - len(sets)
            cls._draw(sums, originals, matcher, traced)
        for name, entries in columns.items():
            sums.put(name, [number for _, number in entries], np.array([place for place, _ in entries]))
        return {
            key: Column(np.concatenate([places for places, _ in parts]), np.concatenate([pull for _, pull in parts]))
            for key, parts in pulls.items()
        }

    @classmethod
    def _draw(cls, sums: Sums, originals: Originals, matcher: str, sets: Sequence[SetStatistics]) -> None:
        """What all statistics would be had the summaries of each set been handed to its orders otherwise.

        In all ways, where there are few; or at random, where each set draws by itself, so that what parts of the data
        give adds up to the bit.
        """
        keys = sorted({key for each in sets for key in each.traced})
        if not keys:
            return
        n = originals.settings.n_permutations

        def exact() -> Floats:
            total = np.zeros((1, len(keys)))
            for each in sets:
                traces = _traces(each, keys, all_orders(each.k))
                total = (total[:, None] + traces).reshape(-1, len(keys))
            return total / GRAIN

        def permuted() -> Floats:
            total = np.zeros((n, len(keys)))
            for each in sets:
                generator = np.random.default_rng([originals.seed, digest_of(originals.names[each.original]), 4])
                total += _traces(each, keys, random_orders(each.k, n, generator))
            return total / GRAIN

        is_exact = originals.settings.bootstrap is None and _are_few(each.k for each in sets)
        kind, draw = ("exact", exact) if is_exact else ("permuted", permuted)
        sums.draw_later([(cls.name(kind), matcher, *key) for key in keys], draw)

    @classmethod
    def cautions(cls, sums: AnySums) -> list[Caution]:
        """Sets without a score by any matcher."""
        n = sums.n_distinct("articles")
        found: list[Caution] = []
        for reason, said in _REASONS.items():
            matchers = sums.counted(cls.name("one_order"))
            fewest = min((sums.counts[(cls.name(reason), matcher)] for matcher in matchers), default=0)
            found += Caution.of(reason, fewest, n, said)
        return found

    def __init__(self, sums: AnySums, settings: SensitivitySettings) -> None:
        gains = self.name("numbers"), settings.matcher, "gain"
        self.values = sorted({key[3] for key in sums.columns if key[:3] == gains})
        self.matchers = matchers_with(settings.matcher)
        super().__init__(sums, settings)

    @property
    def _of_interest(self) -> list[tuple[str, ...]]:
        """What has intervals: of every matcher the primacy, of the chosen one what comes first, and thirds by place."""
        chosen = self.settings.matcher
        return [
            *((matcher, "primacy") for matcher in self.matchers),
            *((chosen, "gain", value) for value in self.values),
            *((chosen, "part", part) for part in PARTS),
        ]

    def _keys(self) -> list[Key]:
        return [(self.name(kind), *key) for kind in _BOTH for key in self._of_interest]

    @property
    def n_articles_scored(self) -> int:
        """Sets that have a primacy by the chosen matcher."""
        return int(self._count(self.settings.matcher, "primacy"))

    def _count(self, *key: str) -> float:
        return self.sums.total(self.name("counts"), *key)

    def _mean(self, *key: str) -> float:
        n = self._count(*key)
        return self.sums.total(self.name("numbers"), *key) / n if n else math.nan

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """``score``, and by matcher, by value and by place."""
        found = self._parts(order_sensitivity(*np.split(sums, 2, axis=-1)))
        return {"score": found["by_matcher"][..., self.matchers.index(self.settings.matcher)], **found}

    def _parts(self, of_interest: Floats) -> dict[str, Floats]:
        """What there is of interest, by kind."""
        n_matchers, n_values = len(self.matchers), len(self.values)
        parts = np.split(of_interest, [n_matchers, n_matchers + n_values], axis=-1)
        return dict(zip(("by_matcher", "by_value", "by_part"), parts, strict=True))

    def sizes(self) -> Mapping[str, Floats]:
        """Sets that have a primacy by a matcher, a gain of a value, or sources in a third."""
        return self._parts(np.split(self.totals, 2)[1])

    def details(self, statistics: Mapping[str, Floats], intervals: Intervals) -> dict[str, Any]:
        """The test, the matchers, places, values that come first, and fairness scores by order."""
        chosen = self.settings.matcher

        def with_intervals(statistic: str, place: int) -> dict[str, Any]:
            return {level: interval[statistic][place] for level, interval in intervals.items()}

        by_matcher = {
            matcher: {
                "primacy": float(statistics["by_matcher"][place]),
                **with_intervals("by_matcher", place),
                **self._test(matcher, "primacy"),
                "p_method": self._p_method(matcher),
                "parts": {part: self._mean(matcher, "part", part) for part in PARTS},
                "n_articles": int(self._count(matcher, "primacy")),
            }
            for place, matcher in enumerate(self.matchers)
        }
        return {
            "matcher": chosen,
            **{key: by_matcher[chosen][key] for key in ("p_value", "null_sd", "p_method")},
            "by_matcher": by_matcher,
            "parts": [
                {"part": part, "ratio": float(statistics["by_part"][place]), **with_intervals("by_part", place)}
                for place, part in enumerate(PARTS)
            ],
            "first_values": self._first_values(statistics, with_intervals),
            "scores_by_order": {score: self._by_order(score) for score in SCORES},
            "n_articles_scored": self.n_articles_scored,
            "n_one_order": self.sums.counts[(self.name("one_order"), chosen)],
            "n_unmatched": self.sums.counts[(self.name("unmatched"), chosen)],
        }

    def _first_values(self, statistics: Mapping[str, Floats], with_intervals: Any) -> list[dict[str, Any]]:
        chosen = self.settings.matcher
        tests = [self._test(chosen, "gain", value) for value in self.values]
        corrected = holm([test["p_value"] for test in tests])
        return [
            {
                "value": value,
                "first": self._mean(chosen, "share_first", value),
                "later": self._mean(chosen, "share_later", value),
                "gain": float(statistics["by_value"][place]),
                **with_intervals("by_value", place),
                **tests[place],
                "p_value_corrected": corrected[place],
                "n_articles": int(self._count(chosen, "gain", value)),
            }
            for place, value in enumerate(self.values)
        ]

    def _by_order(self, score: str) -> dict[str, Any]:
        """A fairness score of each variant, and how far apart these are."""
        chosen = self.settings.matcher
        variants = [] if too_many(self.variants) else self.variants
        keys = [(score, variant) for variant in variants if self._count(chosen, score, variant)]
        found = {variant: self._mean(chosen, score, variant) for _, variant in keys}
        spread = max(found.values()) - min(found.values()) if len(found) > 1 else math.nan
        return {
            "by_variant": found,
            "spread": spread,
            "p_value": self._p_of_spread(keys, spread),
            "within_sets": self._mean(chosen, "deviation", score),
        }

    def _p_method(self, matcher: str) -> str | None:
        """How p-values by a matcher are found."""
        if not self._count(matcher, "primacy"):
            return None
        return "drawn" if self.sums.drawn(self.name("exact"), matcher, "primacy") is None else "exact"

    def _by_chance(self, keys: Sequence[tuple[str, ...]]) -> tuple[Floats, bool]:
        """What statistics are if the summaries of each set are handed to its orders anew, and whether in all ways.

        Args:
            keys: matcher and statistic, of one matcher.

        Returns:
            Sums over sets, shape (ways, keys).
        """
        every = [sums for key in keys if (sums := self.sums.drawn(self.name("exact"), *key)) is not None]
        if len(every) == len(keys):
            return np.stack(every, axis=1), True
        return self.drawn([(self.name("permuted"), *key) for key in keys], self.settings.n_permutations), False

    def _test(self, *key: str) -> dict[str, float]:
        """The p-value, two-sided, and the standard deviation of the mean by chance."""
        n = self._count(*key)
        if not n:
            return {"p_value": math.nan, "null_sd": math.nan}
        observed = abs(self.sums.total(self.name("numbers"), *key))
        by_chance, is_exact = self._by_chance([key])
        p_value = _reached(observed - (n + 1) / GRAIN, np.abs(by_chance[:, 0]), is_exact=is_exact)
        return {"p_value": p_value, "null_sd": null_sd(by_chance[:, 0], n)}

    def _p_of_spread(self, keys: Sequence[tuple[str, ...]], spread: float) -> float:
        if math.isnan(spread):
            return math.nan
        named = [(self.settings.matcher, *key) for key in keys]
        n = np.array([self._count(*key) for key in named])
        by_chance, is_exact = self._by_chance(named)
        return _reached(spread - len(self.variants) / GRAIN, np.ptp(by_chance / n, axis=1), is_exact=is_exact)

    def undefined(self) -> str:
        """Why no set has a primacy."""
        if not self.sums.n_samples:
            return "no sample left to score"
        if self.sums.counts[(self.name("unmatched"), self.settings.matcher)]:
            return f"no two summaries of a set have anything of its sources, by the matcher {self.settings.matcher}"
        return "no set has two sources and two orders: nothing to compare"


def _reached(observed: float, by_chance: Floats, *, is_exact: bool) -> float:
    """How often chance gives a statistic as large: in all ways, or in random ones and the observed one."""
    return float((by_chance >= observed - TOLERANCE).mean()) if is_exact else permutation_p_value(observed, by_chance)


def _are_few(orders: Iterable[int]) -> bool:
    """Whether all ways to hand the summaries of sets to their orders can be taken, of each set any."""
    n_ways = 1
    for k in orders:
        n_ways *= math.factorial(min(k, 10))  # more than ten orders alone have too many
        if n_ways > MOST_EXACT:
            return False
    return True


def _traces(scored: SetStatistics, keys: Sequence[Key], orders: Integers) -> Floats:
    """What the statistics of a set would be in other orders, whole numbers of `GRAIN`; 0 where it has none.

    Args:
        scored: the set.
        keys: statistics.
        orders: of its summaries, shape (ways, k).

    Returns:
        Shape (ways, keys).
    """
    found = np.zeros((len(orders), len(keys)))
    own = [place for place, key in enumerate(keys) if key in scored.traced]
    matrices = np.stack([scored.traced[keys[place]] for place in own])
    found[:, own] = grains(matrices[:, np.arange(scored.k), orders].sum(axis=-1).T)
    return found


TALLY = OrderSensitivity
