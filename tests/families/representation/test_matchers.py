"""Matching k-grams, and what a callable matcher may return."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.errors import InputError
from fairsum_utils.families.representation.matchers import check_weights, ngram_matches, ngrams, softmax_weights

TOKENS = st.lists(st.sampled_from("abc"), max_size=8)


@pytest.mark.parametrize(
    ("k", "expected"),
    [
        (1, ["a", "b", "a", "c"]),
        (2, [("a", "b"), ("b", "a"), ("a", "c")]),
        (3, [("a", "b", "a"), ("b", "a", "c")]),
        (4, [("a", "b", "a", "c")]),
        (5, []),
        (10**20, []),
    ],
)
def test_ngrams(k: int, expected: list[Any]) -> None:
    assert list(ngrams(["a", "b", "a", "c"], k)) == expected
    assert list(ngrams([], k)) == []


def test_matches_keep_repetitions_and_count_for_several_values() -> None:
    # Summary a b a c; x holds a and b, y holds a, z holds none of them.
    assert ngram_matches([["a", "b"], ["a", "a"], ["d"]], ["a", "b", "a", "c"]) == [["a", "b", "a"], ["a", "a"], []]
    # Pairs: (a b), (b a), (a c); x holds (a b) only.
    assert ngram_matches([["a", "b"], ["a", "a"]], ["a", "b", "a", "c"], k=2) == [[("a", "b")], []]


@given(sources=st.lists(TOKENS, max_size=3), summary=TOKENS, k=st.integers(1, 4))
def test_matches_by_definition(sources: list[list[str]], summary: list[str], k: int) -> None:
    found = ngram_matches(sources, summary, k)
    for tokens, grams in zip(sources, found, strict=True):
        starts = range(len(tokens) - k + 1)
        occurs = [
            summary[i : i + k]
            for i in range(len(summary) - k + 1)
            if any(tokens[j : j + k] == summary[i : i + k] for j in starts)
        ]
        assert [list(gram) for gram in grams] == occurs


@pytest.mark.parametrize("weights", [[2, 1.5], (2, 1.5), np.array([2, 1.5]), [np.int64(2), np.float32(1.5)]])
def test_good_weights(weights: Any) -> None:
    checked = check_weights("bur", 0, weights, 2)
    assert checked == [2.0, 1.5]
    assert all(type(weight) is float for weight in checked)


@pytest.mark.parametrize("weights", [[1], [1, 2, 3], None, 1.0, "ab", {"a": 1, "b": 2}, iter([1, 2]), {1, 2}])
def test_wrong_shape(weights: Any) -> None:
    with pytest.raises(InputError) as error:
        check_weights("bur", 5, weights, 2)
    assert str(error.value).startswith("bur: sample 5: the matcher must return 2 numbers, one for each value, found ")


@pytest.mark.parametrize("weight", [-0.1, math.nan, math.inf, -math.inf, None, "x", [1], np.array([1, 2])])
def test_wrong_weight(weight: Any) -> None:
    with pytest.raises(InputError) as error:
        check_weights("bur", 5, [1.0, weight], 2)
    message = str(error.value)
    assert message.startswith("bur: sample 5: the matcher returned ")
    assert "weights must be finite and at least 0 (turn log-likelihoods into shares first" in message


@pytest.mark.parametrize("weights", [["1", "2"], b"ab", [b"1", b"2"], [True, False]])
def test_nothing_is_coerced_into_a_weight(weights: Any) -> None:
    with pytest.raises(InputError):
        check_weights("bur", 5, weights, 2)


def test_huge_weight() -> None:
    with pytest.raises(InputError):
        check_weights("bur", 5, [1, 10**400], 2)


def test_softmax_by_hand() -> None:
    # exp(0) = 1, exp(0.1 ln 2 / 0.1) = 2, exp(-inf) = 0: 1/3, 2/3, 0.
    assert softmax_weights([5.0, 5.0 + 0.1 * math.log(2), -1e6], 0.1) == pytest.approx([1 / 3, 2 / 3, 0], abs=1e-12)
    assert softmax_weights([-7.0], 0.1) == [1.0]


@given(
    scores=st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=6),
    temperature=st.floats(1e-6, 1e6),
    shift=st.integers(-1000, 1000),
)
def test_softmax_properties(scores: list[float], temperature: float, shift: int) -> None:
    weights = softmax_weights(scores, temperature)
    assert math.fsum(weights) == pytest.approx(1, abs=1e-12)
    assert min(weights) >= 0
    assert weights[scores.index(max(scores))] == max(weights)
    ordered = [weight for _, weight in sorted(zip(scores, weights, strict=True))]
    assert ordered == sorted(ordered)
    if temperature >= 1:  # else rounding of the shifted scores shows
        assert softmax_weights([score + shift for score in scores], temperature) == pytest.approx(weights, abs=1e-6)
