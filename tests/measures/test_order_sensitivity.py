"""Order sensitivity: the worked example, brute force, and what may not matter."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.measures.order_sensitivity import (
    forwardness,
    gain_weights,
    own_minus_others,
    place_weights,
    value_gain,
)

# Forward by 1 - 0 and by 0.75 - 0.25.
EXPLAINED = (1.0 + 0.5) / 2


def primacy(shares, places):
    return float(np.trace(own_minus_others(forwardness(np.array(shares, float), np.array(places)))))


def test_a_worked_example() -> None:
    """Three sources X, Y, Z; the first place counts 1, the second 1/2, the last 0.

    Order XYZ: the summary is X and Y, half each. In its own order 1/2 * 1 + 1/2 * 1/2 = 3/4.
               In ZYX: X counts 0, Y 1/2: 1/4. In YZX: X 0, Y 1: 1/2. The others on average 3/8.
    Order ZYX: the summary is Z. Own 1; XYZ: 0; YZX: 1/2; others 1/4.
    Order YZX: the summary is X. Own 0; XYZ: 1; ZYX: 0; others 1/2.
    Primacy: ((3/4 - 3/8) + (1 - 1/4) + (0 - 1/2)) / 3 = (3/8 + 6/8 - 4/8) / 3 = 5/24.
    """
    places = [[0, 1, 2], [2, 1, 0], [2, 0, 1]]  # of X, Y, Z
    shares = [[1 / 2, 1 / 2, 0], [0, 0, 1], [1, 0, 0]]
    assert primacy(shares, places) == pytest.approx(5 / 24, abs=1e-15)


sets = st.integers(2, 4).flatmap(
    lambda n: st.lists(
        st.tuples(st.permutations(range(n)), st.lists(st.integers(0, 5), min_size=n, max_size=n).filter(any)),
        min_size=2,
        max_size=4,
    )
)


@given(sets)
def test_against_exact_arithmetic(orders) -> None:
    """From the definition: own forwardness minus the mean over the other orders, averaged over summaries."""
    k, n = len(orders), len(orders[0][0])

    def forward(weights, places):
        total = sum(weights)
        return sum(Fraction(w, total) * (1 - Fraction(place, n - 1)) for w, place in zip(weights, places, strict=True))

    exact = Fraction(0)
    for a, (places, weights) in enumerate(orders):
        others = [forward(weights, other) for b, (other, _) in enumerate(orders) if b != a]
        exact += (forward(weights, places) - sum(others) / (k - 1)) / k
    shares = [np.array(weights) / sum(weights) for _, weights in orders]
    found = primacy(shares, [places for places, _ in orders])
    assert found == pytest.approx(float(exact), abs=1e-12)
    assert -1 <= exact <= 1
    # turned round, the sign turns too
    assert primacy(shares, [[n - 1 - place for place in places] for places, _ in orders]) == pytest.approx(
        -found, abs=1e-12
    )


def test_what_comes_first() -> None:
    first = np.array([True, True, False])
    # (0.5 + 0.75) / 2 - 0.25
    assert value_gain(np.array([0.5, 0.75, 0.25]), first) == 0.375
    assert gain_weights(np.array([True, False, False])).tolist() == [1.0, -0.5, -0.5]


def test_places() -> None:
    assert place_weights(np.array([[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]])).tolist() == [
        [1, 0.75, 0.5, 0.25, 0], [0, 0.25, 0.5, 0.75, 1],
    ]  # fmt: skip
