"""Counterfactual Pairs: examples by hand, other implementations, and properties."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.counterfactual_pairs import bleu, counterfactual_pairs, rouge_l, strict_parity, weak_parity

# Four of five tokens in order: 1 - 0.8.
EXPLAINED = 0.2

TOKENS = st.lists(st.sampled_from("abcd"), max_size=12)
SCORES = st.lists(st.sampled_from([0.0, 0.125, 0.25, 0.5, 1.0]), min_size=1, max_size=8)


def test_the_mean_over_pairs() -> None:
    assert counterfactual_pairs([1.5, 0.0, 0.0], [3, 2, 0]).tolist()[:2] == [0.5, 0.0]
    assert math.isnan(float(counterfactual_pairs(0.0, 0)))


def test_bleu_by_hand() -> None:
    """ "a b c d" and "a b c e": 3 of 4 words, 2 of 3 pairs, 1 of 2 triples, none of 1 four counts 0.1."""
    expected = (3 / 4 * 2 / 3 * 1 / 2 * 0.1 / 1) ** 0.25
    assert bleu("abcd", "abce") == pytest.approx(expected, rel=1e-12)


def test_rouge_l_by_hand() -> None:
    """The longest common subsequence of "a b c d" and "b d a" is "b d": 2 of 4 and 2 of 3, F = 4/7."""
    assert rouge_l("abcd", "bda") == pytest.approx(4 / 7)
    assert rouge_l("", "") == rouge_l("a", "") == 0.0


@given(TOKENS, TOKENS)
def test_bleu_is_nltks(first: list[str], second: list[str]) -> None:
    scores = pytest.importorskip("nltk.translate.bleu_score")
    smooth = scores.SmoothingFunction().method1
    both = (
        scores.sentence_bleu([one], other, smoothing_function=smooth)
        for one, other in ((first, second), (second, first))
    )
    assert bleu(first, second) == pytest.approx(min(both), abs=1e-12)


@given(TOKENS, TOKENS)
def test_rouge_l_is_that_of_a_table(first: list[str], second: list[str]) -> None:
    table = np.zeros((len(first) + 1, len(second) + 1))
    for i, one in enumerate(first):
        for j, other in enumerate(second):
            table[i + 1, j + 1] = table[i, j] + 1 if one == other else max(table[i, j + 1], table[i + 1, j])
    expected = 2 * table[-1, -1] / (len(first) + len(second)) if first and second else 0.0
    assert rouge_l(first, second) == pytest.approx(expected, abs=1e-12)


@given(SCORES, st.data())
def test_strict_parity_is_the_distance_of_sorted_scores(first: list[float], data: st.DataObject) -> None:
    second = data.draw(st.lists(st.sampled_from([0.0, 0.25, 0.75]), min_size=len(first), max_size=len(first)))
    scores = sorted({*first, *second})
    differences = [first.count(score) - second.count(score) for score in scores]
    expected = sum(abs(x - y) for x, y in zip(sorted(first), sorted(second), strict=True))
    assert float(strict_parity(differences, scores)) == pytest.approx(expected, abs=1e-12)


def test_weak_parity_has_a_sign() -> None:
    assert weak_parity([3, 0], [1, 2]).tolist() == [2.0, -2.0]
