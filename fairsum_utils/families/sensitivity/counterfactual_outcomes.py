"""Counterfactual outcomes: paired differences within originals, their test and floors."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from fairsum_utils.families.originals import Gathering
from fairsum_utils.families.sensitivity.extractors import Texts, extract, signature
from fairsum_utils.families.sensitivity.samples import Alike, Originals, Sample, grains
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.tally import (
    FLOORS,
    MOST_LISTED,
    Pair,
    Relabelled,
    Tally,
    label_ways,
    named,
    too_many,
)
from fairsum_utils.families.sensitivity.texts import (
    count_wordless,
    neutralized_name,
    read_texts,
    without_changed,
)
from fairsum_utils.families.tally import Figures
from fairsum_utils.families.warnings import WarningRecord
from fairsum_utils.measures import counterfactual_outcomes as formulas
from fairsum_utils.stats.arrays import Bools, Floats, Integers, quotient, scalar
from fairsum_utils.stats.permutation import n_label_assignments
from fairsum_utils.stats.sums import AnySums, Column, Key, Sums
from fairsum_utils.stats.tests import holm

# Largest share of an outcome that is rounding, and no distance.
_ROUNDING = 1e-12
_ONE_VARIANT = "{} originals have only one variant and therefore no difference"


class CounterfactualOutcomes(Tally):
    """Difference of each outcome between each pair of variants, by original."""

    measure = "counterfactual_outcomes"
    settings: formulas.CounterfactualOutcomes
    interval = "corrected"
    folds = "standardized"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = {
        "difference": (-math.inf, math.inf),
        "standardized": (-math.inf, math.inf),
    }
    recorded = ("outcomes",)
    is_tested = True
    salt = 3
    wordless = (
        "{} scored summaries contain no letter or digit; their length is 0 and their other outcomes are meaningless"
    )

    @classmethod
    def read(cls, scorer: SensitivityScorer, samples: Sequence[Sample]) -> Iterable[Mapping[str, Any]]:
        """Read the outcomes of summaries."""
        written = [sample.prediction for sample in samples]
        neutral = [without_changed(sample.prediction, sample.changed or ()) for sample in samples]
        outcomes = extract(scorer, Texts(written, neutral if scorer.settings.neutral else written))
        rows = zip(read_texts(samples), outcomes, strict=True)
        return [{**row, "outcomes": found} for row, found in rows]

    @classmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """Return the outcomes and their models."""
        return {**signature(scorer), "neutral": neutralized_name(scorer.settings, given)}

    @cached_property
    def outcomes(self) -> list[str]:  # noqa: D102
        return [name for name in self.settings.outcomes if self.total("inputs", name)]

    @cached_property
    def tests(self) -> list[tuple[str, ...]]:
        """Return each outcome with each pair of variants."""
        pairs = self.pairs_with("pairs")
        every = ((outcome, *pair) for outcome in self.outcomes for pair in pairs)
        return [test for test in every if self.total("originals", *test)]

    def columns(self) -> dict[str, list[tuple[str, ...]]]:
        """Return the columns: differences, and spreads of outcomes."""
        outcomes: list[tuple[str, ...]] = [(name,) for name in self.outcomes]
        return {
            **dict.fromkeys(("difference", "originals"), self.tests),
            **dict.fromkeys(("total", "squares", "inputs"), outcomes),
        }

    @classmethod
    def put(cls, sums: Sums, originals: Originals, scorer: SensitivityScorer) -> Mapping[Key, Column]:
        """Add the differences of each original, the spread of outcomes, and the floors."""
        texts = [text for text in originals.column("text") if text is not None]
        outcomes = scorer.settings.outcomes
        count_wordless(sums, cls.name, texts)
        rows = originals.entries("outcomes", cls.measure)
        found = _Outcomes(cls, originals, outcomes, rows)
        found.put(sums)
        return found.pulls.columns()

    @classmethod
    def warnings_of(cls, sums: AnySums) -> list[WarningRecord]:
        """Warn also about originals without a difference."""
        if (cls.name("wordless"),) not in sums.counts:
            return []
        n, paired = sums.n_distinct("articles"), sums.counts[(cls.name("paired"),)]
        return super().warnings_of(sums) + WarningRecord.of("one_variant", n - paired, n, _ONE_VARIANT)

    @property
    def n_differences(self) -> int:
        """Return how many differences the score is the maximum of."""
        return len(self.tests)

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compute ``score``, and ``difference`` and ``standardized`` of each test."""
        found = self.split(sums)
        places = [self.outcomes.index(outcome) for outcome, *_ in self.tests]
        deviations = formulas.spreads(found["total"], found["squares"], found["inputs"])[..., places]
        tested = found["difference"], found["originals"]
        return {
            "score": formulas.counterfactual_outcomes(*tested, deviations),
            "difference": quotient(*tested),
            "standardized": formulas.standardized(*tested, deviations),
        }

    def spread_of(self, signed: Floats) -> Floats:
        """Return the largest absolute difference."""
        return np.abs(signed).max(axis=-1) if signed.shape[-1] else np.full(signed.shape[:-1], np.nan)

    def sizes(self) -> Mapping[str, Floats]:
        """Return the originals with each outcome for both variants of a pair."""
        return dict.fromkeys(("difference", "standardized"), self.split(self.totals)["originals"])

    @property
    def n_articles_scored(self) -> int:
        """Return the number of originals with two variants."""
        return self.count("paired")

    @cached_property
    def floor(self) -> str | None:
        """Floor of the differences: control edits, if any original has them."""
        there = (floor for floor in FLOORS if any(self.total("still", floor, *test) for test in self.tests))
        return next(there, None)

    def details(self, figures: Figures) -> dict[str, Any]:
        """Return outcomes and tests."""
        tests = [self.test(self.total("difference", *key), self.total("originals", *key), *key) for key in self.tests]
        corrected = holm([test.p_value for test in tests])
        outcomes = [
            {**self._outcome(key, place, figures), **tests[place]._asdict(), "p_value_corrected": corrected[place]}
            for place, key in enumerate(self.tests)
        ]
        sizes = [abs(each["standardized"]) for each in outcomes]
        largest = outcomes[int(np.argmax(sizes))] if outcomes and max(sizes) > 0 else None
        return {
            "largest": largest and {key: largest[key] for key in ("outcome", "variant_a", "variant_b")},
            "p_value": min(corrected, default=math.nan),
            "floor": self.floor,
            "outcomes": outcomes,
            "n_articles_scored": self.n_articles_scored,
        }

    def _outcome(self, key: Sequence[str], place: int, figures: Figures) -> dict[str, Any]:
        means = {
            name: self._mean(kind, "originals", *key) for name, kind in (("mean_a", "first"), ("mean_b", "second"))
        }
        moved = self._mean("moved", "originals", *key), self._mean("moved_still", "still", self.floor or "", *key)
        rounding = _ROUNDING * max(map(abs, means.values()))
        moved_by_variants, moved_by_floor = (0.0 if distance <= rounding else distance for distance in moved)
        return {
            "outcome": key[0],
            **named(key[1:]),
            **means,
            **figures.entry("difference", place, "difference", "difference_"),
            "standardized": scalar(figures.statistics["standardized"][place]),
            "moved": moved_by_variants,
            "moved_by_floor": moved_by_floor,
            "ratio": scalar(quotient(moved_by_variants, moved_by_floor)),
            "n_articles": int(self.total("originals", *key)),
        }

    def _mean(self, kind: str, number: str, *of: str) -> float:
        return scalar(quotient(self.total(kind, *of), self.total(number, *of)))

    def _undefined(self) -> str:
        if reason := self.lacks_variants():
            return reason
        if not self.n_articles_scored:
            return "no original has inputs of two variants"
        return "no outcome is known for two variants of an original"


