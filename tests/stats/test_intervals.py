"""Intervals: exact arithmetic, properties and coverage."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats

from fairsum_utils.stats.bootstrap import bootstrap_draws, expanded_interval, expanded_p_value, paired_p_value
from fairsum_utils.stats.intervals import (
    FEWEST,
    FEWEST_FOR_SPREADS,
    Estimate,
    Moments,
    difference_interval,
    differs,
    drawn_interval,
    folded,
    is_by_chance,
    mean_interval,
    n_for_half_width,
    paired_comparison,
    share_interval,
)
from tests.conftest import takes_long

UNIT = (0.0, 1.0)
shares = st.tuples(st.integers(0, 400), st.integers(0, 400)).filter(any).map(lambda pair: (pair[0], sum(pair)))


def mean_of(scores: np.ndarray, limits: tuple[float, float] = UNIT, level: float = 0.95) -> tuple[float, float]:
    return mean_interval(Moments.of(scores), level, limits)


def test_shares_by_hand() -> None:
    # 0 of n: (1 - p)^n / 2 = 0.025, so p = 1 - 0.05^(1/n).
    for n in (1, 30, 1_000):
        assert share_interval(0, n) == pytest.approx((0.0, 1 - 0.05 ** (1 / n)), rel=1e-9)
    # 1 of 2, upper end: q^2 + 2 p q / 2 = q, so q = 0.025.
    assert share_interval(1, 2) == pytest.approx((0.025, 0.975), rel=1e-9)
    assert all(map(math.isnan, share_interval(0, 0)))


@given(shares, st.sampled_from([0.5, 0.9, 0.95, 0.999]))
def test_ends_solve_the_equation(share: tuple[int, int], level: float) -> None:
    successes, n = share
    low, high = share_interval(successes, n, level)
    assert 0 <= low <= successes / n <= high <= 1
    assert low < high
    tail = (1 - level) / 2
    if successes < n:
        fewer, same = stats.binom.cdf(successes - 1, n, high), stats.binom.pmf(successes, n, high)
        assert fewer + same / 2 == pytest.approx(tail, rel=1e-6)
    if successes:
        assert stats.binom.sf(successes, n, low) + stats.binom.pmf(successes, n, low) / 2 == pytest.approx(
            tail, rel=1e-6
        )
    assert share_interval(n - successes, n, level) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=50))
def test_moments_of_samples(scores: list[float]) -> None:
    found, plain = Moments.of(np.array(scores)), np.array(scores)
    assert found.mean == pytest.approx(plain.mean(), abs=1e-12)
    assert found.variance == pytest.approx(plain.var(), abs=1e-12)
    assert found.third == pytest.approx(((plain - plain.mean()) ** 3).mean(), abs=1e-12)
    assert found.deviation == pytest.approx(plain.std(ddof=1), abs=1e-9)
    assert found.with_sample(0.5, 1) == pytest.approx(Moments.of(np.array([*scores, 0.5])), abs=1e-12)


def test_moments_of_clusters_by_hand() -> None:
    # 3 of 4 and 1 of 4: mean 1/2, residuals 1 and -1, times 2 units over 8 samples.
    found = Moments.of(np.array([3.0, 1.0]), np.array([4.0, 4.0]))
    assert found == Moments(2, 0.5, 1 / 16, 0.0)
    assert Moments.of(np.array([3.0, 0.0, 1.0]), np.array([4.0, 0.0, 4.0])) == found  # empty ones do not count
    assert Moments.of(np.array([0.5, 0.25]), np.ones(2)) == Moments.of(np.array([0.5, 0.25]))
    assert math.isnan(Moments.of(np.empty(0)).mean)
    assert math.isnan(Moments.of(np.ones(1)).deviation)


@given(st.lists(st.floats(0, 1), min_size=2, max_size=60), st.sampled_from([0.8, 0.95]))
def test_properties_of_means(scores: list[float], level: float) -> None:
    plain = np.array(scores)
    low, high = mean_of(plain, level=level)
    assert 0 <= low <= plain.mean() + 1e-12
    assert plain.mean() - 1e-12 <= high <= 1
    assert low < high
    assert [type(low), type(high)] == [float, float]
    # Mirrored scores have the mirrored interval, and those of another scale the scaled one.
    assert mean_of(1 - plain, level=level) == pytest.approx((1 - high, 1 - low), abs=1e-6)
    assert mean_of(3 * plain - 1, (-1.0, 2.0), level) == pytest.approx((3 * low - 1, 3 * high - 1), abs=1e-6)
    wider = mean_of(plain, level=0.99)
    assert wider[0] <= low + 1e-9
    assert high - 1e-9 <= wider[1]


@pytest.mark.parametrize("n", [8, 1_000])
def test_equal_scores_by_hand(n: int) -> None:
    # With half a sample of 1 beside n of 0 there are two points, 0 and 1. Of Binomial(n + 1/2, p) the tail of the
    # continued mid-P is that of Student's t; the variance is scaled by N / (N - 1) first.
    low, high = mean_of(np.zeros(n))
    assert low == 0
    size = n + 0.5
    share = 0.5 / size
    apart = math.sqrt(size / (size - 1))
    tail = special.ndtr(-special.stdtrit(n - 1, 0.975))
    largest = (high - share) / apart + share
    beyond = special.betainc([size - 0.5 + 1, size - 0.5], [0.5, 1.5], 1 - largest).mean()
    assert beyond == pytest.approx(tail, rel=1e-5)


def test_large_scores_that_differ_by_rounding_are_equal() -> None:
    scores = np.full(30, 1e6 / 3)
    scores[0] = np.nextafter(scores[0], np.inf)
    assert all(map(math.isnan, mean_of(scores, (-math.inf, math.inf))))


@pytest.mark.parametrize("n", [2, 3, 4])
def test_of_very_few_it_holds_that_of_student(n: int) -> None:
    scores = np.random.default_rng(n).uniform(0.4, 0.6, n)
    for level in (0.5, 0.95):
        low, high = stats.t.interval(level, n - 1, scores.mean(), stats.sem(scores))
        found = mean_of(scores, level=level)
        assert found[0] <= max(low, 0.0) + 1e-12
        assert min(high, 1.0) - 1e-12 <= found[1]


def test_never_of_width_zero() -> None:
    for score in (0.0, 0.3, 1.0):
        low, high = mean_of(np.full(30, score))
        assert low <= score <= high
        assert high - low > 0.05
    assert mean_of(np.zeros(30), (0.0, 0.0)) == (0.0, 0.0)  # cannot vary
    assert all(map(math.isnan, mean_of(np.zeros(30), (-math.inf, math.inf))))
    assert all(map(math.isfinite, mean_of(np.arange(30.0), (-math.inf, math.inf))))
    assert all(map(math.isnan, mean_of(np.zeros(1))))
    assert all(map(math.isnan, mean_of(np.array([0.0, math.nan]))))


def test_a_spread_by_hand() -> None:
    # Percentiles 0.2 and 0.6 of many; the mean of the replicates is 0.05 above the score.
    replicates = np.linspace(0.0, 0.8, 100_001)
    low, high = drawn_interval(0.35, replicates, 0.5, 10**6, UNIT, is_spread=True)
    assert (low, high) == pytest.approx((0.2 - 0.15, 0.6), abs=1e-4)
    assert drawn_interval(0.35, replicates, 0.5, 10**6, UNIT) == pytest.approx((0.2, 0.6), abs=1e-4)
    # No bias, no correction; and never below the least value.
    assert drawn_interval(0.5, replicates, 0.5, 10**6, UNIT, is_spread=True) == pytest.approx((0.2, 0.6), abs=1e-4)
    assert drawn_interval(0.0, replicates, 0.5, 10**6, UNIT, is_spread=True)[0] == 0


def test_equal_replicates() -> None:
    assert drawn_interval(0.0, np.zeros(99), 0.95, 30, UNIT) == mean_of(np.zeros(30))
    assert all(map(math.isnan, drawn_interval(0.0, np.zeros(99), 0.95, 30, (0.0, math.inf))))
    assert all(map(math.isnan, drawn_interval(0.0, np.full(9, math.nan), 0.95, 30, UNIT)))


def estimates(generator: np.random.Generator, n: int) -> Iterator[Estimate]:
    """Two systems, with replicates of the same draws."""
    weights = np.concatenate([*bootstrap_draws(n, 500, 0)]) / n
    for _ in range(2):
        scores = generator.random(n)
        yield Estimate(float(scores.mean()), "two-point", n, weights @ scores, scores)


def test_shares_and_means() -> None:
    share = Estimate(0.2, "midp", 10, totals=np.repeat([1.0, 0.0], [2, 8]))
    assert share.keys("bur", 0.9) == {"bur_ci": list(share_interval(2, 10, 0.9)), "bur_ci_lost": 0.0}
    scores = np.array([0.0, 0.0, 0.3, 0.5])
    assert Estimate(0.2, "two-point", 4, totals=scores).keys("uer", 0.9) == {
        "uer_ci": list(mean_of(scores, level=0.9)),
        "uer_ci_lost": 0.0,
        "uer_sd": pytest.approx(scores.std(ddof=1)),
    }
    assert not Estimate(0.5, "two-point", 2, totals=np.array([0.0, 1.0])).withheld
    assert Estimate(0.5, "two-point", 1, totals=np.array([0.5])).withheld


@pytest.mark.parametrize(("n", "least"), [(1, "two"), (FEWEST_FOR_SPREADS - 1, str(FEWEST_FOR_SPREADS))])
def test_a_spread_of_few_is_withheld(n: int, least: str) -> None:
    generator = np.random.default_rng(0)
    few, other = (Estimate(0.2, "corrected", n, generator.random(99), fewest=FEWEST_FOR_SPREADS) for _ in range(2))
    found = few.keys("sof", 0.95)
    assert all(map(math.isnan, found["sof_ci"]))
    assert re.match(f"sof_ci: .*{least}", found["undefined"])
    compared = paired_comparison(few, other, 0.9)
    assert all(map(math.isnan, [*compared["difference_ci"], compared["p_value"]]))
    assert re.match(f"difference_ci and p_value: .*{least}", compared["undefined"])
    enough, more = (each._replace(n=FEWEST_FOR_SPREADS) for each in (few, other))
    assert all(map(math.isfinite, enough.interval(0.95)))
    expected = expanded_interval(other.replicates - few.replicates, 0.9, FEWEST_FOR_SPREADS)
    assert paired_comparison(enough, more, 0.9)["difference_ci"] == list(expected)


def test_lost_replicates() -> None:
    replicates = np.array([0.1, math.nan, 0.2, 0.3])
    assert Estimate(0.2, "expanded", 30, replicates).lost == 0.25
    assert math.isnan(Estimate(0.2, "expanded", 30).lost)
    assert math.isnan(Estimate(math.nan, "expanded", 30, replicates).interval(0.9)[0])
    assert math.isnan(Estimate(0.2, "midp", 1, totals=np.ones(1)).lost)


def test_a_score_that_never_varies_without_limits_says_why() -> None:
    found = Estimate(1.0, "expanded", 30, np.ones(99), limits=(0.0, math.inf)).keys("inclusion", 0.95)
    assert all(map(math.isnan, found["inclusion_ci"]))
    assert "same in every bootstrap replicate" in found["undefined"]


def test_compared_means() -> None:
    a, b = estimates(np.random.default_rng(1), 40)
    found = paired_comparison(a, b, 0.9)
    assert a.totals is not None
    assert b.totals is not None
    assert found["difference_ci"] == list(mean_of(b.totals - a.totals, (-1.0, 1.0), 0.9))
    plain = paired_p_value(b.score - a.score, b.replicates - a.replicates)
    assert found["p_value"] == expanded_p_value(plain, 40) > plain
    assert found["difference"] == b.score - a.score
    assert found["lost"] == 0.0
    turned = paired_comparison(b, a, 0.9)
    assert turned["difference_ci"] == pytest.approx([-end for end in found["difference_ci"][::-1]], abs=1e-12)


def test_a_system_with_itself() -> None:
    a, _ = estimates(np.random.default_rng(1), 30)
    found = paired_comparison(a, a, 0.95)
    low, high = found["difference_ci"]
    assert (found["difference"], found["p_value"]) == (0.0, 1.0)
    assert -low == high == pytest.approx(mean_of(np.zeros(30), (-1.0, 1.0))[1])


def test_limits_and_lost_replicates_are_those_of_the_difference() -> None:
    a = Estimate(0.5, "expanded", 30, np.array([0.5, math.nan, 0.25, 0.75]), limits=(-1.0, 2.0))
    b = Estimate(1.0, "expanded", 30, np.array([1.0, 1.5, 1.25, 1.75]), limits=(0.5, 3.0))
    assert (a.minus(b).limits, paired_comparison(a, b, 0.9)["lost"]) == ((-4.0, 1.5), 0.25)


def test_units_of_one_system_only_by_hand() -> None:
    a = Estimate(0.5, "two-point", 8, totals=np.array([3.0, 1, 0, 0]), sizes=np.array([4.0, 4, 0, 0]))
    b = Estimate(0.75, "two-point", 4, totals=np.array([1.0, 0, 2, 0]), sizes=np.array([2.0, 0, 2, 0]))
    # A has 1/8 more than its share in the first unit and less in the second, B 1/8 less in the first, more in the
    # third: together 1/4, -1/8 and -1/8, times 3 units beside the difference of -1/4.
    totals = np.array([0.5, -0.625, -0.625])
    difference = a.minus(b)
    assert difference.totals is not None
    assert difference.totals.tolist() == totals.tolist()
    assert difference.interval(0.9) == mean_of(totals, (-1.0, 1.0), 0.9)


def test_originals_are_expanded_for_the_fewer() -> None:
    replicates = np.random.default_rng(2).normal(0.3, 0.2, size=999)
    a, b = Estimate(0.8, "expanded", 12, replicates + 0.5), Estimate(0.5, "expanded", 30, np.full(999, 0.5))
    found = paired_comparison(a, b, 0.9)
    differences = b.replicates - a.replicates
    assert found["difference_ci"] == list(expanded_interval(differences, 0.9, 12))
    assert found["p_value"] == expanded_p_value(paired_p_value(b.score - a.score, differences), 12)


def test_systems_differ_by_enough_samples_a_p_value_and_an_interval_without_0() -> None:
    whole = (FEWEST, 0.01, (0.1, 0.3), 0.05)
    others = (FEWEST - 1, *whole[1:]), (FEWEST, 0.05, *whole[2:]), (*whole[:2], (-0.1, 0.3), 0.05)
    assert [differs(*each) for each in (whole, (*whole[:2], (-0.3, -0.1), 0.05), *others)] == [True] * 2 + [False] * 3


def wilson(successes: int, n: int) -> tuple[float, float]:
    """Wilson's interval, of which the published differences are made: the roots of (x/n - p)^2 = z^2 p (1 - p) / n."""
    z = 1.959964
    centre, half = successes + z * z / 2, z * math.sqrt(successes * (n - successes) / n + z * z / 4)
    return (centre - half) / (n + z * z), (centre + half) / (n + z * z)


