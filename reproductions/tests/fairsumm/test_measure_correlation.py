"""Correlation of the measures: by hand, where SOF is UER, and beside the paper's table."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import fairsum_reproductions
from reproductions.tests.fairsumm._records import record

# Smallest ratios 1/2, 2/3 and 1; errors 1/8, 1/10 and 0; only the first two are below tau.
RECORDS = [
    record(0, a=(0.25, 0.5), b=(0.75, 0.5)),
    record(1, a=(0.6, 0.4), b=(0.4, 0.6)),
    record(2, a=(0.5, 0.5), b=(0.5, 0.5)),
    record(3),
    record(4, a=(1.0, 1.0)),
]


def r(one: list[float], other: list[float]) -> float:
    return float(np.corrcoef(one, other)[0, 1])


def test_by_hand() -> None:
    found = fairsum_reproductions.measure_correlation({"s": RECORDS}, single_value="skip", n_resamples=50)
    of_system = found["systems"]["s"]
    bur, uer, auc = [1, 1, 0], [1 / 8, 1 / 10, 0], [1 / 2, 1 / 3, 0]
    table = of_system["correlation"]
    assert table["bur"]["uer"] == pytest.approx(r(bur, uer))
    assert table["uer"]["auc"] == pytest.approx(r(uer, auc))
    assert table["uer"]["sof"] == pytest.approx(1.0, abs=1e-12)  # two values
    assert of_system["at_most_two_values"] is True
    assert (of_system["n_samples"], of_system["n_skipped"], of_system["n_single_value"]) == (3, 2, 1)
    assert of_system["scores"]["uer"] == pytest.approx((1 / 8 + 1 / 10) / 3)
    kept = fairsum_reproductions.measure_correlation({"s": RECORDS}, n_resamples=50)["systems"]["s"]
    assert kept["n_samples"] == 4
    assert kept["correlation"]["bur"]["uer"] == pytest.approx(r([*bur, 0], [*uer, 0]))
    low, high = kept["correlation_ci"]["bur"]["uer"]
    assert low <= kept["correlation"]["bur"]["uer"] <= high


SHARE = st.integers(0, 20)


@given(st.lists(st.tuples(SHARE, st.integers(1, 19)), min_size=2, max_size=8))
def test_with_two_values_sof_is_uer(shares: list[tuple[int, int]]) -> None:
    """Whatever the samples; so .43 in table 9, of a data set of two values, comes from something else."""
    records = [
        record(place, a=(given / 20, desired / 20), b=(1 - given / 20, 1 - desired / 20))
        for place, (given, desired) in enumerate(shares)
    ]
    table = fairsum_reproductions.measure_correlation({"s": records}, n_resamples=2)["systems"]["s"]["correlation"]
    assert table["uer"]["sof"] == pytest.approx(1.0, abs=1e-9) or math.isnan(table["uer"]["sof"])
    for other in ("bur", "auc"):
        assert table["sof"][other] == pytest.approx(table["uer"][other], abs=1e-6, nan_ok=True)
