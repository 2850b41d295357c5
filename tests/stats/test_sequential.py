"""Evidence of a changed mean: mean 1 by chance, rarely large, grows after changes."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairsum_utils.stats.sequential import EFFECTS, Evidence, Pool


def pool(scores: np.ndarray) -> Pool:
    return Pool(len(scores), float(scores.mean()), float(((scores - scores.mean()) ** 2).sum()))


def counted(n: int, hits: int) -> Pool:
    return pool(np.repeat([1.0, 0.0], [hits, n - hits]))


scores = st.lists(st.floats(0, 1), min_size=1, max_size=20).map(np.array)


@given(scores, scores)
def test_two_pools_are_one(a: np.ndarray, b: np.ndarray) -> None:
    assert pool(a).plus(pool(b)) == pytest.approx(pool(np.concatenate([a, b])), abs=1e-12)
    if len(a) > 1:
        assert pool(a).variance() == pytest.approx(a.var(ddof=1), abs=1e-12)


def by_hand(n: int, hits: int, windows: list[tuple[int, int]]) -> float:
    """Compute the evidence of windows from hypergeometric numbers of hits."""
    ratios: dict[tuple[int, float], float] = {}
    for place, (size, found) in enumerate(windows):
        share = (hits + found + 0.5) / (n + size + 1)
        ways = [math.comb(hits + found, x) * math.comb(n + size - hits - found, size - x) for x in range(size + 1)]
        for first, effect in product(range(place + 1), EFFECTS):
            # Of the samples before the window those since the first one have changed already.
            step = effect * math.sqrt(share * (1 - share))
            changed = sum(size for size, _ in windows[first:place]) / n
            shifted, before = (min(share + part * step, 1 - (1 - share) / 10) for part in (1, changed))
            odds = (shifted / (1 - shifted)) / (before / (1 - before))
            ratio = odds**found * sum(ways) / sum(count * odds**x for x, count in enumerate(ways))
            ratios[first, effect] = ratios.get((first, effect), 1) * ratio
        n, hits = n + size, hits + found
    # 50 / (50 * 51) of the weight is on a change with the first window, 50 / (51 * 52) with the second.
    parts = [50 / ((50 + first) * (51 + first)) * ratio for (first, _), ratio in ratios.items()]
    return sum(parts) / len(EFFECTS) + 50 / (50 + len(windows))


@pytest.mark.parametrize(("n", "hits", "windows"), [(10, 2, [(4, 3), (2, 1), (6, 4)]), (10, 9, [(4, 4), (2, 2)])])
def test_evidence_by_hand(n: int, hits: int, windows: list[tuple[int, int]]) -> None:
    evidence = Evidence(counted(n, hits), is_share=True)
    for place, window in enumerate(windows, 1):
        assert math.exp(evidence.add(counted(*window))) == pytest.approx(by_hand(n, hits, windows[:place]), rel=1e-12)


@given(
    n=st.integers(1, 30),
    sizes=st.lists(st.integers(1, 6), min_size=1, max_size=3),
    sides=st.sampled_from([(1,), (-1,), (1, -1)]),
    data=st.data(),
)
@settings(deadline=None, max_examples=40)
def test_mean_of_the_evidence_of_chance_is_1(
    n: int, sizes: list[int], sides: tuple[int, ...], data: st.DataObject
) -> None:
    # Given how many hits there are in all, every way to spread them over samples is equally likely.
    hits = data.draw(st.integers(0, n + sum(sizes)))
    mean = 0.0
    for found in product(*(range(size + 1) for size in sizes)):
        rest = hits - sum(found)
        if not 0 <= rest <= n:
            continue
        evidence = Evidence(counted(n, rest), is_share=True, sides=sides)
        for size, count in zip(sizes, found, strict=True):
            log = evidence.add(counted(size, count))
        ways = math.prod(math.comb(size, count) for size, count in zip([n, *sizes], [rest, *found], strict=True))
        mean += ways / math.comb(n + sum(sizes), hits) * math.exp(log)
    assert mean == pytest.approx(1, rel=1e-9)


@given(st.lists(st.integers(0, 10), min_size=1, max_size=5))
def test_downwards_is_upwards_of_what_is_left(found: list[int]) -> None:
    down, up = Evidence(counted(40, 10), is_share=True, sides=(-1,)), Evidence(counted(40, 30), is_share=True)
    for hits in found:
        assert down.add(counted(10, hits)) == pytest.approx(up.add(counted(10, 10 - hits)))


def test_evidence_of_means_by_hand() -> None:
    before, window = np.array([-0.5, 0.0, 0.25, 0.5, 0.5, 1.0, 0.0]), np.array([0.5, 1.5, 1.0])
    every = np.concatenate([before, window])
    variance, above, below = every.var(ddof=1), 2 - every.mean(), every.mean() + 1

    def cumulant(tilt: float, reach: float) -> float:
        """Compute log E exp(tilt x) of the two-point distribution with this variance."""
        share = variance / (variance + reach**2)
        return math.log(share * math.exp(tilt * reach) + (1 - share) * math.exp(-tilt * variance / reach))

    share, width = variance / (variance + above**2), above + variance / above
    ratios = []
    for effect in EFFECTS:
        shifted = share + effect * math.sqrt(variance) / width
        tilt = math.log(shifted / (1 - shifted) / (share / (1 - share))) / width
        chance = 3 * cumulant(tilt, above) + 7 * cumulant(tilt * 3 / 7, below)
        ratios.append(math.exp(3 * tilt * (window.mean() - before.mean()) - chance))
    found = Evidence(pool(before), low=-1.0, high=2.0).add(pool(window))
    assert math.exp(found) == pytest.approx(np.mean(ratios) / 51 + 50 / 51, rel=1e-12)


@pytest.mark.parametrize("is_share", [True, False])
def test_nothing_ever_happens_in_a_constant_stream(is_share: bool) -> None:
    evidence = Evidence(Pool(100, 0.0, 0.0), is_share=is_share, high=0.5)
    assert [evidence.add(Pool(50, 0.0, 0.0)) for _ in range(3)] == pytest.approx([0, 0, 0], abs=1e-12)


@pytest.mark.parametrize(("is_share", "high"), [(True, 1.0), (False, 0.5)])
def test_few_streams_without_a_change_have_an_alarm_and_all_with_one(is_share: bool, high: float) -> None:
    alarms, delays = 0, []
    for stream in range(60):
        generator = np.random.default_rng(stream)

        def draw(n: int, rate: float, generator: np.random.Generator = generator) -> Pool:
            unfair = generator.random(n) < rate
            return pool(np.where(unfair, 1.0 if is_share else generator.beta(1, 2, n) / 2, 0.0))

        quiet = Evidence(draw(300, 0.1), is_share=is_share, high=high)
        alarms += any(quiet.add(draw(50, 0.1)) >= math.log(20) for _ in range(30))
        delays.append(next(n for n in range(1, 40) if quiet.add(draw(50, 0.5)) >= math.log(20)))
    assert alarms <= 6  # of 60; 5% are 3
    assert max(delays) <= 5


def test_it_tells_when_a_change_began() -> None:
    evidence = Evidence(counted(1000, 100), is_share=True)
    for hits in (10, 11, 9, 10, 30, 31, 29):
        evidence.add(counted(100, hits))
    assert evidence.since() == 4


def test_smaller_shifts_are_visible_in_more_samples() -> None:
    evidence = Evidence(counted(1000, 100), is_share=True)
    assert evidence.visible(math.log(20)) == math.inf
    seen = []
    for _ in range(5):
        evidence.add(counted(100, 10))
        seen.append(evidence.visible(math.log(20)))
    assert seen == sorted(seen, reverse=True)
    # sqrt(2 log(20 * 51 * 4)) + 0.8416 standard errors of a difference of 500 and 1000 samples.
    error = math.sqrt(0.1 * 0.9 * (1 / 500 + 1 / 1000))
    assert seen[-1] == pytest.approx((math.sqrt(2 * math.log(20 * 51 * 4)) + 0.8416) * error, rel=1e-3)
