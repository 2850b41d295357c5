"""Distinguishability: telling the group of an input from the likeness of its summary to the others."""

from __future__ import annotations

import math
from operator import mul
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.sparse import csr_array, csr_matrix

from fairsum_utils.measures import distinguishability as module
from fairsum_utils.measures.distinguishability import REASONS, mean_scores, mean_similarities, summary_credits

# Three of four are more like their own group: 2 * 3/4 - 1.
EXPLAINED = 0.5


@st.composite
def _summaries(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Count vectors, groups and originals of some summaries, small enough for ties and empty vectors to be common."""
    n = draw(st.integers(1, 14))
    column = {"min_size": n, "max_size": n}
    vectors = draw(st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), **column))
    groups, articles = draw(st.lists(st.integers(0, 2), **column)), draw(st.lists(st.integers(0, 2), **column))
    return np.array(vectors, dtype=float), np.array(groups), np.array(articles)


def plainly(vectors: np.ndarray, groups: np.ndarray, articles: np.ndarray) -> tuple[list[float], list[str]]:
    """Credits and reasons by equation 4 as it stands, pair by pair."""
    credits, reasons = [], []
    places = [place for place in range(len(vectors)) if vectors[place].any()]
    for i in range(len(vectors)):
        same, different = [], []
        for j in places:
            if i != j and articles[i] == articles[j] and i in places:
                lengths = math.hypot(*vectors[i]) * math.hypot(*vectors[j])
                (same if groups[i] == groups[j] else different).append(
                    math.fsum(map(mul, vectors[i].tolist(), vectors[j].tolist())) / lengths
                )
        reason = (
            "zero_vector" if i not in places else "one_group" if not different else "" if same else "alone_in_group"
        )
        reasons.append(reason)
        if reason:
            credits.append(math.nan)
            continue
        u, other = math.fsum(same) / len(same), math.fsum(different) / len(different)
        credits.append(0.5 if math.isclose(u, other, rel_tol=1e-9, abs_tol=1e-12) else float(u > other))
    return credits, reasons


def test_worked_example() -> None:
    vectors = np.array([[3.0, 4.0], [4.0, 3.0], [1.0, 0.0], [2.0, 0.0]])
    groups, articles = np.array([0, 0, 1, 1]), np.zeros(4, dtype=int)
    # Cosines: 24/25 of the first two, 3/5 and 4/5 of them with (1, 0) and (2, 0), 1 of these two.
    # u: 24/25, 24/25, 1, 1; to the other group: 3/5, 4/5, (3/5 + 4/5) / 2 = 7/10 twice. All four are told: 2 * 1 - 1.
    own, other = mean_similarities(vectors, groups, articles)
    assert own.tolist() == pytest.approx([0.96, 0.96, 1, 1])
    assert other.tolist() == pytest.approx([0.6, 0.8, 0.7, 0.7])
    assert summary_credits(vectors, groups, articles).credits.tolist() == [1, 1, 1, 1]
    # With other groups, {first, third} and {second, fourth}:
    # 3/5 < (24/25 + 3/5) / 2, 4/5 < (24/25 + 4/5) / 2, 3/5 < (4/5 + 1) / 2, 4/5 = (3/5 + 1) / 2.
    found = summary_credits(vectors, np.array([0, 1, 0, 1]), articles)
    assert found.credits.tolist() == [0, 0, 0, 0.5]
    # 2 * (1/2) / 4 - 1 = -3/4
    assert mean_scores(found.credits, articles, 1).tolist() == [-0.75]


@pytest.mark.parametrize("form", [np.asarray, csr_matrix])
def test_summaries_that_are_all_alike_or_all_different_cannot_be_told(form: Any) -> None:
    groups, together = np.repeat([0, 1, 2], [7, 2, 4]), np.zeros(13, dtype=int)
    for seed in range(5):
        same = np.abs(np.random.default_rng(seed).normal(size=50)) * np.arange(1, 14)[:, None]
        assert set(summary_credits(form(same), groups, together).credits) == {0.5}
    # Without a common word every cosine is 0, though sums of unit vectors such as (1/sqrt(3), ...) round.
    apart = np.kron(np.eye(13), np.array([[3.0, 1.0, 7.0]]))
    assert set(summary_credits(form(apart), groups, together).credits) == {0.5}


def test_undefined_summaries() -> None:
    vectors = np.array([[1.0, 0], [1, 0], [0, 1], [0, 0], [1, 1], [1, 1], [1, 0]])
    groups, articles = np.array([0, 0, 1, 1, 0, 0, 1]), np.array([0, 0, 0, 0, 1, 1, 2])
    found = summary_credits(vectors, groups, articles)
    reasons = [REASONS[reason] for reason in found.reasons]
    assert reasons == ["", "", "alone_in_group", "zero_vector", "one_group", "one_group", "one_group"]
    assert found.credits.tolist() == pytest.approx([1, 1] + [math.nan] * 5, nan_ok=True)
    assert mean_scores(found.credits, articles, 3).tolist() == pytest.approx([1, math.nan, math.nan], nan_ok=True)


# The last group of an original has the number after that of the first group of the next one.
@example((np.arange(18.0).reshape(6, 3) % 7, np.array([0, 1, 0, 1, 0, 2]), np.array([0, 0, 1, 1, 2, 2])))
@given(_summaries())
def test_equals_a_loop_over_pairs(summaries: tuple[np.ndarray, np.ndarray, np.ndarray]) -> None:
    credits, reasons = plainly(*summaries)
    vectors, groups, articles = summaries
    for form in (np.asarray, csr_matrix, csr_array):
        found = summary_credits(form(vectors), groups, articles)
        assert found.credits.tolist() == pytest.approx(credits, nan_ok=True)
        assert [REASONS[reason] for reason in found.reasons] == reasons


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(2)
    vectors = generator.normal(size=(80, 4))
    groups, articles = generator.integers(2, size=80), generator.integers(9, size=80)
    expected = mean_similarities(vectors, groups, articles)
    monkeypatch.setattr(module, "_BLOCK", 16)
    assert [own.tolist() for own in mean_similarities(vectors, groups, articles)] == [
        pytest.approx(own.tolist(), nan_ok=True, abs=1e-12) for own in expected
    ]


def test_large_numbers_and_stored_zeros_of_sparse_vectors() -> None:
    vectors = csr_matrix(np.array([[3.0, 4.0], [4.0, 3.0], [1.0, 0.0], [2.0, 0.0]]) * 1e200)
    vectors.data[0] = 0.0  # stored, and left as it is
    found = summary_credits(vectors, np.array([0, 0, 1, 1]), np.zeros(4, dtype=int))
    assert found.credits.tolist() == plainly(vectors.toarray() / 1e200, np.array([0, 0, 1, 1]), np.zeros(4))[0]
    assert vectors.nnz == 6
    dense = summary_credits(vectors.toarray(), np.array([0, 0, 1, 1]), np.zeros(4, dtype=int))
    assert dense.credits.tolist() == found.credits.tolist()
