"""Sets summarized in several orders, with primacy, gains and fairness scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.sensitivity.inputs import Originals
from fairsum_utils.families.sensitivity.matching import fields_of
from fairsum_utils.families.sensitivity.tally import Collected, too_many
from fairsum_utils.measures.bur import binary_unfair
from fairsum_utils.measures.equal_coverage import coverage_differences, sample_equal_coverage
from fairsum_utils.measures.order_sensitivity import forwardness, gain_weights, own_minus_others, place_weights
from fairsum_utils.measures.uer import unfair_error
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.stats.sums import Key

# Thirds of a set by place.
PARTS = ("first", "middle", "last")
# Fairness scores that are given by order.
SCORES = ("bur", "uer", "equal_coverage")
# Tolerance of BUR.
TAU = 0.8


class OrderedSet(NamedTuple):
    """Set summarized in several orders, its n sources sorted by name.

    Attributes:
        original: position among the originals.
        values: groups of the sources, shape (n,).
        variants: variants of the k inputs, as positions among all variants.
        places: positions of the sources in each input, shape (k, n), from 0.
        samples: positions of the samples, input by input, shape (m,).
        inputs: input of each sample, shape (m,).
        shares: shares of the sources in each sample, shape (m, n); NaN if no source matches.
        coverage: part of each summary found in each source, same shape.
    """

    original: int
    values: Sequence[str]
    variants: Integers
    places: Integers
    samples: Integers
    inputs: Integers
    shares: Floats
    coverage: Floats

    def by_input(self, numbers: Floats) -> Floats:
        """Average the samples of each input, shape (k, n); NaN samples are ignored."""
        means = np.full((len(self.places), numbers.shape[1]), np.nan)
        for place in range(len(means)):
            present = numbers[(self.inputs == place) & ~np.isnan(numbers[:, 0])]
            if len(present):
                means[place] = present.mean(axis=0)
        return means


def identify(sources: Sequence[str], values: Sequence[str]) -> tuple[str, ...]:
    """Identify sources independently of their order; equal texts of a group are numbered.

    Example:
        >>> first, second = identify(["good", "bad", "good"], "xxx"), identify(["bad", "good", "good"], "xxx")
        >>> sorted(first) == sorted(second), first[0] == second[1], len(set(first))
        (True, True, 3)
    """
    seen: Counter[tuple[str, str]] = Counter()
    names = []
    for source in zip(values, sources, strict=True):
        seen[source] += 1
        digest = blake2b("\0".join(source).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
        names.append(f"{digest}-{seen[source]}")
    return tuple(names)


def ordered_sets(originals: Originals, measure: str, matcher: str) -> Iterator[OrderedSet]:
    """List the originals with at least two sources and two orders."""
    ids: list[tuple[str, ...]] = originals.entries("source_ids", measure)
    values = originals.entries("source_values", measure)
    shares, coverage = map(originals.column, fields_of(matcher))
    members = originals.members()
    for original, inputs in originals.parts():
        samples = [members[number] for number in inputs.tolist()]
        for own in samples:
            _check_sources(originals, ids, own.tolist(), int(samples[0][0]))
        firsts = [int(own[0]) for own in samples]
        places = np.stack([np.argsort(ids[sample]) for sample in firsts])
        if places.shape[1] < 2 or len(np.unique(places, axis=0)) < 2:
            continue
        every = np.concatenate(samples)
        yield OrderedSet(
            original=original,
            values=[values[firsts[0]][place] for place in places[0]],
            variants=originals.input_variant[inputs],
            places=places,
            samples=every,
            inputs=np.repeat(np.arange(len(samples)), list(map(len, samples))),
            shares=np.stack([_aligned(shares[sample], ids[sample]) for sample in every]),
            coverage=np.stack([_aligned(coverage[sample], ids[sample]) for sample in every]),
        )


def _aligned(numbers: Sequence[float] | None, ids: Sequence[str]) -> Floats:
    return np.full(len(ids), np.nan) if numbers is None else np.array(numbers)[np.argsort(ids)]


def _check_sources(originals: Originals, ids: Sequence[tuple[str, ...]], own: Sequence[int], first: int) -> None:
    """Check that all inputs of an original have the same sources."""
    for sample in own:
        if set(ids[sample]) != set(ids[first]):
            index = originals.column("index")
            raise InputError(
                f"{originals.settings.module}: sample {index[sample]} has other sources than sample {index[first]} of "
                f"the same original {originals.names[originals.clusters[first]]!r}; give all inputs of an original the "
                "same sources in different orders, and other sets of sources another id"
            )
        if ids[sample] != ids[own[0]]:
            index = originals.column("index")
            raise InputError(
                f"{originals.settings.module}: sample {index[sample]} has its sources in another order than sample "
                f"{index[own[0]]} of the same input; give each order its own variant or control"
            )


def add_set(found: Collected, matcher: str, given: OrderedSet) -> bool:
    """Add a set's figures by one matcher; False with fewer than two matched orders."""
    averages = given.by_input(given.shares)
    there: Bools = ~np.isnan(averages[:, 0])
    if len(np.unique(given.places[there], axis=0)) < 2:
        return False
    figures = _SetFigures(found, matcher, given.original)
    shares, places = averages[there], given.places[there]
    figures.add_primacy(shares, places)
    of_value = {value: np.array([each == value for each in given.values]) for value in sorted(set(given.values))}
    for value, has in of_value.items():
        first = (has & (places == 0)).any(axis=1)
        if first.any() and not first.all():
            figures.add_gain(value, shares, has, first)
    figures.add_effects(given, averages, there)
    if len(of_value) > 1 and not too_many(found.originals.variants):
        variants = [found.originals.variants[place] for place in given.variants[there]]
        figures.add_scores(shares, given.by_input(given.coverage)[there], of_value, variants)
    traces = partial(_traces, np.stack(list(figures.traced.values())))
    found.relabel(given.original, (), list(figures.traced), (1,) * len(shares), traces)
    return True


