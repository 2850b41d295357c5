"""Tests of two or more groups of proportions.

Shares of a label are compared through two numbers per group: its items with the label, and all its items. Each test
needs groups with items, of which some but not all have the label; `compare_proportions` tells others, with a reason.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from fairsum_utils.stats.arrays import Floats, Integers

LEAST_EXPECTED = 5
"""Smallest expected count in a cell for the normal approximation."""

_MAX_TABLES = 20_000
"""Fisher's test enumerates up to this many tables."""
_MAX_CELLS = 100 * _MAX_TABLES
"""For more than 100 groups, the limit on enumerated numbers (20,000 tables of 100 groups)."""
_DRAWN = 1 << 20
"""Numbers in the tables drawn at a time."""

_TIE = 1e-7
"""Tables whose log-probabilities differ by less are equally likely: sums of logarithms round."""


class ProportionTest(NamedTuple):
    """Test that a label is equally frequent in all groups.

    Attributes:
        test: ``"z"``, ``"chi2"`` or ``"fisher"``; None if no test is possible.
        statistic: z, chi-square, or for Fisher's test the probability of the observed table.
        p_value: two-sided; NaN if no test is possible.
        undefined: reason if no test is possible, or None.
    """

    test: str | None
    statistic: float
    p_value: float
    undefined: str | None = None


def z_test(successes: Sequence[int], sizes: Sequence[int]) -> ProportionTest:
    """Run the two-sided two-proportion z test with pooled variance.

    Args:
        successes: items with the label in each of two groups.
        sizes: items in each of the groups.

    Returns:
        Positive if the first share is larger; z squared is the chi-square statistic without continuity correction.

    Source: Dhamala et al. 2021, section 6.1.2 ("binomial proportion test"); pooled, as if the shares were equal.

    Example:
        >>> [round(number, 4) for number in z_test([30, 20], [100, 100])[1:3]]
        [1.633, 0.1025]
    """
    x, n = np.array(successes), np.array(sizes)
    pooled = x.sum() / n.sum()
    z = float((x[0] / n[0] - x[1] / n[1]) / math.sqrt(pooled * (1 - pooled) * (1 / n[0] + 1 / n[1])))
    return ProportionTest("z", z, math.erfc(abs(z) / math.sqrt(2)))


def chi_square_test(successes: Sequence[int], sizes: Sequence[int]) -> ProportionTest:
    """Run Pearson's chi-square test of independence of group and label, without continuity correction.

    Args:
        successes: items with the label in each group.
        sizes: items in each group.

    Source: Dhamala et al. 2021, section 6.1.3.

    Example:
        >>> [round(number, 4) for number in chi_square_test([30, 20, 10], [100, 100, 100])[1:3]]
        [12.5, 0.0019]
    """
    from scipy import special

    x, n = np.array(successes), np.array(sizes)
    observed, expected = _cells(x, n)
    statistic = float(((observed - expected) ** 2 / expected).sum())
    return ProportionTest("chi2", statistic, float(special.chdtrc(len(n) - 1, statistic)))


