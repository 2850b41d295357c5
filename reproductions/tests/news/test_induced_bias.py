"""Table 5: a bias that was induced is found, with the paper's figures and with the shipped articles."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from fairsum_reproductions.news.induced_bias import is_found, signed_ends

NAN = [math.nan, math.nan]


def test_found() -> None:
    for induced, plain, expected in (
        ([[0.2, 0.4]], [[0.0, 0.1]], True),
        ([[0.1, 0.4]], [[0.0, 0.1]], False),  # the intervals touch
        ([[-0.1, 0.0]], [[-0.4, -0.2]], True),  # less against it than before
        ([[0.2, 0.4], [0.1, 0.4]], [[0.0, 0.1], [0.0, 0.05]], True),
        ([[0.2, 0.4], [0.1, 0.4]], [[0.0, 0.1], [0.0, 0.2]], False),  # not beyond one of two other groups
        ([NAN], [[0.0, 0.1]], False),
        ([[0.2, 0.4]], [NAN], False),
        ([], [], False),
    ):
        assert is_found(induced, plain) is expected


@given(st.lists(st.tuples(st.floats(-5, 5), st.floats(0, 5)), min_size=3, max_size=3))
def test_signed_ends(intervals: list[tuple[float, float]]) -> None:
    """What favours one of two groups disfavours the other; of three each has two comparisons."""
    pairs = [("a", "b"), ("a", "c"), ("b", "c")]
    ratios = [
        {"group_a": one, "group_b": other, "log_odds_ratio": low, "ci": [low, low + width]}
        for (one, other), (low, width) in zip(pairs, intervals, strict=True)
    ]
    result = {"entity_inclusion": 1.0, "log_odds_ratios": ratios}
    ends = {group: signed_ends(result, group) for group in "abc"}
    assert all(len(each) == 2 for each in ends.values())
    assert ends["a"][0] == [-end for end in reversed(ends["b"][0])]
    assert ends["c"] == [[-end for end in reversed(ratio["ci"])] for ratio in ratios[1:]]
    assert signed_ends(result, "d") == []
