"""Ratios by value: by hand, and on the published summaries beside what scoring says."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions
from fairsum_reproductions.fairsumm.value_ratios import ratios_by_value
from fairsum_reproductions.shares import read_shares
from fairsum_utils.stats.intervals import share_interval
from reproductions.tests.fairsumm._records import record

RECORDS = [
    record(0, a=(0.25, 0.5), b=(0.75, 0.5)),  # 1/2, 3/2
    record(1, a=(0.6, 0.4), b=(0.4, 0.6)),  # 3/2, 2/3
    record(2),
    record(3, a=(1.0, 1.0)),
]


def test_by_hand() -> None:
    found = fairsum_reproductions.value_ratios({"s": RECORDS})["systems"]["s"]
    assert found["ratios"] == {"a": [0.5, pytest.approx(1.5), 1.0], "b": [1.5, pytest.approx(2 / 3)]}
    assert found["by_value"]["a"] == {
        "n_samples": 3,
        "underrepresented": 1 / 3,
        "underrepresented_ci": list(share_interval(1, 3, 0.95)),
        "median_ratio": 1.0,
        "mean_ratio": pytest.approx(1.0),
    }
    assert found["by_value"]["b"]["median_ratio"] == pytest.approx((1.5 + 2 / 3) / 2)
    assert (found["bur"], found["n_samples"], found["n_skipped"]) == (2 / 3, 3, 1)
    report = fairsum_reproductions.value_ratios({"one": RECORDS, "two": RECORDS[:1]})
    assert [panel.title for panel in report.plot().panels] == ["one", "two"]
    assert [group.name for group in report.plot().panels[0].groups] == ["a", "b"]
    assert "3 samples scored, 1 skipped. BUR 0.6667" in report.report()
    assert report.to_pandas()["underrepresented"].tolist() == [1 / 3, 1 / 2]
    # Mean shortfalls: a 0.25 / 3, b 0.2 / 2; half of their difference.
    assert found["sof"] == pytest.approx((0.1 - 0.25 / 3) / 2)


def test_tau_and_what_is_not_desired() -> None:
    found = fairsum_reproductions.value_ratios({"s": [record(0, a=(0.0, 0.0), b=(1.0, 1.0))]}, tau=0.5)
    assert found["tau"] == 0.5
    a = found["systems"]["s"]["by_value"]["a"]
    assert math.isnan(a["median_ratio"])
    assert math.isnan(a["mean_ratio"])
    assert a["underrepresented"] == 0.0
    assert found["undefined"] == {"ratio of a of s": "nothing of it is desired"}


SHARE = st.integers(1, 99)


@given(st.lists(st.tuples(SHARE, SHARE), min_size=1, max_size=8), st.sampled_from([0.5, 0.8, 1.0]))
def test_of_two_values_the_rates_add_up_to_bur(shares: list[tuple[int, int]], tau: float) -> None:
    """So that with a BUR of 51 percent they cannot both be about 20, as the paper says of figure 4."""
    records = [
        record(place, a=(given / 100, desired / 100), b=((100 - given) / 100, (100 - desired) / 100))
        for place, (given, desired) in enumerate(shares)
    ]
    found = fairsum_reproductions.value_ratios({"s": records}, tau=tau)["systems"]["s"]
    rates = [of_value["underrepresented"] for of_value in found["by_value"].values()]
    assert sum(rates) == pytest.approx(found["bur"])


def test_on_the_published_summaries(yelp_records: list[dict[str, Any]]) -> None:
    shares = read_shares("m", "yelp", yelp_records)
    ratios = ratios_by_value(shares)
    assert {value: len(numbers) for value, numbers in ratios.items()} == {"neg": 921, "neu": 176, "pos": 1500}
    by_value = fairsum_reproductions.value_ratios({"yelp": yelp_records})["systems"]["yelp"]["by_value"]
    for value, numbers in ratios.items():
        # Counted by the ratios themselves; floating point decides no other way on these.
        below = sum(number < 0.8 for number in numbers)
        assert abs(by_value[value]["underrepresented"] * len(numbers) - below) <= 1
