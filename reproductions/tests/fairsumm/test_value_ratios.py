"""Ratios by value: by hand, and on the published summaries beside what scoring says."""

from __future__ import annotations

import pytest

import fairsum_reproductions
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
    assert [panel.title for panel in report._draw([]).panels] == ["one", "two"]
    assert [group.name for group in report._draw([]).panels[0].groups] == ["a", "b"]
    assert "3 samples scored, 1 skipped. BUR 0.6667" in report.report()
    assert report.to_pandas()["underrepresented"].tolist() == [1 / 3, 1 / 2]
    # Mean shortfalls: a 0.25 / 3, b 0.2 / 2; half of their difference.
    assert found["sof"] == pytest.approx((0.1 - 0.25 / 3) / 2)
