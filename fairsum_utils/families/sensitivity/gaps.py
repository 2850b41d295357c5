"""Gaps of originals: distances between inputs of different variants and within one, their tests, and FiSCo's test."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import NamedTuple

import numpy as np

from fairsum_utils.families.originals import Gathering
from fairsum_utils.families.sensitivity.samples import Originals, grains
from fairsum_utils.families.sensitivity.tally import (
    FLOORS,
    MOST_LISTED,
    TOGETHER,
    Pair,
    Relabelled,
    Tally,
    label_ways,
    too_many,
)
from fairsum_utils.measures.counterfactual_gap import (
    fisco_test,
    input_pairs,
    mean_distances,
    mean_of_pairs,
    pulls,
    spreads,
)
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.stats.permutation import n_label_assignments
from fairsum_utils.stats.sums import Column, Key, Sums
from fairsum_utils.stats.tests import Welch

SELDOM = 0.05
"""Largest p-value of FiSCo's test that counts as rejected."""


class Alike(NamedTuple):
    """Originals with as many inputs of the same variants and as many summaries of each, in the same order.

    Attributes:
        originals: their places, shape (K,).
        samples: the places of their summaries, shape (K, n), by input.
        inputs: the input of each summary, shape (n,): 0 ... k-1.
        variants: the variant of each input, shape (k,).
    """

    originals: Integers
    samples: Integers
    inputs: tuple[int, ...]
    variants: tuple[int, ...]

    @property
    def codes(self) -> Integers:
        """The variant of each summary, shape (n,)."""
        return np.array(self.variants)[list(self.inputs)]

    def only(self, distances: Floats, variants: Sequence[int]) -> tuple[Alike, Floats]:
        """Keep the inputs of some of the variants, and their distances."""
        kept: Bools = np.isin(self.variants, variants)
        of_kept = np.flatnonzero(kept[list(self.inputs)])
        numbers = np.cumsum(kept) - 1
        inputs = tuple(numbers[[self.inputs[place] for place in of_kept]].tolist())
        some = tuple(variant for variant, keep in zip(self.variants, kept, strict=True) if keep)
        return Alike(self.originals, self.samples[:, of_kept], inputs, some), distances[:, of_kept[:, None], of_kept]


