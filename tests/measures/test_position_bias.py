"""Position Bias: where the content of summaries comes from."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.position_bias import position_bias, position_shares, sentence_positions

# Shares 5/6, 0, 1/6; distances from 1/3: 1/2, 1/3, 1/6; half their sum is 1/2.
EXPLAINED = 0.5

LENGTHS = st.lists(st.integers(1, 30), min_size=1, max_size=12)


def by_words(lengths: list[int], n_bins: int) -> list[list[Fraction]]:
    """Cut every word into as many pieces as there are parts, and count the pieces."""
    owners = [sentence for sentence, length in enumerate(lengths) for _ in range(length * n_bins)]
    in_bin = len(owners) // n_bins
    found = [[Fraction(0)] * n_bins for _ in lengths]
    for piece, sentence in enumerate(owners):
        found[sentence][piece // in_bin] += Fraction(1, lengths[sentence] * n_bins)
    return found


def test_worked_example() -> None:
    # 6 words, parts of 2: the last sentence has words 4 (middle), 5 and 6 (last).
    expected = [[1, 0, 0], [0, 1, 0], [0, 1 / 3, 2 / 3]]
    assert sentence_positions([2, 1, 3]).tolist() == expected
    # Two summary sentences from the first source sentence, one from the first or the last.
    shares = position_shares(np.eye(3), [[0], [0], [0, 2]])
    assert shares.tolist() == pytest.approx([5 / 6, 0, 1 / 6], abs=1e-15)
    assert float(position_bias(shares, 1)) == pytest.approx(1 / 2, abs=1e-15)
    # Mean shares (5/6 + 0) / 2, (0 + 1) / 2, (1/6 + 0) / 2 = 5/12, 6/12, 1/12: distances 1/12, 2/12, 3/12.
    both = shares + position_shares(np.eye(3), [[1]])
    assert float(position_bias(both, 2)) == pytest.approx(1 / 4, abs=1e-15)


def test_undefined_without_matches_or_samples() -> None:
    assert np.isnan(position_shares(np.eye(3), [])).all()
    assert np.isnan(position_bias([0.0, 0.0, 0.0], 0))
    assert sentence_positions([]).shape == (0, 3)


@given(lengths=LENGTHS, n_bins=st.integers(1, 10))
def test_positions_agree_with_counting_pieces_of_words(lengths: list[int], n_bins: int) -> None:
    found, expected = sentence_positions(lengths, n_bins), by_words(lengths, n_bins)
    assert found == pytest.approx(np.array(expected, dtype=np.float64), abs=1e-12)
    assert found.sum(axis=1) == pytest.approx(1)
    # All words together fill the parts equally.
    assert np.array(lengths) @ found == pytest.approx(sum(lengths) / n_bins)


SHARES = st.lists(st.tuples(*[st.integers(0, 20)] * 3).filter(any), min_size=1, max_size=8)


@given(shares=SHARES)
def test_definition_and_bounds(shares: list[tuple[int, int, int]]) -> None:
    exact = [[Fraction(n, sum(sample)) for n in sample] for sample in shares]
    means = [sum(column, Fraction(0)) / len(shares) for column in zip(*exact, strict=True)]
    expected = sum(abs(mean - Fraction(1, 3)) for mean in means) / 2
    found = float(position_bias(np.array(exact, dtype=np.float64).sum(axis=0), len(shares)))
    assert found == pytest.approx(float(expected), abs=1e-12)
    assert 0 <= found <= 2 / 3 + 1e-12
    # The distance of the mean is at most the mean of the distances.
    singles = [float(position_bias(np.array(sample, dtype=np.float64), 1)) for sample in exact]
    assert found <= np.mean(singles) + 1e-12
