"""Relative changes: by hand, a plain loop over the same draws, and scores of both families."""

from __future__ import annotations

import math
from typing import Any

import pytest

import fairsum_reproductions as studies

ROLES = ("before", "after", "baseline_before", "baseline_after")
Column = list[float | None]


def runs(where: str, *columns: Column, baseline: str = "uer") -> dict[str, list[dict[str, Any]]]:
    """Records in each role: EC before and after, the baseline before and after."""
    names = ("equal_coverage", "equal_coverage", baseline, baseline)
    return {
        f"{role}{where}": [{"index": index, name: score} for index, score in enumerate(column)]
        for role, name, column in zip(ROLES, names, columns, strict=True)
    }


def compared(*columns: Column, baseline: str = "uer", **options: Any) -> dict[str, Any]:
    """The only cell of the study, with the reason for what is undefined."""
    found = studies.relative_change(runs("", *columns, baseline=baseline), baseline=baseline, **options)
    return {**found["systems"][""][""], "undefined": found["undefined"].get("difference", "")}


def test_by_hand() -> None:
    found = compared(
        [0.5, 0.25, 0.0, 0.5, None, 1e-17],
        [0.25, 0.25, 0.5, 0.5, 0.5, 0.5],
        [0.5, 0.5, 0.5, 0.0, 0.5, 0.5],
        [0.5, 0.75, 0.5, 0.5, 0.5, 0.5],
    )
    # Samples 0 and 1: EC -1/2 and 0; UER 0 and 1/2. Samples 2 and 5: EC 0 before; 3: UER 0 before; 4: no EC.
    assert found["relative_change"] == {"equal_coverage": -0.25, "uer": 0.25}
    assert found["difference"] == 0.5
    # In both 1/2: EC falls as much more everywhere. Nothing limits a relative change, nor tells how far it spreads.
    assert all(map(math.isnan, found["difference_ci"]))
    assert found["undefined"].startswith("difference_ci: ")
    assert found["p_value"] == 1 / 1001
    assert (found["n_samples"], found["n_skipped"], found["n_undefined"]) == (2, 1, {"equal_coverage": 2, "uer": 1})


def test_the_papers_table() -> None:
    cells = {
        "/GPT-3.5/Amazon": (0.5, 0.25, 0.4, 0.3),
        "/GPT-3.5/SemEval": (0.5, 0.5, 0.4, 0.2),
        "/Gemma/Amazon": (0.0, 0.5, 0.4, 0.2),
    }
    given = {}
    for where, scores in cells.items():
        given |= runs(where, *([score, score] for score in scores))
    found = studies.relative_change(given)
    # -1/4 - (-1/2) = 1/4;  -1/2 - 0 = -1/2;  EC 0 before.
    of_gpt = {name: cell["difference"] for name, cell in found["systems"]["GPT-3.5"].items()}
    assert of_gpt == pytest.approx({"Amazon": 0.25, "SemEval": -0.5}, abs=1e-12)
    # Both samples of each cell change alike, which gives no interval.
    assert found["undefined"].pop("Gemma on Amazon") == "no sample left to compare"
    assert set(found["undefined"]) == {"GPT-3.5 on Amazon", "GPT-3.5 on SemEval"}
    assert found.to_pandas().columns.tolist() == ["system", "Amazon", "Amazon mark", "SemEval", "SemEval mark"]
    assert "GPT-3.5      0.250*  -0.500*\nGemma    undefined\n" in found.report()