@pytest.mark.parametrize(
    ("a", "n_a", "b", "n_b", "low", "high"),
    [  # Newcombe 1998, table II, method 10
        (56, 70, 48, 80, 0.0524, 0.3339),
        (9, 10, 3, 10, 0.1705, 0.8090),
        (6, 7, 2, 7, 0.0582, 0.8062),
        (5, 56, 0, 29, -0.0381, 0.1926),
        (10, 10, 0, 20, 0.6791, 1.0000),
    ],
)
def test_published_intervals_of_two_proportions(a: int, n_a: int, b: int, n_b: int, low: float, high: float) -> None:
    ends = difference_interval(a / n_a, wilson(a, n_a), b / n_b, wilson(b, n_b))
    assert ends == pytest.approx((low, high), abs=5e-5)


def test_a_right_triangle() -> None:
    # A is 0.3 above its lower end and B 0.4 below its upper end: the difference is 0.5 above its lower end.
    assert difference_interval(1.0, (0.7, 1.6), 0.5, (-0.3, 0.9)) == pytest.approx((0.0, 1.5))
    # An end on the other side counts as the estimate.
    assert difference_interval(0.1, (0.2, 0.4), 0.0, (0.0, 0.0)) == pytest.approx((0.1, 0.4))
    assert math.isnan(difference_interval(0.1, (math.nan, 0.4), 0.0, (0.0, 0.0))[0])
    assert all(map(math.isnan, difference_interval(math.nan, (0.0, 0.4), 0.0, (0.0, 0.0))))


