"""Coverage differences between groups, and their sums with tests and random summaries."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

import numpy as np

from fairsum_utils.families.chance import N_JUDGED, draws_of, put_draws
from fairsum_utils.families.coverage.rows import CoverageTable, DocumentCoverage
from fairsum_utils.families.table import Entries
from fairsum_utils.measures import get_measure
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


def sums_of(table: CoverageTable, measures: Sequence[str], settings: Any, scorer: Any = None) -> Sums:
    """Sum up a table; the units are the samples.

    Returns:
        Columns ``n`` (1 for each sample), by value ``documents``, and those of the measures: ``equal_coverage`` and
        ``r_ec`` (1 where a sample is unequal, by permutation tests that wait until it is asked for), and by value
        ``extreme`` and ``extreme_n``, the sum and number of what a sample adds to the set C_k; totals of what is not
        drawn; counts.

    Example:
        >>> from fairsum_utils.families.coverage.rows import CoverageRow
        >>> from fairsum_utils.measures.coverage_parity import CoverageParity
        >>> table = CoverageTable([CoverageRow(0, ("a", "b"), (1.0, 0.5), 2)])
        >>> sums_of(table, ["coverage_parity"], CoverageParity()).total("extreme", "b")
        -0.25
    """
    differences = Differences(table, settings)
    sums = Sums(len(differences), skipped=table.skipped)
    sums.put(("n",), np.ones(sums.n_units))
    sums.put_total(("mean_coverage",), differences.mean_coverage)
    for value, entries in differences.entries.by_group():
        sums.put(("documents", value), differences.documents[entries], differences.entries.samples[entries])
        sums.counts["value", value] = len(entries)
    for value, samples in differences.dominant.by_group():
        sums.counts["dominant", value] = len(samples)
    sums.counts["truncated",] = table.n_truncated
    sums.counts["uncovered",] = sum(not sample.coverage.any() for sample in differences.samples)
    if "equal_coverage" in measures:
        _put_equal_coverage(sums, table, differences)
    if "coverage_parity" in measures:
        _put_coverage_parity(sums, differences)
    if settings.at_random:
        _put_at_random(sums, table, measures, differences)
    return sums


def _put_equal_coverage(sums: Sums, table: CoverageTable, differences: Differences) -> None:
    """Add the sums of Equal Coverage."""
    settings, dominated = differences.settings, list(differences.dominant.by_group())
    sums.put(("equal_coverage",), differences.scores)
    for value, entries in differences.entries.by_group():
        sums.put_total(("difference", value), differences.flat[entries])
        sums.put_total(("absolute_difference", value), np.abs(differences.flat[entries]))
    for value, samples in dominated:
        sums.put_total(("dominant_equal_coverage", value), differences.scores[samples])

    def put_tests() -> None:
        tests = [tested(sample, settings) for sample in table]  # so that the differences need not wait in memory
        unfair = np.array([test.p_value < settings.alpha for test in tests], dtype=np.float64)
        sums.put(("r_ec",), unfair)
        sums.put_total(("expected",), [test.expected for test in tests])
        sums.put_total(("can_reach",), [test.smallest_p < settings.alpha for test in tests])
        for value, samples in dominated:
            sums.put_total(("dominant_r_ec", value), unfair[samples])

    of_tests = [("dominant_r_ec", value) for value, _ in dominated]
    sums.put_later([("r_ec",), ("expected",), ("can_reach",), *of_tests], put_tests)


def _put_coverage_parity(sums: Sums, differences: Differences) -> None:
    """Add the sums of Coverage Parity."""
    if differences.settings.protocol == "released":  # every document of a value counts, not only extreme values
        weights = differences.documents.astype(np.float64)
    else:
        weights = differences.is_extreme.astype(np.float64)
    extreme = np.flatnonzero(weights)
    names, columns, rows = differences.entries
    columns, rows, weights = columns[extreme], rows[extreme], weights[extreme]
    weighted = differences.flat[extreme] * weights
    for column, places in by_code(columns):
        value = names[column]
        sums.put(("extreme", value), weighted[places], rows[places])
        sums.put(("extreme_n", value), weights[places], rows[places])
    dominant_of = differences.dominant.codes[rows]
    of_dominant = np.flatnonzero(dominant_of >= 0)
    pairs = dominant_of[of_dominant] * len(names) + columns[of_dominant]
    for pair, chosen in by_code(pairs):
        dominant, value = (names[column] for column in divmod(pair, len(names)))
        places = of_dominant[chosen]
        sums.put_total(("dominant_extreme", dominant, value), weighted[places])
        sums.counts["dominant_extreme_n", dominant, value] = int(weights[places].sum())


def _put_at_random(sums: Sums, table: CoverageTable, measures: Sequence[str], real: Differences) -> None:
    """Add the scores of random summaries, which have the documents of the real ones.

    A random summary consists of sentences of the sample's sources, in random order and none twice, about as long as the
    real summary. It is judged like the real one.
    """
    if (drawn := draws_of(sums, table)) is None:
        return
    of_draws = [real.replaced(of_draw) for of_draw in np.ascontiguousarray(drawn.reshape(-1, N_JUDGED).T)]
    for name in measures:
        if get_measure(name).averages:
            put_draws(sums, name, np.column_stack([differences.scores for differences in of_draws]))
            continue
        for draw, differences in enumerate(of_draws):
            extremes = Sums(len(differences))
            _put_coverage_parity(extremes, differences)
            for (part, value), column in extremes.columns.items():
                sums.put_total((f"at_random_{part}", value, str(draw)), column.numbers)
