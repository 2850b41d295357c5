"""The bootstrap at two levels: whole clusters, or samples within each cluster."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from fairsum_utils.stats import two_level
from fairsum_utils.stats.two_level import cluster_sums, resample_clusters, resample_each, resample_within

# Clusters of 1, 5, 2, 1, 7 and 4 samples, mixed.
CLUSTERS = np.random.default_rng(3).permutation(np.repeat(np.arange(6), [1, 5, 2, 1, 7, 4]))
COLUMNS = np.random.default_rng(7).integers(20, size=(20, 3)).astype(np.float64)
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
def test_no_samples(resample: Resample) -> None:
    with pytest.raises(ValueError, match="no samples to draw from"):
        resample(np.empty((0, 2)), np.empty(0, dtype=int))


@ALL
def test_seeds(resample: Resample) -> None:
    zero = resample(COLUMNS, CLUSTERS)
    assert (resample(COLUMNS, CLUSTERS, seed=0) == zero).all()
    assert (resample(COLUMNS, CLUSTERS, seed=1) != zero).any()
    assert (resample(COLUMNS, CLUSTERS, seed=None) != resample(COLUMNS, CLUSTERS, seed=None)).any()


@ALL
def test_arguments_and_the_global_state_are_left_alone(resample: Resample) -> None:
    columns, clusters = COLUMNS.copy(), CLUSTERS.copy()
    before = np.random.get_state()[1].tolist()  # type: ignore[index, union-attr]
    resample(columns, clusters)
    assert (columns == COLUMNS).all()
    assert (clusters == CLUSTERS).all()
    assert np.random.get_state()[1].tolist() == before  # type: ignore[index, union-attr]


def test_clusters_equal_a_plain_loop_over_the_same_draws() -> None:
    sums = [[sum(COLUMNS[cluster == CLUSTERS, column]) for column in range(3)] for cluster in range(6)]
    expected = [
        [sum(sums[cluster][column] for cluster in draw) for column in range(3)]
        for draw in np.random.default_rng(3).integers(6, size=(100, 6))
    ]
    assert resample_clusters(COLUMNS, CLUSTERS, n_resamples=100, seed=3).tolist() == expected


def test_within_equals_a_plain_loop_over_the_same_draws() -> None:
    members = [np.flatnonzero(cluster == CLUSTERS).tolist() for cluster in range(6)]
    generator = np.random.default_rng(3)
    expected = []
    for _ in range(100):
        draws = iter(generator.integers(1 << 32, size=20, dtype=np.uint32).tolist())
        # A number below 2**32 cuts [0, 1) into as many parts as the cluster has samples.
        drawn = [own[next(draws) * len(own) // (1 << 32)] for own in members for _ in own]
        expected.append([sum(COLUMNS[place, column] for place in drawn) for column in range(3)])
    assert resample_within(COLUMNS, CLUSTERS, n_resamples=100, seed=3).tolist() == expected


def test_units_equal_a_plain_loop_over_the_same_draws() -> None:
    members = [np.unique(UNITS[cluster == CLUSTERS]).tolist() for cluster in range(6)]
    generator = np.random.default_rng(3)
    expected = []
    for _ in range(100):
        sums = np.zeros(3)
        for own in members:
            n_draws = max(len(own) - 1, 1)
            for draw in generator.integers(1 << 32, size=n_draws, dtype=np.uint32).tolist():
                sums += COLUMNS[own[draw * len(own) // (1 << 32)] == UNITS].sum(axis=0) * len(own) / n_draws
        expected.append(sums.tolist())
    assert by_pairs(COLUMNS, CLUSTERS, n_resamples=100, seed=3) == pytest.approx(np.array(expected), abs=1e-9)


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
def test_other_columns_change_no_bit(resample: Resample, labels: list[int], chosen: list[int], seed: int) -> None:
    clusters = np.unique(labels, return_inverse=True)[1]
    columns = np.random.default_rng(seed).normal(size=(len(labels), 5))
    draw = partial(resample, clusters=clusters, n_resamples=5, seed=seed)
    alone = np.column_stack([draw(np.array(columns[:, place, None])) for place in range(5)])
    assert (draw(columns) == alone).all()
    assert (draw(columns[:, chosen]) == alone[:, chosen]).all()


@BOTH
def test_the_order_of_clusters_samples_does_not_matter(resample: Resample) -> None:
    order = np.argsort(CLUSTERS, kind="stable")
    assert (resample(COLUMNS, CLUSTERS) == resample(COLUMNS[order], CLUSTERS[order])).all()


def test_clusters_do_not_depend_on_the_order_of_samples() -> None:
    assert (resample_clusters(COLUMNS, CLUSTERS) == resample_clusters(COLUMNS[::-1], CLUSTERS[::-1])).all()


@ALL
@pytest.mark.parametrize("block", [1, 20, 47, 1000])
def test_blocks_give_the_same_bits(resample: Resample, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = resample(COLUMNS, CLUSTERS, n_resamples=101)
    monkeypatch.setattr(two_level, "_BLOCK", block)
    found = resample(COLUMNS, CLUSTERS, n_resamples=101)
    # Units count fractions of times, whose sums are rounded.
    assert found == pytest.approx(expected, rel=1e-14) if resample is by_pairs else (found == expected).all()


def test_moments_converge_to_theory() -> None:
    replicates = 20_000
    of_clusters, of_units = cluster_sums(COLUMNS, CLUSTERS), cluster_sums(COLUMNS, UNITS)
    owners = [CLUSTERS[unit == UNITS][0] for unit in range(len(of_units))]
    own = [of_units[np.array(owners) == k] for k in range(6)]
    # K draws from K clusters; k draws from the k samples of each cluster, or k - 1 from its k units.
    variances = {
        resample_clusters: len(of_clusters) * of_clusters.var(axis=0),
        resample_within: sum((k == CLUSTERS).sum() * COLUMNS[k == CLUSTERS].var(axis=0) for k in range(6)),
        # What k new units would vary by, told from the k that there are.
        by_pairs: sum(len(sums) * sums.var(axis=0, ddof=1) for sums in own if len(sums) > 1),
    }
    for resample, variance in variances.items():
        sums = resample(COLUMNS, CLUSTERS, n_resamples=replicates)
        spread = np.sqrt(variance)
        assert (np.abs(sums.mean(axis=0) - COLUMNS.sum(axis=0)) < 4 * spread / math.sqrt(replicates)).all()
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
    whole = each(COLUMNS, CLUSTERS, UNITS, less, n=50)
    sums = np.zeros_like(whole)
    for part in ([0, 4], [5], [1, 2, 3]):
        own = np.isin(CLUSTERS, part)
        sums += each(COLUMNS[own], CLUSTERS[own], UNITS[own], less, n=50)
    assert sums.tolist() == whole.tolist()  # to the bit: thirds and sixths are rounded before they are added
    alone = each(COLUMNS[:, 1:2], CLUSTERS, UNITS, less, n=50)
    assert alone.tolist() == whole[:, 1:2].tolist()


@pytest.mark.parametrize("less", [0, 1])
def test_clusters_that_draw_by_themselves_vary_as_those_that_draw_together(less: int) -> None:
    together = resample_within(COLUMNS, CLUSTERS, UNITS if less else None, n_resamples=4000)
    apart = each(COLUMNS, CLUSTERS, UNITS if less else np.arange(len(COLUMNS)), less, n=4000)
    totals = COLUMNS.sum(axis=0)
    assert apart.mean(axis=0) == pytest.approx(totals, abs=4 * apart.std(axis=0).max() / math.sqrt(4000))
    assert apart.std(axis=0) == pytest.approx(together.std(axis=0), rel=0.06)


def test_blocks_change_nothing_of_clusters_that_draw_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = each(COLUMNS, CLUSTERS, UNITS, 1, n=60).tolist()
    monkeypatch.setattr(two_level, "_BLOCK", 9)
    assert each(COLUMNS, CLUSTERS, UNITS, 1, n=60).tolist() == expected


@pytest.mark.parametrize("less", [0, 1])
def test_sparse_columns_give_the_sums_of_laid_out_ones(less: int) -> None:
    sparse = csr_matrix(COLUMNS)
    assert each(sparse, CLUSTERS, UNITS, less).tolist() == each(COLUMNS, CLUSTERS, UNITS, less).tolist()
    units = UNITS if less else None
    found = resample_within(sparse, CLUSTERS, units, n_resamples=50)
    assert found == pytest.approx(resample_within(COLUMNS, CLUSTERS, units, n_resamples=50))


def test_what_does_not_vary_stays_exactly() -> None:
    columns = np.array([[3.0, 1.0]] * 7 + [[3.0, 2.0]])
    drawn = each(columns, np.zeros(8, dtype=int), np.arange(8), 1)
    assert (drawn[:, 0] == 24.0).all()
    assert len(set(drawn[:, 1])) > 1
