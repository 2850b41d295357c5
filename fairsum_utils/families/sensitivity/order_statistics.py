"""What one set that was summarized in several orders gives: primacy, gains of values, and fairness scores by order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from fairsum_utils.families.sensitivity.gathering import too_many
from fairsum_utils.families.sensitivity.ordered_sets import OrderedSet
from fairsum_utils.families.sensitivity.originals import Originals
from fairsum_utils.measures.bur import binary_unfair
from fairsum_utils.measures.equal_coverage import coverage_differences, sample_equal_coverage
from fairsum_utils.measures.order_sensitivity import forwardness, gain_weights, own_minus_others, place_weights
from fairsum_utils.measures.uer import unfair_error
from fairsum_utils.stats.arrays import Bools, Floats, Integers
from fairsum_utils.stats.sums import Key

__all__ = ["PARTS", "SCORES", "TAU", "SetStatistics"]

PARTS = ("first", "middle", "last")
"""Thirds of a set by place."""
SCORES = ("bur", "uer", "equal_coverage")
"""Fairness scores that are told by order."""
TAU = 0.8
"""Tolerance of BUR."""


class SetStatistics(NamedTuple):
    """What one set gives by one matcher.

    Attributes:
        original: its place among the originals.
        k: orders with a summary that has something of the sources.
        numbers: statistic -> number.
        counts: of a number that is no mean over sets -> what it is divided by.
        pulls: statistic -> the places of the samples, and what each adds beyond its input.
        traced: statistic -> a matrix whose trace it is, with row a the summary and column b the order, shape (k, k).
    """

    original: int
    k: int
    numbers: dict[Key, float]
    counts: dict[Key, float]
    pulls: dict[Key, tuple[Integers, Floats]]
    traced: dict[Key, Floats]

    @classmethod
    def of(cls, given: OrderedSet, originals: Originals) -> SetStatistics | None:
        """None where fewer than two orders have a summary that has something of the sources."""
        shares = given.by_input(given.shares)
        there: Bools = ~np.isnan(shares[:, 0])
        places = given.places[there]
        if len(np.unique(places, axis=0)) < 2:
            return None
        shares, coverage = shares[there], given.by_input(given.coverage)[there]
        variants = [originals.variants[place] for place in given.variants[there]]
        forward = place_weights(places)
        linear: dict[Key, Floats] = {("primacy",): (forward - forward.mean(axis=0)) / (len(places) - 1)}
        of_value = {value: np.array([each == value for each in given.values]) for value in sorted(set(given.values))}
        numbers: dict[Key, float] = {}
        traced: dict[Key, Floats] = {("primacy",): own_minus_others(forwardness(shares, places))}
        numbers[("primacy",)] = float(np.trace(traced[("primacy",)]))
        for value, has in of_value.items():
            first = (has & (places == 0)).any(axis=1)
            if first.all() or not first.any():
                continue
            of_all = shares[:, has].sum(axis=1)
            weights = gain_weights(first)
            traced[("gain", value)] = np.outer(of_all, weights)
            numbers[("gain", value)] = float(of_all @ weights)
            numbers[("share_first", value)] = float(of_all[first].mean())
            numbers[("share_later", value)] = float(of_all[~first].mean())
            linear[("gain", value)] = np.outer(weights, has)
        part = (places + 0.5) * len(PARTS) // places.shape[1]
        for number, name in enumerate(PARTS):
            within = part == number
            if within.any():
                even = within.sum(axis=1).mean() / within.shape[1]
                linear[("part", name)] = within / even / len(shares)
                numbers[("part", name)] = float((shares * linear[("part", name)]).sum())
        counts: dict[Key, float] = {}
        if len(of_value) > 1 and not too_many(originals.variants):
            _add_scores(shares, coverage, of_value, variants, numbers, counts, traced)
        return cls(given.original, len(shares), numbers, counts, _pulls(given, there, shares, linear), traced)


def _add_scores(
    shares: Floats,
    coverage: Floats,
    of_value: Mapping[str, Bools],
    variants: Sequence[str],
    numbers: dict[Key, float],
    counts: dict[Key, float],
    traced: dict[Key, Floats],
) -> None:
    """Fairness scores of each order of a set, by its variant, and how much they vary."""
    p_y = np.stack([shares[:, has].sum(axis=1) for has in of_value.values()], axis=1)
    p_g = np.broadcast_to(np.array([has.mean() for has in of_value.values()]), p_y.shape)
    codes = np.stack(list(of_value.values())).argmax(axis=0)
    scores = {
        "bur": binary_unfair(p_y, p_g, TAU).astype(np.float64),
        "uer": unfair_error(p_y, p_g),
        "equal_coverage": np.array(
            [float(sample_equal_coverage(coverage_differences(row, codes))) for row in coverage]
        ),
    }
    for name, of_order in scores.items():
        numbers[("deviation", name)] = float(of_order.std(ddof=1))
        for variant in dict.fromkeys(variants):
            has = np.array([each == variant for each in variants])
            traced[(name, variant)] = np.outer(of_order, has)
            numbers[(name, variant)] = float(of_order[has].sum())
            counts[(name, variant)] = float(has.sum())


def _pulls(
    given: OrderedSet, there: Bools, shares: Floats, linear: Mapping[Key, Floats]
) -> dict[Key, tuple[Integers, Floats]]:
    """What each sample adds to statistics that are linear in shares, beyond its input."""
    of_samples = np.split(given.shares, np.cumsum([len(places) for places in given.samples])[:-1])
    inputs = [place for place, is_there in enumerate(there) if is_there]
    places: list[Integers] = []
    beyond: list[Floats] = []
    which: list[int] = []
    for row, number in enumerate(inputs):
        present = ~np.isnan(of_samples[number][:, 0])
        if present.sum() > 1:
            places.append(given.samples[number][present])
            beyond.append((of_samples[number][present] - shares[row]) / present.sum())
            which += [row] * int(present.sum())
    if not which:
        return {}
    together, at = np.concatenate(beyond), np.concatenate(places)
    return {key: (at, (together * weights[which]).sum(axis=1)) for key, weights in linear.items()}
