"""EC, Equal Coverage, and its permutation test."""

from __future__ import annotations

import tracemalloc
from collections.abc import Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.measures.equal_coverage import (
    PermutationTest,
    coverage_differences,
    document_coverage,
    mean_absolute,
    permutation_test,
    sample_equal_coverage,
)

# Coverages 0.8 and 0.4, both 0.2 from 0.6, in one of two summaries.
EXPLAINED = 0.1

Floats = npt.NDArray[np.float64]
Codes = npt.NDArray[np.int64]


def exact_differences(matrix: Sequence[Sequence[Fraction]], codes: Sequence[int]) -> list[Fraction]:
    """Equations 3 and 4, cell by cell."""
    documents, units = len(matrix), len(matrix[0])
    everything = sum(sum(row) for row in matrix) / Fraction(documents * units)
    differences = []
    for code in range(max(codes) + 1):
        own = [row for row, other in zip(matrix, codes, strict=True) if other == code]
        differences.append(sum(sum(row) for row in own) / Fraction(len(own) * units) - everything)
    return differences


def exact_ec(matrix: Sequence[Sequence[Fraction]], codes: Sequence[int]) -> Fraction:
    """Equation 5."""
    differences = exact_differences(matrix, codes)
    return sum((abs(difference) for difference in differences), Fraction(0)) / len(differences)


def ec_of(matrix: Floats, codes: Codes) -> float:
    return float(sample_equal_coverage(coverage_differences(document_coverage(matrix), codes)))


class Case(NamedTuple):
    """A coverage matrix in exact fractions and in floats, and the value of each document."""

    exact: list[list[Fraction]]
    matrix: Floats
    codes: Codes


@st.composite
def cases(draw: st.DrawFn, least: int = 2, most: int = 8) -> Case:
    n = draw(st.integers(least, most))
    units = draw(st.integers(1, 4))
    n_values = draw(st.integers(2, min(n, 4)))
    # Small denominators, so that ties are common.
    cell = st.builds(lambda part, whole: Fraction(min(part, whole), whole), st.integers(0, 7), st.integers(1, 7))
    exact = [[draw(cell) for _ in range(units)] for _ in range(n)]
    codes = [*range(n_values), *(draw(st.integers(0, n_values - 1)) for _ in range(n - n_values))]
    codes = draw(st.permutations(codes))
    return Case(exact, np.array(exact, dtype=np.float64), np.array(codes))


def test_worked_example() -> None:
    # Three documents of value 0 and one of value 1, two units.
    matrix = np.array([[1.0, 0.5], [0.5, 0.0], [0.25, 0.75], [0.0, 0.25]])
    codes = np.array([0, 0, 0, 1])
    # Means over the units: 3/4, 1/4, 1/2, 1/8.
    assert document_coverage(matrix).tolist() == [0.75, 0.25, 0.5, 0.125]
    # p(d,s|0) = 3/2 / 3 = 1/2, p(d,s|1) = 1/8, p(d,s) = 13/8 / 4 = 13/32; c = 3/32, -9/32.
    differences = coverage_differences(np.array([0.75, 0.25, 0.5, 0.125]), codes)
    assert differences.tolist() == pytest.approx([3 / 32, -9 / 32], abs=1e-15)
    # EC = (3/32 + 9/32) / 2 = 3/16.
    assert float(sample_equal_coverage(differences)) == pytest.approx(3 / 16, abs=1e-15)
    # EC is |p_1 - 13/32| (1 + 1/3) / 2, p_1 that of the one document of value 1: 11/32, 5/32, 3/32, 9/32 away, times
    # 2/3. Two of four assignments reach 9/32; one of four the largest. Mean: 28/32 / 4 * 2/3 = 7/48.
    test = permutation_test(np.array([0.75, 0.25, 0.5, 0.125]), codes)
    assert test == PermutationTest(0.5, pytest.approx(7 / 48, abs=1e-15), 0.25, 4, True)
    # Strictly more: only 11/32, of four.
    strict = permutation_test(np.array([0.75, 0.25, 0.5, 0.125]), codes, strict=True)
    assert strict == PermutationTest(0.25, pytest.approx(7 / 48, abs=1e-15), 0.0, 4, True)


@given(case=cases())
def test_definition(case: Case) -> None:
    differences = coverage_differences(document_coverage(case.matrix), case.codes)
    codes = case.codes.tolist()
    assert differences == pytest.approx(list(map(float, exact_differences(case.exact, codes))), abs=1e-15)
    assert float(sample_equal_coverage(differences)) == pytest.approx(float(exact_ec(case.exact, codes)), abs=1e-15)


@given(case=cases(), data=st.data())
def test_order_and_names_change_no_bit(case: Case, data: st.DataObject) -> None:
    expected = ec_of(case.matrix, case.codes)
    documents = data.draw(st.permutations(range(len(case.codes))))
    units = data.draw(st.permutations(range(case.matrix.shape[1])))
    names = np.array(data.draw(st.permutations(range(case.codes.max() + 1))))
    assert ec_of(case.matrix[documents][:, units], names[case.codes][documents]) == expected


@given(level=st.floats(0, 1), codes=st.lists(st.integers(0, 2), max_size=10))
def test_equal_coverages_differ_by_exactly_zero(level: float, codes: list[int]) -> None:
    coded = np.array([0, 1, 2, *codes])
    assert coverage_differences(np.full(len(coded), level), coded).tolist() == [0.0, 0.0, 0.0]
    assert permutation_test(np.full(len(coded), level), coded, n_permutations=100)[:3] == (1.0, 0.0, 1.0)


