"""Outcomes of originals: differences between variants, their tests and floors."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import NamedTuple

import numpy as np

from fairsum_utils.families.originals import Gathering
from fairsum_utils.families.sensitivity.samples import Originals, grains
from fairsum_utils.families.sensitivity.tally import FLOORS, MOST_LISTED, Pair, Relabelled, Tally, label_ways, too_many
from fairsum_utils.measures.counterfactual_outcomes import mean_differences
from fairsum_utils.stats.arrays import Bools, Floats, Integers, quotient
from fairsum_utils.stats.permutation import n_label_assignments
from fairsum_utils.stats.sums import Sums


class _Alike(NamedTuple):
    """Originals with as many inputs of either variant.

    Attributes:
        originals: their places, shape (K,).
        inputs: their inputs, those of the first variant before the others, shape (K, inputs).
        counts: inputs of each variant.
    """

    originals: Integers
    inputs: Integers
    counts: tuple[int, int]


class GatheredOutcomes:
    """The outcomes of originals, gathered by pair of variants for the sums of a measure.

    Attributes:
        samples: outcomes of the samples, shape (n, o); NaN for none.
        pairs: pairs of variants that some original has both of.
        pulls: how far each summary moves the differences of its original.
    """

    def __init__(
        self,
        tally: type[Tally],
        originals: Originals,
        sums: Sums,
        outcomes: Sequence[str],
        rows: Sequence[dict[str, float]],
    ) -> None:
        self.tally, self.name, self.originals, self.sums, self.outcomes = tally, tally.name, originals, sums, outcomes
        listed = [[row.get(outcome, math.nan) for outcome in outcomes] for row in rows]
        self.samples: Floats = np.array(listed).reshape(len(rows), len(outcomes))
        self.inputs = self._means_of_inputs()
        self.noise = self._noise_of_inputs()
        self.pulls, self.pairs = Gathering(), list[Pair]()
        self._put_spreads()
        self._put_pairs()

    def _means_of_inputs(self) -> Floats:
        """Average each outcome over the summaries of an input that have it, shape (inputs, o)."""
        known = ~np.isnan(self.samples)
        shape = len(self.originals.input_size), len(self.outcomes)
        sums, counts = np.zeros(shape), np.zeros(shape)
        np.add.at(sums, self.originals.inputs, np.where(known, self.samples, 0.0))
        np.add.at(counts, self.originals.inputs, known)
        return quotient(sums, counts)

    def _noise_of_inputs(self) -> Floats:
        """Average the absolute difference between two summaries of each input, shape (inputs, o)."""
        noise = np.full_like(self.inputs, np.nan)
        for place, members in enumerate(self.originals.members()):
            if len(members) > 1:
                noise[place] = _apart(self.samples[members][None], (len(members), 0))[0]
        return noise

    def _put_spreads(self) -> None:
        owners = self.originals.input_original
        for place, outcome in enumerate(self.outcomes):
            known = ~np.isnan(self.inputs[:, place])
            numbers = self.inputs[known, place]
            at = np.unique(owners[known])
            for kind, column in (("total", numbers), ("squares", numbers**2), ("inputs", np.ones(len(numbers)))):
                by_original = np.bincount(owners[known], column, minlength=len(self.originals.names))
                self.sums.put((self.name(kind), outcome), by_original[at], at)

    def _put_pairs(self) -> None:
        """Add each two variants that some original has: differences, their test, and their floors."""
        variants = self.originals.variants
        there = np.zeros((len(self.originals.names), len(variants)), dtype=np.bool_)
        there[self.originals.input_original, self.originals.input_variant] = True
        self.sums.counts[(self.name("paired"),)] = int((there.sum(1) > 1).sum())
        for a, b in () if too_many(variants) else combinations(range(len(variants)), 2):
            n_both, pair = int((there[:, a] & there[:, b]).sum()), (variants[a], variants[b])
            if n_both:
                self.pairs.append(pair)
                self.sums.put_total((self.name("pairs"), *pair), np.ones(n_both))
                self._put_pair(pair, list(self._alike(a, b)))

    def _put_pair(self, pair: Pair, together: Sequence[_Alike]) -> None:
        found = Gathering()
        for alike in together:
            self._add_alike(found, alike, pair)
        found.put(self.sums, *map(self.name, ("first", "second", "moved", "moved_still", "still")))
        keys = [(outcome, *pair) for outcome in self.outcomes]
        tested = [each for alike in together for each in self._relabelled(alike, pair)]
        self.tally.relabel_later(self.sums, keys, self.originals, tested)

    def _alike(self, a: int, b: int) -> Iterator[_Alike]:
        """Group originals that have both variants by the inputs of each."""
        variants, owners = self.originals.input_variant, self.originals.input_original
        n = len(self.originals.names)
        counts = np.stack([np.bincount(owners[variants == each], minlength=n) for each in (a, b)], axis=1)
        chosen = np.flatnonzero((variants == a) | (variants == b))
        chosen = chosen[counts[owners[chosen]].all(1)]
        chosen = chosen[np.lexsort((chosen, variants[chosen] != a, owners[chosen]))]
        of_each = counts[owners[chosen]]
        for shape in np.unique(of_each, axis=0):
            inputs = chosen[(of_each == shape).all(1)].reshape(-1, int(shape.sum()))
            yield _Alike(owners[inputs[:, 0]], inputs, (int(shape[0]), int(shape[1])))

    def _add_alike(self, found: Gathering, alike: _Alike, pair: Pair) -> None:
        values = self.inputs[alike.inputs]  # (K, inputs, o)
        known: Bools = np.asarray(~np.isnan(values).any(1))
        first = np.repeat(np.array([True, False]), alike.counts)
        means = [values[:, half].mean(1) for half in (first, ~first)]
        noise = self.noise[alike.inputs]
        noisy = ~np.isnan(noise)
        floors = (_apart(values, alike.counts), quotient(np.where(noisy, noise, 0.0).sum(1), noisy.sum(1)))
        columns = {
            "difference": means[0] - means[1],
            "originals": np.ones_like(means[0]),
            "first": means[0],
            "second": means[1],
            "moved": np.abs(values[:, first][:, :, None] - values[:, ~first][:, None]).mean((1, 2)),
        }
        for place, outcome in enumerate(self.outcomes):
            kept = known[:, place]
            for kind, table in columns.items():
                found.add((self.name(kind), outcome, *pair), alike.originals[kept], table[kept, place])
            for floor, apart in zip(FLOORS, floors, strict=True):
                there = kept & ~np.isnan(apart[:, place])
                for kind, table in (("moved_still", apart), ("still", np.ones_like(apart))):
                    found.add((self.name(kind), floor, outcome, *pair), alike.originals[there], table[there, place])
        self._pull(alike.inputs, first, known, pair)

    def _pull(self, inputs: Integers, first: Bools, known: Bools, pair: Pair) -> None:
        """Add how far each summary moves the difference of its original, beyond the mean of its input."""
        signs = np.where(first, 1 / first.sum(), -1 / (~first).sum())
        weights = np.zeros_like(self.inputs)
        weights[inputs] = signs[:, None] * known[:, None]
        of_samples = weights[self.originals.inputs]
        at = np.flatnonzero(of_samples.any(1) & (self.originals.input_size[self.originals.inputs] > 1))
        if not len(at):
            return
        own = self.originals.inputs[at]
        moved = (self.samples[at] - self.inputs[own]) / self.originals.input_size[own][:, None] * of_samples[at]
        for place, outcome in enumerate(self.outcomes):
            self.pulls.add((self.name("difference"), outcome, *pair), at, np.nan_to_num(moved[:, place]))

    def _relabelled(self, alike: _Alike, pair: Pair) -> Iterator[Relabelled]:
        """Hand the two variants of each original out anew; an outcome that some input lacks is 0."""
        values = self.inputs[alike.inputs]
        values = np.where(np.isnan(values).any(1, keepdims=True), 0.0, values)
        n_ways = n_label_assignments(alike.counts)
        labels = np.arange(sum(alike.counts)) < alike.counts[0]
        for place, own in zip(alike.originals.tolist(), values, strict=True):
            seed = "\0".join((self.originals.names[place], *pair))
            ways = partial(_all_ways, alike.counts)
            yield Relabelled(seed, labels, partial(_differences, own), n_ways, ways, is_drawn=n_ways > MOST_LISTED)


@lru_cache(maxsize=64)
def _all_ways(counts: tuple[int, int]) -> Bools:
    """List which inputs have the first variant in each way to hand two variants out, shape (ways, inputs)."""
    return np.asarray(label_ways(counts) == 0)


def _differences(values: Floats, first: Bools) -> Floats:
    return grains(mean_differences(values, first))


def _apart(values: Floats, counts: tuple[int, int]) -> Floats:
    """Mean absolute difference between two entries of one variant, shape (K, o); NaN where there are no two."""
    first, second = np.triu_indices(values.shape[1], 1)
    same = (first < counts[0]) == (second < counts[0])
    differences = np.abs(values[:, first[same]] - values[:, second[same]])
    return quotient(differences.sum(1), np.full(differences.shape[::2], differences.shape[1]))
