"""Counterfactual outcomes: paired differences within originals, their test and floors."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from typing import Any, ClassVar, NamedTuple

import numpy as np

from fairsum_utils.families.sensitivity.extractors import Texts, extract, signature
from fairsum_utils.families.sensitivity.inputs import Alike, Originals
from fairsum_utils.families.sensitivity.samples import Sample
from fairsum_utils.families.sensitivity.scorer import SensitivityScorer
from fairsum_utils.families.sensitivity.tally import FLOORS, TESTED, Collected, Tally, named, too_many
from fairsum_utils.families.sensitivity.texts import neutralized_name, without_changed
from fairsum_utils.families.warnings import CountWarning
from fairsum_utils.measures import counterfactual_outcomes as formulas
from fairsum_utils.stats.arrays import Bools, Floats, Integers, quotient, scalar
from fairsum_utils.stats.sums import Key, Sums

# Largest share of an outcome that is rounding, and no distance.
_ROUNDING = 1e-12


class CounterfactualOutcomes(Tally):
    """Difference of each outcome between each pair of variants, by original.

    Its figures are ``difference``, ``first``, ``second`` and ``moved`` of each outcome and pair of variants, ``still``
    of each floor too, and ``total`` and ``squares`` of each outcome, whose originals count once for each input.
    """

    measure = "counterfactual_outcomes"
    settings: formulas.CounterfactualOutcomes
    interval = "corrected"
    folds = "standardized"
    limits: ClassVar[Mapping[str, tuple[float, float]]] = dict.fromkeys(
        ("means", "standardized"), (-math.inf, math.inf)
    )
    recorded = ("outcomes",)
    salt = 3
    warned = (
        CountWarning(
            "wordless",
            "{} scored summaries contain no letter or digit; their length is 0 and their other outcomes are "
            "meaningless",
            "counterfactual_outcomes.wordless",
        ),
        CountWarning(
            "one_variant",
            "{} originals have only one variant and therefore no difference",
            "counterfactual_outcomes.one_variant",
            "articles",
        ),
    )

    @classmethod
    def read(cls, scorer: SensitivityScorer, samples: Sequence[Sample]) -> Iterable[Mapping[str, Any]]:
        """Read the outcomes of summaries."""
        written = [sample.prediction for sample in samples]
        neutral = [without_changed(sample.prediction, sample.changed or ()) for sample in samples]
        outcomes = extract(scorer, Texts(written, neutral if scorer.settings.neutral else written))
        rows = zip(super().read(scorer, samples), outcomes, strict=True)
        return [{**row, "outcomes": found} for row, found in rows]

    @classmethod
    def signature(cls, scorer: SensitivityScorer, given: Collection[str]) -> dict[str, object]:
        """Return the outcomes and their models."""
        return {**signature(scorer), "neutral": neutralized_name(scorer.settings, given)}

    @classmethod
    def collect(cls, found: Collected, sums: Sums, scorer: SensitivityScorer) -> None:
        """Add the differences of each original, the spread of outcomes, and the floors."""
        originals, outcomes = found.originals, scorer.settings.outcomes
        inputs = _Inputs.of(originals, outcomes, originals.entries("outcomes", cls.measure))
        inputs.add_spreads(found)
        for alike in originals.alike():
            pairs = alike.pairs()
            sums.counts[(cls.name("one_variant"),)] += 0 if pairs else len(alike.originals)
            for pair in () if too_many(originals.variants) else pairs:
                inputs.add_differences(found, alike, pair)

    @cached_property
    def outcomes(self) -> list[str]:  # noqa: D102
        return [name for name in self.settings.outcomes if self.n("total", name)]

    @cached_property
    def averaged(self) -> list[Key]:
        """Differences of each outcome between each pair of variants."""
        return [
            ("difference", outcome, *pair)
            for outcome in self.outcomes
            for pair in self.pairs_with("difference", outcome)
        ]

    def columns(self) -> dict[str, Sequence[Key]]:
        """Return the columns of differences and of the spreads of outcomes."""
        spreads = [(kind, outcome) for kind in ("total", "squares") for outcome in self.outcomes]
        return {kind: [*self.averaged, *spreads] for kind in ("sum", "n")}

    @property
    def n_differences(self) -> int:
        """Return how many differences the score is the maximum of."""
        return len(self.averaged)

    def statistics(self, sums: Floats) -> dict[str, Floats]:
        """Compute ``score``, and the difference (``means``) and ``standardized`` of each test."""
        ends = np.cumsum([len(self.averaged), len(self.outcomes)])
        parts = [np.split(found, ends, axis=-1) for found in self.split(sums).values()]
        (differences, totals, squares), (n, n_inputs, _) = parts
        places = [self.outcomes.index(outcome) for _, outcome, *_ in self.averaged]
        tested = differences, n, formulas.spreads(totals, squares, n_inputs)[..., places]
        return {
            "score": formulas.counterfactual_outcomes(*tested),
            "means": quotient(differences, n),
            "standardized": formulas.standardized(*tested),
        }

    def spread_of(self, signed: Floats) -> Floats:
        """Return the largest absolute difference."""
        return np.abs(signed).max(axis=-1) if signed.shape[-1] else np.full(signed.shape[:-1], np.nan)

    def sizes(self) -> Mapping[str, Floats]:
        """Return the originals with each outcome for both variants of a pair."""
        return dict.fromkeys(("means", "standardized"), super().sizes()["means"])

    @property
    def n_articles_scored(self) -> int:
        """Return the number of originals with two variants."""
        return self.n_articles - self.count("one_variant")

    @cached_property
    def floor(self) -> str | None:
        """Floor of the differences: control edits, if any original has them."""
        there = (floor for floor in FLOORS if any(self.n("still", floor, *key[1:]) for key in self.averaged))
        return next(there, None)

    def details(self) -> dict[str, Any]:
        """Return outcomes and tests."""
        tested = self.tested(self.averaged, "difference", *TESTED, "p_method", prefix="difference_")
        outcomes = [
            {**self._outcome(key[1:]), **test, "standardized": scalar(size)}
            for key, test, size in zip(self.averaged, tested, self.observed["standardized"], strict=True)
        ]
        sizes = [abs(each["standardized"]) for each in outcomes]
        largest = outcomes[int(np.argmax(sizes))] if outcomes and max(sizes) > 0 else None
        return {
            "largest": largest and {key: largest[key] for key in ("outcome", "variant_a", "variant_b")},
            "p_value": min((each["p_value_corrected"] for each in outcomes), default=math.nan),
            "floor": self.floor,
            "outcomes": outcomes,
            "n_articles_scored": self.n_articles_scored,
        }

    def _outcome(self, of: Key) -> dict[str, Any]:
        """Return the means of an outcome in two variants, and its distances."""
        means = {"mean_a": self.mean("first", *of), "mean_b": self.mean("second", *of)}
        rounding = _ROUNDING * max(map(abs, means.values()))
        distances = self.mean("moved", *of), self.mean("still", self.floor or "", *of)
        moved, still = (0.0 if distance <= rounding else distance for distance in distances)
        ratio = scalar(quotient(moved, still))
        return {"outcome": of[0], **named(of[1:]), **means, "moved": moved, "moved_by_floor": still, "ratio": ratio}

    def _undefined(self) -> str:
        if reason := self.lacks_variants():
            return reason
        if not self.n_articles_scored:
            return "no original has inputs of two variants"
        return "no outcome is known for two variants of an original"


class _Inputs(NamedTuple):
    """Outcomes of inputs.

    Attributes:
        originals: scored samples by original.
        outcomes: names of the o outcomes.
        samples: outcomes of the samples, shape (n, o); NaN if missing.
        means: mean outcomes of each input, shape (inputs, o).
        noise: mean distance between two summaries of an input, shape (inputs, o).
    """

    originals: Originals
    outcomes: Sequence[str]
    samples: Floats
    means: Floats
    noise: Floats

    @classmethod
    def of(cls, originals: Originals, outcomes: Sequence[str], rows: Sequence[Mapping[str, float]]) -> _Inputs:
        """Average the outcomes of the samples of each input."""
        listed = [[row.get(outcome, math.nan) for outcome in outcomes] for row in rows]
        samples: Floats = np.array(listed).reshape(len(rows), len(outcomes))
        known = ~np.isnan(samples)
        sums, counts = np.zeros((2, len(originals.input_size), len(outcomes)))
        np.add.at(sums, originals.inputs, np.where(known, samples, 0.0))
        np.add.at(counts, originals.inputs, known)
        noise = np.full_like(sums, np.nan)
        for place, members in enumerate(originals.members()):
            if len(members) > 1:
                noise[place] = _apart(samples[members][None])[0]
        return cls(originals, outcomes, samples, quotient(sums, counts), noise)

    def add_spreads(self, found: Collected) -> None:
        """Add the sums of outcomes and of their squares over inputs."""
        owners = self.originals.input_original
        for outcome, means in zip(self.outcomes, self.means.T, strict=True):
            known = ~np.isnan(means)
            at, own = np.unique(owners[known], return_inverse=True)
            n_inputs = np.bincount(own).astype(np.float64)
            for kind, numbers in (("total", means[known]), ("squares", means[known] ** 2)):
                found.add((kind, outcome), at, np.bincount(own, numbers).astype(np.float64), n_inputs)

    def add_differences(self, found: Collected, alike: Alike, variants: tuple[int, int]) -> None:
        """Add the differences between two variants of originals, and their floors."""
        pair = tuple(self.originals.variants[variant] for variant in variants)
        numbers, codes = self.originals.inputs[alike.firsts], np.array(alike.variants)
        first, second = (np.sort(numbers[:, codes == variant], axis=1) for variant in variants)
        one, other = self.means[first], self.means[second]  # (K, inputs, o)
        inputs = np.concatenate([first, second], axis=1)
        values, noise = self.means[inputs], self.noise[inputs]
        known: Bools = np.asarray(~np.isnan(values).any(1))
        noisy = ~np.isnan(noise)
        floors = _apart(one, other), quotient(np.where(noisy, noise, 0.0).sum(1), noisy.sum(1))
        figures = {
            "difference": one.mean(1) - other.mean(1),
            "first": one.mean(1),
            "second": other.mean(1),
            "moved": np.abs(one[:, :, None] - other[:, None]).mean((1, 2)),
        }
        for place, outcome in enumerate(self.outcomes):
            kept = known[:, place]
            for figure, table in figures.items():
                found.add((figure, outcome, *pair), alike.originals[kept], table[kept, place])
            for floor, table in zip(FLOORS, floors, strict=True):
                there = kept & ~np.isnan(table[:, place])
                found.add(("still", floor, outcome, *pair), alike.originals[there], table[there, place])
        keys = [("difference", outcome, *pair) for outcome in self.outcomes]
        self._add_effects(found, keys, first, second, known)
        counts = first.shape[1], second.shape[1]
        values = np.where(known[:, None], values, 0.0)  # an outcome that some input lacks is 0 under any labels
        for place, own in zip(alike.originals.tolist(), values, strict=True):
            found.relabel(place, pair, keys, counts, partial(_differences, own))

    def _add_effects(
        self, found: Collected, keys: Sequence[Key], first: Integers, second: Integers, known: Bools
    ) -> None:
        """Add each summary's effect on its original's difference, beyond the mean of its input."""
        inputs, sizes = self.originals.inputs, self.originals.input_size
        weights = np.zeros_like(self.means)
        weights[first] = known[:, None] * (1 / first.shape[1])
        weights[second] = known[:, None] * (-1 / second.shape[1])
        of_samples = weights[inputs]
        at = np.flatnonzero(of_samples.any(1) & (sizes[inputs] > 1))
        moved = (self.samples[at] - self.means[inputs[at]]) / sizes[inputs[at]][:, None] * of_samples[at]
        for place, key in enumerate(keys if len(at) else ()):
            found.affect(key, at, np.nan_to_num(moved[:, place]))


def _differences(values: Floats, labels: Integers) -> Floats:
    return formulas.mean_differences(values, labels == 0)


def _apart(*groups: Floats) -> Floats:
    """Return the mean absolute difference within a group, shape (K, o)."""
    differences = []
    for values in groups:
        first, second = np.triu_indices(values.shape[1], 1)
        differences.append(np.abs(values[:, first] - values[:, second]))
    together = np.concatenate(differences, axis=1)
    return quotient(together.sum(1), np.full(together.shape[::2], together.shape[1]))
