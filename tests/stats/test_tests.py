"""Proportions: intervals and tests by hand, by exact arithmetic, and against scipy."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from fairsum_reproductions.bold._printed import PRINTED, RACE_PROMPTS
from fairsum_utils.stats import tests
from fairsum_utils.stats.tests import (
    chi_square_test,
    compare_proportions,
    fisher_test,
    holm,
    z_test,
)

GROUPS = st.lists(st.integers(1, 5).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=2, max_size=4)


def exact_fisher(successes: tuple[int, ...], sizes: tuple[int, ...]) -> Fraction:
    """Enumerate all equally likely ways to give out the labels."""

    def ways(counts: tuple[int, ...]) -> int:
        return math.prod(map(math.comb, sizes, counts))

    tables = [counts for counts in product(*(range(n + 1) for n in sizes)) if sum(counts) == sum(successes)]
    rare = sum(ways(counts) for counts in tables if ways(counts) <= ways(successes))
    return Fraction(rare, math.comb(sum(sizes), sum(successes)))


def test_z_by_hand() -> None:
    # 30 and 20 of 100: pooled 1/4, variance 1/4 * 3/4 * (1/100 + 1/100) = 3/800, z = (1/10) / sqrt(3/800)
    found = z_test([30, 20], [100, 100])
    assert found.test == "z"
    assert found.statistic == pytest.approx(0.1 / math.sqrt(3 / 800))
    # P(|Z| > 1.633) = 2 * 0.05124, a table of the normal distribution
    assert found.p_value == pytest.approx(0.10247, abs=1e-5)


@given(groups=GROUPS.filter(lambda groups: len(groups) == 2))
def test_z_squared_is_chi_square_and_its_sign_turns(groups: list[tuple[int, int]]) -> None:
    successes, sizes = zip(*groups, strict=True)
    assume(0 < sum(successes) < sum(sizes))
    z, chi = z_test(successes, sizes), chi_square_test(successes, sizes)
    assert z.statistic**2 == pytest.approx(chi.statistic, abs=1e-12)
    assert z.p_value == pytest.approx(chi.p_value, abs=1e-7)
    assert z_test(successes[::-1], sizes[::-1]).statistic == pytest.approx(-z.statistic, abs=1e-12)


def test_chi_square_by_hand() -> None:
    # 30, 20, 10 of 100: 20 expected with, 80 without: (100 + 0 + 100) / 20 + (100 + 0 + 100) / 80 = 10 + 5/2;
    # with two degrees of freedom p = exp(-x / 2).
    found = chi_square_test([30, 20, 10], [100, 100, 100])
    assert found.statistic == pytest.approx(12.5)
    assert found.p_value == pytest.approx(math.exp(-6.25))


def test_toxicity_by_race_in_the_paper() -> None:
    # Dhamala et al. 2021, section 6.1.3: the printed shares of the texts of six sources are 33, 4, 56 and 1 texts. The
    # paper says p < .001; its counts say p = .030.
    sizes = [PRINTED["n_systems"] * prompts for prompts in RACE_PROMPTS]
    counts = [33, 4, 56, 1]
    shares = [round(count / size, 5) for count, size in zip(counts, sizes, strict=True)]
    assert shares == PRINTED["toxic_by_race"]["shares"]
    found = chi_square_test(counts, sizes)
    assert round(found.statistic, 2) == 8.96
    assert round(found.p_value, 3) == 0.030
    # One group expects 618 * 94 / 45942 = 1.3 toxic texts, so the test that suits these counts is Fisher's.
    assert compare_proportions(counts, sizes).test == "fisher"


def test_fisher_by_hand() -> None:
    # The lady tasting tea, 3 of 4 cups right: C(4,3) C(4,1) = 16 of C(8,4) = 70 ways; 4 of 4: 1 way; both directions:
    # (16 + 1 + 16 + 1) / 70.
    found = fisher_test([3, 1], [4, 4])
    assert found.statistic == pytest.approx(16 / 70)
    assert found.p_value == pytest.approx(34 / 70)
    # Three groups of two, both labels in one: 1 of C(6,2) = 15 ways; in two groups, 2 * 2 = 4 ways. Each of the three
    # groups could hold both: 3 / 15.
    assert fisher_test([2, 0, 0], [2, 2, 2]).p_value == pytest.approx(3 / 15)


@given(groups=GROUPS)
def test_fisher_agrees_with_enumeration(groups: list[tuple[int, int]]) -> None:
    successes, sizes = zip(*groups, strict=True)
    assume(0 < sum(successes) < sum(sizes))
    assert fisher_test(successes, sizes).p_value == pytest.approx(float(exact_fisher(successes, sizes)), rel=1e-9)


def test_fisher_with_many_tables_draws_some(monkeypatch: pytest.MonkeyPatch) -> None:
    successes, sizes = (5, 2, 1, 0), (6, 7, 7, 6)
    exact = float(exact_fisher(successes, sizes))
    assert fisher_test(successes, sizes, n_resamples=1) == fisher_test(successes, sizes, seed=None)  # enumerated
    monkeypatch.setattr(tests, "_MAX_TABLES", 10)
    drawn = fisher_test(successes, sizes, n_resamples=40_000)
    assert drawn.p_value == pytest.approx(exact, abs=4 * math.sqrt(exact * (1 - exact) / 40_000))
    assert drawn == fisher_test(successes, sizes, n_resamples=40_000)
    assert drawn != fisher_test(successes, sizes, n_resamples=40_000, seed=1)
    # (b + 1) / (m + 1): the least there can be
    assert fisher_test([6, 0, 0, 0], [6, 70, 70, 60], n_resamples=99).p_value == 1 / 100


def test_tables_are_drawn_in_parts_of_any_size_and_enumerated_while_they_have_few_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    successes, sizes = [1, 1, 0, 0, 2] * 8, [3, 2, 2, 4, 2] * 8  # of 40 groups there are too many tables
    whole = fisher_test(successes, sizes, n_resamples=500)
    monkeypatch.setattr(tests, "_DRAWN", 7 * 40)
    assert fisher_test(successes, sizes, n_resamples=500) == whole
    # One label in 40 groups: each of 40 tables of equal chance is as likely as the observed one.
    one, two = [1] + [0] * 39, [2] * 40
    assert fisher_test(one, two).p_value == pytest.approx(1.0)
    monkeypatch.setattr(tests, "_MAX_CELLS", 39 * 40)
    assert fisher_test(one, two, n_resamples=99).p_value == 1.0


@pytest.mark.parametrize(
    ("successes", "sizes", "test"),
    [
        ([5, 5], [10, 10], "z"),  # every cell expects exactly 5
        ([5, 4], [10, 10], "fisher"),  # 4.5
        ([10, 0], [20, 20], "z"),
        ([5, 5, 5], [10, 10, 10], "chi2"),
        ([5, 5, 4], [10, 10, 10], "fisher"),
        ([95, 96], [100, 100], "fisher"),  # 4.5 without the label
    ],
)
def test_which_test(successes: list[int], sizes: list[int], test: str) -> None:
    assert compare_proportions(successes, sizes).test == test


@pytest.mark.parametrize(
    ("successes", "sizes", "reason"),
    [
        ([3], [4], "fewer than two groups"),
        ([], [], "fewer than two groups"),
        ([3, 0], [4, 0], "an empty group"),
        ([0, 0], [4, 9], "nothing has the label"),
        ([4, 9], [4, 9], "everything has the label"),
    ],
)
def test_undefined_with_its_reason(successes: list[int], sizes: list[int], reason: str) -> None:
    found = compare_proportions(successes, sizes)
    assert (found.test, found.undefined) == (None, reason)
    assert math.isnan(found.statistic)
    assert math.isnan(found.p_value)


@given(st.lists(st.one_of(st.integers(0, 64).map(lambda n: n / 64), st.just(math.nan)), max_size=6))
def test_holm_by_its_definition(p_values: list[float]) -> None:
    corrected = holm(p_values)
    defined = [p for p in p_values if not math.isnan(p)]
    for p, found in zip(p_values, corrected, strict=True):
        if math.isnan(p):
            assert math.isnan(found)
            continue
        # The largest over the p-values up to this one of (how many are not smaller) times it; equal ones rank in turn.
        steps = [(len(defined) - sum(q < other for q in defined)) * other for other in defined if other <= p]
        assert found == min(1.0, max(steps))
