"""The bootstrap: draws, intervals and paired p-values."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from fairsum_utils.stats import bootstrap
from fairsum_utils.stats.bootstrap import (
    beta_cdf,
    bootstrap_sums,
    cluster_sums,
    expanded_interval,
    expanded_p_value,
    paired_p_value,
    percentile_interval,
    resample_clusters,
    resample_each,
    resample_within,
    root,
    student_cdf,
    student_reach,
)


def test_beta_by_hand() -> None:
    # I(x; a, 1) is x^a, and I(x; 1, b) is 1 - (1 - x)^b.
    assert beta_cdf(3, 1, 0.2) == pytest.approx(0.008, rel=1e-14)
    assert beta_cdf(1, 2, 0.5) == pytest.approx(0.75, rel=1e-14)
    assert (beta_cdf(2, 3, 0.0), beta_cdf(2, 3, 1.0)) == (0.0, 1.0)
    # P(Binomial(4, 1/2) <= 1) = 5/16
    assert beta_cdf(3, 2, 0.5) == pytest.approx(5 / 16, rel=1e-14)


@given(st.floats(0.05, 5_000), st.floats(0.05, 5_000), st.floats(0, 1))
@settings(deadline=None)
def test_beta_agrees_with_scipy(a: float, b: float, x: float) -> None:
    special = pytest.importorskip("scipy.special")
    assert beta_cdf(a, b, x) == pytest.approx(float(special.betainc(a, b, x)), rel=1e-8, abs=1e-11)


@given(st.floats(-40, 40), st.integers(1, 5_000))
@settings(deadline=None)
def test_student_agrees_with_scipy(t: float, freedom: int) -> None:
    special = pytest.importorskip("scipy.special")
    assert student_cdf(t, freedom) == pytest.approx(float(special.stdtr(freedom, t)), rel=1e-7)


@given(st.floats(0.01, 0.999), st.integers(2, 5_000))
@settings(deadline=None)
def test_reach_is_the_quantile(level: float, n: int) -> None:
    assert 2 * student_cdf(student_reach(level, n), n - 1) - 1 == pytest.approx(level, abs=1e-9)


def test_reach_as_the_tables_have_it() -> None:
    assert [round(student_reach(0.95, n), 3) for n in (2, 11, 31)] == [12.706, 2.228, 2.042]
    assert student_reach(0.95, 10**7) == pytest.approx(1.959964, abs=1e-5)


@pytest.mark.parametrize(
    ("function", "low", "high", "expected"),
    [
        (lambda x: x**9 - 0.5, 0.0, 1.0, 0.5 ** (1 / 9)),
        (lambda x: 1e-12 - x, 0.0, 1.0, 1e-12),
        (lambda x: math.atan(1e6 * (x - 0.25)), -3.0, 5.0, 0.25),
        (lambda x: x, 0.0, 1.0, 0.0),
    ],
)
def test_root(function, low: float, high: float, expected: float) -> None:  # type: ignore[no-untyped-def]
    assert root(function, low, high) == pytest.approx(expected, rel=1e-9, abs=1e-14)


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


# Clusters of 1, 5, 2, 1, 7 and 4 samples, mixed.
CLUSTERS = np.random.default_rng(3).permutation(np.repeat(np.arange(6), [1, 5, 2, 1, 7, 4]))
COLUMNS_TWO_LEVEL = np.random.default_rng(7).integers(20, size=(20, 3)).astype(np.float64)
# The samples of a cluster two by two, as they come; of an odd number the last one is alone.
_RANKS = [int((CLUSTERS[:place] == cluster).sum()) for place, cluster in enumerate(CLUSTERS)]
UNITS = np.unique(10 * CLUSTERS + np.array(_RANKS) // 2, return_inverse=True)[1]
by_pairs = partial(resample_within, units=UNITS)
BOTH = pytest.mark.parametrize("resample", [resample_clusters, resample_within])
ALL = pytest.mark.parametrize("resample", [resample_clusters, resample_within, by_pairs])

Resample = Callable[..., np.ndarray]


def test_cluster_sums() -> None:
    # Samples 0, 2 and 3 are cluster 1's: (1 + 4 + 8, 5 + 0 + 1).
    columns = np.array([[1.0, 5], [2, 7], [4, 0], [8, 1]])
    assert cluster_sums(columns, np.array([1, 0, 1, 1])).tolist() == [[2, 7], [13, 6]]


@BOTH
def test_one_cluster_of_one(resample: Resample) -> None:
    assert resample(np.array([[3.0, 5.0]]), np.array([0]), n_resamples=3).tolist() == [[3.0, 5.0]] * 3


def test_what_each_level_can_draw() -> None:
    columns, clusters = np.array([[1.0], [10.0], [100.0]]), np.array([0, 0, 1])
    # Two of {11, 100}; or two of {1, 10} and always 100.
    assert set(resample_clusters(columns, clusters)[:, 0]) == {22, 111, 200}
    assert set(resample_within(columns, clusters)[:, 0]) == {102, 111, 120}


def test_units_are_drawn_as_one() -> None:
    # Cluster 0 has units of 1 + 2 and 30, one of which is drawn and counts twice; cluster 1 is one unit of 100 + 200.
    columns = np.array([[1.0], [30.0], [100.0], [2.0], [200.0]])
    clusters, units = np.array([0, 0, 1, 0, 1]), np.array([0, 1, 2, 0, 2])
    assert set(resample_within(columns, clusters, units)[:, 0]) == {306, 360}
    # With a third unit of 5, two of {3, 30, 5}, times 3 / 2.
    columns, clusters, units = np.append(columns, [[5.0]], axis=0), np.append(clusters, 0), np.append(units, 3)
    assert set(resample_within(columns, clusters, units)[:, 0]) == {
        300 + 1.5 * total for total in (6, 33, 8, 60, 35, 10)
    }


def test_an_assignment_and_its_inversion_cancel() -> None:
    # Each input includes 3 of one group and 1 of the other, its partner the other way round.
    columns, clusters = np.array([[3.0, 1.0], [1.0, 3.0]] * 10), np.repeat([0, 1], 10)
    singly = resample_within(columns, clusters)
    paired = resample_within(columns, clusters, np.arange(20) // 2)
    assert (paired == 40).all()
    assert singly.std(axis=0) == pytest.approx(20**0.5, rel=0.1)  # of 20 draws, each 1 from the mean of 2


@BOTH
def test_no_samples_of_two_level(resample: Resample) -> None:
    with pytest.raises(ValueError, match="no samples to draw from"):
        resample(np.empty((0, 2)), np.empty(0, dtype=int))


@ALL
def test_seeds(resample: Resample) -> None:
    zero = resample(COLUMNS_TWO_LEVEL, CLUSTERS)
    assert (resample(COLUMNS_TWO_LEVEL, CLUSTERS, seed=0) == zero).all()
    assert (resample(COLUMNS_TWO_LEVEL, CLUSTERS, seed=1) != zero).any()
    assert (resample(COLUMNS_TWO_LEVEL, CLUSTERS, seed=None) != resample(COLUMNS_TWO_LEVEL, CLUSTERS, seed=None)).any()


@ALL
def test_arguments_and_the_global_state_are_left_alone(resample: Resample) -> None:
    columns, clusters = COLUMNS_TWO_LEVEL.copy(), CLUSTERS.copy()
    before = np.random.get_state()[1].tolist()  # type: ignore[index, union-attr]
    resample(columns, clusters)
    assert (columns == COLUMNS_TWO_LEVEL).all()
    assert (clusters == CLUSTERS).all()
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index, union-attr]


def test_clusters_equal_a_plain_loop_over_the_same_draws() -> None:
    sums = [[sum(COLUMNS_TWO_LEVEL[cluster == CLUSTERS, column]) for column in range(3)] for cluster in range(6)]
    expected = [
        [sum(sums[cluster][column] for cluster in draw) for column in range(3)]
        for draw in np.random.default_rng(3).integers(6, size=(100, 6))
    ]
    assert resample_clusters(COLUMNS_TWO_LEVEL, CLUSTERS, n_resamples=100, seed=3).tolist() == expected


def test_within_equals_a_plain_loop_over_the_same_draws() -> None:
    members = [np.flatnonzero(cluster == CLUSTERS).tolist() for cluster in range(6)]
    generator = np.random.default_rng(3)
    expected = []
    for _ in range(100):
        draws = iter(generator.integers(1 << 32, size=20, dtype=np.uint32).tolist())
        # A number below 2**32 cuts [0, 1) into as many parts as the cluster has samples.
        drawn = [own[next(draws) * len(own) // (1 << 32)] for own in members for _ in own]
        expected.append([sum(COLUMNS_TWO_LEVEL[place, column] for place in drawn) for column in range(3)])
    assert resample_within(COLUMNS_TWO_LEVEL, CLUSTERS, n_resamples=100, seed=3).tolist() == expected


def test_units_equal_a_plain_loop_over_the_same_draws() -> None:
    members = [np.unique(UNITS[cluster == CLUSTERS]).tolist() for cluster in range(6)]
    generator = np.random.default_rng(3)
    expected = []
    for _ in range(100):
        sums = np.zeros(3)
        for own in members:
            n_draws = max(len(own) - 1, 1)
            for draw in generator.integers(1 << 32, size=n_draws, dtype=np.uint32).tolist():
                sums += COLUMNS_TWO_LEVEL[own[draw * len(own) // (1 << 32)] == UNITS].sum(axis=0) * len(own) / n_draws
        expected.append(sums.tolist())
    assert by_pairs(COLUMNS_TWO_LEVEL, CLUSTERS, n_resamples=100, seed=3) == pytest.approx(np.array(expected), abs=1e-9)


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=30))
def test_units_keep_every_cluster_at_its_weight(labels: list[tuple[int, int]]) -> None:
    named, units = np.unique(labels, axis=0, return_inverse=True)
    clusters = np.unique(named[:, 0], return_inverse=True)[1]
    n_units = np.bincount(clusters)
    first = np.unique(units.ravel(), return_index=True)[1]
    columns = np.zeros((len(labels), len(n_units)))
    columns[first, clusters] = 1.0  # one a unit
    drawn = resample_within(columns, clusters[units.ravel()], units.ravel(), n_resamples=7)
    assert drawn == pytest.approx(np.tile(n_units, (7, 1)))


@given(st.lists(st.integers(0, 4), min_size=1, max_size=30))
def test_within_keeps_every_cluster_at_its_size(labels: list[int]) -> None:
    clusters = np.unique(labels, return_inverse=True)[1]
    sizes = np.bincount(clusters)
    one_hot = np.eye(len(sizes))[clusters]
    assert (resample_within(one_hot, clusters, n_resamples=7) == sizes).all()
    # Whole clusters: each replicate is a sum of as many rows of the diagonal as there are clusters.
    assert (resample_clusters(one_hot, clusters, n_resamples=7) / sizes).sum(axis=1) == pytest.approx(len(sizes))


@BOTH
@given(
    labels=st.lists(st.integers(0, 6), min_size=1, max_size=50),
    chosen=st.lists(st.integers(0, 4), min_size=1, max_size=9),
    seed=st.integers(0, 100),
)
def test_other_columns_change_no_bit_of_two_level(
    resample: Resample, labels: list[int], chosen: list[int], seed: int
) -> None:
    clusters = np.unique(labels, return_inverse=True)[1]
    columns = np.random.default_rng(seed).normal(size=(len(labels), 5))
    draw = partial(resample, clusters=clusters, n_resamples=5, seed=seed)
    alone = np.column_stack([draw(np.array(columns[:, place, None])) for place in range(5)])
    assert (draw(columns) == alone).all()
    assert (draw(columns[:, chosen]) == alone[:, chosen]).all()


@BOTH
def test_the_order_of_clusters_samples_does_not_matter(resample: Resample) -> None:
    order = np.argsort(CLUSTERS, kind="stable")
    assert (resample(COLUMNS_TWO_LEVEL, CLUSTERS) == resample(COLUMNS_TWO_LEVEL[order], CLUSTERS[order])).all()


def test_clusters_do_not_depend_on_the_order_of_samples() -> None:
    assert (
        resample_clusters(COLUMNS_TWO_LEVEL, CLUSTERS) == resample_clusters(COLUMNS_TWO_LEVEL[::-1], CLUSTERS[::-1])
    ).all()


@ALL
@pytest.mark.parametrize("block", [1, 20, 47, 1000])
def test_blocks_give_the_same_bits_of_two_level(
    resample: Resample, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = resample(COLUMNS_TWO_LEVEL, CLUSTERS, n_resamples=101)
    monkeypatch.setattr(bootstrap, "_CLUSTERS_BLOCK", block)
    found = resample(COLUMNS_TWO_LEVEL, CLUSTERS, n_resamples=101)
    # Units count fractions of times, whose sums are rounded.
    assert found == pytest.approx(expected, rel=1e-14) if resample is by_pairs else (found == expected).all()


def test_moments_converge_to_theory_of_two_level() -> None:
    replicates = 20_000
    of_clusters, of_units = cluster_sums(COLUMNS_TWO_LEVEL, CLUSTERS), cluster_sums(COLUMNS_TWO_LEVEL, UNITS)
    owners = [CLUSTERS[unit == UNITS][0] for unit in range(len(of_units))]
    own = [of_units[np.array(owners) == k] for k in range(6)]
    # K draws from K clusters; k draws from the k samples of each cluster, or k - 1 from its k units.
    variances = {
        resample_clusters: len(of_clusters) * of_clusters.var(axis=0),
        resample_within: sum((k == CLUSTERS).sum() * COLUMNS_TWO_LEVEL[k == CLUSTERS].var(axis=0) for k in range(6)),
        # What k new units would vary by, told from the k that there are.
        by_pairs: sum(len(sums) * sums.var(axis=0, ddof=1) for sums in own if len(sums) > 1),
    }
    for resample, variance in variances.items():
        sums = resample(COLUMNS_TWO_LEVEL, CLUSTERS, n_resamples=replicates)
        spread = np.sqrt(variance)
        assert (np.abs(sums.mean(axis=0) - COLUMNS_TWO_LEVEL.sum(axis=0)) < 4 * spread / math.sqrt(replicates)).all()
        assert sums.std(axis=0) == pytest.approx(spread, rel=0.03)


def each(columns: np.ndarray, clusters: np.ndarray, units: np.ndarray, less: int, n: int = 1000) -> np.ndarray:
    """Clusters draw by themselves; a cluster's name is its number times 7."""
    known, places = np.unique(clusters, return_inverse=True)
    _, numbers = np.unique(units, return_inverse=True)
    digests = [int(7 * cluster) for cluster in known]
    spared = np.full(len(known), less)
    return resample_each(columns, places, numbers, digests, n_spared=spared, n_resamples=n, seed=3)


