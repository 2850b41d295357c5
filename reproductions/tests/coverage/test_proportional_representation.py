"""Equal Coverage beside proportional representation: by hand, and the paper's layout."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

import fairsum_reproductions as studies


def records(name: str, *scores: float | None) -> list[dict[str, Any]]:
    return [{"index": index, name: score} for index, score in enumerate(scores)]


def test_by_hand() -> None:
    # Ranks 1, 2, 3, 4 and 2, 1, 3, 4: rho = 1 - 6 * 2 / 60; of the fifth UER has no score.
    coverage = records("equal_coverage", 0.1, 0.2, 0.3, 0.4, 0.5)
    baseline = records("uer", 0.2, 0.1, 0.3, 0.4, None)
    found = studies.proportional_representation({"coverage": coverage, "baseline": baseline}, n_permutations=100)
    [cell] = found["systems"][""].values()
    assert cell["rho"] == pytest.approx(0.8, abs=1e-12)
    assert (cell["n_samples"], cell["n_skipped"]) == (4, 1)
    assert "uer" in found["signature"]


def test_the_papers_table() -> None:
    up, down = (0.1, 0.2, 0.3), (0.3, 0.2, 0.1)
    runs = {}
    for where, own, other in (("a/x", up, up), ("a/y", up, down), ("b/x", up, (0.1, 0.1, 0.1))):
        runs |= {f"coverage/{where}": records("equal_coverage", *own), f"baseline/{where}": records("bur", *other)}
    found = studies.proportional_representation(runs, baseline="bur")
    assert found["systems"]["a"]["x"]["rho"] == 1.0
    assert found["systems"]["a"]["y"]["rho"] == -1.0
    assert math.isnan(found["systems"]["b"]["x"]["rho"])
    assert found["undefined"] == {"b on x": "a correlation needs at least two different numbers on either side"}
    table = found.to_pandas()
    assert table.columns.tolist() == ["system", "x", "y"]
    assert table["system"].tolist() == ["a", "b"]
    assert "a           1.000  -1.000" in found.report()


def test_refused(refusal: Callable[..., str]) -> None:
    runs = {"coverage": records("equal_coverage", 0.1), "baseline": records("uer", 0.1, 0.2)}
    assert refusal(studies.proportional_representation, runs).startswith(
        "proportional_representation: coverage has 1 sample but baseline has 2"
    )
    runs["baseline"] = records("auc", 0.1)
    assert refusal(studies.proportional_representation, runs).startswith(
        "proportional_representation: baseline[0] has no 'uer'"
    )
    assert refusal(studies.proportional_representation, {"coverage": runs["coverage"]}) == (
        "proportional_representation: there is no baseline; found coverage"
    )
