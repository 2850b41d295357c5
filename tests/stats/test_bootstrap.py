"""The bootstrap: draws, intervals and paired p-values."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special, stats
from scipy.sparse import csr_matrix

from fairsum_utils.stats import bootstrap
from fairsum_utils.stats.bootstrap import (
    bootstrap_sums,
    cluster_sums,
    expanded_interval,
    expanded_p_value,
    paired_p_value,
    percentile_interval,
    resample_each,
    resample_within,
    student_reach,
)


@given(st.floats(0.01, 0.999), st.integers(2, 5_000))
def test_reach_is_the_quantile(level: float, n: int) -> None:
    assert 2 * special.stdtr(n - 1, student_reach(level, n)) - 1 == pytest.approx(level, abs=1e-9)


COLUMNS = np.random.default_rng(7).normal(size=(30, 3))


def test_no_seed_draws_afresh_and_nothing_is_not_drawn() -> None:
    with pytest.raises(ValueError, match="no samples to draw from"):
        bootstrap_sums(np.empty((0, 2)))
    assert (bootstrap_sums(COLUMNS, seed=None) != bootstrap_sums(COLUMNS, seed=None)).any()
    one, other = (resample_within(COLUMNS_TWO_LEVEL, CLUSTERS, seed=None) for _ in range(2))
    assert (one != other).any()


@pytest.mark.parametrize("size", [7, 90_000])
def test_draws_of_another_size(size: int) -> None:
    counts = np.concatenate([*bootstrap.bootstrap_draws(5, 4, 3, size)])
    drawn = np.random.default_rng(3).integers(5, size=(4, size))
    assert counts.tolist() == [[list(row).count(unit) for unit in range(5)] for row in drawn.tolist()]


def test_other_columns_change_no_bit() -> None:
    generator = np.random.default_rng(33)
    columns = generator.normal(size=(33, 9)) * 10.0 ** generator.integers(-9, 9, size=(33, 9))
    for draw in (bootstrap_sums, partial(resample_within, clusters=np.arange(33) // 3)):
        alone = np.column_stack([draw(np.array(columns[:, place, None]), n_resamples=5) for place in range(9)])
        assert (draw(columns, n_resamples=5) == alone).all()
        assert (draw(np.asfortranarray(columns), n_resamples=5) == alone).all()
        assert (draw(columns[:, [3, 0, 3]], n_resamples=5) == alone[:, [3, 0, 3]]).all()


def test_equals_a_plain_loop_over_the_same_draws() -> None:
    n, replicates = len(COLUMNS), 200
    drawn = np.random.default_rng(3).integers(n, size=(replicates, n))
    expected = [[math.fsum(COLUMNS[row, column] for row in draw) for column in range(3)] for draw in drawn]
    assert bootstrap_sums(COLUMNS, n_resamples=replicates, seed=3) == pytest.approx(np.array(expected), abs=1e-12)


def test_undefined_replicates_are_dropped() -> None:
    replicates = np.concatenate([np.arange(101.0), [np.nan] * 50])
    assert percentile_interval(replicates, 0.5) == (25.0, 75.0)
    assert paired_p_value(3.0, np.array([np.nan, 0.0, np.nan])) == paired_p_value(3.0, np.array([0.0]))
    for nothing in (np.array([]), np.full(3, np.nan)):
        assert all(map(math.isnan, [*percentile_interval(nothing, 0.95), paired_p_value(0.0, nothing)]))
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
        (0.0, [0.5, 1.0, -2.0], 1.0),
    ],
)
def test_paired_p_value_by_hand(difference: float, replicates: list[float], p_value: float) -> None:
    assert paired_p_value(difference, np.array(replicates)) == p_value


def test_one_unit_has_no_interval() -> None:
    for n in (0, 1, math.nan):
        assert all(map(math.isnan, expanded_interval(np.arange(9.0), 0.95, n)))
        assert math.isnan(expanded_p_value(0.5, n))
    assert all(map(math.isnan, expanded_interval(np.array([]), 0.95, 5)))
    replicates = np.concatenate([np.arange(101.0), [np.nan] * 50])
    assert expanded_interval(replicates, 0.9, 7) == expanded_interval(np.arange(101.0), 0.9, 7)


@given(st.floats(1e-4, 1.0), st.integers(2, 300))
def test_expanded_p_values_are_of_the_interval_that_ends_at_zero(p: float, n: int) -> None:
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


def test_cluster_sums() -> None:
    # Samples 0, 2 and 3 are cluster 1's: (1 + 4 + 8, 5 + 0 + 1).
    columns = np.array([[1.0, 5], [2, 7], [4, 0], [8, 1]])
    assert cluster_sums(columns, np.array([1, 0, 1, 1])).tolist() == [[2, 7], [13, 6]]


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


@pytest.mark.parametrize("block", [1, 47])
def test_blocks_give_the_same_bits(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = np.random.default_rng(5).integers(10, size=(30, 4)).astype(np.float64)
    # How a matrix product rounds fractions depends on its shape; units count fractions of times.
    draws: list[tuple[Callable[..., np.ndarray], float]] = [
        (partial(bootstrap_sums, counts), 0),
        (partial(bootstrap_sums, COLUMNS), 1e-13),
        (partial(resample_within, COLUMNS_TWO_LEVEL, CLUSTERS), 0),
        (partial(by_pairs, COLUMNS_TWO_LEVEL, CLUSTERS), 1e-12),
    ]
    expected = [draw(n_resamples=101) for draw, _ in draws]
    monkeypatch.setattr(bootstrap, "_BLOCK", block)
    monkeypatch.setattr(bootstrap, "_CLUSTERS_BLOCK", block)
    for (draw, error), whole in zip(draws, expected, strict=True):
        assert draw(n_resamples=101) == pytest.approx(whole, rel=0, abs=error)


def each(columns: np.ndarray, clusters: np.ndarray, n: int = 1000) -> np.ndarray:
    """Resample clusters separately; a cluster's name is its number times 7."""
    known, places = np.unique(clusters, return_inverse=True)
    return resample_each(columns, places, [int(7 * cluster) for cluster in known], n_resamples=n, seed=3)