def fisher_test(
    successes: Sequence[int], sizes: Sequence[int], *, n_resamples: int = 10_000, seed: int | None = 0
) -> ProportionTest:
    """Run Fisher's exact test, for several groups its Freeman-Halton extension.

    p is the probability, given both margins, of a table that is at most as likely as the observed one. If there are at
    most 20,000 tables (for G > 100 groups 2,000,000 / G; with two groups nearly always), all are enumerated and p is
    exact. Otherwise random tables are drawn, and p = (b + 1) / (m + 1), which is never 0.

    Args:
        successes: items with the label in each group.
        sizes: items in each group.
        n_resamples: tables to draw, m.
        seed: seed of the draws; None for a fresh one.

    Source: R. A. Fisher, "Statistical Methods for Research Workers", 1934; G. H. Freeman and J. H. Halton,
    Biometrika 38, 1951.

    Example:
        >>> [round(number, 4) for number in fisher_test([3, 1], [4, 4])[1:3]]  # 16/70 and (16 + 16 + 1 + 1)/70
        [0.2286, 0.4857]
    """
    x, n = np.array(successes), np.array(sizes)
    observed = float(_log_probability(x, n))
    total = int(x.sum())
    tables = _all_tables(n, total)
    if tables is not None:
        logs = _log_probability(tables, n)
        p_value = min(1.0, float(np.exp(logs[logs <= observed + _TIE]).sum()))
    else:
        generator = np.random.default_rng(seed)
        step = max(1, _DRAWN // len(n))
        reached = 0
        for start in range(0, n_resamples, step):  # same number and draws as in one block
            draws = generator.multivariate_hypergeometric(n, total, size=min(step, n_resamples - start))
            reached += int(np.count_nonzero(_log_probability(draws, n) <= observed + _TIE))
        p_value = (reached + 1) / (n_resamples + 1)
    return ProportionTest("fisher", math.exp(observed), p_value)


def compare_proportions(
    successes: Sequence[int], sizes: Sequence[int], *, n_resamples: int = 10_000, seed: int | None = 0
) -> ProportionTest:
    """Choose and run the test that suits the data.

    The test is Fisher's if a cell expects fewer than 5, else z for two groups, else chi-square.

    Args:
        successes: items with the label in each group.
        sizes: items in each group.
        n_resamples: tables that Fisher's test draws if there are too many to enumerate.
        seed: seed of these draws; None for a fresh one.

    Example:
        >>> compare_proportions([30, 20], [100, 100]).test, compare_proportions([3, 1], [4, 4]).test
        ('z', 'fisher')
        >>> compare_proportions([0, 0], [4, 4])
        ProportionTest(test=None, statistic=nan, p_value=nan, undefined='nothing has the label')
    """
    x, n = np.array(successes, dtype=np.int64), np.array(sizes, dtype=np.int64)
    if reason := _no_test(x, n):
        return ProportionTest(None, math.nan, math.nan, reason)
    if _cells(x, n)[1].min() < LEAST_EXPECTED:
        return fisher_test(successes, sizes, n_resamples=n_resamples, seed=seed)
    return z_test(successes, sizes) if len(n) == 2 else chi_square_test(successes, sizes)


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values by Holm's step-down procedure.

    The chance of any false alarm in the family of tests stays at the stated level.

    Args:
        p_values: p-values in [0, 1]; NaN for a test that was not run, which does not count.

    Returns:
        In the same order, each at least as large as before and at most 1; NaN stays NaN.

    Source: S. Holm, "A Simple Sequentially Rejective Multiple Test Procedure", Scand. J. Statistics 6, 1979.

    Example:
        >>> holm([0.25, 0.0625, float("nan")])
        [0.25, 0.125, nan]
    """
    corrected = [math.nan] * len(p_values)
    tested = sorted((p, place) for place, p in enumerate(p_values) if not math.isnan(p))
    largest = 0.0
    for rank, (p, place) in enumerate(tested):
        largest = max(largest, min(1.0, (len(tested) - rank) * p))
        corrected[place] = largest
    return corrected


def compare_labels(
    counts: Mapping[str, Mapping[str, int]],
    sizes: Mapping[str, int],
    *,
    n_resamples: int = 10_000,
    seed: int | None = 0,
) -> dict[str, dict[str, Any]]:
    """Test each label for equal frequency in all groups; nothing for fewer than two.

    Args:
        counts: group -> label -> texts with it; all groups have the same labels.
        sizes: group -> texts.
        n_resamples: tables that Fisher's test draws if there are too many to enumerate.
        seed: seed of these draws; None for a fresh one.

    Returns:
        Label -> ``test``, ``statistic``, ``p_value``, ``p_value_corrected`` (by Holm, over the labels with a test) and
        ``undefined`` if there is no test.

    Example:
        >>> found = compare_labels({"a": {"toxic": 30}, "b": {"toxic": 20}}, {"a": 100, "b": 100})
        >>> found["toxic"]["test"], round(found["toxic"]["p_value"], 4)
        ('z', 0.1025)
    """
    if len(counts) < 2:
        return {}
    labels, groups = list(next(iter(counts.values()))), list(counts)
    totals = [sizes[group] for group in groups]
    tests = [
        compare_proportions([counts[group][label] for group in groups], totals, n_resamples=n_resamples, seed=seed)
        for label in labels
    ]
    corrected = holm([test.p_value for test in tests])
    results = {}
    for label, test, p_value in zip(labels, tests, corrected, strict=True):
        *figures, undefined = test
        names = ("test", "statistic", "p_value", "p_value_corrected")
        results[label] = dict(zip(names, (*figures, p_value), strict=True))
        if undefined is not None:
            results[label]["undefined"] = undefined
    return results


def _no_test(x: Integers, n: Integers) -> str | None:
    """Return the reason that these groups cannot be compared, or None."""
    if len(n) < 2:
        return "fewer than two groups"
    if not n.all():
        return "an empty group"
    if not x.any():
        return "nothing has the label"
    return "everything has the label" if (x == n).all() else None


def _cells(x: Integers, n: Integers) -> tuple[Integers, Floats]:
    """Return observed and expected counts with and without the label."""
    table = np.stack([x, n - x])
    return table, np.asarray(table.sum(axis=1, keepdims=True) * table.sum(axis=0) / n.sum())


def _log_probability(x: Integers, n: Integers) -> Floats:
    """Compute the log multivariate hypergeometric probability of x, shape (..., groups)."""
    from scipy import special

    def choose(total: Integers, part: Integers) -> Floats:
        return np.asarray(special.gammaln(total + 1) - special.gammaln(part + 1) - special.gammaln(total - part + 1))

    return np.asarray(choose(n, x).sum(axis=-1) - choose(n.sum(), x.sum(axis=-1)))


def _all_tables(n: Integers, total: int) -> Integers | None:
    """List all tables up to n with this sum, or None for too many."""
    left, behind = np.array([total]), n.sum() - np.cumsum(n)
    most = min(_MAX_TABLES, _MAX_CELLS // max(1, len(n)))
    grown: list[tuple[Integers, Integers]] = []  # for each group: parent table and count
    for size, after in zip(n.tolist(), behind.tolist(), strict=True):
        least = np.maximum(0, left - after)
        widths = np.minimum(size, left) - least + 1
        if widths.sum() > most:  # every row can be completed
            return None
        rows = np.repeat(np.arange(len(left)), widths)
        # 0, 1, 2, ... within the rows of one parent
        step = np.arange(len(rows)) - np.repeat(np.cumsum(widths) - widths, widths)
        given = least[rows] + step
        left = left[rows] - given
        grown.append((rows, given))
    tables, come_of = np.empty((len(left), len(n)), dtype=np.int64), np.arange(len(left))
    for place in range(len(n) - 1, -1, -1):
        rows, given = grown.pop()
        tables[:, place] = given[come_of]
        come_of = rows[come_of]
    return tables
