"""Entries of records, records of the same samples, mean differences."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairsum_reproductions.records import check_paired, leading, mean_difference, record_entries
from fairsum_utils.settings import Resampling
from fairsum_utils.stats.intervals import Moments, mean_interval


def test_entries_of_records(refusal: Callable[..., str]) -> None:
    assert "found 0, 1, 2, 3, 4, 5, 6, 7 and 2 more; " in refusal(
        record_entries, "m", "samples", [dict.fromkeys("0123456789")], "a"
    )
    assert record_entries("m", "samples", [{"a": 1, "b": 2}, {"a": None}], "a") == [1, None]
    assert refusal(record_entries, "m", "samples", [{"a": 1}, {"b": 2}], "a") == (
        "m: samples[1] has no 'a', found b; give records of a measure that has it, as scoring adds them with "
        "return_samples=True"
    )


def test_records_of_several_runs(refusal: Callable[..., str]) -> None:
    records = [{"index": 0}, {"index": 4}]
    check_paired("m", a=records, b=records, c=records)
    assert refusal(check_paired, "m", a=records, b=records, c=records[::-1]).startswith(
        "m: a[0] is of sample 0 but c[0] of sample 4; "
    )
    assert refusal(check_paired, "m", a=records, b=records[1:]).startswith("m: a has 2 samples but b has 1; ")


@given(st.dictionaries(st.text(max_size=2), st.integers(0, 3), min_size=1))
def test_the_leading_one_is_alone(numbers: dict[str, int]) -> None:
    most = [name for name, number in numbers.items() if number == max(numbers.values())]
    assert leading(numbers) == (most[0] if len(most) == 1 else None)


def test_mean_differences(replicates: Callable[..., list[list[int]]]) -> None:
    differences = [0.5, -0.25, 1.0]
    means = [sum(n * d for n, d in zip(counts, differences, strict=True)) / 3 for counts in replicates(3, 50, 7)]
    result = mean_difference(np.array(differences), Resampling(confidence_level=0.8, n_resamples=50, seed=7))
    ends = mean_interval(Moments.of(np.array(differences)), 0.8, (-1.0, 1.0))
    assert result["difference_ci"] == pytest.approx(ends, abs=1e-12)
    middle = np.mean(means)
    assert result["p_value"] == (1 + sum(abs(mean - middle) >= 1.25 / 3 - 1e-12 for mean in means)) / 51
    assert (result["difference"], result["n_samples"]) == (1.25 / 3, 3)
    assert mean_difference(np.empty(0), Resampling(confidence_level=0.8))["undefined"] == "no sample left to compare"


def test_equal_differences() -> None:
    equal = np.full(20, 0.25)
    result = mean_difference(equal, Resampling(confidence_level=0.95, n_resamples=50))
    low, high = result["difference_ci"]
    assert -1 < low < 0.25 < high < 1
    assert "undefined" not in result
    unlimited = mean_difference(equal, Resampling(confidence_level=0.95, n_resamples=50), (-math.inf, math.inf))
    assert all(map(math.isnan, unlimited["difference_ci"]))
    assert unlimited["undefined"].startswith("difference_ci: ")
