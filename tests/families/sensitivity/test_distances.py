"""Distances of summaries: by hand, against other implementations, and what holds for each of them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.families.sensitivity.distances import (
    bleu,
    bleu_distances,
    embedding_distances,
    rouge_l,
    rouge_l_distances,
    word_distances,
)

TEXTS = st.lists(st.lists(st.sampled_from("abcd"), max_size=7).map(" ".join), min_size=3, max_size=3)


def test_cosine_by_hand() -> None:
    # (2, 1) and (1, 2): 4 / 5. (2, 1) and (0, 1): 1 / sqrt(5).
    distances = word_distances([["soup soup bread", "soup bread bread", "bread"]])
    np.testing.assert_allclose(distances[0, 0], [0.0, 1 - 4 / 5, 1 - 1 / math.sqrt(5)], atol=1e-15)


@pytest.mark.parametrize(
    ("first", "second", "score"),
    [
        ("police killed the gunman", "police kill the gunman", 3 / 4),
        ("police killed the gunman", "the gunman kill police", 2 / 4),
        ("a b c d e", "a x c", 2 * 2 / 8),
        ("a", "b", 0.0),
        ("", "", 1.0),
        ("a", "", 0.0),
    ],
)
def test_rouge_l_by_hand(first: str, second: str, score: float) -> None:
    assert rouge_l(first.split(), second.split()) == pytest.approx(score)


@pytest.mark.parametrize(
    ("first", "second", "score"),
    [
        ("a b c d", "a b c d", 1.0),
        ("a", "a", 1.0),
        # Words 2/3, pairs (1 + 1) / (2 + 1), threes (0 + 1) / (1 + 1), fours (0 + 1) / (0 + 1); of equal lengths.
        ("a b c", "a b d", (2 / 3 * 2 / 3 * 1 / 2) ** (1 / 4)),
        # Of "a b": all there is is found, but it is short by half. Of "a b c d": 2/4, 2/4, 1/3, 1/2.
        ("a b", "a b c d", (math.exp(1 - 4 / 2) + (2 / 4 * 2 / 4 * 1 / 3 * 1 / 2) ** (1 / 4)) / 2),
        ("a b", "c d", 0.0),
        ("", "", 1.0),
        ("a", "", 0.0),
    ],
)
def test_bleu_by_hand(first: str, second: str, score: float) -> None:
    assert bleu(first.split(), second.split()) == pytest.approx(score)


@pytest.mark.parametrize("distances", [word_distances, rouge_l_distances, bleu_distances])
@given(originals=st.lists(TEXTS, min_size=1, max_size=2))
def test_what_holds_for_all(distances: object, originals: list[list[str]]) -> None:
    found = distances(originals)  # type: ignore[operator]
    assert found.shape == (len(originals), 3, 3)
    assert ((found >= 0) & (found <= 1)).all()
    np.testing.assert_array_equal(found, found.swapaxes(1, 2))
    for table, texts in zip(found, originals, strict=True):
        for i, first in enumerate(texts):
            assert table[i, i] == 0.0
            assert all(table[i, j] == 0.0 for j, second in enumerate(texts) if first == second)
    # Others do not matter, nor do letter case and marks.
    alone = distances([[text.upper() + " !" for text in originals[0]]])  # type: ignore[operator]
    np.testing.assert_allclose(alone[0], found[0], atol=1e-12)


def test_embeddings_by_hand() -> None:
    vectors = {"a": [3.0, 4.0], "b": [4.0, 3.0], "c": [-3.0, -4.0], "d": [0.0, 0.0]}
    asked: list[list[str]] = []

    def embed(texts: list[str]) -> np.ndarray:
        asked.append(list(texts))
        return np.array([vectors[text] for text in texts])

    distances = embedding_distances([["a", "b"], ["c", "a"], ["d", "a"], ["d", "d"]], embed)  # type: ignore[arg-type]
    # cosines 24/25, -1 (which counts as 0), and none of a vector of zeros.
    np.testing.assert_allclose(distances[:, 0, 1], [1 / 25, 1.0, 1.0, 0.0], atol=1e-12)
    assert asked == [["a", "b", "c", "d"]]
