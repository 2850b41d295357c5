"""Sums that do not depend on order or parts, and their bootstrap."""

from __future__ import annotations

import math
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.stats import sums as module
from fairsum_utils.stats.bootstrap import bootstrap_sums
from fairsum_utils.stats.sums import N_BUCKETS, BucketSums, Sums, check_same_samples, digest_of

NUMBERS = st.floats(-1e6, 1e6).filter(lambda number: abs(number) < 1e6)


def part(numbers: list[tuple[int, float]]) -> BucketSums:
    """Sum samples named by numbers; the second column has only positive numbers."""
    sums = Sums(len(numbers), skipped={"empty": 1})
    sums.put(("all",), [number for _, number in numbers])
    above = np.array([place for place, (_, number) in enumerate(numbers) if number > 0], dtype=np.int64)
    sums.put(("some", "above"), [numbers[place][1] for place in above], above)
    sums.put_total(("total", "of"), [number for _, number in numbers])
    sums.draw_later([("drawn",)], lambda: np.array([[len(numbers)], [0.5]]))
    sums.counts[("seen",)] = len(numbers)
    return sums.bucketed([digest_of(str(name)) for name, _ in numbers])


def merged(parts: list[BucketSums]) -> BucketSums:
    whole = BucketSums()
    for one in parts:
        whole.merge(one)
    return whole


@given(st.lists(NUMBERS, min_size=1, max_size=60), st.randoms(use_true_random=False), st.integers(1, 9))
def test_parts_add_up_exactly_in_any_order(numbers: list[float], order: random.Random, n_parts: int) -> None:
    named = list(enumerate(numbers))
    whole = part(named)
    order.shuffle(named)
    parts = [part(named[place::n_parts]) for place in range(n_parts)]
    found = merged(parts)
    assert found.n_samples == whole.n_samples == len(numbers)
    assert found.skipped == {"empty": n_parts}
    assert found.counts == whole.counts
    assert found.total("total", "of") == whole.total("total", "of") == whole.total("all")
    for key in (("all",), ("some", "above")):
        assert found.total(*key) == whole.total(*key)
        assert found.by_unit(key).tolist() == whole.by_unit(key).tolist()
    drawn = found.drawn("drawn")
    assert drawn is not None
    assert drawn.tolist() == [len(numbers), 0.5 * n_parts]


def test_half_a_thousand_million_samples() -> None:
    sums = Sums(4)
    sums.put(("x",), [0.1, 0.2, 0.3, 100.0])
    whole = sums.bucketed([1, 2, 3, 3])
    for _ in range(27):  # doubling: 2**27 copies
        whole.merge(merged([whole]))
    assert whole.n_samples == 4 * 2**27
    assert whole.total("x") == pytest.approx(100.6 * 2**27, rel=1e-15)
    for _ in range(4):
        whole.merge(merged([whole]))
    again = merged([whole])
    with pytest.raises(OverflowError, match="too large"):
        whole.merge(again)


def test_what_cannot_be_summed() -> None:
    for number in (math.nan, math.inf, 1e12):
        sums = Sums(1)
        sums.put(("x",), [number])
        with pytest.raises(ValueError, match="only finite numbers below"):
            sums.bucketed([0])
    with pytest.raises(ValueError, match="1 units have 2 digests"):
        Sums(1).bucketed([0, 1])
    with pytest.raises(ValueError, match="no units to draw"):
        Sums(0).replicates([("x",)], n_resamples=1, seed=0)


def test_there_and_back_through_arrow() -> None:
    for sums in (part([(0, 0.5), (1, -0.25), (7, 1e5)]), BucketSums()):
        back = BucketSums.from_arrow(sums.to_arrow())
        assert back.to_arrow().equals(sums.to_arrow())
        assert (back.n_samples, back.skipped, back.counts) == (sums.n_samples, sums.skipped, sums.counts)
        assert back.total("all") == sums.total("all") == sums.total("total", "of") == back.total("total", "of")


def test_replicates_of_samples_are_those_of_the_bootstrap() -> None:
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
    found = sums.bucketed(list(map(digest_of, names))).replicates([("n",)], n_resamples=40, seed=1)
    assert found.tolist() == bootstrap_sums(buckets, n_resamples=40, seed=1).tolist()