class _Outcomes:
    """Outcomes of originals, collected by pair of variants.

    Attributes:
        samples: outcomes of the samples, shape (n, o); NaN if missing.
        inputs: mean outcomes of each input, shape (inputs, o).
        noise: mean distance between two summaries of an input, shape (inputs, o).
        pulls: effect of each summary on the differences of its original.
    """

    def __init__(
        self, tally: type[Tally], originals: Originals, outcomes: Sequence[str], rows: Sequence[dict[str, float]]
    ) -> None:
        self.tally, self.name, self.originals, self.outcomes = tally, tally.name, originals, outcomes
        listed = [[row.get(outcome, math.nan) for outcome in outcomes] for row in rows]
        self.samples: Floats = np.array(listed).reshape(len(rows), len(outcomes))
        known = ~np.isnan(self.samples)
        sums, counts = np.zeros((2, len(originals.input_size), len(outcomes)))
        np.add.at(sums, originals.inputs, np.where(known, self.samples, 0.0))
        np.add.at(counts, originals.inputs, known)
        self.inputs = quotient(sums, counts)
        self.noise = np.full_like(self.inputs, np.nan)
        for place, members in enumerate(originals.members()):
            if len(members) > 1:
                self.noise[place] = _apart(self.samples[members][None])[0]
        self.columns, self.pulls = Gathering(), Gathering()
        self.tested: defaultdict[Pair, list[Relabelled]] = defaultdict(list)

    def put(self, sums: Sums) -> None:
        """Add spreads, differences, tests and floors to the sums."""
        self._put_spreads(sums)
        n_paired = 0
        for alike in self.originals.alike():
            pairs = alike.pairs()
            n_paired += len(alike.originals) * bool(pairs)
            for pair in () if too_many(self.originals.variants) else pairs:
                self._add(alike, pair)
        sums.counts[(self.name("paired"),)] = n_paired
        self.columns.put(sums, *map(self.name, ("pairs", "first", "second", "moved", "moved_still", "still")))
        for named_pair, tested in self.tested.items():
            keys = [(outcome, *named_pair) for outcome in self.outcomes]
            self.tally.relabel_later(sums, keys, self.originals, tested)

    def _put_spreads(self, sums: Sums) -> None:
        owners = self.originals.input_original
        for place, outcome in enumerate(self.outcomes):
            known = ~np.isnan(self.inputs[:, place])
            numbers = self.inputs[known, place]
            at = np.unique(owners[known])
            for kind, column in (("total", numbers), ("squares", numbers**2), ("inputs", np.ones(len(numbers)))):
                by_original = np.bincount(owners[known], column, minlength=len(self.originals.names))
                sums.put((self.name(kind), outcome), by_original[at], at)

    def _add(self, alike: Alike, variants: tuple[int, int]) -> None:
        """Add the differences between two variants of originals, and their floors."""
        pair = tuple(self.originals.variants[variant] for variant in variants)
        numbers, codes = self.originals.inputs[alike.firsts], np.array(alike.variants)
        first, second = (np.sort(numbers[:, codes == variant], axis=1) for variant in variants)
        one, other = self.inputs[first], self.inputs[second]  # (K, inputs, o)
        inputs = np.concatenate([first, second], axis=1)
        values, noise = self.inputs[inputs], self.noise[inputs]
        known: Bools = np.asarray(~np.isnan(values).any(1))
        noisy = ~np.isnan(noise)
        controls = _apart(one, other)
        replicates = quotient(np.where(noisy, noise, 0.0).sum(1), noisy.sum(1))
        columns = {
            "difference": one.mean(1) - other.mean(1),
            "originals": np.ones_like(controls),
            "first": one.mean(1),
            "second": other.mean(1),
            "moved": np.abs(one[:, :, None] - other[:, None]).mean((1, 2)),
        }
        self.columns.add((self.name("pairs"), *pair), alike.originals, np.ones(len(known)))
        for place, outcome in enumerate(self.outcomes):
            kept = known[:, place]
            for kind, table in columns.items():
                self.columns.add((self.name(kind), outcome, *pair), alike.originals[kept], table[kept, place])
            for floor, apart in zip(FLOORS, (controls, replicates), strict=True):
                there = kept & ~np.isnan(apart[:, place])
                for kind, table in (("moved_still", apart), ("still", np.ones_like(apart))):
                    key = self.name(kind), floor, outcome, *pair
                    self.columns.add(key, alike.originals[there], table[there, place])
        self._pull(first, second, known, pair)
        values = np.where(known[:, None], values, 0.0)  # an outcome that some input lacks is 0 under any labels
        self.tested[pair] += self._relabelled(alike, values, (first.shape[1], second.shape[1]), pair)

    def _pull(self, first: Integers, second: Integers, known: Bools, pair: Pair) -> None:
        """Add each summary's effect on its original's difference, beyond the mean of its input."""
        inputs, sizes = self.originals.inputs, self.originals.input_size
        weights = np.zeros_like(self.inputs)
        weights[first] = known[:, None] * (1 / first.shape[1])
        weights[second] = known[:, None] * (-1 / second.shape[1])
        of_samples = weights[inputs]
        at = np.flatnonzero(of_samples.any(1) & (sizes[inputs] > 1))
        moved = (self.samples[at] - self.inputs[inputs[at]]) / sizes[inputs[at]][:, None] * of_samples[at]
        for place, outcome in enumerate(self.outcomes if len(at) else ()):
            self.pulls.add((self.name("difference"), outcome, *pair), at, np.nan_to_num(moved[:, place]))

    def _relabelled(self, alike: Alike, values: Floats, counts: tuple[int, int], pair: Pair) -> Iterator[Relabelled]:
        """Relabel the two variants of each original."""
        n_ways, labels = n_label_assignments(counts), np.arange(sum(counts)) < counts[0]
        ways = partial(_first_in_all_ways, counts)
        for place, own in zip(alike.originals.tolist(), values, strict=True):
            seed = "\0".join((self.originals.names[place], *pair))
            yield Relabelled(seed, labels, partial(_differences, own), n_ways, ways, is_drawn=n_ways > MOST_LISTED)


def _first_in_all_ways(counts: tuple[int, int]) -> Bools:
    return np.asarray(label_ways(counts) == 0)


def _differences(values: Floats, first: Bools) -> Floats:
    return grains(formulas.mean_differences(values, first))


def _apart(*groups: Floats) -> Floats:
    """Return the mean absolute difference within a group, shape (K, o)."""
    differences = []
    for values in groups:
        first, second = np.triu_indices(values.shape[1], 1)
        differences.append(np.abs(values[:, first] - values[:, second]))
    together = np.concatenate(differences, axis=1)
    return quotient(together.sum(1), np.full(together.shape[::2], together.shape[1]))


TALLY = CounterfactualOutcomes