class _SetFigures:
    """Figures of one set by one matcher.

    Attributes:
        linear: key of a figure that is linear in shares -> weights, shape (k, n).
        traced: key of a tested figure -> matrix (k, k) of summaries by orders, whose trace is the figure.
    """

    def __init__(self, found: Collected, matcher: str, original: int) -> None:
        self.found, self.matcher, self.original = found, matcher, original
        self.linear: dict[Key, Floats] = {}
        self.traced: dict[Key, Floats] = {}

    def add(self, figure: str, *of: str, number: float, n: float = 1.0) -> Key:
        """Add a number of the set to a figure; return its key."""
        key = figure, self.matcher, *of
        self.found.add(key, [self.original], [number], [n])
        return key

    def add_primacy(self, shares: Floats, places: Integers) -> None:
        """Add primacy, and the shares by position."""
        forward, matrix = place_weights(places), own_minus_others(forwardness(shares, places))
        key = self.add("primacy", number=float(np.trace(matrix)))
        self.traced[key] = matrix
        self.linear[key] = (forward - forward.mean(axis=0)) / (len(places) - 1)
        part = (places + 0.5) * len(PARTS) // places.shape[1]
        for number, name in enumerate(PARTS):
            within = part == number
            if within.any():
                weights = within / (within.sum(axis=1).mean() / within.shape[1]) / len(shares)
                self.linear[self.add("part", name, number=float((shares * weights).sum()))] = weights

    def add_gain(self, value: str, shares: Floats, has: Bools, first: Bools) -> None:
        """Add the gain of a group that comes first in some orders."""
        weights, of_all = gain_weights(first), shares[:, has].sum(axis=1)
        key = self.add("gain", value, number=float(of_all @ weights))
        self.traced[key] = np.outer(of_all, weights)
        self.linear[key] = weights[:, None] * has
        self.add("share_first", value, number=float(of_all[first].mean()))
        self.add("share_later", value, number=float(of_all[~first].mean()))

    def add_scores(
        self, shares: Floats, coverage: Floats, of_value: Mapping[str, Bools], variants: Sequence[str]
    ) -> None:
        """Add the fairness scores of each order, and their variation."""
        p_y = np.stack([shares[:, has].sum(axis=1) for has in of_value.values()], axis=1)
        p_g = np.broadcast_to(np.array([has.mean() for has in of_value.values()]), p_y.shape)
        codes = np.stack(list(of_value.values())).argmax(axis=0)
        by_order = [float(sample_equal_coverage(coverage_differences(row, codes))) for row in coverage]
        scores = (binary_unfair(p_y, p_g, TAU).astype(np.float64), unfair_error(p_y, p_g), np.array(by_order))
        for name, of_order in zip(SCORES, scores, strict=True):
            self.add("deviation", name, number=float(of_order.std(ddof=1)))
            for variant in dict.fromkeys(variants):
                has = np.array([each == variant for each in variants])
                key = self.add(name, variant, number=float(of_order[has].sum()), n=float(has.sum()))
                self.traced[key] = np.outer(of_order, has)

    def add_effects(self, given: OrderedSet, averages: Floats, there: Bools) -> None:
        """Add each sample's effect, beyond its input, on figures linear in shares."""
        present = ~np.isnan(given.shares[:, 0])
        n_present = np.bincount(given.inputs[present], minlength=len(there))
        kept = present & (n_present[given.inputs] > 1)
        own = given.inputs[kept]
        beyond = (given.shares[kept] - averages[own]) / n_present[own][:, None]
        which = (np.cumsum(there) - 1)[own]
        for key, weights in self.linear.items() if len(own) else ():
            self.found.affect(key, given.samples[kept], (beyond * weights[which]).sum(axis=1))


def _traces(matrices: Floats, orders: Integers) -> Floats:
    """Compute the traces of m matrices (k, k) with permuted summaries, shape (ways, m)."""
    return np.asarray(matrices[:, np.arange(matrices.shape[1]), orders].sum(axis=-1).T)
