from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_utils.stats.independent import difference_interval


def wilson(successes: int, n: int) -> tuple[float, float]:
    """Wilson's interval, of which the published differences are made: the roots of (x/n - p)^2 = z^2 p (1 - p) / n."""
    z = 1.959964
    centre, half = successes + z * z / 2, z * math.sqrt(successes * (n - successes) / n + z * z / 4)
    return (centre - half) / (n + z * z), (centre + half) / (n + z * z)


@pytest.mark.parametrize(
    ("a", "n_a", "b", "n_b", "low", "high"),
    [  # Newcombe 1998, table II, method 10
        (56, 70, 48, 80, 0.0524, 0.3339),
        (9, 10, 3, 10, 0.1705, 0.8090),
        (6, 7, 2, 7, 0.0582, 0.8062),
        (5, 56, 0, 29, -0.0381, 0.1926),
        (10, 10, 0, 20, 0.6791, 1.0000),
    ],
)
def test_published_intervals_of_two_proportions(a: int, n_a: int, b: int, n_b: int, low: float, high: float) -> None:
    ends = difference_interval(a / n_a, wilson(a, n_a), b / n_b, wilson(b, n_b))
    assert ends == pytest.approx((low, high), abs=5e-5)


def test_a_right_triangle() -> None:
    # A is 0.3 above its lower end and B 0.4 below its upper end: the difference is 0.5 above its lower end.
    assert difference_interval(1.0, (0.7, 1.6), 0.5, (-0.3, 0.9)) == pytest.approx((0.0, 1.5))


def test_an_end_on_the_other_side_counts_as_the_estimate() -> None:
    assert difference_interval(0.1, (0.2, 0.4), 0.0, (0.0, 0.0)) == pytest.approx((0.1, 0.4))


def test_nothing_follows_from_what_is_undefined() -> None:
    assert math.isnan(difference_interval(0.1, (math.nan, 0.4), 0.0, (0.0, 0.0))[0])
    assert all(map(math.isnan, difference_interval(math.nan, (0.0, 0.4), 0.0, (0.0, 0.0))))


numbers = st.floats(-10, 10)
widths = st.floats(0, 10)


@given(numbers, widths, widths, numbers, widths, widths, st.floats(0, 1))
def test_narrower_intervals_give_a_narrower_one_around_the_difference(
    a: float, below_a: float, above_a: float, b: float, below_b: float, above_b: float, shrunk: float
) -> None:
    low, high = difference_interval(a, (a - below_a, a + above_a), b, (b - below_b, b + above_b))
    narrow = difference_interval(a, (a - shrunk * below_a, a + shrunk * above_a), b, (b - below_b, b + above_b))
    assert low - 1e-9 <= narrow[0] <= a - b <= narrow[1] <= high + 1e-9
    # Never wider than the ends subtracted from each other.
    assert a - below_a - (b + above_b) - 1e-9 <= low
    assert high <= a + above_a - (b - below_b) + 1e-9
    # B minus A is its mirror image.
    mirrored = difference_interval(b, (b - below_b, b + above_b), a, (a - below_a, a + above_a))
    assert mirrored == pytest.approx((-high, -low), abs=1e-9)
