"""Coverage differences between the groups of each sample."""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from typing import Any

import numpy as np

from fairsum_utils.families.coverage.rows import CoverageTable, DocumentCoverage
from fairsum_utils.measures.coverage_parity import extreme_differences
from fairsum_utils.measures.equal_coverage import (
    PermutationTest,
    coverage_differences,
    permutation_test,
    sample_equal_coverage,
)
from fairsum_utils.stats.arrays import Floats, Integers, by_code, exact_mean
from fairsum_utils.stats.sums import Sums


class Differences:
    """Coverage differences of all samples, one entry for each group of a sample."""

    def __init__(self, table: CoverageTable, settings: Any) -> None:
        self.settings = settings
        self.names = table.values()
        self.samples = list(table)
        columns = {name: column for column, name in enumerate(self.names)}
        differences = [coverage_differences(sample.coverage, sample.codes) for sample in self.samples]
        lengths = np.array(list(map(len, differences)), dtype=np.int64)
        self.flat = np.concatenate([*differences, np.empty(0)])
        self.rows = np.repeat(np.arange(len(self.samples)), lengths)
        self.starts = np.cumsum(lengths) - lengths
        self.columns = np.array([columns[name] for sample in self.samples for name in sample.values], dtype=np.int64)
        self.mean_coverage = np.array([exact_mean(sample.coverage) for sample in self.samples])
        counts = [np.bincount(sample.codes) for sample in self.samples]
        dominant = [_dominant(count, sample) for count, sample in zip(counts, self.samples, strict=True)]
        self.dominant = np.array([-1 if name is None else columns[name] for name in dominant], dtype=np.int64)
        self.documents = np.concatenate([*counts, np.empty(0)])
        self._lengths = lengths
        self._score()

    def _score(self) -> None:
        self.scores, self.is_extreme = np.empty(len(self)), np.empty(len(self.flat), dtype=np.bool_)
        for length, places in by_code(self._lengths):
            entries = self.starts[places][:, None] + np.arange(length)
            self.scores[places] = sample_equal_coverage(self.flat[entries])
            self.is_extreme[entries] = extreme_differences(self.flat[entries])

    def replaced(self, flat: Floats) -> Differences:
        """Return other differences of the same documents."""
        other = copy(self)
        other.flat = flat
        other._score()
        return other

    def __len__(self) -> int:
        return len(self.samples)

    def of_sample(self, place: int) -> Floats:
        """Return the differences of a sample, one for each group."""
        return self.flat[self.starts[place] :][: len(self.samples[place].values)]

    def entries(self) -> Iterator[tuple[str, Integers]]:
        """Yield each group with a mask of its entries."""
        for column, places in by_code(self.columns):
            yield self.names[column], places

    def dominated(self) -> Iterator[tuple[str, Integers]]:
        """Yield each dominant group with the samples it dominates."""
        for column, places in by_code(self.dominant):
            if column >= 0:
                yield self.names[column], places

    def test(self, place: int) -> PermutationTest:
        """Run the permutation test of a sample."""
        return permutation_test(
            self.samples[place].coverage,
            self.samples[place].codes,
            max_exact=self.settings.max_exact,
            n_permutations=self.settings.n_permutations,
            seed=self.settings.seed,
            strict=self.settings.significance == "strict",
            alpha=self.settings.alpha,
        )


def _dominant(counts: Integers, sample: DocumentCoverage) -> str | None:
    most = np.flatnonzero(counts == counts.max())
    return sample.values[most[0]] if len(most) == 1 else None


def put_equal_coverage(sums: Sums, differences: Differences) -> None:
    """Add the sums of Equal Coverage."""
    settings, dominated = differences.settings, list(differences.dominated())
    sums.put(("equal_coverage",), differences.scores)
    for value, entries in differences.entries():
        sums.put_total(("difference", value), differences.flat[entries])
        sums.put_total(("absolute_difference", value), np.abs(differences.flat[entries]))
    for value, samples in dominated:
        sums.put_total(("dominant_equal_coverage", value), differences.scores[samples])

    def put_tests() -> None:
        tests = list(map(differences.test, range(len(differences))))
        unfair = np.array([test.p_value < settings.alpha for test in tests], dtype=np.float64)
        sums.put(("r_ec",), unfair)
        sums.put_total(("expected",), [test.expected for test in tests])
        sums.put_total(("can_reach",), [test.smallest_p < settings.alpha for test in tests])
        for value, samples in dominated:
            sums.put_total(("dominant_r_ec", value), unfair[samples])

    of_tests = [("dominant_r_ec", value) for value, _ in dominated]
    sums.put_later([("r_ec",), ("expected",), ("can_reach",), *of_tests], put_tests)


def put_coverage_parity(sums: Sums, differences: Differences) -> None:
    """Add the sums of Coverage Parity."""
    if differences.settings.protocol == "released":  # every document of a value counts, not only extreme values
        weights = differences.documents.astype(np.float64)
    else:
        weights = differences.is_extreme.astype(np.float64)
    extreme = np.flatnonzero(weights)
    columns, rows, weights = differences.columns[extreme], differences.rows[extreme], weights[extreme]
    weighted = differences.flat[extreme] * weights
    for column, places in by_code(columns):
        value = differences.names[column]
        sums.put(("extreme", value), weighted[places], rows[places])
        sums.put(("extreme_n", value), weights[places], rows[places])
    n_values = len(differences.names)
    of_dominant = np.flatnonzero(differences.dominant[rows] >= 0)
    pairs = differences.dominant[rows[of_dominant]] * n_values + columns[of_dominant]
    for pair, chosen in by_code(pairs):
        dominant, value = (differences.names[column] for column in divmod(pair, n_values))
        places = of_dominant[chosen]
        sums.put_total(("dominant_extreme", dominant, value), weighted[places])
        sums.counts["dominant_extreme_n", dominant, value] = int(weights[places].sum())
