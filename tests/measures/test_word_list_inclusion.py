"""Word list inclusion: shares of the groups' identifiers in summaries against those of a reference."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.word_list_inclusion import share_differences, word_list_inclusion

# 6 of 8 in the summaries, 30 of 50 in the sources; half of 0.15 + 0.15.
EXPLAINED = 0.75 - 0.6

COUNTS = st.integers(2, 5).flatmap(
    lambda groups: st.lists(
        st.lists(st.integers(0, 50), min_size=groups, max_size=groups).filter(any), min_size=2, max_size=2
    )
)


def score(*counts: list[int] | None) -> float:
    return float(word_list_inclusion(*(None if own is None else np.array(own, dtype=float) for own in counts)))


def test_worked_example() -> None:
    # Summaries 6/8, 1/8, 1/8; sources 2/4, 1/4, 1/4: differences 2/8, -1/8, -1/8; (2 + 1 + 1) / 16 = 1/4.
    assert share_differences(np.array([6.0, 1, 1]), np.array([2.0, 1, 1])).tolist() == [0.25, -0.125, -0.125]
    assert score([6, 1, 1], [2, 1, 1]) == 0.25
    # Against two uniform groups: |3/4 - 1/2| = 1/4.
    assert score([3, 1], None) == 0.25
    assert score([4, 0], [0, 7]) == 1.0


@pytest.mark.parametrize(
    ("female", "expected"),
    # Section 4 and table 2: 26% of XSum's identifiers are female, 34% of CNN/DM's; Random keeps the shares, and its
    # scores against a uniform reference are 0.24 and 0.15 (the latter from a rounded 34%, up to 0.01).
    [(26, 0.24), (34, 0.16)],
)
def test_table_2(female: int, expected: float) -> None:
    assert score([female, 100 - female], None) == pytest.approx(expected, abs=1e-12)
    assert score([female, 100 - female], [female, 100 - female]) == 0.0


@pytest.mark.parametrize(
    "counts", [([0, 0], [1, 2]), ([1, 2], [0, 0]), ([0, 0], None), ([3], [3]), ([3], None), ([], [])]
)
def test_undefined(counts: tuple[Any, ...]) -> None:
    assert math.isnan(score(*counts))


@given(COUNTS)
def test_definition(counts: list[list[int]]) -> None:
    summary, source = ([Fraction(count, sum(own)) for count in own] for own in counts)
    exact = [p - q for p, q in zip(summary, source, strict=True)]
    assert score(*counts) == pytest.approx(float(sum(map(abs, exact)) / 2), abs=1e-12)
    differences = share_differences(*np.array(counts, dtype=float))
    assert differences == pytest.approx(np.array(exact, dtype=float), abs=1e-12)
    uniform = sum(abs(p - Fraction(1, len(summary))) for p in summary) / 2
    assert score(counts[0], None) == pytest.approx(float(uniform), abs=1e-12)
