"""EC, Equal Coverage: the difference in coverage between each group and all documents."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Annotated, Literal, NamedTuple, get_args

import numpy as np
import numpy.typing as npt

from fairsum_utils.errors import InputError
from fairsum_utils.measures import About, Figures
from fairsum_utils.measures._coverage import CoverageMeasure
from fairsum_utils.measures._shares import row_sum
from fairsum_utils.settings import MOST_DRAWS, Draws, Fraction, setting, whole
from fairsum_utils.stats.arrays import Codes, Floats, by_code, quotient, shuffled
from fairsum_utils.stats.permutation import Table, label_assignments, n_label_assignments, random_orders
from fairsum_utils.validation import check_count

__all__ = [
    "ABOUT",
    "TOLERANCE",
    "EqualCoverage",
    "PermutationTest",
    "coverage_differences",
    "document_coverage",
    "equal_coverage",
    "mean_absolute",
    "permutation_test",
    "sample_equal_coverage",
]

Significance = Literal["permutation", "strict"]
SIGNIFICANCE = get_args(Significance)

TOLERANCE = 1e-12
"""Coverages closer than this are equal; comparing floats exactly would miscount ties."""

_CLOSE = 3
"""Number of standard errors within which a p-value may lie on either side of alpha."""
_ENOUGH = 300_000
"""Largest number of random assignments: a standard error of 0.0004 at 0.05."""


class EqualCoverage(CoverageMeasure):
    """The difference in coverage between each group and all documents."""

    name = "equal_coverage"
    title = "Equal Coverage"
    averages = "scores"
    figures = (
        Figures(
            columns=(("mean difference", "difference_by_value"), ("mean |difference|", "equal_coverage_by_value")),
            title="Coverage of each group",
            axis="Coverage of its sources minus coverage of all, mean of its samples; left of 0: covered less",
            fair="as all sources",
            table="",
            first="smallest",
        ),
    )

    significance: Significance = setting(
        "permutation",
        "permutation; or strict, as printed in the paper (only assignments strictly above the score count)",
        key="sig",
        stage="results",
    )
    alpha: Fraction = setting(0.05, "a sample is unequal below this p-value, in [0, 1]", key="alpha", stage="results")
    max_exact: Annotated[int, whole(0, MOST_DRAWS)] = setting(
        20_000, "largest number of assignments to enumerate", key="exact", stage="results"
    )
    n_permutations: Draws = setting(
        5_000,
        "random assignments beyond that; more if p is close to alpha",
        key="perms",
        stage="results",
    )


def document_coverage(matrix: Floats) -> Floats:
    """Compute p(d_i, S), each document's mean coverage of the units.

    Args:
        matrix: p(d_i, s_j), shape (documents, units), in [0, 1].

    Returns:
        Shape (documents,), in [0, 1], independent of the order of units to the last bit; NaN without units.

    Source: Li et al. 2025, section 4.1, the sum over units in equations 3 and 4.

    Example:
        >>> document_coverage(np.array([[0.5, 1.0], [0.0, 0.25]])).tolist()
        [0.75, 0.125]
    """
    documents, units = matrix.shape
    if units == 0:
        return np.full(documents, np.nan)
    return np.array([math.fsum(row) / units for row in matrix.tolist()])


def coverage_differences(coverage: Floats, codes: Codes) -> Floats:
    """Compute c_k = p(d, s | k) - p(d, s) for each group k.

    Args:
        coverage: p(d_i, S), shape (documents,), in [0, 1].
        codes: group of each document, shape (documents,): 0 ... K-1, each at least once.

    Returns:
        Shape (K,), in [-1, 1], positive if overrepresented. The order of documents does not matter, and equal coverages
        give exactly 0.

    Raises:
        InputError: there is no document, a code is missing, or a code has no document.

    Source: Li et al. 2025, equations 3 and 4; c_k is named in section 4.2. The paper prints the opposite
    sign, but calls the group with the largest c_k the most overrepresented, which fits the sign used here.

    Example:
        >>> coverage_differences(np.array([0.75, 0.25, 0.25, 0.25]), np.array([0, 0, 1, 1])).tolist()
        [0.125, -0.125]
    """
    _group_sizes(coverage, codes)
    above = coverage - coverage.min()  # from the smallest, so that equal coverages are 0 and stay 0
    mean = math.fsum(above) / len(above)
    return np.array([math.fsum(above[places]) / len(places) - mean for _, places in by_code(codes)])


def mean_absolute(entries: Floats, least: int = 1) -> Floats:
    """Average the absolute entries over the last axis, ignoring NaN.

    Args:
        entries: shape (..., K).
        least: minimum number of entries present, at least 1.

    Returns:
        Shape (...), independent of the order of entries; NaN if fewer than `least` are present.

    Example:
        >>> mean_absolute(np.array([[0.5, -0.25, np.nan], [np.nan] * 3])).tolist()
        [0.375, nan]
    """
    present = (~np.isnan(entries)).sum(axis=-1)
    total = row_sum(np.sort(np.abs(entries), axis=-1))
    return np.asarray(total / np.where(present >= least, present, np.nan))


def sample_equal_coverage(differences: Floats) -> Floats:
    """Compute EC(D, S) of a sample, the mean of |c_k| over its groups.

    Args:
        differences: c_k, shape (..., K); NaN for absent groups.

    Returns:
        Shape (...), in [0, 1); NaN with fewer than two groups.

    Source: Li et al. 2025, equation 5.

    Example:
        >>> float(sample_equal_coverage(np.array([0.125, -0.125, np.nan])))
        0.125
    """
    return mean_absolute(differences, least=2)


def equal_coverage(scores: npt.ArrayLike, n: npt.ArrayLike) -> Floats:
    """Compute EC, the mean over samples of EC(D, S).

    Args:
        scores: sum of `sample_equal_coverage` over samples, shape (...).
        n: number of samples, a shape that broadcasts with `scores`.

    Returns:
        Shape (...), in [0, 1); 0 if all groups are equally covered in every sample, NaN without samples.

    Source: Li et al. 2025, section 4.1.

    Example:
        >>> float(equal_coverage(0.125 + 0.375, n=4))
        0.125
    """
    return quotient(scores, n)


class PermutationTest(NamedTuple):
    """EC under random assignment of groups to documents.

    Attributes:
        p_value: share of assignments with an EC at least as large as the observed one.
        expected: mean EC over the assignments.
        smallest_p: p-value of the assignment with the largest EC, a lower bound for these documents and groups
            (estimated unless `exact`).
        n_assignments: number of assignments.
        exact: the assignments are all distinct ones, not random ones.
    """

    p_value: float
    expected: float
    smallest_p: float
    n_assignments: int
    exact: bool


def permutation_test(
    coverage: Floats,
    codes: Codes,
    *,
    max_exact: int = 20_000,
    n_permutations: int = 5_000,
    seed: int | None = 0,
    strict: bool = False,
    alpha: float | None = None,
) -> PermutationTest:
    """Test whether EC is larger than under random assignment of groups.

    If there are at most `max_exact` distinct assignments, all are compared, including the observed one. Otherwise
    random ones are drawn and the observed one is added: p = (b + 1) / (m + 1), which is never 0. While p lies within
    three standard errors of `alpha`, their number is doubled, up to about 300,000, so that p < alpha hardly depends on
    the seed.

    The result depends only on the coverages, the number of documents of each group, and the seed. Samples of the same
    size share a table of random assignments, but each uses its own order of documents, so that errors average out over
    samples.

    Time and memory are linear in the number of assignments; time also in the number of documents outside the largest
    group.

    Args:
        coverage: p(d_i, S), shape (documents,), in [0, 1].
        codes: group of each document, shape (documents,): 0 ... K-1, each at least once.
        max_exact: largest number of distinct assignments that are compared exhaustively.
        n_permutations: number of random assignments otherwise, m; more close to `alpha`.
        seed: seed of the random assignments; None for fresh draws.
        strict: count only assignments with a greater EC and do not add 1, as in the paper's text; p = 0 is then
            possible even without differences.
        alpha: significance level of the caller, in [0, 1]; None for none.

    Returns:
        The test; p-values and expectation are NaN with only one group.

    Raises:
        InputError: there is no document or permutation, a code is missing, or a code has no document.

    Source: Li et al. 2025, section 4.1, last paragraph; equality is counted, with a tolerance of 1e-12,
    because p < 0.05 then holds in at most 5% of fair samples.

    Example:
        >>> permutation_test(np.array([0.0, 0.0, 1.0, 1.0]), np.array([0, 0, 1, 1]))
        PermutationTest(p_value=0.3333333333333333, expected=0.16666666666666666, smallest_p=0.3333333333333333,
        n_assignments=6, exact=True)
    """
    m = check_count("equal_coverage", "n_permutations", n_permutations)
    counts = tuple(sorted(_group_sizes(coverage, codes)))
    if len(counts) == 1:
        return PermutationTest(math.nan, math.nan, math.nan, 1, True)
    observed = float(sample_equal_coverage(coverage_differences(coverage, codes)))
    exact = n_label_assignments(counts) <= max_exact
    in_order = np.sort(coverage)

    def p_value(statistic: float) -> float:
        if strict:
            return float(np.count_nonzero(reference > statistic + TOLERANCE) / len(reference))
        reached = np.count_nonzero(reference >= statistic - TOLERANCE)
        return float(reached / len(reference) if exact else (reached + 1) / (len(reference) + 1))

    if exact:
        reference = _reassigned(in_order - in_order[0], counts, label_assignments(counts))
    else:
        drawn = _random_references(in_order, counts, m, seed)
        reference = next(drawn)
        while len(reference) < _ENOUGH and _is_close(p_value(observed), alpha, len(reference)):
            reference = np.concatenate([reference, *islice(drawn, len(reference) // m)])
    largest = max(observed, float(reference.max()))
    return PermutationTest(p_value(observed), float(reference.mean()), p_value(largest), len(reference), exact)


def _is_close(p_value: float, alpha: float | None, n_assignments: int) -> bool:
    """Check whether more random assignments could change the decision at alpha."""
    return alpha is not None and abs(p_value - alpha) < _CLOSE * math.sqrt(alpha * (1 - alpha) / n_assignments)


def _random_references(in_order: Floats, counts: Sequence[int], m: int, seed: int | None) -> Iterator[Floats]:
    """Yield EC under m random assignments, repeatedly; coverages are ascending.

    Over random orders of the documents, the share of assignments that reach an EC is unbiased, and samples with their
    own orders err independently. A sample's draws depend on its coverages rounded to three digits, not on its position
    in the data.
    """
    own = None if seed is None else f"{seed} {counts} {np.rint(1000 * in_order).astype(int).tolist()}"
    generator = random.Random(own)
    while True:
        placed = (in_order - in_order[0])[shuffled(range(len(in_order)), generator)]
        tables = random_orders(len(in_order), m, seed=seed)
        yield np.concatenate([_reassigned(placed, counts, table) for table in tables])


def _reassigned(coverage: Floats, counts: Sequence[int], table: Table) -> Floats:
    """Compute EC under each assignment (column) of a table, shape (assignments,)."""
    n_assignments = table.shape[1]
    mean = math.fsum(coverage) / len(coverage)
    rest = np.full(n_assignments, math.fsum(coverage))
    total = np.zeros(n_assignments)
    row = 0
    for count in counts[:-1]:
        of_group = np.zeros(n_assignments)
        for members in table[row : row + count]:  # one by one: a large array in between costs more than the sums
            of_group += coverage.take(members, mode="clip")
        total += np.abs(of_group / count - mean)
        rest -= of_group
        row += count
    total += np.abs(rest / counts[-1] - mean)
    return total / len(counts)


def _group_sizes(coverage: Floats, codes: Codes) -> list[int]:
    """Count the documents of each code."""
    if coverage.ndim != 1 or coverage.shape != codes.shape or not len(codes):
        raise InputError(
            f"equal_coverage: coverage has shape {coverage.shape} and codes {codes.shape}; "
            "give one coverage and one code for each document, and at least one document"
        )
    counts: list[int] = np.bincount(codes).tolist()
    if 0 in counts:
        raise InputError(
            f"equal_coverage: no document has code {counts.index(0)}, the largest code is {len(counts) - 1}; "
            "number the values that are present 0, 1, 2, ..."
        )
    return counts


def _example() -> list[str]:
    """Show four documents of two groups with different coverage."""
    coverage, codes = np.array([0.9, 0.7, 0.4, 0.4]), np.array([0, 0, 1, 1])
    differences = coverage_differences(coverage, codes)
    score = float(sample_equal_coverage(differences))
    return [
        "Two positive documents cover a summary to 0.9 and 0.7, two negative ones to 0.4 and 0.4.",
        f"Mean of all four: {coverage.mean():.2f}; positive {coverage[:2].mean():.2f}, negative "
        f"{coverage[2:].mean():.2f}.",
        f"Differences from the mean of all: positive {differences[0]:+.2f}, negative {differences[1]:+.2f}.",
        f"The summary's score is the mean of their absolute values: {score:.4f}.",
        f"Equal Coverage of this summary and a fair one: ({score:.4f} + 0) / 2 = "
        f"{float(equal_coverage(score, 2)):.4f}.",
    ]


ABOUT = About(
    formula="EC = mean over summaries of (1/K) * sum over the K groups of |coverage of the group's documents - "
    "coverage of all documents|",
    example=_example,
    instead="Use coverage_parity to see whether differences even out over many summaries, and bur or uer to weight "
    "groups by how much they wrote.",
)
