"""Gaps of originals: distances between inputs of different variants and within one, their tests, and FiSCo's test.

However variants are handed out, as many pairs of inputs share one. So a way is the set of pairs that do, and ways that
only swap the names of variants are one.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np

from fairsum_utils.families.sensitivity.samples import Originals, grains
from fairsum_utils.families.sensitivity.tally import FLOORS, Gathering, Relabelled, Tally, too_many
from fairsum_utils.measures.counterfactual_gap import (
    fisco_test,
    input_pairs,
    mean_distances,
    mean_of_pairs,
    pulls,
    spreads,
)
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.stats.permutation import label_assignments, n_label_assignments
from fairsum_utils.stats.sums import Column, Key, Sums
from fairsum_utils.stats.tests import Welch

SELDOM = 0.05
"""Largest p-value of FiSCo's test that counts as rejected."""
MOST_LISTED = 5_040
"""Most ways to hand out the variants of one original that are listed; of more, some are drawn."""
_TOGETHER = 1 << 22
"""Labels, or numbers of distances, to work on at a time."""

Pair: TypeAlias = tuple[str, ...]
"""Two variants; empty for all of them."""


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
        step = max(1, _TOGETHER // (1000 * sum(sizes)))
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
    """The gaps of originals and their tests, gathered.

    Args:
        tally: class of the measure.
        originals: originals of the table.
    """

    def __init__(self, tally: type[Tally], originals: Originals) -> None:
        self.tally, self.name, self.originals = tally, tally.name, originals
        self.columns, self.pulls, self.spreads = Gathering(), Gathering(), Gathering()
        self.tested: defaultdict[Pair, list[Relabelled]] = defaultdict(list)
        self.untested: Counter[Key] = Counter()
        self.remarks: Counter[Key] = Counter()
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
            self._add(*_only(alike, distances, (a, b)), (self.originals.variants[a], self.originals.variants[b]))

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
                self.spreads.add((self.name(kind), *pair), alike.originals, numbers)
        counts = tuple(np.unique(alike.variants, return_counts=True)[1].tolist())
        self.tested[pair] += [
            self._relabelled(place, pair, own, counts)
            for place, own in zip(alike.originals.tolist(), pairs, strict=True)
        ]

    def _relabelled(self, original: int, pair: Pair, pairs: Floats, counts: tuple[int, ...]) -> Relabelled:
        seed, ways = "\0".join((self.originals.names[original], *pair)), all_ways(counts)
        if ways is None:
            return Relabelled(seed, math.inf, None, partial(_drawn, pairs, counts))
        return Relabelled(seed, len(ways), partial(_listed, pairs, ways))

    def _add_fisco(self, alike: Alike, distances: Floats) -> None:
        for (a, b), (t, p_value) in fisco_tests(alike, distances).items():
            there, rejected = ~np.isnan(p_value), p_value <= SELDOM
            pair = self.originals.variants[a], self.originals.variants[b]
            self.untested[(self.name("untested"), *pair)] += int((~there).sum())
            for kind, numbers in {"tested": there, "rejected": rejected, "apart": rejected & (t > 0)}.items():
                self.columns.add((self.name(kind), *pair), alike.originals[there], numbers[there])

    def _remark(self, kind: str, originals: Integers, *of: str) -> None:
        self.remarks.update((kind, *of, self.originals.names[place]) for place in originals.tolist())

    def _remark_controls(self) -> None:
        """Remark originals with control edits that some of their variants lack."""
        originals = self.originals
        for original, inputs in originals.parts():
            by_variant: defaultdict[int, set[str]] = defaultdict(set)
            for place in inputs.tolist():
                by_variant[int(originals.input_variant[place])].add(originals.input_control[place])
            if len(set(map(frozenset, by_variant.values()))) > 1:
                self._remark("remarks", np.array([original]), "unmatched_controls")

    def put(self, sums: Sums) -> dict[Key, Column]:
        """Add all of it to sums; the pulls are returned."""
        self._remark_controls()
        self.columns.put(sums)
        self.spreads.put(sums, self.name("drawn"), self.name("twice"))
        sums.counts.update(self.untested)
        for kind in ("left_out", "remarks"):
            remarked = [key[1:] for key in self.remarks if key[0] == kind]
            sums.named[self.name(kind)] = Counter(remarked)
            sums.counts.update((self.name(kind), *of) for *of, _ in remarked)
        for pair, tested in self.tested.items():
            self.tally.relabel_later(sums, [pair], self.originals, tested)
        return self.pulls.columns()


def _only(alike: Alike, distances: Floats, variants: Sequence[int]) -> tuple[Alike, Floats]:
    """Keep the inputs of some of the variants."""
    kept: Bools = np.isin(alike.variants, variants)
    of_kept = np.flatnonzero(kept[list(alike.inputs)])
    numbers = np.cumsum(kept) - 1
    inputs = tuple(numbers[[alike.inputs[place] for place in of_kept]].tolist())
    some = tuple(variant for variant, keep in zip(alike.variants, kept, strict=True) if keep)
    return Alike(alike.originals, alike.samples[:, of_kept], inputs, some), distances[:, of_kept[:, None], of_kept]


@lru_cache(maxsize=1 << 10)
def all_ways(counts: tuple[int, ...]) -> Bools | None:
    """List which pairs of inputs share a variant, in each way to hand variants out.

    Returns:
        Shape (ways, pairs of inputs), equally likely; None where there are more than `MOST_LISTED`,
        or than fit in memory.

    Example:
        >>> all_ways((1, 2)).astype(int).tolist()
        [[0, 0, 1], [0, 1, 0], [1, 0, 0]]
    """
    n = n_label_assignments(counts)
    if n > MOST_LISTED or n * math.comb(sum(counts), 2) > _TOGETHER:
        return None
    table = label_assignments(counts)
    labels = np.full((table.shape[1], sum(counts)), len(counts) - 1)
    labels[np.arange(table.shape[1])[:, None], table.T] = np.repeat(np.arange(len(counts) - 1), counts[:-1])
    first, second = input_pairs(sum(counts))
    return np.unique(labels[:, first] == labels[:, second], axis=0)


def gaps_of(pairs: Floats, shared: Bools) -> Floats:
    """Compute the gaps of an original under ways to hand variants out.

    Returns:
        Shape (..., ways).

    Example:
        >>> gaps_of(np.array([0.1, 0.5, 0.7]), np.array([[True, False, False]])).round(9).tolist()
        [0.5]
    """
    n_same = int(shared[0].sum())
    n_other = shared.shape[1] - n_same
    same = pairs @ shared.T.astype(np.float64)
    return np.asarray((pairs.sum(-1)[..., None] - same) / n_other - same / n_same)


def drawn_gaps(pairs: Floats, counts: Sequence[int], n: int, generator: np.random.Generator) -> Floats:
    """Compute the gaps of an original under n random ways to hand variants out, shape (n,).

    Time grows as n times the pairs of inputs, memory as n times the inputs.

    Example:
        >>> drawn_gaps(np.array([0.5, 0.5, 0.5]), (1, 2), 2, np.random.default_rng(0)).tolist()
        [0.0, 0.0]
    """
    k = sum(counts)
    table = np.zeros((k, k))
    first, second = input_pairs(k)
    table[first, second] = table[second, first] = pairs
    same = []
    for start in range(0, n, _TOGETHER // k + 1):
        rows = min(n - start, _TOGETHER // k + 1)
        labels = generator.permuted(np.tile(np.repeat(np.arange(len(counts)), counts), (rows, 1)), axis=1)
        chosen = ((labels == variant).astype(np.float64) for variant in range(len(counts)))
        same.append(sum(((has @ table) * has).sum(-1) for has in chosen) / 2)
    n_same = sum(math.comb(each, 2) for each in counts)
    of_same = np.concatenate(same)
    return np.asarray((pairs.sum() - of_same) / (math.comb(k, 2) - n_same) - of_same / n_same)


def _listed(pairs: Floats, ways: Bools) -> Floats:
    return grains(gaps_of(pairs, ways))[:, None]


def _drawn(pairs: Floats, counts: Sequence[int], n: int, generator: np.random.Generator) -> Floats:
    return grains(drawn_gaps(pairs, counts, n, generator))[:, None]