def test_units_with_names_are_in_the_buckets_of_their_names() -> None:
    sums = Sums(2, ["article a", "article b"], n_samples=5)
    sums.put(("x",), [1.0, 2.0])
    found = sums.bucketed()
    assert found.n_samples == 5
    assert found.by_unit(("x",))[digest_of("article b") % N_BUCKETS] == 2.0


def test_systems_of_other_samples() -> None:
    one, other = part([(0, 0.5), (1, 0.25)]), part([(0, 0.5), (1, 0.75)])
    check_same_samples([one, part([(1, 0.25), (0, 0.5)])], "all")
    check_same_samples([one, other])
    with pytest.raises(InputError, match="list different samples"):
        check_same_samples([one, other], "all")
    with pytest.raises(InputError, match="found 2 and 1"):
        check_same_samples([one, part([(0, 0.5)])])
    with pytest.raises(InputError, match="found 0 and 0"):
        check_same_samples([BucketSums(), BucketSums()])
    with pytest.raises(InputError, match="needs the same samples from all systems, at least one; found 2, 2 and 1"):
        check_same_samples([one, one, part([(0, 0.5)])])


@given(st.lists(st.text("abcde", min_size=1, max_size=1), max_size=30), st.randoms(use_true_random=False))
def test_names_are_counted_until_there_are_too_many(names: list[str], order: random.Random) -> None:
    """Four distinct names are counted in any order, five are too many."""

    def counted(given: list[str]) -> BucketSums:
        sums = Sums(0)
        sums.named["who"] = Counter((name, "group") if name < "c" else (name,) for name in given)
        return sums.bucketed()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "MOST_NAMES", 4)
        parts = [counted(names[place::5]) for place in range(5)]
        order.shuffle(parts)
        whole = merged(parts)
        assert whole.named == counted(names).named
        back = BucketSums.from_arrow(whole.to_arrow())
        assert back.named == whole.named
        if len(set(names)) > 4:
            assert whole.named == {"who": None}
        else:
            assert {key[0]: n for key, n in (whole.named["who"] or {}).items()} == Counter(names)


def test_a_name_in_several_parts_counts_once() -> None:
    parts = []
    for names in ("abc", "bcd", "d"):
        sums = Sums(len(names), list(names))
        sums.put_distinct("articles", names)
        parts.append(BucketSums.from_arrow(sums.bucketed().to_arrow()))
    assert [sums.n_distinct("articles") for sums in parts] == [3, 3, 1]
    whole, *others = parts
    for other in others:
        whole.merge(other)
    assert (whole.n_distinct("articles"), whole.n_distinct("pairs")) == (4, 0)


@given(st.lists(NUMBERS, max_size=60))
def test_totals_are_those_of_fractions(numbers: list[float]) -> None:
    """A number is rounded once, to a multiple of 2**-56, so n of them are off by n * 2**-57 at most."""
    exact = sum(map(Fraction, numbers), Fraction())
    found = part(list(enumerate(numbers))).total("all")
    assert abs(Fraction(found) - exact) <= len(numbers) * Fraction(1, 2**57) + abs(exact) * Fraction(1, 2**53)


def test_totals_are_one_number_each_and_no_columns() -> None:
    sums = Sums(2)
    sums.put_total(("x", "a"), [0.5, 0.25, 0.25])  # as many as there are
    assert (sums.total("x", "a"), sums.column(("x", "a")), sums.of("x")) == (1.0, None, [])
    in_buckets = sums.bucketed([0, 1])
    assert (in_buckets.total("x", "a"), in_buckets.column(("x", "a"))) == (1.0, None)
    assert in_buckets.to_arrow().num_rows == 1


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
    assert (sums.bucketed([0, 1]).total("costly"), put) == (3.0, ["costly"])


def test_replicates_of_different_numbers_do_not_add_up() -> None:
    first, second = Sums(0), Sums(0)
    first.draw_later([("x",)], lambda: np.ones((1, 1)))
    second.draw_later([("x",)], lambda: np.ones((2, 1)))
    whole = first.bucketed()
    with pytest.raises(ValueError, match="1 and 2 replicates"):
        whole.merge(second.bucketed())