@pytest.mark.parametrize(("successes", "n"), [(0, 20), (1, 20), (19, 20), (100, 200)])
def test_half_the_width_takes_the_fewest_samples_that_have_it(successes: int, n: int) -> None:
    def width(size: int) -> float:
        low, high = share_interval(successes / n * size, size)
        return high - low

    size = n_for_half_width(n, successes / n, (0.0, 1.0), "midp")
    assert width(size) <= width(n) / 2 < width(size - 1)


def test_half_the_width_of_a_mean_takes_four_times_as_many() -> None:
    scores = np.random.default_rng(0).beta(2, 5, 400)
    few, many = (mean_interval(Moments.of(np.tile(scores, k)), 0.95, (0.0, 1.0)) for k in (1, 4))
    assert n_for_half_width(400, float(scores.mean()), (0.0, 1.0), "two-point") == 1600
    assert (many[1] - many[0]) / (few[1] - few[0]) == pytest.approx(0.5, abs=0.02)
    few, many = (mean_interval(Moments.of(np.zeros(n)), 0.95, (0.0, 1.0)) for n in (100, 200))
    assert n_for_half_width(100, 0.0, (0.0, 1.0), "two-point") == 200
    assert (many[1] - many[0]) / (few[1] - few[0]) == pytest.approx(0.5, abs=0.02)


