"""The distances of many originals at once, and what the counterfactual gap takes from them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np

from fairsum_utils.families.sensitivity.originals import GRAIN, Originals, grains
from fairsum_utils.families.sensitivity.ways import MOST_EXACT, all_ways, drawn_gaps, gaps_of
from fairsum_utils.measures.counterfactual_gap import mean_distances, mean_of_pairs, pulls, spreads
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.stats.sums import Column, Key, Sums, digest_of

__all__ = ["FLOORS", "Alike", "Gathered", "Pair", "alike_originals", "too_many"]

FLOORS = ("controls", "replicates")
"""What summaries of different variants are held against: those of inputs of one variant with other control edits, where
any original has such inputs, or else those of one input."""

_MOST_VARIANTS = 20
"""Of more variants than this no pairs are told: there are too many."""
_TOGETHER = 1 << 22
"""Numbers of distances that are worked on at a time."""

Pair: TypeAlias = tuple[str, ...]
"""Two variants; empty for all of them."""


def too_many(variants: Sequence[str]) -> str:
    """Why nothing is told of each two of so many variants; empty where they are few enough.

    Example:
        >>> too_many(["f", "m"]), too_many("abcdefghijklmnopqrstu")
        ('', '21 variants: more than 20 are not compared two by two')
    """
    n = len(variants)
    return f"{n} variants: more than {_MOST_VARIANTS} are not compared two by two" if n > _MOST_VARIANTS else ""


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


def alike_originals(originals: Originals) -> list[Alike]:
    """All originals, by what their inputs and summaries are."""
    members = originals.members()
    groups: dict[tuple[tuple[int, ...], tuple[int, ...]], list[tuple[int, Integers]]] = {}
    for original, inputs in originals.parts():
        variants = originals.input_variant[inputs]
        order = np.lexsort((originals.input_size[inputs], variants))
        own = [members[place] for place in inputs[order].tolist()]
        sizes = tuple(map(len, own))
        key = tuple(variants[order].tolist()), sizes
        groups.setdefault(key, []).append((original, np.concatenate(own)))
    found = []
    for (variants_of, sizes), together in groups.items():
        step = max(1, _TOGETHER // (1000 * sum(sizes)))
        inputs_of = tuple(np.repeat(np.arange(len(sizes)), sizes).tolist())
        for start in range(0, len(together), step):
            places, samples = zip(*together[start : start + step], strict=True)
            found.append(Alike(np.array(places), np.stack(samples), inputs_of, variants_of))
    return found


class Gathered:
    """What is known of the originals, as they come.

    Args:
        name: makes the name of a kind of column.
        originals: of the table.
    """

    def __init__(self, name: Callable[[str], str], originals: Originals) -> None:
        self.name, self.originals = name, originals
        self.columns: dict[Key, list[tuple[Integers, Floats]]] = {}
        self.pulls: dict[Key, list[tuple[Integers, Floats]]] = {}
        self.spreads: dict[Key, list[Floats]] = {}
        self.tested: dict[Pair, list[tuple[Integers, Floats, tuple[int, ...]]]] = {}
        self.told: Counter[Key] = Counter()

    def add(self, alike: Alike, distances: Floats) -> None:
        """Add originals and the distances of their summaries, shape (K, n, n)."""
        self._remark(alike)
        if len(alike.variants) < 2 or len(set(alike.variants)) < 2:
            reason = "one_input" if len(alike.variants) < 2 else "one_variant"
            for floor in FLOORS:
                self._tell("left_out", alike.originals, floor, reason)
            return
        self._add(alike, distances, (), told=True)
        known = sorted(set(alike.variants))
        if not too_many(self.originals.variants):
            for a, b in combinations(known, 2):
                pair = self.originals.variants[a], self.originals.variants[b]
                self._add(*_only(alike, distances, (a, b)), pair)

    def _add(self, alike: Alike, distances: Floats, pair: Pair, *, told: bool = False) -> None:
        pairs, alone = mean_distances(distances, alike.inputs)
        between, controls = mean_of_pairs(pairs, alike.variants)
        several = ~np.isnan(alone[0])
        replicates = alone[:, several].mean(1) if several.any() else np.full(len(alone), np.nan)
        pulled = pulls(distances, alike.inputs, alike.variants)
        for floor, within, pull in zip(FLOORS, (controls, replicates), pulled, strict=True):
            if np.isnan(within[0]):
                if told:
                    self._tell("left_out", alike.originals, floor, f"no_{floor}")
                continue
            of = floor, *pair
            for kind, numbers in (
                ("gap", between - within),
                ("between", between),
                ("within", within),
                ("originals", np.ones(len(within))),
            ):
                self.columns.setdefault((self.name(kind), *of), []).append((alike.originals, numbers))
            if several.any():
                self.pulls.setdefault((self.name("gap"), *of), []).append((alike.samples.ravel(), pull.ravel()))
        if not np.isnan(controls[0]):
            if several.any():
                self._add_spreads(alike, distances, pair)
            counts = tuple(np.unique(alike.variants, return_counts=True)[1].tolist())
            self.tested.setdefault(pair, []).append((alike.originals, pairs, counts))

    def _add_spreads(self, alike: Alike, distances: Floats, pair: Pair) -> None:
        for kind, spread in zip(("drawn", "twice"), spreads(distances, alike.inputs, alike.variants), strict=True):
            self.spreads.setdefault((self.name(kind), *pair), []).append(spread)

    def _remark(self, alike: Alike) -> None:
        if len(set(Counter(alike.inputs).values())) > 1:
            self._tell("remarks", alike.originals, "uneven_replicates")

    def remark_controls(self) -> None:
        """Say which originals have control edits that some of their variants lack."""
        originals = self.originals
        for original, inputs in originals.parts():
            by_variant: dict[int, set[str]] = {}
            for place in inputs.tolist():
                by_variant.setdefault(int(originals.input_variant[place]), set()).add(originals.input_control[place])
            if len(set(map(frozenset, by_variant.values()))) > 1:
                self._tell("remarks", np.array([original]), "unmatched_controls")

    def _tell(self, kind: str, originals: Integers, *of: str) -> None:
        self.told.update((kind, *of, self.originals.names[place]) for place in originals.tolist())

    def put(self, sums: Sums, *, n_wordless: int) -> dict[Key, Column]:
        """Add all of it to sums; the pulls are returned."""
        sums.counts[(self.name("wordless"),)] = n_wordless
        for key, parts in self.columns.items():
            sums.put(key, np.concatenate([numbers for _, numbers in parts]), np.concatenate([at for at, _ in parts]))
        for key, spread in self.spreads.items():
            sums.put_total(key, np.concatenate(spread))
        for kind in ("left_out", "remarks"):
            named = [key[1:] for key in self.told if key[0] == kind]
            sums.named[self.name(kind)] = Counter(named)
            sums.counts.update((self.name(kind), *of) for *of, _ in named)
        for pair, tested in self.tested.items():
            self._put_test(sums, pair, tested)
        return {
            key: Column(np.concatenate([at for at, _ in parts]), np.concatenate([numbers for _, numbers in parts]))
            for key, parts in self.pulls.items()
        }

    def _put_test(self, sums: Sums, pair: Pair, parts: Sequence[tuple[Integers, Floats, tuple[int, ...]]]) -> None:
        """The sum of the gaps of all originals under ways to hand out variants: all of them, or drawn."""
        n_ways: float = 1
        for at, _, counts in parts:
            ways = all_ways(counts)
            n_ways = math.inf if ways is None or n_ways > MOST_EXACT else n_ways * len(ways) ** len(at)
        if self.originals.settings.bootstrap is None and n_ways <= MOST_EXACT:
            sums.draw_later([(self.name("exact"), *pair)], lambda: _exact(parts)[:, None])
        else:
            sums.draw_later([(self.name("permuted"), *pair)], lambda: self._permuted(pair, parts)[:, None])

    def _permuted(self, pair: Pair, parts: Sequence[tuple[Integers, Floats, tuple[int, ...]]]) -> Floats:
        """Each original draws by itself, so that what parts of the data give adds up to the bit."""
        n = self.originals.settings.n_permutations
        total = np.zeros(n)
        for at, pairs, counts in parts:
            ways = all_ways(counts)
            gaps = None if ways is None else grains(gaps_of(pairs, ways))
            for row, place in enumerate(at.tolist()):
                digest = digest_of("\0".join((self.originals.names[place], *pair)))
                generator = np.random.default_rng([self.originals.seed, digest, 2])
                if gaps is not None:
                    total += gaps[row][generator.integers(gaps.shape[1], size=n)]
                else:
                    total += grains(drawn_gaps(pairs[row], counts, n, generator))
        return total / GRAIN


def _exact(parts: Sequence[tuple[Integers, Floats, tuple[int, ...]]]) -> Floats:
    """The sum of gaps in each combination of ways, one of each original."""
    total = np.zeros(1)
    for _, pairs, counts in parts:
        ways = all_ways(counts)
        assert ways is not None
        for gaps in grains(gaps_of(pairs, ways)):
            total = (total[:, None] + gaps).ravel()
    return total / GRAIN


def _only(alike: Alike, distances: Floats, variants: Sequence[int]) -> tuple[Alike, Floats]:
    """The inputs of some of the variants."""
    kept: Bools = np.isin(alike.variants, variants)
    of_kept = np.flatnonzero(kept[list(alike.inputs)])
    numbers = np.cumsum(kept) - 1
    inputs = tuple(numbers[[alike.inputs[place] for place in of_kept]].tolist())
    some = tuple(variant for variant, keep in zip(alike.variants, kept, strict=True) if keep)
    return (
        Alike(alike.originals, alike.samples[:, of_kept], inputs, some),
        distances[:, of_kept[:, None], of_kept],
    )