def test_what_a_cluster_can_draw_by_itself() -> None:
    columns = np.array([[1.0], [30.0], [5.0], [100.0], [2.0], [200.0]])
    clusters, units = np.array([0, 0, 0, 1, 0, 1]), np.array([0, 1, 3, 2, 0, 2])
    # Cluster 1 is one unit of 100 + 200. Of 3, 30 and 5 two are drawn and count 3 / 2 times; or three as they are.
    expected = {300 + 1.5 * total for total in (6, 33, 8, 60, 35, 10)}
    assert set(each(columns, clusters, units, 1)[:, 0]) == expected
    expected = {300.0 + a + b + c for a in (3, 30, 5) for b in (3, 30, 5) for c in (3, 30, 5)}
    assert set(each(columns, clusters, units, 0)[:, 0]) == expected


@pytest.mark.parametrize("less", [0, 1])
def test_parts_of_the_clusters_add_up_to_the_whole(less: int) -> None:
    whole = each(COLUMNS_TWO_LEVEL, CLUSTERS, UNITS, less, n=50)
    sums = np.zeros_like(whole)
    for part in ([0, 4], [5], [1, 2, 3]):
        own = np.isin(CLUSTERS, part)
        sums += each(COLUMNS_TWO_LEVEL[own], CLUSTERS[own], UNITS[own], less, n=50)
    assert sums.tolist() == whole.tolist()  # to the bit: thirds and sixths are rounded before they are added
    alone = each(COLUMNS_TWO_LEVEL[:, 1:2], CLUSTERS, UNITS, less, n=50)
    assert alone.tolist() == whole[:, 1:2].tolist()