def alike_originals(originals: Originals) -> list[Alike]:
    """Group all originals by their inputs and summaries."""
    members = originals.members()
    groups: defaultdict[tuple[tuple[int, ...], tuple[int, ...]], list[tuple[int, Integers]]] = defaultdict(list)
    for original, inputs in originals.parts():
        variants = originals.input_variant[inputs]
        order = np.lexsort((originals.input_size[inputs], variants))
        own = [members[place] for place in inputs[order].tolist()]
        groups[tuple(variants[order].tolist()), tuple(map(len, own))].append((original, np.concatenate(own)))
    found = []
    for (variants_of, sizes), together in groups.items():
        step = max(1, TOGETHER // (1000 * sum(sizes)))
        inputs_of = tuple(np.repeat(np.arange(len(sizes)), sizes).tolist())
        for start in range(0, len(together), step):
            places, samples = zip(*together[start : start + step], strict=True)
            found.append(Alike(np.array(places), np.stack(samples), inputs_of, variants_of))
    return found


def fisco_tests(alike: Alike, distances: Floats) -> dict[tuple[int, int], Welch]:
    """Make FiSCo's test of each two variants: pair -> t and p of each original, shape (K,)."""
    found = {}
    for pair in combinations(np.unique(alike.codes).tolist(), 2):
        kept = np.flatnonzero(np.isin(alike.codes, pair))
        found[pair] = fisco_test(distances[:, kept[:, None], kept], alike.codes[kept].tolist())
    return found


class GatheredGaps:
    """The gaps of originals and their tests, gathered for the sums of a measure."""

    def __init__(self, tally: type[Tally], originals: Originals, sums: Sums) -> None:
        self.tally, self.name, self.originals, self.sums = tally, tally.name, originals, sums
        self.columns, self.pulls = Gathering(), Gathering()
        self.tested: defaultdict[Pair, list[Relabelled]] = defaultdict(list)
        self.named: dict[str, Counter[Key]] = {"left_out": Counter(), "remarks": Counter()}
        self.by_pair = not too_many(originals.variants)

    def add(self, alike: Alike, distances: Floats) -> None:
        """Add originals and the distances of their summaries, shape (K, n, n)."""
        known = sorted(set(alike.variants))
        if self.by_pair and self.originals.settings.test == "welch":
            self._add_fisco(alike, distances)
        if len(set(Counter(alike.inputs).values())) > 1:
            self._remark("remarks", alike.originals, "uneven_replicates")
        if len(known) < 2:
            reason = "one_input" if len(alike.variants) < 2 else "one_variant"
            for floor in FLOORS:
                self._remark("left_out", alike.originals, floor, reason)
            return
        self._add(alike, distances, ())
        for a, b in combinations(known, 2) if self.by_pair else ():
            self._add(*alike.only(distances, (a, b)), (self.originals.variants[a], self.originals.variants[b]))

    def _add(self, alike: Alike, distances: Floats, pair: Pair) -> None:
        pairs, alone = mean_distances(distances, alike.inputs)
        between, controls = mean_of_pairs(pairs, alike.variants)
        several = ~np.isnan(alone[0])
        replicates = alone[:, several].mean(1) if several.any() else np.full(len(alone), np.nan)
        pulled = pulls(distances, alike.inputs, alike.variants)
        for floor, within, pull in zip(FLOORS, (controls, replicates), pulled, strict=True):
            if np.isnan(within[0]):
                if not pair:
                    self._remark("left_out", alike.originals, floor, f"no_{floor}")
                continue
            columns = {"gap": between - within, "between": between, "within": within, "originals": np.ones(len(within))}
            for kind, numbers in columns.items():
                self.columns.add((self.name(kind), floor, *pair), alike.originals, numbers)
            if several.any():
                self.pulls.add((self.name("gap"), floor, *pair), alike.samples.ravel(), pull.ravel())
        if np.isnan(controls[0]):
            return
        if several.any():
            spread = spreads(distances, alike.inputs, alike.variants)
            for kind, numbers in zip(("drawn", "twice"), spread, strict=True):
                self.columns.add((self.name(kind), *pair), alike.originals, numbers)
        counts = tuple(np.unique(alike.variants, return_counts=True)[1].tolist())
        for place, own in zip(alike.originals.tolist(), pairs, strict=True):
            seed = "\0".join((self.originals.names[place], *pair))
            self.tested[pair].append(_relabelled(seed, own, counts))

    def _add_fisco(self, alike: Alike, distances: Floats) -> None:
        for (a, b), (t, p_value) in fisco_tests(alike, distances).items():
            there, rejected = ~np.isnan(p_value), p_value <= SELDOM
            pair = self.originals.variants[a], self.originals.variants[b]
            self.sums.counts[(self.name("untested"), *pair)] += int((~there).sum())
            for kind, numbers in {"tested": there, "rejected": rejected, "apart": rejected & (t > 0)}.items():
                self.columns.add((self.name(kind), *pair), alike.originals[there], numbers[there])

    def _remark(self, kind: str, originals: Integers | list[int], *of: str) -> None:
        """Remark on originals, each once a reason."""
        self.named[kind].update((*of, self.originals.names[place]) for place in originals)
        self.sums.counts[(self.name(kind), *of)] += len(originals)

    def put(self) -> dict[Key, Column]:
        """Add all of it to the sums; the pulls are returned."""
        for original, by_variant in self.originals.by_variant():
            controls = [{self.originals.input_control[place] for place in inputs} for inputs in by_variant.values()]
            if any(own != controls[0] for own in controls):
                self._remark("remarks", [original], "unmatched_controls")
        self.columns.put(self.sums, self.name("drawn"), self.name("twice"))
        self.sums.named.update({self.name(kind): names for kind, names in self.named.items()})
        for pair, tested in self.tested.items():
            self.tally.relabel_later(self.sums, [pair], self.originals, tested)
        return self.pulls.columns()


def _relabelled(seed: str, pairs: Floats, counts: tuple[int, ...]) -> Relabelled:
    """Hand the variants of an original out anew among its inputs."""
    ways = all_ways(counts)
    return Relabelled(
        seed,
        np.repeat(np.arange(len(counts)), counts),
        lambda labels: grains(gaps_of(pairs, counts, labels))[:, None],
        math.inf if ways is None else len(ways),
        partial(all_ways, counts),
        is_drawn=ways is None,
    )


@lru_cache(maxsize=1 << 10)
def all_ways(counts: tuple[int, ...]) -> Integers | None:
    """List the ways of `label_ways` that differ by more than names of variants; None of too many.

    Example:
        >>> len(all_ways((2, 2)))
        3
    """
    n = n_label_assignments(counts)
    if n > MOST_LISTED or n * math.comb(sum(counts), 2) > TOGETHER:
        return None
    labels = label_ways(counts)
    first, second = input_pairs(sum(counts))
    _, kept = np.unique(labels[:, first] == labels[:, second], axis=0, return_index=True)
    return np.asarray(labels[kept])


def gaps_of(pairs: Floats, counts: Sequence[int], labels: Integers) -> Floats:
    """Compute the gaps of an original, from the distances of each two inputs, under labels of shape (ways, inputs).

    Example:
        >>> gaps_of(np.array([0.1, 0.5, 0.7]), (2, 1), np.array([[0, 0, 1]])).round(9).tolist()
        [0.5]
    """
    k = labels.shape[1]
    table = np.zeros((k, k))
    first, second = input_pairs(k)
    table[first, second] = table[second, first] = pairs
    chosen = ((labels == variant).astype(np.float64) for variant in range(len(counts)))
    same = sum(((has @ table) * has).sum(-1) for has in chosen) / 2
    n_same = sum(math.comb(each, 2) for each in counts)
    return np.asarray((pairs.sum() - same) / (math.comb(k, 2) - n_same) - same / n_same)