def test_what_a_cluster_can_draw_by_itself() -> None:
    columns, clusters = np.array([[1.0], [30.0], [5.0], [100.0], [2.0], [200.0]]), np.array([0, 0, 0, 1, 0, 2])
    # Of 1, 30, 5 and 2 three are drawn and count 4 / 3 times, rounded to 2**-20; 100 and 200 are alone.
    drawn = [a + b + c for a in (1, 30, 5, 2) for b in (1, 30, 5, 2) for c in (1, 30, 5, 2)]
    expected = np.unique([300 + 4 / 3 * total for total in drawn])
    assert np.unique(each(columns, clusters)) == pytest.approx(expected, abs=1e-4)


def test_parts_of_the_clusters_add_up_to_the_whole() -> None:
    whole = each(COLUMNS_TWO_LEVEL, CLUSTERS, n=50)
    sums = np.zeros_like(whole)
    for part in ([0, 4], [5], [1, 2, 3]):
        own = np.isin(CLUSTERS, part)
        sums += each(COLUMNS_TWO_LEVEL[own], CLUSTERS[own], n=50)
    assert sums.tolist() == whole.tolist()  # to the bit: thirds and sixths are rounded before they are added
    assert each(COLUMNS_TWO_LEVEL[:, 1:2], CLUSTERS, n=50).tolist() == whole[:, 1:2].tolist()


@pytest.mark.parametrize("units", [None, UNITS], ids=["singly", "in units"])
def test_sparse_columns_give_the_sums_of_laid_out_ones(units: np.ndarray | None) -> None:
    found = resample_within(csr_matrix(COLUMNS_TWO_LEVEL), CLUSTERS, units, n_resamples=50)
    assert found == pytest.approx(resample_within(COLUMNS_TWO_LEVEL, CLUSTERS, units, n_resamples=50))


def test_what_does_not_vary_stays_exactly() -> None:
    columns = np.array([[0.1, 1.0]] * 7 + [[0.1, 2.0]])
    drawn = each(columns, np.zeros(8, dtype=int))
    assert (drawn[:, 0] == columns.sum(axis=0)[0]).all()
    assert len(set(drawn[:, 1])) > 1