ENDS = st.tuples(st.floats(-1, 1), st.floats(-1, 1)).map(sorted).map(tuple)


@given(ENDS, st.floats(0, 1))
def test_an_absolute_difference_holds_what_the_signed_one_holds(ends: tuple[float, float], part: float) -> None:
    low, high = folded(ends)
    assert (low == 0) == (ends[0] <= 0 <= ends[1])
    assert 0 <= low <= high == max(map(abs, ends))
    assert folded((-ends[1], -ends[0])) == (low, high)  # the other group first
    inside = min(max(ends[0] + part * (ends[1] - ends[0]), ends[0]), ends[1])
    assert low <= abs(inside) <= high
    assert all(map(math.isnan, folded((math.nan, math.nan))))


def test_a_spread_that_equal_groups_have_too_is_by_chance() -> None:
    centered = np.array([0.1, 0.2, 0.3, 0.4, math.nan])
    # Between them lie the quantiles: of level 1/3, 0.2.
    assert is_by_chance(0.2, centered, 1 / 3)
    assert not is_by_chance(0.21, centered, 1 / 3)
    assert not is_by_chance(0.2, np.full(4, math.nan), 0.9)  # nothing to hold it against
    spread = Estimate(0.2, "corrected", 500, np.linspace(0.15, 0.25, 101), centered=centered)
    assert spread.interval(0.9)[0] == 0
    assert spread._replace(score=0.5).interval(0.9)[0] > 0.1


