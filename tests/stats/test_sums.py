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


def part(numbers: list[tuple[int, float]]) -> tuple[Sums, list[int]]:
    """Sums of samples that are named by numbers; the second column has only positive numbers."""
    sums = Sums(len(numbers), skipped={"empty": 1})
    sums.put(("all",), [number for _, number in numbers])
    above = np.array([place for place, (_, number) in enumerate(numbers) if number > 0], dtype=np.int64)
    sums.put(("some", "above"), [numbers[place][1] for place in above], above)
    sums.put_total(("total", "of"), [number for _, number in numbers])
    sums.counts[("seen",)] = len(numbers)
    return sums, [digest_of(str(name % 5)) for name, _ in numbers]


@given(st.lists(NUMBERS, max_size=30), st.integers(0, 30), st.integers(0, 9))
def test_totals_are_rounded_once_and_buckets_are_summed_in_the_order_of_the_data(
    numbers: list[float], cut: int, seed: int
) -> None:
    named = list(enumerate(numbers))
    exact = float(sum(map(Fraction, numbers), Fraction()))
    whole, parts = BucketSums().add(*part(named)), BucketSums()
    for some in (named[:cut], named[cut:]):
        parts.add(*part(some))
    assert (parts.by_unit(("all",)) == whole.by_unit(("all",))).all()
    random.Random(seed).shuffle(named)
    shuffled = BucketSums().add(*part(named))
    np.testing.assert_allclose(shuffled.by_unit(("all",)), whole.by_unit(("all",)), rtol=1e-12, atol=1e-6)
    for sums in (whole, parts, shuffled):
        assert sums.total("all") == sums.total("total", "of") == exact
        assert sums.total("some", "above") == float(sum(map(Fraction, filter(lambda x: x > 0, numbers)), Fraction()))
        assert (sums.n_samples, sums.counts) == (len(numbers), {("seen",): len(numbers)})
    assert (whole.skipped, parts.skipped) == ({"empty": 1}, {"empty": 2})


def test_each_unit_is_in_the_bucket_of_its_digest() -> None:
    sums = Sums(4)
    sums.put(("x",), [0.5, 0.25, 1.0, 2.0])
    sums.put(("few", "a"), [8.0, 16.0], np.array([3, 1]))
    found = BucketSums().add(sums, [7, 7 + N_BUCKETS, 9, 2**63 + 9])
    expected = np.zeros((N_BUCKETS, 1))
    expected[[7, 9], 0] = 16.0, 8.0
    assert found.by_unit(("few", "a")).tolist() == expected[:, 0].tolist()
    expected[[7, 9], 0] = 0.75, 3.0
    assert found.by_unit(("x",)).tolist() == expected[:, 0].tolist()
    drawn = found.replicates([("x",)], n_resamples=40, seed=1)
    assert drawn.tolist() == bootstrap_sums(expected, n_resamples=40, seed=1).tolist()
    assert (found.n_units, found.n_samples, found.total("few", "a")) == (N_BUCKETS, 4, 24.0)
    assert (found.of("few"), found.column(("none",))) == (["a"], None)


def test_units_with_names_are_in_the_buckets_of_their_names() -> None:
    sums = Sums(2, ["article a", "article b"], n_samples=5)
    sums.put(("x",), [1.0, 2.0])
    sums.put_total(("total", "a"), [0.5, 0.25])
    assert (sums.total("total", "a"), sums.column(("total", "a")), sums.of("total")) == (0.75, None, [])
    sums.named["who"] = Counter({("Ann", "group"): 2, ("Bob",): 1})
    sums.draw_later([("drawn",)], lambda: np.array([[3.0], [0.5]]))
    found = BucketSums().add(sums)
    assert found.by_unit(("x",))[digest_of("article b") % N_BUCKETS] == 2.0
    assert (found.n_samples, found.named) == (5, {"who": {("Ann", "group"): 2, ("Bob",): 1}})
    drawn = found.drawn("drawn")
    assert drawn is not None
    assert (drawn.tolist(), found.drawn("none")) == ([3.0, 0.5], None)
    assert (found.total("total", "a"), found.column(("total", "a"))) == (0.75, None)
    found.counts["seen", "x"] += 1
    assert not sums.counts


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


def test_a_missing_column_is_zero() -> None:
    sums = Sums(3)
    sums.put(("x",), [1.0, 2.0, 4.0])
    assert sums.by_unit(("none",)).tolist() == [0.0, 0.0, 0.0]
    assert (sums.total("none"), sums.drawn("none"), sums.column(("none",))) == (0.0, None, None)
    found = sums.replicates([("none",), ("x",)], n_resamples=20, seed=0)
    assert not found[:, 0].any()
    assert found[:, 1].tolist() == sums.replicates([("x",)], n_resamples=20, seed=0)[:, 0].tolist()


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
