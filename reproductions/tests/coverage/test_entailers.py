"""Correlation of entailers: by hand, and beside the rank correlation of the scores."""

from __future__ import annotations

from typing import Any

import pytest

import fairsum_reproductions as studies
import fairsum_utils
from fairsum_reproductions.correlation import rank_correlation
from fairsum_utils import CoverageParity, EqualCoverage


def runs(entailer: str, **gaps: list[float]) -> dict[str, list[dict[str, Any]]]:
    """Records of each system. EC is half the gap between two documents, and CP half the size of the mean gap."""
    found = {}
    for system, own in gaps.items():
        coverage = [[[0.5 + gap / 2], [0.5 - gap / 2]] for gap in own]
        results = fairsum_utils.score(
            values=[["a", "b"]] * len(own),
            coverage=coverage,
            metrics=[EqualCoverage(max_exact=1), CoverageParity()],
            return_samples=True,
        )
        found[f"{entailer}/{system}/news"] = results["equal_coverage"]["samples"]
    return found


def test_both_halves_of_the_table() -> None:
    one = runs("Ro.", x=[0.1, 0.2], y=[0.4, 0.5], z=[0.3, -0.9])
    other = runs("De.", x=[0.2, 0.1], y=[0.6, 0.5], z=[0.3, -0.4])
    found = studies.entailers({**one, **other}, seed=3)
    # Sizes of gaps 1, 2, 4, 5, 3, 9 tenths: ranks 1 2 4 5 3 6; 2, 1, 6, 5, 3, 4 tenths: ranks 2 1 6 5 3 4.
    # Squared differences 1 + 1 + 4 + 0 + 0 + 4 = 10; rho = 1 - 60 / 210.
    [of_samples] = found["equal_coverage"]
    assert of_samples["rho"] == pytest.approx(1 - 60 / 210, abs=1e-12)
    assert (of_samples["n_samples"], of_samples["systems"]) == (6, ["x", "y", "z"])
    scores = ([record["equal_coverage"] for own in part.values() for record in own] for part in (one, other))
    assert rank_correlation(*scores, seed=3).items() <= of_samples.items()
    # Mean gaps 0.15, 0.45, -0.3 and 0.15, 0.55, -0.05: sizes in ranks 1 3 2 and 2 3 1: rho = 1 - 6 * 2 / 24.
    [of_systems] = found["coverage_parity"]
    assert of_systems["rho"] == pytest.approx(0.5, abs=1e-12)
    assert of_systems["n_samples"] == 3
    header, row = found.to_csv().splitlines()[:2]
    assert header == "table,data set,Ro. and De."
    assert ",news," in row
    assert "Coverage Parity over systems" in found.report()
