"""Matching k-grams, and what a callable matcher may return."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.representation.words import ngram_matches, softmax_weights

TOKENS = st.lists(st.sampled_from("abc"), max_size=8)


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
