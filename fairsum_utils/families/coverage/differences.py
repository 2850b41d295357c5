"""Coverage differences between the groups of each sample."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np

from fairsum_utils.families.coverage.rows import CoverageTable, DocumentCoverage
from fairsum_utils.families.table import Entries
from fairsum_utils.measures.coverage_parity import extreme_differences
from fairsum_utils.measures.equal_coverage import (
    PermutationTest,
    coverage_differences,
    permutation_test,
    sample_equal_coverage,
)
from fairsum_utils.stats.arrays import Floats, Integers, by_code, exact_mean


class Differences:
    """Coverage differences of all samples, one entry for each group of a sample.

    Attributes:
        entries: groups of the entries.
        flat: difference of each entry.
        dominant: dominant group of each sample.
    """

    def __init__(self, table: CoverageTable, settings: Any) -> None:
        self.settings = settings
        names, self.samples = table.coded("values")[0], list(table)
        columns = {name: column for column, name in enumerate(names)}
        differences = [coverage_differences(sample.coverage, sample.codes) for sample in self.samples]
        lengths = np.array(list(map(len, differences)), dtype=np.int64)
        self.flat = np.concatenate([*differences, np.empty(0)])
        self.starts = np.cumsum(lengths) - lengths
        codes = np.array([columns[name] for sample in self.samples for name in sample.values], dtype=np.int64)
        self.entries = Entries(names, codes, np.repeat(np.arange(len(self.samples)), lengths))
        self.mean_coverage = np.array([exact_mean(sample.coverage) for sample in self.samples])
        counts = [np.bincount(sample.codes) for sample in self.samples]
        dominant = [_dominant(count, sample) for count, sample in zip(counts, self.samples, strict=True)]
        codes = np.array([-1 if name is None else columns[name] for name in dominant], dtype=np.int64)
        self.dominant = Entries(names, codes, np.arange(len(self.samples)))
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


def tested(sample: DocumentCoverage, settings: Any) -> PermutationTest:
    """Run the permutation test of a sample."""
    return permutation_test(
        sample.coverage,
        sample.codes,
        max_exact=settings.max_exact,
        n_permutations=settings.n_permutations,
        seed=settings.seed,
        strict=settings.significance == "strict",
        alpha=settings.alpha,
    )


def _dominant(counts: Integers, sample: DocumentCoverage) -> str | None:
    most = np.flatnonzero(counts == counts.max())
    return sample.values[most[0]] if len(most) == 1 else None
