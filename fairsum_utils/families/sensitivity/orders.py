"""Sets summarized in several orders, with primacy, gains and fairness scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from fairsum_utils.errors import InputError
from fairsum_utils.families.sensitivity.matching import fields_of
from fairsum_utils.families.sensitivity.samples import Originals
from fairsum_utils.families.sensitivity.tally import too_many
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
                f"{originals.settings.module}: samples {index[first]} and {index[sample]} belong to the same original "
                f"{originals.names[originals.clusters[first]]!r} but have different sources; give all inputs of an "
                "original the same sources in different orders, and other sets of sources another id"
            )
        if ids[sample] != ids[own[0]]:
            index = originals.column("index")
            raise InputError(
                f"{originals.settings.module}: samples {index[own[0]]} and {index[sample]} are summaries of the same "
                "input but have their sources in different orders; give each order its own variant or control"
            )


class SetStatistics:
    """Statistics of one set by one matcher.

    Attributes:
        original: position among the originals.
        k: number of orders with a matched summary.
        numbers: statistic -> number.
        counts: statistic -> its denominator, unless it is a mean over sets.
        pulls: statistic -> positions of the samples, and each one's contribution beyond its input.
        traced: statistic -> matrix (k, k) of summaries by orders; the statistic is its trace.
    """

    def __init__(self, given: OrderedSet, originals: Originals, there: Bools) -> None:
        self.original, self.k = given.original, int(there.sum())
        self.numbers: dict[Key, float] = {}
        self.counts: dict[Key, float] = {}
        self.traced: dict[Key, Floats] = {}
        averages = given.by_input(given.shares)
        shares, places = averages[there], given.places[there]
        linear = self._add_primacy(shares, places)
        of_value = {value: np.array([each == value for each in given.values]) for value in sorted(set(given.values))}
        for value, has in of_value.items():
            first = (has & (places == 0)).any(axis=1)
            if first.any() and not first.all():
                linear["gain", value] = self._add_gain(value, shares[:, has].sum(axis=1), first)[:, None] * has
        self.pulls = _pulls(given, there, averages, linear)
        if len(of_value) > 1 and not too_many(originals.variants):
            variants = [originals.variants[place] for place in given.variants[there]]
            self._add_scores(shares, given.by_input(given.coverage)[there], of_value, variants)

    @classmethod
    def of(cls, given: OrderedSet, originals: Originals) -> SetStatistics | None:
        """Compute the statistics; None with fewer than two matched orders."""
        there: Bools = ~np.isnan(given.by_input(given.shares)[:, 0])
        return cls(given, originals, there) if len(np.unique(given.places[there], axis=0)) > 1 else None

    def _add_primacy(self, shares: Floats, places: Integers) -> dict[Key, Floats]:
        """Add primacy and parts by position; return the weights of shares."""
        forward = place_weights(places)
        linear: dict[Key, Floats] = {("primacy",): (forward - forward.mean(axis=0)) / (len(places) - 1)}
        self.traced["primacy",] = own_minus_others(forwardness(shares, places))
        self.numbers["primacy",] = float(np.trace(self.traced["primacy",]))
        part = (places + 0.5) * len(PARTS) // places.shape[1]
        for number, name in enumerate(PARTS):
            within = part == number
            if within.any():
                even = within.sum(axis=1).mean() / within.shape[1]
                linear["part", name] = within / even / len(shares)
                self.numbers["part", name] = float((shares * linear["part", name]).sum())
        return linear

    def _add_gain(self, value: str, of_all: Floats, first: Bools) -> Floats:
        """Add the gain of a group that comes first; return its weights."""
        weights = gain_weights(first)
        self.traced["gain", value] = np.outer(of_all, weights)
        self.numbers["gain", value] = float(of_all @ weights)
        self.numbers["share_first", value] = float(of_all[first].mean())
        self.numbers["share_later", value] = float(of_all[~first].mean())
        return weights

    def _add_scores(
        self, shares: Floats, coverage: Floats, of_value: Mapping[str, Bools], variants: Sequence[str]
    ) -> None:
        """Add the fairness scores of each order, and their variation."""
        p_y = np.stack([shares[:, has].sum(axis=1) for has in of_value.values()], axis=1)
        p_g = np.broadcast_to(np.array([has.mean() for has in of_value.values()]), p_y.shape)
        codes = np.stack(list(of_value.values())).argmax(axis=0)
        by_order = [float(sample_equal_coverage(coverage_differences(row, codes))) for row in coverage]
        scores = (binary_unfair(p_y, p_g, TAU).astype(np.float64), unfair_error(p_y, p_g), np.array(by_order))
        for name, of_order in zip(SCORES, scores, strict=True):
            self.numbers["deviation", name] = float(of_order.std(ddof=1))
            for variant in dict.fromkeys(variants):
                has = np.array([each == variant for each in variants])
                self.traced[name, variant] = np.outer(of_order, has)
                self.numbers[name, variant] = float(of_order[has].sum())
                self.counts[name, variant] = float(has.sum())


def _pulls(
    given: OrderedSet, there: Bools, averages: Floats, linear: Mapping[Key, Floats]
) -> dict[Key, tuple[Integers, Floats]]:
    """Compute each sample's contribution, beyond its input, to statistics linear in shares."""
    present = ~np.isnan(given.shares[:, 0])
    n_present = np.bincount(given.inputs[present], minlength=len(there))
    kept = present & (n_present[given.inputs] > 1)
    own = given.inputs[kept]
    beyond = (given.shares[kept] - averages[own]) / n_present[own][:, None]
    which = (np.cumsum(there) - 1)[own]
    if not len(own):
        return {}
    return {key: (given.samples[kept], (beyond * weights[which]).sum(axis=1)) for key, weights in linear.items()}