@pytest.mark.parametrize("less", [0, 1])
def test_clusters_that_draw_by_themselves_vary_as_those_that_draw_together(less: int) -> None:
    together = resample_within(COLUMNS_TWO_LEVEL, CLUSTERS, UNITS if less else None, n_resamples=4000)
    apart = each(COLUMNS_TWO_LEVEL, CLUSTERS, UNITS if less else np.arange(len(COLUMNS_TWO_LEVEL)), less, n=4000)
    totals = COLUMNS_TWO_LEVEL.sum(axis=0)
    assert apart.mean(axis=0) == pytest.approx(totals, abs=4 * apart.std(axis=0).max() / math.sqrt(4000))
    assert apart.std(axis=0) == pytest.approx(together.std(axis=0), rel=0.06)


def test_blocks_change_nothing_of_clusters_that_draw_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = each(COLUMNS_TWO_LEVEL, CLUSTERS, UNITS, 1, n=60).tolist()
    monkeypatch.setattr(bootstrap, "_CLUSTERS_BLOCK", 9)
    assert each(COLUMNS_TWO_LEVEL, CLUSTERS, UNITS, 1, n=60).tolist() == expected


@pytest.mark.parametrize("less", [0, 1])
def test_sparse_columns_give_the_sums_of_laid_out_ones(less: int) -> None:
    sparse = csr_matrix(COLUMNS_TWO_LEVEL)
    assert each(sparse, CLUSTERS, UNITS, less).tolist() == each(COLUMNS_TWO_LEVEL, CLUSTERS, UNITS, less).tolist()
    units = UNITS if less else None
    found = resample_within(sparse, CLUSTERS, units, n_resamples=50)
    assert found == pytest.approx(resample_within(COLUMNS_TWO_LEVEL, CLUSTERS, units, n_resamples=50))


def test_what_does_not_vary_stays_exactly() -> None:
    columns = np.array([[3.0, 1.0]] * 7 + [[3.0, 2.0]])
    drawn = each(columns, np.zeros(8, dtype=int), np.arange(8), 1)
    assert (drawn[:, 0] == 24.0).all()
    assert len(set(drawn[:, 1])) > 1
