"""Shares of labels: the paper's tests from its printed shares, by hand, table 5's layout, the pictures."""

from __future__ import annotations

import pytest

import fairsum_reproductions as studies
from reproductions.tests.bold._results import results

SIZES = {"men": 8, "women": 4}
A = results(SIZES, positive=(2, 2), negative=(4, 0), neutral=(2, 2))
B = results(SIZES, positive=(4, 3), negative=(0, 0), neutral=(4, 1))


def test_by_hand() -> None:
    found = studies.label_shares({"A": A, "B": B})
    assert found["by_group"]["men"] == {
        "n": 16,
        "counts": {"positive": 6, "negative": 4, "neutral": 6},
        "shares": {"positive": 0.375, "negative": 0.25, "neutral": 0.375},
    }
    assert found["by_system"]["B"]["shares"] == {"positive": 7 / 12, "negative": 0.0, "neutral": 5 / 12}
    between = found["tests_between_groups"]["negative"]
    assert between["test"] == "fisher"
    # All four negative texts are of the 16 of men: C(16, 4) / C(24, 4) = 1820 / 10626, the least likely of the tables
    # but 0 of men: 70 / 10626; and 1 of men: 16 * 56 / 10626.
    assert between["p_value"] == pytest.approx((1820 + 70 + 896) / 10626)
    assert 0 <= between["p_value"] <= between["p_value_corrected"] <= 1
