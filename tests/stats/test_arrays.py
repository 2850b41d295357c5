"""Quotients that may be undefined, and positions by code."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.stats.arrays import by_code, exact_mean, exact_parts, padded, quotient, rank_groups, scalar


def test_results_with_undefined_numbers_compare_equal() -> None:
    assert {"score": scalar(quotient(1, 0))} == {"score": scalar(quotient(2, 0))}
    assert type(scalar(np.array(0.5))) is float


@given(st.lists(st.integers(-2, 9)))
def test_places_of_codes(codes: list[int]) -> None:
    found = {code: places.tolist() for code, places in by_code(np.array(codes, dtype=np.int64))}
    assert list(found) == sorted(set(codes))
    assert found == {code: [place for place, other in enumerate(codes) if other == code] for code in found}


def test_rows_are_padded() -> None:
    expected = [[1.0, 2.0, 3.0], [np.nan] * 3, [4.0, np.nan, np.nan]]
    np.testing.assert_array_equal(padded([[1.0, 2.0, 3.0], [], [4.0]]), expected)
    assert padded([]).shape == (0, 0)
    assert padded([[], []]).shape == (2, 0)


def test_a_sum_that_rounds_by_parts() -> None:
    # 1 + 1e100 - 1e100 is 0 from left to right.
    assert exact_mean([1.0, 1e100, -1e100, 1.0]) == 0.5
    assert math.isnan(exact_mean([]))
    assert math.isnan(exact_mean(np.empty(0)))


def ranks(scores: dict[str, float], *differing: str) -> dict[str, int | None]:
    """Rank systems that differ in the given pairs of letters."""
    return rank_groups(scores, lambda one, other: one + other in differing or other + one in differing)


def test_by_hand_of_ranking() -> None:
    scores = {"c": 0.3, "a": 0.1, "d": 0.4, "b": 0.2}
    assert ranks(scores) == dict.fromkeys("cadb", 1)
    # b ties with a; c differs from a, and begins the second rank; d differs from a and b, but these are of another one.
    assert ranks(scores, "ac", "ad", "bd") == {"c": 2, "a": 1, "d": 2, "b": 1}
    # c differs from b alone, which is no worse than a: that is enough.
    assert ranks(scores, "bc", "cd") == {"c": 2, "a": 1, "d": 3, "b": 1}
    assert ranks({"a": math.nan, "b": 1.0}) == {"a": None, "b": 1}
    assert ranks({}) == {}


SYSTEMS = st.dictionaries(st.sampled_from("abcdefg"), st.sampled_from([0.0, 0.25, 0.5, math.nan]), min_size=1)
PAIRS = st.sets(st.sampled_from([frozenset(pair) for pair in combinations("abcdefg", 2)]))


@given(SYSTEMS, PAIRS, st.randoms())
def test_what_holds_for_any(scores: dict[str, float], differing: set[frozenset[str]], random: object) -> None:
    def differ(one: str, other: str) -> bool:
        return frozenset((one, other)) in differing

    found = rank_groups(scores, differ)
    ranked = {name: rank for name, rank in found.items() if rank is not None}
    assert sorted(set(ranked.values())) == list(range(1, max(ranked.values(), default=0) + 1))
    for one, other in combinations(ranked, 2):
        if scores[one] < scores[other]:
            assert ranked[one] <= ranked[other]
        if ranked[one] == ranked[other]:
            assert not differ(one, other)
    for rank in set(ranked.values()) - {1}:
        first = min((name for name in ranked if ranked[name] == rank), key=lambda name: (scores[name], name))
        assert any(differ(first, name) for name in ranked if ranked[name] == rank - 1)
    shuffled = list(scores)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert rank_groups({name: scores[name] for name in shuffled}, differ) == found


@given(st.lists(st.floats(-1e200, 1e200), max_size=70))
def test_exact_parts_have_exactly_the_same_sum(numbers: list[float]) -> None:
    parts = exact_parts(np.array(numbers))
    assert sum(map(Fraction, parts), Fraction()) == sum(map(Fraction, numbers), Fraction())
    assert len(parts) <= max(len(numbers), 1)