# What intervals hold; benchmarks/calibrate_*.py measure it for every measure.
@takes_long
@pytest.mark.parametrize("p", [0.02, 0.05, 0.2, 0.3, 0.5, 0.95])
@pytest.mark.parametrize("n", [20, 30, 50, 100, 200])
def test_intervals_of_shares_hold_them_exactly(n: int, p: float) -> None:
    counts = np.arange(n + 1)
    chances = stats.binom.pmf(counts, n, p)
    ends = np.array([share_interval(int(count), n) for count in counts])
    assert chances[(ends[:, 0] <= p) & (p <= ends[:, 1])].sum() >= 0.93
    if n >= 50 and n * min(p, 1 - p) >= 1:
        ideal = (stats.binom.ppf(0.975, n, p) - stats.binom.ppf(0.025, n, p)) / n
        assert chances @ (ends[:, 1] - ends[:, 0]) <= 1.5 * ideal


@takes_long
@pytest.mark.parametrize("n", [20, 50])
@pytest.mark.parametrize(("shape", "truth"), [("uniform", 0.5), ("near 0", 1 / 11), ("mostly 0", 0.04)])
def test_intervals_of_means_hold_them(shape: str, truth: float, n: int) -> None:
    generator, trials, held = np.random.default_rng(n), 600, 0
    for _ in range(trials):
        scores = generator.random(n) if shape == "uniform" else generator.beta(0.5, 5, n)
        if shape == "mostly 0":
            scores = np.where(generator.random(n) < 0.2, generator.beta(1, 4, n), 0)
        low, high = mean_of(scores)
        held += low <= truth <= high
    assert held / trials >= 0.93 - 0.01  # one standard error
