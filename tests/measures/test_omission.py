"""Omission: the worked example, edges, and what may not matter."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.omission import is_traced, omission, sample_omission

# Two of four matters are omitted in one summary, none in the other: (2/4 + 0) / 2.
EXPLAINED = 0.25


def test_a_worked_example() -> None:
    """Three samples with 4, 1 and 2 matters, of which 3, 0 and 1 are omitted: (3/4 + 0 + 1/2) / 3 = 5/12."""
    shares = [sample_omission(np.array(omitted)) for omitted in ([True, True, False, True], [False], [True, False])]
    assert shares == [0.75, 0.0, 0.5]
    assert float(omission(sum(shares), len(shares))) == pytest.approx(5 / 12, abs=1e-15)
    assert math.isnan(sample_omission(np.array([], dtype=bool)))


@pytest.mark.parametrize(
    ("probability", "contradicts", "names", "traced"),
    [
        ([[0.6]], [[False]], [False], True),  # at the threshold
        ([[0.59]], [[False]], [False], False),
        ([[0.59]], [[False]], [True], True),  # named
        ([[1.0]], [[True]], [False], False),  # denied
        ([[1.0, 0.7]], [[True, False]], [False], True),  # another unit of the matter is entailed
        ([[1.0], [0.7]], [[True], [True]], [False, False], False),
        ([[math.nan]], [[False]], [False], False),  # a unit without content words entails nothing
        (np.empty((0, 2)), np.empty((0, 2), bool), np.empty(0, bool), False),  # a summary without sentences
    ],
)
def test_what_a_trace_is(probability, contradicts, names, traced) -> None:
    assert is_traced(np.array(probability), np.array(contradicts), np.array(names), 0.6) is traced


matters = st.lists(st.lists(st.booleans(), min_size=1, max_size=6), min_size=1, max_size=5)


@given(matters, st.randoms())
def test_bounds_and_order(samples, random) -> None:
    exact = sum(Fraction(sum(omitted), len(omitted)) for omitted in samples) / len(samples)
    found = float(omission(sum(sample_omission(np.array(omitted)) for omitted in samples), len(samples)))
    assert 0 <= found <= 1
    assert found == pytest.approx(float(exact), abs=1e-12)
    shuffled = [random.sample(omitted, len(omitted)) for omitted in samples]
    assert [sample_omission(np.array(omitted)) for omitted in shuffled] == [
        sample_omission(np.array(omitted)) for omitted in samples
    ]