def test_absent_values_are_left_out() -> None:
    # (1/4 + 1/2) / 2 = 3/8; one value or none is no comparison.
    assert np.isnan(document_coverage(np.empty((2, 0)))).tolist() == [True, True]  # without units
    differences = np.array([[0.25, np.nan, -0.5], [np.nan, 0.0, np.nan], [np.nan, np.nan, np.nan]])
    assert sample_equal_coverage(differences) == pytest.approx([0.375, np.nan, np.nan], abs=0, nan_ok=True)
    assert mean_absolute(differences) == pytest.approx([0.375, 0.0, np.nan], abs=0, nan_ok=True)


@pytest.mark.parametrize("function", [coverage_differences, permutation_test])
def test_bad_codes(function: object) -> None:
    assert callable(function)
    with pytest.raises(InputError, match=r"no document has code 1, the largest code is 2; number the values"):
        function(np.array([0.5, 0.5]), np.array([0, 2]))
    with pytest.raises(InputError, match=r"coverage has shape \(2,\) and codes \(3,\); give one coverage and one code"):
        function(np.array([0.5, 0.5]), np.array([0, 1, 1]))
    with pytest.raises(InputError, match="at least one document"):
        function(np.empty(0), np.empty(0, dtype=np.int64))


def enumerated(case: Case, *, strict: bool) -> tuple[Fraction, Fraction, Fraction]:
    """p-value, expectation and smallest p over all n! permutations, in exact arithmetic."""
    documents = [[sum(row) / Fraction(len(row))] for row in case.exact]
    shuffled = [*permutations(case.codes.tolist())]
    statistic = {codes: exact_ec(documents, codes) for codes in set(shuffled)}
    everything = [statistic[codes] for codes in shuffled]
    observed, largest = statistic[tuple(case.codes.tolist())], max(everything)

    def share(level: Fraction) -> Fraction:
        return Fraction(sum(ec > level if strict else ec >= level for ec in everything), len(everything))

    return share(observed), sum(everything, Fraction(0)) / len(everything), share(largest)


@given(case=cases(most=6), strict=st.booleans())
def test_equals_full_enumeration(case: Case, strict: bool) -> None:
    p_value, expected, smallest = enumerated(case, strict=strict)
    test = permutation_test(document_coverage(case.matrix), case.codes, strict=strict)
    assert test.exact
    assert test.p_value == float(p_value)
    assert test.smallest_p == float(smallest)
    assert test.expected == pytest.approx(float(expected), abs=1e-15)


def test_random_assignments_are_drawn_where_there_are_too_many() -> None:
    # The largest EC comes twice among 155,117,520 assignments (each half may be the high one): 99 draws miss both.
    coverage, codes = np.arange(30) / 30, np.repeat([0, 1], 15)
    draw = partial(permutation_test, coverage, codes, n_permutations=99)
    test = draw()
    assert test == PermutationTest(1 / 100, test.expected, 1 / 100, 99, False) == draw(seed=0)
    assert draw(strict=True).p_value == 0.0
    assert len({each.expected for each in (test, draw(seed=1), draw(seed=None), draw(seed=None))}) == 4
    few = partial(permutation_test, coverage[:8], np.repeat([0, 1], 4))  # 8! / (4! 4!) = 70 assignments
    assert few(max_exact=70)[3:] == (70, True)
    assert few(max_exact=69, n_permutations=40)[3:] == (40, False)


def test_ties_are_counted_despite_rounding_and_one_value_is_no_comparison() -> None:
    coverage, codes = np.array([0.1, 0.2, 0.3, 0.0]), np.array([0, 0, 1, 1])
    # 0.1 + 0.2 = 0.3 + 0.0: EC = 0, all 6 reach it; the 4 others are strictly greater: 4/6.
    assert permutation_test(coverage, codes).p_value == 1.0
    assert permutation_test(coverage, codes, strict=True).p_value == 4 / 6
    assert list(map(str, permutation_test(coverage, np.zeros(4, int)))) == ["nan", "nan", "nan", "1", "True"]


def test_close_to_alpha_more_assignments_decide() -> None:
    coverage, codes = np.arange(12.0) ** 2 / 121, np.repeat([0, 1], 6)
    coverage = coverage[[0, 2, 3, 4, 5, 9, 1, 6, 7, 8, 10, 11]]
    exact = permutation_test(coverage, codes).p_value
    assert exact == 96 / 924
    draw = partial(permutation_test, coverage, codes, max_exact=0, n_permutations=500)
    for alpha, is_unequal in ((0.96 * exact, False), (1.04 * exact, True)):
        assert [draw(seed=seed, alpha=alpha).p_value < alpha for seed in range(8)] == [is_unequal] * 8
        assert len({draw(seed=seed).p_value < alpha for seed in range(8)}) == 2  # 500 alone cannot tell
    assert draw(alpha=0.96 * exact).n_assignments in {500 * 2**times for times in range(2, 11)}
    assert draw(alpha=0.9).n_assignments == draw(alpha=1.0).n_assignments == 500
    assert draw(alpha=exact).n_assignments <= 512_000  # nothing can tell there


def test_many_documents_take_little_memory() -> None:
    generator = np.random.default_rng(2)
    coverage, codes = generator.random(4_000), np.repeat([0, 1], 2_000)
    tracemalloc.start()
    test = permutation_test(coverage, codes, n_permutations=1_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert test.n_assignments == 1_000
    assert peak < 16 << 20  # 1,000 x 4,000 coverages at once would take 32 MB
