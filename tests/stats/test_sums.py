"""Sums over units, their bootstrap, and the same sums in buckets."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.stats import sums as sums_module
from fairsum_utils.stats.bootstrap import bootstrap_sums
from fairsum_utils.stats.sums import N_BUCKETS, BucketSums, Sums, digest_of

NUMBERS = st.floats(-1e6, 1e6)


def part(numbers: list[tuple[int, float]]) -> Sums:
    """Sums of samples named by numbers in buckets; the second column has only positive numbers."""
    sums = Sums(len(numbers), skipped={"empty": 1})
    sums.put(("all",), [number for _, number in numbers])
    above = np.array([place for place, (_, number) in enumerate(numbers) if number > 0], dtype=np.int64)
    sums.put(("some", "above"), [numbers[place][1] for place in above], above)
    sums.put_total(("total", "of"), [number for _, number in numbers])
    sums.counts[("seen",)] = len(numbers)
    return BucketSums().add(sums, [digest_of(str(name)) for name, _ in numbers])


@given(st.lists(NUMBERS, min_size=1, max_size=60), st.randoms(use_true_random=False))
def test_totals_are_rounded_once_in_any_order(numbers: list[float], order: random.Random) -> None:
    named = list(enumerate(numbers))
    exact = float(sum(map(Fraction, numbers), Fraction()))
    whole = part(named)
    order.shuffle(named)
    found = part(named)
    for sums in (whole, found):
        assert sums.total("all") == sums.total("total", "of") == exact
        assert sums.total("some", "above") == float(sum(map(Fraction, filter(lambda x: x > 0, numbers)), Fraction()))
        assert (sums.n_samples, sums.skipped, sums.counts) == (len(numbers), {"empty": 1}, {("seen",): len(numbers)})
    assert found.by_unit(("all",)) == pytest.approx(whole.by_unit(("all",)), rel=1e-12, abs=1e-6)


@given(st.lists(NUMBERS, max_size=40), st.integers(0, 40))
def test_parts_add_up_to_the_bit(numbers: list[float], cut: int) -> None:
    """Buckets are summed in the order of the data, totals are rounded once."""
    named = list(enumerate(numbers))

    def made(some: list[tuple[int, float]]) -> tuple[Sums, list[int]]:
        sums = Sums(len(some))
        sums.put(("x",), [number for _, number in some])
        sums.put_total(("total",), [number for _, number in some])
        return sums, [name % 5 for name, _ in some]

    whole, parts = BucketSums().add(*made(named)), BucketSums()
    for some in (named[:cut], named[cut:]):
        parts.add(*made(some))
    exact = float(sum(map(Fraction, numbers), Fraction()))
    assert parts.total("x") == parts.total("total") == whole.total("x") == exact
    assert parts.by_unit(("x",)).tolist() == whole.by_unit(("x",)).tolist()
    assert parts.n_samples == len(numbers)


def test_each_unit_is_in_the_bucket_of_its_digest() -> None:
    sums = Sums(4)
    sums.put(("x",), [0.5, 0.25, 1.0, 2.0])
    sums.put(("few", "a"), [8.0, 16.0], np.array([3, 1]))
    found = BucketSums().add(sums, [7, 7 + N_BUCKETS, 9, 2**63 + 9])
    expected = np.zeros(N_BUCKETS)
    expected[[7, 9]] = 0.75, 3.0
    assert (found.n_units, found.n_samples) == (N_BUCKETS, 4)
    assert found.by_unit(("x",)).tolist() == expected.tolist()
    expected[[7, 9]] = 16.0, 8.0
    assert found.by_unit(("few", "a")).tolist() == expected.tolist()
    assert (found.of("few"), found.column(("none",)), found.total("few", "a")) == (["a"], None, 24.0)


def test_what_cannot_be_summed() -> None:
    with pytest.raises(ValueError, match="1 units have 2 digests"):
        BucketSums().add(Sums(1), [0, 1])
    with pytest.raises(ValueError, match="no units to draw"):
        Sums(0).replicates([("x",)], n_resamples=1, seed=0)
    assert BucketSums().add(Sums(0)).total("x") == 0.0


@pytest.mark.parametrize("small", [0, 1000])
def test_replicates_of_samples_are_those_of_the_bootstrap(small: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums_module, "_SMALL", small)
    numbers = np.random.default_rng(0).normal(size=(50, 2))
    sums = Sums(50)
    sums.put(("a",), numbers[:, 0])
    few = np.array([3, 40])
    sums.put(("few",), numbers[few, 1], few)
    spread = np.zeros((50, 1))
    spread[few, 0] = numbers[few, 1]
    expected = bootstrap_sums(np.hstack([numbers[:, :1], spread]), n_resamples=80, seed=3)
    found = sums.replicates([("few",), ("a",), ("none",)], n_resamples=80, seed=3)
    assert found[:, 1].tolist() == expected[:, 0].tolist()  # to the bit
    assert found[:, 0] == pytest.approx(expected[:, 1], abs=1e-12)
    assert not found[:, 2].any()


def test_replicates_of_buckets_draw_buckets() -> None:
    names = list(map(str, range(300)))
    sums = Sums(300)
    sums.put(("n",), np.ones(300))
    buckets = np.zeros((N_BUCKETS, 1))
    for name in names:
        buckets[digest_of(name) % N_BUCKETS, 0] += 1
    found = BucketSums().add(sums, list(map(digest_of, names))).replicates([("n",)], n_resamples=40, seed=1)
    assert found.tolist() == bootstrap_sums(buckets, n_resamples=40, seed=1).tolist()


def test_units_with_names_are_in_the_buckets_of_their_names() -> None:
    sums = Sums(2, ["article a", "article b"], n_samples=5)
    sums.put(("x",), [1.0, 2.0])
    found = BucketSums().add(sums)
    assert found.n_samples == 5
    assert found.by_unit(("x",))[digest_of("article b") % N_BUCKETS] == 2.0


def test_a_missing_column_is_zero() -> None:
    sums = Sums(3)
    sums.put(("x",), [1.0, 2.0, 4.0])
    assert sums.by_unit(("none",)).tolist() == [0.0, 0.0, 0.0]
    assert (sums.total("none"), sums.drawn("none"), sums.column(("none",))) == (0.0, None, None)
    found = sums.replicates([("none",), ("x",)], n_resamples=20, seed=0)
    assert not found[:, 0].any()
    assert found[:, 1].tolist() == sums.replicates([("x",)], n_resamples=20, seed=0)[:, 0].tolist()


def test_what_is_no_column_stays_with_the_whole() -> None:
    """Names and drawn replicates are the same in buckets."""
    sums = Sums(3, ["x", "y", "x"], n_samples=5)
    sums.named["who"] = Counter({("Ann", "group"): 2, ("Bob",): 1})
    sums.draw_later([("drawn",)], lambda: np.array([[3.0], [0.5]]))
    found = BucketSums().add(sums)
    assert found.named == {"who": {("Ann", "group"): 2, ("Bob",): 1}}
    drawn = found.drawn("drawn")
    assert drawn is not None
    assert (drawn.tolist(), found.drawn("none")) == ([3.0, 0.5], None)
    found.counts["seen", "x"] += 1
    assert not sums.counts


def test_totals_are_one_number_each_and_no_columns() -> None:
    sums = Sums(2)
    sums.put_total(("x", "a"), [0.5, 0.25, 0.25])  # as many as there are
    assert (sums.total("x", "a"), sums.column(("x", "a")), sums.of("x")) == (1.0, None, [])
    in_buckets = BucketSums().add(sums, [0, 1])
    assert (in_buckets.total("x", "a"), in_buckets.column(("x", "a"))) == (1.0, None)


def test_what_is_costly_waits_until_it_is_asked_for() -> None:
    def made() -> tuple[Sums, list[str]]:
        sums, put = Sums(2), list[str]()

        def put_costly() -> None:
            put.append("costly")
            sums.put(("costly",), [1.0, 2.0])
            sums.put_total(("total",), [0.5])

        sums.put(("cheap",), [1.0, 0.0])
        sums.put_later([("costly",), ("total",)], put_costly)
        return sums, put

    sums, put = made()
    assert sums.total("cheap") == 1.0
    assert sums.replicates([("cheap",), ("none",)], n_resamples=2, seed=0).shape == (2, 2)
    assert put == []
    assert (sums.total("total"), sums.total("costly"), put) == (0.5, 3.0, ["costly"])
    sums, put = made()
    assert sums.replicates([("costly",)], n_resamples=2, seed=0).min() > 0
    assert put == ["costly"]
    sums, put = made()
    assert (BucketSums().add(sums, [0, 1]).total("costly"), put) == (3.0, ["costly"])
