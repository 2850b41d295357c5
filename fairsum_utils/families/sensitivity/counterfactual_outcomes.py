"""Counterfactual outcomes: paired differences within originals, the test of their variants, and what controls move."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice
from typing import Any, ClassVar, NamedTuple

import numpy as np

from fairsum_utils.families.cautions import Caution
from fairsum_utils.families.sensitivity.counterfactual_gap import CounterfactualGap
from fairsum_utils.families.sensitivity.extractors import Texts, extract, signature
from fairsum_utils.families.sensitivity.gathering import FLOORS, too_many
from fairsum_utils.families.sensitivity.neutral import without_changed
from fairsum_utils.families.sensitivity.originals import GRAIN, Originals, grains
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.settings import MODEL_OUTCOMES, SensitivitySettings
from fairsum_utils.families.sensitivity.tally import Intervals, Tally
from fairsum_utils.families.sensitivity.unmatched import statements_of, unmatched, without_counterpart
from fairsum_utils.families.sensitivity.unread import count_foreign, foreign_cautions, is_wordless
from fairsum_utils.families.sensitivity.ways import MOST_EXACT, MOST_LISTED
from fairsum_utils.measures.counterfactual_outcomes import (
    counterfactual_outcomes,
    mean_differences,
    spreads,
    standardized,
)
from fairsum_utils.stats.arrays import Bools, Floats, Integers, quotient, scalar
from fairsum_utils.stats.permutation import label_assignments, n_label_assignments, null_sd, permutation_p_value
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums, digest_of
from fairsum_utils.stats.tests import holm
from fairsum_utils.text.languages import check_script
from fairsum_utils.text.splitting import sentence_units

__all__ = ["TALLY", "CounterfactualOutcomes"]

_ROUNDING = 1e-12
"""A smaller share of an outcome is no distance."""
_ENGLISH = frozenset({"sentiment", "reading_level", "hedges", "modals", "toxicity", "regard"})
"""Outcomes that know English only."""
_WORDLESS = "{} scored summaries hold no letter and no digit: of such a text the length is 0, and the rest says nothing"
_FOREIGN = "sentiment, reading level, hedges, modal verbs and models read English, and tell nothing of them"
_ONE_VARIANT = "{} originals have one variant only, and no difference"

_Pair = tuple[str, str]


class _Test(NamedTuple):
    """An outcome in two variants."""

    outcome: str
    pair: _Pair


class CounterfactualOutcomes(Tally):
    """The difference of each outcome between each two variants, in every original that has both."""

    measure = "counterfactual_outcomes"
    interval = "corrected"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {
        "difference": (-math.inf, math.inf),
        "standardized": (-math.inf, math.inf),
        "units_lost": (0.0, 1.0),
        "units_added": (0.0, 1.0),
    }
    recorded = ("outcomes", "units_only_here")
    compares = True
    compared_types: ClassVar[Mapping[str, Any]] = {"units_only_here": list[str] | None}
    is_tested = True

    @classmethod
    def asks_model(cls, settings: SensitivitySettings) -> bool:
        """Whether a model tells an outcome."""
        return not set(MODEL_OUTCOMES).isdisjoint(settings.outcomes)

    @classmethod
    def check(cls, settings: SensitivitySettings, sample: Sample) -> None:
        """Refuse a summary that is not in English, whose words tell nothing."""
        check_script(settings.module, sample.index, "the summary", sample.prediction)

    @classmethod
    def read(cls, scorer: SensitivityScorer, samples: Sequence[Sample]) -> Iterable[Mapping[str, Any]]:
        """The outcomes, and what tells which units were lost."""
        written = [sample.prediction for sample in samples]
        is_neutral = scorer.settings.neutral
        neutral = (
            [without_changed(sample.prediction, sample.changed or ()) for sample in samples] if is_neutral else written
        )
        outcomes = extract(scorer, Texts(written, neutral))
        rows = zip(CounterfactualGap.read(scorer, samples), outcomes, strict=True)
        return [{**row, "outcomes": found} for row, found in rows]

    @classmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """The outcomes, and what tells them."""
        neutral = CounterfactualGap.signature(scorer, given)["neutral"]
        return {**signature(scorer), "neutral": neutral}

    def __init__(self, sums: Any, settings: SensitivitySettings) -> None:
        self.sums, self.settings = sums, settings
        self.outcomes = [name for name in settings.outcomes if sums.total(self.name("inputs"), name)]
        variants = sums.of("inputs")
        # Of parts of the data, each may have few enough variants, and all together too many.
        some = () if too_many(variants) else combinations(variants, 2)
        self.pairs: list[_Pair] = [pair for pair in some if sums.total(self.name("pairs"), *pair)]
        self.tests = [
            _Test(outcome, pair)
            for outcome in self.outcomes
            for pair in self.pairs
            if sums.total(self.name("originals"), outcome, *pair)
        ]
        super().__init__(sums, settings)

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: SensitivityScorer) -> Mapping[Key, Column]:
        """Add the differences of each original, the spread of each outcome, and what other edits move."""
        texts = [text for text in originals.column("text") if text is not None]
        sums.counts[(cls.name("wordless"),)] = sum(map(is_wordless, texts))
        if not _ENGLISH.isdisjoint(scorer.settings.outcomes):
            count_foreign(sums, cls.name, texts)
        gathered = _Gathered(cls.name, originals, sums, scorer.settings.outcomes)
        for a, b in gathered.pairs:
            gathered.add(a, b)
        if "units" in scorer.settings.outcomes:
            gathered.add_units(CounterfactualGap.compared_texts(originals))
        return gathered.pulls

    @classmethod
    def cautions(cls, sums: AnySums) -> list[Caution]:
        """Summaries that outcomes do not read, and originals without a difference."""
        if (cls.name("wordless"),) not in sums.counts:
            return []
        n, paired = sums.n_distinct("articles"), sums.counts[(cls.name("paired"),)]
        found = Caution.of("wordless", sums.counts[(cls.name("wordless"),)], sums.n_samples, _WORDLESS)
        found += foreign_cautions(sums, cls.name, _FOREIGN)
        return found + Caution.of("one_variant", n - paired, n, _ONE_VARIANT)

    @classmethod
    def compared(cls, originals: Originals, scorer: SensitivityScorer) -> Sequence[Mapping[str, Any]]:
        """The statements of each summary that no summary of another variant of its original makes."""
        found: list[dict[str, Any]] = [{"units_only_here": None} for _ in range(len(originals))]
        if "units" not in scorer.settings.outcomes:
            return found
        written, neutral = originals.entries("text", cls.measure), CounterfactualGap.compared_texts(originals)
        members = originals.members()
        for _, inputs in originals.parts():
            by_variant: dict[int, list[int]] = {}
            for place in inputs.tolist():
                by_variant.setdefault(int(originals.input_variant[place]), []).extend(members[place].tolist())
            if len(by_variant) < 2:
                continue
            for variant, samples in by_variant.items():
                others = [
                    statement
                    for other, those in by_variant.items()
                    if other != variant
                    for sample in those
                    for statement in statements_of(neutral[sample])
                ]
                own = [statements_of(neutral[sample]) for sample in samples]
                alone = iter(without_counterpart(chain.from_iterable(own), others))
                for sample, statements in zip(samples, own, strict=True):
                    units = zip(sentence_units(written[sample]), list(islice(alone, len(statements))), strict=False)
                    found[sample] = {"units_only_here": [unit for unit, is_alone in units if is_alone]}
        return found

    def _keys(self) -> list[Key]:
        tests = [
            (self.name(kind), test.outcome, *test.pair) for kind in ("difference", "originals") for test in self.tests
        ]
        outcomes = [(self.name(kind), name) for kind in ("total", "squares", "inputs") for name in self.outcomes]
        units = [(self.name(kind), *pair) for kind in ("lost", "added", "units") for pair in self._unit_pairs]
        return [*tests, *outcomes, *units]

    @property
    def n_differences(self) -> int:
        """Differences of which the score is the largest."""
        return len(self.tests)

    @property
    def _unit_pairs(self) -> list[_Pair]:
        return [pair for pair in self.pairs if self.sums.total(self.name("units"), *pair)]

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """``score``; of each test ``difference`` and ``standardized``; of pairs of variants what units did."""
        differences, n, totals, squares, inputs, lost, added, pairs = self._parts(sums)
        places = [self.outcomes.index(test.outcome) for test in self.tests]
        deviations = spreads(totals, squares, inputs)[..., places]
        return {
            "score": counterfactual_outcomes(differences, n, deviations),
            "difference": quotient(differences, n),
            "standardized": standardized(differences, n, deviations),
            "units_lost": quotient(lost, pairs),
            "units_added": quotient(added, pairs),
        }

    def _parts(self, sums: Floats) -> list[Floats]:
        """Sums of the columns by kind."""
        sizes = [len(self.tests)] * 2 + [len(self.outcomes)] * 3 + [len(self._unit_pairs)] * 3
        return np.split(sums, np.cumsum(sizes)[:-1], axis=-1)

    def sizes(self) -> Mapping[str, Floats]:
        """Originals that have both variants of a pair, and the outcome of each of their inputs."""
        _, n, *_, pairs = self._parts(self.totals)
        return {"difference": n, "standardized": n, "units_lost": pairs, "units_added": pairs}

    @property
    def n_articles_scored(self) -> int:
        """Originals that have two variants."""
        return self.sums.counts[(self.name("paired"),)]

    @property
    def floor(self) -> str | None:
        """What moves of the variants are held against: those of control edits, where any original has them."""
        there = (floor for floor in FLOORS if any(self.sums.total(self.name("still"), floor, *of) for of in self._held))
        return next(there, None)

    @property
    def _held(self) -> list[tuple[str, ...]]:
        return [(test.outcome, *test.pair) for test in self.tests]

    def details(self, statistics: Mapping[str, Floats], intervals: Intervals) -> dict[str, Any]:
        """Outcomes, units and tests."""
        found = [self._test(test) for test in self.tests]
        corrected = holm([p for p, *_ in found])
        floor = self.floor
        outcomes = [
            self._told(test, place, statistics, intervals, floor)
            | dict(zip(("p_value", "p_method", "null_sd"), found[place], strict=True))
            | {"p_value_corrected": corrected[place]}
            for place, test in enumerate(self.tests)
        ]
        sizes = [abs(each["standardized"]) for each in outcomes]
        across = {level: interval for level, interval in intervals.items() if level == "ci"}
        largest = outcomes[int(np.argmax(sizes))] if outcomes and max(sizes) > 0 else None
        return {
            "largest": largest and {key: largest[key] for key in ("outcome", "variant_a", "variant_b")},
            "p_value": min(corrected, default=math.nan),
            "floor": floor,
            "outcomes": outcomes,
            "units": [
                {
                    "variant_a": pair[0],
                    "variant_b": pair[1],
                    **{
                        name.removeprefix("units_"): value
                        for kind in ("units_lost", "units_added")
                        for name, value in self._with_intervals(kind, place, statistics, across).items()
                    },
                    "by_floor": self._mean("units_still", "units_still_n", floor or "", *pair),
                }
                for place, pair in enumerate(self._unit_pairs)
            ],
            "n_articles_scored": self.n_articles_scored,
        }

    def _told(
        self, test: _Test, place: int, statistics: Mapping[str, Floats], intervals: Intervals, floor: str | None
    ) -> dict[str, Any]:
        of = test.outcome, *test.pair
        means = {f"mean_{side}": self._mean(kind, "originals", *of) for side, kind in (("a", "first"), ("b", "second"))}
        distances = self._mean("moved", "originals", *of), self._mean("moved_still", "still", floor or "", *of)
        rounding = _ROUNDING * max(map(abs, means.values()))
        moved, still = (0.0 if distance <= rounding else distance for distance in distances)
        return {
            "outcome": test.outcome,
            "variant_a": test.pair[0],
            "variant_b": test.pair[1],
            **means,
            **self._with_intervals("difference", place, statistics, intervals),
            "standardized": scalar(statistics["standardized"][place]),
            "moved": moved,
            "moved_by_floor": still,
            "ratio": scalar(quotient(moved, still)),
            "n_articles": int(self.sums.total(self.name("originals"), *of)),
        }

    def _with_intervals(
        self, kind: str, place: int, statistics: Mapping[str, Floats], intervals: Intervals
    ) -> dict[str, Any]:
        ends = {f"{kind}_{level}": interval[kind][place] for level, interval in intervals.items()}
        return {kind: scalar(statistics[kind][place]), **ends}

    def _mean(self, kind: str, number: str, *of: str) -> float:
        return scalar(quotient(self.sums.total(self.name(kind), *of), self.sums.total(self.name(number), *of)))

    def _test(self, test: _Test) -> tuple[float, str, float]:
        """The p-value, two-sided; how it was found; and the standard deviation of the difference by chance."""
        of = test.outcome, *test.pair
        n = self.sums.total(self.name("originals"), *of)
        observed = abs(self.sums.total(self.name("difference"), *of)) - (n + 1) / GRAIN
        every = self.sums.drawn(self.name("exact"), *of)
        if every is not None:
            return float((np.abs(every) >= observed).mean()), "exact", null_sd(every, n)
        drawn = self.drawn([(self.name("permuted"), *of)], self.settings.n_permutations)[:, 0]
        return permutation_p_value(observed, np.abs(drawn)), "drawn", null_sd(drawn, n)

    def undefined(self) -> str:
        """Why there is no score."""
        if not self.sums.n_samples:
            return "no sample left to score"
        if len(self.variants) < 2:
            return f"one variant only ({self.variants[0]}): nothing to compare"
        if reason := too_many(self.variants):
            return reason
        if not self.n_articles_scored:
            return "no original has inputs of two variants"
        return "no outcome is known of both variants of an original"


class _Gathered:
    """What is known of the originals, pair of variants by pair.

    Args:
        name: makes the name of a kind of column.
        originals: of the table.
        sums: to which it is added.
        outcomes: that were chosen.
    """

    def __init__(self, name: Any, originals: Originals, sums: Sums, outcomes: Sequence[str]) -> None:
        self.name, self.originals, self.sums, self.outcomes = name, originals, sums, outcomes
        rows = originals.entries("outcomes", CounterfactualOutcomes.measure)
        self.samples: Floats = np.array([[row.get(outcome, math.nan) for outcome in outcomes] for row in rows]).reshape(
            len(rows), len(outcomes)
        )
        self.inputs = self._means_of_inputs()
        self.pulls: dict[Key, Column] = {}
        self.pairs = self._paired()
        self._put_spreads()

    def _means_of_inputs(self) -> Floats:
        """The mean of each outcome over the summaries of an input that have it, shape (inputs, o)."""
        known = ~np.isnan(self.samples)
        shape = len(self.originals.input_size), len(self.outcomes)
        sums, counts = np.zeros(shape), np.zeros(shape)
        np.add.at(sums, self.originals.inputs, np.where(known, self.samples, 0.0))
        np.add.at(counts, self.originals.inputs, known)
        return quotient(sums, counts)

    def _paired(self) -> list[tuple[int, int]]:
        """The pairs of variants that some original has both of."""
        n = len(self.originals.variants)
        there = np.zeros((len(self.originals.names), n), dtype=np.bool_)
        there[self.originals.input_original, self.originals.input_variant] = True
        self.sums.counts[(self.name("paired"),)] = int((there.sum(1) > 1).sum())
        found = []
        for a, b in () if too_many(self.originals.variants) else combinations(range(n), 2):
            both = np.flatnonzero(there[:, a] & there[:, b])
            if len(both):
                found.append((a, b))
                self.sums.put_total((self.name("pairs"), *self._named(a, b)), np.ones(len(both)))
        return found

    def _named(self, a: int, b: int) -> _Pair:
        return self.originals.variants[a], self.originals.variants[b]

    def _put_spreads(self) -> None:
        owners = self.originals.input_original
        for place, outcome in enumerate(self.outcomes):
            known = ~np.isnan(self.inputs[:, place])
            numbers = self.inputs[known, place]
            at = np.unique(owners[known])
            for kind, column in (("total", numbers), ("squares", numbers**2), ("inputs", np.ones(len(numbers)))):
                by_original = np.bincount(owners[known], column, minlength=len(self.originals.names))
                self.sums.put((self.name(kind), outcome), by_original[at], at)

    def add(self, a: int, b: int) -> None:
        """Add two variants: the differences of originals that have both, their test, and what noise moves."""
        pair = self._named(a, b)
        groups = list(self._alike(a, b))
        found: dict[Key, list[tuple[Integers, Floats]]] = {}
        for at, inputs, counts in groups:
            values = self.inputs[inputs]  # (K, inputs, o)
            known: Bools = np.asarray(~np.isnan(values).any(1))
            first = np.repeat(np.array([True, False]), counts)
            means = [values[:, half].mean(1) for half in (first, ~first)]
            moved = np.abs(values[:, first][:, :, None] - values[:, ~first][:, None]).mean((1, 2))
            floors = {"controls": _apart(values, counts), "replicates": self._noise(inputs)}
            for place, outcome in enumerate(self.outcomes):
                kept = known[:, place]
                of = outcome, *pair
                columns = {
                    "difference": (means[0] - means[1])[:, place],
                    "originals": np.ones(len(at)),
                    "first": means[0][:, place],
                    "second": means[1][:, place],
                    "moved": moved[:, place],
                }
                for kind, column in columns.items():
                    found.setdefault((self.name(kind), *of), []).append((at[kept], column[kept]))
                for floor, apart in floors.items():
                    there = kept & ~np.isnan(apart[:, place])
                    for kind, column in (("moved_still", apart[:, place]), ("still", np.ones(len(at)))):
                        found.setdefault((self.name(kind), floor, *of), []).append((at[there], column[there]))
            self._pull(inputs, first, known, pair)
        drawn = (self.name("difference"), self.name("originals"))
        for key, parts in found.items():
            at = np.concatenate([places for places, _ in parts])
            numbers = np.concatenate([column for _, column in parts])
            if key[0] in drawn:
                self.sums.put(key, numbers, at)
            else:
                self.sums.put_total(key, numbers)
        self._put_test(pair, groups)

    def _alike(self, a: int, b: int) -> Iterator[tuple[Integers, Integers, tuple[int, int]]]:
        """Originals that have both variants, by how many inputs of each.

        Yields:
            Their places, shape (K,); their inputs, those of the first variant before the others, shape (K, inputs); and
            how many of each there are.
        """
        variants, owners = self.originals.input_variant, self.originals.input_original
        n = len(self.originals.names)
        counts = np.stack([np.bincount(owners[variants == each], minlength=n) for each in (a, b)], axis=1)
        chosen = np.flatnonzero((variants == a) | (variants == b))
        chosen = chosen[counts[owners[chosen]].all(1)]
        chosen = chosen[np.lexsort((chosen, variants[chosen] != a, owners[chosen]))]
        of_each = counts[owners[chosen]]
        for shape in np.unique(of_each, axis=0):
            inputs = chosen[(of_each == shape).all(1)].reshape(-1, int(shape.sum()))
            yield owners[inputs[:, 0]], inputs, (int(shape[0]), int(shape[1]))

    def _noise(self, inputs: Integers) -> Floats:
        """Mean absolute difference between two summaries of one input, over those of an original, shape (K, o)."""
        if not hasattr(self, "_of_inputs"):
            self._of_inputs = np.full((len(self.originals.input_size), len(self.outcomes)), np.nan)
            for place, members in enumerate(self.originals.members()):
                if len(members) > 1:
                    self._of_inputs[place] = _apart(self.samples[members][None], (len(members), 0))[0]
        noise = self._of_inputs[inputs]
        known = ~np.isnan(noise)
        return quotient(np.where(known, noise, 0.0).sum(1), known.sum(1))

    def _pull(self, inputs: Integers, first: Bools, known: Bools, pair: _Pair) -> None:
        """How far each summary moves the difference of its original, beyond the mean of its input."""
        signs = np.where(first, 1 / first.sum(), -1 / (~first).sum())
        weights = np.zeros((len(self.originals.input_size), len(self.outcomes)))
        weights[inputs] = signs[:, None] * known[:, None]
        of_samples = weights[self.originals.inputs]
        there = of_samples.any(1) & (self.originals.input_size[self.originals.inputs] > 1)
        if not there.any():
            return
        at = np.flatnonzero(there)
        own = self.originals.inputs[at]
        moved = (self.samples[at] - self.inputs[own]) / self.originals.input_size[own][:, None] * of_samples[at]
        for place, outcome in enumerate(self.outcomes):
            key = self.name("difference"), outcome, *pair
            numbers = np.nan_to_num(moved[:, place])
            before = self.pulls.get(key, Column(np.empty(0, dtype=np.int64), np.empty(0)))
            assert before.places is not None
            self.pulls[key] = Column(np.concatenate([before.places, at]), np.concatenate([before.numbers, numbers]))

    def _put_test(self, pair: _Pair, groups: Sequence[tuple[Integers, Integers, tuple[int, int]]]) -> None:
        """The sums of differences under ways to hand the two variants out: all of them, or drawn."""
        n_ways: float = 1
        for at, _, counts in groups:
            ways = n_label_assignments(counts)
            n_ways = n_ways * ways ** len(at) if n_ways <= MOST_EXACT and len(at) <= MOST_EXACT else math.inf
        is_exact = self.originals.settings.bootstrap is None and n_ways <= MOST_EXACT
        kind, draw = ("exact", self._exact) if is_exact else ("permuted", self._permuted)
        keys = [(self.name(kind), outcome, *pair) for outcome in self.outcomes]
        self.sums.draw_later(keys, lambda: draw(pair, groups) / GRAIN)

    def _exact(self, pair: _Pair, groups: Sequence[tuple[Integers, Integers, tuple[int, int]]]) -> Floats:
        """In each combination of ways, one of each original, shape (combinations, o)."""
        total = np.zeros((1, len(self.outcomes)))
        for _, inputs, counts in groups:
            first = _all_ways(counts)
            for values in self._left_in(inputs):
                differences = grains(mean_differences(values, first))
                total = (total[:, None] + differences).reshape(-1, len(self.outcomes))
        return total

    def _permuted(self, pair: _Pair, groups: Sequence[tuple[Integers, Integers, tuple[int, int]]]) -> Floats:
        """Each original draws by itself, so that what parts of the data give adds up to the bit."""
        n = self.originals.settings.n_permutations
        total = np.zeros((n, len(self.outcomes)))
        for at, inputs, counts in groups:
            first = _all_ways(counts) if n_label_assignments(counts) <= MOST_LISTED else None
            for place, values in zip(at.tolist(), self._left_in(inputs), strict=True):
                digest = digest_of("\0".join((self.originals.names[place], *pair)))
                generator = np.random.default_rng([self.originals.seed, digest, 3])
                if first is not None:
                    drawn = generator.integers(len(first), size=n)
                    total += grains(mean_differences(values, first))[drawn]
                else:
                    labels = generator.permuted(np.tile(np.arange(sum(counts)) < counts[0], (n, 1)), axis=1)
                    total += grains(mean_differences(values, labels))
        return total

    def _left_in(self, inputs: Integers) -> Floats:
        """The outcomes of inputs, 0 where an original is left out of one, shape (K, inputs, o)."""
        values = self.inputs[inputs]
        return np.where(np.isnan(values).any(1, keepdims=True), 0.0, values)

    def add_units(self, texts: Sequence[str]) -> None:
        """Add how many statements are lost and added between summaries of two variants, and by what should not matter.

        Args:
            texts: of the samples, without what their variants put in.
        """
        found: dict[Key, list[tuple[int, float]]] = {}

        def add(original: int, number: float, kind: str, *of: str) -> None:
            found.setdefault((self.name(kind), *of), []).append((original, number))

        members = self.originals.members()
        for original, inputs in self.originals.parts():
            samples = [members[place] for place in inputs.tolist()]
            lacking = unmatched([texts[place] for place in np.concatenate(samples).tolist()])
            own = np.split(np.arange(len(lacking)), np.cumsum(list(map(len, samples)))[:-1])
            by_variant: dict[int, list[Integers]] = {}
            for variant, places in zip(self.originals.input_variant[inputs].tolist(), own, strict=True):
                by_variant.setdefault(variant, []).append(places)
            still = {variant: _still((lacking + lacking.T) / 2, those) for variant, those in by_variant.items()}
            for a, b in combinations(sorted(by_variant), 2):
                if (a, b) not in self.pairs:
                    continue
                pair = self._named(a, b)
                blocks = [np.ix_(one, other) for one in by_variant[a] for other in by_variant[b]]
                add(original, float(np.mean([lacking[block].mean() for block in blocks])), "lost", *pair)
                add(original, float(np.mean([lacking.T[block].mean() for block in blocks])), "added", *pair)
                add(original, 1.0, "units", *pair)
                for floor in FLOORS:
                    both = [n for variant in (a, b) if not math.isnan(n := still[variant][floor])]
                    if both:
                        add(original, sum(both) / len(both), "units_still", floor, *pair)
                        add(original, 1.0, "units_still_n", floor, *pair)
        for key, entries in found.items():
            at, numbers = np.array(entries, dtype=np.float64).T
            if len(key) == 3:
                self.sums.put(key, numbers, at.astype(np.int64))
            else:
                self.sums.put_total(key, numbers)


def _all_ways(counts: tuple[int, int]) -> Bools:
    """Which inputs have the first variant in each way to hand two variants out, shape (ways, inputs)."""
    table = label_assignments(counts)
    first = np.zeros((table.shape[1], sum(counts)), dtype=np.bool_)
    first[np.arange(table.shape[1])[:, None], table.T.astype(np.intp)] = True
    return first


def _apart(values: Floats, counts: tuple[int, int]) -> Floats:
    """Mean absolute difference between two entries of one variant, shape (K, o); NaN where there are no two.

    Args:
        values: shape (K, entries, o), those of the first variant before the others.
        counts: entries of each variant.
    """
    first, second = np.triu_indices(values.shape[1], 1)
    same = (first < counts[0]) == (second < counts[0])
    differences = np.abs(values[:, first[same]] - values[:, second[same]])
    return quotient(differences.sum(1), np.full(differences.shape[::2], differences.shape[1]))


def _still(both: Floats, inputs: Sequence[Integers]) -> dict[str, float]:
    """Floor -> statements that one of two summaries of a variant lacks; NaN where there are no two.

    Args:
        both: of every two summaries, mean of both ways.
        inputs: of the variant, the places of the summaries of each.
    """
    of_controls = [both[np.ix_(one, other)].mean() for one, other in combinations(inputs, 2)]
    of_replicates = [both[np.ix_(own, own)].sum() / (len(own) * (len(own) - 1)) for own in inputs if len(own) > 1]
    return {
        floor: float(np.mean(found)) if found else math.nan
        for floor, found in zip(FLOORS, (of_controls, of_replicates), strict=True)
    }


TALLY = CounterfactualOutcomes
