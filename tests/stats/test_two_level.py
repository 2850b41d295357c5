"""The bootstrap at two levels: whole clusters, or samples within each cluster."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.stats import two_level
from fairsum_utils.stats.two_level import cluster_sums, resample_clusters, resample_within

# Clusters of 1, 5, 2, 1, 7 and 4 samples, mixed.
CLUSTERS = np.random.default_rng(3).permutation(np.repeat(np.arange(6), [1, 5, 2, 1, 7, 4]))
COLUMNS = np.random.default_rng(7).integers(20, size=(20, 3)).astype(np.float64)
BOTH = pytest.mark.parametrize("resample", [resample_clusters, resample_within])

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


@BOTH
def test_no_samples(resample: Resample) -> None:
    with pytest.raises(ValueError, match="no samples to draw from"):
        resample(np.empty((0, 2)), np.empty(0, dtype=int))


@BOTH
def test_seeds(resample: Resample) -> None:
    zero = resample(COLUMNS, CLUSTERS)
    assert (resample(COLUMNS, CLUSTERS, seed=0) == zero).all()
    assert (resample(COLUMNS, CLUSTERS, seed=1) != zero).any()
    assert (resample(COLUMNS, CLUSTERS, seed=None) != resample(COLUMNS, CLUSTERS, seed=None)).any()


@BOTH
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


@BOTH
@pytest.mark.parametrize("block", [1, 20, 47, 1000])
def test_blocks_give_the_same_bits(resample: Resample, block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = resample(COLUMNS, CLUSTERS, n_resamples=101)
    monkeypatch.setattr(two_level, "_BLOCK", block)
    assert (resample(COLUMNS, CLUSTERS, n_resamples=101) == expected).all()


def test_moments_converge_to_theory() -> None:
    replicates = 20_000
    of_clusters = cluster_sums(COLUMNS, CLUSTERS)
    # K draws from K clusters; k draws from the k samples of each cluster.
    variances = {
        resample_clusters: len(of_clusters) * of_clusters.var(axis=0),
        resample_within: sum((k == CLUSTERS).sum() * COLUMNS[k == CLUSTERS].var(axis=0) for k in range(6)),
    }
    for resample, variance in variances.items():
        sums = resample(COLUMNS, CLUSTERS, n_resamples=replicates)
        spread = np.sqrt(variance)
        assert (np.abs(sums.mean(axis=0) - COLUMNS.sum(axis=0)) < 4 * spread / math.sqrt(replicates)).all()
        assert sums.std(axis=0) == pytest.approx(spread, rel=0.03)
