"""The bootstrap: draws, intervals and paired p-values."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from fairsum_utils.stats import bootstrap
from fairsum_utils.stats.bootstrap import (
    bootstrap_sums,
    expanded_interval,
    expanded_p_value,
    paired_p_value,
    percentile_interval,
)

COLUMNS = np.random.default_rng(7).normal(size=(30, 3))


def test_worked_example() -> None:
    # Whatever is drawn, 4 rows of (1, 2) sum to (4, 8).
    assert bootstrap_sums(np.tile([1.0, 2.0], (4, 1)), n_resamples=2).tolist() == [[4.0, 8.0], [4.0, 8.0]]


def test_one_sample_is_drawn_again_and_again() -> None:
    assert bootstrap_sums(np.array([[0.3, 5.0]]), n_resamples=3).tolist() == [[0.3, 5.0]] * 3


def test_no_samples() -> None:
    with pytest.raises(ValueError, match="no samples to draw from"):
        bootstrap_sums(np.empty((0, 2)))


@pytest.mark.parametrize("seed", [0, 1, 12345])
def test_the_same_seed_gives_the_same_bits(seed: int) -> None:
    assert (bootstrap_sums(COLUMNS, seed=seed) == bootstrap_sums(COLUMNS, seed=seed)).all()


def test_seeds_differ_and_zero_is_a_seed() -> None:
    zero, one = bootstrap_sums(COLUMNS, seed=0), bootstrap_sums(COLUMNS, seed=1)
    assert (zero != one).any()
    assert (bootstrap_sums(COLUMNS) == zero).all()


def test_no_seed_draws_afresh() -> None:
    assert (bootstrap_sums(COLUMNS, seed=None) != bootstrap_sums(COLUMNS, seed=None)).any()


def test_numpys_global_state_is_left_alone() -> None:
    before = np.random.get_state()[1].tolist()  # type: ignore[index, union-attr]
    bootstrap_sums(COLUMNS)
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index, union-attr]


@pytest.mark.parametrize("size", [1, 7, 90_000])
def test_draws_of_another_size(size: int) -> None:
    blocks = list(bootstrap.bootstrap_draws(5, 4, 3, size))
    counts = np.concatenate(blocks)
    assert counts.shape == (4, 5)
    drawn = np.random.default_rng(3).integers(5, size=(4, size))
    assert counts.tolist() == [[list(row).count(unit) for unit in range(5)] for row in drawn.tolist()]


def test_equals_a_plain_loop_over_the_same_draws() -> None:
    n, replicates = len(COLUMNS), 200
    drawn = np.random.default_rng(3).integers(n, size=(replicates, n))
    expected = [[math.fsum(COLUMNS[row, column] for row in draw) for column in range(3)] for draw in drawn]
    assert bootstrap_sums(COLUMNS, n_resamples=replicates, seed=3) == pytest.approx(np.array(expected), abs=1e-12)


@given(
    n=st.sampled_from([1, 2, 7, 33, 200, 1500]),
    chosen=st.lists(st.integers(0, 8), min_size=1, max_size=20),
    seed=st.integers(0, 100),
)
@settings(deadline=None, max_examples=30)
@example(n=20_000, chosen=[3, 1], seed=0)  # a block of draws is one row
def test_other_columns_change_no_bit(n: int, chosen: list[int], seed: int) -> None:
    generator = np.random.default_rng(seed)
    columns = generator.normal(size=(n, 9)) * 10.0 ** generator.integers(-9, 9, size=(n, 9))
    draw = partial(bootstrap_sums, n_resamples=5, seed=seed)
    alone = np.column_stack([draw(np.array(columns[:, place, None])) for place in range(9)])
    assert (draw(columns) == alone).all()
    assert (draw(np.asfortranarray(columns)) == alone).all()
    # Some of them, in any order, and more than once.
    assert (draw(columns[:, chosen]) == alone[:, chosen]).all()


@pytest.mark.parametrize("block", [1, 30, 31, 95, 600])
def test_blocks_give_the_same_bits(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = np.random.default_rng(5).integers(10, size=(30, 4)).astype(np.float64)
    expected = bootstrap_sums(counts, n_resamples=101), bootstrap_sums(COLUMNS, n_resamples=101)
    monkeypatch.setattr(bootstrap, "_BLOCK", block)
    assert (bootstrap_sums(counts, n_resamples=101) == expected[0]).all()
    # How a matrix product rounds fractions depends on its shape.
    assert bootstrap_sums(COLUMNS, n_resamples=101) == pytest.approx(expected[1], abs=1e-13)


def test_every_replicate_draws_n_samples() -> None:
    weights = np.concatenate([*bootstrap.bootstrap_draws(17, 50, 0)])
    assert weights.shape == (50, 17)
    assert (weights.sum(axis=1) == 17).all()
    assert (weights >= 0).all()


def test_columns_are_left_as_they_are() -> None:
    columns = COLUMNS.copy()
    bootstrap_sums(columns)
    assert (columns == COLUMNS).all()


def test_moments_converge_to_theory() -> None:
    n, replicates = len(COLUMNS), 20_000
    means = bootstrap_sums(COLUMNS, n_resamples=replicates) / n
    # A replicate's mean has the sample's mean, and its variance over n.
    spread = COLUMNS.std(axis=0) / math.sqrt(n)
    assert (np.abs(means.mean(axis=0) - COLUMNS.mean(axis=0)) < 4 * spread / math.sqrt(replicates)).all()
    assert means.std(axis=0) == pytest.approx(spread, rel=0.03)


def test_interval_covers_as_often_as_it_says() -> None:
    generator, covered, trials = np.random.default_rng(11), 0, 400
    for trial in range(trials):
        sample = generator.normal(loc=2.0, size=(50, 1))
        low, high = percentile_interval(bootstrap_sums(sample, n_resamples=400, seed=trial)[:, 0] / 50, 0.9)
        covered += low <= 2.0 <= high
    # 0.9 nominal, a little less for 50 samples; the standard error of 400 trials is 0.015.
    assert 0.84 < covered / trials < 0.94


def test_agrees_with_scipy() -> None:
    stats = pytest.importorskip("scipy.stats")
    sample = np.random.default_rng(1).exponential(size=60)
    theirs = stats.bootstrap(
        (sample,),
        np.mean,
        n_resamples=20_000,
        method="percentile",
        confidence_level=0.9,
        random_state=np.random.default_rng(2),
    ).confidence_interval
    ours = percentile_interval(bootstrap_sums(sample[:, None], n_resamples=20_000)[:, 0] / 60, 0.9)
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.01)


def test_percentiles() -> None:
    # Of 0, 1, ..., 100 the middle 80 % run from 10 to 90.
    assert percentile_interval(np.arange(101.0), 0.8) == pytest.approx((10, 90), abs=1e-12)
    assert percentile_interval(np.array([2.0]), 0.95) == (2.0, 2.0)


def test_undefined_replicates_are_dropped() -> None:
    replicates = np.concatenate([np.arange(101.0), [np.nan] * 50])
    assert percentile_interval(replicates, 0.5) == (25.0, 75.0)
    assert paired_p_value(3.0, np.array([np.nan, 0.0, np.nan])) == paired_p_value(3.0, np.array([0.0]))


@pytest.mark.parametrize("replicates", [np.array([]), np.full(3, np.nan)])
def test_undefined_without_a_replicate(replicates: np.ndarray) -> None:
    assert all(map(math.isnan, percentile_interval(replicates, 0.95)))
    assert math.isnan(paired_p_value(0.0, replicates))


def test_undefined_difference_has_no_p_value() -> None:
    assert math.isnan(paired_p_value(math.nan, np.zeros(9)))


@pytest.mark.parametrize(
    ("difference", "replicates", "p_value"),
    [
        # The mean 1/2 is taken off: -1/2 three times, 3/2. Within 1e-12 as far as 3/2: one. (1 + 1) / (4 + 1).
        (1.5, [0.0, 0.0, 0.0, 2.0], 2 / 5),
        (-1.5, [0.0, 0.0, 0.0, 2.0], 2 / 5),
        # None is as far as 2: (0 + 1) / (4 + 1); never 0.
        (2.0, [0.0, 0.0, 0.0, 2.0], 1 / 5),
        # All are as far as 1/2.
        (0.5, [0.0, 0.0, 0.0, 2.0], 1.0),
        # 0.1 + 0.2 is not 0.3 in floating point, yet as far.
        (0.3, [0.1 + 0.2, -(0.1 + 0.2)], 1.0),
        (0.1 + 0.2, [0.3, -0.3], 1.0),
    ],
)
def test_paired_p_value_by_hand(difference: float, replicates: list[float], p_value: float) -> None:
    assert paired_p_value(difference, np.array(replicates)) == p_value


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=50), st.floats(-1, 1))
def test_p_value_is_never_zero_and_does_not_care_who_is_a(replicates: list[float], difference: float) -> None:
    p_value = paired_p_value(difference, np.array(replicates))
    assert 1 / (len(replicates) + 1) <= p_value <= 1
    assert paired_p_value(-difference, -np.array(replicates)) == p_value
    assert paired_p_value(0.0, np.array(replicates)) == 1.0


def test_p_values_of_equal_and_of_clearly_different_systems() -> None:
    n = len(COLUMNS)
    same = bootstrap_sums(COLUMNS[:, :1] - COLUMNS[:, :1])[:, 0] / n
    assert paired_p_value(0.0, same) == 1.0
    apart = COLUMNS[:, :1] * 0.1 + 1
    assert paired_p_value(float(apart.mean()), bootstrap_sums(apart)[:, 0] / n) == 1 / 1001


def test_p_values_are_even_when_there_is_no_difference() -> None:
    generator, trials = np.random.default_rng(5), 400
    rejected = 0
    for trial in range(trials):
        differences = generator.normal(size=(50, 1))
        replicates = bootstrap_sums(differences, n_resamples=400, seed=trial)[:, 0] / 50
        rejected += paired_p_value(float(differences.mean()), replicates) < 0.1
    assert 0.06 < rejected / trials < 0.16


@pytest.mark.parametrize("n", [6, 20, 500])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_of_normal_replicates_the_expanded_interval_is_that_of_student(n: int, level: float) -> None:
    stats = pytest.importorskip("scipy.stats")
    numbers = np.random.default_rng(n).normal(3.0, 2.0, size=n)
    mean, error = numbers.mean(), stats.sem(numbers)
    # Means of n drawn from n vary by (n - 1) / n of the squared standard error.
    normal = stats.norm.ppf((np.arange(200_001) + 0.5) / 200_001)
    replicates = mean + error * math.sqrt((n - 1) / n) * normal
    expected = stats.t.interval(level, n - 1, mean, error)
    assert expanded_interval(replicates, level, n) == pytest.approx(expected, abs=1e-3 * error)


def test_the_expanded_interval_keeps_what_it_promises_of_few() -> None:
    generator, trials, n = np.random.default_rng(3), 1_000, 8
    held = {"percentile": 0, "expanded": 0}
    for trial in range(trials):
        means = bootstrap_sums(generator.normal(loc=2.0, size=(n, 1)), n_resamples=400, seed=trial)[:, 0] / n
        for kind, (low, high) in (
            ("percentile", percentile_interval(means, 0.9)),
            ("expanded", expanded_interval(means, 0.9, n)),
        ):
            held[kind] += low <= 2.0 <= high
    # The standard error of 1,000 trials is 0.01. Percentiles hold what z sqrt(7 / 8) reaches of Student's t of 7: 0.83.
    assert 0.87 < held["expanded"] / trials < 0.93
    assert 0.79 < held["percentile"] / trials < 0.86


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=50), st.integers(2, 300), st.floats(0.01, 0.99))
def test_expanded_intervals_hold_those_of_more_units(replicates: list[float], n: int, level: float) -> None:
    drawn = np.array(replicates)
    low, high = expanded_interval(drawn, level, n)
    for other in (expanded_interval(drawn, level, 2 * n), percentile_interval(drawn, level)):
        assert low <= other[0] + 1e-12
        assert other[1] - 1e-12 <= high
    assert drawn.min() <= low <= high <= drawn.max()
    assert expanded_interval(drawn, level, 10**9) == pytest.approx(percentile_interval(drawn, level), abs=1e-5)


def test_one_unit_has_no_interval() -> None:
    for n in (0, 1, math.nan):
        assert all(map(math.isnan, expanded_interval(np.arange(9.0), 0.95, n)))
        assert math.isnan(expanded_p_value(0.5, n))
    assert all(map(math.isnan, expanded_interval(np.array([]), 0.95, 5)))
    replicates = np.concatenate([np.arange(101.0), [np.nan] * 50])
    assert expanded_interval(replicates, 0.9, 7) == expanded_interval(np.arange(101.0), 0.9, 7)


@given(st.floats(1e-4, 1.0), st.integers(2, 300))
def test_expanded_p_values_are_of_the_interval_that_ends_at_zero(p: float, n: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    found = expanded_p_value(p, n)
    assert found == pytest.approx(2 * stats.t.sf(math.sqrt((n - 1) / n) * stats.norm.isf(p / 2), n - 1), rel=1e-9)
    assert p <= found <= 1
    assert expanded_p_value(p, 2 * n) <= found
    # At the level 1 - found the expanded interval ends where the percentile interval of 1 - p does.
    if found < 0.999:
        drawn = np.linspace(-1.0, 1.0, 2_001)
        assert expanded_interval(drawn, 1 - found, n) == pytest.approx(percentile_interval(drawn, 1 - p), abs=1e-6)
