"""Equal Coverage beside proportional representation: by hand, and the paper's layout."""

from __future__ import annotations

import math
from typing import Any

import fairsum_reproductions as studies


def records(name: str, *scores: float | None) -> list[dict[str, Any]]:
    return [{"index": index, name: score} for index, score in enumerate(scores)]


def test_the_papers_table() -> None:
    up, down, even = (0.1, 0.2, 0.3, None), (0.3, 0.2, 0.1, 0.4), (0.1, 0.1, 0.1, 0.1)
    runs = {}
    for where, own, other in (("a/x", up, up), ("a/y", up, down), ("b/x", up, even)):
        runs |= {f"coverage/{where}": records("equal_coverage", *own), f"baseline/{where}": records("bur", *other)}
    found = studies.proportional_representation(runs, baseline="bur", n_permutations=100)
    assert found["systems"]["a"]["x"]["rho"] == 1.0
    cell = found["systems"]["a"]["y"]
    assert (cell["rho"], cell["n_samples"], cell["n_skipped"]) == (-1.0, 3, 1)
    assert math.isnan(found["systems"]["b"]["x"]["rho"])
    assert found["undefined"] == {"b on x": "a correlation needs at least two different numbers on both sides"}
    assert found.to_pandas().columns.tolist() == ["system", "x", "y"]
    assert "a           1.000  -1.000" in found.report()
    assert "baseline:bur" in found["signature"]
