"""FiSCo's test of each two variants of each original, and what many originals say of it together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations

import numpy as np

from fairsum_utils.families.sensitivity.gathering import Alike, Pair, too_many
from fairsum_utils.families.sensitivity.originals import Originals
from fairsum_utils.measures.counterfactual_gap import fisco_test
from fairsum_utils.stats.arrays import Floats
from fairsum_utils.stats.sums import AnySums, Sums
from fairsum_utils.stats.tests import Welch

__all__ = ["SELDOM", "FiscoTests", "fisco_pairs", "fisco_tests"]

SELDOM = 0.05
"""A test whose p-value is at most this counts as rejected."""


def fisco_tests(alike: Alike, distances: Floats) -> dict[tuple[int, int], Welch]:
    """The test of each two variants of originals that are alike.

    Args:
        alike: K originals.
        distances: of their summaries, shape (K, n, n).

    Returns:
        Two variants -> t and p of each original, shape (K,).
    """
    codes = np.array(alike.variants)[list(alike.inputs)]
    found = {}
    for pair in combinations(np.unique(codes).tolist(), 2):
        kept = np.flatnonzero(np.isin(codes, pair))
        found[pair] = fisco_test(distances[:, kept[:, None], kept], codes[kept].tolist())
    return found


def fisco_pairs(sums: AnySums, name: Callable[[str], str]) -> list[Pair]:
    """Each two variants that some original has, in alphabetical order; none of too many variants."""
    if too_many(sums.of("inputs")):
        return []
    return sorted({key[1:] for key in sums.counts if key[0] == name("untested")})


class FiscoTests:
    """What the tests of originals come to, as they come.

    Args:
        name: makes the name of a kind of column.
        originals: of the table.
        sums: to which it is added.
    """

    def __init__(self, name: Callable[[str], str], originals: Originals, sums: Sums) -> None:
        self.name, self.originals, self.sums = name, originals, sums
        self.found: dict[Pair, list[Mapping[str, Floats]]] = {}

    def add(self, alike: Alike, distances: Floats) -> None:
        """Add originals and the distances of their summaries, shape (K, n, n)."""
        if too_many(self.originals.variants):
            return
        for (a, b), (t, p_value) in fisco_tests(alike, distances).items():
            there, rejected = ~np.isnan(p_value), p_value <= SELDOM
            pair = self.originals.variants[a], self.originals.variants[b]
            self.sums.counts[(self.name("untested"), *pair)] += int((~there).sum())
            numbers = {"at": alike.originals, "tested": there, "rejected": rejected, "apart": rejected & (t > 0)}
            self.found.setdefault(pair, []).append({kind: column[there] for kind, column in numbers.items()})

    def put(self) -> None:
        """Add it all to the sums."""
        for pair, parts in self.found.items():
            columns = {kind: np.concatenate([part[kind] for part in parts]) for kind in parts[0]}
            at = columns.pop("at").astype(np.int64)
            for kind, numbers in columns.items():
                self.sums.put((self.name(kind), *pair), numbers.astype(np.float64), at)
