"""Chances of bounds: normal scores, and shares by enumeration."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils.stats.intervals import share_interval
from fairsum_utils.stats.power import (
    Bound,
    PValue,
    Replicated,
    fewest,
    fewest_of_share,
    largest_deviation,
    share_chances,
)


def test_samples_of_a_normal_score() -> None:
    # (z_0.975 + z_0.8)^2 sd^2 / distance^2 = (1.95996 + 0.84162)^2 * 0.3^2 / 0.1^2 = 70.64.
    assert fewest(lambda n: Bound(0.1, 0.3, reach=1.959964).chances(n).met, 0.8) == 71
    # Without an interval z_0.8^2 * 9 = 6.37; with a baseline of as many samples twice that, 12.75.
    assert fewest(lambda n: Bound(0.1, 0.3).chances(n).met, 0.8) == 7
    assert fewest(lambda n: Bound(0.1, 0.3, other=0.3 / math.sqrt(n)).chances(n).met, 0.8) == 13


def test_a_baseline_can_have_too_few_samples() -> None:
    assert fewest(lambda n: Bound(0.1, 0.3, other=0.1).chances(n).met, 0.9) is None  # P(z < 1) = 0.84
    assert fewest(lambda n: Bound(0.1, 0.3, other=0.1).chances(n).met, 0.84) is not None


@given(st.floats(-1, 1), st.floats(0.01, 1), st.floats(0, 1), st.floats(-3, 3), st.floats(-3, 3), st.integers(1, 10**6))
def test_chances_sum_to_1_at_most(
    distance: float, deviation: float, other: float, reach: float, joint: float, n: int
) -> None:
    chances = Bound(distance, deviation, other, reach=reach, joint_reach=joint).chances(n)
    assert min(chances) >= 0
    assert sum(chances) + chances.neither == pytest.approx(1)


def counted(n: int, share: float, bound: float, end: float, strict: bool) -> tuple[float, float]:
    """Enumerate the numbers of hits whose mid-P interval ends below the bound."""

    def chance(k: int, p: float) -> float:
        return math.comb(n, k) * p**k * (1 - p) ** (n - k)

    def below(k: int, quantile: float) -> bool:
        if quantile == 0.5:
            return k / n < bound - 1e-12 if strict else k / n <= bound + 1e-12
        return share_interval(k, n, abs(2 * quantile - 1))[quantile > 0.5] < bound

    met = broken = 0.0
    for k in range(n + 1):
        if below(k, end):
            met += chance(k, share)
        elif not below(k, 1 - end):
            broken += chance(k, share)
    return met, broken


@given(
    n=st.integers(1, 25),
    share=st.floats(0.01, 0.99),
    bound=st.sampled_from([0.05, 0.1, 0.25, 0.3, 0.5, 0.77]),
    end=st.sampled_from([0.5, 0.975, 0.025, 0.95]),
    strict=st.booleans(),
)
@settings(deadline=None)
def test_a_share_is_counted(n: int, share: float, bound: float, end: float, strict: bool) -> None:
    met, broken = share_chances(n, share, bound, end=end, strict=strict)
    assert (float(met), float(broken)) == pytest.approx(counted(n, share, bound, end, strict), abs=1e-9)


def test_the_promise_holds_with_real_intervals() -> None:
    n = fewest_of_share(lambda ns: share_chances(ns, 0.1, 0.2, end=0.975)[0], 100, 0.8)
    assert n is not None
    hits = (np.random.default_rng(1).random((n, 4_000)) < 0.1).sum(axis=0)
    passed = np.mean([share_interval(int(k), n)[1] < 0.2 for k in hits])
    assert passed == pytest.approx(float(share_chances(n, 0.1, 0.2, end=0.975)[0]), abs=0.025)  # 4 standard errors


def test_no_hit_at_all_by_hand() -> None:
    # 0 of n has the upper end 1 - 0.05^(1/n): below 0.05 from n = 59 on, below 0.001 from 2,995 on.
    for bound, n in ((0.05, 59), (0.001, 2_995)):
        needed = fewest_of_share(lambda ns, bound=bound: share_chances(ns, 0.0, bound, end=0.975)[0], 10, 0.8)
        assert needed == n == math.ceil(math.log(0.05) / math.log(1 - bound))


@pytest.mark.parametrize("strict", [True, False])
def test_bounds_at_the_limits(strict: bool) -> None:
    met, _ = share_chances(20, 0.5, 1.0, end=0.975, strict=strict)
    assert float(met) == pytest.approx(1 - 0.5**20 if strict else 1.0)  # 20 of 20 ends at 1
    met, broken = share_chances(20, 0.5, 0.0, end=0.025, strict=strict)
    assert (float(met), float(broken)) == pytest.approx((0.0, 1.0) if strict else (0.5**20, 1 - 0.5**20))


@given(st.lists(st.floats(0, 0.5), min_size=1, max_size=30))
def test_nothing_spreads_farther(scores: list[float]) -> None:
    assert np.std(scores) <= largest_deviation(min(max(float(np.mean(scores)), 0), 0.5), 0.0, 0.5) + 1e-6


def test_a_p_value_by_hand() -> None:
    # One-sided: sqrt(n) = (z_0.95 * null + z_0.8 * deviation) / effect = (0.328971 + 0.084162) / 0.02 = 20.657.
    assert fewest(lambda n: PValue(0.02, 0.1, 0.2, 0.05).chances(n).met, 0.8) == 427  # 20.657^2 = 426.7
    # Two-sided the z is 1.95996; the other tail adds nothing.
    assert fewest(lambda n: PValue(-0.02, 0.1, 0.2, 0.05, two_sided=True).chances(n).met, 0.8) == 567  # 23.808^2
    assert fewest(lambda n: PValue(-0.02, 0.1, 0.2, 0.05).chances(n).broken, 0.8) is not None
    # Without an effect as often as the bound says.
    assert PValue(0.0, 0.1, 0.1, 0.05).chances(50).met == pytest.approx(0.05)
    assert PValue(0.0, 0.1, 0.1, 0.05, two_sided=True).chances(50).met == pytest.approx(0.05)
    assert PValue(0.1, 0.1, 0.1, 1.5).chances(50) == (1, 0)


@pytest.mark.parametrize(("bound", "expected"), [(1.0, (1, 0)), (1.5, (1, 0)), (0.0, (0, 1)), (-0.1, (0, 1))])
def test_p_values_beyond_their_range(bound: float, expected: tuple[float, float]) -> None:
    assert PValue(0.1, 0.1, 0.1, bound).chances(50) == expected


@pytest.mark.parametrize(("effect", "expected"), [(0.1, (1, 0)), (0.0, (0, 1)), (-0.1, (0, 1))])
def test_samples_that_do_not_vary(effect: float, expected: tuple[float, float]) -> None:
    assert PValue(effect, 0.0, 0.0, 0.05).chances(50) == expected
    assert PValue(effect, 0.0, 0.0, 0.05, two_sided=True).chances(50) == ((1, 0) if effect else (0, 1))


def test_the_fewest_by_hand() -> None:
    assert fewest(lambda n: float(n >= 7), 1.0) == 7  # as much as is required is enough
    assert fewest(lambda _: 1.0, 1.0) == 1
    assert fewest(lambda n: float(n >= 10**9), 1.0) == 10**9
    assert fewest(lambda n: float(n > 10**9), 0.5) is None
    asked: list[float] = []
    fewest(lambda n: asked.append(n) or 1.0, 0.5)  # type: ignore[func-returns-value]
    assert len(asked) <= 32  # by halves


def test_replicates_by_hand() -> None:
    # Of a variance of 6 with two replicates 2 falls with their number, 1 with its square, and 3 is still there.
    parts = Replicated(variance=6.0, within=3.0, pairs=1.0, n=2)
    assert parts.factor(2) == 1
    assert parts.factor(1) == pytest.approx(math.sqrt((3 + 4 + 4) / 6))
    assert parts.factor(4) == pytest.approx(math.sqrt((3 + 1 + 1 / 4) / 6))
    assert Replicated(0.0, 0.0, 0.0, 1).factor(5) == 1
    # No more than all of it is noise.
    assert Replicated(1.0, 2.0, 0.0, 2).factor(8) == pytest.approx(1 / 2)


@given(st.floats(0, 10), st.floats(0, 10), st.floats(0, 10), st.integers(1, 20))
def test_more_replicates_never_spread_more(variance: float, within: float, pairs: float, n: int) -> None:
    parts = Replicated(variance, within, pairs, n)
    factors = [parts.factor(number) for number in (1, 2, 5, 50)]
    assert all(one >= other - 1e-12 for one, other in pairwise(factors))
